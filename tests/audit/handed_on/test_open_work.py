"""A request that the handoff names in shorter words, or in another language, is not lost."""

from pathlib import Path

import pytest

from hermes_sessions.messages import Severity
from tests.audit.builders import assistant, compacted, hits, user

_PAIRS = Path(__file__).parents[1] / "planted" / "asked_last.txt"
PAIRS = [
    line.split(" | ")
    for line in _PAIRS.read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


def is_accused(before: list[str], body: str) -> bool:
    earlier, reply, request = before
    told = compacted([user(earlier), assistant(reply), user(request)], body=body.replace("~", "\n"))
    return any(one.severity is Severity.ERROR for one in hits(told, "last-request-lost"))


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair[0]}: {pair[3]}")
def test_a_request_in_shorter_words_is_named(pair: list[str]) -> None:
    assert not is_accused(pair[1:4], pair[4])


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair[0]}: {pair[3]}")
def test_a_request_that_no_open_line_names_is_lost(pair: list[str]) -> None:
    assert is_accused(pair[1:4], pair[5])
