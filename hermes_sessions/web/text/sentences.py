"""The viewer's sentences about compactions and sessions. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from hermes_sessions.exporters.compaction_words import (
    compaction_name,
    method_words,
    realisation_words,
    span_words,
)
from hermes_sessions.messages import CompactionMethod, CompactionStatus
from hermes_sessions.store.queries.compactions import ListedCompaction
from hermes_sessions.store.queries.conversations import ConversationRow
from hermes_sessions.web.text.filters import moment, number, plural, short_number

RELATION_LABELS: dict[str, str] = {
    "root": "start",
    "compaction": "continuation",
    "branch": "branch",
    "reset": "after a reset",
    "delegate": "delegate",
    "fork": "fork",
    "unknown": "relation unknown",
    "scheduled": "scheduled run",
}

PARENT_WORDS: dict[str, str] = {
    "branch": "Branch of",
    "reset": "Begun after a reset of",
    "delegate": "Delegate of",
    "compaction": "Continues",
}


def day_of(at: float | None) -> str:
    """Return the local day of a time, to see a change of day; '' where it is unknown."""
    when = moment(at)
    return when.date().isoformat() if when else ""


def count_of_kind(row: ListedCompaction, conversation: ConversationRow) -> int:
    """Return how many compactions its conversation has; of a prune, how many prunes."""
    return conversation.prune_count if row.is_prune else conversation.compaction_count


def separator_words(row: ListedCompaction, total: int) -> tuple[str, str]:
    """Return the line at a compaction: "Compaction 3 of 5", and what is known about it but its time.

    Args:
        total: how many its conversation has of its kind.
    """
    headline = compaction_name(row.method, row.ordinal, total)
    if row.status != CompactionStatus.COMMITTED:
        headline += f", {row.status}"
    return headline, ", ".join(_facts(row))


@dataclass(frozen=True, slots=True)
class SeparatorLine:
    """The line at a compaction in a transcript: a heading, what is said behind it, everything else."""

    headline: str
    parts: tuple[str, ...]
    title: str


def separator_line(row: ListedCompaction, total: int) -> SeparatorLine:
    """Return the line at a compaction: what became a summary, and how much of what matters survives."""
    numbered, detail = separator_words(row, total)
    status = "" if row.status == CompactionStatus.COMMITTED else f", {row.status}"
    return SeparatorLine(
        headline=compaction_name(row.method, row.ordinal) + status,
        parts=tuple(_outcome(row)),
        title=", ".join(part for part in (numbered, detail) if part),
    )


def _outcome(row: ListedCompaction) -> Iterator[str]:
    if row.status != CompactionStatus.COMMITTED:
        if row.error:
            yield row.error
        return
    if row.span_messages:
        yield span_outcome(row)
    if not row.span_stored:
        yield "the originals were not stored"
    if row.matter_total:
        kept = row.matter_total - (row.matter_lost or 0)
        facts = (
            "1 fact that matters"
            if row.matter_total == 1
            else f"{number(row.matter_total)} facts that matter"
        )
        yield f"{number(kept)} of {facts} {'survives' if 1 in (kept, row.matter_total) else 'survive'}"


def span_outcome(row: ListedCompaction) -> str:
    """Return what became of the span: "13 messages became a summary", "12 results cleared"."""
    match row.method:
        case CompactionMethod.PRUNE:
            return f"{plural(row.span_messages or 0, 'result')} cleared"
        case CompactionMethod.MARKER:
            return f"{plural(row.span_messages or 0, 'message')} became a note that they were removed"
        case CompactionMethod.NONE:
            return f"{plural(row.span_messages or 0, 'message')} left, no summary is stored"
        case _:
            became = f"{plural(row.span_messages or 0, 'message')} became a summary"
            return became + (", encrypted by the provider" if row.is_encrypted else "")


def _facts(row: ListedCompaction) -> list[str]:
    engine = [f"engine {row.engine}"] if row.engine else []
    if row.status != CompactionStatus.COMMITTED:
        return [*([row.error] if row.error else []), *engine]
    facts: list[str] = []
    if row.span_messages is not None:
        facts.append(span_words(row.span_messages, row.method, number(row.span_messages)))
    if not row.span_stored:
        facts.append("the originals were not stored")
    facts.append(realisation_words(row.realisation))
    if method := method_words(row.method):
        facts.append(method)
    if row.is_encrypted:
        facts.append("summary encrypted by the provider")
    if row.tokens_before is not None and row.tokens_after is not None:
        facts.append(f"{short_number(row.tokens_before)} to {short_number(row.tokens_after)} tokens")
    return [*facts, *engine]


def session_size(messages: int, shown: int) -> str:
    """Return the size of a session in words: "120 rows, 80 in the scroll"."""
    return plural(messages, "row") if messages == shown else f"{number(messages)} rows, {number(shown)} new"
