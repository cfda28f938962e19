"""Sentences of a handoff that give leave: `even without his approval`, or for what the source bars."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.alignment.clause_index import ClauseIndex
from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import is_heading
from hermes_sessions.audit.notices.polarity import NO, YES, denial
from hermes_sessions.audit.notices.support import Support
from hermes_sessions.audit.relations.statements import Statement
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_MOST: Final = 5
_LEAST: Final = 1.0
_AS_NEAR: Final = 0.7
_ALLOWS: Final = late_pattern(
    r"\b(?:may|can be|(?:is|are) (?:now )?(?:allowed|permitted|free)|allowed to|darf|dürfen|(?:kann|können) \w+ werden|erlaubt|on peut|peut|peuvent|permise?s?|autorisée?s?"
    r"|se puede|puede[ns]?|permitid[oa]s?|pode-se|pode[ms]?|permitid[oa]s?|si può|può|possono|permess[oaie]|mag|mogen|toegestaan|można|wolno|może|mogą|dozwolon\w+"
    r"|можно|может|могут|разрешен\w*|разрешается)\b|可以|允许|ても(?:よい|いい|構)|てよい|해도 (?:된|되|좋)|허용",
    re.I,
)
_EVEN_WITHOUT: Final = late_pattern(
    r"\b(?:even without|also without|no need (?:to ask|for (?:his|her|their|any|the) \w+)|without (?:asking|waiting)|auch ohne|ohne (?:zu fragen|rückfrage|nachfrage)"
    r"|même sans|sans (?:demander|attendre)|incluso sin|aun sin|también sin|sin (?:preguntar|esperar)|mesmo sem|também sem|sem (?:perguntar|esperar)"
    r"|anche senza|senza (?:chiedere|aspettare)|ook zonder|zonder te (?:vragen|wachten)|даже без|и без|не спрашивая|nawet bez|także bez|bez pytania)\b"
    r"|即使没有|无需|不用问|なくても|聞かずに|없이도",
    re.I,
)


def leave_given(claims: Sequence[Statement], index: ClauseIndex) -> Iterator[Deviation]:
    """Yield sentences that do without something, or allow it, where the ones nearest to them bar or limit it."""
    for claim in claims:
        goes_without = _EVEN_WITHOUT.search(claim.text) is not None
        allows = _ALLOWS.search(claim.text) is not None and denial(claim.text) == YES
        if is_heading(claim.text) or not (goes_without or allows):
            continue
        near = _nearest(claim, index)
        said = near[0] if near else None
        if said is None:
            continue
        is_barred = (
            _EVEN_WITHOUT.search(said.text) is None and denial(said.text) != YES
            if goes_without
            else denial(said.text) == NO and not any(map(_allows, near))
        )
        if is_barred:
            yield Deviation(
                Grade.NOT_VERBATIM, "negation", claim.text, claim.text, "leave", said.text, said.text, said.message or None
            )  # fmt: skip


def _allows(said: Statement) -> bool:
    return _ALLOWS.search(said.text) is not None and denial(said.text) != NO


def _nearest(claim: Statement, index: ClauseIndex) -> Sequence[Statement]:
    """Return what people said that is nearest to a sentence, the nearest first; nothing where that is far."""
    found = [
        one
        for one in Support(read_items(claim.text).all, index).best(_MOST)
        if index.said(one.place).speaker in (Role.USER, Role.ASSISTANT)
    ]
    if not found or found[0].score < _LEAST:
        return ()
    return [index.said(one.place) for one in found if one.score >= found[0].score * _AS_NEAR]
