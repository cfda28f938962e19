"""Clauses of a handoff of which what was said tells neither side clearly: places to look at, and no more.

They deny, bar or report what the clauses nearest to them do not, are on another side, or put in order what the nearest
sentence bars. Where what says the same
names more of them than what says the opposite, nothing is noted.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Final

from hermes_sessions.audit.alignment.clause_index import ClauseIndex
from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.checking.agreement import agreement
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode, is_heading
from hermes_sessions.audit.directives.closed_work import is_left_open
from hermes_sessions.audit.notices.polarity import (
    DENIES_MORE,
    DONE_MORE,
    NO,
    OPEN_MORE,
    SIDED,
    TO_COME,
    YES,
    denial,
    state,
)
from hermes_sessions.audit.notices.support import Matter, NearClause, Support, said_at
from hermes_sessions.audit.words.headings import PartKind, classify_heading
from hermes_sessions.audit.words.modality import LEAVE, Modality, read_modality
from hermes_sessions.audit.words.sides import SIDES
from hermes_sessions.audit.words.stances import Stance, read_stance
from hermes_sessions.audit.words.wording import FAILS, FORBIDS, MODAL, RESTRICTS, is_open
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_MOST: Final = 10
_LEAST: Final = 0.6
_NEARLY: Final = 0.75
_COVERED: Final = 0.4
_HALF: Final = 0.5
_ALIKE: Final = 0.25
"""So much of two clauses must be the same where one denies and the other one does not speak of denials."""
_UNKNOWN: Final = 0.4
"""What an item that stands nowhere before counts for."""
_BACKED: Final = 0.2
"""Who names so much of a clause and says the same confirms it."""
_CLEAR: Final = 1.0
_FEW: Final = 4
"""Of a clause that names more, nobody may have said all."""
_AXES: Final = ("bound", "door", "copy", "outcome", "keeping", "switch", "direction")
_POLES: Final = ("outcome:", "switch:", "answer:")
_BRACKETS: Final = late_pattern(r"[()（）]")
_BEHIND: Final = 30
_WAITS: Final = late_pattern(
    r"\b(?:still|to be|blocked|on hold|waiting|to do|blockiert|wartet|weiterhin|bloqué\w*|bloquead\w*|bloccat\w*|заблокирован\w*)\b|待",
    re.I,
)
_UNSAID: Final = late_pattern(
    r"\b(?:asked|wants?|wanted|requested|bat|wünscht|demand\w+|pidió|pediu|chiest\w+|прос\w+)\b|要求|希望|依頼",
    re.I,
)


def undecided_clauses(claims: Sequence[Clause], index: ClauseIndex) -> Iterator[Deviation]:
    """Yield the clauses whose denial, state, side or order neither stands near them nor behind them."""
    for claim in claims:
        if not claim.named or is_heading(claim.said.text):
            continue
        near = _Near(claim, index)
        kind = near.unconfirmed()
        place = near.places[0] if near.places else None
        if not kind and (place := _other_state(claim, index)) is not None:
            kind = "state"
        if kind:
            said = index.said(place) if place is not None else None
            origin, message = (said.text, said.message or None) if said else ("", None)
            yield Deviation(
                Grade.NOT_VERBATIM, kind, claim.text, claim.said.text, "undecided", origin, origin, message
            )


def _backing(claim: Clause, read: Callable[[str], frozenset[int]], index: ClauseIndex) -> tuple[float, float]:
    """Return how much of a clause the best clause names that says the same, and the best one of the other side."""
    own = rival = None
    matter, sign = Matter(claim.named, frozenset(), index), read(claim.text)
    for near in matter.ranked:
        theirs = read(said_at(near.place, index))
        if own is None and theirs == sign:
            own = near.score
        elif rival is None and theirs != sign and sign and len(theirs) == 1:
            rival = near.score
        if own is not None and (rival is not None or not sign):
            break
    return own or 0.0, rival or 0.0


class _Near:
    """A clause of a handoff, and the clauses of the source that name most of it."""

    def __init__(self, claim: Clause, index: ClauseIndex) -> None:
        self._claim, self._index = claim, index
        best = Support(claim.named, index).best(_MOST)
        score = best[0].score if best else 0.0
        self.places = [one.place for one in best if score >= _LEAST and one.score >= score * _NEARLY]
        self._clauses = [*map(index.clause, self.places)]
        whole = index.weight(claim.named) + _UNKNOWN * sum(not index.knows(one) for one in claim.named)
        self._is_covered = bool(best) and score >= whole * _COVERED

    def unconfirmed(self) -> str:
        """Return what of the clause nobody confirms, near it or elsewhere; '' for nothing."""
        claim = self._claim
        if _is_denial_open(claim, self._clauses):
            is_tie = _is_whole(claim) or state(claim.text) == YES
            is_told = not _denies(claim.text) or self._is_of_nearest()
            return "negation" if is_told and self._is_outweighed(denial, is_tie=is_tie) else ""
        says_of_what = len(claim.items.all) > 1 and claim.said.mode is Mode.STATED
        if says_of_what and self._is_report() and self._is_stance_open():
            return "done" if self._is_report_unbacked() else ""
        for axis in (*_AXES, *range(len(SIDED))):
            if self._is_turned(axis):
                return "opposite" if self._is_outweighed(partial(_sides, axis=axis)) else ""
        is_barred = any(_denies(self._index.said(place).text) for place in self.places[:1])
        return "order" if is_barred and _is_order_open(claim, self._index) else ""

    def _is_report(self) -> bool:
        """Return whether the clause leaves nothing open, or only what its nearest sentence tells of."""
        return state(self._claim.text) != NO or self._is_of_nearest()

    def _is_of_nearest(self) -> bool:
        """Return whether the nearest sentence and the clause say the same but for some words: what a no is about."""
        nearest = (self._index.said(place).text for place in self.places[:1])
        return any(agreement(self._claim.text, text) >= _ALIKE for text in nearest)

    def _is_outweighed(self, read: Callable[[str], frozenset[int]], *, is_tie: bool = False) -> bool:
        own, rival = _backing(self._claim, read, self._index)
        return own < rival or (is_tie and own == rival)

    def _is_report_unbacked(self) -> bool:
        """Return whether nobody says anything like what a clause reports, or more stands behind the other state."""
        own, rival = _backing(self._claim, state, self._index)
        is_short = len(read_items(self._claim.text).all) <= _FEW
        is_report = read_stance(self._claim.text) is not Stance.OPEN
        if own < rival or (is_report and is_short and own < _BACKED):
            return True
        return self._is_outweighed(denial)

    def _is_stance_open(self) -> bool:
        """Return whether nobody says of the same that it stands so, and somebody that it stands otherwise."""
        stance = read_stance(self._claim.text)
        if stance is Stance.PLAIN:
            return False
        known = {read_stance(one.text) for one in self._clauses}
        return not self._is_covered or (stance not in known and known != {Stance.PLAIN})

    def _is_turned(self, axis: str | int) -> bool:
        """Return whether somebody names the other side of the same, and nobody this one."""
        theirs = frozenset[int]().union(*(_sides(one.text, axis) for one in self._clauses))
        parts = (_sides(part, axis) for part in _BRACKETS.split(self._claim.text))
        return any(len(own) == 1 and theirs and not own & theirs for own in parts)


def _is_whole(claim: Clause) -> bool:
    return claim.text.strip(" .;。") == claim.said.text.strip(" .;。")


def _is_denial_open(claim: Clause, near: Sequence[Clause]) -> bool:
    """Return whether a clause denies what nobody limits, or the nearest clause denies what it does not."""
    denying = [one for one in near if _denies(one.text)]
    if _denies(claim.text) or FORBIDS.search(claim.said.text) or _denies(claim.said.heading):
        return bool(near) and not any(_limits(one.text) or _limits(one.said.text) for one in near)
    if not denying or _limits(claim.text) or (len(denying) < len(near) and denying[0] is not near[0]):
        return False
    deeds = near[0].items.deeds
    return not deeds or not deeds.isdisjoint(claim.items.deeds)  # another deed is another matter


def _is_order_open(claim: Clause, index: ClauseIndex) -> bool:
    """Return whether nobody has that side, before or after, of what it leads to, or somebody has the other one."""
    return (
        any(
            _is_other_order(claim.text, side, match, index)
            for side, shape in enumerate(SIDES["order"])
            for match in shape.finditer(claim.text)
        )
        and not _backing(claim, partial(_sides, axis="order"), index)[0]
    )


def _is_other_order(text: str, side: int, match: re.Match[str], index: ClauseIndex) -> bool:
    """Return whether what tells of that which *match* leads to has not that side alone."""
    is_before = match.group() > "\u2e7f"
    behind = text[match.end() : match.end() + _BEHIND]
    led = text[max(0, match.start() - _BEHIND) : match.start()] if is_before else behind
    best = Support(read_items(f"x {led}").all, index).best(_MOST)
    if best and best[0].score <= _CLEAR:
        return False  # what hardly tells of it
    told = (_sides(index.text(one.place), "order") for one in best if one.score >= best[0].score * _NEARLY)
    known = frozenset[int]().union(*told)
    return side not in known or 1 - side in known


@lru_cache(maxsize=20_000)
def _denies(text: str) -> bool:
    if is_negated(text) or FORBIDS.search(text) or is_open(text):
        return True
    return DENIES_MORE.search(text) is not None


@lru_cache(maxsize=20_000)
def _limits(text: str) -> bool:
    if _denies(text) or RESTRICTS.search(text) or FAILS.search(text):
        return True
    return bool(read_modality(text) & (Modality.BAN | Modality.LIMIT)) and LEAVE.search(text) is None


def _other_state(claim: Clause, index: ClauseIndex) -> int | None:
    """Return where the last clause of the same has the other state, with more behind it."""
    if claim.said.is_question or _UNSAID.search(claim.text):
        return None
    own = _own_state(claim)
    found = _last_state(own, _nearest(claim, index), index) if own else None
    if found is None:
        return None
    same, rival = _backing(claim, state, index)
    return found if same < rival or (same == rival and _is_whole(claim)) else None


def _nearest(claim: Clause, index: ClauseIndex) -> Sequence[NearClause]:
    """Return the clauses that speak of what a clause is about, its state left out, the last one first."""
    waits = (read_items(one.group()).all for one in TO_COME.finditer(claim.text))
    about = frozenset(one for one in claim.named.difference(*waits) if not one.startswith(_POLES))
    best = Support(about, index).best(_MOST)
    known = index.weight(about) + _UNKNOWN * sum(not index.knows(one) for one in about)
    if not best or best[0].score < max(_COVERED, known * _HALF):
        return ()
    near = (one for one in best if one.score >= best[0].score * _NEARLY)
    return sorted(near, key=lambda one: -one.place)


def _own_state(claim: Clause) -> Stance | None:
    """Return what a clause of a handoff says of its matter, or its heading where it says nothing."""
    found = _state(claim.text)
    if found is Stance.OPEN:
        if _WAITS.search(claim.text):
            return found
        is_open = read_stance(claim.text) is Stance.OPEN or OPEN_MORE.search(claim.text)
        return found if is_open and not FORBIDS.search(claim.text) else None
    if found is not None:
        return found
    kind = classify_heading(claim.said.heading) if claim.said.heading else PartKind.OTHER
    if kind is PartKind.DONE:
        return Stance.DONE
    return Stance.OPEN if kind in (PartKind.PENDING, PartKind.NEXT) else None


@lru_cache(maxsize=20_000)
def _state(text: str) -> Stance | None:
    """Return whether a clause says that something is done, or that it is open, called off or still to come."""
    stance = read_stance(text)
    if (
        stance in (Stance.OPEN, Stance.OFF)
        or is_negated(text)
        or TO_COME.search(text)
        or OPEN_MORE.search(text)
    ):
        return Stance.OPEN
    if DONE_MORE.search(text):
        return Stance.DONE
    if MODAL.search(text) or RESTRICTS.search(text):
        return None
    return Stance.DONE if stance is Stance.DONE else None


def _last_state(own: Stance, near: Sequence[NearClause], index: ClauseIndex) -> int | None:
    """Return the place of the last clause about the same where it tells the other state, and none as close this one."""
    other: NearClause | None = None
    for one in near:
        said = index.said(one.place)
        if said.is_question or not said.message:
            continue
        state = _told_state(one.place, index)
        if said.speaker == Role.TOOL or (said.speaker == Role.USER and not is_left_open(said.text)):
            state = state if state is own else None
        if state is own and (other is None or one.score > other.score):
            return None
        if state is not None and state is not own and other is None:
            other = one
    return other.place if other is not None else None


def _told_state(place: int, index: ClauseIndex) -> Stance | None:
    """Return what a clause says of its matter; where it only names that, what the next one of its sentence says."""
    said = index.said(place)
    state = _state(index.whole(place))
    for here in index.run(place, 1) if state is None else ():
        if index.said(here) is not said or (state := _state(index.whole(here))) is not None:
            break
    return state


@lru_cache(maxsize=20_000)
def _sides(text: str, axis: str | int) -> frozenset[int]:
    shapes = SIDES[axis] if isinstance(axis, str) else SIDED[axis]
    return frozenset(at for at, shape in enumerate(shapes) if shape.search(text))
