"""A message of nothing but a role and a text has a shorter way to its row: the same row."""

from collections import OrderedDict
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest

from hermes_sessions.operations import transcript


class Text(str):
    """Not what JSON gives back."""


PLAIN: list[dict[str, Any]] = [
    {"role": "user", "content": "hello"},
    {"content": "", "role": "assistant"},
    {"role": "tool", "content": "Größe 日本語 😀"},
    {"role": "session_meta", "content": "x\ny"},
]
OTHERS: list[Mapping[Any, Any]] = [
    {"role": "user", "content": None},
    {"role": "user"},
    {"role": "user", "name": "n"},
    {"role": "user", "content": "x", "timestamp": 1_790_000_000},
    {"role": "user", "content": "nul \0"},
    {"role": "user\ud800", "content": "half"},
    {"role": "user", "content": "half \ud800"},
    {"role": "user", "content": ["x", {"type": "text", "text": "y"}]},
    {"role": Text("user"), "content": Text("x")},
    MappingProxyType({"role": "user", "content": "x"}),
    OrderedDict(role="user", content="x"),
]


@pytest.mark.parametrize("message", PLAIN)
def test_the_shorter_way_leads_to_the_same_row(message: dict[str, Any]) -> None:
    short = transcript._plainly_said(message, 5.0)
    assert short == transcript._row_of(message, 5.0)


@pytest.mark.parametrize("message", OTHERS)
def test_what_is_more_or_less_goes_the_long_way(message: Mapping[Any, Any]) -> None:
    assert transcript._plainly_said(message, 5.0) is None


def test_no_two_rows_share_their_columns() -> None:
    rows = [transcript.plain_row(transcript.row_of(PLAIN[0], 5.0)) for _ in range(2)]
    rows[0]["extra"] = {"a": 1}
    assert rows[1]["extra"] is None
