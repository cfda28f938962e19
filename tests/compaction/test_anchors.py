"""Exact facts found by rule: what counts as one, what does not, and in linear time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_sessions.compaction import extract_facts, message_facts, text_facts
from hermes_sessions.compaction.anchors import KINDS, MAX_TEXT_CHARS
from hermes_sessions.messages import Fact, read_message
from tests.compaction.builders import assistant, call, result, user
from tests.stopwatch import cpu_seconds


def values(text: str, kind: str) -> list[str]:
    return [fact.value for fact in text_facts(text) if fact.kind == kind]


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("see src/app/main.py:42 now", "path", ["src/app/main.py:42"]),
        ("in /etc/hosts and ~/notes.txt.", "path", ["/etc/hosts", "~/notes.txt"]),
        ("open ../lib/x and main.py", "path", ["../lib/x", "main.py"]),
        (r"C:\Users\me\x.txt", "path", [r"C:\Users\me\x.txt"]),
        ("docs at https://example.com/a?b=1, see", "url", ["https://example.com/a?b=1"]),
        ("run `git push origin main` then", "command", ["git push origin main"]),
        ("$ pytest -q tests\n12 passed", "command", ["pytest -q tests"]),
        ("  npm run build --silent", "command", ["npm run build --silent"]),
        ("commit 3f78685 fixes #1234 and ABC-77", "id", ["3f78685", "#1234", "ABC-77"]),
        ("550e8400-e29b-41d4-a716-446655440000", "id", ["550e8400-e29b-41d4-a716-446655440000"]),
        ("order ord_8f3k2x9q1z is stuck", "id", ["ord_8f3k2x9q1z"]),
        ("SQLAlchemy 2.0.36 and v1.2.3rc1", "version", ["2.0.36", "v1.2.3rc1"]),
        ("took 3.5 ms for 12,345 rows, 98% hit", "number", ["3.5 ms", "12,345 rows", "98%"]),
        ("ValueError: bad rate\nfine", "error", ["ValueError: bad rate"]),
        ("exit code 2", "error", ["exit code 2"]),
        ("We decided to keep SQLite. Fine.", "decision", ["We decided to keep SQLite."]),
        ("TODO: write docs\n- [ ] ship", "todo", ["TODO: write docs", "- [ ] ship"]),
    ],
)
def test_a_fact_is_found_to_the_letter(text: str, kind: str, expected: list[str]) -> None:
    assert values(text, kind) == expected


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("and/or his/her 1/2 TCP/IP", "path"),
        ("https://example.com/src/app.py", "path"),
        ("the effaced facade", "id"),
        ("UTF-8 and SHA-256", "id"),
        ("in 2024 there were 3 of them", "number"),
        ("it took 3.5 and more", "version"),
        ("no errors at all", "error"),
        ("just some prose about nothing", "command"),
    ],
)
def test_what_only_looks_like_a_fact_is_left_alone(text: str, kind: str) -> None:
    assert values(text, kind) == []


def test_what_the_user_asked_is_a_fact_of_its_own() -> None:
    assert message_facts(read_message(user("Fix it\n  please")), 3)[0] == Fact("ask", "Fix it please", 3)


def test_facts_in_arguments_are_found_behind_escapes() -> None:
    message = read_message(
        assistant(None, call("x", "write", path="src\\n/a.py", command="make all", text="a\nValueError: x"))
    )
    found = message_facts(message)
    assert Fact("command", "make all", 0) in found
    assert Fact("error", "ValueError: x", 0) in found


def test_tool_output_holds_no_decisions() -> None:
    assert [fact.kind for fact in message_facts(read_message(result("x", "We decided to go.")))] == []


def test_facts_carry_the_index_of_their_message() -> None:
    messages = [read_message(user("a.py")), read_message(assistant("b.py"))]
    assert [(fact.value, fact.index) for fact in extract_facts(messages) if fact.kind == "path"] == [
        ("a.py", 0),
        ("b.py", 1),
    ]


def test_a_fact_counts_once_per_message() -> None:
    assert len(values("a.py a.py a.py", "path")) == 1


def test_a_long_text_is_read_at_both_ends() -> None:
    text = "first.py " + "x " * MAX_TEXT_CHARS + " last.py"
    assert values(text, "path") == ["first.py", "last.py"]


@given(st.text(max_size=400))
def test_every_value_is_short_and_stands_in_the_text(text: str) -> None:
    for fact in text_facts(text):
        assert fact.kind in KINDS
        assert 0 < len(fact.value) <= 500
        if fact.kind in ("path", "url", "id", "version", "number"):
            assert fact.value in text


HOSTILE = [
    *(
        "a",
        "a/",
        "/",
        "1.",
        "1,",
        "`git ",
        "error: ",
        "-",
        "_",
        "a.",
        "a-",
        "#1",
        "C:\\",
        "0123456789abcdef",
        "$ a",
    ),
    *(
        "中",
        "中/",
        "中a/",
        "中.",
        "é中",
        "decided ",
        "v1.1",
        "http://",
        "\n",
        ". ",
        "E   ",
        "A.Error",
        "....",
        "~/",
        "@@",
        "a_1",
    ),
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_takes_bounded_time(piece: str) -> None:
    text = piece * (MAX_TEXT_CHARS // len(piece))
    assert cpu_seconds(lambda: text_facts(text)) < 2.0
