"""What an export wrote."""

from collections.abc import Mapping
from typing import Annotated

from hermes_sessions.operations.documents.document import Document, says, shaped


class ExportedConversationJson(Document, frozen=True, kw_only=True):
    """A conversation was written as a document."""

    path: Annotated[str | None, says("Null for standard output.")]
    format: str
    conversation: str
    messages: int
    masked: Annotated[int | None, says("How many secrets were masked; null where none are looked for.")]
    bytes: int


class ExportedDatabaseJson(Document, frozen=True, kw_only=True):
    """Conversations were written as an agent's own database."""

    path: str
    format: str
    origin: Annotated[str | None, says("The origin that they are of.")]
    schema_version: Annotated[int | None, says("Of the database.")]
    conversations: int
    sessions: int
    messages: int
    masked: Annotated[int | None, says("Always null: a database is written as it was imported.")]
    bytes: int
    notes: Annotated[list[str], says("What it could not hold.")]


def exported_document(done: Mapping[str, object]) -> ExportedConversationJson | ExportedDatabaseJson:
    """Return what an export wrote."""
    if "notes" in done:
        return shaped(done, ExportedDatabaseJson)
    return shaped(done, ExportedConversationJson)
