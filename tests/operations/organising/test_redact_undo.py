"""A masking by pattern can be taken back until the next import or scrub; then it is gone from the file."""

import os
import signal
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, select

from hermes_sessions.errors import InvalidQueryError, NotFoundError
from hermes_sessions.operations.organising.forget import forget
from hermes_sessions.operations.organising.journal import undo_change
from hermes_sessions.operations.organising.organise import Action, organise
from hermes_sessions.operations.organising.redact_store import redact_store
from hermes_sessions.operations.organising.redact_undo import undo_redaction
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Message
from hermes_sessions.store.schema.organising import Mask
from hermes_sessions.store.searching.full_text import search
from tests.agents.hermes.hermes_builder import START, session
from tests.operations.dump import dump
from tests.operations.imports.scene import NOW, Scene, handoff, talk

KEY = "sk-proj-abcdefgh0123456789ABCDEFGH"

pytestmark = pytest.mark.sqlite_only("looks into the store's file")


@pytest.fixture
def scene(tmp_path: Path, database: Database) -> Scene:
    scene = Scene(tmp_path, database)
    rows = [
        *talk("a", f"use {KEY} please", f"{KEY} noted", f"ask with {KEY}"),
        handoff("b", f"The key is {KEY}."),
        *talk("b", "go on", "done"),
        *talk("c", "nothing here", "right"),
    ]
    sessions = [
        session("a", end_reason="compression", ended_at=START + 90, system_prompt=f"Use {KEY}.", title=KEY),
        session("b", parent="a"),
        session("c", system_prompt="Nothing."),
    ]
    scene.play(sessions, rows)
    organise(database, ["a"], Action.NOTE, f"change {KEY}", now=NOW)
    return scene


def mask(scene: Scene) -> Any:
    return redact_store(scene.database, kinds=["openai"], clock=lambda: NOW)


def raw(scene: Scene) -> bytes:
    path = scene.database.path
    assert path is not None
    files = (path, path.with_name(f"{path.name}-wal"))
    return b"".join(one.read_bytes() for one in files if one.exists())


def state(scene: Scene) -> Any:
    """All that an undo has to bring back; the journal and the audit's marks aside."""
    tables: dict[str, Any] = dump(scene.database)
    with scene.database.read() as db:
        assert check_store(db) == []
        tables["found"] = search(db, "abcdefgh0123456789ABCDEFGH")
    for row in tables["conversations"]:
        row.pop("audit_mark"), row.pop("changed", None)
    kept = ("messages", "sessions", "compactions", "system_prompts", "conversations", "found")
    return {name: tables[name] for name in kept if name in tables}


def test_undoing_brings_every_row_and_the_index_back(scene: Scene) -> None:
    before = state(scene)
    assert before["found"]
    done = mask(scene)
    assert done.undoable
    assert KEY not in repr(state(scene))
    undone = undo_redaction(scene.database, now=NOW)
    assert (undone.restored, undone.skipped) == (sum(done.rows.values()), 0)
    assert state(scene) == before


def test_after_an_undo_an_import_masks_no_more(scene: Scene) -> None:
    mask(scene)
    undo_redaction(scene.database, now=NOW)
    scene.bring(scene.folder / "agent/state.db", full=True)
    assert scene.scroll("a")[0] == f"user: use {KEY} please"


def test_an_import_makes_it_final_and_the_bytes_are_gone(scene: Scene) -> None:
    mask(scene)
    assert KEY.encode() in raw(scene)
    assert scene.bring(scene.folder / "agent/state.db").unscrubbed is None
    assert KEY.encode() not in raw(scene)
    assert b"abcdefgh0123456789" not in raw(scene).lower()
    with pytest.raises(NotFoundError, match="made it final"):
        undo_redaction(scene.database, now=NOW)


