r"""Results that a handoff quotes as JSON, with `\n` written as two signs, are held against what they were."""

from hermes_sessions.audit.checking.deviation import Deviation
from tests.audit.builders import assistant, call, compacted, tool, user

_RESULT = r'{"output": "....\n4 passed in 0.31s\nLater maps of queue.", "exit_code": 0, "error": null}'


def _found(body: str, result: str = _RESULT) -> list[Deviation]:
    told = compacted(
        [
            user("Run the tests."),
            assistant("", call("terminal", command="pytest -q")),
            tool("c1", result),
            assistant("They pass."),
        ],
        body=body,
    )
    return list(told.measured().deviations)


def test_a_quoted_result_is_words_that_were_there() -> None:
    assert _found(f"## Blocked\n- {_RESULT}") == []


def test_a_result_that_nobody_had_is_none() -> None:
    other = _RESULT.replace("Later maps of queue", "Broken pipes and dead letters everywhere")
    assert any(one.kind == "quotation" for one in _found(f"- {other}"))


def test_the_number_of_an_item_is_no_number_that_nothing_has() -> None:
    items = "\n".join(f"{number}. Ran the tests" for number in range(1, 13))
    assert not [one for one in _found(items) if one.value in ("11", "12")]


def test_a_path_of_windows_keeps_its_signs() -> None:
    told = _found(r"- Wrote C:\new\notes.txt", "ok")
    assert any("new" in one.value for one in told)
