"""A family of sessions laid out as a drawing: rows from top to bottom, lanes from left to right.

A chain goes straight down its lane; what left it (a branch, a fork, a delegate) turns
into a lane further right, below the session it left. Pure and without recursion, for
chains are long and data may hold circles.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from hermes_sessions.messages import ConversationKind
from hermes_sessions.store.queries.lineage import FamilySession, SessionFamily
from hermes_sessions.web.conversation.family_values import Node, Tree, TreeEdge
from hermes_sessions.web.text.sentences import RELATION_LABELS, session_size

ROW_HEIGHT = 64
LANE_WIDTH = 22
MARGIN = 18
MAX_LANES = 14
LONG_CHAIN = 40
"""Longer runs of plain continuations are drawn as one node, their ends excepted."""
KEEP_AT_ENDS = 8


def draw_family(family: SessionFamily, conversation_id: int) -> Tree:
    """Lay out every session of a family.

    Args:
        conversation_id: the conversation whose page it is; its sessions are marked.
    """
    children = _children(family.sessions)
    roots, circles = _roots(family.sessions, children)
    order = _collapse(_depth_first(roots, children), children)
    nodes = tuple(
        Node(
            session=row,
            x=MARGIN + LANE_WIDTH * min(depth, MAX_LANES),
            y=ROW_HEIGHT * index + ROW_HEIGHT // 2,
            depth=depth,
            own=row.conversation_id == conversation_id,
            relation=relation_of(row),
            label=RELATION_LABELS.get(relation_of(row), relation_of(row)),
            size=session_size(row.message_count, row.shown_count),
            first_of_conversation=row.public_id == row.conversation,
            collapsed=collapsed,
        )
        for index, (row, depth, collapsed) in enumerate(order)
    )
    lanes = max((node.x for node in nodes), default=0)
    return Tree(
        nodes=nodes,
        # Lines that turn go first, so that a chain's own line lies on top of them.
        edges=tuple(sorted(_edges(nodes), key=lambda edge: "Q" not in edge.path)),
        width=lanes + MARGIN,
        height=ROW_HEIGHT * len(nodes),
        circles=circles,
        complete=family.complete,
    )


def _children(sessions: Iterable[FamilySession]) -> dict[int, list[FamilySession]]:
    """Return the children of each session: offshoots by time, the continuation last."""
    found: dict[int, list[FamilySession]] = defaultdict(list)
    known = {row.id: row for row in sessions}
    for row in known.values():
        if row.parent_id in known:
            found[row.parent_id].append(row)
    for parent_id, rows in found.items():
        parent = known[parent_id]
        rows.sort(key=lambda row: (_continues(row, parent), row.started_at or 0.0, row.id))
    return found


def _continues(row: FamilySession, parent: FamilySession) -> bool:
    return row.conversation_id == parent.conversation_id and not row.fork


def _roots(
    sessions: Sequence[FamilySession], children: dict[int, list[FamilySession]]
) -> tuple[list[FamilySession], tuple[str, ...]]:
    """Return where drawing starts, and the sessions that only a circle leads to."""
    known = {row.id for row in sessions}
    roots = [row for row in sessions if row.parent_id not in known]
    reached = {row.id for row, _ in _depth_first(roots, children)}
    lost = [row for row in sessions if row.id not in reached]
    while rest := [row for row in lost if row.id not in reached]:
        first = min(rest, key=lambda row: (row.started_at or 0.0, row.id))
        roots.append(first)
        reached.update(row.id for row, _ in _depth_first([first], children))
    return roots, tuple(row.public_id for row in lost)


def _depth_first(
    roots: Sequence[FamilySession], children: dict[int, list[FamilySession]]
) -> list[tuple[FamilySession, int]]:
    """Return sessions in drawing order with their lane, each once."""
    order: list[tuple[FamilySession, int]] = []
    seen: set[int] = set()
    stack = [(row, 0) for row in reversed(roots)]
    while stack:
        row, depth = stack.pop()
        if row.id in seen:
            continue
        seen.add(row.id)
        order.append((row, depth))
        for child in reversed(children.get(row.id, [])):
            stack.append((child, depth if _continues(child, row) else depth + 1))
    return order


def _collapse(
    order: Sequence[tuple[FamilySession, int]], children: dict[int, list[FamilySession]]
) -> list[tuple[FamilySession, int, int]]:
    """Draw the middle of a long run of plain continuations as one node with a count."""
    drawn: list[tuple[FamilySession, int, int]] = []
    run: list[tuple[FamilySession, int]] = []

    def flush() -> None:
        cut = len(run) - 2 * KEEP_AT_ENDS
        if len(run) <= LONG_CHAIN:
            drawn.extend((row, depth, 0) for row, depth in run)
        else:
            drawn.extend((row, depth, 0) for row, depth in run[:KEEP_AT_ENDS])
            row, depth = run[KEEP_AT_ENDS]
            drawn.append((row, depth, cut - 1))
            drawn.extend((row, depth, 0) for row, depth in run[-KEEP_AT_ENDS:])
        run.clear()

    for row, depth in order:
        if run and (run[-1][0].id != row.parent_id or run[-1][1] != depth):
            flush()
        run.append((row, depth))
        if len(children.get(row.id, [])) != 1:
            flush()
    flush()
    return drawn


def _edges(nodes: Sequence[Node]) -> Iterable[TreeEdge]:
    """Yield a line to each node from the node above it that stands for its parent."""
    drawn: dict[int, Node] = {}
    previous: Node | None = None
    for node in nodes:
        parent = drawn.get(node.session.parent_id or 0)
        if parent is None and previous is not None and previous.collapsed and previous.depth == node.depth:
            parent = previous
        if parent is not None:
            yield TreeEdge(path=_path(parent, node), relation=node.relation)
        drawn[node.session.id] = node
        previous = node


def relation_of(row: FamilySession) -> str:
    """Return the relation as the drawing names it; a fork is one before all."""
    if row.fork:
        return "fork"
    if row.relation == "root" and row.conversation_kind == ConversationKind.SCHEDULED:
        return "scheduled"
    return row.relation


def _path(parent: Node, child: Node) -> str:
    if parent.x == child.x:
        return f"M{parent.x} {parent.y}V{child.y}"
    bend = child.y - LANE_WIDTH
    return f"M{parent.x} {parent.y}V{bend}Q{parent.x} {child.y} {child.x} {child.y}"
