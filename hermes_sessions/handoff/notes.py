"""Notes on a span without a model: what was done, how things stand, what was asked and answered.

Lines are quoted and counted, never phrased. What the engine writes by rule (the user's words,
rules, decisions, errors, values, files) is not repeated here.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from hermes_sessions.handoff.inspection import handoff_sections
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import SpanEntry

_LINE_CHARS: Final = 200
_ACTION_CHARS: Final = 120
_SUBJECT_CHARS: Final = 80
_STATES: Final = 2
_SENTENCE = late_pattern(r"(?<=[.!?。！？])\s+|\n+")
_SIZE = late_pattern(
    r", (?:[\d,]+ lines?, [\d,]+ characters?|no output)(?: \(a later call returned the same\))?$"
)
_FINE = late_pattern(r" -> (?:done|exit 0)$")
_SUBJECT_KEYS: Final = (
    "command",
    "cmd",
    "path",
    "file_path",
    "file",
    "url",
    "query",
    "pattern",
    "goal",
    "name",
)
_EARLIER: Final = "Earlier notes"
_PENDING: Final = "Pending questions"
_SHARES: Final[Mapping[str, float]] = {
    "Goal": 0.12,
    "Constraints": 0.12,
    "Completed actions": 0.14,
    "State": 0.06,
    "Decisions": 0.12,
    "Resolved questions": 0.06,
    "Pending questions": 0.05,
    "Files": 0.12,
    _EARLIER: 0.12,
}
"""How much of the notes each section may take; what one leaves is not given to another. Goal, constraints,
decisions and files are written by models alone and kept from their notes."""


NOTHING_TO_TELL: Final = "## State\n- Nothing besides what is quoted here."
"""Notes where there is nothing to note; a handoff leaves them out."""


def write_notes(entries: Sequence[SpanEntry], previous: str, max_chars: int, receipt: str = "") -> str:
    """Return notes on *entries*, brought together with the earlier ones; '' where there is nothing to tell.

    Args:
        entries: as a summariser sees them, oldest first.
        previous: notes of an earlier compaction.
        max_chars: how long the notes may be.
        receipt: beginning of a line of *previous* that is not to be kept.
    """
    older = [entry.text for entry in entries if entry.kind == "summary"]
    earlier = _by_title("\n\n".join((*older, previous)), receipt)
    earlier[_PENDING] = _still_pending(earlier.get(_PENDING, ()), entries)
    found = _sections(entries)
    texts: list[str] = []
    for title, share in _SHARES.items():
        lines = _united(earlier.get(title, ()), found.get(title, ()))
        if title == _EARLIER:
            lines = [line for name, old in earlier.items() if name not in _SHARES for line in old] + lines
        if text := _fitting(lines, int(max_chars * share)):
            texts.append(f"## {title}\n{text}")
    return "\n\n".join(texts)


def _still_pending(lines: Sequence[str], entries: Sequence[SpanEntry]) -> list[str]:
    """Return what earlier notes call pending and nobody answered: a reply ends what was asked to be done.

    A question stands until something is said in answer to it, right after those notes.
    """
    spoken = [entry for entry in entries if entry.kind in ("user", "assistant") and entry.text.strip()]
    if not any(entry.kind == "assistant" for entry in spoken):
        return list(lines)
    answered = spoken[0].kind == "assistant"
    return [] if answered else [line for line in lines if line.rstrip().endswith(("?", "？", "؟"))]


def _sections(entries: Sequence[SpanEntry]) -> dict[str, list[str]]:
    told = [entry.text for entry in _replies(entries)]
    return {
        "Completed actions": _actions(entries),
        # The last words of the span stand in the verbatim tail.
        "State": [_line(text) for text in told[-1 - _STATES : -1]],
        "Resolved questions": list(_resolved(entries)),
        "Pending questions": list(_pending(entries)),
    }


def _replies(entries: Sequence[SpanEntry]) -> Iterator[SpanEntry]:
    """What the assistant said with no call in the same message: narration is no reply."""
    calling = {entry.index for entry in entries if entry.kind == "call"}
    for entry in entries:
        if entry.kind == "assistant" and entry.text.strip() and entry.index not in calling:
            yield entry


def _actions(entries: Sequence[SpanEntry]) -> list[str]:
    """Calls with their outcome, the same once; what failed stands last, as the last lines are kept."""
    counts: dict[str, int] = {}
    waiting: list[SpanEntry] = []
    for entry in entries:
        if entry.kind == "call":
            waiting.append(entry)
        elif entry.kind == "result":
            line = _action(entry, waiting.pop(0) if waiting else None)
            counts[line] = counts.pop(line, 0) + 1
        else:
            waiting.clear()
    lines = [f"{line} ({count} times)" if count > 1 else line for line, count in counts.items()]
    return sorted(lines, key=lambda line: _FINE.search(line.partition(" (")[0]) is None)


def _action(result: SpanEntry, call: SpanEntry | None) -> str:
    if result.text.startswith("["):
        return _line(_SIZE.sub("", result.text), _ACTION_CHARS)
    subject = _line(_subject(call.text), _SUBJECT_CHARS) if call else ""
    return f"[{result.name or 'tool'}]{' ' if subject else ''}{subject} -> done"


def _subject(arguments: str) -> str:
    try:
        found = json.loads(arguments)
    except (ValueError, RecursionError):
        return ""
    named = (found.get(key) for key in _SUBJECT_KEYS) if isinstance(found, dict) else ()
    return next((value for value in named if isinstance(value, str) and value.strip()), "")


def _resolved(entries: Sequence[SpanEntry]) -> Iterator[str]:
    """Questions of the user with the first sentence of what was answered."""
    question = ""
    replies = set(map(id, _replies(entries)))
    for entry in entries:
        if entry.kind == "user":
            question = next((text for text in _sentences([entry.text]) if text.endswith(("?", "？"))), "")
        elif question and id(entry) in replies:
            yield f"{_line(question)} -> {_line(next(_sentences([entry.text]), entry.text))}"
            question = ""


def _pending(entries: Sequence[SpanEntry]) -> Iterator[str]:
    """What the last speaker of the span left open."""
    spoken = [entry for entry in entries if entry.kind in ("user", "assistant") and entry.text.strip()]
    if spoken and spoken[-1].kind == "user":
        yield _line(spoken[-1].text)
    elif spoken:
        yield from (_line(text) for text in _sentences([spoken[-1].text]) if text.endswith(("?", "？")))


def _sentences(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from (piece.strip() for piece in _SENTENCE.split(text) if piece.strip())


def _by_title(notes: str, receipt: str) -> dict[str, list[str]]:
    """The lines of earlier notes under their headings."""
    found: dict[str, list[str]] = {}
    for section in handoff_sections(notes):
        lines = [line.removeprefix("- ").strip() for line in section.text.splitlines()]
        kept = [line for line in lines if line and not (receipt and line.startswith(receipt))]
        found.setdefault(section.title or _EARLIER, []).extend(kept)
    return found


def _united(earlier: Iterable[str], new: Iterable[str]) -> list[str]:
    """Both without repetitions; a line that comes again counts as new."""
    lines = dict.fromkeys(line for line in new if line)
    return [*(line for line in dict.fromkeys(earlier) if line not in lines), *lines]


def _fitting(lines: Sequence[str], max_chars: int) -> str:
    """Return the newest of *lines* that fit, as bullets in their order."""
    kept: list[str] = []
    for line in reversed(lines):
        max_chars -= len(line) + 3
        if max_chars < 0:
            break
        kept.append(f"- {line}")
    return "\n".join(reversed(kept))


def _line(text: str, max_chars: int = _LINE_CHARS) -> str:
    line = " ".join(text[: max_chars * 4].split())
    return line if len(line) <= max_chars else f"{line[: max_chars - 1]}…"
