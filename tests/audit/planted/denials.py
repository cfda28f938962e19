"""Denials, limits and counts of none that a summary keeps in other words, and denials that it turns round."""

from pathlib import Path
from typing import NamedTuple

from hermes_sessions.audit.values import AuditMessage
from tests.audit.builders import assistant, user

_DATA = Path(__file__).parent
_SPEAKERS = {"U": user, "A": assistant}


class Denial(NamedTuple):
    """What was said in turns, and a sentence of a summary about it."""

    language: str
    said: tuple[AuditMessage, ...]
    summary: str


def read_denials(name: str) -> list[Denial]:
    """Return the cases of `denials_kept.txt` or `denials_lost.txt`."""
    lines = (_DATA / name).read_text("utf-8").splitlines()
    rows = (line.split(" | ") for line in lines if not line.startswith("#"))
    return [Denial(language, tuple(map(_turn, said.split(" // "))), text) for language, said, text in rows]


def _turn(text: str) -> AuditMessage:
    speaker, said = text.split(": ", 1)
    return _SPEAKERS[speaker](said)
