"""What a viewer says about itself: what changes in its store, that it answers, what went wrong."""

from typing import Annotated

from hermes_sessions.operations.documents.document import Document, Time, says
from hermes_sessions.store.queries.changes import ChangedConversation, Changes


class ChangedConversationJson(Document, frozen=True, kw_only=True):
    """A conversation that changed."""

    id: str
    key: Annotated[int, says("Never changes, unlike the id.")]
    cursor: int
    kind: str
    last_active_at: Time
    messages: int
    compactions: int
    worst_finding: str | None


class ChangesJson(Document, frozen=True, kw_only=True):
    """What changed after a cursor, newest first, each conversation once; deleted ones are left out."""

    cursor: Annotated[int, says("`since` of the next question.")]
    more: Annotated[bool, says("More than 100 changed and the rest was left out: load everything again.")]
    conversations: list[ChangedConversationJson]


class HelloJson(Document, frozen=True, kw_only=True):
    """The first event of a stream."""

    cursor: Annotated[int, says("That of this moment.")]


class HealthJson(Document, frozen=True, kw_only=True):
    """The viewer and its store answer."""

    status: Annotated[str, says("", one_of=("ok",))]
    version: str
    streams: Annotated[int, says("Browsers that are being notified of changes.")]


class ProblemJson(Document, frozen=True, kw_only=True):
    """An error (RFC 9457)."""

    type: Annotated[str, says("", format="uri-reference")]
    title: str
    status: int
    detail: Annotated[str, says("What is wrong, and what to do.")]
    instance: Annotated[str, says("The address that was asked for.", format="uri-reference")]


def changes_document(changes: Changes) -> ChangesJson:
    """Return changes as events and the API have them."""
    return ChangesJson(
        cursor=changes.cursor,
        more=changes.more,
        conversations=[_changed_value(row) for row in changes.items],
    )


def _changed_value(row: ChangedConversation) -> ChangedConversationJson:
    return ChangedConversationJson(
        id=row.public_id,
        key=row.id,
        cursor=row.changed,
        kind=row.kind,
        last_active_at=row.last_active_at or None,
        messages=row.message_count,
        compactions=row.compaction_count,
        worst_finding=row.worst_finding,
    )
