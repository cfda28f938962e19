"""What the page of a family receives: a tree that is laid out. Values only."""

from dataclasses import dataclass

from hermes_sessions.store.queries.compactions import ListedCompaction
from hermes_sessions.store.queries.conversations import ConversationRow
from hermes_sessions.store.queries.lineage import FamilySession
from hermes_sessions.web.conversation.chart_values import ContextCharts


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One session in the drawn tree, with its place in the drawing."""

    session: FamilySession
    x: int
    y: int
    depth: int
    own: bool
    """Belongs to the conversation that the page is about."""
    relation: str
    """What it is to its parent; also the class of its mark."""
    label: str
    """`relation` in the page's words."""
    size: str
    first_of_conversation: bool
    collapsed: int = 0
    """How many sessions of a long chain this node stands for, besides itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeEdge:
    """A line from a parent to a child: an SVG path, and what it means."""

    path: str
    relation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A family, laid out."""

    nodes: tuple[Node, ...]
    edges: tuple[TreeEdge, ...]
    width: int
    height: int
    circles: tuple[str, ...] = ()
    """Ids of sessions that are each other's ancestors."""
    complete: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class LineagePage:
    """`lineage/show.html`: the family of a conversation and its ledger."""

    conversation: ConversationRow
    tree: Tree
    compactions: tuple[ListedCompaction, ...]
    charts: ContextCharts | None = None
    """Context size and survival of facts, for conversations that were compacted."""
