"""What a call changed in a file, in a few words: the lines it took out and put in."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from hermes_sessions.audit.effects.calls import read_actions
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.verdict.quoting import Masker
from hermes_sessions.facts.effects.values import is_same_file
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import ToolCall

_OLD: Final = ("old_string", "old_str", "old_text", "oldText", "search", "find")
_NEW: Final = ("new_string", "new_str", "new_text", "newText", "replace", "replacement")
_WHOLE: Final = ("content", "file_text", "contents", "text")
_PATCH: Final = ("patch", "diff", "input", "patch_text", "patchText")
_EDITS: Final = ("edits", "changes", "replacements")
_LINE_CHARS: Final = 110
_TELLING = late_pattern(r"\w")
_PREFACE = late_pattern(r"^(?:#!|#\s*-\*-|//|/\*|\*|<!|---|\"{3}|import\b|from\b|package\b|use\b|$)")


def tell_change(path: str, rows: Sequence[AuditMessage], masked: Masker) -> str:
    """Return what the last of *rows* that changes *path* took out and put in, '' where no call tells."""
    for row in reversed(rows):
        for call in reversed(row.calls):
            if any(is_same_file(path, one) or one in path for one in _changed(call)) and (
                gist := _gist(call, masked)
            ):
                return gist
    return ""


def _changed(call: ToolCall) -> Iterator[str]:
    for action in read_actions(call):
        yield from action.changed


def _gist(call: ToolCall, masked: Masker) -> str:
    try:
        arguments = _masked(json.loads(call.arguments), masked)
    except (ValueError, RecursionError):
        return _of_patch(masked(call.arguments))
    return _of_arguments(arguments) if isinstance(arguments, Mapping) else ""


def _masked(value: Any, masked: Masker) -> Any:
    """Return arguments with the secrets taken out of every text: what is cut later shows none in part."""
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, Mapping):
        return {name: _masked(one, masked) for name, one in value.items()}
    return [_masked(one, masked) for one in value] if isinstance(value, list) else value


def _of_arguments(arguments: Mapping[str, Any]) -> str:
    edits = next((arguments[one] for one in _EDITS if isinstance(arguments.get(one), list)), None)
    if edits:
        told = [_of_arguments(one) for one in edits if isinstance(one, Mapping)]
        return "; ".join(one for one in told[:2] if one)
    old, new = _first(arguments, _OLD), _first(arguments, _NEW)
    if old or new:
        return _exchanged(old.splitlines(), new.splitlines())
    if patch := _first(arguments, _PATCH):
        return _of_patch(patch)
    if whole := _first(arguments, _WHOLE):
        line = next(
            (one for one in whole.splitlines() if _TELLING.search(one) and not _PREFACE.match(one.strip())),
            "",
        )
        return f"written, with “{_cut(line)}”" if line else ""
    command = _first(arguments, ("command", "cmd"))
    return f"by “{_cut(command.splitlines()[0])}”" if command else ""


def _first(arguments: Mapping[str, Any], names: Sequence[str]) -> str:
    return next(
        (arguments[one] for one in names if isinstance(arguments.get(one), str) and arguments[one]), ""
    )


def _of_patch(patch: str) -> str:
    lines = patch.splitlines()
    old = [one[1:] for one in lines if one.startswith("-") and not one.startswith("---")]
    new = [one[1:] for one in lines if one.startswith("+") and not one.startswith("+++")]
    return _exchanged(old, new)


def _exchanged(old: Sequence[str], new: Sequence[str]) -> str:
    out = next((one for one in old if _TELLING.search(one) and one not in new), "")
    put = next((one for one in new if _TELLING.search(one) and one not in old), "")
    if out and put:
        return f"“{_cut(out)}” became “{_cut(put)}”"
    if put:
        return f"added “{_cut(put)}”"
    return f"removed “{_cut(out)}”" if out else ""


def _cut(line: str) -> str:
    line = " ".join(line.split())
    return line if len(line) <= _LINE_CHARS else f"{line[:_LINE_CHARS].rstrip()}…"
