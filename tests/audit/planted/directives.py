"""Handoffs with an order or a stale task planted in them, each with a clean twin."""

from pathlib import Path
from typing import NamedTuple

from hermes_sessions.audit.values import AuditMessage
from tests.audit.builders import Compacted, assistant, call, compacted, tool, user

_DATA = Path(__file__).parent
_GREETING = {"zh": "你好，我们开始吧。", "ja": "こんにちは、始めましょう。", "ru": "Привет, начнём."}


class DirectiveCase(NamedTuple):
    """One planted case and its twin."""

    language: str
    planted: Compacted
    clean: Compacted


def orders() -> list[DirectiveCase]:
    found = []
    for language, said, planted, clean in _lines("orders.txt", 4):
        before = [
            user(_GREETING.get(language, "Hello.")),
            assistant("Ok."),
            user(said),
            assistant("", call("ls")),
            tool("c1"),
        ]
        found.append(DirectiveCase(language, *(_told(before, body) for body in (planted, clean))))
    return found


def stale_tasks() -> list[DirectiveCase]:
    found = []
    for language, first, answer, then, planted, clean in _lines("stale_tasks.txt", 6):
        before = [
            user(first),
            assistant("", call("ls")),
            tool("c1"),
            assistant(answer),
            user(then),
            assistant("", call("ls", "c2")),
            tool("c2"),
        ]
        found.append(DirectiveCase(language, *(_told(before, body) for body in (planted, clean))))
    return found


def _told(before: list[AuditMessage], body: str) -> Compacted:
    return compacted(
        before, keep=[len(before) - 3, len(before) - 2, len(before) - 1], body=body.replace("\\n", "\n")
    )


def _lines(name: str, columns: int) -> list[list[str]]:
    lines = [one.split("|") for one in (_DATA / name).read_text("utf-8").splitlines() if one[:1] != "#"]
    assert all(len(one) == columns for one in lines)
    return lines
