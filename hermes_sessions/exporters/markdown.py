"""Write a conversation as Markdown: a stream of text, one piece per entry.

What was said is Markdown already and stays so; HTML in it is escaped and a code fence
left open is closed, so that no message swallows the next one. Arguments and results
stand in fences longer than any inside them.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from hermes_sessions.exporters.masking import ExportMasker
from hermes_sessions.exporters.readable_entries import (
    CompactionLine,
    Entry,
    ExportedCall,
    ExportedHandoff,
    Heading,
    Note,
    Picture,
    Speech,
    ToolOutput,
)
from hermes_sessions.json_text import parsed_json, pretty_json
from hermes_sessions.late_patterns import late_pattern

_FENCE = late_pattern(r" {0,3}(`{3,}|~{3,})(.*)")
_TICKS = late_pattern(r"`{3,}")
_RUN_OF_TICKS = late_pattern(r"`+")
_TAG = late_pattern(r"<(?=[A-Za-z/!?])")
_MARKS = late_pattern(r"([\\`*\[\]<>#|]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9]))")
_UNSAFE_IN_URL = late_pattern(r"[<>\\\s]")
_DATA_URL = late_pattern(r"[\w:/;,+=.-]+", re.ASCII)


def render_markdown(heading: Heading, entries: Iterable[Entry], masker: ExportMasker) -> Iterator[str]:
    """Yield the document in pieces; *masker* has counted everything at the last one."""
    yield from _opening(masker.heading(heading), masked=masker.active)
    for entry in masker.entries(entries):
        yield from _entry(entry, heading)
        yield "\n"
    yield f"---\n\n*{mask_line(masker)}*\n"


def mask_line(masker: ExportMasker) -> str:
    """Return the sentence about secrets that a document ends with."""
    if not masker.active:
        return "Secrets were not masked."
    if not masker.total:
        return "Secrets masked: none were recognised. This is best effort, not a promise."
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(masker.counts.items()))
    return f"Secrets masked: {masker.total} ({kinds}). This is best effort, not a promise."


def told_time(at: float | None) -> str:
    """Return a local time with its offset: "2026-03-12 14:02:31 +01:00"."""
    if at is None:
        return "time unknown"
    try:
        when = datetime.fromtimestamp(at, UTC).astimezone()
    except (ValueError, OverflowError, OSError):
        return "time unknown"
    return when.isoformat(sep=" ", timespec="seconds").replace("+", " +")


def _opening(heading: Heading, *, masked: bool) -> Iterator[str]:
    yield f"# {_inline(heading.name, 160)}\n\n"
    facts = [("Id", heading.id), ("Source", heading.source), ("Model", heading.model)]
    if heading.parent is not None:
        facts.append((heading.parent_words, heading.parent))
    for name, value in facts:
        if value:
            yield f"- {name}: {_inline(value, 200)}\n"
    yield f"- Started: {told_time(heading.started_at)}\n"
    yield f"- Last active: {told_time(heading.last_active_at)}\n"
    yield f"- {heading.messages} messages, {heading.sessions} sessions, {heading.compactions} compactions"
    yield f", {heading.prunes} prunes\n" if heading.prunes else "\n"
    if masked:
        yield "- Secrets are masked; how many is said at the end\n"
    yield "\n"


def _entry(entry: Entry, heading: Heading) -> Iterator[str]:
    match entry:
        case Speech():
            yield from _speech(entry, heading)
        case ExportedHandoff():
            yield from _handoff(entry)
        case ToolOutput():
            yield f"**Result of {_inline(entry.name, 80)}**\n\n{_fenced(entry.text)}"
        case CompactionLine():
            yield from _compaction(entry)
        case Note():
            yield f"*{_inline(entry.text, 300)}*\n"


def _speech(entry: Speech, heading: Heading) -> Iterator[str]:
    inherited = ", inherited" if entry.inherited else ""
    if entry.first:
        speaker = _inline(heading.speaker(entry.role), 40)
        yield f"## {speaker} · {told_time(entry.at)}{inherited}\n\n"
    if entry.reasoning:
        yield f"{_quoted('**Reasoning**')}>\n{_quoted(_closed(entry.reasoning))}\n"
    if entry.text:
        yield f"{_closed(entry.text)}\n"
    for picture in entry.pictures:
        yield f"\n{_picture(picture)}\n"
    for call in entry.calls:
        yield from _call(call)
    if entry.broken_calls:
        yield f"\n**Tool calls, stored as JSON that cannot be read**\n\n{_fenced(entry.broken_calls)}"


def _call(call: ExportedCall) -> Iterator[str]:
    yield f"\n**Called {_inline(call.name, 80)}**\n\n"
    if call.arguments.strip():
        yield _fenced(_pretty(call.arguments), "json" if _looks_like_json(call.arguments) else "")
    if call.result is None:
        yield "\n*no result here*\n"
    else:
        yield f"\nResult:\n\n{_fenced(call.result)}"


def _handoff(entry: ExportedHandoff) -> Iterator[str]:
    told = ", written by rules" if entry.fallback else ", only a note of removal" if entry.marker else ""
    yield _quoted(f"**Context handoff** · {told_time(entry.at)}{told}")
    yield f">\n{_quoted(_closed(entry.text))}"
    for picture in entry.pictures:
        yield f">\n{_quoted(_picture(picture))}"


def _compaction(entry: CompactionLine) -> Iterator[str]:
    facts = [told_time(entry.at), *(_inline(fact, 200) for fact in entry.facts)]
    yield f"---\n\n**{_inline(entry.headline, 80)}** · {', '.join(facts)}\n"
    if entry.summary:
        yield f"\n{_quoted('**Context handoff**, not a row of the transcript')}>\n"
        yield _quoted(_closed(entry.summary))


def _picture(picture: Picture) -> str:
    """An image of the store's stays in the document; a remote one is a link, and nothing is fetched."""
    label = _inline(picture.label, 120)
    if picture.url.startswith("data:image/") and _DATA_URL.fullmatch(picture.url):
        return f"![{label}]({picture.url})"
    if picture.url.startswith(("https://", "http://")):
        return f"[{label}](<{_UNSAFE_IN_URL.sub('', picture.url)}>)"
    return f"*{label}*"


