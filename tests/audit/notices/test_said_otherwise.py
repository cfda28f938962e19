"""What a faithful summary says in its own way is no accusation, and its altered twin is one."""

import pytest

from hermes_sessions.audit.words.headings import PartKind, classify_heading
from hermes_sessions.messages import Severity
from tests.audit.builders import assistant, call, compacted, hits, tool, user
from tests.audit.relations.test_relations import accusations

FAILED = (
    user("Run the tests of the clients."),
    assistant("", call("terminal", key="c1", command="pytest")),
    tool("c1", "FAILED tests/clients/test_pay.py::test_key_kept\n2 failed, 19 passed in 3.4s"),
    assistant("Two fail, I mend them."),
)
MENDED = (
    *FAILED,
    assistant("", call("terminal", key="c2", command="pytest")),
    tool("c2", "21 passed in 3.2s"),
)
COUNTED = (
    user("Посчитай причины отказов."),
    assistant("", call("terminal", key="c1", command="count.py")),
    tool("c1", "top_reason price (412)\nrows 4012"),
    assistant("Главная причина — цена (412 человек)."),
)
RECOUNTED = (
    *COUNTED,
    user("Повтори без пробных аккаунтов."),
    assistant("", call("terminal", key="c2", command="count.py --no-trial")),
    tool("c2", "top_reason price (355)\nrows 3020"),
    assistant("Готово."),
)
KEY = (
    user("Why are payouts made twice?"),
    assistant("The client has a retry and no idempotency key."),
    user("Add one."),
    assistant("It sends a key derived from the row now."),
)
NO_KEY = (user("No idempotency key for the client of the payouts, please."), assistant("None is sent."))
ZONE = (
    user("Quel forfait pour la zone ?"),
    assistant("Starter plafonne à 25 lignes. La zone compte 31 enregistrements importés."),
)
ROOM = (user("Ask Morag."), assistant("Morag says that the room is free from 12 to 5."))


@pytest.mark.parametrize(
    ("said", "summary"),
    [
        pytest.param(MENDED, "All 21 tests pass, test_key_kept included.", id="a later run passed"),
        pytest.param(FAILED, "tests/clients: at first 2 failed, then all tests pass.", id="told itself"),
        pytest.param(RECOUNTED, "Главная причина: цена (355).", id="counted again"),
        pytest.param(KEY, "The client has a retry and an idempotency key.", id="how things stood before"),
        pytest.param(ROOM, "Morag hat den Raum von 12 bis 17 Uhr frei.", id="the end of a span of hours"),
        pytest.param(
            ZONE, "Starter plafonne à 25 enregistrements et la zone en compte 31.", id="counted by both"
        ),
    ],
)
def test_other_words_are_no_accusation(said, summary):
    assert not accusations(summary, *said)


@pytest.mark.parametrize(
    ("said", "summary"),
    [
        pytest.param(FAILED, "All tests pass, test_key_kept included.", id="no later run"),
        pytest.param(COUNTED, "Главная причина: цена (355).", id="counted once"),
        pytest.param(NO_KEY, "An idempotency key for the client of the payouts.", id="a user's demand"),
    ],
)
def test_what_is_turned_round_is_one(said, summary):
    assert accusations(summary, *said)


@pytest.mark.parametrize(
    ("title", "kind"),
    [("Active State", PartKind.OTHER), ("Current status", PartKind.OTHER), ("Active Task", PartKind.ACTIVE),
     ("Status of the current task", PartKind.ACTIVE), ("Pending", PartKind.PENDING)],
)  # fmt: skip
def test_a_state_is_no_task(title, kind):
    assert classify_heading(title) is kind


DEMO = (user("demo 租户始终保持原样，任何人不得修改。"), assistant("好的。"))
ESCROW = (user("At most 20, and only if it sits in an escrow account, always."), assistant("All right."))


@pytest.mark.parametrize(
    ("said", "body", "lost"),
    [
        (ESCROW, "Deposit: the ceiling is €20,000, in escrow.", False),
        (ESCROW, "The tea was ordered for Tuesday morning.", True),
        (DEMO, "计数改为按租户，demo 租户仍按 IP。", False),
    ],
)  # fmt: skip
def test_a_rule_that_may_be_told_by_its_number_or_by_what_goes_on_is_a_note(said, body, lost):
    told = compacted([*said, user("Go on."), assistant("Done.")], keep=[2, 3], body=body)
    assert any(hit.severity is not Severity.INFO for hit in hits(told, "rule-lost")) is lost
