"""Make the verdict on one compaction from what was measured and found."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from hermes_sessions.audit.fates import is_tail_stored, keeps_tail
from hermes_sessions.audit.handed_on.kept_facts import KeptFact
from hermes_sessions.audit.last_request import find_request_state
from hermes_sessions.audit.measure import MeasuredCompaction
from hermes_sessions.audit.values import AuditMessage, CompactionCase, FindingValue
from hermes_sessions.audit.verdict.consequences import find_consequences, find_questions
from hermes_sessions.audit.verdict.corrections import find_departures, tell_departures
from hermes_sessions.audit.verdict.losses import find_doubtful, find_losses, find_vanished
from hermes_sessions.audit.verdict.quoting import Masker, mask_secrets, quoted, quoted_value
from hermes_sessions.audit.verdict.sentence import CLOSED, say_sentence, why_not_judged
from hermes_sessions.audit.verdict.tell import say_tell
from hermes_sessions.audit.verdict.values import CompactionVerdict, VerdictLine
from hermes_sessions.facts.collector import without_collector

MAX_LOST: Final = 20


@without_collector
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
        closed = any(one.rule == "closed-without-child" for one in own)
        return CompactionVerdict(
            sentence=CLOSED if closed else reason, consequences=find_consequences(own, ())
        )
    standing = tuple(_standing(measured, masked))
    vanished = tuple(find_vanished(measured.case, own, masked))
    departures = find_departures(measured)
    contradicted = tuple(tell_departures(measured.case, departures, masked))
    altered = {one.source for one in contradicted if one.source}
    secrets = {
        (quoted_value(one.source, one.source_line, masked), one.message) for one in departures if one.source
    }
    lost = find_losses(measured, masked)
    losses: Sequence[VerdictLine] = (
        *vanished,
        *(one for one in lost if one.source not in altered and (one.source, one.message) not in secrets),
    )
    consequences = (*find_questions(measured.needed, masked), *find_consequences(own, losses))
    named = _Originals(measured.case)
    losses, standing, contradicted, consequences = (
        named.of(losses),
        named.of(standing),
        named.of(contradicted),
        named.of(consequences),
    )
    return CompactionVerdict(
        sentence=say_sentence(measured, (*standing, *vanished), departures, contradicted, consequences, own),
        standing=(*standing, *_safe(measured)),
        lost=losses[:MAX_LOST],
        maybe_lost=named.of(islice(find_doubtful(measured, masked), MAX_LOST)),
        contradicted=contradicted,
        consequences=consequences,
        tell=say_tell(standing, losses[:MAX_LOST], contradicted, consequences),
        left_out=max(0, len(losses) - MAX_LOST),
    )


class _Originals:
    """The messages that the rows around a compaction repeat: what a reader sees of a copy."""

    def __init__(self, case: CompactionCase) -> None:
        rows = (*case.before, *case.after, *case.following)
        self._copies = {row.id: row.original for row in rows if row.is_copy}

    def of(self, lines: Iterable[VerdictLine]) -> tuple[VerdictLine, ...]:
        """Return *lines*; one about a copy names the message it repeats."""
        return tuple(
            replace(line, message=self._copies[line.message]) if line.message in self._copies else line
            for line in lines
        )


def _standing(measured: MeasuredCompaction, masked: Masker) -> Iterator[VerdictLine]:
    """Yield the last request and the last answer, each with where it is now."""
    case = measured.case
    request = _last([row for row in case.before if row.is_request and row.text.strip()])
    if request is not None:
        yield VerdictLine(
            kind="request",
            text=quoted(request.text, masked),
            message=request.id,
            state=find_request_state(measured, request).value,
        )
    answer = _last([row for row in case.before if row.is_reply and not row.calls]) or _last(
        [row for row in case.before if row.is_reply]
    )
    if answer is not None:
        yield VerdictLine(
            kind="answer", text=quoted(answer.text, masked), message=answer.id, state=_sight(answer, case)
        )


def _sight(answer: AuditMessage, case: CompactionCase) -> str:
    """Return where an answer is: what an agent kept and nobody stored cannot be known."""
    if answer.original in case.kept:
        return "in sight"
    return "perhaps gone" if keeps_tail(case) and not is_tail_stored(case) else "gone"


def _safe(measured: MeasuredCompaction) -> Iterator[VerdictLine]:
    """Yield what need not be looked at: small facts that are gone."""
    small = [fact for fact in measured.retention.facts if fact.is_lost and not fact.matters]
    if small:
        counts = Counter("path" if _is_path(fact) else "value" for fact in small)
        told = " and ".join(f"{count:,} {name}{'s' * (count > 1)}" for name, count in counts.items())
        yield VerdictLine(
            kind="safe", text=f"gone, but only read or mentioned: {told}; the originals are stored"
        )


def _is_path(fact: KeptFact) -> bool:
    return fact.kind in ("path", "file_read", "file_changed")


def _last(rows: Sequence[AuditMessage]) -> AuditMessage | None:
    return rows[-1] if rows else None
