"""What of the lost tool results was needed, and what that cost."""

import pytest

from hermes_sessions.audit.needed_later import MAX_CALLS, NeededLater
from hermes_sessions.audit.report import needed_words
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.tokens import MESSAGE_TOKENS
from tests.audit.builders import assistant, call, compacted, tool, user

RESULT = "created deploy-8f31c2 in /srv/app/releases/2026-03-01, see INV-2026-0042"


def needed(*following: AuditMessage, body: str = "It was created.", result: str = RESULT) -> NeededLater:
    before = [
        user("Create it. The gateway listens on port 8123."),
        assistant("", call("terminal", command="./create.sh --quick")),
        tool("c1", result),
        assistant("Which region is the cluster in?"),
        user("eu-west-1"),
        assistant("", call("read_file", "c2", path="src/app.py")),
        tool("c2", "print('hello')"),
        assistant("Created."),
    ]
    return compacted(before, keep=[7], body=body, following=[user("Go on."), *following]).measured().needed


@pytest.mark.parametrize(
    ("line", "used"),
    [
        ("promote deploy-8f31c2", 1),
        ("ls /srv/app/releases/2026-03-01", 1),
        ("promote it", 0),
        ("promote deploy-8f31", 0),
        ("echo created", 0),
    ],
)
def test_a_lost_result_is_needed_where_a_call_uses_a_string_of_it(line: str, used: int) -> None:
    found = needed(assistant("", call("terminal", command=line)))
    assert (found.results, found.used, found.used_in_sight) == (2, used, 0)


def test_what_the_handoff_holds_is_needed_and_in_sight() -> None:
    using = assistant("", call("terminal", command="promote deploy-8f31c2"))
    assert needed(using, body="It is deploy-8f31c2.").used_in_sight == 1


def test_what_a_newer_message_gave_was_not_needed() -> None:
    again = (assistant("", call("terminal", "d1", command="list")), tool("d1", "deploy-8f31c2"))
    assert needed(*again, assistant("", call("terminal", "d2", command="promote deploy-8f31c2"))).used == 0


def test_only_the_first_calls_are_looked_at() -> None:
    many = [assistant("", call("terminal", f"d{at}", command="date")) for at in range(MAX_CALLS)]
    using = assistant("", call("terminal", "e1", command="promote deploy-8f31c2"))
    assert (needed(*many[1:], using).used, needed(*many, using).used) == (1, 0)
    assert needed(*many, using).calls == MAX_CALLS


def test_reading_again_is_counted_with_its_price() -> None:
    reading = assistant("", call("terminal", "d1", command="cat src/app.py"))
    found = needed(reading, tool("d1", "print('hello')" * 50))
    assert found.read_again == 1
    assert found.tokens > 2 * MESSAGE_TOKENS + 100
    assert needed(assistant("", call("read_file", "d1", path="src/other.py"))).read_again == 0


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Which region is the cluster in?", 1),
        ("In which region is the cluster?", 1),
        ("Which port does the gateway listen on?", 1),
        ("Which port does the database listen on?", 0),
        ("Shall I delete the old release?", 0),
        ("The gateway has a port.", 0),
    ],
)
def test_a_question_is_asked_again_where_its_answer_was_lost(question: str, asked: int) -> None:
    assert needed(assistant(question), user("As I said.")).asked_again == asked


def test_nothing_is_counted_where_nothing_follows() -> None:
    before = [user("Hi"), assistant("", call("ls")), tool("c1", RESULT), assistant("Hello.")]
    assert compacted(before, keep=[3]).measured().needed == NeededLater(results=1)


def test_it_is_told_in_words() -> None:
    found = NeededLater(calls=40, results=12, used=3, used_in_sight=1, read_again=2, tokens=1_900)
    assert needed_words(found) == (
        "3 of 12 lost tool results used in the next 40 calls, 1 of them still in sight;"
        " 2 read again, 0 asked again (about 1,900 tokens)"
    )


def test_one_call_and_one_result_are_told_in_the_singular() -> None:
    found = NeededLater(calls=1, results=1, used=0, used_in_sight=0, read_again=0, tokens=0)
    assert needed_words(found).startswith("0 of 1 lost tool result used in the next call;")
