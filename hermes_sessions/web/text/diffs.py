"""Two texts compared line by line, as values for a page. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hermes_sessions.web.text.matching_lines import match_lines

MAX_LINES = 600
"""Longer texts are compared up to here: nobody reads more."""

MAX_LINE_CHARS = 600
CONTEXT = 2
"""Unchanged lines shown beside a change; longer runs are folded."""


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line: `same`, `added`, `removed`, `hunk` (a place in a file), or `fold`, which counts equal ones."""

    kind: str
    text: str
    count: int = 0


@dataclass(frozen=True, slots=True)
class Diff:
    """The lines of both texts in one list, and how many were added and removed."""

    lines: tuple[DiffLine, ...]
    added: int
    removed: int
    cut: bool


def diff_texts(before: str, after: str) -> Diff:
    """Compare two texts line by line; blank lines do not count."""
    return _compare(_lines(before), _lines(after))


def diff_lines(before: str, after: str) -> Diff:
    """Compare two pieces of a file line by line, blank lines included."""
    old, new = ([line[:MAX_LINE_CHARS] for line in text.splitlines()] for text in (before, after))
    if not old:
        lines = tuple(DiffLine("added", line) for line in new[:MAX_LINES])
        return Diff(lines, len(new), 0, len(new) > MAX_LINES)
    return _compare(old, new)


def _compare(old: Sequence[str], new: Sequence[str]) -> Diff:
    cut = max(len(old), len(new)) > MAX_LINES
    lines = tuple(_diff(old[:MAX_LINES], new[:MAX_LINES]))
    return Diff(
        lines=lines,
        added=sum(line.kind == "added" for line in lines),
        removed=sum(line.kind == "removed" for line in lines),
        cut=cut,
    )


def _lines(text: str) -> list[str]:
    return [line.rstrip()[:MAX_LINE_CHARS] for line in text.splitlines() if line.strip()]


def _diff(old: Sequence[str], new: Sequence[str]) -> Iterator[DiffLine]:
    old_at = new_at = 0
    run: list[str] = []
    for before, after in match_lines(old, new):
        if before > old_at or after > new_at:
            yield from _same(run, first=len(run) == old_at == new_at, last=False)
            run = []
            yield from _changed(old[old_at:before], new[new_at:after])
        run.append(old[before])
        old_at, new_at = before + 1, after + 1
    ends_here = old_at == len(old) and new_at == len(new)
    yield from _same(run, first=len(run) == old_at == new_at, last=ends_here)
    yield from _changed(old[old_at:], new[new_at:])


def _changed(removed: Sequence[str], added: Sequence[str]) -> Iterator[DiffLine]:
    yield from (DiffLine("removed", line) for line in removed)
    yield from (DiffLine("added", line) for line in added)


def _same(lines: Sequence[str], *, first: bool, last: bool) -> Iterator[DiffLine]:
    """Show the ends of an unchanged run that lie beside a change."""
    head = 0 if first else CONTEXT
    tail = 0 if last else CONTEXT
    hidden = len(lines) - head - tail
    if hidden < 2:
        yield from (DiffLine("same", line) for line in lines)
        return
    yield from (DiffLine("same", line) for line in lines[:head])
    yield DiffLine("fold", "", hidden)
    yield from (DiffLine("same", line) for line in lines[len(lines) - tail :])
