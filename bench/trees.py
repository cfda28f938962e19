"""What following a tree of thousands of files costs: nothing changed, one file did, nothing for a while.

    python -m bench.trees [--files 5000] [--idle 30] [--folder DIR]

A home of Claude Code and one of Codex with that many small files are imported; then the import is run again,
run after one file got a line more, and the home is followed by a `Follower` while nothing happens. Seconds
are of the processor, of this process with its threads; beside them those of the clock.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from bench.growing import AGENTS, Lines
from hermes_sessions.operations.imports.follow import Follower, Sources
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.opening.database import Database

_LINES: Final = 8
_FOLDERS: Final = {
    "Claude Code": "projects/-w{1:03}/{0}.jsonl",
    "Codex": "sessions/2026/{2:02}/{3:02}/rollout-2026-05-28T20-26-40-{0}.jsonl",
}


class SpentTime(NamedTuple):
    """Seconds of the processor and of the clock."""

    cpu: float
    wall: float

    def __str__(self) -> str:
        return f"{self.cpu:.2f} s ({self.wall:.2f} by the clock)"


class _Silent:
    """Hears what a `Follower` does; `done` counts what it has looked at."""

    def __init__(self) -> None:
        self.done = 0

    def start(self, label: str, *, total: int | None = None, first: bool = False) -> None:
        """Pass."""

    def advance(self, label: str, done: int, total: int | None = None) -> None:
        """Pass."""

    def finish(self, label: str, at: float) -> None:
        """Count."""
        self.done += 1

    def fail(self, label: str, message: str) -> None:
        """End: nothing here is to fail."""
        raise SystemExit(f"{label}: {message}")


def write_tree(home: Path, agent: str, files: int) -> Path:
    """Write *files* sessions of a few lines each; return the file of one of them."""
    lines: Lines = AGENTS[agent][0]
    path = home
    for at in range(files):
        name = f"00000000-0000-7000-8000-{at:012}"
        path = home / _FOLDERS[agent].format(name, at % 100, at % 12 + 1, at % 28 + 1)
        path.parent.mkdir(parents=True, exist_ok=True)
        following = lines(name, 0)
        path.write_text("".join(f"{next(following)}\n" for _ in range(_LINES)))
    return path


def timed(work: Callable[[], object]) -> SpentTime:
    """Do *work*."""
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return SpentTime(time.process_time() - cpu, time.perf_counter() - wall)


@contextmanager
def _following(database: Database, home: Path) -> Iterator[_Silent]:
    heard = _Silent()
    follower = Follower(database, Sources(paths=[home]), heard, time.time)
    follower.start()
    try:
        yield heard
    finally:
        follower.stop()


def _wait(heard: _Silent, number: int) -> None:
    while heard.done < number:
        time.sleep(0.05)


def main() -> None:
    """Measure, and print what each agent's tree costs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--files", type=int, default=5_000)
    parser.add_argument("--idle", type=float, default=30.0, help="seconds for which nothing happens")
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    for agent in AGENTS:
        with tempfile.TemporaryDirectory(dir=given.folder) as folder:
            home = Path(folder) / "home"
            last = write_tree(home, agent, given.files)
            more = AGENTS[agent][0](last.stem[-36:], 0)
            for _ in range(_LINES):
                next(more)
            with Database.open(str(Path(folder) / "store.db")) as database:

                def bring(database: Database = database, home: Path = home) -> None:
                    import_path(database, home, ImportOptions(clock=time.time))

                def add(last: Path = last, more: Iterator[str] = more) -> None:
                    with last.open("a") as file:
                        file.write(f"{next(more)}\n")

                print(
                    f"{agent}, {given.files} files, load {os.getloadavg()[0]:.1f}: first {timed(bring)}",
                    flush=True,
                )
                again = timed(bring)
                add()
                print(f"  nothing changed {again}, one file changed {timed(bring)}", flush=True)
                with _following(database, home) as heard:
                    begun = timed(partial(_wait, heard, 1))
                    time.sleep(5)
                    idle = timed(partial(time.sleep, given.idle))
                    add()
                    noticed = timed(partial(_wait, heard, heard.done + 1))
                print(
                    f"  followed: begun {begun}, idle for {given.idle:.0f} s {idle}, a line more {noticed}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
