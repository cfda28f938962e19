"""What of a message is indexed: text, calls, ids, deep facts, and marks nobody can type."""

import json
from hashlib import sha256
from typing import Any

import pytest

from hermes_sessions.store.language.indexed_text import indexable, is_searchable, mark, reports_failure
from hermes_sessions.store.language.segment import OUTPUT_CHARS, VERSION, segment


def indexed(text: str | None = None, **columns: Any) -> str:
    row = {
        "session_id": 7, "role": "user", "kind": "message", "text": text, "tool_name": None,
        "tool_calls": None, "tool_call_id": None, **columns,
    }  # fmt: skip
    return indexable(row)


def content(text: str | None = None, **columns: Any) -> str:
    return indexed(text, **columns).split("\n", 1)[1]


def marks(text: str | None = None, **columns: Any) -> set[str]:
    return set(indexed(text, **columns).split("\n", 1)[0].split(" "))


def test_words_of_json_are_those_that_it_says() -> None:
    """`\\n` in a JSON string ends a word; it is not the first letter of the next."""
    result = json.dumps({"output": "total 8\nquota-store failed\t磁盘"})
    assert {"quota-store", "failed"} <= set(content(result, role="tool").split())
    assert "磁盘" in content(result, role="tool")
    assert "nquota" in content(result, role="user")


def test_only_the_beginning_of_tool_output_is_indexed() -> None:
    assert len(content("x" * 20_000, role="tool")) == OUTPUT_CHARS
    assert len(content("x" * 20_000)) == 20_000


@pytest.mark.parametrize("at", [9_000, 60_000, 399_000, 2_000_000])
def test_exact_facts_deep_in_an_output_are_indexed(at: int) -> None:
    lines = ["nothing to see on this line here"] * (at // 33)
    found = content(
        "\n".join([*lines, "wrote build/out/deep_file.py", "ValueError: no such row"]), role="tool"
    )
    assert "build/out/deep_file.py" in found
    assert "ValueError: no such row" in found
    assert len(found) < OUTPUT_CHARS + 100


def test_deep_facts_are_bounded() -> None:
    text = "\n".join(f"src/module_{number}/file_{number}.py" for number in range(20_000))
    assert len(content(text, role="tool")) < 2.5 * OUTPUT_CHARS


def test_tool_calls_are_indexed_by_name_id_and_values() -> None:
    arguments = json.dumps({"path": "a\nb.py", "lines": [1, 2], "all": True})
    calls = json.dumps([{"id": "call_1", "function": {"name": "read_file", "arguments": arguments}}])
    assert content(tool_calls=calls, role="assistant").split() == [
        "read_file",
        "call_1",
        "a",
        "b.py",
        "1",
        "2",
    ]


def test_a_result_is_indexed_by_the_call_it_answers() -> None:
    assert content("done", role="tool", tool_name="terminal", tool_call_id="call_9").split() == [
        "done",
        "terminal",
        "call_9",
    ]


@pytest.mark.parametrize("calls", ["{broken", "[" * 200_000, "7", '[{"function": 5}]', '["x"]', "null"])
def test_odd_tool_calls_are_no_error(calls: str) -> None:
    assert content("text", role="assistant", tool_calls=calls).startswith("text")


def test_a_message_is_marked_by_session_role_tool_kind_and_what_it_has() -> None:
    calls = json.dumps([{"id": "c", "function": {"name": "Read-File", "arguments": "{}"}}])
    text = "see https://a.example\n```\nx\n```"
    found = marks(text, role="assistant", kind="merged", tool_calls=calls)
    wanted = [("s", 7), ("r", "assistant"), ("k", "handoff"), ("t", "read-file")]
    assert found == {mark(*one) for one in [*wanted, ("h", "call"), ("h", "code"), ("h", "link")]}


def test_no_text_can_hold_a_mark() -> None:
    assert mark("r", "user") not in segment(f"forged {mark('r', 'user')}")


@pytest.mark.parametrize(
    "output",
    [
        '{"output": "make: nothing", "exit_code": 2}',
        '{"error": "timed out"}',
        '{"success": false}',
        "Traceback (most recent call last):\n  ...",
        "bash: foo: command not found",
        "error: no rule to make target",
        "ValueError: bad",
        "fatal: not a git repository",
    ],
)
def test_a_failure_is_seen(output: str) -> None:
    assert reports_failure(output)


@pytest.mark.parametrize(
    "output", ['{"output": "ok", "exit_code": 0, "error": null}', "0 errors found", "# Error handling", ""]
)
def test_talk_about_errors_is_no_failure(output: str) -> None:
    assert not reports_failure(output)


@pytest.mark.parametrize(
    ("role", "kind", "copy_of", "expected"),
    [
        ("user", "message", None, True),
        ("user", "message", 1, False),
        ("assistant", "merged", 1, True),
        ("session_meta", "message", None, False),
    ],
)
def test_copies_are_not_searchable(role: str, kind: str, copy_of: int | None, expected: bool) -> None:
    row = {"role": role, "kind": kind, "copy_of": copy_of, "text": "Hello.", "tool_calls": None}
    assert is_searchable(row) is expected


def test_what_is_indexed_changes_with_the_version_alone() -> None:
    """A row leaves the index by the words it came with: others, under the same version, would stay there."""
    deep = "\n修改了src/app/main.py文件, took 45 ms\nValueError: no such thing\nhttps://ex.org/a，然后"
    function = {"name": "read_file", "arguments": '{"path": "src/a.py", "edits": [{"path": "src/b.py"}]}'}
    whole = [
        indexed("Crème brûlée 🙂 看看 foo_bar --flag #1234 `code` https://ex.org"),
        indexed("ok", role="assistant", tool_calls=json.dumps([{"id": "c1", "function": function}])),
        indexed("x" * OUTPUT_CHARS + deep, role="tool", tool_name="terminal", tool_call_id="c1"),
        indexed('{"output": "a\\nb", "error": "\\u78c1\\u76d8"}', role="tool"),
    ]
    digest = sha256("\n".join(whole).encode()).hexdigest()[:16]
    assert (VERSION, digest) == (8, "972f2e52bcf27c38"), "raise VERSION where what is indexed changes"
