"""What is forgotten is gone from the file, byte by byte, and does not come back."""

import os
import random
import signal
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, select

from hermes_sessions.errors import NotFoundError, OriginBusyError
from hermes_sessions.operations.organising.forget import Forgetting, finish, forget, remember
from hermes_sessions.operations.organising.organise import Action, organise
from hermes_sessions.operations.organising.prune import (
    PruneQuery,
    empty_trash,
    find_prunable,
    list_trash,
    prune,
)
from hermes_sessions.operations.search import run_search
from hermes_sessions.operations.writing.origins import remove_origin
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.keeping.leases import acquire
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Session
from hermes_sessions.store.searching.full_text import search
from hermes_sessions.store.searching.message_hits import Search
from tests.agents.hermes.hermes_builder import START, session
from tests.operations.imports.scene import NOW, Scene, talk

pytestmark = pytest.mark.sqlite_only("looks into the store's file")
MARKER = "zyxwvutsrq"


@pytest.fixture
def scene(tmp_path: Path, database: Database) -> Scene:
    return Scene(tmp_path, database)


@pytest.fixture
def three(scene: Scene) -> Scene:
    """Conversation `root` (with its continuation `next`), its delegate `helper`, and `other`."""
    return scene.play(
        [
            session("root", end_reason="compression", ended_at=START + 50, system_prompt=f"{MARKER} prompt"),
            session("next", parent="root", title=f"{MARKER} title"),
            session("helper", parent="root", source="tool"),
            session("other", system_prompt="shared"),
        ],
        [
            *talk("root", f"{MARKER} first " + "word " * 2_000, f"reply {MARKER}"),
            *talk("next", "go on", f"{MARKER} again"),
            *talk("helper", "do this part", "done"),
            *talk("other", "something else", "yes"),
        ],
    )


def gone(scene: Scene, public_id: str = "root", *, family: bool = False) -> Forgetting:
    done = forget(scene.database, public_id, family=family, clock=lambda: NOW)
    with scene.database.read() as db:
        assert check_store(db) == []
    return done


def stored(database: Database) -> set[str]:
    with database.read() as db:
        return set(db.scalars(select(Session.foreign_id)))


def holding(database: Database, text: str = MARKER) -> list[str]:
    """Return the files of the store that hold *text* anywhere."""
    assert database.path is not None
    files = sorted(database.path.parent.glob(f"{database.path.name}*"))
    return [one.name for one in files if text.encode() in one.read_bytes()]


def test_the_bytes_are_gone(three: Scene) -> None:
    organise(three.database, ["root"], Action.NOTE, f"{MARKER} note", now=NOW)
    assert holding(three.database)
    done = gone(three)
    assert (done.conversations, done.sessions, done.messages, done.relatives) == (1, 2, 4, 1)
    assert done.clean
    assert holding(three.database) == []
    with three.database.read() as db:
        assert search(db, MARKER) == []
    assert stored(three.database) == {"helper", "other"}


def test_the_bytes_are_gone_among_many_rows_of_every_size(scene: Scene) -> None:
    """Pages were split and filled anew before: no old copy may lie in their gaps."""
    chance = random.Random(5)
    words = [f"w{number}" for number in range(500)]

    def text(mark: str) -> str:
        return " ".join(
            f"{chance.choice(words)}{mark}{chance.randrange(10**6)}" for _ in range(chance.randrange(300))
        )

    rows = [row for at in range(60) for row in talk(f"s{at % 6}", text(MARKER if at % 6 == 3 else "x"), "ok")]
    scene.play([session(f"s{number}") for number in range(6)], rows)
    scene.alter(
        *(f"UPDATE messages SET content = content || ' more' WHERE id = {at}" for at in range(1, 120, 7))
    )
    scene.bring(scene.folder / "agent/state.db", full=True)
    assert holding(scene.database)
    gone(scene, "s3")
    assert holding(scene.database) == []


def test_it_stays_forgotten(three: Scene) -> None:
    gone(three)
    path = three.folder / "agent/state.db"
    for full in (False, True):
        assert three.bring(path, full=full).forgotten == 2
        assert stored(three.database) == {"helper", "other"}
    assert three.bring(path).unchanged
    assert holding(three.database) == []


