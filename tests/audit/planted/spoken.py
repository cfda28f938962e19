"""Rules as users say them, sentences that only look like rules, and rules that a summary keeps or loses."""

from pathlib import Path
from typing import NamedTuple

from hermes_sessions.facts.constraints import extract_rules
from hermes_sessions.messages import Severity
from tests.audit.builders import Compacted, assistant, compacted, hits, user

_DATA = Path(__file__).parent


class SaidAgain(NamedTuple):
    """A rule, the same in other words, and a sentence near it that does not say it."""

    language: str
    rule: str
    reworded: str
    lost: str


def spoken_rules() -> list[tuple[str, ...]]:
    """Return language and text of each rule."""
    return _lines("spoken_rules.txt", 2)


def near_misses() -> list[tuple[str, ...]]:
    """Return language, speaker and text of each sentence that is no rule."""
    return _lines("near_misses.txt", 3)


def said_again() -> list[SaidAgain]:
    return [SaidAgain(*one) for one in _lines("said_again.txt", 4)]


def is_read(text: str, speaker: str = "user") -> bool:
    """Return whether a rule is found that is at least half of *text*."""
    found = extract_rules({"role": speaker, "content": text})
    return any(len(one.value) >= len(text) / 2 for one in found)


def told(rule: str, line: str) -> Compacted:
    """Return a conversation that a rule was said in, and a summary with *line*."""
    talk = (user("Hello."), assistant("Hello."), user(rule), assistant("Ok."), user("Thanks, go on."))
    return compacted(talk, keep=[4], body=f"- The conversation began with a greeting.\n- {line}")


def is_accused(rule: str, line: str) -> bool:
    return any(one.severity is not Severity.INFO for one in hits(told(rule, line), "rule-lost"))


def _lines(name: str, columns: int) -> list[tuple[str, ...]]:
    lines = [
        tuple(one.split("|")) for one in (_DATA / name).read_text("utf-8").splitlines() if one[:1] != "#"
    ]
    assert all(len(one) == columns for one in lines)
    return lines
