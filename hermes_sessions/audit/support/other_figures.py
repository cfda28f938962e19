"""Figures of a handoff that its source has for something else, while another one stands there for just this.

The measure is the margin between the places of both: what part of what the figure is of the best place of
another one names, less what the best place of its own names. A figure that stands nowhere is not judged here.
"""

import re
from collections import defaultdict
from collections.abc import Collection, KeysView, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.align import Alignment
from hermes_sessions.audit.alignment.bindings import is_base
from hermes_sessions.audit.alignment.items import items_of_word, names_in
from hermes_sessions.audit.alignment.slot_values import words_of
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode
from hermes_sessions.audit.figures.told_figures import FigureTelling, ToldFigures
from hermes_sessions.audit.relations.replaced_values import FORMER_NUMBER
from hermes_sessions.audit.relations.replacing import replaces, tells_former
from hermes_sessions.audit.sources.growth import is_grown_count
from hermes_sessions.audit.support.crossed_figures import crossed_figures, crossed_pairs
from hermes_sessions.audit.support.figures import Figure, became, is_near, is_same, is_small, keys_of
from hermes_sessions.audit.support.standing import Compared, FigurePlace, Standings
from hermes_sessions.facts.equivalence import spelled
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

MOST_HELD: Final = 500
"""So many figures of a handoff are held against those of its source; what has more is a table."""
_SURE: Final = 0.42
"""A margin that no faithful sentence of the pairs has whose figure is bound to what tells most."""
_NOTED: Final = 0.08
_ALL: Final = 1 + 1e-9
"""No place names more than everything; sums of parts are off by less."""
_FIRST: Final = 3
_FIRM: Final = 0.45
"""Of so much of what a figure is of a place that names it leaves no doubt: no other measure is asked."""
_TOLD: Final = 1.2
"""So much has to be told of a figure before a reader is warned: more than one rare thing."""
_TOLD_BESIDE: Final = 1.5
"""So much where one sentence has both figures: a price and what it makes for two."""
_TOLD_THERE: Final = 1.1
"""So much the place of the other figure has to name."""
_TOLD_OF_A_NAME: Final = 2.0
_TOLD_OF_A_PERSON: Final = 2.4
_MOST_OF_A_PERSON: Final = 0.7
_NONE_OF_A_PERSON: Final = 0.25
_LEAST: Final = 0.8
_ALONE: Final = 0.5
"""So much of it the sentence with the other figure has to have itself."""
_PASSING: Final = 0.12
_ELSEWHERE: Final = 4
"""A sentence that names so much else, and hardly anything of it, is about another thing."""
_CHANGED: Final = 0.5
"""A change of a setting need name no more than its key: so much of what the former place names."""
_SUMS: Final = late_pattern(
    r"\b(?:total\w*|altogether|together|overall|sum|insgesamt|gesamt\w*|zusammen|summe|ensemble|totalit\w+|juntos|juntas|suma\w*|soma\w*"
    r"|totale|insieme|somma|samen|totaal|łącznie|razem|suma|всего|итого|вместе)\b|合計|合计|总共|共",
    re.I,
)
"""A figure of several things together is of another thing than of one of them."""
_ENTRY: Final = late_pattern(r"[,;|\n、，；]|[.:!?。](?:\s|$)")
"""Where an entry of a list ends."""
_CALL: Final = late_pattern(r'\w[\w.-]* \{\s?"')
_EDIT: Final = late_pattern(r"\bsed -i|\"new_str|\bs[/|#][^/|#\n]{1,80}[/|#]")
_KINDS: Final = {"date": "date", "clock": "time", "person": "name", "hash": "hash", "number money": "money"}


