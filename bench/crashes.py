"""Kill, cut off, fill up: what is left of the store each time? Prints the crash table.

    python -m bench.crashes [--kills N] [--cuts N] [--seed N] [--only NAME ...]

Every operation is done to a copy of a store by a process of its own, which is killed
(SIGKILL) at a random moment of the time it takes. Afterwards the store must open, hold
every message it held before (but what the operation erases) and none that was never said,
agree with itself in `db check` (or be mended by `--repair`), and the same operation, done
again, must end as if nothing had happened. The agent's files must be as they were. Then
the files are cut off and scribbled over as a power cut might leave them, and the disk is
full or read-only.

Columns: `through` got through before the kill; `clean` agreed with itself; `mended` by
`--repair`; `named` cannot be mended, and the store says so in one line; `lost` must be 0.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.corpus import fingerprint
from bench.crash_work import WORK, Scene, Work, add_revision, fill_trash, go_on, prepare
from hermes_sessions.errors import HermesSessionsError, StoreOutdatedError
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.keeping.repair import repair_store
from hermes_sessions.store.opening.database import Database

COLUMNS: Final = ("tries", "through", "clean", "mended", "named", "lost")
GARBAGE_BYTES: Final = 4_000
FAILED: Final = 1
REFUSED: Final = 3
"""How a process ends that was refused in one line."""


@dataclass(slots=True)
class Row:
    """One line of the table, and what was wrong."""

    name: str
    counts: Counter[str]
    wrong: list[str]
    skipped: str = ""

    def note(self, outcome: str, why: str = "") -> None:
        """Count an outcome."""
        self.counts["tries"] += 1
        self.counts[outcome] += 1
        if why:
            self.wrong.append(f"{self.name}: {why}")


# -- killed ----------------------------------------------------------------------------------------


def kill(work: Work, base: Path, folder: Path, times: int, chance: random.Random) -> Row:
    """Do *work* to copies of *base*, killed at random moments; judge what is left."""
    row = Row(work.name, Counter(), [])
    before = Scene(_copy(base, folder / "before")).facts()
    took = 1e9
    for name in ("whole", "again"):
        whole = Scene(_copy(base, folder / name))
        began = time.monotonic()
        code = _ended(_start(work, whole))
        took = min(took, time.monotonic() - began)
        if code != 0:
            row.note("lost", f"undisturbed it ended with {code}")
            return row
    reference = whole.facts()
    for number in range(times):
        scene = Scene(_copy(base, folder / f"k{number}"))
        foreign = fingerprint(scene.foreign)
        child = _start(work, scene)
        time.sleep(took * chance.random())
        os.kill(child, signal.SIGKILL)
        row.counts["through"] += _ended(child) == 0
        outcome, why = judge(scene, before, reference)
        outcome, why = (outcome, why) if why else finish(work, scene, reference, outcome)
        row.note(*untouched(scene, foreign, outcome, why))
        shutil.rmtree(scene.folder)
    return row


def judge(scene: Scene, before: Counter[str], reference: Counter[str]) -> tuple[str, str]:
    """Return what is left: an outcome, and why where something is lost."""
    found: Sequence[object] = ()
    try:
        with Database.open(str(scene.store), migrations=scene.migrations_now()) as database:
            with database.read() as db:
                found = check_store(db)
            if found and repair_store(database).left:
                return "named", ""
    except StoreOutdatedError:
        pass  # the old index, as it was; doing the same again makes it anew and checks it
    except HermesSessionsError as error:
        return ("named", "") if "\n" not in str(error) else ("lost", f"said {error}")
    except Exception as error:  # any other is what this looks for; it ends in the table
        return "lost", f"{type(error).__name__}: {error}"
    now = scene.facts()
    missing, invented = (before & reference) - now, now - (before | reference)
    if missing or invented:
        return "lost", f"{missing.total()} messages lost, {invented.total()} never said"
    return ("mended" if found else "clean"), ""


def finish(work: Work, scene: Scene, reference: Counter[str], outcome: str) -> tuple[str, str]:
    """Do *work* again to the end: it must end as if nothing had happened."""
    code = _ended(_start(work, scene))
    if code != 0:
        return "lost", f"done again it ended with {code}"
    now = scene.facts()
    if now != reference:
        missing, more = (reference - now).total(), (now - reference).total()
        return "lost", f"done again: {missing} messages are missing, {more} too many"
    return outcome, ""


def untouched(scene: Scene, foreign: object, outcome: str, why: str) -> tuple[str, str]:
    """Return the outcome, unless the agent's files are no longer what they were."""
    if fingerprint(scene.foreign) != foreign:
        return "lost", "the agent's files were touched"
    return outcome, why


