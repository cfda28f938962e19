"""Whether a sentence lays something down, by the classes of its words and the form of its verbs."""

import re
from enum import IntEnum
from typing import Final

from hermes_sessions.facts.clauses.constructions import ANYBODY, DECREED, TAKEN_UP, TOLD, UNSPACED
from hermes_sessions.facts.clauses.orders import NOT_DOING, NOT_TO_DO
from hermes_sessions.facts.clauses.rows import is_unspaced, rows_of
from hermes_sessions.facts.gates import Opened, holds, present
from hermes_sessions.facts.wording.sieves import sieve

_TROUBLE: Final = sieve(
    r"\b(?:errors?|exception|failed|fails|failing|crash\w*|40[0134]|traceback|fehler|erreur|errore|erro|błąd|bug)\b|ошибк|エラー|报错|错误",
    re.I,
)


_THEN: Final = sieve(
    r"\b(?:and|but|,) then\b|\bund dann\b|\bbricht (?:\w+ )?ab\b|\bpuis\b|\by luego\b|\be (?:poi|depois)\b|\ben dan\b|\bpotem\b|\bпотом\b|然后|その後",
    re.I,
)
"""What comes of it: how something works, where an agent tells it."""


class SaidAs(IntEnum):
    """How much it takes until what is said is a rule.

    Attributes:
        SHOWN: somebody's words are shown; they say it on their own.
        TOLD: it is said to somebody who is to follow it.
        TAKEN_UP: an agent takes up what it was told.
        DECREED: it is among instructions, or under the heading of a notice.
    """

    SHOWN = 0
    TOLD = 1
    TAKEN_UP = 2
    DECREED = 3


_CONSTRUCTIONS: Final = {
    SaidAs.SHOWN: (ANYBODY,),
    SaidAs.TOLD: (ANYBODY, TOLD),
    SaidAs.TAKEN_UP: (ANYBODY, TOLD, TAKEN_UP),
    SaidAs.DECREED: (ANYBODY, TOLD, DECREED),
}


def lays_down(text: str, lowered: str, opened: Opened, standing: SaidAs) -> bool:
    """Return whether *text*, a sentence whose lower case is *lowered*, says what is to hold from now on."""
    shapes = _CONSTRUCTIONS[standing]
    if standing is not SaidAs.SHOWN and is_unspaced(text):
        shapes = (*shapes, UNSPACED)
    if any(shape.search(row) for row in rows_of(text) for shape in shapes) and not _TROUBLE.search(text):
        return standing in (SaidAs.TOLD, SaidAs.DECREED) or not _THEN.search(text)
    if standing is SaidAs.SHOWN:
        return False
    orders = (NOT_TO_DO, NOT_DOING) if standing is SaidAs.TAKEN_UP else (NOT_TO_DO,)
    return any(holds(present(order, opened), text, lowered) for order in orders)