def test_what_its_agent_adds_is_forgotten_and_the_rest_is_taken(three: Scene) -> None:
    gone(three)
    report = three.alter(
        "INSERT INTO messages (session_id, role, content, timestamp)"
        " VALUES ('next', 'user', 'more', 1780003700)",
        "UPDATE sessions SET end_reason = 'compression', ended_at = started_at + 60 WHERE id = 'next'",
        "INSERT INTO sessions (id, source, started_at, parent_session_id)"
        " VALUES ('third', 'cli', 1780007300, 'next'), ('helper2', 'tool', 1780000040, 'root')",
        "INSERT INTO messages (session_id, role, content, timestamp)"
        " VALUES ('third', 'user', 'on', 1780007301), ('helper2', 'user', 'part two', 1780000041),"
        " ('helper', 'user', 'part one', 1780000042)",
    )
    assert report.forgotten == 3
    assert stored(three.database) == {"helper", "helper2", "other"}
    assert three.scroll("helper")[-1] == "user: part one"
    three.bring(three.folder / "agent/state.db", full=True)
    assert stored(three.database) == {"helper", "helper2", "other"}


def test_a_family_is_forgotten_with_what_is_still_to_come(three: Scene) -> None:
    assert gone(three, "next", family=True).conversations == 2
    three.alter(
        "INSERT INTO sessions (id, source, started_at, parent_session_id)"
        " VALUES ('helper2', 'tool', 1780000040, 'root')",
        "INSERT INTO messages (session_id, role, content, timestamp)"
        " VALUES ('helper2', 'user', 'part two', 1780000041)",
    )
    assert stored(three.database) == {"other"}


def test_remembering_brings_all_of_it_back(three: Scene) -> None:
    before = three.scroll("root")
    gone(three)
    with pytest.raises(NotFoundError, match="give the whole id"):
        remember(three.database, "roo")
    assert remember(three.database, "next") == 2
    assert three.bring(three.folder / "agent/state.db").forgotten == 0
    assert three.scroll("root") == before


def test_it_stays_forgotten_when_its_origin_is_removed_and_comes_again(three: Scene) -> None:
    gone(three)
    remove_origin(three.database, three.report.origin)
    for _ in range(2):
        three.bring(three.folder / "agent/state.db", full=True)
        assert stored(three.database) == {"helper", "other"}


def test_no_id_of_it_is_kept(scene: Scene) -> None:
    scene.play([session("some-telling-id")], talk("some-telling-id", "a", "b"))
    gone(scene, "some-telling-id")
    assert holding(scene.database, "some-telling-id") == []


def test_nothing_is_forgotten_while_a_sync_runs(three: Scene) -> None:
    with three.database.write() as db:
        assert acquire(db, "origin:1", "elsewhere:1:x", now=NOW, seconds=10_000)
    times = iter((NOW, NOW + 1, NOW + 100, NOW + 100))
    with pytest.raises(OriginBusyError, match="try again"):
        forget(three.database, "root", family=False, clock=lambda: next(times))
    assert "root" in stored(three.database)


def test_a_reader_keeps_old_pages_and_the_next_call_finishes(three: Scene) -> None:
    with three.database.read() as db:
        db.scalar(select(Session.id))
        assert not forget(three.database, "root", family=False, clock=lambda: NOW).clean
    assert finish(three.database) is None
    assert holding(three.database) == []


# -- the trash -------------------------------------------------------------------------------------


def throw_away(scene: Scene, **query: Any) -> int:
    families = find_prunable(scene.database, PruneQuery(**query))
    done = prune(scene.database, families, clock=lambda: NOW)
    with scene.database.read() as db:
        assert check_store(db) == []
    return done.conversations


def found(scene: Scene, **query: Any) -> list[str]:
    return [one.id for one in find_prunable(scene.database, PruneQuery(**query))]


def test_whole_families_are_found_with_their_sizes(three: Scene) -> None:
    (family,) = find_prunable(three.database, PruneQuery(min_bytes=5_000))
    assert (family.id, family.conversations, family.sessions, family.messages) == ("root", 2, 3, 6)
    sizes = [len(line.partition(": ")[2]) for one in ("root", "helper") for line in three.scroll(one)]
    assert family.bytes == sum(sizes)


