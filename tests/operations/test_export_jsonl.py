"""Exports that are imported again: the same rows, or one line about what is wrong."""

import json

import pytest
from sqlalchemy import select

from hermes_sessions.errors import SourceError
from hermes_sessions.exporters import jsonl as written
from hermes_sessions.exporters.masking import Masker
from hermes_sessions.importers import jsonl as read
from hermes_sessions.operations.export_jsonl import iter_lines
from hermes_sessions.operations.import_ import ImportOptions, import_path
from hermes_sessions.store.check import check_store
from hermes_sessions.store.db import Database
from hermes_sessions.store.models import Compaction, Message, Origin, Session
from hermes_sessions.store.queries.conversations import get_conversation
from tests.importers.hermes_builder import calls, row, session
from tests.operations.agents import Agent
from tests.operations.dump import dump
from tests.operations.scene import NOW, again, handoff, talk

KEPT = {
    Origin: {"id", "location", "cursor", "paused", "last_synced_at", "last_error"},
    Session: {
        "id", "origin_id", "conversation_id", "ordinal", "parent_id", "message_count", "shown_count",
        "last_active_at", "archived", "pinned", "note", "trashed_at",
    },
    Message: {"id", "session_id", "copy_of", "archived_by", "search_key"},
    Compaction: {
        "id", "conversation_id", "ordinal", "session_id", "parent_id", "child_id", "span_first_id",
        "span_last_id", "handoff_id", "retained", "audit", "saved_tokens", "worst_rank",
    },
}  # fmt: skip
"""Columns that are keys (numbers in the file), derived again, or the reader's own marks.

A new column that is none of these goes into `exporters.jsonl` and `importers.jsonl`.
"""


def lines_of(database, conversation, masker=None):
    with database.read() as db:
        found = get_conversation(db, conversation)
        return list(iter_lines(db, found, masker or Masker(active=False)))


def bring(database, path):
    report = import_path(database, path, ImportOptions(clock=lambda: NOW))
    with database.read() as db:
        assert check_store(db) == []
    return report


@pytest.fixture
def other(tmp_path):
    """Another store, empty."""
    with Database.open(str(tmp_path / "other" / "store.db")) as opened:
        yield opened


@pytest.fixture
def story(scene):
    """A compacted conversation with copies, odd values, a fork, a branch and a delegate."""
    first = talk("a", "please", "on it", "and now?", "done")
    sessions = [
        session("a", end_reason="compression", title="Work", system_prompt="Be kind."),
        session("b", parent="a", title="Work #2", model_config='{"max_iterations": 3}'),
        session("f", parent="a", title="Work #3"),
        session("branch", parent="b", model_config='{"_branched_from": "b"}'),
        session("sub", parent="b", source="tool"),
        session("stranger"),
    ]
    rows = [
        *first,
        handoff("b"),
        *again(first[2:], "b"),
        row("b", "assistant", [{"type": "text", "text": "seen"}], tool_calls=calls(("c", "ls", {"p": 1}))),
        row("b", "tool", b"\xff\x00", tool_call_id="c"),
        row("b", "user", "a\0b\u2028c"),
        handoff("f", "Another summary."),
        *talk("branch", "other way"),
        *talk("sub", "look it up"),
        *talk("stranger", "not mine"),
    ]
    scene.play(sessions, rows)
    return scene


@pytest.mark.parametrize("conversation", ["a", "branch", "sub", "stranger"])
def test_a_second_export_is_equal_byte_for_byte(story, other, tmp_path, conversation):
    path = tmp_path / "out.jsonl"
    path.write_text("".join(lines_of(story.database, conversation)), "utf-8", newline="\n")
    bring(other, path)
    assert "".join(lines_of(other, conversation)).encode() == path.read_bytes()


def test_in_its_own_store_it_changes_nothing(story, tmp_path):
    before = dump(story.database)
    path = tmp_path / "out.jsonl"
    path.write_text("".join(lines_of(story.database, "a")), "utf-8")
    report = bring(story.database, path)
    assert report.unchanged
    assert dump(story.database) == before


def test_twice_is_once(story, other, tmp_path):
    path = tmp_path / "out.jsonl"
    path.write_text("".join(lines_of(story.database, "a")), "utf-8")
    first = bring(other, path)
    before = dump(other)
    second = bring(other, path)
    assert (first.unchanged, second.unchanged) == (False, True)
    assert (first.sessions, first.messages, first.copies) == (second.sessions, second.messages, second.copies)
    assert dump(other) == before


def test_the_database_it_came_from_meets_what_was_brought(story, other, tmp_path):
    path = tmp_path / "out.jsonl"
    path.write_text("".join(lines_of(story.database, "a")), "utf-8")
    bring(other, path)
    bring(other, story.folder / "agent/state.db")
    with other.read() as db:
        assert len(db.scalars(select(Origin)).all()) == 1
        assert sorted(db.scalars(select(Session.foreign_id))) == ["a", "b", "branch", "f", "stranger", "sub"]
    assert lines_of(other, "a") == lines_of(story.database, "a")


