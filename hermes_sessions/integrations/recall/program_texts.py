"""The texts for other programs: their configuration, and a skill for the agent in them."""

import json
import shlex
from collections.abc import Sequence
from importlib import resources
from string import Template
from typing import Final

_FOLDER: Final = "hermes_sessions.integrations.recall.programs"
_SUFFIX: Final = ".config.txt"
_SKILL: Final = "skill.md"


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
        program=json.dumps(command[0], ensure_ascii=False),
        arguments=json.dumps(command[1:], ensure_ascii=False),
        command=json.dumps(list(command), ensure_ascii=False),
    )


def read_skill() -> str:
    """Return what an agent should know about recall, for its instructions or as a skill."""
    return _read(_SKILL)


def read_instructions() -> str:
    """Return the skill without what its file says about itself."""
    return read_skill().split("---\n", 2)[2]


def _read(name: str) -> str:
    return resources.files(_FOLDER).joinpath(name).read_text("utf-8")
