"""How the words of a long pattern begin: where a text has none of these, the pattern need not be tried."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from hermes_sessions.late_patterns import late_pattern

_EDGE: Final = late_pattern(r"^(?:\\b|\(\?<?[=!][^()]*\))*")
_HEAD: Final = late_pattern(r"((?:[^\W\d_]|[ /']|\\\.){2,40})(?![?*{])")
_FOLDED: Final = str.maketrans("İı", "ii")


def fold_case(text: str) -> str:
    """Return *text* in small letters, those made the same that patterns of any case take for the same."""
    if not text.isascii():
        text = text.translate(_FOLDED) if "İ" in text or "ı" in text else text
    return text.casefold()


@cache
def heads_of(pattern: re.Pattern[str]) -> tuple[str, ...]:
    """Return how everything begins that *pattern* matches, in the letters of `fold_case`; nothing where that is not sure."""
    heads: set[str] = set()
    for shape in _flat(pattern.pattern):
        match = _HEAD.match(shape)
        if match is None:
            return ()
        heads.add(fold_case(match[1].replace("\\", "")))
    return tuple(sorted(heads))


def may_hold(pattern: re.Pattern[str], folded: str) -> bool:
    """Return whether *pattern* can be in the text that *folded* is of, as `fold_case` writes it."""
    heads = heads_of(pattern)
    return not heads or any(head in folded for head in heads)


def is_in(pattern: re.Pattern[str], text: str, folded: str) -> bool:
    """Return whether *pattern* is in a long *text*, of which *folded* is what `fold_case` makes: at its heads alone."""
    heads = heads_of(pattern)
    if not heads or len(text) != len(folded):
        return may_hold(pattern, folded) and pattern.search(text) is not None
    for head in heads:
        place = folded.find(head)
        while place >= 0:
            if pattern.match(text, place):
                return True
            place = folded.find(head, place + 1)
    return False


def _flat(shape: str) -> Iterator[str]:
    """Yield the alternatives of *shape*, those of a group that one begins with in its place."""
    for one in alternatives(shape):
        rest = _EDGE.sub("", one, count=1)
        end = _end_of_group(rest) if rest.startswith("(?:") else 0
        if end and rest[end : end + 1] not in ("?", "*", "{"):
            yield from _flat(rest[len("(?:") : end - 1])
        else:
            yield rest


def _end_of_group(shape: str) -> int:
    """Return where the bracket that *shape* begins with is closed, one after it."""
    depth = 0
    for at, sign in enumerate(shape):
        depth += (sign == "(") - (sign == ")")
        if not depth:
            return at + 1
    return 0


def alternatives(shape: str) -> Iterator[str]:
    """Yield what stands between the bars of *shape* that are in no brackets."""
    start = depth = 0
    is_class = False
    for at, sign in enumerate(shape):
        is_class = sign == "[" or (is_class and sign != "]")
        depth += 0 if is_class else (sign == "(") - (sign == ")")
        if sign == "|" and not (depth or is_class):
            yield shape[start:at]
            start = at + 1
    yield shape[start:]
