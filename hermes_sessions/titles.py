"""Titles of continuations: what ours are called, and what a chain of sessions is called. Pure."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from hermes_sessions.late_patterns import late_pattern

_NUMBERED: Final = late_pattern(r"^(?P<base>.*\S) #(?P<number>\d+)$", re.DOTALL)
_MOST_DIGITS: Final = 9
"""A longer number is what somebody called it."""


def title_base(title: str) -> str:
    """Return *title* without the ` #N` that a continuation's title ends with."""
    return split_title(title)[0]


def split_title(title: str) -> tuple[str, str | None]:
    """Return *title* without a continuation's number, and that number as written; None: it has none."""
    numbered = _NUMBERED.match(title)
    return (numbered["base"], numbered["number"]) if numbered else (title, None)


def next_title(title: str, others: Iterable[str | None]) -> str:
    """Return the title of what continues a session called *title*.

    Args:
        others: the titles in its conversation; the next number is higher than all of them.
    """
    base, _ = split_title(title)
    found = (split_title(other)[1] for other in others if other)
    numbers = [int(number) for number in found if number and len(number) <= _MOST_DIGITS]
    return f"{base} #{max([1, *numbers]) + 1}"


def conversation_title(titles: Sequence[str | None]) -> str | None:
    """Return the title of a chain from its sessions' titles, root first.

    The root's own title stays as typed; a rename further down the chain wins, without
    the number that was appended.
    """
    root = titles[0] if titles else None
    newest = next((title for title in reversed(titles[1:]) if title), None)
    if newest is None:
        return root
    if root is not None and title_base(newest) in (root, title_base(root)):
        return root
    return title_base(newest)
