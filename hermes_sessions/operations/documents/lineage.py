"""The family of a conversation, and what the audit found in it."""

from typing import Annotated

from sqlalchemy.orm import Session as DbSession

from hermes_sessions.lineage import Relation
from hermes_sessions.operations.documents.document import Document, Time, says
from hermes_sessions.operations.documents.findings import FindingJson, finding_value
from hermes_sessions.store.queries.conversations import get_conversation
from hermes_sessions.store.queries.lineage import FamilySession, load_family
from hermes_sessions.store.queries.stored_audits import load_findings


class SessionJson(Document, frozen=True, kw_only=True):
    """A session of a family."""

    id: str
    parent: Annotated[str | None, says("The foreign id where the parent is not stored.")]
    relation: Annotated[str, says("What it is to its parent.", one_of=Relation)]
    fork: Annotated[bool, says("A second continuation of its parent.")]
    conversation: str
    started_at: Time
    messages: Annotated[int, says("Stored rows.")]
    shown: Annotated[int, says("Those of them that the one scroll shows.")]
    title: str | None
    ended_at: Time
    end_reason: str | None
    tip: Annotated[bool, says("The newest of its conversation.")]


class LineageJson(Document, frozen=True, kw_only=True):
    """The whole family of a conversation; `root` and `tip` are those of the one that was asked for."""

    conversation: str
    root: str
    tip: str | None
    sessions: list[SessionJson]
    findings: list[FindingJson]


def lineage_document(db: DbSession, public_id: str) -> LineageJson:
    """Return the family of a conversation: ancestors, continuations, forks, branches, resets, delegates.

    Raises:
        NotFoundError: nothing has this id.
        AmbiguousIdError: the prefix fits several conversations.
    """
    conversation = get_conversation(db, public_id)
    family = load_family(db, conversation.id)
    findings = load_findings(db, sorted({row.conversation_id for row in family.sessions}))
    return LineageJson(
        conversation=conversation.public_id,
        root=conversation.public_id,
        tip=conversation.tip,
        sessions=[session_value(row) for row in family.sessions],
        findings=[finding_value(row) for row in findings],
    )


def session_value(row: FamilySession) -> SessionJson:
    """Return a session as the family's document shows it."""
    return SessionJson(
        id=row.public_id,
        parent=row.parent or row.parent_session_id,
        relation=row.relation,
        fork=row.fork,
        conversation=row.conversation,
        started_at=row.started_at,
        messages=row.message_count,
        shown=row.shown_count,
        title=row.title,
        ended_at=row.ended_at,
        end_reason=row.end_reason,
        tip=row.is_tip,
    )
