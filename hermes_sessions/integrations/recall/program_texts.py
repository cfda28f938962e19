"""The texts for other programs: their configuration, and a skill for the agent in them."""

import json
import shlex
from collections.abc import Sequence
from importlib import resources
from string import Template
from typing import Final

from hermes_sessions.late_patterns import late_pattern

_FOLDER: Final = "hermes_sessions.integrations.recall.programs"
_SUFFIX: Final = ".config.txt"
_SKILL: Final = "skill.md"
_NOT_PLAIN: Final = late_pattern("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
"""What TOML or YAML refuse between quotes, or take for the end of a line, though JSON does not."""


def list_programs() -> list[str]:
    """Return the programs whose configuration is known, in alphabetical order."""
    names = (one.name for one in resources.files(_FOLDER).iterdir())
    return sorted(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX))


def render_config(program: str, command: Sequence[str]) -> str:
    """Return what to put into a program's configuration, or to run, so that it starts *command*.

    Args:
        program: one of `list_programs()`.
        command: the program of the server and its arguments.
    """
    template = Template(_read(f"{program}{_SUFFIX}"))
    return template.substitute(
        shell=shlex.join(command),
        program=_quoted(command[0]),
        arguments=_quoted(list(command[1:])),
        command=_quoted(list(command)),
    )


def read_skill() -> str:
    """Return what an agent should know about recall, for its instructions or as a skill."""
    return _read(_SKILL)


def read_instructions() -> str:
    """Return the skill without what its file says about itself."""
    return read_skill().split("---\n", 2)[2]


def _quoted(value: str | list[str]) -> str:
    """Return *value* in what JSON, TOML and YAML have in common."""
    text = json.dumps(value, ensure_ascii=False)
    return _NOT_PLAIN.sub(lambda one: f"\\u{ord(one[0]):04x}", text)


def _read(name: str) -> str:
    return resources.files(_FOLDER).joinpath(name).read_text("utf-8")
