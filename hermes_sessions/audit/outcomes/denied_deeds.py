"""Deeds that a handoff reports or allows, of which all that was said of that matter is that they are not done."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.clauses import Clause, cut_told
from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import is_heading
from hermes_sessions.audit.outcomes.deed_families import (
    FAMILIES,
    has_condition,
    is_left_undone,
    is_reported,
    lead_of,
)
from hermes_sessions.audit.relations.statements import Statement, ToldSentences
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.small_words import SMALL_WORDS
from hermes_sessions.facts.wording.sieves import Sieve
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_MOST_CALL: Final = 2_000
_ALL: Final = late_pattern(
    r"\b(?:nothing|anything|none|any|nichts|rien|aucune?|nada|ningun[oa]|ningún|nenhum\w?|niente|nulla|nessun\w?|niets|niks|nic|niczego|żad\w+|ничего|никак\w+)\b|何も|什么(?:都|也)|아무것도",
    re.I,
)
_GENERAL: Final = SMALL_WORDS | {"user", "agent", "assist"}
_NOTHING_MORE: Final = late_pattern(
    r"\b(?:please|yet|still|for now|so far|bitte|noch|vorerst|s['’]il (?:te|vous) pla[iî]t|encore|pour l['’]instant|por favor|todavía|aún|ainda|per favore|ancora|alsjeblieft|graag|nog|proszę|prosimy|jeszcze|na razie|пожалуйста|ещё|еще|пока|прошу)\b|お願い(?:します)?|ください|まだ|还|请|아직",
    re.I,
)
"""What a denial may have besides the deed and still be about all of it."""


class _SaidDeed(NamedTuple):
    """What was said of a deed: the clause, what it names besides, and whether it leaves the deed undone."""

    said: Statement
    things: frozenset[str]
    is_undone: bool
    is_of_all: bool


def denied_deeds(
    claims: Sequence[Clause], told: ToldSentences, rows: Sequence[AuditMessage]
) -> Iterator[Deviation]:
    """Yield clauses with a deed that nobody reports or orders of the same, and somebody denies, bars or leaves open."""
    known: dict[int, Sequence[_SaidDeed]] = {}
    for claim in claims:
        if is_heading(claim.said.text) or not is_reported(claim.text) or has_condition(lead_of(claim)):
            continue
        for at, deed in enumerate(FAMILIES):
            if deed.search(claim.text) is None:
                continue
            if at not in known:
                known[at] = _read(deed, told, rows)
            if (said := _denied(_things(claim.text, deed), known[at])) is not None:
                yield Deviation(
                    Grade.NOT_VERBATIM, "done", claim.text, claim.said.text, "denied-deed", said.text, said.text,
                    said.message or None,
                )  # fmt: skip
                break


def _things(text: str, deed: Sieve) -> frozenset[str]:
    """Return what *text* names besides a deed."""
    return read_items(_NOTHING_MORE.sub(" ", deed.sub(" ", text))).all - _GENERAL


def _read(deed: Sieve, told: ToldSentences, rows: Sequence[AuditMessage]) -> Sequence[_SaidDeed]:
    """Return everything that was said of a deed, and the calls that do it, in their order."""
    found = [*_calls(deed, rows)]
    for said in told:
        if deed.search(said.text) is None:
            continue
        for text, whole in cut_told(said.text):
            if deed.search(text) is None:
                continue
            things = _things(whole, deed)
            is_undone = is_left_undone(text)
            if said.is_question and not is_undone:
                continue
            found.append(_SaidDeed(said, things, is_undone, not things or _ALL.search(text) is not None))
    return sorted(found, key=lambda one: one.said.message)


def _calls(deed: Sieve, rows: Sequence[AuditMessage]) -> Iterator[_SaidDeed]:
    for row in rows:
        for call in row.calls:
            if deed.search(call.name.replace("_", " ")) or deed.search(call.arguments[:_MOST_CALL]):
                said = Statement(call.arguments[:_MOST_CALL], row.id, row.role)
                yield _SaidDeed(said, read_items(said.text).all, False, False)


def _denied(things: frozenset[str], told: Sequence[_SaidDeed]) -> Statement | None:
    """Return who says last that the deed is not done to any of *things*, where nobody says, then or earlier, that it is."""
    origin = next(
        (
            one
            for one in reversed(told)
            if one.is_undone and one.said.speaker != Role.TOOL and (one.is_of_all or one.things & things)
        ),
        None,
    )
    if origin is None:
        return None
    for one in told:
        if one.is_undone:
            continue
        is_same = bool(one.things & things) or (not things and not one.things)
        if is_same or (one.said.message > origin.said.message and (one.is_of_all or not things)):
            return None
    return origin.said