def test_a_scrub_makes_it_final_and_the_bytes_are_gone(scene: Scene) -> None:
    mask(scene)
    assert forget(scene.database, "c", family=False, clock=lambda: NOW).clean
    assert KEY.encode() not in raw(scene)
    assert b"abcdefgh0123456789" not in raw(scene).lower()


def test_after_a_kill_it_is_finished_and_can_still_be_taken_back(scene: Scene) -> None:
    before, path = state(scene), str(scene.database.path)
    scene.database.close()
    child = os.fork()
    if child == 0:
        with Database.open(path) as opened:
            event.listen(opened.engine, "before_cursor_execute", _die_at("UPDATE compactions SET summary"))
            redact_store(opened, kinds=["openai"], clock=lambda: NOW)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    with Database.open(path) as opened:
        scene.database = opened
        assert redact_store(opened, clock=lambda: NOW).undoable
        assert KEY not in repr(state(scene))
        assert undo_redaction(opened, now=NOW).skipped == 0
        assert state(scene) == before


def _die_at(statement: str) -> Any:
    def watch(connection: Any, cursor: Any, sql: str, *_: Any) -> None:
        if sql.startswith(statement):
            os.kill(os.getpid(), signal.SIGKILL)

    return watch


def test_a_second_masking_makes_the_first_final(scene: Scene) -> None:
    mask(scene)
    redact_store(scene.database, secret="nothing here", clock=lambda: NOW)
    assert KEY.encode() not in raw(scene)
    with pytest.raises(NotFoundError):
        undo_redaction(scene.database, now=NOW)


@pytest.mark.parametrize("kind", ["openai", "stripe"])
def test_a_second_masking_that_finds_nothing_leaves_the_first_to_be_undone(scene: Scene, kind: str) -> None:
    before = state(scene)
    mask(scene)
    assert not redact_store(scene.database, kinds=[kind], clock=lambda: NOW).rows
    undo_redaction(scene.database, now=NOW)
    assert state(scene) == before
    with scene.database.read() as db:
        assert not db.scalars(select(Mask.id)).all()


def test_resuming_makes_it_final(scene: Scene) -> None:
    mask(scene)
    assert redact_store(scene.database, clock=lambda: NOW).clean
    assert KEY.encode() not in raw(scene)
    with pytest.raises(InvalidQueryError, match="nothing is left to finish"):
        redact_store(scene.database, clock=lambda: NOW)


def test_a_row_that_changed_since_stays_as_it_is(scene: Scene) -> None:
    mask(scene)
    organise(scene.database, ["a"], Action.NOTE, "another note", now=NOW)
    undone = undo_redaction(scene.database, now=NOW)
    assert undone.skipped == 1
    assert scene.session("a").note == "another note"


def test_the_journal_neither_undoes_it_by_chance_nor_by_number(scene: Scene) -> None:
    mask(scene)
    assert undo_change(scene.database, now=NOW).action == "note"
    with pytest.raises(InvalidQueryError, match="redact --undo"):
        undo_change(scene.database, 2, now=NOW)


def test_a_dry_run_shows_how_a_secret_begins_and_what_is_around_it(scene: Scene) -> None:
    told = redact_store(scene.database, kinds=["openai"], dry_run=True, clock=lambda: NOW)
    first = told.examples[0]
    assert (first.before, first.begins, first.chars, first.after) == ("use ", "sk-pro", len(KEY), " please")
    assert told.kinds == {"openai": sum(told.places.values())}
    assert KEY not in repr(told)


def test_merged_replies_keep_their_place_beside_plain_rows(scene: Scene) -> None:
    with scene.database.write() as db:
        second = db.scalars(select(Message).where(Message.text.contains(KEY)).limit(2)).all()[1]
        at = (second.text or "").index("noted")
        second.reply_start, second.reply_end, second.kind = at, at + 5, "merged"
        key = second.id
    mask(scene)
    with scene.database.read() as db:
        row = db.get_one(Message, key)
        assert (row.text or "")[row.reply_start : row.reply_end] == "noted"
