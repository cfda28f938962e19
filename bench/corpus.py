"""Import every database of a folder and print how it compares with what was planted in it.

    python -m bench.corpus FOLDER [--wrong] [--changed]

Any folder of Hermes databases will do; where truth files lie beside them (see
`bench.truth`), the columns of the form n/m say how much came out as planted. Below it,
the same of the homes of other agents (see `bench.homes`); with `--changed` also after each thing that
may happen to a home between two imports (see `bench.changed_homes`). `--wrong` lists each difference.
Exit code 1 when there is one, 2 where a truth cannot be used.
"""

import argparse
import hashlib
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.changed_homes import CHANGES, replace_home
from bench.homes import JUDGED, HomeComparison, UnusableTruthError, compare_home, find_homes, truth_files
from bench.truth import Comparison, compare, find_truth
from hermes_sessions.errors import HermesSessionsError, SourceError
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.operations.imports.import_report import ImportReport
from hermes_sessions.store.opening.database import Database

_COLUMNS = (
    "file", "version", "sessions", "messages", "conv", "chains ok", "scroll ok", "copies ok", "rotation",
    "in place", "interrupted", "merged ok", "rejected", "warnings", "damage", "seconds",
)  # fmt: skip
_HOME_COLUMNS = ("home", "stored", "messages", *JUDGED, "rejected", "warnings", "seconds")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file.

    Attributes:
        name: its path in the folder.
        report: None where nothing could be imported; `error` says why.
        comparison: None where no truth is known.
        touched: names of files beside it, or its own, that are not as they were.
        repeated: a second import said that nothing changed.
    """

    name: str
    report: ImportReport | None = None
    comparison: Comparison | None = None
    error: str | None = None
    touched: tuple[str, ...] = ()
    repeated: bool = False

    @property
    def wrong(self) -> list[str]:
        """Everything that is not as it should be, in lines."""
        lines = list(self.comparison.wrong) if self.comparison else []
        lines += [f"{name} was touched" for name in self.touched]
        if self.report is not None and not self.repeated:
            lines.append("a second import changed something")
        return lines


def find_files(folder: Path) -> list[Path]:
    """Return the databases under *folder*, whatever is in them; those of homes are not alone there."""
    homes = [
        home for home in (file.parent.parent / file.stem for file in truth_files(folder)) if home.is_dir()
    ]
    found = (path for path in folder.rglob("*.db") if path.is_file())
    return sorted(path for path in found if not any(path.is_relative_to(home) for home in homes))


def run(path: Path, folder: Path) -> Outcome:
    """Import *path* into a store of its own, twice, and compare."""
    name = path.relative_to(folder).as_posix()
    before = fingerprint(path)
    with (
        tempfile.TemporaryDirectory() as scratch,
        Database.open(str(Path(scratch) / "store.db")) as database,
    ):
        options = ImportOptions(clock=time.time)
        try:
            report = import_path(database, path, options)
        except HermesSessionsError as error:
            return Outcome(name, error=str(error), touched=_touched(path, before))
        truth = find_truth(path, folder)
        comparison = None if truth is None else compare(database, report, truth)
        again = import_path(database, path, ImportOptions(clock=time.time, full=True))
        repeated = (again.messages, again.copies) == (report.messages, report.copies)
        repeated &= import_path(database, path, options).unchanged
    return Outcome(name, report, comparison, None, _touched(path, before), repeated)


@dataclass(frozen=True, slots=True)
class HomeOutcome:
    """What became of one home of an agent.

    Attributes:
        repeated: a second import said that nothing changed, and one in full left every row as it was.
    """

    name: str
    report: ImportReport
    comparison: HomeComparison
    repeated: bool

    @property
    def wrong(self) -> list[str]:
        """Everything that is not as it should be, in lines."""
        return [*self.comparison.wrong, *([] if self.repeated else ["a second import changed something"])]


def run_home(path: Path, truth: Mapping[str, Any]) -> HomeOutcome:
    """Import the home at *path* into a store of its own, twice, and compare."""
    with (
        tempfile.TemporaryDirectory() as scratch,
        Database.open(str(Path(scratch) / "store.db")) as database,
    ):
        options = ImportOptions(clock=time.time)
        report = import_path(database, path, options)
        comparison = compare_home(database, truth)
        repeated = import_path(database, path, options).unchanged
        again = import_path(database, path, ImportOptions(clock=time.time, full=True))
        repeated &= (again.messages, again.copies) == (report.messages, report.copies)
        repeated &= compare_home(database, truth).wrong == comparison.wrong
    return HomeOutcome(truth["agent"], report, comparison, repeated)


def run_changed(home: Path, path: Path, truth: Mapping[str, Any], change: str) -> HomeOutcome:
    """Import a home as it was before a *change*, let it happen, import again and compare.

    Args:
        home: the folder that the home of the agent is in; *path* is what is imported of it.
    """
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "home"
        shutil.copytree(home, copy)
        CHANGES[change](home, copy, random.Random(len(change)))
        here = copy / path.relative_to(home)
        options = ImportOptions(clock=time.time)
        with Database.open(str(Path(scratch) / "store.db")) as database:
            with suppress(SourceError):  # all that is there may be half written
                import_path(database, here, options)
            replace_home(home, copy)
            report = import_path(database, here, options)
            comparison = compare_home(database, truth)
            repeated = import_path(database, here, options).unchanged
    return HomeOutcome(f"{truth['agent']}: {change}", report, comparison, repeated)


def fingerprint(path: Path) -> dict[str, tuple[str, int]]:
    """Return name -> (content hash, change time) of the files in the folder of *path*.

    Of shared memory beside a database only the name: whoever reads a live one locks there.
    """
    return {file.name: _file_print(file) for file in path.parent.iterdir() if file.is_file()}


def _file_print(file: Path) -> tuple[str, int]:
    if file.name.endswith("-shm"):
        return "", 0
    return hashlib.sha256(file.read_bytes()).hexdigest(), file.stat().st_mtime_ns


def _touched(path: Path, before: dict[str, tuple[str, int]]) -> tuple[str, ...]:
    after = fingerprint(path)
    return tuple(sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name)))


def _cells(outcome: Outcome) -> Iterator[str]:
    yield outcome.name
    report, found = outcome.report, outcome.comparison
    if report is None:
        yield f"not imported: {(outcome.error or '').rsplit(': ', 1)[-1]}"
        return
    yield report.schema_version
    yield from (f"{report.sessions}", f"{report.messages}", f"{report.conversations}")
    yield from (str(found.chains), str(found.scroll), str(found.copies)) if found else ("", "", "")
    yield from (str(report.compactions[kind]) for kind in ("rotation", "in_place", "interrupted"))
    yield str(found.merged) if found else ""
    yield from (f"{len(report.rejected)}", f"{len(report.warnings)}", f"{len(report.damage)}")
    yield f"{report.seconds:.2f}"


def _home_cells(outcome: HomeOutcome) -> Iterator[str]:
    yield outcome.name
    yield from (f"{outcome.report.sessions}", f"{outcome.report.messages}")
    yield from (str(outcome.comparison.scores[name]) for name in JUDGED)
    yield from (f"{len(outcome.report.rejected)}", f"{len(outcome.report.warnings)}")
    yield f"{outcome.report.seconds:.2f}"


def _print_table(columns: tuple[str, ...], rows: list[list[str]]) -> None:
    full = [row for row in rows if len(row) == len(columns)]
    widths = [max(len(row[at]) for row in full) for at in range(len(columns))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip())


def main() -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--wrong", action="store_true", help="list each difference")
    parser.add_argument("--changed", action="store_true", help="also what happens between two imports")
    options = parser.parse_args()
    try:
        found_homes = find_homes(options.folder)
    except UnusableTruthError as error:
        print(error, file=sys.stderr)
        return 2
    outcomes = [run(path, options.folder) for path in find_files(options.folder)]
    if outcomes:
        _print_table(_COLUMNS, [list(_COLUMNS), *([*_cells(one)] for one in outcomes)])
    homes = [run_home(path, truth) for _, path, truth in found_homes]
    if options.changed:
        homes += [run_changed(*one, change) for one in found_homes for change in CHANGES]
    if homes:
        print()
        _print_table(_HOME_COLUMNS, [list(_HOME_COLUMNS), *([*_home_cells(one)] for one in homes)])
    judged = [(one.name, one.wrong) for one in outcomes] + [(one.name, one.wrong) for one in homes]
    if options.wrong:
        for name, wrong in judged:
            for line in wrong:
                print(f"{name}: {line}")
    return int(any(wrong for _, wrong in judged))


if __name__ == "__main__":
    sys.exit(main())
