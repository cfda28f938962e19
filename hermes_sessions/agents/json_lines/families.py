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
    for one, top in family_tops(parents).items():
        grouped[top].append(one)
    latest = {top: max(newest[one] for one in ids) for top, ids in grouped.items()}
    return [tuple(grouped[top]) for top in sorted(grouped, key=lambda top: (-latest[top], top))]


def parents_first(ids: Sequence[str], parents: Mapping[str, str | None]) -> list[str]:
    """Return the sessions of a family, each after its parent; a circle is cut where it begins."""
    found: list[str] = []
    place = {one: at for at, one in enumerate(dict.fromkeys(ids))}
    below: dict[str | None, list[str]] = defaultdict(list)
    for one in place:
        below[parents[one]].append(one)
    left = dict.fromkeys(place)
    level = [one for one in place if parents[one] not in place]
    while left:
        level = level or [next(iter(left))]
        for one in level:
            del left[one]
        found += level
        level = sorted(
            (one for parent in level for one in below[parent] if one in left), key=place.__getitem__
        )
    return found


def family_tops(parents: Mapping[str, str | None]) -> dict[str, str]:
    """Return for every session one id that is the same for its whole family; circles end somewhere."""
    tops: dict[str, str] = {}
    for start in parents:
        path: dict[str, None] = {}
        at = start
        while at not in tops and at not in path:
            path[at] = None
            parent = parents[at]
            if parent is None or parent not in parents:
                break
            at = parent
        top = tops.get(at, at)
        tops.update(dict.fromkeys(path, top))
    return tops


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
