"""What lines and cells of 100 MB cost an import: seconds, memory at the peak, and what is said of them.

    python -m bench.long_lines [--megabytes 100] [--folder DIR] [NAME ...]

Each home has a few plain messages around what is large, so that what is left out and what is kept beside it
can be counted. Each import runs in a process of its own. The budget is 300 MB and six times the largest cell.
"""

import argparse
import multiprocessing
import sqlite3
import tempfile
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from hermes_sessions.agents.json_lines.lines import LONGEST
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.opening.database import Database
from tests.agents.claude_code.transcript_builder import Transcript
from tests.agents.codex.rollout_builder import Rollout, encrypted, user_item
from tests.agents.goose.session_builder import GooseInDatabase, GooseTalk
from tests.agents.hermes.hermes_builder import row, session, state_db
from tests.agents.opencode.session_builder import KeptInDatabase, Talk

_THREAD: Final = "00000000-0000-7000-8000-000000000001"
_BUDGET: Final = 300
_CELLS: Final = 6
_SEVERAL: Final = 5
_WITHOUT_END: Final = 5
"""How many times as long as the others a file is that is one line without an end."""


class LongLineCost(NamedTuple):
    """Seconds, megabytes at the peak, messages that are stored, and what was said of the others."""

    seconds: float
    peak_mb: float
    messages: int
    named: tuple[str, ...]


def _claude(home: Path, say: Callable[[Transcript], object]) -> Path:
    talk = Transcript(home / "projects/-w/s.jsonl")
    talk.ask("before")
    talk.call("t1")
    say(talk)
    talk.reply("after")
    talk.write()
    return home


def _codex(home: Path, say: Callable[[Rollout], object]) -> Path:
    talk = Rollout(home / f"sessions/2026/05/28/rollout-2026-05-28T20-26-40-{_THREAD}.jsonl", _THREAD).begin()
    talk.ask("before")
    say(talk)
    talk.reply("after")
    talk.write()
    return home


def _lists(talk: Transcript, size: int) -> None:
    """Say what is as large in memory as its length allows, in a line that is just read."""
    talk.result("t1", [[]] * (min(size, LONGEST - 1_000) // 4))


def _results(talk: Rollout, size: int) -> None:
    for _ in range(_SEVERAL):
        talk.result("c1", "x" * size)


def _picture(size: int) -> dict[str, Any]:
    data = {"type": "base64", "media_type": "image/png", "data": "A" * size}
    return {"type": "image", "source": data}


def _without_end(home: Path, size: int) -> Path:
    _claude(home, lambda talk: talk.result("t1", "found"))
    with (home / "projects/-w/s.jsonl").open("a") as file:
        file.write('{"type": "user", "message": "')
        for _ in range(_WITHOUT_END):
            file.write("x" * size)
    return home


def _opencode(home: Path, size: int) -> Path:
    kept = KeptInDatabase(home / "opencode.db")
    talk = Talk(kept, "s")
    talk.ask("before")
    talk.reply("x" * size)
    talk.ask("after")
    return home


def _goose(home: Path, size: int) -> Path:
    talk = GooseTalk(GooseInDatabase(home / "sessions.db"), "s")
    talk.ask("before")
    talk.reply("x" * size)
    talk.ask("after")
    return home


def _hermes(home: Path, size: int, times: int = 1) -> Path:
    home.mkdir(parents=True)
    large = [row("s", "assistant", "large") for _ in range(times)]
    said = [row("s", "user", "before"), *large, row("s", "user", "after")]
    path = state_db(home / "state.db", sessions=[session("s")], messages=said)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "UPDATE messages SET content = ? WHERE content = 'large'", ("word " * (size // 5),)
        )
    return path


HOMES: Final[Mapping[str, Callable[[Path, int], Path]]] = {
    "Claude Code, text": lambda home, size: _claude(home, lambda talk: talk.ask("x" * size)),
    "Claude Code, picture": lambda home, size: _claude(
        home, lambda talk: talk.result("t1", [_picture(size)])
    ),
    "Claude Code, result": lambda home, size: _claude(
        home, lambda talk: talk.result("t1", "word " * (size // 5))
    ),
    "Claude Code, several": lambda home, size: _claude(
        home, lambda talk: [talk.ask("x" * size) for _ in range(_SEVERAL)]
    ),
    "Claude Code, no end": _without_end,
    "Codex, text": lambda home, size: _codex(home, lambda talk: talk.ask("x" * size)),
    "Codex, compacted": lambda home, size: _codex(
        home, lambda talk: talk.compact(replacement_history=[user_item("x" * size), encrypted()])
    ),
    "Codex, several": lambda home, size: _codex(home, partial(_results, size=size)),
    "Claude Code, lists": lambda home, size: _claude(home, partial(_lists, size=size)),
    "OpenCode": _opencode,
    "Goose": _goose,
    "Hermes, one": _hermes,
    "Hermes, several": partial(_hermes, times=_SEVERAL),
}


def measure(path: Path, store: Path) -> LongLineCost:
    """Import in a process of its own."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_import, str(path), str(store)).result()


def _import(path: str, store: str) -> LongLineCost:
    began = time.perf_counter()
    with Database.open(store) as database:
        report = import_path(database, Path(path), ImportOptions(clock=time.time))
    named = [f"{one['id']}: {one['reason']}" for one in (*report.rejected, *report.warnings)]
    return LongLineCost(time.perf_counter() - began, _peak_mb(), report.messages, tuple(named))


def _peak_mb() -> float:
    """Return this program's own peak: what `getrusage` tells includes whoever started it."""
    told = Path("/proc/self/status").read_text().split("VmHWM:")[1]
    return int(told.split()[0]) / 1024


def main() -> None:
    """Measure, and print a line for each home."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--megabytes", type=int, default=100, help="size of a line")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help="how names of homes begin")
    given = parser.parse_args()
    budget = _BUDGET + _CELLS * given.megabytes
    for name, make in HOMES.items():
        if given.names and not name.startswith(tuple(given.names)):
            continue
        with tempfile.TemporaryDirectory(dir=given.folder) as folder:
            path = make(Path(folder) / "home", given.megabytes * 1_000_000)
            cost = measure(path, Path(folder) / "store.db")
        held = "within" if cost.peak_mb <= budget else "ABOVE"
        print(
            f"{name}: {cost.seconds:.1f} s, peak {cost.peak_mb:.0f} MB ({held} {budget}),"
            f" {cost.messages} messages, said: {'; '.join(cost.named[:3]) or 'nothing'}",
            flush=True,
        )


if __name__ == "__main__":
    main()
