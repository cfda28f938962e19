"""A fork whose parent is gone, or cannot be read today, goes on as what it is."""

import os
import random
from typing import Any

import pytest
from sqlalchemy import select

from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Compaction, Message, Session
from tests.agents.changes.claude_code import ClaudeCodePlayer
from tests.agents.changes.codex import CodexPlayer
from tests.agents.changes.present import bring, differences
from tests.agents.changes.session_files import PiPlayer
from tests.agents.test_unreadable import Locked

FORKING: dict[str, Any] = {"claude-code": ClaudeCodePlayer, "codex": CodexPlayer, "pi": PiPlayer}


@pytest.fixture
def locked(monkeypatch):
    return Locked(monkeypatch)


@pytest.fixture(params=FORKING)
def home(request, tmp_path):
    """A home with a session `a` that compacted, and a fork of all of it."""
    player = FORKING[request.param](tmp_path / "home", 5)
    talk = player.talks["a"]
    player.say(talk)
    player.compact(talk)
    player.say(talk)
    player.write(talk)
    before = set(player.talks)
    player.chance = random.Random(1)
    player.fork("a")
    [name] = set(player.talks) - before
    player.talks["f"] = player.talks.pop(name)
    return player


def known(database, session):
    """Return what a session is, what is shown of it, and its compactions."""
    with database.read() as db:
        one = db.scalars(select(Session).where(Session.foreign_id == session)).one()
        rows = db.scalars(select(Message).where(Message.session_id == one.id).order_by(Message.position))
        shown = [(row.origin_key, row.shown) for row in rows]
        events = db.scalars(select(Compaction.origin_key).where(Compaction.session_id == one.id))
        return (one.relation, one.parent_session_id, one.inherited_count), shown, sorted(events)


def name_of(player):
    talk = player.talks["f"]
    return getattr(talk, "thread", None) or (talk.session if isinstance(player, PiPlayer) else talk.path.stem)


def grow(player):
    for _ in range(2):
        player.say(player.talks["f"])
    player.write(player.talks["f"])


def test_a_fork_that_grows_while_its_parent_cannot_be_read_keeps_its_link(home, database, tmp_path, locked):
    bring(database, home.path)
    before = known(database, name_of(home))
    times = home.talks["a"].path.stat()
    locked.lock(home.talks["a"].path)
    grow(home)
    bring(database, home.path)
    assert_grown(before, known(database, name_of(home)))
    locked.paths.clear()
    os.utime(home.talks["a"].path, ns=(times.st_atime_ns, times.st_mtime_ns))
    bring(database, home.path)
    with Database.open(str(tmp_path / "fresh.db")) as fresh:
        bring(fresh, home.path)
        assert differences(database, fresh) == []
    assert bring(database, home.path).unchanged


def test_a_fork_that_grows_when_its_parent_is_gone_keeps_its_link(home, database):
    bring(database, home.path)
    before = known(database, name_of(home))
    home.talks["a"].path.unlink()
    grow(home)
    bring(database, home.path)
    assert_grown(before, known(database, name_of(home)))


def assert_grown(before, after):
    """Nothing but new rows came, and those are shown."""
    assert (after[0], after[2]) == (before[0], before[2])
    assert after[1][: len(before[1])] == before[1]
    assert len(after[1]) > len(before[1])
    assert all(shown for _, shown in after[1][len(before[1]) :])
