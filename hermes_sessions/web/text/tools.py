"""Tool calls and their results as a page shows them: subjects, pretty arguments, failures."""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hermes_sessions.json_text import INVALID, parsed_json, pretty_json
from hermes_sessions.messages import ToolCall
from hermes_sessions.web.text.ansi import has_colours
from hermes_sessions.web.text.edits import Edit, read_edits

MAX_ARGUMENTS = 4_000
MAX_OUTPUT = 2_500
_SUBJECT_KEYS = (
    "command", "cmd", "file_path", "path", "filename", "url", "query", "pattern", "goal", "task",
    "prompt", "name", "code", "title",
)  # fmt: skip
_OUTPUT_KEYS = ("output", "stdout", "content", "result", "text")
_SHELLS = frozenset({
    "terminal", "bash", "shell", "sh", "exec", "execute_command", "run_command", "run_terminal_cmd",
    "local_shell", "exec_command", "shell_command", "container.exec", "run_shell_command", "execute_shell",
})  # fmt: skip
_COMMANDS = ("command", "cmd")
_NO_FACTS = (("type", "exec"),)
"""What says only that a command is run."""
_ERROR_STARTS = ("error", "traceback (most recent call last)", "fatal:", "exception:")


@dataclass(frozen=True, slots=True)
class Arguments:
    """A call's arguments: pretty-printed, or as stored with `valid` False.

    A call that edits files has its `edits`, one that runs a command the `command` and the `facts`
    beside it; they are shown instead of the text.
    """

    text: str
    valid: bool
    length: int
    subject: str
    command: str | None = None
    facts: tuple[tuple[str, str], ...] = ()
    edits: tuple[Edit, ...] = ()

    @property
    def cut(self) -> bool:
        """Whether the page shows less than all."""
        if self.edits:
            return any(edit.diff.cut for edit in self.edits)
        if self.command is not None:
            return self.command.endswith("…")
        return self.length > len(self.text)


@dataclass(frozen=True, slots=True)
class Output:
    """A tool's result: its text, the small facts that came with it, whether it failed."""

    text: str
    length: int
    facts: tuple[tuple[str, str], ...]
    failed: bool
    language: str
    terminal: bool = False
    """It came from a command line: colours are shown."""

    @property
    def cut(self) -> bool:
        """Whether the page shows less than all."""
        return self.length > len(self.text)


def parse_calls(stored: str | None) -> tuple[ToolCall, ...] | None:
    """Return the calls in stored JSON; None where it is not valid JSON or holds no call."""
    if not stored:
        return ()
    value = parsed_json(stored, INVALID)
    if value is INVALID:
        return None
    items = value if isinstance(value, list) else [value]
    calls = tuple(_call(item) for item in items if isinstance(item, Mapping) and item)
    return calls if calls or not items or value in ({}, "") else None


def is_shell(name: str) -> bool:
    """Return whether a tool runs commands."""
    return name.lower() in _SHELLS


def show_arguments(arguments: str, name: str = "", *, most: int | None = MAX_ARGUMENTS) -> Arguments:
    """Return arguments as changes or as a command, else pretty-printed where they are JSON."""
    value = parsed_json(arguments, INVALID)
    valid, text = value is not INVALID, arguments
    if isinstance(value, (dict, list)):
        text = pretty_json(value, arguments)
    shown = text if most is None else text[:most]
    command, facts = _command(value, most) if is_shell(name) and isinstance(value, dict) else (None, ())
    return Arguments(
        text=shown,
        valid=valid or not arguments.strip(),
        length=len(text),
        subject=_subject(value, arguments),
        command=command,
        facts=facts,
        edits=() if command is not None else read_edits(name, value if valid else arguments, most=most),
    )


