"""The block to copy: what the agent must hear to go on rightly."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from hermes_sessions.audit.checking.deviation import SECRET
from hermes_sessions.audit.checking.inventions import USER_WORDS
from hermes_sessions.audit.verdict.losses import ASKED, EXCHANGE, RULED_OUT, VANISHED
from hermes_sessions.audit.verdict.nouns import noun
from hermes_sessions.audit.verdict.values import VerdictLine

_NAMED: Final = frozenset(
    {"request", "constraint", "decision", "error", "todo", "test_result", "file_changed"}
)
_BARE: Final = _NAMED | {SECRET}
"""Kinds whose value is in the quotation, or is not shown."""
_WORDS: Final = {USER_WORDS: "I never said", "quotation": "Nobody said"}
_LABELS: Final = {RULED_OUT: "Ruled out", ASKED: "Asked"}
"""What is said of a lost value that does not hold, or of which nobody knows that it does."""
_MIN_ANSWER_CHARS: Final = 12
"""An answer as short as `ok` is not worth telling."""
_LEAD: Final = (
    "Your summary of our earlier work left out or changed the following. Please take it as it is here."
)
_LEAD_PERHAPS: Final = (
    "Your context may be without the following of our earlier work. Please take it as it is here."
)
_UNTOLD_LEAD: Final = (
    "No summary took the place of this part of our earlier work. Please take it as it is here."
)
_EMPTY: Final = "Your summary itself says nothing: ask me about what came before it, do not guess"


def say_tell(
    standing: Sequence[VerdictLine],
    lost: Sequence[VerdictLine],
    contradicted: Sequence[VerdictLine],
    consequences: Sequence[VerdictLine] = (),
) -> str:
    """Return what to tell the agent, '' where there is nothing."""
    lines = [
        *_request(standing),
        *_answer(standing),
        *map(_lost, _not_corrected(_without_request(lost, standing), contradicted)),
        *_corrections(contradicted),
        *(_EMPTY for one in consequences if one.kind == "empty-summary"),
    ]
    if not lines:
        return ""
    lead = _lead(lines, standing, lost, contradicted)
    return "\n".join([lead, "", *(f"- {line}" for line in dict.fromkeys(lines))])


def _lead(
    lines: Sequence[str],
    standing: Sequence[VerdictLine],
    lost: Sequence[VerdictLine],
    contradicted: Sequence[VerdictLine],
) -> str:
    if any(line.kind == VANISHED for line in lost):
        return _UNTOLD_LEAD
    is_sure = bool(lost or contradicted or any(line.state == "gone" for line in standing))
    return _LEAD if is_sure or _EMPTY in lines else _LEAD_PERHAPS


def _request(standing: Sequence[VerdictLine]) -> Iterator[str]:
    for line in standing:
        if line.kind == "request" and line.state == "gone":
            yield f"My last request, still open: “{line.text}”"
        if line.kind == "request" and line.state == "perhaps answered":
            yield f"My last request, if it is still open: “{line.text}”"


def _answer(standing: Sequence[VerdictLine]) -> Iterator[str]:
    for line in standing:
        if line.kind != "answer" or len(line.text) < _MIN_ANSWER_CHARS:
            continue
        verb = "began" if line.text.endswith("…") else "was"
        if line.state == "gone":
            yield f"Your last answer to me {verb}: “{line.text}”"
        if line.state == "perhaps gone":
            yield f"Your last answer to me, if you no longer have it, {verb}: “{line.text}”"


def _without_request(lost: Sequence[VerdictLine], standing: Sequence[VerdictLine]) -> Iterator[VerdictLine]:
    request = next((one.message for one in standing if one.kind == "request" and one.state == "gone"), None)
    return (line for line in lost if not (line.kind == "request" and line.message == request))


def _lost(line: VerdictLine) -> str:
    if line.kind == VANISHED:
        return f"Left out of your context without a summary: {line.text}"
    if line.kind == EXCHANGE:
        return f"Said there: “{line.text}”"
    if line.kind == "file_changed":
        return f"Changed: {line.text}"
    if line.state in _LABELS:
        return f"{_LABELS[line.state]}: “{line.text}”"
    name = noun(line.kind) if line.kind in _BARE else f"{noun(line.kind)} {line.source}".strip()
    return f"{name[:1].upper()}{name[1:]}: “{line.text}”"


def _not_corrected(lost: Iterable[VerdictLine], contradicted: Sequence[VerdictLine]) -> Iterator[VerdictLine]:
    """Yield what no correction says already."""
    said = {line.source for line in contradicted if line.source}
    return (line for line in lost if line.kind in _NAMED or said.isdisjoint((line.source, line.text)))


def _corrections(contradicted: Sequence[VerdictLine]) -> Iterator[str]:
    told: dict[tuple[str, str], str] = {}
    for line in contradicted:
        if line.kind == SECRET:
            yield _secret(line)
        elif not line.source:
            yield _unsaid(line)
        elif told.setdefault((line.subject, line.handoff), line.source) == line.source:
            subject = f"{line.subject}: " if line.subject else ""
            where = f", in message {line.message}" if line.message else ""
            yield f"Correction: {subject}not “{line.handoff}” but “{line.source}”{where}"


def _unsaid(line: VerdictLine) -> str:
    if line.kind == "file_changed":
        return f"Check “{line.handoff}” before you rely on it: nothing before your summary changed it"
    if line.kind in _WORDS:
        return f"{_WORDS[line.kind]} “{line.handoff}”"
    where = f" in {line.subject}" if line.subject else ""
    return f"Check “{line.handoff}”{where} before you rely on it: nothing before your summary says it"


def _secret(line: VerdictLine) -> str:
    if line.message is None:
        return f"Check the secret in {line.subject}: it may not be one that was given"
    return (
        f"Correction: {line.subject}: the secret your summary has is not the one that was given,"
        f" in message {line.message}"
    )