class _Written:
    """The figures of a handoff and its words, each with what its sentence names."""

    def __init__(self, texts: Sequence[str], standings: Standings) -> None:
        self._figures: dict[str, list[tuple[Figure, KeysView[str]]]] = defaultdict(list)
        self._words: dict[str, list[KeysView[str]]] = defaultdict(list)
        for text in texts:
            reading = standings.read(text)
            for one in reading.figures:
                for key in keys_of(one):
                    self._figures[key].append((one, reading.places.keys()))
            for word in words_of(text):
                self._words[word].append(reading.places.keys())

    def has(self, figure: Figure, about: Collection[str] | None = None) -> bool:
        """Return whether a figure is written, in digits or words; *about* something where that is given."""
        for key in keys_of(figure):
            for one, named in self._figures.get(key, ()):
                if is_same(one, figure) and (about is None or not named.isdisjoint(about)):
                    return True
        words = {figure.value} if figure.sort == "person" else _in_words(figure)
        return any(
            about is None or not named.isdisjoint(about)
            for word in words
            for named in self._words.get(word, ())
        )


def _in_words(figure: Figure) -> frozenset[str]:
    """Return how a small number is said in words."""
    if not figure.value.startswith("#"):
        return frozenset()
    return frozenset(one.strip() for one in spelled(f"{figure.value[1:]} "))


class HeldFigures(NamedTuple):
    """What came of holding the figures of a handoff against those of its source.

    Attributes:
        found: the figures that are something else's: certain where the margin is wide, else as a note.
        firm: of each sentence the figures that its source has for just this, as they are written.
    """

    found: Sequence[Deviation]
    firm: Mapping[str, Sequence[str]]


def hold_figures(aligned: Alignment, figures: ToldFigures) -> HeldFigures:
    """Hold each figure of a handoff against the places where it and others stand; *figures* can tell it."""
    standings = Standings(aligned.bindings)
    written = _Written([claim.text for claim in aligned.claims], standings)
    found: list[Deviation] = []
    firm: dict[str, list[str]] = {}
    held = 0
    for claim in aligned.claims:
        if held >= MOST_HELD:
            break
        compared = list(standings.compare(claim))
        held += len(compared)
        pairs = list(crossed_pairs(claim, standings))
        crossed = {one.value for pair in pairs for one in (pair.one, pair.other) if pair.is_sure}
        found += (crossed_figures(claim, pair) for pair in pairs)
        for one in compared:
            if not one.is_said:
                unsaid = _of_nothing(one, written, figures) or _not_of_this(one, written, figures)
                found += [] if unsaid is None else [unsaid]
                continue
            if any(own.score >= _FIRM * one.total for own in one.likely):
                firm.setdefault(claim.text, []).append(claim.text[one.figure.start : one.figure.end])
            if one.figure.value not in crossed:
                of_another = (
                    _of_another(one, written) or _replaced(one, written) or _of_a_neighbour(one, written)
                )
                found += [] if of_another is None else [of_another]
    return HeldFigures(found, firm)


def _of_another(one: Compared, written: _Written) -> Deviation | None:
    """Return where another figure stands for what this one is of, and this one does not."""
    if one.total < _LEAST or is_base(one.figure.value.removeprefix("#"), one.claim.text):
        return None
    if _leaves_no_room(one.total * _ALL, one, _FIRST):
        return None
    start = one.last(lambda own: _is_of_it(own, one))
    bound = one.bound(max(start, 0))
    if not bound or _leaves_no_room(bound[0].score, one):
        return None
    rival = next((other for other in one.rivals(max(start, 0)) if _may_count(other, one)), None)
    if rival is None or not rival.is_bound:
        return None
    margin = (rival.score - one.own[0].score) / one.total
    is_new = not written.has(rival.figure, one.telling if is_small(rival.figure) else None)
    is_wide = margin >= _SURE and rival.alone >= _ALONE * rival.score and one.total >= _TOLD
    beside = [own for own in one.own if own.place == rival.place]
    is_whole = not beside or (one.total >= _TOLD_BESIDE and all(_is_of_another_entry(own) for own in beside))
    if is_new and is_wide and is_whole and _is_told(one, rival):
        return _deviation(one, rival, Grade.CONTRADICTS, "of-another")
    if margin < (_NOTED if is_new else _SURE) or (beside and one.figure.sort == "person"):
        return None
    return _deviation(one, rival, Grade.NOT_VERBATIM, "stands-elsewhere")


