"""Deeds reported as done, or announced, in a verb that nobody used, of things that hardly anybody named."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.alignment.clause_index import ClauseIndex
from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode, is_heading
from hermes_sessions.audit.notices.polarity import NO, TO_COME, denial
from hermes_sessions.audit.outcomes.deed_forms import deeds_to_come, language_of_deeds, past_deeds
from hermes_sessions.audit.relations.statements import ToldSentences
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.wording import MODAL
from hermes_sessions.late_patterns import late_pattern

_MOST: Final = 1.0 + 1e-9
"""All that a clause names and somebody named weighs no more than one rare thing."""
_FEW: Final = 2
_TELLS: Final = 40
_READ: Final = 4_000
_MOST_READ: Final = 300
_ASKS: Final = late_pattern(
    r"asked|requested|ordered|demanded|insisted|promised|agreed|announced|decided|told|gebeten|verlangt|angeordnet|versprochen|zugesagt|angekündigt|demandé|exigé|promis|annoncé|décidé|pedido|pidió|exigi(?:do|ó)|prometi(?:do|ó)|anunci(?:ado|ó)|decidi(?:do|ó|u)|pediu|prometeu|anunciou|chiesto|promesso|annunciato|deciso|gevraagd|beloofd|aangekondigd|poprosił\w*|obieca\w+|zapowiedzia\w+|попросил\w*|обещал\w*",
    re.I,
)
"""What is asked or promised is still to come, that it is asked or promised is not."""


def unheard_deeds(claims: Sequence[Clause], index: ClauseIndex, told: ToldSentences) -> Iterator[Deviation]:
    """Yield clauses that report or announce a deed whose verb stands nowhere, where at most one thing beside it does.

    A verb of another language than anything that was said counts only where its meaning has a name here.
    """
    language, is_own = language_beside(claims, told)
    for claim in claims:
        items = read_items(claim.text).all
        if is_heading(claim.said.text) or len(items) < _FEW or index.weight(items) > _MOST:
            continue
        is_plan = claim.said.mode is Mode.PLANNED
        deeds = (one for one in past_deeds(claim.text, language) if not is_plan or _ASKS.fullmatch(one))
        reported = (verb for verb in deeds if _reports(claim.text, verb))
        planned = deeds_to_come(claim.text, language) if is_own else ()
        if any(_is_unheard(verb, index, is_own=is_own) for verb in (*reported, *planned)):
            yield Deviation(Grade.NOT_VERBATIM, "done", claim.text, claim.said.text, "unheard-deed")


def language_beside(claims: Sequence[Clause], told: ToldSentences) -> tuple[str, bool]:
    """Return the language of a handoff, and whether something of what was said is in it, too."""
    language = language_of_deeds("\n".join(one.text for one in claims)[:_READ])
    texts = [one.text for one in told if len(one.text) >= _TELLS][:_MOST_READ]
    return language, language in {language_of_deeds("\n".join(texts)), *map(language_of_deeds, texts)}


def _reports(text: str, verb: str) -> bool:
    """Return whether a clause may report *verb*: up to there it neither denies, plans nor allows.

    `He asked it to be switched off` reports that he asked.
    """
    told = text[: text.find(verb) + len(verb)] if _ASKS.fullmatch(verb) else text
    return denial(told) != NO and not MODAL.search(told) and not TO_COME.search(told)


def _is_unheard(verb: str, index: ClauseIndex, *, is_own: bool) -> bool:
    named = read_items(f"x {verb}").all
    if not named or any(map(index.knows, named)):
        return False
    return is_own or bool(read_terms(verb).concepts)
