"""The deterministic handoff when no summary could be had: a receipt for every turn it replaces.

It says that it is one and why, what was asked, which tools ran and how they ended, which
files and errors came up, and how the replaced turns ended. The user's words and the
exact facts are sections of their own.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from hermes_sessions.compaction.anchors import shorten_line
from hermes_sessions.compaction.sections import clip_middle
from hermes_sessions.messages import SpanEntry, SummaryRequest

RECEIPT: Final = "Written without a model:"

_LAST_TURNS: Final = 8
_LAST_TOOLS: Final = 25


def fallback_summary(request: SummaryRequest, reason: str, replaced: int, max_chars: int) -> str:
    """Return notes on the span made by rules, at most *max_chars* long.

    The receipt stands first, so that nothing can cut it off; the other sections share
    what is left, the earlier notes getting no more than a third.

    Args:
        request: what the summariser was given: masked, bounded.
        reason: why there is no summary, one line.
        replaced: how many messages the handoff stands for.
        max_chars: of the whole text.
    """
    receipt = f"{RECEIPT} {shorten_line(reason, 160)}. It stands for {replaced} messages."
    left = max_chars - len(receipt)
    sections = [
        ("Last requests", _bullets(_said(request.entries, "user", 5)), left // 4),
        ("Completed actions", _bullets(_actions(request.entries)), left // 3),
        ("Errors", _bullets(_facts(request, "error", 8)), left // 6),
        ("Files", _bullets(_facts(request, "path", 20)), left // 6),
        ("Last turns replaced", _bullets(_turns(request.entries)), left // 3),
        ("Earlier notes", _earlier(request), left // 3),
    ]
    texts = [receipt]
    for title, text, share in sections:
        room = min(share, left) - len(title) - 6
        if text and room > 60:
            texts.append(f"## {title}\n{_clip_lines(text, room)}")
            left -= len(texts[-1]) + 2
    return "\n\n".join(texts)[:max_chars]


def _said(entries: Sequence[SpanEntry], kind: str, count: int) -> Iterator[str]:
    found = [entry for entry in entries if entry.kind == kind and entry.text.strip()]
    yield from (shorten_line(entry.text, 400) for entry in found[-count:])


def _actions(entries: Sequence[SpanEntry]) -> Iterator[str]:
    results = [entry for entry in entries if entry.kind == "result"]
    for entry in results[-_LAST_TOOLS:]:
        prefix = "" if entry.text.startswith("[") else f"[{entry.name or 'tool'}] "
        yield f"{prefix}{shorten_line(entry.text, 140)}"


def _turns(entries: Sequence[SpanEntry]) -> Iterator[str]:
    spoken = [entry for entry in entries if entry.kind in ("user", "assistant") and entry.text.strip()]
    yield from (f"{entry.kind}: {shorten_line(entry.text, 300)}" for entry in spoken[-_LAST_TURNS:])


def _facts(request: SummaryRequest, kind: str, count: int) -> Iterator[str]:
    values = dict.fromkeys(fact.value for fact in reversed(request.facts) if fact.kind == kind)
    yield from list(values)[:count]


def _earlier(request: SummaryRequest) -> str:
    """Earlier notes, oldest first, without headings and receipts, so that fallbacks do not nest."""
    older = [entry.text for entry in request.entries if entry.kind == "summary"]
    notes = "\n".join((*older, request.previous))
    lines = (line.lstrip("#").strip() if line.startswith("#") else line for line in notes.splitlines())
    return "\n".join(
        line for line in lines if line.strip() and not line.startswith((RECEIPT, "Earlier notes"))
    )


def _bullets(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines if line)


def _clip_lines(text: str, max_chars: int) -> str:
    """Return the last whole lines of *text* that fit: the newest stand last."""
    if len(text) <= max_chars:
        return text
    cut = text[len(text) - max_chars + 8 :]
    _, found, rest = cut.partition("\n")
    return f"[...]\n{rest}" if found and rest else clip_middle(text, max_chars)
