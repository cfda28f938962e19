"""A tool call as its actions: by the command line it runs, else by its name and arguments."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from hermes_sessions.facts.effects.command_lines import read_command
from hermes_sessions.facts.effects.values import CallAction, Effect
from hermes_sessions.json_text import parsed_json
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import ToolCall

_TERMINALS: Final = frozenset(
    {"terminal", "bash", "shell", "exec", "command", "cmd", "powershell", "console", "zsh"}
)
_COMMAND_KEYS: Final = ("command", "cmd", "script", "commands", "input")
_PATH_KEYS: Final = ("path", "file_path", "file", "filename", "notebook_path", "url", "paths", "files")
_NOTED: Final = frozenset(
    {"todo", "todos", "plan", "think", "memory", "remember", "note", "notes", "scratchpad"}
)
_VERBS: Final[Mapping[Effect, frozenset[str]]] = {
    Effect.DELETES: frozenset({"delete", "remove", "drop", "destroy", "purge", "unlink", "trash"}),
    Effect.SENDS: frozenset(
        {"send", "post", "reply", "notify", "tweet", "email", "forward", "invite", "call"}
    ),
    Effect.PUBLISHES: frozenset({"publish", "deploy", "push", "release", "merge"}),
    Effect.WRITES: frozenset(
        {
            *("write", "patch", "edit", "create", "insert", "apply", "update", "replace", "move", "commit"),
            *("add", "set", "rename", "upload", "save", "append", "book", "pay", "schedule", "cancel"),
        }
    ),
    Effect.READS: frozenset(
        {
            *("read", "view", "cat", "open", "get", "list", "ls", "search", "find", "grep", "glob", "fetch"),
            *(
                "browse",
                "show",
                "status",
                "query",
                "lookup",
                "poll",
                "wait",
                "check",
                "describe",
                "screenshot",
            ),
        }
    ),
}
_OPENING: Final = frozenset({"read", "view", "cat", "open", "fetch"})
_PASSING: Final = frozenset(
    {"timeout", "timeout_ms", "description", "explanation", "reason", "justification", "run_in_background"}
)
_NAME_PARTS = late_pattern(r"[a-z]+|[A-Z][a-z]*")


@lru_cache(maxsize=4_000)
def read_actions(call: ToolCall) -> tuple[CallAction, ...]:
    """Return what *call* does, step by step."""
    given = parsed_json(call.arguments, call.arguments)
    names = {part.lower() for part in _NAME_PARTS.findall(call.name)}
    if names & _TERMINALS and (line := _command(given)) is not None:
        return read_command(line)
    if isinstance(given, Mapping) and isinstance(action := given.get("action"), str):
        names |= {part.lower() for part in _NAME_PARTS.findall(action)}
    effect = _effect(names)
    paths = _paths(given)
    return (
        CallAction(
            effect,
            (call.name, _canonical(given, call.arguments)),
            (call.name,),
            opened=paths if effect is Effect.READS and names & _OPENING else (),
            changed=paths if effect in (Effect.WRITES, Effect.DELETES) else (),
        ),
    )


def _effect(names: set[str]) -> Effect:
    if names & _NOTED:
        return Effect.READS
    return next((effect for effect, verbs in _VERBS.items() if names & verbs), Effect.RUNS)


def _command(given: object) -> str | None:
    if not isinstance(given, Mapping):
        return given if isinstance(given, str) else None
    value = next((given[key] for key in _COMMAND_KEYS if given.get(key)), None)
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        at = next((at for at, one in enumerate(value) if re.fullmatch(r"-[a-z]*c", one)), None)
        value = value[at + 1] if at is not None and at + 1 < len(value) else " ".join(value)
    if not isinstance(value, str):
        return None
    folder = next((given[key] for key in ("workdir", "cwd") if isinstance(given.get(key), str)), "")
    return f"cd '{folder}' && {value}" if folder and "'" not in folder else value


def _paths(given: object) -> tuple[str, ...]:
    if not isinstance(given, Mapping):
        return ()
    for key in _PATH_KEYS:
        value = given.get(key)
        if isinstance(value, str) and value:
            return (value.removeprefix("./"),)
        if isinstance(value, list) and value:
            return tuple(one.removeprefix("./") for one in value if isinstance(one, str))
    return ()


def _canonical(given: object, raw: str) -> str:
    """Return arguments so that equal values read the same, whatever their order, blanks or notation."""
    if not isinstance(given, Mapping):
        return "".join(raw.split())
    given = {key: value for key, value in given.items() if key not in _PASSING}
    try:
        return json.dumps(_plain(given), sort_keys=True, ensure_ascii=False)
    except (ValueError, RecursionError):
        return "".join(raw.split())


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value
