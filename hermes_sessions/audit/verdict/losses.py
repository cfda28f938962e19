"""What is out of the agent's sight and matters, as lines of a verdict."""

from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.measure import MeasuredCompaction
from hermes_sessions.audit.retention import KeptFact
from hermes_sessions.audit.values import AuditMessage, CompactionCase, FindingValue
from hermes_sessions.audit.verdict.changes import tell_change
from hermes_sessions.audit.verdict.quoting import MAX_CHARS, Masker, quoted, quoted_value, sentence_with
from hermes_sessions.audit.verdict.values import VerdictLine

_MANY: Final = 4
"""More changed files than these share a line."""

_NAMED: Final = 4
_ORDER: Final = ("request", "constraint", "decision", "error", "test_result", "file_changed", "todo")
_SPOKEN: Final = frozenset({"request", "constraint", "decision", "error", "todo", "next_step", "question"})
_VANISHED_CHARS: Final = 120
_ENDS: Final = 2
"""So many messages are quoted of either end of what vanished."""

VANISHED: Final = "messages"


def find_vanished(
    case: CompactionCase, findings: Sequence[FindingValue], masked: Masker
) -> Iterator[VerdictLine]:
    """Yield what left without a receipt: how many messages, and what was said in them first and last."""
    for one in findings:
        if one.rule != "no-receipt":
            continue
        count = one.evidence.get("messages") or len(case.span)
        said = [row for row in case.span if row.is_request or row.is_reply]
        ends = said if len(said) <= 2 * _ENDS else [*said[:_ENDS], *said[-_ENDS:]]
        named = list(dict.fromkeys(f"“{_short(row, masked)}”" for row in ends))
        text = f"{count:,} message{'s' * (count != 1)}" if count else "messages"
        yield VerdictLine(
            kind=VANISHED,
            text=f"{text}, among them {', '.join(named)}" if named else text,
            message=next(iter(one.messages), None),
            state="gone",
            source=text,
        )


def _short(row: AuditMessage, masked: Masker) -> str:
    shown = quoted(row.text, masked)
    return shown if len(shown) <= _VANISHED_CHARS else f"{shown[:_VANISHED_CHARS].rsplit(' ', 1)[0]}…"


def find_losses(measured: MeasuredCompaction, masked: Masker) -> Iterator[VerdictLine]:
    """Yield the facts that matter and are gone; a value within a listed sentence has no line of its own."""
    return _lines(
        [fact for fact in measured.retention.facts if fact.is_lost and fact.matters], measured, masked
    )


def find_doubtful(measured: MeasuredCompaction, masked: Masker) -> Iterator[VerdictLine]:
    """Yield the facts that matter and that the handoff may say in other words."""
    return _lines(
        [fact for fact in measured.retention.facts if fact.in_doubt and fact.matters], measured, masked
    )


def _lines(lost: list[KeptFact], measured: MeasuredCompaction, masked: Masker) -> Iterator[VerdictLine]:
    lost.sort(key=_rank)
    files = [fact for fact in lost if fact.kind == "file_changed"]
    listed: list[str] = []
    for fact in lost:
        text = fact.value if fact.kind in _SPOKEN else sentence_with(fact.value, fact.text or fact.value)
        if len(files) > _MANY and fact.kind == "file_changed":
            if fact is files[-1]:
                yield _many_files(files, masked)
        elif not any(fact.value in one for one in listed):
            listed.append(text)
            yield (
                _changed(fact, measured.case, masked) if fact.kind == "file_changed" else _lost(fact, masked)
            )


def _lost(fact: KeptFact, masked: Masker) -> VerdictLine:
    if fact.kind in _SPOKEN:
        value = shown = quoted(fact.value, masked)
    else:
        value = quoted_value(fact.value, fact.text, masked)
        line = masked(fact.text)
        shown = (
            quoted(sentence_with(fact.value, line), str) if fact.value in line else quoted(fact.text, masked)
        )
        if value not in shown and fact.value not in fact.text:
            shown = value
    return VerdictLine(kind=fact.kind, text=shown, message=fact.messages[0], source=value[:MAX_CHARS])


def _changed(fact: KeptFact, case: CompactionCase, masked: Masker) -> VerdictLine:
    """Return a changed file with what was changed in it."""
    known = set(fact.messages)
    gist = tell_change(fact.value, [row for row in case.before if row.id in known], masked)
    path = quoted(fact.value, masked)
    return VerdictLine(
        kind=fact.kind,
        text=f"{path}: {gist}" if gist else path,
        message=fact.messages[-1],
        source=path,
    )


def _many_files(files: Sequence[KeptFact], masked: Masker) -> VerdictLine:
    """Return one line for many changed files, the newest named."""
    named = ", ".join(fact.value for fact in files[-_NAMED:])
    text = f"{len(files):,} files, the last ones {named}"
    return VerdictLine(
        kind="file_changed", text=quoted(text, masked), message=files[-1].messages[-1], source=masked(named)
    )


def _rank(fact: KeptFact) -> tuple[int, float, int]:
    place = _ORDER.index(fact.kind) if fact.kind in _ORDER else len(_ORDER)
    return place, -fact.weight, fact.messages[0]
