"""Deeds that a handoff reports as done in a verb that nobody used, of things that hardly anybody named."""

from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.alignment.clause_index import ClauseIndex
from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode, is_heading
from hermes_sessions.audit.notices.polarity import NO, TO_COME, denial
from hermes_sessions.audit.outcomes.deed_forms import language_of_deeds, past_deeds
from hermes_sessions.audit.relations.statements import ToldSentences
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.wording import MODAL

_MOST: Final = 1.0 + 1e-9
"""All that a clause names and somebody named weighs no more than one rare thing."""
_FEW: Final = 2
_TELLS: Final = 40
_READ: Final = 4_000
_MOST_READ: Final = 300


def unheard_deeds(claims: Sequence[Clause], index: ClauseIndex, told: ToldSentences) -> Iterator[Deviation]:
    """Yield clauses that report a deed whose verb stands nowhere, where at most one thing beside it does.

    A verb of another language than anything that was said counts only where its meaning has a name here.
    """
    language = language_of_deeds("\n".join(one.text for one in claims)[:_READ])
    texts = [one.text for one in told if len(one.text) >= _TELLS][:_MOST_READ]
    is_own = language in {language_of_deeds("\n".join(texts)), *map(language_of_deeds, texts)}
    for claim in claims:
        items = read_items(claim.text).all
        if not _reports(claim) or len(items) < _FEW or index.weight(items) > _MOST:
            continue
        if any(_is_unheard(verb, index, is_own=is_own) for verb in past_deeds(claim.text, language)):
            yield Deviation(Grade.NOT_VERBATIM, "done", claim.text, claim.said.text, "unheard-deed")


def _reports(claim: Clause) -> bool:
    """Return whether a clause may report something: it neither denies, plans nor allows."""
    if claim.said.mode is Mode.PLANNED or is_heading(claim.said.text):
        return False
    return denial(claim.text) != NO and not MODAL.search(claim.text) and not TO_COME.search(claim.text)


def _is_unheard(verb: str, index: ClauseIndex, *, is_own: bool) -> bool:
    named = read_items(f"x {verb}").all
    if not named or any(map(index.knows, named)):
        return False
    return is_own or bool(read_terms(verb).concepts)
