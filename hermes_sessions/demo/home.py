"""Write the demo: a Hermes home with two profiles, as an agent would have left it.

The same seed and the same present give the same home, byte for byte in its rows.
"""

import random
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from hermes_sessions.demo import stories_daily, stories_long, stories_odd, stories_work
from hermes_sessions.demo.agent_record import Ledger
from hermes_sessions.demo.agent_tables import create_tables, insert_rows, message_columns, session_columns

HOME_NAME: Final = "hermes"
"""What a folder is called whose conversations are to be listed under the agent's name."""

Story = Callable[[Ledger], None]

_DEFAULT_VERSION: Final = 17
_RESEARCH_VERSION: Final = 30
_DEFAULT_STORIES: Final = (*stories_work.STORIES, *stories_daily.STORIES, *stories_odd.STORIES)
_RESEARCH_STORIES: Final = stories_long.STORIES


def write_demo_home(folder: Path, seed: int = 7, now: float | None = None) -> Path:
    """Write a Hermes home into *folder* and return it.

    Args:
        folder: made if missing; must not hold a home already.
        seed: another seed gives other ids, times and small choices.
        now: the present, epoch seconds, that all conversations lie before; None is the clock's.

    Raises:
        FileExistsError: there is a `state.db` already.
    """
    present = time.time() if now is None else now
    chance = random.Random(seed)
    _write_profile(folder, _DEFAULT_VERSION, _told(_DEFAULT_STORIES, present, chance))
    research = folder / "profiles" / "research"
    _write_profile(research, _RESEARCH_VERSION, _told(_RESEARCH_STORIES, present, chance))
    return folder


def demo_databases(folder: Path) -> tuple[Path, ...]:
    """Return the databases of a home that `write_demo_home` wrote."""
    return folder / "state.db", folder / "profiles" / "research" / "state.db"


def _told(stories: Sequence[Story], now: float, chance: random.Random) -> Ledger:
    ledger = Ledger(now, chance)
    for story in stories:
        story(ledger)
    return ledger


def _write_profile(folder: Path, version: int, ledger: Ledger) -> None:
    (folder / "logs").mkdir(parents=True, exist_ok=True)
    path = folder / "state.db"
    if path.exists():
        raise FileExistsError(f"{path} is there already")
    with closing(sqlite3.connect(path)) as connection, connection:
        create_tables(connection, version)
        insert_rows(connection, "sessions", session_columns(version), ledger.sessions)
        insert_rows(connection, "messages", message_columns(version), ledger.messages)
        lock_columns = ("session_id", "holder", "acquired_at", "expires_at")
        insert_rows(connection, "compression_locks", lock_columns, ledger.locks)
    lines = [line for _, line in sorted(ledger.log)]
    (folder / "logs" / "agent.log").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
