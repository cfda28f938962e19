from hermes_sessions.agents.concluding.rewritten import StoredRow, join_compacted, join_taken_back
from hermes_sessions.handoff import render_handoff
from hermes_sessions.handoff.grammars.hermes import GRAMMAR
from hermes_sessions.messages import MessageKind, MessageState
from tests.agents.concluding.test_row_facts import a_row

SUMMARY = render_handoff("What was done.")


def stored(first, *texts, kind=MessageKind.MESSAGE, copies=None):
    """Rows of a user and an agent in turn, with keys from *first* on."""
    roles = ("user", "assistant")
    rows = [a_row(text, roles[at % 2], ref=first + at) for at, text in enumerate(texts)]
    return [StoredRow(row, row.text, kind, (copies or {}).get(row.ref)) for row in rows]


def test_rows_written_again_are_copies_of_the_first_that_said_it():
    joined = join_taken_back(
        stored(1, "a", "b", "c", copies={2: 77}), stored(11, "a", "b", "instead"), GRAMMAR
    )
    assert joined.states == dict.fromkeys((1, 2), MessageState.SUPERSEDED)
    assert {key: one.copy_of for key, one in joined.copies.items()} == {11: 1, 12: 77}
    assert joined.event is None


def test_rows_that_a_compaction_replaced_are_its_span():
    new = [*stored(11, SUMMARY, kind=MessageKind.HANDOFF), *stored(12, "e", "f", "next")]
    joined = join_compacted(stored(1, "a", "b", "c", "d", "e", "f"), new, GRAMMAR)
    assert joined is not None
    assert joined.event is not None
    assert set(joined.states.values()) == {MessageState.COMPACTED}
    assert joined.summarised == {1, 2, 3, 4}
    assert {key: one.copy_of for key, one in joined.copies.items()} == {12: 5, 13: 6}
    assert (joined.event.span_first, joined.event.span_last, joined.event.span_messages) == (1, 4, 4)


def test_new_rows_without_a_handoff_are_no_compaction():
    assert join_compacted(stored(1, "a", "b"), stored(11, "c", "d"), GRAMMAR) is None
