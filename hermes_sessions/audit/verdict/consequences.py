"""What the agent did after a compaction because of it, joined to what it had lost."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from hermes_sessions.audit.needed_later import NeededLater
from hermes_sessions.audit.rules import RULES
from hermes_sessions.audit.values import FindingValue
from hermes_sessions.audit.verdict.asked_again import AskedAgain
from hermes_sessions.audit.verdict.nouns import noun, ordinal
from hermes_sessions.audit.verdict.quoting import Masker, quoted, quoted_value
from hermes_sessions.audit.verdict.values import VerdictLine

SAYS: Final[Mapping[str, str]] = {
    "ghost-response": "acted unasked and did finished work again",
    "work-repeated": "made calls again that it had made before",
    "re-read-after-loss": "read again what was summarised away",
    "rule-lost": "broke a rule that it no longer saw",
    "stale-task": "has a finished task as its active one",
    "orders": "has orders in its summary that nobody gave",
}
"""Rules about what followed, and what the agent did."""
_CONTEXT: Final[Mapping[str, str]] = {
    "compaction-loop": "this is the {nth} compaction in {minutes} minutes",
    "empty-summary": "the summary says nothing{what}",
    "orphan-tool-pair": "a tool call was parted from its result, which a strict provider refuses",
    "cycle": "sessions of this conversation are each other's parents",
}
"""Rules about the compaction itself, and what they say."""
_EMPTY: Final[Mapping[str, str]] = {
    "refusal": " (a refusal)",
    "template": " (a template left unfilled)",
    "instructions": " (the summariser's own instructions)",
}
SECRET: Final = "what looks like a key or a password is sent again with every request"

_MIN_CHARS: Final = 4
_ANSWER: Final = "Give it the value from the original message; it will not find it in its summary."


def find_consequences(
    findings: Sequence[FindingValue], losses: Sequence[VerdictLine]
) -> tuple[VerdictLine, ...]:
    """Return what followed, each with the lost fact it is about where one is named."""
    return tuple(_consequences(findings, losses))


def find_questions(needed: NeededLater, masked: Masker) -> tuple[VerdictLine, ...]:
    """Return what the agent asked for again, each with the lost answer."""
    return tuple(
        VerdictLine(
            kind="asked-again",
            text=f"the agent asked {_asked_for(one)} again: “{quoted(one.question, masked)}”",
            message=one.row.id,
            source=quoted_value(one.value, one.line, masked),
            advice=_ANSWER,
        )
        for one in needed.questions
    )


def _asked_for(one: AskedAgain) -> str:
    return f"for the {noun(one.kind)}" if one.kind else "you what you had answered"


def _consequences(findings: Sequence[FindingValue], losses: Sequence[VerdictLine]) -> Iterator[VerdictLine]:
    for one in findings:
        if one.rule == "secret-in-handoff":
            advice = RULES[one.rule].advice
            yield VerdictLine(kind=one.rule, text=SECRET, message=_first_message(one), advice=advice)
        if one.rule in _CONTEXT:
            yield VerdictLine(
                kind=one.rule,
                text=_CONTEXT[one.rule].format_map(_named(one.evidence)),
                message=_first_message(one),
                advice=RULES[one.rule].advice,
            )
        if one.rule not in SAYS or (one.rule == "rule-lost" and not one.evidence.get("broken_by")):
            continue
        named = list(dict.fromkeys(_texts(one.evidence)))
        about = next((line for line in losses if _is_about(line, named)), None)
        shown = ", ".join(named[:3])
        text = f"the agent {SAYS[one.rule]}" + (f": {shown[:200]}" if shown else "")
        yield VerdictLine(
            kind=one.rule,
            text=text,
            message=_first_message(one),
            source=about.text if about else "",
            advice=RULES[one.rule].advice,
        )


def _named(evidence: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a sentence names of the evidence, in words."""
    count = evidence.get("compactions")
    nth = ordinal(count) if isinstance(count, int) else ""
    return {**evidence, "nth": nth, "what": _EMPTY.get(f"{evidence.get('why')}", "")}


def _first_message(one: FindingValue) -> int | None:
    broken = one.evidence.get("broken_by")
    return broken[0] if broken else next(iter(one.messages), None)


def _is_about(line: VerdictLine, named: Sequence[str]) -> bool:
    """Return whether a line has one of *named*, or one of them has the line's value."""
    return any(
        len(text) >= _MIN_CHARS and (text in line.text or (bool(line.source) and line.source in text))
        for text in named
    )


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts in a finding's evidence, whatever its shape."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, one in value.items():
            if name not in ("kind", "speaker", "counted", "method", "era"):
                yield from _texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)