def _inline(text: str, most: int) -> str:
    """Return *text* as one line in which no character means anything."""
    line = " ".join(text[: most * 8].split())
    line = line if len(line) <= most else f"{line[: most - 1].rstrip()}…"
    return _MARKS.sub(r"\\\1", line)


def _quoted(text: str) -> str:
    return "".join(f"> {line}\n" if line else ">\n" for line in text.rstrip("\n").split("\n"))


def _fenced(text: str, language: str = "") -> str:
    """Return *text* in a fence that nothing inside it can close."""
    fence = "`" * max([3, *(len(run) + 1 for run in _TICKS.findall(text))])
    body = text if text.endswith("\n") or not text else f"{text}\n"
    return f"{fence}{language}\n{body}{fence}\n"


def _closed(text: str) -> str:
    """Return Markdown with its HTML escaped and its last fence closed."""
    lines: list[str] = []
    fence = ""
    for line in text.split("\n"):
        found = _FENCE.fullmatch(line)
        if fence:
            lines.append(line)
            if found and found[1].startswith(fence) and not found[2].strip():
                fence = ""
        elif found and not (found[1][0] == "`" and "`" in found[2]):
            fence = found[1]
            lines.append(_TAG.sub(r"\<", line))
        else:
            lines.append(_escaped(line))
    if fence:
        lines.append(fence)
    return "\n".join(lines)


def _escaped(line: str) -> str:
    """Escape HTML outside code spans."""
    pieces = []
    at = 0
    for begin, end in _code_spans(line):
        pieces += [_TAG.sub(r"\<", line[at:begin]), line[begin:end]]
        at = end
    return "".join(pieces) + _TAG.sub(r"\<", line[at:])


def _code_spans(line: str) -> Iterator[tuple[int, int]]:
    """Yield begin and end of each span: from a run of backticks to the next that is as long."""
    runs = [found.span() for found in _RUN_OF_TICKS.finditer(line)]
    nearest: dict[int, tuple[int, int]] = {}
    closers: dict[int, tuple[int, int]] = {}
    for begin, end in reversed(runs):
        if end - begin in nearest:
            closers[begin] = nearest[end - begin]
        nearest[end - begin] = (begin, end)
    at = 0
    for begin, _ in runs:
        if begin >= at and begin in closers:
            at = closers[begin][1]
            yield begin, at


def _pretty(text: str) -> str:
    value = parsed_json(text)
    return pretty_json(value, text) if isinstance(value, dict | list) else text


def _looks_like_json(text: str) -> bool:
    return text.lstrip()[:1] in ("{", "[")
