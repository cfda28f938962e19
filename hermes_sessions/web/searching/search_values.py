"""What the search pages receive: the declared contract between views and templates."""

from dataclasses import dataclass

from hermes_sessions.operations.search import FoundConversation, FoundMessage
from hermes_sessions.store.queries.conversations import ConversationRow, Facets


@dataclass(frozen=True, slots=True, kw_only=True)
class HitGroup:
    """The hits of one conversation on this page; `count` of them, the first few loaded."""

    conversation: ConversationRow
    hits: tuple[FoundMessage, ...]
    count: int
    all_link: str
    """The same search in this conversation alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A filter that a click puts into the query, or takes out again."""

    label: str
    link: str
    chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPage:
    """`search/index.html`: the search box and an answer.

    Attributes:
        problem: why the query cannot be answered; '' where it can.
        conversations: found by title, folder or id; *more_conversations* are not among them,
            and *all_conversations* is the link to a search that lists them all.
        titles_alone: messages were not looked into.
        next: link to the following page.
        cut_short: looking stopped at a bound after *looked_at* rows of the index.
    """

    typed: str
    order: str
    orders: tuple[Choice, ...] = ()
    choices: tuple[tuple[str, tuple[Choice, ...]], ...] = ()
    conversations: tuple[FoundConversation, ...] = ()
    conversations_total: int | None = None
    more_conversations: int = 0
    many_conversations: bool = False
    """There may be even more: they were not all counted."""
    all_conversations: str | None = None
    titles_alone: bool = False
    groups: tuple[HitGroup, ...] = ()
    next: str | None = None
    first_page: bool = True
    looked_at: int = 0
    cut_short: bool = False
    notes: tuple[str, ...] = ()
    problem: str = ""
    facets: Facets | None = None
    """With the searches that were saved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HitsBar:
    """The bar at a conversation that was opened from a search.

    Attributes:
        ids: message ids of the hits in the order of the scroll.
        at: index of the one shown; None when the page stands at none of them.
        more: there are more than these.
    """

    typed: str
    ids: tuple[int, ...]
    at: int | None
    more: bool
    previous: str | None
    next: str | None
    whole: str | None
    """All of the message that is shown, which the page may cut."""
    close: str
    search: str