def _leaves_no_room(most: float, one: Compared, places: int | None = None) -> bool:
    """Return whether one of so many *places* of a figure names so much that *most* is hardly more."""
    return any((most - own.score) / one.total < _NOTED for own in islice(one.likely, places))


def _is_of_another_entry(own: FigurePlace) -> bool:
    """Return whether a figure has an entry with words of its own: `18:15 choir, 18:45 fireworks`."""
    text, figure = own.said.text, own.figure
    start = max((found.end() for found in _ENTRY.finditer(text, 0, figure.start)), default=0)
    end = _ENTRY.search(text, figure.end)
    named = names_in(f"{text[start : figure.start]} {text[figure.end : end.start() if end else None]}")
    return any(not one.startswith("#") for one in named)


def _is_told(one: Compared, rival: FigurePlace) -> bool:
    """Return whether the place of another figure names enough to be sure; of people it is most."""
    if _SUMS.search(rival.said.text) and not _SUMS.search(one.claim.text):
        return False
    if one.figure.sort == "person":
        is_whole = rival.score >= _MOST_OF_A_PERSON * one.total
        is_elsewhere = all(own.alone <= _NONE_OF_A_PERSON * one.total for own in one.own)
        return is_whole and is_elsewhere and rival.score >= _TOLD_OF_A_PERSON
    least = _TOLD_OF_A_NAME if one.figure.sort.startswith("name") else _TOLD_THERE
    return (rival.score >= least or one.figure.sort == "hash") and _is_told_outside(one, rival)


def _of_nothing(one: Compared, written: _Written, figures: ToldFigures) -> Deviation | None:
    """Return a figure that is nowhere and can be told of nothing, of something that the source speaks of.

    Where another figure stands for just that, some two numbers of which it could be worked out are no excuse,
    unless the sentence says that it is a sum or a rest; else there may be none.
    """
    figure, line = one.figure, one.claim.text
    if not _is_specific(figure, line) or one.total < _SPOKEN_OF or one.claim.mode is not Mode.STATED:
        return None
    if _PART.match(line, figure.end):
        return None
    telling = figures.telling(line[figure.start : figure.end], line)
    if telling > FigureTelling.POSSIBLE:
        return None
    rival = next(iter(one.bound()), None)
    if rival is not None and _stands_for_it(rival, one, written):
        is_bare = _RECKONS.search(line) is None and not tells_former(line)
        is_sure = telling is FigureTelling.NOWHERE or (one.total >= _TOLD and is_bare)
        return _deviation(one, rival, Grade.CONTRADICTS, "said-nowhere") if is_sure else None
    if telling is FigureTelling.POSSIBLE or len(figure.value) <= _DIGITS:
        return None
    return Deviation(
        Grade.INVENTED, _kind(figure), line[figure.start : figure.end], line, "said-nowhere", "", "", None
    )


def _not_of_this(one: Compared, written: _Written, figures: ToldFigures) -> Deviation | None:
    """Return a number that its source never has beside what it is of, where another one is just there."""
    rival = _unwritten(one, written) if one.figure.sort.startswith("number") else None
    if rival is None or rival.score < max(_ALONE, _PART_OF * one.total):
        return None
    words = one.claim.text[one.figure.start : one.figure.end]
    as_written = re.compile(rf"(?<![\w.,]){re.escape(words)}(?!\w|[.,]\d)")
    if not any(map(as_written.search, figures.texts)):  # where it is, all numbers need not be read to know it
        telling = figures.telling(words, one.claim.text)
        if telling in (FigureTelling.RECKONED, FigureTelling.REWORDED):
            return None
    return _deviation(one, rival, Grade.NOT_VERBATIM, "stands-elsewhere")


