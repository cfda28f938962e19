"""Clauses of a handoff behind whose opposite clearly more of what was said stands than behind them."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.clause_index import ClauseIndex
from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.alignment.turned_clauses import OF_PARTS, about_of
from hermes_sessions.audit.checking.agreement import agreement
from hermes_sessions.audit.checking.denied import is_over_since
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode, is_heading
from hermes_sessions.audit.notices.certainty import AGREED
from hermes_sessions.audit.notices.polarity import (
    AXES,
    CHANGING_AXES,
    NO,
    TO_COME,
    YES,
    Signs,
    bare_denial,
    denial,
    denied_items,
    is_bare_no,
    limits_of,
    state,
    went_well,
)
from hermes_sessions.audit.notices.support import Matter, Nearby, matter_of, said_at
from hermes_sessions.audit.relations.bans import LEAVE_IT, PROHIBITS
from hermes_sessions.audit.relations.replacing import tells_former
from hermes_sessions.audit.words.headings import PartKind, classify_heading
from hermes_sessions.audit.words.keeping import BANS_FIRST
from hermes_sessions.audit.words.wording import FORBIDS, MODAL, RESTRICTS, is_open
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_HALF: Final = 0.5
_NOTED: Final = 0.25
"""So much more must stand behind the opposite: less is a difference of words."""
_CLEAR: Final = 0.4
"""So much more where a reader is warned."""
_COVERED: Final = 0.55
"""Of what a clause is about its opposite must name more than half."""
_MOST: Final = 0.75
"""So much where a reader is warned: nearly the whole clause is turned round."""
_NEAR: Final = 8
"""A sentence has hardly more clauses on either side of one."""
_LEAST: Final = 2
_TOUCHED: Final = 0.3
"""Who names a third of it later speaks of the same."""
_BEHIND: Final = 40
"""So many clauses later something may be reported as done."""
_SIDE: Final = "side"

SignReader = Callable[[str], Signs]
"""Returns the sides of an axis that a text may be on."""


class Backing(NamedTuple):
    """How much of what a clause is about stands behind it, and behind its opposite: parts of the whole.

    Attributes:
        axis: of what the two are opposites.
        sign: what the clause says.
        own: how much of its matter the best clause names that says the same.
        rival: how much the best one names that says the opposite.
        core: how much of it that clause names without those beside it.
        place: where that one is.
        is_outlived: whether somebody says behind it what the clause says, or that something is done.
        size: how many things the clause names.
    """

    axis: str
    sign: bool
    own: float
    rival: float
    core: float
    place: int
    is_outlived: bool
    size: int


def turned_states(claims: Sequence[Clause], index: ClauseIndex) -> Iterator[Deviation]:
    """Yield the clauses behind whose opposite clearly more stands."""
    for at, claim in enumerate(claims):
        if not _may_turn(claim):
            continue
        found = [
            one
            for one in backings(claim, index, _before(claims, at))
            if _is_noted(one) and not _is_said_beside(claims, at, one, index)
        ]
        if not found:
            continue
        best = max(found, key=lambda one: (one.rival - one.own, not one.axis.startswith(_SIDE)))
        said = index.said(best.place)
        kind = "opposite" if best.axis.startswith(_SIDE) else best.axis
        grade = Grade.CONTRADICTS if _is_clear(claim, best, index) else Grade.NOT_VERBATIM
        yield Deviation(
            grade, kind, claim.text, claim.said.text, "turned", index.text(best.place), said.text, said.message or None,
            grade is Grade.CONTRADICTS and said.speaker in (Role.USER, Role.SYSTEM),
        )  # fmt: skip


def _is_said_beside(claims: Sequence[Clause], at: int, one: Backing, index: ClauseIndex) -> bool:
    """Return whether another clause of the sentence says what the source says: *created, still pending*."""
    claim, read = claims[at], AXES[one.axis]
    theirs = index.clause(one.place).named
    return any(
        beside.said is claim.said
        and beside is not claim
        and read(beside.text) == frozenset((not one.sign,))
        and (beside.named <= theirs | claim.named or not beside.named.isdisjoint(theirs - claim.named))
        for beside in claims[max(0, at - _NEAR) : at + _NEAR]
    )


def _is_noted(one: Backing) -> bool:
    return one.rival >= _COVERED and one.core >= _HALF and one.rival - one.own >= _NOTED


def _is_clear(claim: Clause, one: Backing, index: ClauseIndex) -> bool:
    """Return whether nearly all of a clause is turned round in what was said last of it."""
    if one.core < _MOST or one.rival - one.own < _CLEAR or one.size < _LEAST or one.is_outlived:
        return False
    if (
        index.said(one.place).speaker == Role.USER
        and one.axis == "negation"
        and not _is_ban(one.place, index)
    ):
        return False
    if not _is_ban(one.place, index) and (
        MODAL.search(index.text(one.place)) or one.sign in AXES[one.axis](index.said(one.place).text)
    ):
        return False  # `781 could be filled`; `the label failed: the service answers with 503`
    if agreement(claim.text, index.text(one.place)) < AGREED or index.said(one.place).speaker == Role.TOOL:
        return False  # a tool's rows have labels: `split: 0  network retries: 17`
    if one.axis == "done" and state(_ATTRIBUTE.sub(" ", claim.text)) != state(claim.text):
        return False  # `the truncation of a mapped file` reports nothing as done
    return OF_PARTS.search(claim.text) is None and OF_PARTS.search(index.text(one.place)) is None


def _may_turn(claim: Clause) -> bool:
    """Return whether a clause says how something is, or is to be, by itself."""
    if not claim.named or claim.said.is_question or is_heading(claim.said.text):
        return False
    if _AS_SAID.match(claim.text):
        return False  # `as support had asked` says of nothing that it is done
    lead = claim.said.text[: max(0, claim.said.text.find(claim.text))]
    segment = _SEGMENT.split(lead)[-1]
    if FORBIDS.search(segment) or (denial(segment) == NO and not _STANDS_ALONE.search(claim.text)):
        return False  # `they forbade scaling the ledger down and flushing the cache`
    heading = claim.said.heading
    return not heading or claim.text in heading or denial(heading) != NO


_AS_SAID: Final = late_pattern(r"\W*(?:as|wie|comme|como|come|как|zoals|jak|som)\b", re.I)
_ATTRIBUTE: Final = late_pattern(r"\b(?:an?|the|each|every|any|some|no) [^\W\d_]+ed (?=[^\W\d_]{3})", re.I)
"""A participle that only says which thing is meant."""
_SEGMENT: Final = late_pattern(r"[;.!?]\s|[；。！？]")
_PRONOUN: Final = late_pattern(
    r"(?:it|this|that|they|he|she|these|those|es|das|dies\w*|sie|er|ça|cela|ce|ils?|elles?|esto|eso|isso|isto|esso|essa|lo|это|он[аио]?|dit|dat|het|to|ono|它|他|她|这|那|それ|これ)\b",
    re.I,
)


_STANDS_ALONE: Final = late_pattern(
    rf"^\W*(?:but|aber|sondern|mais|pero|sino|mas|ma|а|но|maar|ale|ama|但|可|でも|が)\b|{MODAL.pattern.pattern}",
    re.I,
)
"""What begins so, or has a verb of its own, is not what was denied before it."""


def _before(claims: Sequence[Clause], at: int) -> frozenset[str]:
    """Return what stands before a clause that says nothing by itself: in its sentence, or in the one before it."""
    claim = claims[at]
    if len(claim.named) <= 1:
        lead = claim.said.text[: max(0, claim.said.text.find(claim.text))]
        return read_items(_SEGMENT.split(lead)[-1]).all
    if not _PRONOUN.match(claim.text):
        return frozenset()
    found: frozenset[str] = frozenset()
    said = None
    for one in reversed(claims[:at]):
        if one.said is claim.said:
            continue
        if said is not None and one.said is not said:
            break
        said = one.said
        found |= one.named
    return found


def backings(claim: Clause, index: ClauseIndex, before: frozenset[str] = frozenset()) -> Iterator[Backing]:
    """Yield what stands behind a clause and its opposite, of each axis on which it is on one side."""
    known: dict[bool, Matter] = {}
    for axis, read in AXES.items():
        signs, limits = (
            bare_denial(claim.text) if axis == "negation" else (read(claim.text), frozenset[str]())
        )
        if len(signs) != 1:
            continue
        (sign,) = signs
        if (sign or axis.startswith(_SIDE)) and tells_former(claim.said.text):
            continue
        is_side = axis.startswith(_SIDE)
        if is_side not in known:
            known[is_side] = Matter((matter_of(claim) if is_side else claim.named) - _READERS, before, index)
        matter = known[is_side]
        rival = next(
            (
                one
                for one in _opposites(matter, sign, read, index)
                if axis != "negation" or limits == limits_of(index.text(one.place))
                if _is_rival(claim, matter.about, axis, one, index)
            ),
            None,
        )
        if rival is None:
            continue
        turned = frozenset() if is_side else _turned_items(claim, sign, rival, index)
        own = _own_score(matter, sign, turned, read, index)
        is_ban = not is_side and _is_ban(rival.place, index)
        later = (
            matter.told(place, read(said_at(place, index)))
            for place in matter.places
            if place > rival.place and (not (is_ban and turned) or not turned.isdisjoint(matter.named(place)))
        )
        is_outlived = any(_outlives(one, sign, index, is_ban=is_ban) for one in later) or (
            not is_ban and _is_done_since(rival.place, index)
        )
        yield Backing(
            axis, sign, own, rival.score, rival.core, rival.place, is_outlived, len(matter.about)
        )  # fmt: skip


def _opposites(matter: Matter, sign: bool, read: SignReader, index: ClauseIndex) -> Iterator[Nearby]:
    """Yield what says the opposite and nothing else, the most first; of what names less than is ever noted nothing."""
    for near in takewhile(lambda one: one.score >= _COVERED, matter.ranked):
        signs = read(said_at(near.place, index))
        if len(signs) == 1 and sign not in signs:
            yield near._replace(signs=signs)


def _own_score(
    matter: Matter, sign: bool, turned: frozenset[str], read: SignReader, index: ClauseIndex
) -> float:
    """Return how much the best clause names that says the same; half of it where it lacks what is turned."""
    best = 0.0
    for near in matter.ranked:
        if near.score <= best:
            break  # nor does any of the others come up to it
        if sign in read(said_at(near.place, index)):
            is_whole = not turned or not turned.isdisjoint(matter.named(near.place))
            best = max(best, near.score * (1 if is_whole else _HALF))
    return best


def _outlives(later: Nearby, sign: bool, index: ClauseIndex, *, is_ban: bool) -> bool:
    """Return whether what is said later of the same may hold instead; what was forbidden the user allows."""
    least = _TOUCHED if not is_ban or index.said(later.place).speaker == Role.USER else _COVERED
    return later.core >= least and (not later.signs or sign in later.signs)


def _is_ban(place: int, index: ClauseIndex) -> bool:
    """Return whether the clause at a place is a demand of the user or the system; a complaint is none."""
    said, text = index.said(place), _OPENING.sub("", index.text(place))
    if said.speaker not in (Role.USER, Role.SYSTEM):
        return False
    return any(
        one is not None for one in (PROHIBITS.search(text), BANS_FIRST.match(text), LEAVE_IT.search(text))
    )


_OPENING: Final = late_pattern(
    r"^\W*(?:(?:and|but|please|und|aber|bitte|et|mais|y|pero|por favor|e|mas|ma|и|а|но|пожалуйста)\b\W*)+",
    re.I,
)


def _is_done_since(place: int, index: ClauseIndex) -> bool:
    """Return whether a later clause of the agent that names hardly anything reports that something is done."""
    return any(
        index.said(here).speaker == Role.ASSISTANT
        and len(about_of(index.text(here))) <= 1
        and went_well(index.text(here))
        for here in index.behind(place, _BEHIND)
    )


def _beside_in_sentence(place: int, index: ClauseIndex) -> frozenset[str]:
    """Return what the other clauses of the sentence at a place name that deny nothing."""
    said = index.said(place)
    found: set[str] = set()
    for way in (-1, 1):
        for here in index.run(place, way):
            if index.said(here) is not said:
                break
            if denial(index.text(here)) != NO:
                found |= index.clause(here).named
    return frozenset(found)


def _before_limit(text: str) -> str:
    """Return what stands before the first word of a clause that limits it, all where it begins so."""
    limit = RESTRICTS.pattern.search(text)
    return text[: limit.start()] if limit and limit.start() > _LEAST else text


def _turned_items(claim: Clause, sign: bool, rival: Nearby, index: ClauseIndex) -> frozenset[str]:
    """Return what is denied on one side, and said on the other."""
    text = index.text(rival.place)
    if sign:
        return denied_items(claim.text)[0] & read_items(text).all
    return denied_items(text)[0] & claim.named


def _is_rival(claim: Clause, about: frozenset[str], axis: str, told: Nearby, index: ClauseIndex) -> bool:
    """Return whether a clause of the source says the opposite of what a clause says, and not of something beside it."""
    said, text = index.said(told.place), index.text(told.place)
    if axis.startswith(_SIDE):
        complains = said.speaker == Role.USER and axis in CHANGING_AXES
        return NO not in (denial(claim.text), denial(text)) and not complains
    if said.speaker == Role.TOOL or is_over_since(said.text):
        return False
    if said.speaker == Role.USER and not _MENDS.isdisjoint(read_items(claim.said.text).deeds):
        return False  # what is to be mended is as it was complained of
    if not _beside_in_sentence(told.place, index).isdisjoint(claim.named - index.clause(told.place).named):
        return False  # `don't water them, the drip line does`
    if told.signs == YES:
        if denial(said.text) == NO:
            return False
        nearest, _ = denied_items(claim.text)
        return state(text) == YES and not nearest.isdisjoint(read_items(text).all)
    if is_open(text) and (_is_planned(claim) or TO_COME.search(claim.text) or state(claim.text) != YES):
        return False  # what is to be done is not done yet
    nearest, near = denied_items(text)
    if is_bare_no(text):
        return told.core >= _HALF
    if not near:
        return state(claim.text) == YES and told.score >= _MOST
    main = _before_limit(claim.text) if axis == "negation" else claim.text
    shared = near & (about | read_items(claim.text).all)
    nearest &= read_items(main).all | about - read_items(claim.text).all
    return not nearest.isdisjoint(shared) and index.weight(shared) >= _MOST * index.weight(near)


_READERS: Final = frozenset({"user", "agent", "assistant"})
"""Whom only a handoff calls so."""
_MENDS: Final = frozenset({"fix", "repair"})


def _is_planned(claim: Clause) -> bool:
    """Return whether a clause tells what is still to be done."""
    if claim.said.mode is Mode.PLANNED:
        return True
    return claim.said.heading != "" and classify_heading(claim.said.heading) in (
        PartKind.PENDING,
        PartKind.NEXT,
    )
