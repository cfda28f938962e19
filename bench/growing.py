"""What an import of Claude Code's, Codex' and Hermes' files costs, and what it costs when one grows a little.

    python -m bench.growing [--megabytes 1024] [--grown 1024] [--jobs 1 2] [--folder DIR]

Two homes of half that size are made, with a compaction every 2 MB, and a database of Hermes of a fifth; each
is imported into a store of its own, by every number of processes. Then a file of 1 MB and one of the size
`--grown`, whose bytes are mostly in records that are no messages (pictures of files, histories that a
compaction kept), get ten lines more: the second import is timed. Each import runs in a process of its own;
memory is the peak of it and of its largest child.
"""

import argparse
import compileall
import json
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

import hermes_sessions
from bench.agent_database import make_database
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.opening.database import Database

_BEGAN: Final = 1_780_000_000.0
_FILE: Final = 16_000_000
_WINDOW: Final = 2_000_000
_LINE: Final = 12_000_000
_COMPACTED: Final = ('"isCompactSummary"', '"compacted"')
"""Lines behind which a large file ends, so that the records which are no messages are before them."""
_WINDOWS: Final = 10
"""How many windows a large file has, whatever its size."""
_SESSION_BYTES: Final = 59_000
"""Of a session in a database as `bench.agent_database` writes it, with the agent's own index."""
_OPENING: Final = "This session is being continued from a previous conversation that ran out of context. "
_WORDS: Final = [f"word{at}" for at in range(400)]


class ImportCost(NamedTuple):
    """Seconds of the clock and the processor, megabytes at the peak: of who imports, and of its children."""

    wall: float
    cpu: float
    child_cpu: float
    peak_mb: float
    child_mb: float


