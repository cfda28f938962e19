"""One line for many that differ in one number: *Reading part {18..50} now.* Pure.

An agent that goes through sixty files says so sixty times. Nothing that was said is lost: all numbers stand.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from hermes_sessions.compaction.economy.fact_lines import LINE_CHARS, STATEMENT, FactLine
from hermes_sessions.facts.values import FactKind
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_LEAST: Final = 4
_RUN: Final = 4
_TALK: Final = frozenset({STATEMENT, FactKind.IDENTIFIER, FactKind.NAME, FactKind.NUMBER})
_NUMBER: Final = late_pattern(r"\d+")
_SIGN: Final = "\0"


def alike_as_one(lines: Sequence[FactLine]) -> tuple[list[FactLine], frozenset[str]]:
    """Return *lines*, those of one speaker that differ in one number as one, at the place of the newest.

    Returns:
        The lines, and the texts of those that stand for many.
    """
    groups: dict[tuple[str, str, bool], list[int]] = {}
    for place, line in enumerate(lines):
        if line.kind in _TALK and line.speaker != Role.TOOL and len(_NUMBER.findall(line.text)) == 1:
            key = (line.speaker, _NUMBER.sub(_SIGN, line.text), line.at < 0)
            groups.setdefault(key, []).append(place)
    told: dict[int, FactLine] = {}
    gone: set[int] = set()
    for (_, shape, _), places in groups.items():
        if len(places) < _LEAST:
            continue
        numbers = (_NUMBER.findall(lines[place].text)[0] for place in places)
        text = shape.replace(_SIGN, f"{{{','.join(_runs(numbers))}}}")
        if len(text) <= LINE_CHARS:
            gone.update(places[:-1])
            told[places[-1]] = lines[places[-1]]._replace(text=text, place="")
    kept = [told.get(place, line) for place, line in enumerate(lines) if place not in gone]
    return kept, frozenset(line.text for line in told.values())


def _runs(numbers: Iterable[str]) -> Iterator[str]:
    """Yield numbers in order, each once; four or more that follow one another as first and last."""
    found = sorted(dict.fromkeys(numbers), key=int)
    run: list[str] = []
    for number, following in pairwise((*found, "")):
        run.append(number)
        if not following or int(following) != int(number) + 1:
            yield from [f"{run[0]}..{run[-1]}"] if len(run) >= _RUN else run
            run = []