def _command(value: Mapping[str, Any], most: int | None) -> tuple[str | None, tuple[tuple[str, str], ...]]:
    """Return the command of a shell's arguments and the small facts beside it, if there is no more."""
    key = next((key for key in _COMMANDS if value.get(key)), None)
    command = _joined(value.get(key)) if key else None
    others = {
        name: _pairs(item)
        for name, item in value.items()
        if name != key and item not in (None, "", [], {}) and (name, item) not in _NO_FACTS
    }
    if not isinstance(command, str) or any(isinstance(item, (dict, list)) for item in others.values()):
        return None, ()
    if most is not None and len(command) > most:
        command = command[: most - 1] + "…"
    return command, tuple((name, str(item)) for name, item in others.items())


def _joined(command: Any) -> Any:
    """Return a command of words as one line."""
    words = isinstance(command, list) and bool(command) and all(isinstance(word, str) for word in command)
    return shlex.join(command) if words else command


def _pairs(value: Any) -> Any:
    """Return names and what they are set to, such as an environment, as one line."""
    flat = isinstance(value, dict) and all(isinstance(one, (str, int, float)) for one in value.values())
    return shlex.join(f"{name}={one}" for name, one in value.items()) if flat else value


def show_output(text: str, name: str = "", *, most: int | None = MAX_OUTPUT) -> Output:
    """Return a tool's result, unwrapped where it is an object around one text."""
    value = parsed_json(text, INVALID) if text.lstrip()[:1] in ("{", "[") else INVALID
    if value is INVALID:
        bad = text.strip().lower().startswith(_ERROR_STARTS)
        return _output(text, (), bad, "", most=most, terminal=is_shell(name) or has_colours(text))
    if isinstance(value, dict):
        facts, body = _unwrap(value)
        if body is not None:
            terminal = is_shell(name) or has_colours(body)
            return _output(body, facts, failed(value), "", most=most, terminal=terminal)
        return _output(pretty_json(value, text), (), failed(value), "json", most=most)
    return _output(pretty_json(value, text), (), False, "json", most=most)


def subject_of(arguments: str) -> str:
    """Return what a call's arguments are about, in a few words."""
    return _subject(parsed_json(arguments, INVALID), arguments)


def failed(value: Mapping[str, Any]) -> bool:
    """Return whether a result object says that the tool failed."""
    if value.get("error") or value.get("is_error") is True or value.get("success") is False:
        return True
    code = value.get("exit_code", value.get("returncode", 0))
    return isinstance(code, int) and code != 0


def _output(
    text: str,
    facts: tuple[tuple[str, str], ...],
    bad: bool,
    language: str,
    *,
    most: int | None,
    terminal: bool = False,
) -> Output:
    return Output(text if most is None else text[:most], len(text), facts, bad, language, terminal)


def _unwrap(value: Mapping[str, Any]) -> tuple[tuple[tuple[str, str], ...], str | None]:
    """Return the small facts and the one large text of a result object, if it has that shape."""
    key = next((key for key in _OUTPUT_KEYS if isinstance(value.get(key), str) and value[key]), None)
    others = {name: item for name, item in value.items() if name != key}
    if key is None or any(isinstance(item, (dict, list)) and item for item in others.values()):
        return (), None
    if any(isinstance(item, str) and len(item) > 200 for item in others.values()):
        return (), None
    facts = tuple((name, str(item)) for name, item in others.items() if item not in (None, "", [], {}))
    return facts, value[key]


def _call(item: Mapping[str, Any]) -> ToolCall:
    function = item.get("function")
    inner = function if isinstance(function, Mapping) else item
    ids = tuple(str(item[key]) for key in ("id", "call_id") if item.get(key))
    arguments = inner.get("arguments", inner.get("input", ""))
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False)
    return ToolCall(ids, str(inner.get("name") or "tool"), arguments)


def _subject(value: Any, arguments: str) -> str:
    """Return what a call is about, in a few words for its closed line."""
    if not isinstance(value, dict):
        return arguments[:160]
    for key in _SUBJECT_KEYS:
        told = _joined(value.get(key)) if key in _COMMANDS else value.get(key)
        if isinstance(told, str) and told.strip():
            return told[:400]
    texts = (item for item in value.values() if isinstance(item, str) and item.strip())
    return next(texts, "")[:400]
