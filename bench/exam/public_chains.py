"""Recorded compactions of a public set (Compact-Bench), from the user's own copy; none is shipped.

The set's card names its files (`e3/chains.jsonl`: 106 chains, 224 boundaries) and that details are retained
literally, but no field of a line. So whoever has the file says which field is what; without that, the
error names the fields that its first line has.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hermes_sessions import CompactionPolicy, compact_transcript
from hermes_sessions.compaction import context_tokens
from hermes_sessions.summarizers import ExtractiveSummarizer

FIELDS: Final[Mapping[str, str]] = {
    "boundaries": "boundaries",
    "messages": "messages",
    "details": "details",
    "detail": "",
}
"""What is named how: the boundaries of a line ('' where the line is one), the messages before a boundary,
the details needed behind it, and what of a detail is its text ('' where it is one). Dots lead inwards."""

_WINDOW: Final = 1.6


@dataclass(frozen=True, slots=True)
class RecordedBoundary:
    """A place where an agent was compacted: what came before, and what was needed behind."""

    messages: Sequence[Mapping[str, Any]]
    details: Sequence[str]


def read_fields(given: str) -> dict[str, str]:
    """Return the names of *given* (`messages=history,details=atoms`) beside those that it leaves alone.

    Raises:
        ValueError: it names something that no line has a field for.
    """
    named = dict(one.partition("=")[::2] for one in given.split(",") if one)
    if unknown := sorted(set(named) - set(FIELDS)):
        raise ValueError(f"{', '.join(unknown)}: none of {', '.join(FIELDS)}")
    return {**FIELDS, **named}


def recorded_boundaries(path: Path, fields: Mapping[str, str]) -> Iterator[RecordedBoundary]:
    """Yield the boundaries of a file of JSON lines.

    Raises:
        ValueError: a line has another form; the text names the line and the fields that it has.
    """
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            chain = json.loads(line)
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: not JSON: {error}") from error
        try:
            inner = _at(chain, fields["boundaries"]) if fields["boundaries"] else [chain]
            for one in _listed(inner):
                yield _boundary(one, fields)
        except (KeyError, TypeError) as error:
            raise ValueError(f"{path}, line {number}: no {error}; it has {_names(chain)}") from error


def kept_details(boundary: RecordedBoundary) -> tuple[int, int]:
    """Compact where the window is full; return how many details are kept to the letter, of how many.

    A detail that the messages do not hold is not asked for.
    """
    before = _text(boundary.messages)
    asked = [one for one in dict.fromkeys(boundary.details) if one in before]
    policy = CompactionPolicy(max(2_000, int(context_tokens(boundary.messages) * _WINDOW)))
    found = compact_transcript(boundary.messages, policy=policy, summarize=ExtractiveSummarizer())
    after = _text(found.messages)
    return sum(one in after for one in asked), len(asked)


def _boundary(found: Any, fields: Mapping[str, str]) -> RecordedBoundary:
    messages = [dict(one) for one in _listed(_at(found, fields["messages"]))]
    details = [_at(one, fields["detail"]) for one in _listed(_at(found, fields["details"]))]
    if any(not isinstance(one, str) for one in details):
        raise KeyError("text in a detail: name its field as `detail`")
    return RecordedBoundary(messages, [one for one in details if one])


def _at(value: Any, name: str) -> Any:
    for part in name.split(".") if name else ():
        value = value[part]
    return value


def _listed(value: Any) -> Sequence[Any]:
    if not isinstance(value, list):
        raise KeyError(f"list but a {type(value).__name__}")
    return value


def _names(chain: Any, deep: int = 3) -> str:
    """Return the names in *chain*, and in the first element of each of its lists, as deep as that goes."""
    if isinstance(chain, list) and chain:
        return f"[{_names(chain[0], deep)}]"
    if not isinstance(chain, dict) or deep == 0:
        return type(chain).__name__
    return ", ".join(f"{name}: {_names(one, deep - 1)}" for name, one in chain.items())


def _text(messages: Sequence[Mapping[str, Any]]) -> str:
    return "\n".join(
        one["content"] if isinstance(one.get("content"), str) else json.dumps(one, ensure_ascii=False)
        for one in messages
    )