def _start(work: Work, scene: Scene) -> int:
    child = os.fork()
    if child:
        return child
    code = FAILED
    try:
        work.do(scene)
        code = 0
    except HermesSessionsError as error:
        print(f"{work.name}: refused: {error}", file=sys.stderr, flush=True)
        code = FAILED if "\n" in str(error) else REFUSED
    except Exception:  # any other is what this looks for; the parent sees the code
        traceback.print_exc()
    finally:
        os._exit(code)


def _ended(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _copy(base: Path, target: Path) -> Path:
    shutil.copytree(base, target)
    return target


# -- power cuts ------------------------------------------------------------------------------------


def cut_short(path: Path, chance: random.Random) -> None:
    """Leave the first part of a file."""
    os.truncate(path, chance.randrange(path.stat().st_size))


def scribble(path: Path, chance: random.Random) -> None:
    """Leave noise in the middle of a file."""
    at = chance.randrange(path.stat().st_size)
    with path.open("r+b") as file:
        file.seek(at)
        file.write(chance.randbytes(min(GARBAGE_BYTES, path.stat().st_size - at)))


DAMAGES: Final[dict[str, tuple[str, Callable[[Path, random.Random], None]]]] = {
    "log cut short": ("store.db-wal", cut_short),
    "noise in the log": ("store.db-wal", scribble),
    "noise in shared memory": ("store.db-shm", scribble),
    "store cut short": ("store.db", cut_short),
    "noise in the store": ("store.db", scribble),
}


def damage(name: str, base: Path, folder: Path, times: int, chance: random.Random) -> Row:
    """Damage a store that was left with rows in its log; it must open older, be mended, or say so.

    What an import had in the log may be gone with the log, as after a power cut. What the
    file cut short or scribbled over held may be gone too: then the store must say so.
    """
    row = Row(name, Counter(), [])
    file, spoil = DAMAGES[name]
    before = Scene(_copy(base, folder / "before")).facts()
    left = Scene(_copy(base, folder / "left"))
    code = _ended(_start(WORK["append"], left))
    assert code == 0, code
    whole = Scene(_copy(left.folder, folder / "whole")).facts()
    for number in range(times):
        scene = Scene(_copy(left.folder, folder / f"d{number}"))
        foreign = fingerprint(scene.foreign)
        spoil(scene.folder / file, chance)
        row.note(*untouched(scene, foreign, *judge(scene, before, whole)))
        shutil.rmtree(scene.folder)
    return row


# -- disks -----------------------------------------------------------------------------------------


@contextmanager
def small_disk(folder: Path, megabytes: float) -> Iterator[Path | None]:
    """Mount a disk of so many megabytes; None where this user may not."""
    folder.mkdir()
    options = f"size={int(megabytes * 1_000_000)}"
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    with suppress(FileNotFoundError):
        if subprocess.run(command, capture_output=True, check=False).returncode == 0:
            try:
                yield folder
            finally:
                subprocess.run(["umount", str(folder)], check=True)
            return
    yield None


def fill_up(work: Work, base: Path, folder: Path, times: int, chance: random.Random) -> Row:
    """Do *work* on a disk that is full somewhere on the way; then make room and do it again."""
    row = Row(f"full disk: {work.name}", Counter(), [])
    before = Scene(_copy(base, folder / "before")).facts()
    whole = Scene(_copy(base, folder / "whole"))
    used = _size(whole.folder)
    code = _ended(_start(work, whole))
    assert code == 0, code
    needed, reference = _size(whole.folder), whole.facts()
    for number in range(times):
        room = (1.02 * used + max(1.2 * needed - used, 300_000) * chance.random()) / 1e6 + 0.1
        with small_disk(folder / f"f{number}", room) as disk:
            if disk is None:
                row.skipped = "mounting a disk needs the right to do so"
                return row
            scene = Scene(_copy(base, disk / "scene"))
            foreign = fingerprint(scene.foreign)
            code = _ended(_start(work, scene))
            row.counts["through"] += code == 0
            if code not in (0, REFUSED):
                row.note("lost", f"on the full disk it ended with {code}")
                continue
            subprocess.run(["mount", "-o", "remount,size=500m", str(disk)], check=True)
            outcome, why = judge(scene, before, reference)
            outcome, why = (outcome, why) if why else finish(work, scene, reference, outcome)
            row.note(*untouched(scene, foreign, outcome, why))
    return row


def read_only(base: Path, folder: Path) -> Row:
    """Do everything on a read-only file system: it is refused in one line, and reading goes on."""
    row = Row("read-only file system", Counter(), [])
    with small_disk(folder / "ro", 200) as disk:
        if disk is None:
            row.skipped = "mounting a disk needs the right to do so"
            return row
        scene = Scene(_copy(base, disk / "scene"))
        add_revision(scene)
        before, files = scene.facts(), (fingerprint(scene.store), fingerprint(scene.foreign))
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        for work in WORK.values():
            if work.name == "index":
                continue  # has nothing to do with an index of today's; upgrade is the same command
            code = _ended(_start(work, scene))
            now = fingerprint(scene.store), fingerprint(scene.foreign)
            whole = scene.facts() == before and now == files
            refused = code == REFUSED and whole
            row.note("named" if refused else "lost", "" if refused else f"{work.name} ended with {code}")
    return row


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


# -- the table -------------------------------------------------------------------------------------


def rows(given: argparse.Namespace, folder: Path) -> Iterator[Row]:
    """Yield the lines of the table."""
    chance = random.Random(given.seed)
    base = prepare(folder / "base")

    def place() -> Path:
        return Path(tempfile.mkdtemp(dir=folder))

    for name, work in WORK.items():
        if wanted(name, given.only):
            own = _copy(base, place() / "base")
            work.stage(Scene(own))
            yield kill(work, own, place(), given.kills, chance)
    for name in DAMAGES:
        if wanted(name, given.only):
            yield damage(name, base, place(), given.cuts, chance)
    if wanted("full disk", given.only):
        for name in ("import", "append", "rotation", "move"):
            own = _copy(base, place() / "base")
            WORK[name].stage(Scene(own))
            yield fill_up(WORK[name], own, place(), max(1, given.cuts // 5), chance)
    if wanted("read-only", given.only):
        own = _copy(base, place() / "base")
        fill_trash(Scene(own), at_most=5)
        go_on(Scene(own))
        yield read_only(own, place())


def wanted(name: str, only: Sequence[str]) -> bool:
    """Return whether a line was asked for."""
    return not only or any(one in name for one in only)


def main() -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=25, help="of each operation")
    parser.add_argument("--cuts", type=int, default=50, help="of each kind of damage")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="*", default=[], help="lines whose name has one of these in it")
    given = parser.parse_args()
    total: Counter[str] = Counter()
    print(f"{'':<26}" + "".join(f"{name:>9}" for name in COLUMNS))
    with tempfile.TemporaryDirectory() as name:
        for row in rows(given, Path(name)):
            cells = "".join(f"{row.counts[column]:>9}" for column in COLUMNS)
            print(f"{row.name:<26}" + (row.skipped or cells), flush=True)
            for line in row.wrong:
                print(f"    {line}", flush=True)
            total += row.counts
    print(f"{'all':<26}" + "".join(f"{total[column]:>9}" for column in COLUMNS))
    return 1 if total["lost"] else 0


if __name__ == "__main__":
    sys.exit(main())