def _of_a_neighbour(one: Compared, written: _Written) -> Deviation | None:
    """Return where another sentence of the message has another figure and names more: of two things."""
    rival, own = _unwritten(one, written) if one.total >= _LEAST else None, one.own[0]
    if rival is None or not own.is_bound or not 0 < own.score < rival.score >= _PART_OF * one.total:
        return None
    is_beside = own.said.message == rival.said.message and all(at.place != rival.place for at in one.own)
    return _deviation(one, rival, Grade.NOT_VERBATIM, "stands-elsewhere") if is_beside else None


def _unwritten(one: Compared, written: _Written) -> FigurePlace | None:
    """Return the best place of another figure for what this one is of that the handoff has nowhere."""
    is_asked = one.claim.mode is Mode.STATED and not one.figure.sort.startswith("name")
    for other in one.bound() if is_asked else ():
        about = one.telling if is_small(other.figure) else None
        if is_near(one.figure, other.figure) and not written.has(other.figure, about):
            return other
    return None


def _stands_for_it(rival: FigurePlace, one: Compared, written: _Written) -> bool:
    """Return whether a sentence with another figure, which the handoff lacks, is about just the same."""
    if rival.score < _KNOWN * one.total or rival.alone < _ALONE * rival.score or written.has(rival.figure):
        return False
    return _CALL.match(rival.said.text) is None and _is_told_outside(one, rival)


def _is_specific(figure: Figure, line: str) -> bool:
    """Return whether a number has three digits that count, or two and a unit; `25.07` is a day."""
    if not figure.sort.startswith("number"):
        return False
    if figure.sort == "number " and _DAY_OR_TIME.match(line, figure.start):
        return False
    digits = len(figure.value[1:].replace(".", "").strip("0"))
    return digits >= _DIGITS or (digits == _DIGITS - 1 and figure.sort != "number ")


_DAY_OR_TIME: Final = late_pattern(r"[0-3]?\d[.:][0-5]?\d(?!\d)")
_DIGITS: Final = 3
_KNOWN: Final = 0.6
"""So much of what a figure is of is named where another one stands for just that."""
_SPOKEN_OF: Final = 0.9
_PART_OF: Final = 0.3
_PART: Final = late_pattern(r"\s?(?:/|of\b|von\b|sur\b|de\b|di\b|van\b|z\b|из\b|out of\b)\s?\d")
_RECKONS: Final = late_pattern(
    r"\b(?:more|less|fewer|over|under|above|below|than|total\w*|sum|together|left|remain\w*|rest|differ\w*|saves?|saved|cheaper|dearer|longer|shorter"
    r"|mehr|weniger|über|unter|als|gesamt\w*|summe|zusammen|übrig|rest\w*|differenz|gespart|billiger|teurer|länger|kürzer"
    r"|plus|moins|total\w*|ensemble|reste\w*|écart|que|más|menos|suma\w*|juntos|queda\w*|resto|diferencia|mais|menos|soma|juntos|sobra\w*|resta\w*|diferença"
    r"|più|meno|totale|somma|insieme|resta\w*|riman\w*|differenza|meer|minder|totaal|samen|over|rest\w*|verschil|dan"
    r"|więcej|mniej|razem|suma|łącznie|zostaj\w*|reszt\w*|różnic\w*|niż|больше|меньше|всего|итого|вместе|остал\w*|разниц\w*|чем)\b|合計|超え|残り|差|计|共|剩|超过|多|少",
    re.I,
)


def _is_told_outside(one: Compared, rival: FigurePlace) -> bool:
    """Return whether what ties another figure to the sentence is no row of headings, nor in brackets alone.

    What stands in brackets beside a figure may be of another thing: `port 6390 (the usual one was taken)`.
    """
    if _HEADINGS.fullmatch(rival.said.text):
        return False
    line, theirs = one.claim.text, rival.said.text
    own, other = (
        text if _is_in_brackets(at.start, text) else _BRACKETS.sub(" ", text)
        for at, text in ((one.figure, line), (rival.figure, theirs))
    )
    return not names_in(own).isdisjoint(names_in(other) & one.telling)


