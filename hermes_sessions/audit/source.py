"""What a handoff could be made from, asked for a fact in any of the ways a summary may write it.

The same fact is a path with or without `./` or in italics, a version with or without
its `v`, a number with or without a blank before its unit, an id in capitals, a command
in other quotation marks.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import Final

from hermes_sessions.audit.retention import SearchableText
from hermes_sessions.audit.values import CompactionCase
from hermes_sessions.facts import WORD_CHARS, argument_leaves

_QUOTES: Final = str.maketrans(dict.fromkeys('"“”„«»‘’‚「」『』`', "'"))
_WRAPPED = re.compile(r"(?<=[\w-]/)\n[ \t]{0,8}(?=\w)")
_WORD = re.compile(rf"[{WORD_CHARS}]{{4,40}}")
_STEM: Final = 5
"""How much of a word must be the same: `deploy` and `deploying` are."""

_LINE = re.compile(r"(.+):(\d+)")
_AMOUNT = re.compile(r"(.*\d) ?(\D+)")


class Source:
    """All that stood before a compaction: system prompt, rows, arguments, requests, earlier handoffs."""

    def __init__(self, case: CompactionCase, known: Iterable[tuple[str, str]] = ()) -> None:
        """Take the transcript before *case*, and the kinds and values of the facts in it."""
        self._case = case
        self._known = known

    def tells(self, kind: str, value: str) -> bool:
        """Return whether the fact stands there, in whatever spelling."""
        if self._plain.holds(value, kind):
            return True
        if kind == "path":
            return self._tells_path(value)
        if kind == "number":
            return any(self._plain.holds(one, kind) for one in _amounts(value))
        return kind != "url" and any(self._folded.holds(one, kind) for one in _foldings(kind, value))

    def quotes(self, words: str) -> bool:
        """Return whether *words* stand there; case and quotation marks count for nothing."""
        return self._folded.holds(fold_quotes(words))

    def share_known(self, words: Collection[str]) -> float:
        """Return how many of *words* begin like a word that stands there, from 0 to 1."""
        return sum(word[:_STEM] in self._stems for word in words) / len(words)

    def _tells_path(self, value: str) -> bool:
        path = _bare(value)
        if self._names(path):
            return True
        placed = _LINE.fullmatch(path)
        return placed is not None and self._names(placed[1]) and self._folded.holds(f"line {placed[2]}")

    def _names(self, path: str) -> bool:
        """Return whether the path is told: as it is, over two lines, by a file in it, or by a longer path."""
        return (
            self._plain.holds(path, "path")
            or self._plain.holds(f"{path}/" if "/" in path[1:] else path)
            or path in self._tails
            or self._joined.holds(path, "path")
        )

    @cached_property
    def _tails(self) -> set[str]:
        """What absolute paths are called from a folder above them."""
        paths = (value.split("/") for kind, value in self._known if kind == "path" and value[0] in "/~")
        return {"/".join(parts[at:]) for parts in paths for at in range(1, len(parts))}

    @cached_property
    def _raw(self) -> str:
        return "\n".join(_texts(self._case))

    @cached_property
    def _stems(self) -> set[str]:
        return {word[:_STEM] for word in _WORD.findall(self._raw.casefold())}

    @cached_property
    def _plain(self) -> SearchableText:
        return SearchableText(self._raw)

    @cached_property
    def _folded(self) -> SearchableText:
        return SearchableText(fold_quotes(self._raw))

    @cached_property
    def _joined(self) -> SearchableText:
        return SearchableText(_WRAPPED.sub("", self._raw))


def fold_quotes(text: str) -> str:
    """Return *text* in small letters, with one kind of quotation mark."""
    return text.casefold().translate(_QUOTES)


def _texts(case: CompactionCase) -> Iterator[str]:
    yield case.prompt
    yield from case.previous_handoffs
    yield from case.known_requests
    for row in case.before:
        yield row.text
        for call in row.calls:
            yield call.name
            yield call.arguments
            if "\\" in call.arguments:
                yield from (value for _, value in argument_leaves(call.arguments))


def _bare(path: str) -> str:
    """Return *path* without italics, `./` before it and `/` behind it."""
    if path.startswith("_") and path.endswith("_"):
        path = path.strip("_")
    return path.removeprefix("./").rstrip("/") or path


def _amounts(value: str) -> Iterator[str]:
    if amount := _AMOUNT.fullmatch(value):
        yield f"{amount[1]}{amount[2]}"
        yield f"{amount[1]} {amount[2]}"


def _foldings(kind: str, value: str) -> Iterator[str]:
    folded = fold_quotes(value)
    yield folded
    if kind == "version" and "." in folded:
        yield folded.removeprefix("v") if folded.startswith("v") else f"v{folded}"
