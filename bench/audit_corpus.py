"""Audit every database of a corpus: which planted defects each rule found, and what it blamed besides.

    python -m bench.audit_corpus FOLDER

Reads the truth files beside the databases (see `bench.truth`). `planted` counts conversations
in which a defect was planted that the rule must find, `found` those in which it did,
`sound` its findings in conversations that nothing is wrong with, `other` its findings
elsewhere. Exit code 1 when one was missed, or a sound conversation blamed.
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final

from hermes_sessions.audit.rules import RULES
from hermes_sessions.operations.audit import audit_document, run_audit
from hermes_sessions.operations.import_ import ImportOptions, import_path
from hermes_sessions.store.db import Database
from hermes_sessions.store.queries.audits import FindingListing

PLANTED: Final = {
    "F_fossil": {"head-fossilised"},
    "Y_fork": {"fork"},
    "O_orphan": {"missing-parent"},
    "C_clock": {"clock-backwards"},
    "Z_zoo": {"no-receipt", "stale-directive", "nested-handoff", "fallback-used", "merged-handoff"},
}
"""Conversation -> rules that must find what was planted in it, in every version that has it."""

SOUND: Final = {"N_negatives", "H_hashtitle", "K_archived", "E_empty", "W_cron", "U_unicode", "X_xss"}
"""Conversations that nothing is wrong with."""


def audit(path: Path) -> list[dict[str, Any]]:
    """Import a database into a store of its own and return the findings."""
    with tempfile.TemporaryDirectory() as folder, Database.open(str(Path(folder, "store.db"))) as database:
        import_path(database, path, ImportOptions(clock=time.time))
        run_audit(database, FindingListing(), clock=time.time)
        with database.read() as db:
            findings: list[dict[str, Any]] = audit_document(db, FindingListing())["findings"]
    return findings


def count(findings: list[dict[str, Any]], truth: dict[str, Any], counts: dict[str, Counter[str]]) -> None:
    """Add one database to *counts*, by rule."""
    names = {one["chain"][0]: one["name"] for one in truth["conversations"] if one["chain"]}
    by_name: dict[str, Counter[str]] = {name: Counter() for name in names.values()}
    for one in findings:
        by_name.setdefault(names.get(one["conversation"], "?"), Counter())[one["rule"]] += 1
    for name, found in by_name.items():
        expected = PLANTED.get(name, set())
        for rule in expected:
            counts[rule]["planted"] += 1
            counts[rule]["found"] += bool(found[rule])
        for rule, times in found.items():
            if rule not in expected:
                counts[rule]["sound" if name in SOUND else "other"] += times


def main() -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    counts: dict[str, Counter[str]] = {code: Counter() for code in RULES}
    databases = [
        path for path in sorted(folder.glob("*.db")) if (folder / "truth" / f"{path.stem}.json").exists()
    ]
    for path in databases:
        count(audit(path), json.loads((folder / "truth" / f"{path.stem}.json").read_text("utf-8")), counts)
    print(f"{len(databases)} databases")
    print(f"{'rule':24}{'severity':10}{'planted':>8}{'found':>7}{'sound':>7}{'other':>7}")
    for code, one in counts.items():
        columns = (one["planted"], one["found"], one["sound"], one["other"])
        print(
            f"{code:24}{RULES[code].severity:10}"
            + "".join(f"{n:>{w}}" for n, w in zip(columns, (8, 7, 7, 7), strict=True))
        )
    return int(any(one["found"] < one["planted"] or one["sound"] for one in counts.values()))


if __name__ == "__main__":
    sys.exit(main())