def _is_in_brackets(at: int, text: str) -> bool:
    return any(found.start() < at < found.end() for found in _BRACKETS.finditer(text))


_BRACKETS: Final = late_pattern(r"\([^()\n]{0,200}\)|（[^（）\n]{0,200}）")
_HEADINGS: Final = late_pattern(r"(?:[^\W\d][\w%/().-]*(?: [^\W\d][\w%/().-]*)?(?: {2,}|\t+| ?[|;] ?|$)){3,}")


def _may_count(rival: FigurePlace, one: Compared) -> bool:
    """Return whether another figure may stand in the place of this one.

    Not in a call but as a setting, not in a sentence that has both of one thing, nor before this one where
    that is said of the same or names little else; nor an older handoff's count, where more is counted now.
    """
    if _CALL.match(rival.said.text) and not _is_setting_of(rival, one):
        return False
    is_former = not rival.said.message and not rival.said.speaker
    if is_former and is_grown_count(one.figure.value, rival.figure.value, one.claim.text):
        return False
    for own in one.own:
        if (
            own.place == rival.place
            and own.score > 0
            and (own.is_bound or became(own.said.text, rival.figure, own.figure))
        ):
            return False
        if own.place > rival.place and _is_of_it(own, one):
            return False
    return True


def _is_of_it(own: FigurePlace, one: Compared) -> bool:
    """Return whether a place of a figure names what it is of, or hardly anything else."""
    return own.score > 0 and (own.alone > _PASSING * one.total or own.foreign < _ELSEWHERE)


def _is_setting_of(rival: FigurePlace, one: Compared) -> bool:
    """Return whether a figure is the value of a setting that tells most of what the handoff's is of."""
    return not one.telling.isdisjoint(items_of_word(rival.figure.key))


def _replaced(one: Compared, written: _Written) -> Deviation | None:
    """Return where a later place gives just this another figure, which the handoff has nowhere."""
    line = one.claim.text
    if one.figure.sort == "person" or tells_former(line) or FORMER_NUMBER.search(line):
        return None
    last = _last_of_it(one)
    for rival in () if last < 0 else one.bound(last + 1):
        if not _may_replace(rival, one) or written.has(rival.figure):
            continue
        best = one.own[0].score
        if _is_setting_of(rival, one):
            text = rival.said.text
            least = best * (_CHANGED if replaces(text) or _EDIT.search(text) else 1)
            if rival.score >= least:
                return _deviation(one, rival, Grade.CONTRADICTS, "set-since")
        elif rival.score >= best:
            return _deviation(one, rival, Grade.NOT_VERBATIM, "replaced-since")
    return None


def _last_of_it(one: Compared) -> int:
    """Return the last place that names what a figure is of, and sets it if one of them does; -1 for none."""
    key = one.figure.key
    last = one.last(lambda own: own.score > 0 and (not key or own.figure.key == key))
    if last >= 0 or not key or any(own.figure.key == key for own in one.own):
        return last
    return one.last(lambda own: own.score > 0)


def _may_replace(rival: FigurePlace, one: Compared) -> bool:
    """Return whether another figure is set, or said in words that change something."""
    if _is_setting_of(rival, one):
        return True
    is_spoken = rival.said.speaker in (Role.USER, Role.ASSISTANT)
    return is_spoken and is_near(one.figure, rival.figure) and replaces(rival.said.text)


def _deviation(one: Compared, rival: FigurePlace, grade: Grade, rule: str) -> Deviation:
    kind = _kind(one.figure)
    line, source = one.claim.text, rival.said.text
    return Deviation(
        grade, kind, line[one.figure.start : one.figure.end], line, rule,
        source[rival.figure.start : rival.figure.end], source, rival.said.message or None,
    )  # fmt: skip


def _kind(figure: Figure) -> str:
    return _KINDS.get(figure.sort, "number" if figure.value.startswith("#") else "value")
