"""Audit every database of a corpus and hold the findings against its truth (see `bench.planted`).

    python -m bench.audit_corpus FOLDER

By database: findings that were planted, how many of them were found, which were missed, which
go beyond, and errors in conversations where none was planted (`clean`). By rule: the
same over all databases; of rules that the truth says nothing about only how often they
struck. Exit code 1 when anything was missed, went beyond, or was an error in a clean
conversation.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.corpus import find_files
from bench.planted import CHECKED, Verdict, judge
from bench.truth import find_truth
from hermes_sessions.audit.rules import RULES
from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.operations.auditing.audit_conversations import run_audit
from hermes_sessions.operations.documents.audit import audit_document
from hermes_sessions.operations.documents.encoding import plain
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.stored_audits import FindingListing

Finding = Mapping[str, Any]


def audit(path: Path) -> Sequence[Finding]:
    """Import a database into a store of its own and return the findings.

    Raises:
        HermesSessionsError: it cannot be imported, or the store is not as it should be afterwards.
    """
    with tempfile.TemporaryDirectory() as folder, Database.open(str(Path(folder, "store.db"))) as database:
        import_path(database, path, ImportOptions(clock=time.time))
        run_audit(database, FindingListing(), clock=time.time)
        with database.read() as db:
            if wrong := check_store(db):
                raise HermesSessionsError(f"{path.name}: {wrong[0]}")
            findings: Sequence[Finding] = plain(audit_document(db, FindingListing()))["findings"]
    return findings


def compare(path: Path, folder: Path) -> tuple[Sequence[Finding], Verdict] | None:
    """Return findings and verdict for one file of a corpus, None where it has no truth or cannot be read."""
    truth = find_truth(path, folder)
    if truth is None:
        return None
    try:
        findings = audit(path)
    except HermesSessionsError:
        return None
    return findings, judge(findings, truth, path)


def main() -> int:
    """Print the tables; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    verdicts: dict[str, Verdict] = {}
    struck: Counter[str] = Counter()
    for path in find_files(folder):
        if found := compare(path, folder):
            struck.update(one["rule"] for one in found[0])
            verdicts[path.relative_to(folder).as_posix()] = found[1]
    _print_databases(verdicts)
    _print_rules(verdicts.values(), struck)
    return int(not all(one.is_right for one in verdicts.values()))


def _print_databases(verdicts: Mapping[str, Verdict]) -> None:
    print(f"{'database':32}{'planted':>8}{'found':>7}{'missed':>8}{'beyond':>8}{'clean':>8}{'errors':>8}")
    for name, one in verdicts.items():
        counts = (len(one.missed), len(one.beyond), one.clean, len(one.errors_on_clean))
        print(f"{name:32}{one.planted:>8}{one.found:>7}" + "".join(f"{n:>8}" for n in counts))
        for word, places in (("missed", one.missed), ("beyond", one.beyond), ("error", one.errors_on_clean)):
            for rule, session in places:
                print(f"    {word} {rule} in {session}")


def _print_rules(verdicts: Iterable[Verdict], struck: Counter[str]) -> None:
    planted, missed, beyond = Counter[str](), Counter[str](), Counter[str]()
    for one in verdicts:
        planted.update(rule for rule, _ in one.wanted.elements())
        missed.update(rule for rule, _ in one.missed)
        beyond.update(rule for rule, _ in one.beyond)
    print(f"\n{'rule':24}{'severity':10}{'struck':>8}{'planted':>8}{'missed':>8}{'beyond':>8}")
    for code, rule in RULES.items():
        counts = (planted[code], missed[code], beyond[code]) if code in CHECKED else ("-", "-", "-")
        print(f"{code:24}{rule.severity:10}{struck[code]:>8}" + "".join(f"{one:>8}" for one in counts))


if __name__ == "__main__":
    sys.exit(main())
