"""Shrink old tool results and arguments for a summariser's request. Transcripts are not touched.

Everything leaves this module masked: a text is masked with a margin around each cut,
so that no half of a secret slips through.
"""

import functools
import json
import re
from typing import Any, Final

from hermes_sessions.facts.lines import error_lines, shorten_line
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import ToolCall, TranscriptMessage, block_text
from hermes_sessions.redact import redact, redact_arguments

IMAGE_NOTE: Final = "[image left out]"

_MARGIN_CHARS: Final = 600
_MAX_JSON_CHARS: Final = 200_000
_LEAF_CHARS: Final = (200, 60, 16)
_MAX_ITEMS: Final = 8
_SUBJECT_CHARS: Final = 1_000
_OUTCOME_CHARS: Final = 4_000
_SUBJECT_KEYS: Final = (
    *("command", "cmd", "path", "file_path", "file", "filename", "url", "urls", "query", "pattern", "goal"),
    *("question", "name", "action", "code", "text"),
)
_EXIT = late_pattern(r"(?i)\bexit[_ ]?(?:code|status)?[\"']?\s{0,2}[:=]?\s{0,2}(-?\d{1,4})\b")


def masked(text: str, max_chars: int) -> str:
    """Return *text* with its secrets masked, its middle left out beyond *max_chars*."""
    keep = max(max_chars, 40)
    if len(text) <= keep + 2 * _MARGIN_CHARS or "PRIVATE KEY" in text:
        return _middle_out(redact(text).text, keep, len(text))
    half = keep // 2
    head = redact(_to_space(text[: half + _MARGIN_CHARS])).text[:half]
    tail = redact(_from_space(text[-half - _MARGIN_CHARS :])).text[-half:]
    return f"{head}\n[... {len(text) - 2 * half:,} characters left out ...]\n{tail}"


def shorten_arguments(arguments: str, max_chars: int) -> str:
    """Return the arguments of a call, masked; too long ones with their strings cut, still valid JSON.

    Arguments that are no JSON come back as text inside a JSON object.
    """
    try:
        if len(arguments) > _MAX_JSON_CHARS:
            raise ValueError("too long to parse for a preview")
        value = json.loads(arguments or "{}")
        if len(arguments) <= max_chars:
            return redact_arguments(arguments).text
        return _shortened(value, max_chars)
    except (ValueError, RecursionError):
        return json.dumps({"text": masked(arguments, max_chars)}, ensure_ascii=False)


def describe_result(call: ToolCall | None, message: TranscriptMessage, text: str) -> str:
    """Return one line on a tool result: tool, subject, outcome, size."""
    tool = shorten_line((call.name if call else "") or message.tool_name or "tool", 60)
    subject = shorten_line(masked_subject(call), 120) if call else ""
    size = f"{text.count(chr(10)) + 1} lines, {len(text):,} characters" if text else "no output"
    return " ".join(part for part in (f"[{tool}]", subject, f"-> {_outcome(text)}, {size}") if part)


def text_of(message: TranscriptMessage, said: str) -> str:
    """Return what *message* says, with a note in place of each image or file."""
    content = message.content
    if content is None or isinstance(content, str):
        return said
    notes = [
        IMAGE_NOTE
        for block in content
        if not isinstance(block, str) and block_text(block) is None and block.get("type") not in _TOOL_BLOCKS
    ]
    return "\n".join([said, *notes] if said else notes)


_TOOL_BLOCKS: Final = ("tool_use", "tool_result", "thinking", "redacted_thinking")


def masked_subject(call: ToolCall) -> str:
    """Return what a call is about: its command, path, query; '' where it names none."""
    return _masked_subject(_subject(call)[: 2 * _SUBJECT_CHARS])


@functools.lru_cache(
    maxsize=4_096
)  # a call is looked at by several parts of a compaction, and by the next one
def _masked_subject(subject: str) -> str:
    return masked(subject, _SUBJECT_CHARS)


def _subject(call: ToolCall) -> str:
    try:
        arguments = json.loads(call.arguments[:_MAX_JSON_CHARS])
    except (ValueError, RecursionError):
        return ""
    if not isinstance(arguments, dict):
        return ""
    for key in _SUBJECT_KEYS:
        value = arguments.get(key)
        if isinstance(value, str) and value.strip():
            return value
    return ""


def _outcome(text: str) -> str:
    exit_code = _EXIT.search(text[-2_000:]) or _EXIT.search(text[:2_000])
    if exit_code and exit_code.group(1) != "0":
        return f"exit {exit_code.group(1)}"
    last = text if len(text) <= _OUTCOME_CHARS else _from_space(text[-_OUTCOME_CHARS:])
    return _ending(last, exit_code is not None)


@functools.lru_cache(maxsize=2_048)  # a result is described again by every attempt
def _ending(last: str, exited: bool) -> str:
    if next(error_lines(last), None) is None:
        return "exit 0" if exited else "done"
    # Masked before a line is shortened: half of a secret would not be recognised.
    return shorten_line(next(error_lines(redact(last).text), "error"), 160)


def _shortened(value: Any, max_chars: int) -> str:
    """Cut the strings of *value* harder and harder until its JSON fits."""
    roomy = json.dumps(_cut_leaves(value, max_chars + _MARGIN_CHARS), ensure_ascii=False)
    safe = json.loads(redact_arguments(roomy).text)
    for leaf_chars in _LEAF_CHARS:
        text = json.dumps(_cut_leaves(safe, min(leaf_chars, max_chars)), ensure_ascii=False)
        if len(text) <= max_chars:
            return text
    return json.dumps({"text": text[: max(0, max_chars - 30)]}, ensure_ascii=False)


def _cut_leaves(value: Any, leaf_chars: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= leaf_chars + 16 else f"{value[:leaf_chars]}...[truncated]"
    if isinstance(value, list):
        # One more than the limit is a list cut before: its last item says how many there were.
        kept = (
            value
            if len(value) <= _MAX_ITEMS + 1
            else [*value[:_MAX_ITEMS], f"[{len(value) - _MAX_ITEMS} more]"]
        )
        return [_cut_leaves(item, leaf_chars) for item in kept]
    if isinstance(value, dict):
        return {key[:leaf_chars]: _cut_leaves(item, leaf_chars) for key, item in value.items()}
    return value


def _middle_out(text: str, keep: int, full: int) -> str:
    if len(text) <= keep + 60:
        return text
    half = keep // 2
    return f"{text[:half]}\n[... {full - 2 * half:,} characters left out ...]\n{text[-half:]}"


def _to_space(text: str) -> str:
    """Return *text* up to the last white space of its margin: what stands cut behind it goes."""
    cut = max(text.rfind(mark, len(text) - _MARGIN_CHARS // 2) for mark in " \n\t")
    return text[:cut] if cut > 0 else text


def _from_space(text: str) -> str:
    found = re.compile(r"\s").search(text, 0, _MARGIN_CHARS // 2)
    return text[found.end() :] if found else text
