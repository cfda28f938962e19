"""Do one thing to copies of a store, each in a process that is killed at another moment.

    python -m tests.operations.killer STORE FOLDER ACTION SESSION [COMPACTION]

ACTION is rotation, in_place or undo. Copies are FOLDER/NAME/store.db, NAME being `s7`
for "killed before statement (or commit) 7" and `t3` for "killed after the third of some
stretches of time". Prints a line `NAME SIGNAL` for each, signal 0 for one that finished.
"""

import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import event

from hermes_sessions.store.opening.database import Database
from tests.operations.agent.agents import Agent

STRETCHES = 12


def main(store: str, folder: str, action: str, session: str, compaction: str = "0") -> None:
    """Kill at every statement until one process gets through, then at some moments."""

    def work(database: Database) -> None:
        agent = Agent(database)
        if action == "undo":
            agent.store.undo(int(compaction))
        else:
            agent.run(session, in_place=action == "in_place")

    def copy(name: str) -> str:
        path = Path(folder, name, "store.db")
        path.parent.mkdir()
        shutil.copy(store, path)
        return str(path)

    with Database.open(copy("warm")) as database:
        work(database)  # loads what is loaded once
    number, got_through, took = 0, False, 0.0
    while not got_through:
        number += 1
        began = time.monotonic()
        child = _start(copy(f"s{number}"), work, number)
        got_through = _ended(f"s{number}", child) == 0
        took = time.monotonic() - began
    for stretch in range(1, STRETCHES + 1):
        child = _start(copy(f"t{stretch}"), work)
        time.sleep(took * stretch / STRETCHES)
        os.kill(child, signal.SIGKILL)
        _ended(f"t{stretch}", child)


def _start(path: str, work: Callable[[Database], None], number: int = 0) -> int:
    """Work on *path* in a copy of this process, which kills itself before step *number*."""
    child = os.fork()
    if child:
        return child
    with Database.open(path) as database:
        if number:
            _kill_before(database, number)
        work(database)
    os._exit(0)


def _kill_before(database: Database, number: int) -> None:
    steps = 0

    def step(*_: Any) -> None:
        nonlocal steps
        steps += 1
        if steps == number:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(database.engine, "before_cursor_execute", step)
    event.listen(database.engine, "commit", step)


def _ended(name: str, child: int) -> int:
    _, status = os.waitpid(child, 0)
    code = os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    sys.stdout.write(f"{name} {code}\n")
    return code


if __name__ == "__main__":
    main(*sys.argv[1:])
