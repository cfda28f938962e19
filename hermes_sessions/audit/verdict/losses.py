"""What is out of the agent's sight and matters, as lines of a verdict."""

import posixpath
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from hermes_sessions.audit.checking.deviation import SECRET
from hermes_sessions.audit.handed_on.kept_facts import KeptFact
from hermes_sessions.audit.measure import MeasuredCompaction
from hermes_sessions.audit.support.ruled_out import rules_out
from hermes_sessions.audit.values import AuditMessage, CompactionCase, FindingValue
from hermes_sessions.audit.verdict.changes import tell_change
from hermes_sessions.audit.verdict.quoting import (
    MAX_CHARS,
    Masker,
    is_hidden,
    quoted,
    quoted_value,
    sentence_with,
)
from hermes_sessions.audit.verdict.values import VerdictLine

_MANY: Final = 6
"""More changed files than these share a line, which leaves at least three of them out."""

_NAMED: Final = 4
_FOLDERS: Final = 4
_ORDER: Final = ("request", "constraint", "decision", "error", "test_result", "file_changed", "todo")
_SPOKEN: Final = frozenset({"request", "constraint", "decision", "error", "todo", "next_step", "question"})
_VANISHED_CHARS: Final = 120
_MOST_SAID: Final = 12
"""So many exchanges are quoted of what vanished."""

RULED_OUT: Final = "ruled out"
ASKED: Final = "asked"
VANISHED: Final = "messages"
EXCHANGE: Final = "exchange"


def find_vanished(
    case: CompactionCase, findings: Sequence[FindingValue], masked: Masker
) -> Iterator[VerdictLine]:
    """Yield what left without a receipt: how many messages, then what was said in them, the newest last."""
    for one in findings:
        if one.rule != "no-receipt":
            continue
        count = one.evidence.get("messages") or len(case.span)
        said = list(_exchanges([row for row in case.span if row.is_request or row.is_reply], masked))
        text = f"{count:,} message{'s' * (count != 1)}" if count else "messages"
        yield VerdictLine(
            kind=VANISHED,
            text=f"{text}; the newest {_MOST_SAID} exchanges follow" if len(said) > _MOST_SAID else text,
            message=next(iter(one.messages), None),
            state="gone",
            source=text,
        )
        yield from said[-_MOST_SAID:]


def _exchanges(rows: Sequence[AuditMessage], masked: Masker) -> Iterator[VerdictLine]:
    """Yield each request with the reply to it, and replies that stand alone."""
    at = 0
    while at < len(rows):
        row = rows[at]
        last = at + 1
        while last < len(rows) and not rows[last].is_request:
            last += 1
        if not row.is_request:
            yield VerdictLine(kind=EXCHANGE, text=_short(row, masked), message=row.id)
            at += 1
            continue
        answer = f" → {_short(rows[last - 1], masked)}" if last > at + 1 else ""
        yield VerdictLine(kind=EXCHANGE, text=f"{_short(row, masked)}{answer}", message=row.id)
        at = last


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
                _changed(fact, measured.case, masked)
                if fact.kind == "file_changed"
                else _not_in_force(_lost(fact, masked), fact, measured.case, masked)
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
    value = quoted(fact.key, masked) if fact.kind == "name" and fact.key else value
    kind = SECRET if is_hidden(value) else fact.kind
    return VerdictLine(kind=kind, text=shown, message=fact.messages[0], source=value[:MAX_CHARS])


def _not_in_force(line: VerdictLine, fact: KeptFact, case: CompactionCase, masked: Masker) -> VerdictLine:
    """Return a line about a value that nobody demands as one: it was ruled out, or only asked about."""
    if fact.kind in _SPOKEN:
        return line
    if rules_out(fact.value, fact.text, fact.speaker):
        return replace(line, state=RULED_OUT)
    if not sentence_with(fact.value, fact.text).rstrip().endswith(("?", "？", "؟")):
        return line
    answer = next((row for row in case.before if row.id > fact.messages[-1] and row.text.strip()), None)
    told = f"{line.text} → {_short(answer, masked)}" if answer and answer.is_reply else line.text
    return replace(line, text=told, state=ASKED)


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
    text = f"{len(files):,} files{_by_folder(files)}, the last ones {named}"
    return VerdictLine(
        kind="file_changed", text=quoted(text, masked), message=files[-1].messages[-1], source=masked(named)
    )


def _by_folder(files: Sequence[KeptFact]) -> str:
    """Return how many files are in each of the folders with most of them; '' where each is in its own."""
    folders = Counter(posixpath.dirname(fact.value) for fact in files)
    told = [
        f"{count:,} in {folder or 'the top folder'}"
        for folder, count in folders.most_common(_FOLDERS)
        if count > 1
    ]
    rest = len(files) - sum(count for _, count in folders.most_common(len(told)))
    if told and rest:
        told.append(f"{rest:,} elsewhere")
    return f" ({', '.join(told)})" if told else ""


def _rank(fact: KeptFact) -> tuple[int, float, int]:
    place = _ORDER.index(fact.kind) if fact.kind in _ORDER else len(_ORDER)
    return place, -fact.weight, fact.messages[0]
