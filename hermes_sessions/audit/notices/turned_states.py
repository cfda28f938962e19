"""Clauses of a handoff that deny, bar, report or leave open what every clause about the same has otherwise."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from hermes_sessions.audit.alignment.clause_index import ClauseIndex
from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode, is_heading
from hermes_sessions.audit.notices.support import Support
from hermes_sessions.audit.relations.bans import PROHIBITS
from hermes_sessions.audit.relations.statements import contradiction
from hermes_sessions.audit.words.keeping import BANS_FIRST
from hermes_sessions.audit.words.modality import LEAVE, Modality, read_modality
from hermes_sessions.audit.words.sides import SIDES
from hermes_sessions.audit.words.stances import Stance, read_stance
from hermes_sessions.audit.words.wording import FAILS, FORBIDS, RESTRICTS, is_open
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.messages import Role

_MOST: Final = 10
_WHOLE: Final = 3
"""So many words must a ban and what breaks it have in common."""
_LEAST: Final = 0.6
_NEARLY: Final = 0.75
_COVERED: Final = 0.4
_UNKNOWN: Final = 0.4
"""What an item that stands nowhere before counts for."""
_AXES: Final = ("bound", "door", "copy", "outcome", "keeping", "switch", "direction")
_DENIES_TOO: Final = re.compile(
    r"\b(?:nie|nigdy|bez|niet|geen|nooit|zonder|inte|aldrig|değil|yok|asla|hayır)\b|\w{2,}(?:m[ıiuü]yor|m[ae]z|m[ae]d[ıi]|m[ae]m[ıi]ş|m[ae]sın)\w*|नहीं|मत |बिना",
    re.I,
)
"""Negations of languages in which nobody is accused of one."""
_BRACKETS: Final = re.compile(r"[()（）]")
_BEHIND: Final = 30
_ACCEPTED: Final = 2
"""The place of accepted and refused among the sides: somebody must have said it."""
_SIDED: Final = tuple(
    (re.compile(one, re.I), re.compile(other, re.I))
    for one, other in (
        (
            r"\b(?:below|under|unter|sous|bajo|abaixo|sotto|ниже|poniżej|onder)\b|低于|以下|未満|이하|미만",
            r"\b(?:above|over|über|au-dessus|encima|acima|sopra|выше|powyżej|boven)\b|高于|超过|以上|초과|이상",
        ),
        (
            r"\b(?:first|erste\w*|premi[eè]re?|primer[oa]?|primeir[oa]|prim[oa]|перв\w+|pierwsz\w+)\b|最初|第一|先",
            r"\b(?:last|latest|letzte\w*|derni[eè]re?|últim[oa]|ultim[oa]|последн\w+|ostatni\w*)\b|最后|最後|后",
        ),
        (
            r"\b(?:accept\w*|agree\w*|approv\w+|akzeptier\w+|angenommen|accept\w+|acept\w+|aceit\w+|accett\w+|соглас\w+|приня\w+|kabul)\b|同意|接受|承認",
            r"\b(?:refus\w+|reject\w*|declin\w+|denied|deny|abgelehnt|lehn\w+|rechaz\w+|recus\w+|rifiut\w+|отказ\w*|отклон\w+|reddet\w*)\b|拒绝|拒否",
        ),
        (r"\b(?:positive|positiv\w*)\b|正", r"\b(?:negative|negativ\w*)\b|负|負"),
        (
            r"\b(?:include[ds]?|including|inkl\w*|einschließlich|compris\w*|incluid\w+|incluíd\w+|inclus\w+|включая|含)\b",
            r"\b(?:plus|exclud\w+|excluding|zzgl\w*|ohne|hors|sin|más|mais|exclus\w+|esclus\w+|без)\b|\+",
        ),
    )
)
"""Words of two sides that nobody is accused of."""


def turned_states(claims: Sequence[Clause], index: ClauseIndex) -> Iterator[Deviation]:
    """Yield clauses whose denial, state or side no clause confirms, or is told otherwise as closely."""
    for claim in claims:
        if not claim.named or is_heading(claim.said.text):
            continue
        support = Support(claim.named, index)
        best = support.best(_MOST)
        near: list[Clause] = []
        if best and best[0].score >= _LEAST:
            near = [index.clause(one.place) for one in best if one.score >= best[0].score * _NEARLY]
        known = index.weight(claim.named)
        whole = known + _UNKNOWN * sum(not index.knows(one) for one in claim.named)
        is_covered = bool(best) and best[0].score >= whole * _COVERED
        rule = _turned(claim, near, is_covered=is_covered)
        if not rule and _is_order_open(claim.text, index):
            rule = "order"
        if rule == "negation" and (ban := _lifted_ban(claim, near)):
            yield contradiction(claim.said, ban.said, "ban-dropped", "negation", grave=True)
        elif rule:
            said = near[0].said if near else None
            origin, message = (said.text, said.message or None) if said else ("", None)
            yield Deviation(
                Grade.NOT_VERBATIM, rule, claim.text, claim.said.text, "turned", origin, origin, message
            )


def _lifted_ban(claim: Clause, near: Sequence[Clause]) -> Clause | None:
    """Return what the user or the system forbids in just the words of *claim*, where nobody says that it may be."""
    if (
        _denies(claim.said.text)
        or _denies(claim.said.heading)
        or len(claim.items.all) < _WHOLE
        or not claim.items.deeds | claim.items.words
    ):
        return None
    alike = [one for one in near if claim.items.all <= one.items.all]
    bans = [
        one
        for one in alike
        if one.said.speaker in (Role.USER, Role.SYSTEM)
        and (BANS_FIRST.match(one.text) or PROHIBITS.match(one.text.lstrip(" -*")))
        and len(one.items.all - claim.items.all) <= 1
    ]
    return bans[-1] if bans and all(_denies(one.text) for one in alike) else None


def _turned(claim: Clause, near: Sequence[Clause], *, is_covered: bool) -> str:
    """Return what of a clause nobody confirms, or what is told the other way as closely; '' for nothing."""
    if _is_denial_open(claim, near):
        return "negation"
    says_of_what = len(claim.items.all) > 1 and claim.said.mode is Mode.STATED
    if says_of_what and _is_stance_open(claim.text, near, is_covered=is_covered):
        return "done"
    return "opposite" if _is_side_open(claim, near, is_covered=is_covered) else ""


def _is_denial_open(claim: Clause, near: Sequence[Clause]) -> bool:
    """Return whether a clause denies what nobody limits, or the nearest clause denies what it does not."""
    denying = [one for one in near if _denies(one.text)]
    if _denies(claim.text) or FORBIDS.search(claim.said.text) or _denies(claim.said.heading):
        return bool(near) and not any(_limits(one.text) or _limits(one.said.text) for one in near)
    if not denying or _limits(claim.text) or (len(denying) < len(near) and denying[0] is not near[0]):
        return False
    deeds = near[0].items.deeds
    return not deeds or not deeds.isdisjoint(claim.items.deeds)  # another deed is another matter


def _is_stance_open(text: str, near: Sequence[Clause], *, is_covered: bool) -> bool:
    """Return whether nobody says of the same that it stands so, and somebody that it stands otherwise."""
    stance = read_stance(text)
    if stance is Stance.PLAIN:
        return False
    known = {read_stance(one.text) for one in near}
    return not is_covered or (stance not in known and known != {Stance.PLAIN})


def _is_side_open(claim: Clause, near: Sequence[Clause], *, is_covered: bool) -> bool:
    """Return whether somebody names the other side of the same, or nobody a side at all."""
    for axis in (*_AXES, *range(len(_SIDED))):
        for part in _BRACKETS.split(claim.text):
            own = _sides(part, axis)
            if len(own) != 1:
                continue
            theirs = frozenset[int]().union(*(_sides(one.text, axis) for one in near))
            if (theirs and not own & theirs) or (
                near and not theirs and (not is_covered or axis == _ACCEPTED)
            ):
                return True
    return _other_poles(claim, near)


def _is_order_open(text: str, index: ClauseIndex) -> bool:
    """Return whether nobody has that side, before or after, of what it leads to, or somebody has the other one."""
    for side, shape in enumerate(SIDES["order"]):
        for match in shape.finditer(text):
            behind = Support(read_items(f"x {text[match.end() : match.end() + _BEHIND]}").all, index)
            before = Support(
                read_items(f"x {text[max(0, match.start() - _BEHIND) : match.start()]}").all, index
            )
            support = before if match.group() > "\u2e7f" else behind
            best = support.best(_MOST)
            told = [
                _sides(index.text(one.place), "order") for one in best if one.score >= best[0].score * _NEARLY
            ]
            known = frozenset[int]().union(*told)
            if side not in known or 1 - side in known:
                return True
    return False


def _other_poles(claim: Clause, near: Sequence[Clause]) -> bool:
    """Return whether the clause names one pole of an axis, and all others that name any name another one."""
    known = frozenset[str]().union(*(one.items.poles for one in near))
    axes = {pole.partition(":")[0] for pole in claim.items.poles}
    return any({one for one in known if one.startswith(f"{axis}:")} - claim.items.poles for axis in axes)


@lru_cache(maxsize=20_000)
def _denies(text: str) -> bool:
    if is_negated(text) or FORBIDS.search(text) or is_open(text):
        return True
    return _DENIES_TOO.search(text) is not None


@lru_cache(maxsize=20_000)
def _limits(text: str) -> bool:
    if _denies(text) or RESTRICTS.search(text) or FAILS.search(text):
        return True
    return bool(read_modality(text) & (Modality.BAN | Modality.LIMIT)) and LEAVE.search(text) is None


@lru_cache(maxsize=20_000)
def _sides(text: str, axis: str | int) -> frozenset[int]:
    shapes = SIDES[axis] if isinstance(axis, str) else _SIDED[axis]
    return frozenset(at for at, shape in enumerate(shapes) if shape.search(text))
