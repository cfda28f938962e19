"""What following costs: the agent's appends with and without us, and open streams.

    python -m bench.following [--appends 2000] [--pause-ms 5] [--copy STATE_DB] [--streams 200] [--seconds 20]

First an agent's process appends to its database in WAL mode, one message per transaction as
Hermes does, in turns alone and followed by this process (which imports and audits); its
commits are timed. Then a server with room for so many streams is asked for all of them, and
its CPU time is read while nothing changes, and while one conversation changes every second.
"""

import argparse
import multiprocessing
import multiprocessing.connection
import os
import shutil
import socket
import sqlite3
import statistics
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from hermes_sessions import Store
from hermes_sessions.demo import write_demo_home
from hermes_sessions.operations.imports.follow import Follower, Sources
from hermes_sessions.store.opening.database import Database
from hermes_sessions.web import SyncStatus, ViewerConfig, create_app

TEXT = "The parser reads one line after the other and says what it found. " * 14
ROUNDS = 3


def main() -> None:
    """Run both parts and print their tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--appends", type=int, default=2_000)
    parser.add_argument("--pause-ms", type=float, default=5.0, help="between two appends")
    parser.add_argument("--copy", type=Path, help="a state.db to work on a copy of, else the demo's")
    parser.add_argument("--streams", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        compare_appends(Path(folder), options)
    with tempfile.TemporaryDirectory() as folder:
        measure_streams(Path(folder), options.streams, options.seconds)


# -- the agent's appends ---------------------------------------------------------------------------


def compare_appends(folder: Path, options: argparse.Namespace) -> None:
    """Time commits alone and followed, in turns, on one database."""
    path = folder / "agent" / "state.db"
    if options.copy:
        path.parent.mkdir()
        shutil.copy(options.copy, path)
    else:
        write_demo_home(path.parent)
    megabytes = path.stat().st_size / 1e6
    print(f"appends to a state.db of {megabytes:.1f} MB, one every {options.pause_ms} ms, milliseconds")
    print(f"{'':<12}{'p50':>8}{'p99':>8}{'worst':>8}{'appends':>9}{'stored after':>14}")
    times: dict[str, list[float]] = {"alone": [], "followed": []}
    with Database.open(str(folder / "store.db")) as database:
        for number in range(ROUNDS):
            times["alone"] += run_agent(path, f"alone {number}", options)
            follower = Follower(database, Sources(paths=[path]), status := SyncStatus(), time.time)
            follower.start()
            while not any(origin.last_sync_at for origin in status.snapshot()):
                time.sleep(0.05)
            times["followed"] += run_agent(path, f"followed {number}", options)
            late = wait_for(database, f"followed {number}", options.appends)
            follower.stop()
    for name, found in times.items():
        after = f"{late:.1f} s" if name == "followed" else ""
        print(f"{name:<12}{percentiles(found)}{len(found):>9}{after:>14}")


def run_agent(path: Path, name: str, options: argparse.Namespace) -> list[float]:
    """Run the agent in a process of its own; return how long each append took, in milliseconds."""
    context = multiprocessing.get_context("spawn")
    receive, send = context.Pipe(duplex=False)
    process = context.Process(
        target=append, args=(path, name, options.appends, options.pause_ms / 1000, send)
    )
    process.start()
    found: list[float] = receive.recv()
    process.join()
    return found


def append(
    path: Path, name: str, count: int, pause: float, send: "multiprocessing.connection.Connection"
) -> None:
    """Be the agent: one session, one short transaction per message."""
    db = sqlite3.connect(path, timeout=30, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("INSERT INTO sessions (id, source, started_at) VALUES (?, 'cli', ?)", (name, time.time()))
    found = []
    for number in range(count):
        began = time.perf_counter()
        db.execute("BEGIN IMMEDIATE")
        db.execute(
            "INSERT INTO messages (session_id, role, content, timestamp) VALUES (?, ?, ?, ?)",
            (name, ("user", "assistant")[number % 2], f"{number} {TEXT}", time.time()),
        )
        db.execute("UPDATE sessions SET message_count = message_count + 1 WHERE id = ?", (name,))
        db.execute("COMMIT")
        found.append((time.perf_counter() - began) * 1000)
        time.sleep(pause)
    db.close()
    send.send(found)


def wait_for(database: Database, name: str, count: int) -> float:
    """Return the seconds until everything of a session is in the store."""
    began = time.monotonic()
    while True:
        with database.read() as db:
            found = db.connection().exec_driver_sql(
                "SELECT message_count FROM sessions WHERE foreign_id = ?", (name,)
            )
            if (found.scalar() or 0) >= count:
                return time.monotonic() - began
        time.sleep(0.1)


def percentiles(times: Sequence[float]) -> str:
    """Return p50, p99 and the worst as columns."""
    ordered = sorted(times)
    p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return f"{statistics.median(ordered):>8.2f}{p99:>8.2f}{ordered[-1]:>8.2f}"


# -- open streams ----------------------------------------------------------------------------------


def measure_streams(folder: Path, count: int, seconds: float) -> None:
    """Open streams of one server and read the CPU time it takes."""
    url = str(folder / "store.db")
    with Store.open(url) as store:
        session = store.create_session()
        store.append(session, {"role": "user", "content": "first"})
        with socket.create_server(("127.0.0.1", 0)) as listening:
            port = listening.getsockname()[1]
        server = multiprocessing.get_context("spawn").Process(target=serve, args=(url, port, count))
        server.start()
        assert server.pid is not None
        wait_until_up(port)
        print(f"\n{'open streams':<16}{'changes':>10}{'CPU of one core':>18}{'told after':>12}")
        for opened in (0, count):
            sockets = [open_stream(port, number) for number in range(opened)]
            for changing in (False, True):
                told: list[float] = []
                before = cpu_seconds(server.pid)
                if changing:
                    told = change(store, session, seconds, sockets[-1] if sockets else None)
                else:
                    time.sleep(seconds)
                share = (cpu_seconds(server.pid) - before) / seconds
                after = f"{statistics.median(told) * 1000:.0f} ms" if told else ""
                print(f"{opened:<16}{'1 / s' if changing else 'none':>10}{share:>17.2%}{after:>13}")
            for one in sockets:
                one.close()
        server.terminate()
        server.join()


def serve(url: str, port: int, streams: int) -> None:
    """Be the server, with a thread for every stream."""
    from hermes_sessions.cli.serve import bind
    from hermes_sessions.web.serving.http_server import Limits, ViewerServer

    app = create_app(Database.open(url), config=ViewerConfig(max_streams=streams))
    limits = Limits(per_address=None)
    ViewerServer(app, bind("127.0.0.1", port), limits=limits, threads=streams + 8).run()


def wait_until_up(port: int) -> None:
    """Return when the server answers."""
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.1)
        else:
            return


def open_stream(port: int, number: int) -> socket.socket:
    """Open one stream and read its greeting."""
    one = socket.create_connection(("127.0.0.1", port), timeout=30)
    one.sendall(f"GET /api/events?browser=b{number} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    read_until(one, b"event: hello")
    return one


def read_until(one: socket.socket, wanted: bytes) -> None:
    """Read a stream up to some bytes."""
    seen = b""
    while wanted not in seen:
        piece = one.recv(65_536)
        if not piece:
            raise ConnectionError(f"the stream ended: {seen!r}")
        seen += piece


def change(store: Store, session: str, seconds: float, stream: socket.socket | None) -> list[float]:
    """Append once a second from this process; return how long one stream took to tell, in seconds."""
    told: list[float] = []
    for number in range(int(seconds)):
        began = time.monotonic()
        store.append(session, {"role": "user", "content": f"message {number}"})
        if stream is not None:
            read_until(stream, b"event: changed")
            told.append(time.monotonic() - began)
        threading.Event().wait(max(0.0, 1.0 - (time.monotonic() - began)))
    return told


def cpu_seconds(pid: int) -> float:
    """Return the processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