def test_a_family_brought_in_pieces_finds_together(story, other, tmp_path):
    for name in ("branch", "a"):
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(lines_of(story.database, name)), "utf-8")
        bring(other, path)
    with other.read() as db:
        branch = db.scalars(select(Session).where(Session.foreign_id == "branch")).one()
        assert db.get_one(Session, branch.parent_id).foreign_id == "b"


def test_what_was_made_here_comes_back_too(scene, other, tmp_path):
    agent = Agent(scene.database)
    conversation = agent.talked(20)
    agent.compact(conversation)
    path = tmp_path / "out.jsonl"
    path.write_text("".join(lines_of(scene.database, conversation)), "utf-8", newline="\n")
    bring(other, path)
    assert "".join(lines_of(other, conversation)).encode() == path.read_bytes()


def test_masked_lines_are_not_taken_for_what_was_said(story, other, tmp_path):
    path = tmp_path / "out.jsonl"
    path.write_text("".join(lines_of(story.database, "a", Masker())), "utf-8")
    with pytest.raises(SourceError, match="masked"):
        bring(other, path)


def test_every_stored_column_is_in_it_or_known_to_be_left_out():
    for model, names in (
        (Origin, written.ORIGIN),
        (Session, written.SESSION),
        (Message, written.MESSAGE),
        (Compaction, written.COMPACTION),
    ):
        assert {one.name for one in model.__table__.columns} == set(names) | KEPT[model], model


def test_both_sides_know_the_same_format():
    assert (written.FORMAT, written.VERSION) == (read.FORMAT, read.VERSION)
    for name in ("ORIGIN", "SESSION", "MESSAGE", "COMPACTION"):
        assert set(getattr(written, name)) == set(getattr(read, name))


def change(lines, at, **values):
    line = json.loads(lines[at])
    line.update(values)
    lines[at] = json.dumps(line) + "\n"


def message_at(lines):
    return next(at for at, line in enumerate(lines) if '"line":"message"' in line)


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda lines: lines.pop(), "cut off"),
        (lambda lines: lines.__setitem__(3, "{broken\n"), "line 4: is no JSON"),
        (lambda lines: lines.__setitem__(3, "[]\n"), "line 4: is no JSON object"),
        (lambda lines: lines.append("{}\n"), "no known kind"),
        (lambda lines: lines.append(lines[2]), "stands behind later kinds"),
        (lambda lines: change(lines, 0, version=2), "version 2"),
        (lambda lines: change(lines, message_at(lines), session=99), "its session is not in the file"),
        (lambda lines: change(lines, message_at(lines), copy_of=10**9), "points at one that is not"),
        (lambda lines: change(lines, message_at(lines), archived_by=10**9), "points at one that is not"),
        (lambda lines: change(lines, message_at(lines), role=None), "message.role is no text"),
        (lambda lines: change(lines, message_at(lines), state="lost"), "unknown value 'lost'"),
        (lambda lines: change(lines, message_at(lines), text="a\0b"), "message.text is no text"),
        (lambda lines: change(lines, message_at(lines), text="\ud800"), "message.text is no text"),
        (lambda lines: change(lines, message_at(lines), extra={"a": ["\0"]}), "message.extra is no object"),
        (lambda lines: change(lines, message_at(lines), token_count=2**70), "no whole number"),
        (lambda lines: change(lines, message_at(lines), created_at=True), "created_at is no number"),
        (lambda lines: change(lines, message_at(lines) + 1, position=0), "positions grow"),
        (lambda lines: change(lines, message_at(lines), number=7), "numbered from 1"),
        (lambda lines: lines.pop(message_at(lines)), "numbered from 1"),
        (lambda lines: change(lines, len(lines) - 1, messages=1), "counts other lines"),
        (lambda lines: lines.__delitem__(slice(1, None)), "holds no session"),
    ],
    ids=lambda value: value.replace(" ", "_") if isinstance(value, str) else "",
)
def test_a_broken_file_is_one_line_and_changes_nothing(story, other, tmp_path, damage, told):
    lines = lines_of(story.database, "a")
    damage(lines)
    path = tmp_path / "out.jsonl"
    path.write_text("".join(lines), "utf-8", errors="surrogatepass")
    with pytest.raises(SourceError, match=told):
        bring(other, path)
    assert all(not rows for rows in dump(other).values())


def test_a_conversation_that_went_on_elsewhere_is_told_and_left(story, tmp_path):
    lines = lines_of(story.database, "stranger")
    extra = json.loads(lines[message_at(lines)]) | {"number": 2, "position": 1, "text": "later"}
    lines.insert(-1, json.dumps(extra) + "\n")
    change(lines, len(lines) - 1, messages=2)
    path = tmp_path / "out.jsonl"
    path.write_text("".join(lines), "utf-8")
    before = dump(story.database)
    report = bring(story.database, path)
    assert [one["reason"] for one in report.warnings] == [
        "has 1 rows here and 2 in the file; left as it is here"
    ]
    assert dump(story.database) == before
