"""Facts that a handoff has, and of which a finding says that the handoff contradicts them: they do not survive. Pure."""

from collections.abc import Sequence
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.handed_on.kept_facts import KeptFact
from hermes_sessions.audit.handed_on.told_matters import demands_of
from hermes_sessions.facts.compare import stands_in

_OPPOSITE: Final = frozenset({"negation", "opposite"})
_SENTENCES: Final = _OPPOSITE | {"done", "order", "who"}
"""Kinds of deviation that are about a whole sentence."""
_SAID: Final = frozenset({"constraint", "decision", "request", "todo", "next_step"})


def turns_sentence(one: Deviation, text: str, messages: Sequence[int], body: str) -> bool:
    """Return whether a deviation says that a handoff contradicts *text*, said in these messages.

    It has the opposite of it, or another value for one that it is all about; *body* is what it says.
    """
    if one.grade is not Grade.CONTRADICTS or one.message not in messages or not one.source:
        return False
    if one.kind in _SENTENCES:
        source, text = _bare(one.source), _bare(text)
        return bool(source) and (source in text or text in source)
    if _bare(text) not in _bare(one.source_line) or stands_in(one.source, body):
        return False
    return all(stands_in(one.source, clause) for clause in demands_of(text))


def without_turned(
    facts: Sequence[KeptFact], deviations: Sequence[Deviation], body: str
) -> tuple[KeptFact, ...]:
    """Return *facts* with those lost that the handoff contradicts; *body* is what it says."""
    contradicted = [one for one in deviations if one.grade is Grade.CONTRADICTS and one.source]
    wrong = {one.line for one in contradicted if one.kind in _OPPOSITE}
    # What surely turns one sentence round turns its echo round, too.
    contradicted += [
        one._replace(grade=Grade.CONTRADICTS)
        for one in deviations
        if one.grade is Grade.NOT_VERBATIM and one.kind in _OPPOSITE and one.source and one.line in wrong
    ]
    if not contradicted:
        return tuple(facts)
    return tuple(_as_lost(one) if _is_turned(one, contradicted, body) else one for one in facts)


def _is_turned(fact: KeptFact, deviations: Sequence[Deviation], body: str) -> bool:
    if fact.in_tail or fact.is_lost:
        return False
    near = [one for one in deviations if one.message in fact.messages]
    if fact.kind in _SAID:
        return any(turns_sentence(one, fact.value, fact.messages, body) for one in near) or any(
            _is_in_doubt(fact, one) for one in near
        )
    return any(_turns_value(one, fact, body) for one in near)


def _is_in_doubt(fact: KeptFact, one: Deviation) -> bool:
    """Return whether a sentence that may be there in other words is there with another value."""
    is_value = one.kind not in _SENTENCES
    return fact.in_doubt and is_value and stands_in(one.source, fact.value) and fact.value in one.source_line


def _turns_value(one: Deviation, fact: KeptFact, body: str) -> bool:
    if one.kind not in _SENTENCES:
        return one.source == fact.value and fact.value in one.source_line
    is_said = stands_in(fact.value, one.source) and stands_in(fact.value, one.line)
    return is_said and not stands_in(fact.value, body.replace(one.line, " "))


def _as_lost(fact: KeptFact) -> KeptFact:
    return fact._replace(in_handoff=False, in_doubt=False)


def _bare(text: str) -> str:
    return " ".join(text.split()).strip(" .!。！*_`-").casefold()
