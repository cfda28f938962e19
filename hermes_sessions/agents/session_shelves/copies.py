"""Which session begins with another's messages: nothing but the messages themselves says so. Pure."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Final

_LEAST: Final = 2
"""How many messages are the same: one alone may be what a program asked of two sessions at once."""

Said = Callable[[str], Iterable[Hashable]]
"""A session's messages in order, each as what a copy of it has too."""


def copies_among(
    begun: Mapping[str, Hashable | None], said: Said, *, alone: bool = False
) -> Mapping[str, str]:
    """Return copy -> the session that it repeats the most of; the older one where several fit.

    Only sessions that begin alike are compared further; each of their messages is looked at once.

    Args:
        begun: how sessions begin, in the order in which they did; None is like nothing.
        alone: a session of one message may be a copy too.
    """
    groups: dict[Hashable, list[str]] = defaultdict(list)
    for one, key in begun.items():
        if key is not None:
            groups[key].append(one)
    found: dict[str, str] = {}
    for ids in groups.values():
        if len(ids) > 1:
            found.update(_parents(ids, said, alone=alone))
    return found


def _parents(ids: Sequence[str], said: Said, *, alone: bool) -> dict[str, str]:
    first: dict[int, str] = {}
    found: dict[str, str] = {}
    for one in ids:
        so_far, number, owner = 0, 0, one
        for number, key in enumerate(said(one), 1):
            so_far = hash((so_far, key))
            owner = first.setdefault(so_far, one)
            if owner != one and number >= _LEAST:
                found[one] = owner
        if alone and number < _LEAST and owner != one:
            found[one] = owner
    return found
