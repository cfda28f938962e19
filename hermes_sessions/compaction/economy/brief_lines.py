"""Lines for a small handoff: nothing twice in one message, and talk behind what says something. Pure."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Final

from hermes_sessions.compaction.economy.fact_lines import LATER, STATEMENT, FactLine
from hermes_sessions.compaction.economy.settings.edits import is_marked
from hermes_sessions.compaction.economy.wording.binding_words import binding
from hermes_sessions.compaction.economy.wording.joined_names import JOINED_NAME
from hermes_sessions.facts.values import FactKind
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

Scored = tuple[FactLine, float]

_TALK: Final = frozenset({STATEMENT, FactKind.QUESTION, FactKind.REQUEST, FactKind.IDENTIFIER})
_KEPT_LENGTH: Final = frozenset({FactKind.DECISION, FactKind.ERROR, FactKind.REQUEST, FactKind.NEXT_STEP})
_ROWS: Final = frozenset({FactKind.ERROR, FactKind.TEST_RESULT, FactKind.COMMAND})
_TALK_LOSS: Final = 4.0
_PASTED_LOSS: Final = 4.0
_PIECE_LOSS: Final = 3.0
_ASKED_GAIN: Final = 3.0
"""Of what the user wants done next: that somebody went on does not say it was done."""

_VALUE_GAIN: Final = 2.0
"""Of a short sentence that names a thing and counts something."""

_LONG, _CHARS_A_POINT, _MOST_LENGTH_LOSS = 100, 20, 5.0
"""From how many characters a line costs more than what it says, and how fast."""

_NAME_INSIDE = late_pattern(r"(?<=[\w,] )[A-Z][a-z]")
_COUNT = late_pattern(r"(?<![\w-])\d")
_NUMBER = late_pattern(r"(?<![\w.-])\d[\d.,]*\d(?![\w-])")
_STAMPED = late_pattern(r"\W?\d{4}[-/.]\d\d[-/.]\d\d[T ]\d\d:\d\d|\W?\d\d:\d\d:\d\d")
_CODE = late_pattern(
    r"(?:- )?(?:(?:def|class|return|self\.|JOIN|SELECT)\b.*[(=]|(?:from \S+ )?import \w|self\.\w+ =)"
    r"|\w+(?:\.\w+)+ = \w|.*(?:[,({\[]$|\w\(.*\)[.:]|\w=\w+,|\):)"
)
_ASSIGNED = late_pattern(r"\w{1,30} ?[=:] ?\S{1,40}")
_STOPS: Final = ".!。！"
_MOST_CHARS: Final = 200


def brief_lines(scored: Iterable[Scored]) -> list[Scored]:
    """Return *scored* without what another line of the same message holds, talk scored lower.

    The longer of two lines stands, under the weightier kind and the better score. Talk names no thing
    and counts nothing; rows of logs and of code that somebody pasted count as talk, long lines nearly so.
    """
    lines = list(scored)
    by_message: dict[tuple[int, str, str], list[int]] = {}
    for place, (line, _) in enumerate(lines):
        if not line.is_path:
            by_message.setdefault((line.at, line.speaker, line.place), []).append(place)
    gone = _told_again([line for line, _ in lines]) | _changed_later([line for line, _ in lines])
    for (at, _, _), places in by_message.items():
        if at >= 0:
            gone |= _put_together(lines, sorted(places, key=lambda place: len(lines[place][0].text)))
    return [(line, score - _loss(line)) for place, (line, score) in enumerate(lines) if place not in gone]


def _told_again(lines: Sequence[FactLine]) -> set[int]:
    """Return the places of what a tool says of a file that stands in a line of its own."""
    paths = {line.text for line in lines if line.is_path and line.kind == FactKind.FILE_CHANGED}
    return {
        place
        for place, line in enumerate(lines)
        if line.kind == FactKind.FILE_CHANGED
        and line.speaker == Role.TOOL
        and not line.is_path
        and any(fact.value in paths for fact in line.slots)
    }


def _changed_later(lines: Sequence[FactLine]) -> set[int]:
    """Return the places of values that a later line about the same things gives up by naming them.

    *3388* is out where *queue_depth of orders is no longer 3388 but 641* stands.
    """
    things = [frozenset(JOINED_NAME.findall(line.text)) for line in lines]
    numbers = [frozenset(_NUMBER.findall(line.text)) for line in lines]
    giving_up: dict[tuple[str, str], list[int]] = {}
    for place, line in enumerate(lines):
        if len(numbers[place]) > 1 and line.at >= 0 and line.kind not in _ROWS and line.speaker != Role.TOOL:
            for key in ((thing, number) for thing in things[place] for number in numbers[place]):
                giving_up.setdefault(key, []).append(place)
    gone = set()
    for place, line in enumerate(lines):
        if len(numbers[place]) != 1 or not things[place] or line.kind in _ROWS:
            continue
        later = giving_up.get((min(things[place]), *numbers[place]), ())
        if any(lines[one].at > line.at and things[place] <= things[one] for one in later):
            gone.add(place)
    return gone


def _put_together(lines: list[Scored], places: Sequence[int]) -> set[int]:
    """Put each line into the shortest that holds it; return the places that are empty then."""
    holding = [
        place
        for place in places
        if len(lines[place][0].text) <= _MOST_CHARS and lines[place][0].kind != FactKind.REQUEST
    ]
    # What was asked at once holds no line: what is said in it stands alone. All are searched in one go.
    starts: list[int] = []
    end = 0
    for place in holding:
        starts.append(end)
        end += len(lines[place][0].text) + 1
    text = "\n".join(lines[place][0].text for place in holding)
    number = {place: at for at, place in enumerate(holding)}
    gone = set()
    for place in places:
        line, score = lines[place]
        bare = line.text.rstrip(_STOPS)
        if " " not in bare or "\n" in bare or len(bare) > _MOST_CHARS:
            continue
        behind = starts[number[place]] + len(line.text) if place in number else 0
        if (found := text.find(bare, behind)) < 0:
            continue
        other = holding[bisect_right(starts, found) - 1]
        longer, better = lines[other]
        if other == place or len(longer.text) < len(line.text):
            continue
        best = max(line, longer, key=lambda one: one.weight)
        whole = longer._replace(kind=best.kind, slots=(*longer.slots, *line.slots))
        lines[other] = (whole, max(score, better))
        gone.add(place)
    return gone


def _loss(line: FactLine) -> float:
    """What it takes from a line to say little for its length; below 0 for what says much."""
    if line.is_path or line.at < 0:
        return 0.0
    long = 0.0
    if line.kind not in _KEPT_LENGTH or line.speaker == Role.ASSISTANT:
        long = min(max(0, len(line.text.partition(LATER)[0]) - _LONG) / _CHARS_A_POINT, _MOST_LENGTH_LOSS)
    long += _PIECE_LOSS if line.text.startswith("…") else 0.0
    if line.speaker != Role.TOOL and _is_pasted(line):
        return long + _PASTED_LOSS
    thing = JOINED_NAME.search(line.text) is not None
    if line.kind == FactKind.NEXT_STEP and line.speaker == Role.USER:
        return long - _ASKED_GAIN
    counted = _COUNT.search(line.text) is not None
    if thing and counted and line.speaker == Role.USER and " " in line.text and len(line.text) <= _LONG:
        return long - _VALUE_GAIN
    named = thing or counted or (len(line.text) <= _LONG and _NAME_INSIDE.search(line.text) is not None)
    bare = line.kind in _TALK and not named and binding(line.text) <= 0
    return long + (_TALK_LOSS if bare else 0.0)


def _is_pasted(line: FactLine) -> bool:
    """Whether a line that somebody said is a row of a log, or of code."""
    if line.kind in (FactKind.COMMAND, FactKind.CONSTRAINT, FactKind.DECISION) or is_marked(line.slots):
        return False
    if _STAMPED.match(line.text) or _CODE.match(line.text):
        return True
    return _ASSIGNED.fullmatch(line.text) is not None and "-" not in line.text.partition("=")[0]
