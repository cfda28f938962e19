"""A secret is masked in everything that is stored, and does not come back with a later import."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, select

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.operations.auditing.audit_conversations import run_audit
from hermes_sessions.operations.organising.masks import (
    SecretMask,
    StoreMasker,
    known_secret,
    shape_of,
    slow_hash,
    spellings,
)
from hermes_sessions.operations.organising.organise import Action, organise
from hermes_sessions.operations.organising.redact_store import Redaction, holds, redact_store
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.stored_audits import FindingListing
from hermes_sessions.store.schema.models import Conversation
from hermes_sessions.store.searching.full_text import search
from tests.agents.hermes.hermes_builder import START, calls, row, session
from tests.operations.dump import dump
from tests.operations.imports.scene import NOW, Scene, handoff, talk

SECRET = "hunter2-Correct_Horse"
KEY = "sk-proj-abcdefgh0123456789ABCDEFGH"


@pytest.fixture
def scene(tmp_path: Path, database: Database) -> Scene:
    return Scene(tmp_path, database)


@pytest.fixture
def leaked(scene: Scene) -> Scene:
    """A conversation with the secret in every place, and one without."""
    arguments = {"command": f"login --password {SECRET}", f"{SECRET}": 1}
    first = talk("a", f"my password is {SECRET}, remember it", f"{SECRET}? noted")
    rows = [
        *first,
        row("a", "assistant", None, tool_calls=calls(("call_1", "shell", arguments)), reasoning=SECRET),
        row("a", "tool", [{"type": "text", "text": f"welcome {SECRET}"}], tool_call_id="call_1"),
        handoff("b", f"The password is {SECRET}."),
        *talk("b", "go on", "done"),
        *talk("c", "nothing here", "right"),
    ]
    sessions = [
        session("a", end_reason="compression", ended_at=START + 90, system_prompt=f"Use {SECRET}.",
                title=f"Log in with {SECRET}"),
        session("b", parent="a", model_config=json.dumps({"key": SECRET})),
        session("c", system_prompt="Nothing."),
    ]  # fmt: skip
    scene.play(sessions, rows)
    organise(scene.database, ["a"], Action.NOTE, f"change {SECRET}", now=NOW)
    run_audit(scene.database, FindingListing(), clock=lambda: NOW)
    return scene


def mask(scene: Scene, **given: Any) -> Redaction:
    done = redact_store(scene.database, clock=lambda: NOW, **given)
    with scene.database.read() as db:
        assert check_store(db) == []
    return done


def stored(database: Database) -> str:
    """Return every value of every table as one text."""
    with database.read() as db:
        tables = db.connection().exec_driver_sql(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'messages_fts%'"
        )
        names = [name for (name,) in tables]
        rows = [one for name in names for one in db.connection().exec_driver_sql(f"SELECT * FROM {name}")]
        return "\n".join(repr(tuple(one)) for one in rows)


pytestmark = pytest.mark.sqlite_only("looks into the store's file")


def test_it_is_gone_from_every_table_and_from_the_file(leaked: Scene) -> None:
    assert holds(leaked.database.path, SECRET)
    done = mask(leaked, secret=SECRET)
    assert done.clean
    assert {"messages", "sessions", "system_prompts", "compactions", "change_items"} <= done.rows.keys()
    assert SECRET not in stored(leaked.database)
    assert not holds(leaked.database.path, SECRET)
    assert leaked.scroll("a")[0] == "user: my password is [redacted:secret], remember it"
    assert leaked.conversations()["a"].title == "Log in with [redacted:secret]"
    with leaked.database.read() as db:
        assert search(db, "hunter2") == []
        assert len(search(db, "remember")) == 1


def test_another_process_leaves_the_log_alone_after_the_file_was_searched(leaked: Scene) -> None:
    path = str(leaked.database.path)
    mask(leaked, secret=SECRET)
    program = "import sys; from hermes_sessions import Store; Store.open(sys.argv[1]).close()"
    subprocess.run([sys.executable, "-c", program, path], check=True)
    assert Path(f"{path}-wal").exists()


def test_a_dry_run_counts_the_same_and_changes_nothing(leaked: Scene) -> None:
    before = dump(leaked.database)
    told = mask(leaked, secret=SECRET, dry_run=True)
    assert dump(leaked.database) == before
    assert told.rows == mask(leaked, secret=SECRET).rows


def test_what_does_not_hold_it_is_not_touched(leaked: Scene) -> None:
    def others() -> list[dict[str, Any]]:
        rows = dump(leaked.database)["messages"]
        return [one for one in rows if "hunter2" not in repr(one) and "redacted" not in repr(one)]

    before = others()
    mask(leaked, secret=SECRET)
    assert others() == before
    assert len(before) == 4


def test_conversations_that_held_it_are_audited_again(leaked: Scene) -> None:
    mask(leaked, secret=SECRET)
    with leaked.database.read() as db:
        marks = {one.public_id: one.audit_mark for one in db.scalars(select(Conversation))}
    assert marks["a"] is None
    assert marks["c"] is not None


def test_no_import_brings_it_back(leaked: Scene) -> None:
    mask(leaked, secret=SECRET)
    path = leaked.folder / "agent/state.db"
    before = dump(leaked.database)
    leaked.bring(path)
    leaked.bring(path, full=True)
    assert dump(leaked.database)["messages"] == before["messages"]
    leaked.alter(
        "UPDATE sessions SET title = title || ' again' WHERE id = 'a'",
        f"UPDATE messages SET content = content || ' and {SECRET}' WHERE id = 1",
        "INSERT INTO messages (session_id, role, content, timestamp)"
        f" VALUES ('c', 'user', 'what about \"{SECRET}\"?', 1780009000)",
        f"INSERT INTO sessions (id, source, started_at, title) VALUES ('d', 'cli', 1780009100, 'x{SECRET}y')",
        "INSERT INTO messages (session_id, role, content, timestamp)"
        f" VALUES ('d', 'user', 'prefix{SECRET}suffix', 1780009101)",
    )
    assert SECRET not in stored(leaked.database)
    assert not holds(leaked.database.path, SECRET)
    assert leaked.scroll("c")[-1] == 'user: what about "[redacted:secret]"?'
    assert leaked.scroll("d") == ["user: prefix[redacted:secret]suffix"]


def test_a_moved_database_is_still_the_same_origin(leaked: Scene) -> None:
    mask(leaked, secret=SECRET)
    path = leaked.folder / "agent/state.db"
    moved = leaked.folder / "elsewhere" / "state.db"
    moved.parent.mkdir()
    path.rename(moved)
    assert leaked.bring(moved).origin == leaked.report.origin
    assert len(leaked.conversations()) == 2


def test_every_secret_of_a_kind_is_masked(scene: Scene) -> None:
    scene.play([session("a")], talk("a", f"use {KEY} please", "ok"))
    assert mask(scene, kinds=["openai"]).places == {"messages": 1}
    assert scene.scroll("a")[0] == "user: use [redacted:openai] please"
    scene.alter(
        "INSERT INTO messages (session_id, role, content, timestamp)"
        f" VALUES ('a', 'user', 'or {KEY[:-3]}xyz', 1780009000)"
    )
    assert scene.scroll("a")[-1] == "user: or [redacted:openai]"


def test_the_place_of_a_merged_reply_moves_with_the_mask(leaked: Scene) -> None:
    masker = StoreMasker(singles=(known_secret(SECRET),))
    text = f"before {SECRET} REPLY behind"
    start = text.index("REPLY")
    masked, (first, last) = masker.with_offsets(text, (start, start + 5))
    assert masked[first:last] == "REPLY"


@pytest.mark.parametrize(
    "secret", ["short", "x" * 20_001, "    a     "], ids=["short", "long", "hardly anything"]
)
def test_what_would_mask_ordinary_text_is_refused(scene: Scene, secret: str) -> None:
    with pytest.raises(InvalidQueryError, match="characters"):
        mask(scene, secret=secret)


@pytest.mark.parametrize("secret", ['pa"ss\\word', "line one\nline two", "пароль-123", "tab\tbed quilt"])
def test_spellings_in_json_are_found_by_their_hash(secret: str) -> None:
    singles = []
    for text in spellings(secret):
        salt = "00" * 16
        found = SecretMask(salt, slow_hash(salt, text), known_secret(text).shape)
        singles.append(found)
    masker = StoreMasker(singles=tuple(singles))
    inner = json.dumps({"arguments": json.dumps({"password": secret})})
    for text in (f"a {secret} b", json.dumps([secret]), inner, json.dumps([secret], ensure_ascii=False)):
        masked = masker.json_text(text)
        assert masked is not None
        assert "redacted:secret" in masked
        assert not any(one in masked for one in spellings(secret))
        if text.startswith(("{", "[")):
            json.loads(masked)


def test_a_number_in_json_becomes_text_and_stays_json() -> None:
    masker = StoreMasker(singles=(known_secret("12345678"),))
    assert masker.json_text('{"pin": 12345678}') == '{"pin": "[redacted:secret]"}'


def test_the_shape_tells_only_kinds_of_characters() -> None:
    assert shape_of("ab-C12 d") == r"[a-z]{2}[\-]{1}[A-Z]{1}[0-9]{2}\s{1}[a-z]{1}"


def test_masking_twice_changes_nothing(leaked: Scene) -> None:
    mask(leaked, secret=SECRET)
    before = dump(leaked.database)
    assert mask(leaked, secret=SECRET).rows == {}
    assert dump(leaked.database)["messages"] == before["messages"]


def test_after_a_kill_the_rest_is_masked_from_the_notes_alone(leaked: Scene) -> None:
    path = str(leaked.database.path)
    leaked.database.close()
    child = os.fork()
    if child == 0:
        _mask_until(path, "UPDATE messages")
    os.waitpid(child, 0)
    with Database.open(path) as opened:
        with opened.read() as db:
            assert check_store(db) == []
        assert SECRET in stored(opened)
        assert redact_store(opened, clock=lambda: NOW).clean
        assert SECRET not in stored(opened)
        assert not holds(opened.path, SECRET)
        with pytest.raises(InvalidQueryError, match="nothing to mask"):
            redact_store(opened, clock=lambda: NOW)


def _mask_until(path: str, statement: str) -> None:
    """Mask and die before the first statement that begins so."""

    def watch(connection: Any, cursor: Any, sql: str, *_: Any) -> None:
        if sql.startswith(statement):
            os.kill(os.getpid(), signal.SIGKILL)

    with Database.open(path) as opened:
        event.listen(opened.engine, "before_cursor_execute", watch)
        redact_store(opened, secret=SECRET, clock=lambda: NOW)
    os._exit(0)


# -- the file --------------------------------------------------------------------------------------


def plant(path: Path, secret: str) -> None:
    """Write *secret* into the gap of a page, where SQLite leaves copies of rows that it moved."""
    data = bytearray(path.read_bytes())
    for page in range(4096, len(data), 4096):
        cells, content = (int.from_bytes(data[page + at : page + at + 2]) for at in (3, 5))
        if data[page] == 13 and cells and content - 8 - 2 * cells > 2 * len(secret):
            at = page + content - len(secret) - 4
            data[at : at + len(secret)] = secret.encode()
            path.write_bytes(data)
            return
    raise AssertionError("no page with a gap")


def test_what_lies_in_the_gap_of_a_page_goes_too(leaked: Scene) -> None:
    path = leaked.database.path
    assert path is not None
    leaked.database.close()
    plant(path, SECRET)
    assert mask(leaked, secret=SECRET).clean
    assert not holds(path, SECRET)


def test_a_word_that_is_a_name_of_the_store_comes_to_an_end(scene: Scene) -> None:
    scene.play([session("message-1")], talk("message-1", "the message is here", "right"))
    done = mask(scene, secret="message")
    assert (done.clean, done.reason) == (False, None)
    assert done.kept["sessions.foreign_id"] == 1
    assert done.kept["the store's own schema"] > 0
    assert scene.scroll("message-1")[0] == "user: the [redacted:secret] is here"
    with pytest.raises(InvalidQueryError, match="nothing is left to finish"):
        mask(scene)


def test_a_scrub_that_a_reader_stopped_is_finished_with_and_without_the_secret(leaked: Scene) -> None:
    with leaked.database.read() as db:
        db.scalar(select(Conversation.id))
        stopped = mask_file(leaked, secret=SECRET)
        assert "another process reads" in (stopped.reason or "")
    assert mask(leaked, secret=SECRET, resume=True).clean
    assert not holds(leaked.database.path, SECRET)


def mask_file(scene: Scene, **given: Any) -> Redaction:
    return redact_store(scene.database, clock=lambda: NOW, **given)


def test_a_full_disk_is_told_and_the_next_call_finishes(
    leaked: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    import shutil

    usage = shutil.disk_usage(leaked.folder)
    with monkeypatch.context() as full:
        full.setattr(shutil, "disk_usage", lambda _: usage._replace(free=10_000))
        stopped = mask_file(leaked, secret=SECRET)
    assert (stopped.clean, "are free" in (stopped.reason or "")) == (False, True)
    assert mask(leaked).clean
    assert not holds(leaked.database.path, SECRET)
