"""What is kept of a conversation, derived from its sessions, compactions and tags."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hermes_sessions.handoff import as_typed, is_engine_note
from hermes_sessions.lineage import Lineage, Relation
from hermes_sessions.messages import CompactionMethod, ConversationKind, MessageKind, MessageState, Role
from hermes_sessions.titles import conversation_title

SUMMED: Final = (
    "tool_call_count",
    "input_tokens",
    "output_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "reasoning_tokens",
)
COSTS: Final = ("estimated_cost_usd", "actual_cost_usd")
PREVIEW_CHARS: Final = 200
_AGENTS_OWN: Final = frozenset({"tool", "subagent"})
"""`source` of sessions that nobody talks in: an agent started them for itself."""
_COUNTED: Final = ("committed", "interrupted")


def is_shown(row: Mapping[str, Any]) -> bool:
    """Return whether the one scroll shows a row: each group of copies once, at its first place.

    Notes of our engine are not shown: nobody said them.

    Args:
        row: role, kind, state, copy_of, text and tool_calls of a message.
    """
    if row["role"] == Role.SESSION_META or row["state"] == MessageState.REWOUND:
        return False
    if row["copy_of"] is not None:
        return bool(row["kind"] == MessageKind.MERGED and row["state"] != MessageState.SUPERSEDED)
    return not is_engine_note(row["role"], row["text"], row["tool_calls"])


def preview_of(text: str) -> str:
    """Return the first characters of *text*, white space collapsed; of a command, as it was typed."""
    return " ".join(as_typed(text[: PREVIEW_CHARS * 4]).split())[:PREVIEW_CHARS]


@dataclass(frozen=True, slots=True)
class ConversationSessions:
    """The sessions of one conversation: its chain, and all members with their ordinals."""

    chain: tuple[Any, ...]
    members: tuple[tuple[Any, int], ...]

    @classmethod
    def of(cls, lineage: Lineage, rows: Mapping[int, Any], root: str) -> "ConversationSessions":
        """Group the rows, by session, of the conversation that begins with session *root*."""
        return cls(
            tuple(rows[int(one)] for one in lineage.chain(root)),
            tuple((rows[int(one)], ordinal) for one, ordinal in lineage.members(root)),
        )

    @property
    def rows(self) -> list[Any]:
        """All members, in the order of their ordinals."""
        ordered = sorted(self.members, key=lambda one: (one[1], one[0].id))
        return [row for row, _ in ordered]

    @property
    def root(self) -> Any:
        """The first session."""
        return self.chain[0]

    @property
    def tip(self) -> Any:
        """The session where the conversation goes on."""
        return self.chain[-1]


def newest_time(*times: float | None) -> float | None:
    """Return the newest of the known times, or None."""
    return max((time for time in times if time is not None), default=None)


def conversation_values(group: ConversationSessions, events: Sequence[Any]) -> dict[str, Any]:
    """Return the columns that follow from the sessions of a conversation and its compactions, *events*."""
    root, tip, chain = group.root, group.tip, group.chain
    members = group.rows
    values: dict[str, Any] = {
        "public_id": root.public_id,
        "origin_id": root.origin_id,
        "root_id": root.id,
        "tip_id": tip.id,
        "title": conversation_title([row.title for row in chain]),
        "source": root.source,
        "model": _last_known([row.model for row in chain]),
        "cwd": _last_known([row.cwd for row in chain]),
        "started_at": root.started_at,
        "last_active_at": newest_time(*(row.last_active_at for row in members)) or 0.0,
        "ended_at": tip.ended_at,
        "end_reason": tip.end_reason,
        "message_count": sum(row.shown_count for row in chain),
        "session_count": len(members),
        "fork_count": sum(row.fork for row in members),
        "compaction_count": sum(
            event.status in _COUNTED and event.method != CompactionMethod.PRUNE for event in events
        ),
        "prune_count": sum(
            event.status in _COUNTED and event.method == CompactionMethod.PRUNE for event in events
        ),
        "gone": all(row.gone_at is not None for row in members),
    }
    for name in SUMMED:
        values[name] = sum(getattr(row, name) for row in members)
    for name in COSTS:
        known = [cost for row in members if (cost := getattr(row, name)) is not None]
        values[name] = sum(known) if known else None
    return values


def decided_values(group: ConversationSessions, tags: Mapping[int, Sequence[str]]) -> dict[str, Any]:
    """Return what the user decided, and the list that puts the conversation in.

    Marks are set on the root of the time. A session that was a root once keeps its
    marks when an older root turns up; they count here, and go with it if it leaves.
    """
    rows = group.rows
    notes = [row.note for row in rows if row.note]
    named = {tag for row in rows for tag in tags.get(row.id, ())}
    kind = conversation_kind(group.root.relation, group.root.source)
    return {
        "kind": ConversationKind.TRASH if any(row.trashed_at is not None for row in rows) else kind,
        "archived": any(row.archived for row in rows) or group.tip.origin_archived,
        "pinned": any(row.pinned for row in rows),
        "note": "\n".join(notes) or None,
        "tags": " ".join(sorted(named)) or None,
    }


def conversation_kind(relation: str, source: str | None) -> ConversationKind:
    """Return the list a conversation belongs to, from its root session."""
    if relation == Relation.DELEGATE or source in _AGENTS_OWN:
        return ConversationKind.DELEGATE
    return ConversationKind.SCHEDULED if source == "cron" else ConversationKind.CHAT


def _last_known(values: Sequence[str | None]) -> str | None:
    return next((value for value in reversed(values) if value), None)
