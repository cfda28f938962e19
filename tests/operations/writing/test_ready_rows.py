"""Rows that are ready to be stored: every column has its place, and they can be had as they were read."""

from typing import Any

from hermes_sessions.agents.values import Family, MessageRow, SessionRow, Verdict
from hermes_sessions.lineage import Placement, Relation
from hermes_sessions.messages import MessageState
from hermes_sessions.operations.writing.ready_rows import ReadyBatches, ready_batches
from hermes_sessions.store.language.ready_messages import GIVEN, READY
from hermes_sessions.store.schema.models import Message


def message(ref: int, text: str, *, role: str = "user", extra: dict[str, Any] | None = None) -> MessageRow:
    return MessageRow(
        ref, str(ref), ref, role, MessageState.LIVE, 1.0 * ref, 0, None, None, None, None, text, None, None,
        None, extra,
    )  # fmt: skip


def family(*rows: MessageRow, **verdicts: Verdict) -> Family:
    return Family(
        sessions=[SessionRow(foreign_id="a")],
        placements={"a": Placement(Relation.ROOT, None)},
        verdicts={int(ref[1:]): one for ref, one in verdicts.items()},
        compactions=[],
        inherited={},
        row_count=len(rows),
        batches=lambda: iter([("a", list(rows[:1])), ("a", list(rows[1:]))]),
    )


def ready(one: Family) -> ReadyBatches:
    made = ready_batches(one, "hermes")
    assert made is not None
    return made


def test_each_column_of_a_message_is_ready_or_given():
    assert sorted((*READY, *GIVEN)) == sorted(column.name for column in Message.__table__.columns)


def test_rows_come_back_as_they_were_read():
    rows = [message(1, "hello", extra={"a": ["ä", 1]}), message(2, "yes", role="assistant")]
    assert list(ready(family(*rows))()) == [("a", rows)]


def test_a_session_is_counted_and_begins_with_what_was_asked_first():
    made = ready(family(message(1, "hello", role="assistant"), message(2, "do  it")))
    told = made.sessions["a"]
    assert (told.shown, told.newest, told.preview, made.chars) == (2, 2.0, "do it", 11)


def test_a_copy_is_neither_shown_nor_found():
    made = ready(family(message(1, "hello"), message(2, "hello"), r2=Verdict(copy_of=1)))
    (_, _, _, _, first), (_, source, _, _, second) = made.sessions["a"].rows
    assert (first is not None, source, second, made.sessions["a"].shown) == (True, 1, None, 1)


def test_a_copy_of_what_is_not_there_is_a_message():
    made = ready(family(message(1, "hello"), r1=Verdict(copy_of=7)))
    assert made.sessions["a"].shown == 1


def test_of_texts_that_are_too_long_nothing_is_made():
    assert ready_batches(family(message(1, "hello"), message(2, "yes")), "hermes", most_chars=7) is None
