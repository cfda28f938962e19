"""Make the verdict on one compaction from what was measured and found."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.measure import MeasuredCompaction
from hermes_sessions.audit.retention import KeptFact
from hermes_sessions.audit.values import AuditMessage, FindingValue
from hermes_sessions.audit.verdict.consequences import find_consequences
from hermes_sessions.audit.verdict.sentence import say_sentence, why_not_judged
from hermes_sessions.audit.verdict.tell import say_tell
from hermes_sessions.audit.verdict.values import CompactionVerdict, VerdictLine
from hermes_sessions.facts import shorten_line
from hermes_sessions.redact import redact

MAX_LOST: Final = 20
_MAX_CHARS: Final = 280
_MANY: Final = 4
"""More changed files than these share a line."""

_NAMED: Final = 4
_ORDER: Final = ("request", "constraint", "decision", "error", "test_result", "file_changed", "todo")
_SPOKEN: Final = frozenset({"request", "constraint", "decision", "error", "todo", "next_step", "question"})


Masker = Callable[[str], str]
"""Takes the secrets out of a text, or leaves it as it is."""


def mask_secrets(text: str) -> str:
    """Return *text* with its secrets masked."""
    return redact(text).text


def judge_compaction(
    measured: MeasuredCompaction, findings: Sequence[FindingValue] = (), masked: Masker = mask_secrets
) -> CompactionVerdict:
    """Return the verdict on a compaction.

    Args:
        measured: the compaction.
        findings: what the rules found on it; those of its whole conversation are welcome.
        masked: what every quoted text goes through before it is cut.
    """
    own = [one for one in findings if one.compaction in (None, measured.case.facts.id)]
    if reason := why_not_judged(measured):
        return CompactionVerdict(sentence=reason, consequences=find_consequences(own, ()))
    standing = tuple(_standing(measured, masked))
    losses = list(_losses(measured, masked))
    contradicted = tuple(_contradicted(one, masked) for one in _departures(measured))
    consequences = find_consequences(own, losses)
    return CompactionVerdict(
        sentence=say_sentence(measured, standing, consequences),
        standing=(*standing, *_safe(measured, masked)),
        lost=tuple(losses[:MAX_LOST]),
        contradicted=contradicted,
        consequences=consequences,
        tell=say_tell(standing, losses[:MAX_LOST], contradicted),
        left_out=max(0, len(losses) - MAX_LOST),
    )


def _standing(measured: MeasuredCompaction, masked: Masker) -> Iterator[VerdictLine]:
    """Yield the last request and the last answer, each with where it is now."""
    case = measured.case
    request = _last([row for row in case.before if row.is_request and row.text.strip()])
    if request is not None:
        yield VerdictLine(
            kind="request",
            text=_quoted(request.text, masked),
            message=request.id,
            state=_state_of_request(measured, request),
        )
    answer = _last([row for row in case.before if row.is_reply and not row.calls]) or _last(
        [row for row in case.before if row.is_reply]
    )
    if answer is not None:
        kept = answer.original in case.kept
        yield VerdictLine(
            kind="answer",
            text=_quoted(answer.text, masked),
            message=answer.id,
            state="in sight" if kept else "gone",
        )


def _state_of_request(measured: MeasuredCompaction, request: AuditMessage) -> str:
    case = measured.case
    if request.original in case.kept:
        return "in sight"
    place = next(at for at, row in enumerate(case.before) if row.id == request.id)
    asked = [
        fact for fact in measured.retention.facts if fact.kind == "request" and request.id in fact.messages
    ]
    if asked and not any(fact.is_lost for fact in asked):
        return "in the summary"
    if any(row.is_reply and not row.calls for row in case.before[place + 1 :]):
        return "answered"
    return "gone"


def _safe(measured: MeasuredCompaction, masked: Masker) -> Iterator[VerdictLine]:
    """Yield what need not be looked at: small facts that are gone, values that were only worked out."""
    small = [fact for fact in measured.retention.facts if fact.is_lost and not fact.matters]
    if small:
        counts = Counter("path" if _is_path(fact) else "value" for fact in small)
        told = " and ".join(f"{count:,} {name}{'s' * (count > 1)}" for name, count in counts.items())
        yield VerdictLine(
            kind="safe", text=f"gone, but only read or mentioned: {told}; the originals are stored"
        )
    departures = measured.departs(Grade.NOT_VERBATIM)
    if own := [one for one in departures if mask_secrets(one.value) == one.value]:  # a secret is never safe
        told = ", ".join(f"“{masked(one.value)}”" for one in own[:3])
        yield VerdictLine(
            kind="safe", text=f"the summary puts {told} in its own way; nothing says it is wrong"
        )


def _is_path(fact: KeptFact) -> bool:
    return fact.kind in ("path", "file_read", "file_changed")


def _losses(measured: MeasuredCompaction, masked: Masker) -> Iterator[VerdictLine]:
    """Yield the facts that matter and are gone; a value within a listed sentence has no line of its own."""
    lost = [fact for fact in measured.retention.facts if fact.is_lost and fact.matters]
    lost.sort(key=_rank)
    files = [fact for fact in lost if fact.kind == "file_changed"]
    listed: list[str] = []
    for fact in lost:
        text = fact.value if fact.kind in _SPOKEN else fact.text or fact.value
        if len(files) > _MANY and fact.kind == "file_changed":
            if fact is files[-1]:
                yield _many_files(files, masked)
        elif not any(fact.value in one for one in listed):
            listed.append(text)
            yield _lost(fact, text, masked)


def _lost(fact: KeptFact, text: str, masked: Masker) -> VerdictLine:
    shown = _quoted(text, masked)
    if fact.kind not in _SPOKEN and (fact.value not in shown or fact.kind == "file_changed"):
        shown = _quoted(fact.value, masked)
    return VerdictLine(
        kind=fact.kind, text=shown, message=fact.messages[0], source=masked(fact.value)[:_MAX_CHARS]
    )


def _many_files(files: Sequence[KeptFact], masked: Masker) -> VerdictLine:
    """Return one line for many changed files, the newest named."""
    named = ", ".join(fact.value for fact in files[-_NAMED:])
    text = f"{len(files):,} files, the last ones {named}"
    return VerdictLine(
        kind="file_changed", text=_quoted(text, masked), message=files[-1].messages[-1], source=masked(named)
    )


def _rank(fact: KeptFact) -> tuple[int, float, int]:
    place = _ORDER.index(fact.kind) if fact.kind in _ORDER else len(_ORDER)
    return place, -fact.weight, fact.messages[0]


def _departures(measured: MeasuredCompaction) -> list[Deviation]:
    found = [*measured.departs(Grade.CONTRADICTS), *measured.departs(Grade.INVENTED)]
    return sorted(found, key=lambda one: not one.grave)


def _contradicted(one: Deviation, masked: Masker) -> VerdictLine:
    value, source = _quoted(one.value, masked), _quoted(one.source, masked)
    if not one.source:
        text = f"the handoff says “{value}”; nothing before it does"
    else:
        where = f" in message {one.message}" if one.message else ""
        text = f"handoff “{value}”, source “{source}”{where}"
    return VerdictLine(kind=one.kind, text=text, message=one.message, handoff=value, source=source)


def _last(rows: Sequence[AuditMessage]) -> AuditMessage | None:
    return rows[-1] if rows else None


def _quoted(text: str, masked: Masker) -> str:
    # Masked before it is cut: a piece of a secret is not recognised any more.
    return shorten_line(masked(text), _MAX_CHARS)
