"""Notes that another reading makes as well are accusations: two ways of reading seldom err together. Pure.

A reading by rule may take a free wording for its opposite, and nearness may give a value to its neighbour.
Each errs by itself: of faithful summaries none had two readings of different sorts that said the same of one
sentence, and meant the same message. Readings of one sort err together (`stands-nearer` and
`stands-elsewhere` both weigh what stands near a value), so they count as one.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.relations.bans import forbids
from hermes_sessions.audit.relations.replacing import replaces
from hermes_sessions.audit.relations.statements import ToldSentences
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.outcomes import FINISHED
from hermes_sessions.audit.words.wording import MODAL
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role


class _Reading(StrEnum):
    """What a way of noticing something reads: of how things stand, then of values and people."""

    DENIAL = "a denial, against a sentence without"
    SIDE = "which side a clause is on, against the clauses near by"
    NEAREST = "the nearest clauses"
    LAST_WORDS = "what was said last of something"
    DOER = "who does something, sentence against sentence"
    FORM = "a value by its form"
    TIE = "what is tied to a value in its sentence"
    MARGIN = "by how much another one of its sort is nearer"
    NEARER = "which one is nearest"


_READINGS: Final[dict[str, _Reading]] = {
    **dict.fromkeys(("negation", "ban-dropped", "condition-dropped", "done"), _Reading.DENIAL),
    **dict.fromkeys(("turned", "turned-round"), _Reading.SIDE),
    "undecided": _Reading.NEAREST,
    "left-open": _Reading.LAST_WORDS,
    **dict.fromkeys(("who", "other-hold", "name-changed"), _Reading.DOER),
    **dict.fromkeys(("misspelt", "only-value", "numbered-otherwise", "other-day", "outdated"), _Reading.FORM),
    "bound-elsewhere": _Reading.TIE,
    "of-another": _Reading.MARGIN,
    **dict.fromkeys(
        ("stands-nearer", "stands-elsewhere", "replaced-since", "said-of-another"), _Reading.NEARER
    ),
}
_APART: Final[dict[_Reading, frozenset[_Reading]]] = {
    _Reading.DENIAL: frozenset({_Reading.DENIAL, _Reading.SIDE, _Reading.NEAREST, _Reading.LAST_WORDS}),
    _Reading.DOER: frozenset({_Reading.DOER, _Reading.FORM, _Reading.TIE, _Reading.MARGIN, _Reading.NEARER}),
    _Reading.FORM: frozenset({_Reading.TIE, _Reading.MARGIN}),
    _Reading.TIE: frozenset({_Reading.MARGIN}),
}
"""Which readings do not err together; what holds one way holds the other way, too."""
_OF_CLAUSES: Final = frozenset({"negation", "done", "who", "opposite", "order"})
"""Kinds of findings whose value is a clause, or a sentence."""
_STATES: Final = frozenset({"negation", "done", "opposite"})
_PEOPLE: Final = frozenset({"who", "name"})
_SHORT: Final = 30
_SAME: Final = 2
"""Who names two things of a sentence speaks of the same."""
_NAMES: Final = late_pattern(r"[A-ZÀ-ÖØ-ÞА-ЯЁ]\w+")
_MARKS: Final = " -*•.。"
_LONGEST: Final = 400


def confirmed(
    found: Sequence[Deviation], noticed: Iterable[Deviation], told: ToldSentences
) -> list[Deviation]:
    """Return *found* with every note as an accusation that a reading of another sort makes, too.

    Args:
        found: what is given out, each thing once.
        noticed: all that was noticed, a thing as often as it was.
        told: what was said; how things stood may have changed since.
    """
    lines: dict[str, list[Deviation]] = defaultdict(list)
    for one in noticed:
        if one.rule in _READINGS:
            lines[_bare(one.line)].append(one)
    accused = {(_bare(one.line), one.message) for one in found if one.grade is not Grade.NOT_VERBATIM}
    sure = [
        one
        for one in found
        if one.grade is Grade.NOT_VERBATIM
        and (_bare(one.line), one.message) not in accused
        and _is_confirmed(one, lines)
        and not _may_have_changed(one, told)
    ]
    named = [one for one in sure if not any(_tells_more(other, one) for other in sure)]
    return [one._replace(grade=Grade.CONTRADICTS) if one in named else one for one in found]


def _tells_more(one: Deviation, other: Deviation) -> bool:
    """Return whether *one* names less of a sentence for the same reason: the value, or the clause."""
    is_of_it = one.message == other.message and _are_one(one.line, other.line)
    return is_of_it and len(one.value) < len(other.value)


def _is_confirmed(one: Deviation, lines: dict[str, list[Deviation]]) -> bool:
    reading = _READINGS.get(one.rule)
    if reading is None:
        return False
    own = _bare(one.line)
    return any(
        other.rule != one.rule and _are_apart(reading, _READINGS[other.rule]) and _is_of_the_same(one, other)
        for line, others in lines.items()
        if _are_one(own, line)
        for other in others
    )


def _may_have_changed(one: Deviation, told: ToldSentences) -> bool:
    """Return whether something else may hold since: another state, or somebody else who does it."""
    if one.kind in _STATES:
        may_be = MODAL.search(one.source) is not None or _is_spoken_of_since(one, told)
        return not forbids(one, told) and may_be  # `61 could be filled`: they were
    known = one.source if one.kind == "name" else one.source_line
    return one.kind in _PEOPLE and any(
        _is_put_in(name, one, told)
        for name in _NAMES.findall(one.value)
        if name not in known and not told.holding(name.casefold())
    )


def _is_spoken_of_since(one: Deviation, told: ToldSentences) -> bool:
    """Return whether a later sentence speaks of the same, or the agent reports success in few words.

    To speak of the same is to name two things of the source; of what was missing, one that both name.
    """
    message, about = one.message or 0, read_terms(one.source_line).all
    shared = about & read_terms(one.line).all
    later = [*told.sharing(about, min(_SAME, len(about)))]
    later += told.sharing(shared) if one.kind != "done" else ()
    later += [said for said in told if said.speaker == Role.ASSISTANT and _reports_barely(said.text)]
    return any(said.message > message for said in later)


def _is_put_in(name: str, one: Deviation, told: ToldSentences) -> bool:
    """Return whether a sentence gives something to whom only the handoff names: *no, Bruno does it*."""
    own = read_terms(one.line).all - read_terms(name).all
    return any(
        said.message >= (one.message or 0)
        and said.text not in one.source_line
        and (replaces(said.text) or not own.isdisjoint(read_terms(said.text).all))
        for said in told.holding(name)
    )


def _reports_barely(text: str) -> bool:
    """Return whether a sentence says that something went well, and hardly what: `printed`."""
    return len(text) <= _SHORT and FINISHED.search(text) is not None and not is_negated(text)


def _are_apart(one: _Reading, other: _Reading) -> bool:
    return other in _APART.get(one, ()) or one in _APART.get(other, ())


def _is_of_the_same(one: Deviation, other: Deviation) -> bool:
    """Return whether two findings are about the same thing of a sentence, and mean the same of the source."""
    if not _are_one(one.value, other.value):
        return False
    is_clause, is_other_clause = one.kind in _OF_CLAUSES, other.kind in _OF_CLAUSES
    if is_clause and is_other_clause:
        return _mean_one_message(one, other)
    if is_clause or is_other_clause:
        value, clause = (other, one) if is_clause else (one, other)
        return _mean_one_message(one, other) and bool(value.source) and value.source in clause.source_line
    return _are_one(one.source, other.source)


def _mean_one_message(one: Deviation, other: Deviation) -> bool:
    return one.message == other.message if one.message else _are_one(one.source_line, other.source_line)


def _are_one(one: str, other: str) -> bool:
    """Return whether a text is the other one, or a part of it."""
    short, long = sorted((_bare(one), _bare(other)), key=len)
    at = long.find(short) if short else -1
    if at < 0:
        return False
    cuts_front = short[0].isdigit() and at > 0 and long[at - 1].isdigit()
    cuts_back = short[-1].isdigit() and long[at + len(short) : at + len(short) + 1].isdigit()
    return not (cuts_front or cuts_back)  # `5` is no part of `15`


def _bare(text: str) -> str:
    return text[:_LONGEST].strip(_MARKS)
