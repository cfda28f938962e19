"""The viewer's sentences about compactions and sessions. Pure."""

from hermes_sessions.messages import CompactionMethod, CompactionStatus, Realisation
from hermes_sessions.operations.journal import ChangeLine
from hermes_sessions.store.queries.compactions import CompactionRow
from hermes_sessions.web.filters import moment, number, plural, short_number
from hermes_sessions.web.progress import OriginProgress

REALISATIONS: dict[str, str] = {
    Realisation.IN_PLACE: "in place",
    Realisation.ROTATION: "into a new session",
    Realisation.NATIVE: "by the agent itself",
}
METHODS: dict[str, str] = {
    CompactionMethod.MODEL: "summary by a model",
    CompactionMethod.EXTRACTIVE: "extracted without a model",
    CompactionMethod.FALLBACK: "summary written by rules, no model answered",
    CompactionMethod.MARKER: "only a note that messages were removed",
    CompactionMethod.NONE: "no summary stored",
}

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


def separator_words(row: CompactionRow, total: int) -> tuple[str, str]:
    """Return the line at a compaction: "Compaction 3 of 5", and what is known about it but its time."""
    headline = f"Compaction {row.ordinal} of {max(total, row.ordinal)}"
    if row.status != CompactionStatus.COMMITTED:
        headline += f", {row.status}"
    return headline, ", ".join(_facts(row))


def _facts(row: CompactionRow) -> list[str]:
    facts: list[str] = []
    if row.status != CompactionStatus.COMMITTED:
        if row.error:
            facts.append(row.error)
        return facts
    if row.span_messages is not None:
        facts.append(f"{plural(row.span_messages, 'message')} summarised")
    if not row.span_stored:
        facts.append("the originals were not stored")
    facts.append(REALISATIONS.get(row.realisation, row.realisation))
    if row.method not in (CompactionMethod.MODEL, CompactionMethod.UNKNOWN):
        facts.append(METHODS.get(row.method, row.method))
    if row.tokens_before is not None and row.tokens_after is not None:
        facts.append(f"{short_number(row.tokens_before)} to {short_number(row.tokens_after)} tokens")
    return facts


def session_size(messages: int, shown: int) -> str:
    """Return the size of a session in words: "120 rows, 80 in the scroll"."""
    return plural(messages, "row") if messages == shown else f"{number(messages)} rows, {number(shown)} new"


def sync_line(origin: OriginProgress) -> str:
    """Return one line about a running import: "hermes: 12,000 of 293,000 rows, 4 %"."""
    if not origin.total:
        return f"{origin.label}: {plural(origin.done, 'row')} so far"
    share = int(100 * (origin.share or 0))
    return f"{origin.label}: {number(origin.done)} of {plural(origin.total, 'row')}, {share} %"


_CHANGES = {
    "pin": "Pinned",
    "unpin": "Unpinned",
    "archive": "Archived",
    "unarchive": "Taken out of the archive:",
    "tag": "Tagged",
    "untag": "Tags taken away from",
    "set_tags": "Tags set on",
    "note": "Note saved on",
    "trash": "Moved to the trash:",
    "restore": "Restored",
    "save search": "Search saved",
    "remove search": "Saved search removed",
}


def change_line(change: ChangeLine, *, undone: bool, held: bool) -> str:
    """Return a change in words, as the page after it shows it."""
    words = _CHANGES.get(change.action, change.action)
    many = "" if change.conversations == 1 else "s"
    line = f"{words} {change.conversations} conversation{many}" if change.conversations else words
    if held:
        line += "; what its agent archived stays archived"
    if undone:
        return f"Undone: {line[0].lower()}{line[1:]}."
    return f"{line}, since undone." if change.undone_at is not None else f"{line}."
