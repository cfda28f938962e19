"""Exports that are imported again: the same rows, or one line about what is wrong."""

import json

import pytest
from sqlalchemy import select, update

from hermes_sessions.agents.export_file import source as read
from hermes_sessions.errors import SourceError
from hermes_sessions.exporters import jsonl as written
from hermes_sessions.exporters.masking import ExportMasker
from hermes_sessions.operations.exports.export_jsonl import iter_lines
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.conversations import get_conversation
from hermes_sessions.store.schema.models import Compaction, Message, Origin, Session
from tests.agents.hermes.hermes_builder import calls, row, session
from tests.operations.agent.agents import Agent
from tests.operations.dump import dump
from tests.operations.imports.scene import NOW, again, handoff, talk

KEPT = {
    Origin: {"id", "location", "cursor", "paused", "last_synced_at", "last_error"},
    Session: {
        "id", "origin_id", "conversation_id", "ordinal", "parent_id", "message_count", "shown_count",
        "last_active_at", "archived", "pinned", "note", "trashed_at",
    },
    Message: {"id", "session_id", "conversation_id", "copy_of", "archived_by", "search_key"},
    Compaction: {
        "id", "conversation_id", "ordinal", "number", "session_id", "parent_id", "child_id", "span_first_id",
        "span_last_id", "handoff_id", "retained", "audit", "saved_tokens", "worst_rank",
        "judgement",
    },
}  # fmt: skip
"""Columns that are keys (numbers in the file), derived again, or the reader's own marks.

A new column that is none of these goes into `exporters.jsonl` and `agents.export_file.source`.
"""


def lines_of(database, conversation, masker=None):
    with database.read() as db:
        found = get_conversation(db, conversation)
        return list(iter_lines(db, found, masker or ExportMasker(active=False)))


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


@pytest.mark.parametrize("here", ["jsonl", "hermes_jsonl"])
def test_an_origin_of_an_earlier_release_is_known_by_its_kind_of_today(story, other, tmp_path, here):
    path = tmp_path / "out.jsonl"
    written = "".join(lines_of(story.database, "a")).replace('"kind":"hermes",', '"kind":"hermes_jsonl",')
    path.write_text(written, "utf-8")
    bring(other, path)
    with other.write() as db:
        assert db.scalars(select(Origin.kind)).all() == ["jsonl"]
        db.execute(update(Origin).values(kind=here))
    assert bring(other, path).unchanged
    with other.read() as db:
        assert len(db.scalars(select(Origin)).all()) == 1


def test_masked_lines_are_not_taken_for_what_was_said(story, other, tmp_path):
    path = tmp_path / "out.jsonl"
    path.write_text("".join(lines_of(story.database, "a", ExportMasker())), "utf-8")
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


def test_an_export_of_an_older_version_gets_keys_and_grammars(story, other, tmp_path):
    lines = [json.loads(line) for line in lines_of(story.database, "a")]
    for line in lines:
        for name in ("handoff_grammar", "origin_key"):
            line.pop(name, None)
    path = tmp_path / "out.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    bring(other, path)
    with other.read() as db:
        framed = db.scalars(select(Message.handoff_grammar).where(Message.kind != "message")).all()
        keys = db.execute(select(Message.origin_key, Message.origin_row_id)).all()
    assert framed == ["hermes", "hermes"]
    assert [key for key, _ in keys] == [str(number) for _, number in keys]


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
        (lambda lines: lines.__setitem__(3, "{broken\n"), "line 4: is not JSON"),
        (lambda lines: lines.__setitem__(3, "[]\n"), "line 4: is not a JSON object"),
        (lambda lines: lines.append("{}\n"), "unknown kind"),
        (lambda lines: lines.append(lines[2]), "comes after lines of later kinds"),
        (lambda lines: change(lines, 0, version=2), "version 2"),
        (lambda lines: change(lines, message_at(lines), session=99), "its session is not in the file"),
        (lambda lines: change(lines, message_at(lines), copy_of=10**9), "points at one that is not"),
        (lambda lines: change(lines, message_at(lines), archived_by=10**9), "points at one that is not"),
        (lambda lines: change(lines, message_at(lines), role=None), "message.role is not text"),
        (lambda lines: change(lines, message_at(lines), state="lost"), "unknown value 'lost'"),
        (lambda lines: change(lines, message_at(lines), text="a\0b"), "message.text is not text"),
        (lambda lines: change(lines, message_at(lines), text="\ud800"), "message.text is not text"),
        (
            lambda lines: change(lines, message_at(lines), extra={"a": ["\0"]}),
            "message.extra is not an object",
        ),
        (lambda lines: change(lines, message_at(lines), token_count=2**70), "is not a whole number"),
        (lambda lines: change(lines, message_at(lines), created_at=True), "created_at is not a number"),
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
