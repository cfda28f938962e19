"""What the templates of a conversation and of the list receive: the contract between views and pages.

Values only. Everything a template shows is in one of these values or in the site-wide context
(`site`, `now`); a template never asks the store for anything.
"""

from dataclasses import dataclass

from hermes_sessions.store.language.highlight import Highlighter
from hermes_sessions.store.queries.conversations import ConversationListing, ConversationRow, Facets
from hermes_sessions.store.queries.lineage import FamilySession
from hermes_sessions.store.queries.transcript_rows import TranscriptRow
from hermes_sessions.store.queries.windows import View
from hermes_sessions.web.conversation.chart_values import Sparkline
from hermes_sessions.web.conversation.item_values import Item
from hermes_sessions.web.searching.search_values import HitsBar
from hermes_sessions.web.serving.config import TourStop
from hermes_sessions.web.site.filter_tokens import FilterToken
from hermes_sessions.web.site.site_values import Pager
from hermes_sessions.web.site.sync_status import OriginProgress


@dataclass(frozen=True, slots=True)
class ConversationIndex:
    """`conversations/index.html`: the list."""

    listing: ConversationListing
    pinned: tuple[ConversationRow, ...]
    """The pinned ones among them, on the first page; in `days` there are none then."""
    days: tuple[tuple[str, str, list[ConversationRow]], ...]
    """(id, heading, conversations) of each day; one without a heading where the order is another."""
    orders: tuple[tuple[str, str], ...]
    """(value, words) of each order."""
    tokens: tuple[FilterToken, ...]
    strip: bool
    """Whether to say at the top what this store holds."""
    tour: tuple[TourStop, ...]
    pager: Pager
    facets: Facets
    kinds: tuple[tuple[str, str, bool], ...]
    """(label, link, current) of each kind."""
    filters: dict[str, str]
    """The filter values as they stand in the URL."""
    importing: tuple[OriginProgress, ...]
    failed: tuple[OriginProgress, ...]
    """Databases that could not be read the last time."""
    watched: tuple[str, ...]
    """Files and folders where new conversations are looked for."""
    cursor: int
    """Of the change that the page knows last; it follows from there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptWindow:
    """`conversations/window.html`: a window of a transcript and the links around it."""

    items: tuple[Item, ...]
    pager: Pager
    view: View
    conversation: str
    after: str = ""
    """Place of the row before the window; empty at the beginning. The window is asked for again by it."""
    earlier: int | None = None
    """Rows before the window; None where they are not counted."""
    tools_open: bool = False
    highlighter: Highlighter | None = None
    """Marks what the search that led here looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationHead:
    """`conversations/head.html`: what stands above the messages; asked for again when it changed."""

    conversation: ConversationRow
    views: tuple[tuple[str, str, bool], ...]
    """(label, link, current) of each view."""
    parent: FamilySession | None
    """The session that the root left, for branches, resets and delegates."""
    parent_words: str
    """What the conversation is to that session: "Branch of"."""
    spark: Sparkline | None
    """The size of the context, for conversations that were compacted."""
    resume: str | None
    session: FamilySession | None
    """The session that the view is about; the tip for the whole conversation."""
    has_system_prompt: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationPage:
    """`conversations/show.html`: one conversation."""

    conversation: ConversationRow
    head: ConversationHead
    transcript: TranscriptWindow
    cursor: int
    """Of the change that the page knows last; it follows from there."""
    session: FamilySession | None
    """The session that the view is about; the tip for the whole conversation."""
    before: FamilySession | None
    after: FamilySession | None
    """The sessions beside `session` in the chain, for the view of one session."""
    first: str
    latest: str
    contents: str
    """The contents around what the window shows, for the script."""
    tools_link: str
    """The same page with every tool call opened, or closed again."""
    hits: HitsBar | None = None
    """The hits of the search that led here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagePage:
    """`messages/show.html`: one row, complete."""

    row: TranscriptRow
    conversation: ConversationRow
    items: tuple[Item, ...]
    highlighter: Highlighter | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemPromptPage:
    """`system_prompt/show.html`: the system prompt of one session."""

    conversation: ConversationRow
    session: FamilySession
    text: str | None
