"""A summary without a model: sentences and lines picked by rule, the same for the same input.

It quotes and lists; it never phrases. The user's own words and the exact facts are not
repeated: the engine adds them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from hermes_sessions.handoff import handoff_sections
from hermes_sessions.messages import CompactionMethod, SpanEntry, SummaryRequest

_CHARS_PER_TOKEN: Final = 3
_LINE_CHARS: Final = 240
_ACTION_CHARS: Final = 140
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_DEMAND = re.compile(
    r"(?i)\b(?:must|must not|never|always|do not|don't|only|without|make sure|keep|avoid"
    r"|required?|at most|at least|muss|nie|immer|nur|siempre|nunca|toujours|jamais)\b"
    r"|必须|不要|禁止|しないで|必ず"
)
_EARLIER: Final = "Earlier notes"
_SHARES: Final[Mapping[str, float]] = {
    "Goal": 0.12,
    "Constraints": 0.12,
    "Completed actions": 0.26,
    "State": 0.14,
    "Decisions": 0.12,
    "Resolved questions": 0.12,
    "Pending questions": 0.08,
    "Files": 0.12,
    _EARLIER: 0.12,
}
"""How much of the summary each section may take; what one leaves is not given to another."""


@dataclass(frozen=True, slots=True)
class ExtractiveSummarizer:
    """The summariser that needs no model."""

    method: ClassVar[CompactionMethod] = CompactionMethod.EXTRACTIVE
    name: ClassVar[str] = "extractive"

    def __call__(self, request: SummaryRequest) -> str:
        """Return notes on the span of *request*, brought together with the earlier ones."""
        older = [entry.text for entry in request.entries if entry.kind == "summary"]
        earlier = _by_title("\n\n".join((*older, request.previous)))
        room = max(400, request.max_tokens * _CHARS_PER_TOKEN)
        found = _sections(request)
        texts: list[str] = []
        for title, share in _SHARES.items():
            lines = _united(earlier.get(title, ()), found.get(title, ()))
            if title == _EARLIER:
                lines = [line for name, old in earlier.items() if name not in found for line in old]
            if text := _fitting(lines, int(room * share)):
                texts.append(f"## {title}\n{text}")
        return "\n\n".join(texts) or "## State\n- Nothing was said or done in the replaced messages."


def _sections(request: SummaryRequest) -> dict[str, list[str]]:
    entries = request.entries
    said = [entry.text for entry in entries if entry.kind == "user" and entry.text.strip()]
    told = [entry.text for entry in entries if entry.kind == "assistant" and entry.text.strip()]
    return {
        "Goal": [_line(said[0])] if said and not request.previous else [],
        "Constraints": [_line(text) for text in _sentences(said) if _DEMAND.search(text)],
        "Completed actions": list(_actions(entries)),
        "State": [_line(text) for text in told[-2:]],
        "Decisions": [fact.value for fact in request.facts if fact.kind == "decision"],
        "Resolved questions": list(_resolved(entries)),
        "Pending questions": list(_pending(entries)),
        "Files": list(dict.fromkeys(fact.value for fact in request.facts if fact.kind == "path")),
    }


def _actions(entries: Sequence[SpanEntry]) -> Iterator[str]:
    for entry in entries:
        if entry.kind == "result":
            prefix = "" if entry.text.startswith("[") else f"[{entry.name or 'tool'}] "
            yield prefix + _line(entry.text, _ACTION_CHARS)


def _resolved(entries: Sequence[SpanEntry]) -> Iterator[str]:
    """Questions of the user with the first sentence of what was answered."""
    question = ""
    for entry in entries:
        if entry.kind == "user":
            question = next((text for text in _sentences([entry.text]) if text.endswith(("?", "？"))), "")
        elif entry.kind == "assistant" and question and entry.text.strip():
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


def _by_title(notes: str) -> dict[str, list[str]]:
    """The lines of earlier notes under their headings."""
    found: dict[str, list[str]] = {}
    for section in handoff_sections(notes):
        lines = [line.removeprefix("- ").strip() for line in section.text.splitlines()]
        found.setdefault(section.title or _EARLIER, []).extend(line for line in lines if line)
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
