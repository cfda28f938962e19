"""A tool's result that says that nothing came of the call, and results that only look like one."""

import pytest

from hermes_sessions.audit.checking.handoff_index import HandoffIndex
from hermes_sessions.audit.words.outcomes import has_failed


@pytest.mark.parametrize(
    "result",
    [
        '{"output": "", "exit_code": 1}',
        '{"exitCode" : -1}',
        '{"ok":\nfalse}',
        '{"error": "no such table"}',
        '{"is_error": true}',
        '{"status": "failed"}',
        "first line\n  Error: it broke",
        "Traceback (most recent call last):",
        "the tool exited with code 2",
        "Exited with 1",
        "curl returned 7",
        "the push was REJECTED",
        "x" * 3_000 + " permission denied",
    ],
)
def test_a_result_that_failed(result: str) -> None:
    assert has_failed(result)


@pytest.mark.parametrize(
    "result",
    [
        "",
        '{"output": "12 passed", "exit_code": 0}',
        '{"ok": true, "error": null}',
        "12 passed, 0 errors",
        "returned 0 rows",
        "exit code 0",
        "an errored word, unrejectedly",
    ],
)
def test_a_result_that_did_not(result: str) -> None:
    assert not has_failed(result)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("8123", True),
        ("812", False),
        ("src/app.py", True),
        ("app", True),
        ("ap", False),
        ("端口8123", True),
        ("“quoted  words”", True),
        ("v1.2", False),
        ("", False),
    ],
)
def test_a_value_stands_in_a_handoff_whole_or_not_at_all(value: str, said: bool) -> None:
    body = '- `src/app.py` listens on 端口8123, v1.2.3, and has "quoted words".'
    index = HandoffIndex([body])
    assert (index.says("id", value).likeness == "verbatim") is said
