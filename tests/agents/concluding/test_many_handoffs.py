"""A session with thousands of handoffs, real or quoted, is read in a time that grows with its rows."""

import pytest

from hermes_sessions.agents.concluding.parent_alignment import SessionInput
from hermes_sessions.agents.concluding.reconstruction import Reconstruction, reconstruct
from hermes_sessions.agents.concluding.row_facts import RowFacts
from hermes_sessions.lineage import SessionEvidence
from hermes_sessions.messages import MessageState
from tests.agents.concluding.test_alignment import fact
from tests.stopwatch import assert_growth

pytestmark = pytest.mark.slow

HANDOFFS = 800
GROWTH = 8.0


def read(count: int, *, carried: bool) -> Reconstruction:
    """A handoff after each second row; with *carried* the row before it stands behind it once more."""
    rows: list[RowFacts] = []
    for number in range(count):
        last = rows[-1:]
        rows.append(fact(f"handoff {number}", carrier="[CONTEXT SUMMARY]: x"))
        rows += [row._replace(id=fact("").id) for row in last if carried]
        rows += [fact(f"ask {number}"), fact(f"done {number}", role="assistant")]
    archived = [row._replace(state=MessageState.COMPACTED) for row in rows[1:-1]]
    return reconstruct({"a": SessionInput(SessionEvidence("a"), None, [*archived, rows[-1]])})


@pytest.mark.parametrize("carried", [True, False], ids=["carried over", "quoted"])
def test_many_handoffs_in_one_session_are_linear(carried: bool) -> None:
    assert_growth(
        lambda: read(HANDOFFS, carried=carried), lambda: read(4 * HANDOFFS, carried=carried), GROWTH
    )


def test_every_generation_is_found() -> None:
    assert len(read(100, carried=True).compactions) == 99