def text_of(at: int, size: int) -> str:
    """Return words that are not the same for two numbers, about *size* characters."""
    count = max(1, size // 8)
    return f"{at} " + " ".join(_WORDS[(at * 7 + one * one) % len(_WORDS)] for one in range(count))


def claude_lines(session: str, ballast: int) -> Iterator[str]:
    """Yield lines of a transcript for ever; each window has *ballast* characters that are no message's."""
    number, parent, written = 0, None, 0
    while True:
        kinds: list[dict[str, Any]] = []
        if written >= _WINDOW:
            written, parent = 0, None
            kinds += [{"type": "file-history-snapshot", "snapshot": one} for one in _ballast(ballast)]
            kinds.append(
                {"type": "system", "subtype": "compact_boundary", "compactMetadata": {"trigger": "auto"}}
            )
            summary = {"role": "user", "content": _OPENING + text_of(number, 8_000)}
            kinds.append({"type": "user", "isCompactSummary": True, "message": summary})
        call = {"type": "tool_use", "id": f"t{number}", "name": "Read", "input": {"path": f"f{number}.py"}}
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": text_of(number, 6_000)}
        reply = {"role": "assistant", "id": f"m{number}", "model": "model", "content": [call]}
        kinds.append({"type": "user", "message": {"role": "user", "content": text_of(number, 300)}})
        kinds.append({"type": "assistant", "requestId": f"r{number}", "message": reply})
        kinds.append({"type": "user", "message": {"role": "user", "content": [result]}})
        for kind in kinds:
            number += 1
            own = {"uuid": f"{session}-{number}", "parentUuid": parent, "timestamp": _at(number)}
            line = json.dumps({**own, "sessionId": session, "cwd": "/w", "isSidechain": False, **kind})
            parent = own["uuid"]
            written += 0 if "snapshot" in kind else len(line)
            yield line


def codex_lines(session: str, ballast: int) -> Iterator[str]:
    """Yield lines of a rollout for ever; each window has *ballast* characters that are no message's."""
    number, written = 0, 0
    yield _codex(0, "session_meta", id=session, timestamp=_at(0), cwd="/w", originator="codex_cli_rs")
    while True:
        kinds: list[tuple[str, dict[str, Any]]] = []
        if written >= _WINDOW:
            written = 0
            for one in ("x", *_ballast(ballast)):
                kept = [{"type": "compaction", "encrypted_content": one}]
                kinds.append(("compacted", {"message": "", "replacement_history": kept}))
        asked = [{"type": "input_text", "text": text_of(number, 300)}]
        call = {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": f"c{number}"}
        output = {"type": "function_call_output", "call_id": f"c{number}", "output": text_of(number, 6_000)}
        message = {"type": "message", "role": "user", "content": asked}
        kinds += [("response_item", one) for one in (message, call, output)]
        for kind, payload in kinds:
            number += 1
            line = _codex(number, kind, **payload)
            written += 0 if kind == "compacted" else len(line)
            yield line


def _ballast(size: int) -> list[str]:
    return ["x" * min(_LINE, size - at) for at in range(0, size, _LINE)]


def _codex(number: int, kind: str, **payload: Any) -> str:
    return json.dumps({"timestamp": _at(number), "type": kind, "payload": payload})


def _at(number: int) -> str:
    told = datetime.fromtimestamp(_BEGAN + number, UTC)
    return told.isoformat(timespec="milliseconds").replace("+00:00", "Z")


Lines = Callable[[str, int], Iterator[str]]
AGENTS: Final[dict[str, tuple[Lines, str]]] = {
    "Claude Code": (claude_lines, "projects/-w/{0}.jsonl"),
    "Codex": (codex_lines, "sessions/2026/05/28/rollout-2026-05-28T20-26-40-{0}.jsonl"),
}


def write_file(
    home: Path, agent: str, session: str, size: int, ballast: int = 0
) -> tuple[Path, Iterator[str]]:
    """Write a session of *size* bytes; return its file, and the lines that would come next."""
    lines, name = AGENTS[agent]
    path = home / name.format(session)
    path.parent.mkdir(parents=True, exist_ok=True)
    source, written = lines(session, ballast), 0
    with path.open("w") as file:
        line = ""
        while written < size or (ballast and not any(one in line[:400] for one in _COMPACTED)):
            line = next(source)
            written += file.write(line + "\n")
    return path, source


def write_home(home: Path, agent: str, size: int) -> None:
    """Write sessions of 16 MB each, *size* bytes together."""
    for at in range(max(1, size // _FILE)):
        write_file(home, agent, f"s{at:05}", min(size, _FILE))


def measure(home: Path, store: Path, jobs: int) -> ImportCost:
    """Import in a process of its own."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context) as pool:
        return pool.submit(_import, str(home), str(store), jobs).result()


def _import(home: str, store: str, jobs: int) -> ImportCost:
    began = time.perf_counter()
    with Database.open(store) as database:
        import_path(database, Path(home), ImportOptions(clock=time.time, jobs=jobs, least_rows=1))
    wall = time.perf_counter() - began
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    cpu, child_cpu = (one.ru_utime + one.ru_stime for one in (own, children))
    return ImportCost(wall, cpu, child_cpu, own.ru_maxrss / 1024, children.ru_maxrss / 1024)


def grow(folder: Path, agent: str, size: int) -> ImportCost:
    """Return what an import costs after ten lines were added to a file of *size* bytes."""
    home = folder / f"{agent} {size}"
    ballast = max(0, size // _WINDOWS - _WINDOW) if size > _FILE else 0
    path, following = write_file(home, agent, "grows", size, ballast)
    measure(home, folder / f"{agent} {size}.db", 1)
    with path.open("a") as file:
        file.writelines(f"{next(following)}\n" for _ in range(10))
    return measure(home, folder / f"{agent} {size}.db", 1)


def _compare(folder: Path, agent: str, size: int, jobs: Sequence[int]) -> None:
    """Import the home of *agent* by every number of processes, and print a line each."""
    for count in jobs:
        cost = measure(folder / agent, folder / f"{agent}-{count}.db", count)
        speed = size / 1e6 / cost.wall
        print(
            f"{agent}, {size // 1_000_000} MB, {count} jobs: {cost.wall:.1f} s, {speed:.1f} MB/s,"
            f" processor {cost.cpu:.1f} and {cost.child_cpu:.1f} s,"
            f" peak {cost.peak_mb:.0f} MB, child {cost.child_mb:.0f} MB",
            flush=True,
        )


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--megabytes", type=int, default=1024, help="size of both homes; 0: none")
    parser.add_argument("--grown", type=int, default=1024, help="size of the large file that grows")
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    size = options.megabytes * 1_000_000
    compileall.compile_dir(str(Path(hermes_sessions.__file__).parent), quiet=1)  # as an installation does
    with tempfile.TemporaryDirectory(dir=options.folder) as made:
        folder = Path(made)
        for agent in AGENTS if size else ():
            write_home(folder / agent, agent, size // 2)
            _compare(folder, agent, size // 2, options.jobs)
        if size:
            (folder / "Hermes").mkdir()
            make_database(folder / "Hermes" / "state.db", size // 5 // _SESSION_BYTES)
            _compare(folder, "Hermes", (folder / "Hermes" / "state.db").stat().st_size, options.jobs)
        for agent in AGENTS:
            small, large = (grow(folder, agent, one) for one in (1_000_000, options.grown * 1_000_000))
            print(
                f"{agent}, ten lines more: 1 MB {small.wall:.2f} s, {options.grown} MB"
                f" {large.wall:.2f} s, {large.wall / small.wall:.1f} times, peak {large.peak_mb:.0f} MB",
                flush=True,
            )


if __name__ == "__main__":
    main()
