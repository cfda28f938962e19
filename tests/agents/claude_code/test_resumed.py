"""Files of older releases, which copied a session when it was resumed."""

import os
from typing import Any

import pytest
from sqlalchemy import select

from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Compaction, Message, Session
from tests.agents.changes.present import bring, differences


def copied(home, name, talk, *, renamed=True):
    """Begin a session with all records of another one, under its own name or as they were."""
    made = home.talk(name)
    made.records = [{**one, "sessionId": name} if renamed else one for one in talk.records]
    made.follow()
    return made


@pytest.fixture(params=[True, False], ids=["renamed", "as they were"])
def thrice(home, request):
    """A session that was resumed twice, in a file of its own each time."""
    talks = [home.talk("a")]
    for number, name in enumerate("abc"):
        if number:
            talks.append(copied(home, name, talks[-1], renamed=request.param))
        talks[-1].ask(f"question {name}")
        talks[-1].reply(f"answer {name}")
        talks[-1].compact(f"Summary:\nuntil {name}")
        talks[-1].ask(f"and {name}")
        os.utime(talks[-1].write(), (1_780_000_000 + number, 1_780_000_000 + number))
    return talks


def lines(database):
    """Return (session, parent, relation), what the scroll shows, and the sessions of the compactions."""
    with database.read() as db:
        names = {one.id: one.foreign_id for one in db.scalars(select(Session))}
        told = {(one.foreign_id, one.parent_session_id, one.relation) for one in db.scalars(select(Session))}
        rows = db.scalars(select(Message).order_by(Message.session_id, Message.position))
        shown = sorted(row.text for row in rows if row.shown and row.kind == "message")
        return told, shown, sorted(names[one.session_id] for one in db.scalars(select(Compaction)))


def test_a_session_resumed_twice_is_one_conversation(home, thrice, database):
    bring(database, home.path)
    told, shown, events = lines(database)
    assert told == {("a", None, "root"), ("b", "a", "compaction"), ("c", "b", "compaction")}
    assert shown == sorted(f"{what} {one}" for one in "abc" for what in ("question", "answer", "and"))
    assert events == ["a", "b", "c"]


def test_who_resumes_what_was_resumed_before_is_a_branch(home, thrice, database):
    renamed = thrice[1].records[0]["sessionId"] == "b"
    other = copied(home, "d", thrice[0], renamed=renamed)
    other.ask("another way")
    other.write()
    bring(database, home.path)
    told, shown, _ = lines(database)
    assert ("d", "a", "branch") in told
    assert shown.count("another way") == 1


@pytest.mark.sqlite_only
def test_a_session_that_goes_on_after_it_was_resumed_is_as_afresh(home, thrice, database, tmp_path):
    bring(database, home.path)
    thrice[1].ask("one more")
    thrice[1].write()
    bring(database, home.path)
    with Database.open(str(tmp_path / "fresh.db")) as fresh:
        bring(fresh, home.path)
        assert differences(database, fresh) == []
    assert bring(database, home.path).unchanged


@pytest.mark.parametrize("times", [(0, 0, 0), (2, 1, 0)], ids=["alike", "the other way round"])
def test_which_file_goes_on_from_which_is_told_by_what_they_hold(home, database, times):
    talks: list[Any] = []
    for number, (name, renamed) in enumerate((("c", True), ("a", False), ("b", True))):
        talks.append(copied(home, name, talks[-1], renamed=renamed) if talks else home.talk(name))
        talks[-1].ask(f"question {number}")
        talks[-1].reply(f"answer {number}")
        talks[-1].compact(f"Summary:\nuntil {number}")
        talks[-1].ask(f"and {number}")
    for one, time in zip(talks, times, strict=True):
        os.utime(one.write(), (1_780_000_000 + time, 1_780_000_000 + time))
    bring(database, home.path)
    told, shown, events = lines(database)
    assert told == {("c", None, "root"), ("a", "c", "compaction"), ("b", "a", "compaction")}
    assert len(shown) == 9
    assert sorted(events) == ["a", "b", "c"]
