"""The quick looks before long patterns: none of them may miss what its pattern matches."""

import re
from collections.abc import Iterator
from itertools import islice, product
from re import _constants as signs
from re import _parser as parser
from typing import Any

from hermes_sessions.audit.words.wording import NOT_YET, is_open
from hermes_sessions.facts.polarity import NEGATION, is_negated

MOST = 400


def texts_of(pattern: re.Pattern[str]) -> Iterator[str]:
    """Yield texts that the parts of *pattern* describe: every branch, what is optional with and without."""
    for branch in branches(parser.parse(pattern.pattern, pattern.flags)):
        yield from islice(spell(branch), MOST)


def branches(node: Any) -> Iterator[Any]:
    """Yield the alternatives of a pattern, those inside a leading or trailing `\\b` taken apart."""
    items = list(node)
    for at, (kind, value) in enumerate(items):
        inside = value[-1] if kind is signs.SUBPATTERN else value if kind is signs.BRANCH else None
        alone = list(inside or ()) if kind is signs.SUBPATTERN else []
        if len(alone) == 1 and alone[0][0] is signs.BRANCH:
            inside = alone[0][1]
        if isinstance(inside, tuple):
            for one in inside[1]:
                yield from branches([*items[:at], *one, *items[at + 1 :]])
            return
    yield items


def spell(items: Any) -> Iterator[str]:
    """Yield the texts of one alternative."""
    parts = [list(islice(part(kind, value), 6)) for kind, value in items]
    for chosen in product(*parts):
        yield "".join(chosen)


def sign_of(one: Any) -> str:
    """Return a sign of a set: a letter, the first of a range, `e` for a class."""
    kind, value = one
    if kind is signs.CATEGORY:
        return "e"
    return chr(value) if kind is signs.LITERAL else chr(value[0]) if kind is signs.RANGE else ""


def part(kind: Any, value: Any) -> Iterator[str]:
    if kind is signs.LITERAL:
        yield chr(value)
    elif kind is signs.IN:
        yield from filter(None, map(sign_of, value))
    elif kind is signs.ANY:
        yield " "
    elif kind in (signs.MAX_REPEAT, signs.MIN_REPEAT):
        least, _, inside = value
        once = list(islice(spell(inside), 6))
        yield from ("".join([one] * times) for times in (least, least + 1) for one in once)
    elif kind is signs.SUBPATTERN:
        yield from spell(value[-1])
    elif kind is signs.BRANCH:
        for one in value[1]:
            yield from spell(one)
    else:
        yield ""


def test_the_quick_look_knows_every_word_of_negations() -> None:
    found = [text for text in texts_of(NEGATION) if NEGATION.fullmatch(text)]
    assert len(found) > 60
    assert [text for text in found if not is_negated(f"x {text} y")] == []


def test_the_quick_look_knows_all_that_is_still_open() -> None:
    found = [text for text in texts_of(NOT_YET.pattern) if NOT_YET.search(text)]
    assert len(found) > 60
    assert [text for text in found if not is_open(text)] == []
