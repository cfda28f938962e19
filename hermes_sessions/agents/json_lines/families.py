"""Sessions that belong together, and their rows in batches. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from hermes_sessions.agents.values import MessageRow

BATCH_ROWS: Final = 2_000
BATCH_CHARS: Final = 8_000_000


def grouped_families(
    parents: Mapping[str, str | None], newest: Mapping[str, float]
) -> Sequence[tuple[str, ...]]:
    """Return sessions with those that hang on them, the family with the newest activity first.

    Args:
        parents: session -> its parent, which may be missing.
    """
    grouped: dict[str, list[str]] = defaultdict(list)
    for one in parents:
        grouped[_top(one, parents)].append(one)
    latest = {top: max(newest[one] for one in ids) for top, ids in grouped.items()}
    return [tuple(grouped[top]) for top in sorted(grouped, key=lambda top: (-latest[top], top))]


def parents_first(ids: Sequence[str], parents: Mapping[str, str | None]) -> list[str]:
    """Return the sessions of a family, each after its parent; a circle is cut where it begins."""
    left = dict.fromkeys(ids)
    found: list[str] = []
    while left:
        ready = [one for one in left if parents[one] not in left]
        for one in ready or list(left)[:1]:
            found.append(one)
            del left[one]
    return found


def in_batches(rows: Iterable[MessageRow]) -> Iterator[list[MessageRow]]:
    """Yield rows in batches bounded by number and characters."""
    batch: list[MessageRow] = []
    chars = 0
    for row in rows:
        batch.append(row)
        chars += len(row.text or "") + len(row.blocks or "")
        if len(batch) >= BATCH_ROWS or chars >= BATCH_CHARS:
            yield batch
            batch, chars = [], 0
    if batch:
        yield batch


def _top(one: str, parents: Mapping[str, str | None]) -> str:
    seen = {one: None}
    while (parent := parents[one]) is not None and parent in parents:
        if parent in seen:
            return min(seen)
        seen[parent] = None
        one = parent
    return one
