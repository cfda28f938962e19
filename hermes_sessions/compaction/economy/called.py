"""What a call or its output tells besides: files that a command changed, where an error was met. Pure."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from hermes_sessions.facts.effects.command_lines import read_command
from hermes_sessions.facts.effects.values import Effect
from hermes_sessions.facts.values import Fact, FactKind, weigh
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_COMMAND_KEYS: Final = ("command", "cmd", "script")
_WRITING: Final = (" -i", "mv ", "cp ", ">", "tee ", "touch ", "rm ", "ln ", "patch ", "truncate ", "sponge ")
"""What a command line holds that writes a file: to take one apart takes long."""
_MOST: Final = 12
_PASSING_PLACES: Final = ("/tmp/", "/dev/", "/proc/", "/var/tmp/")
_FILE: Final = late_pattern(r"[\w@%+~./-]{1,240}")
_NAMED: Final = late_pattern(r"/[^/]*\w|\.\w{1,8}$")
_FRAME: Final = late_pattern(
    r"File \"(?P<file>[^\"\n]{1,200})\", line (?P<line>\d{1,7})(?:, in (?P<name>[\w.<>]{1,60}))?"
)
_NEXT_FRAME: Final = late_pattern(
    r"\n[ \t]{1,8}at (?:(?P<name>[\w.$<>]{1,80}) ?\()?(?P<file>[^\s():]{1,200})"
    r":(?P<line>\d{1,7})(?::\d{1,5})?\)?"
)
_NEAR_CHARS: Final = 400
_NEAR_LINES: Final = 3


def changed_by_commands(calls: Sequence[Mapping[str, Any]]) -> Iterator[Fact]:
    """Yield the files that the command lines of *calls* write or move."""
    found: dict[str, None] = {}
    for call in calls:
        arguments = str(call["function"]["arguments"])
        if not any(word in arguments for word in _WRITING):
            continue
        for command in _commands(arguments):
            for step in read_command(command):
                moved = step.words[2:] if step.words[:2] in (("git", "mv"), ("git", "rm")) else ()
                changed = step.changed if step.effect in (Effect.WRITES, Effect.DELETES) else ()
                found |= dict.fromkeys(path for path in (*changed, *moved) if _is_file(path))
    for path in list(found)[:_MOST]:
        weight = weigh(FactKind.FILE_CHANGED, Role.ASSISTANT)
        yield Fact(FactKind.FILE_CHANGED, "", path, path, Role.ASSISTANT.value, weight, (0, len(path)))


def _commands(arguments: str) -> Iterator[str]:
    try:
        given = json.loads(arguments)
    except (ValueError, RecursionError):
        return
    for key in _COMMAND_KEYS if isinstance(given, dict) else ():
        command = given.get(key)
        if isinstance(command, str):
            yield command
        elif isinstance(command, list) and command and all(isinstance(part, str) for part in command):
            yield command[-1] if len(command) > 1 and command[-2] in ("-c", "-lc") else " ".join(command)


def _is_file(path: str) -> bool:
    """Whether it is the path of a file that lasts, not an option, a pattern or a scratch file."""
    passing = path.startswith(("-", *_PASSING_PLACES))
    return not passing and _FILE.fullmatch(path) is not None and _NAMED.search(path) is not None


def with_places(facts: Sequence[Fact], text: str) -> Iterator[Fact]:
    """Yield *facts*, errors with the place in the code that the frame beside them names."""
    for fact in facts:
        place = _place_of(text, *fact.span) if fact.kind == FactKind.ERROR else ""
        if place and place.partition(":")[0].rpartition("/")[2] not in fact.text:
            fact = fact._replace(text=f"{fact.value} ({place})")
        yield fact


def _place_of(text: str, start: int, end: int) -> str:
    before = text[max(0, start - _NEAR_CHARS) : start]
    frames = list(_FRAME.finditer(before))
    if frames and before.count("\n", frames[-1].end()) <= _NEAR_LINES:
        return _shown(frames[-1])
    after = _NEXT_FRAME.match(text[end : end + _NEAR_CHARS].lstrip(".!"))
    return _shown(after) if after else ""


def _shown(frame: re.Match[str]) -> str:
    name = frame["name"]
    return f"{frame['file']}:{frame['line']}{f', {name}' if name else ''}"
