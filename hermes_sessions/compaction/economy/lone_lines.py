"""The odd line out: what stands once among the rows of a listing, a log or a table. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.late_patterns import late_pattern

_LEAST_LINES: Final = 5
_LEAST_NUMBERED: Final = 8
_ROWS: Final = 3
_ROWS_SHARE: Final = 0.7
"""So much of a text has to be rows, each form at least so often, before a line can stand out."""

_MOST: Final = 6
_LEAST_CHARS: Final = 8
_MOST_CHARS: Final = 200
_MOST_TOLD: Final = 3
_MOST_TOLD_LINES: Final = 400
_TOLD_CHARS: Final = 110
_OF_A_THING = late_pattern(
    r"(?=.*[A-Za-z]\w{2,}[-_][A-Za-z]\w{2,})(?:\[?[\w./:#=@-]+\]?:?,? ){2,12}[(\[]?[\w./:#=@'%€$-]+[)\]]?[.!]?"
)
_TOLD_OTHERWISE = late_pattern(
    r"^\W{0,3}\d{2,4}[-/:]\d\d|\S=\S+ .*\S=\S|^\s*(?:def|class|import|from|return|if|for)\b|\.py\b.*\bline \d|PASSED|FAILED|=="
)
_KEYED = late_pattern(r"\W{0,8}([^\W\d][\w.-]{0,60})\"?\s{0,4}[:=]\s")
_WORD = late_pattern(r"[\w./@-]+")
_LEAST_WORDS: Final = 2
_LEADS_SHARE: Final = 0.8
_NUMBER = late_pattern(r"\d+")
_PLACED = late_pattern(r"[^\s:]{0,300}[./][^\s:]{0,300}[:-]\d{1,7}[:-]")
_PROSE = late_pattern(r"(?:\W{0,3}[^\W\d_]{1,30}[^\s\w]{0,2}(?: |$)){4}")
_ENDS: Final = ".!?:;。！？"
_NUMBERED = late_pattern(r" {0,8}\d{1,7}(?:\t|\||→|: | │)")


def form_of(line: str) -> str:
    """Return what lines of one kind have in common: their key, else what is not words."""
    keyed = _KEYED.match(line)
    return keyed[1] if keyed else " ".join(_WORD.sub("w", line).split())


def lone_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield place and text of the few lines in a form of their own, where nearly all others are rows.

    Rows have one form, or at least begin alike: with a number of a line, a file and a line, a time, a name.
    """
    lines = text.split("\n")
    odd: frozenset[int] = frozenset()
    if len(lines) >= _LEAST_LINES:
        odd = _alone([form_of(line) if line.strip() else "" for line in lines], _ROWS_SHARE)
        odd = odd or _alone([lead_of(line) if line.strip() else "" for line in lines], _LEADS_SHARE)
    told = _told_of_things(lines)
    place = 0
    for number, line in enumerate(lines):
        said = line.strip()
        fits = _LEAST_CHARS <= len(said) <= _MOST_CHARS and not is_wrapped(lines, number)
        if (number in odd or number in told) and fits and len(_WORD.findall(said)) >= _LEAST_WORDS:
            yield place + len(line) - len(line.lstrip()), said
        place += len(line) + 1


def is_wrapped(lines: Sequence[str], number: int) -> bool:
    """Return whether a line is a piece of prose that was broken into lines: no part of it was said alone."""
    line = lines[number].strip()
    above = lines[number - 1].strip() if number else ""
    below = lines[number + 1].strip() if number + 1 < len(lines) else ""
    begun = line[:1].islower() and _is_broken(above)
    return begun or (_is_broken(line) and below[:1].islower() and _PROSE.match(below) is not None)


def _is_broken(line: str) -> bool:
    return _PROSE.match(line) is not None and line[-1:] not in _ENDS


def _told_of_things(lines: Sequence[str]) -> frozenset[int]:
    """Return the numbers of the few lines that say something of a named thing in plain words.

    Where many do, they are rows or a text about such things, and none stands out.
    """
    if len(lines) > _MOST_TOLD_LINES:
        return frozenset()
    often = Counter(form_of(line) for line in lines)
    found = frozenset(
        number
        for number, line in enumerate(lines)
        if len(line) <= _TOLD_CHARS
        and often[form_of(line)] < _ROWS
        and _OF_A_THING.fullmatch(line.strip())
        and not _TOLD_OTHERWISE.search(line)
    )
    return found if len(found) <= _MOST_TOLD and 2 * len(found) <= len(lines) else frozenset()


def stray_lines(text: str) -> list[str]:
    """Return the few lines of a listing with numbers that have none: they are no part of what was listed."""
    lines = [line for line in text.split("\n") if line.strip()]
    strays = [line.strip() for line in lines if not _NUMBERED.match(line)]
    if len(lines) < _LEAST_NUMBERED or not 0 < len(strays) <= _MOST:
        return []
    return [line for line in strays if _LEAST_CHARS <= len(line) <= _MOST_CHARS]


def lead_of(line: str) -> str:
    """Return how a line begins: the shape of what is not a word, or its first word where that is all."""
    first = line.split(maxsplit=1)[0]
    placed = _PLACED.match(first)
    if placed:
        return "place"
    return _NUMBER.sub("0", first)


def _alone(forms: Sequence[str], share: float) -> frozenset[int]:
    """Return the numbers of lines whose form is theirs alone, where enough others share theirs."""
    often = Counter(form for form in forms if form)
    rows = sum(count for count in often.values() if count >= _ROWS)
    odd = sum(count == 1 for count in often.values())
    if not 0 < odd <= _MOST or rows < share * sum(often.values()):
        return frozenset()
    return frozenset(number for number, form in enumerate(forms) if often[form] == 1)