def test_a_family_is_old_when_all_of_it_is(three: Scene) -> None:
    newest = max(one.last_active_at for one in three.conversations().values() if one.public_id != "other")
    assert "root" not in found(three, inactive_since=newest)
    assert "root" in found(three, inactive_since=newest + 1)


def test_pinned_families_and_other_sources_are_left(three: Scene) -> None:
    assert found(three, source="tool") == []  # the delegate goes with its root, never alone
    assert set(found(three, source="cli")) == {"root", "other"}
    organise(three.database, ["helper"], Action.PIN, now=NOW)
    assert found(three, source="cli") == ["other"]


def test_what_is_pruned_shows_nowhere_and_comes_back_whole(three: Scene) -> None:
    before = {one: three.scroll(one) for one in ("root", "helper")}
    assert throw_away(three, min_bytes=5_000) == 2
    assert found(three, source="cli") == ["other"]
    with three.database.read() as db:
        now = datetime.fromtimestamp(NOW, UTC)
        for words in (MARKER, "do this part", "helper"):
            hits = run_search(db, Search.of(words, now))
            assert (hits.messages, hits.conversations) == ((), ()), words
    for one in ("root", "next", "helper"):
        with pytest.raises(NotFoundError, match="trash"):
            three.scroll(one)
    assert [one.id for one in list_trash(three.database)] == ["root"]
    three.bring(three.folder / "agent/state.db", full=True)
    organise(three.database, ["helper"], Action.RESTORE, now=NOW)
    assert {one: three.scroll(one) for one in ("root", "helper")} == before


def test_what_goes_on_from_the_trash_goes_there_too(three: Scene) -> None:
    throw_away(three, min_bytes=5_000)
    three.alter(
        "INSERT INTO sessions (id, source, started_at, parent_session_id)"
        " VALUES ('helper2', 'tool', 1780000040, 'root'), ('deep', 'tool', 1780000045, 'helper2')",
        "INSERT INTO messages (session_id, role, content, timestamp) VALUES"
        " ('helper2', 'user', 'part two', 1780000041), ('deep', 'user', 'part three', 1780000046)",
    )
    assert {one.kind for one in three.conversations().values() if one.public_id != "other"} == {"trash"}


def test_an_emptied_trash_is_erased_and_forgotten(three: Scene) -> None:
    throw_away(three, min_bytes=5_000)
    done = empty_trash(three.database, clock=lambda: NOW)
    assert (done.conversations, done.sessions, done.messages, done.clean) == (2, 3, 6, True)
    assert holding(three.database) == []
    three.bring(three.folder / "agent/state.db", full=True)
    assert stored(three.database) == {"other"}


def test_a_kill_while_the_trash_is_emptied_leaves_whole_families(scene: Scene) -> None:
    names = [f"s{number}" for number in range(4)]
    scene.play(
        [session(one) for one in names], [row for one in names for row in talk(one, f"{MARKER} {one}", "ok")]
    )
    throw_away(scene, source="cli")
    path = str(scene.database.path)
    scene.database.close()
    for step in (5, 40, 60, 90):
        child = os.fork()
        if child == 0:
            _empty_until(path, step)
        os.waitpid(child, 0)
        with Database.open(path) as opened, opened.read() as db:
            assert check_store(db) == []
            assert len(search(db, "ok")) == len(stored(opened))
    with Database.open(path) as opened:
        assert empty_trash(opened, clock=lambda: NOW).clean
        assert stored(opened) == set()
        assert holding(opened) == []


def _empty_until(path: str, step: int) -> None:
    """Empty the trash and die before statement number *step*."""
    steps = 0

    def count(*_: Any) -> None:
        nonlocal steps
        steps += 1
        if steps == step:
            os.kill(os.getpid(), signal.SIGKILL)

    with Database.open(path) as opened:
        event.listen(opened.engine, "before_cursor_execute", count)
        empty_trash(opened, clock=lambda: NOW)
    os._exit(0)
