"""Clauses that give as done what was said last to be open, or as open what was reported as done since.

Of the clauses of a transcript that speak most of what a clause of a handoff speaks of, the last one that says how
things stand decides.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from hermes_sessions.audit.alignment.clause_index import ClauseIndex
from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.directives.closed_work import is_left_open
from hermes_sessions.audit.notices.support import NearClause, Support
from hermes_sessions.audit.words.headings import PartKind, classify_heading
from hermes_sessions.audit.words.sides import SIDES
from hermes_sessions.audit.words.stances import Stance, read_stance
from hermes_sessions.audit.words.wording import FORBIDS, MODAL, RESTRICTS
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.messages import Role

_MOST: Final = 12
_LEAST: Final = 0.4
_NEARLY: Final = 0.8
_COVERED: Final = 0.5
_POLES: Final = ("outcome:", "switch:", "answer:")
_AXES: Final = ("outcome", "switch", "answer")
_TO_COME: Final = re.compile(
    r"\b(?:still|will|shall|going to|to be|needs? to|has to|have to|must|should|waiting|blocked|on hold|scheduled|planned|tomorrow|tonight|later|at the earliest|to do|wants? to|wird|werden|soll\w*|muss|müssen|morgen|später|frühestens|geplant|blockiert|wartet|doit|doivent|sera|seront|demain|bloqué\w*|prévu\w*|debe\w*|será|serán|mañana|bloquead\w*|previst\w*|hay que|deve\w*|amanhã|sarà|saranno|verrà|verranno|domani|da fare|bloccat\w*|previst\w*|moet\w*|zal|morgen|должн?\w*|будет|завтра|нужно|надо|заблокирован\w*|musi|będzie|jutro|yapacak|\w{2,}ecek|\w{2,}acak|yarın)\b|[’']ll\b|将|要|会|明天|待|等|予定|つもり|明日|まで|예정|내일|해야|سوف|غد|कल|होगा",
    re.I,
)
_WAITS: Final = re.compile(
    r"\b(?:still|to be|blocked|on hold|waiting|to do|blockiert|wartet|weiterhin|bloqué\w*|bloquead\w*|bloccat\w*|заблокирован\w*)\b|待",
    re.I,
)
_OPEN_TOO: Final = re.compile(
    r"\b(?:henüz|nog niet|nog te|\w{2,}m[ae]d[ıi]|\w{2,}m[ae]m[ıi]ş)\b|jeszcze nie|\bnie (?:jest|są|został\w*|ma)\b|नहीं|बाकी|(?<!\w)(?:لم|ليس|بانتظار)(?!\w)",
    re.I,
)
_DONE_TOO: Final = re.compile(
    r"\b(?:\w{3,}(?:ıldı|ildi|uldu|üldü|ındı|indi|undu|ündü|landı|lendi)|został[aoy]?|gotow[aey]|zrobion\w+|is (?:\w+ ){0,2}ge\w{3,}[dt]|klaar|verstuurd|works?(?: again| now)?|worked|läuft|gelungen)\b|चुक[ाीे]|(?:गया|गई|दिया|दी) है|(?<!\w)(?:تم|تمت|بالفعل|انتهى|اكتمل)(?!\w)",
    re.I,
)
"""How languages say it that are read less."""
_UNSAID: Final = re.compile(
    r"\b(?:asked|wants?|wanted|requested|bat|wünscht|demand\w+|pidió|pediu|chiest\w+|прос\w+)\b|要求|希望|依頼",
    re.I,
)


def states_since(claims: Sequence[Clause], index: ClauseIndex) -> Iterator[Deviation]:
    """Yield clauses whose state is not the last one that was told of the same."""
    for claim in claims:
        if claim.said.is_question or _UNSAID.search(claim.text):
            continue
        near = _near(claim, index)
        if not near:
            continue
        own = _own_state(claim)
        found = _turned(own, near, index) if own else None
        if found is None:
            found = next((hit for axis in _AXES if (hit := _other_side(claim, axis, near, index))), None)
        if found is not None:
            said = index.said(found)
            yield Deviation(
                Grade.NOT_VERBATIM, "done", claim.text, claim.said.text, "other-state", said.text, said.text,
                said.message or None,
            )  # fmt: skip


def _near(claim: Clause, index: ClauseIndex) -> Sequence[NearClause]:
    """Return the clauses of what was said that speak of the same as closely as any, the last one first."""
    about = _about(claim)
    support = Support(about, index)
    best = support.best(_MOST)
    known = index.weight(about) + 0.3 * sum(not index.knows(one) for one in about)
    if not best or best[0].score < max(_LEAST, known * _COVERED):
        return ()
    near = [one for one in best if one.score >= best[0].score * _NEARLY]
    return sorted(near, key=lambda one: -one.place)


def _about(claim: Clause) -> frozenset[str]:
    """Return what a clause names, the words for how it stands left out."""
    waits = frozenset[str]().union(*(read_items(one).all for one in _TO_COME.findall(claim.text)))
    return frozenset(one for one in claim.named - waits if not one.startswith(_POLES))


def _own_state(claim: Clause) -> Stance | None:
    """Return what a clause of a handoff says of its matter, or its heading where it says nothing."""
    found = _state(claim.text)
    if found is Stance.OPEN:
        if _WAITS.search(claim.text):
            return found
        is_open = read_stance(claim.text) is Stance.OPEN or _OPEN_TOO.search(claim.text)
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
        or _TO_COME.search(text)
        or _OPEN_TOO.search(text)
    ):
        return Stance.OPEN
    if _DONE_TOO.search(text):
        return Stance.DONE
    if MODAL.search(text) or RESTRICTS.search(text):
        return None
    return Stance.DONE if stance is Stance.DONE else None


def _turned(own: Stance, near: Sequence[NearClause], index: ClauseIndex) -> int | None:
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


def _other_side(claim: Clause, axis: str, near: Sequence[NearClause], index: ClauseIndex) -> int | None:
    """Return the place of the last clause about the same that names the other side alone."""
    own = _sides(claim.text, axis)
    if len(own) != 1 or is_negated(claim.text):
        return None
    for one in near:
        if index.said(one.place).is_question or is_negated(index.text(one.place)):
            continue
        theirs = _sides(index.text(one.place), axis)
        if theirs:
            return None if own & theirs else one.place
    return None


@lru_cache(maxsize=20_000)
def _sides(text: str, axis: str) -> frozenset[int]:
    return frozenset(at for at, shape in enumerate(SIDES[axis]) if shape.search(text))
