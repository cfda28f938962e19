"""Active filters as tokens that can be taken off, one by one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class FilterToken:
    """One active filter in words, and the address of the same list without it."""

    label: str
    value: str
    link: str


def filter_tokens(
    filters: Mapping[str, str],
    labels: Mapping[str, str],
    link: Callable[[dict[str, Any]], str],
    words: Mapping[tuple[str, str], str] | None = None,
) -> tuple[FilterToken, ...]:
    """Return a token for each active filter that has a label.

    Args:
        filters: what the query string asks for, cursors left out.
        labels: the filters that are tokens, in words, in their order.
        link: returns the address of the list with these filters.
        words: (filter, value) -> the value in words, where it is not its own word.
    """
    return tuple(
        FilterToken(
            label,
            (words or {}).get((name, filters[name]), filters[name]),
            link({one: value for one, value in filters.items() if one != name}),
        )
        for name, label in labels.items()
        if filters.get(name)
    )
