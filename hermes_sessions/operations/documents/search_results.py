"""What a search finds."""

from typing import Annotated

from hermes_sessions.messages import MessageKind, MessageState
from hermes_sessions.operations.documents.document import Document, Time, says
from hermes_sessions.store.queries.transcript_rows import CLIENT, COMMAND, NOTE
from hermes_sessions.store.searching.message_hits import Order


class SnippetPieceJson(Document, frozen=True, kw_only=True):
    """A run of the text."""

    text: str
    marked: Annotated[bool, says("It is what was looked for.")]


class HitJson(Document, frozen=True, kw_only=True):
    """A message that was found."""

    id: int
    conversation: Annotated[str, says("Public id.")]
    title: Annotated[str | None, says("The conversation's title, else its preview.")]
    session: str
    position: Annotated[int, says("Its place in the session, from 0.")]
    role: str
    kind: Annotated[
        str,
        says(
            "`note`, `client`, `command`: what the engine or the user's client wrote.",
            one_of=(*MessageKind, NOTE, CLIENT, COMMAND),
        ),
    ]
    state: Annotated[str, says("", one_of=MessageState)]
    tool_name: str | None
    created_at: Time
    where: Annotated[str, says("What of it holds the words.", one_of=("text", "call", "tool", "id"))]
    labels: Annotated[list[str], says("Of handoff, undone, replaced, archived.")]
    snippet: Annotated[list[SnippetPieceJson], says("The place, marked.")]


class FoundConversationJson(Document, frozen=True, kw_only=True):
    """A conversation found by its title, its folder or an id of one of its sessions."""

    id: str
    title: str | None
    preview: str | None
    where: Annotated[str, says("What of it holds the words.", one_of=("title", "folder", "id"))]
    last_active_at: Time


class SearchPageJson(Document, frozen=True, kw_only=True):
    """One page of an answer."""

    query: Annotated[str, says("As it was typed.")]
    order: Annotated[str, says("", one_of=Order)]
    conversations: Annotated[
        list[FoundConversationJson],
        says(
            "Found by title, folder or id: at most six, on the first page only;"
            " with in:title all of them, a page at a time."
        ),
    ]
    conversations_total: Annotated[
        int | None,
        says("How many are found so, counted up to 100 beside messages; null where nobody asked."),
    ]
    conversations_query: Annotated[
        str | None, says("The query that lists all of them, where this one does not.")
    ]
    hits: list[HitJson]
    next: Annotated[str | None, says("`after` of the following page; null at the end.")]
    looked_at: Annotated[int, says("Rows of the index that were looked at.")]
    complete: Annotated[bool, says("False: filters left so much out that looking stopped; `next` continues.")]
    notes: Annotated[list[str], says("What the query could not say, in words.")]
