"""Rules that stand alone in a tool's output: a sentence among rows, code or log lines."""

import re
from collections.abc import Iterator
from typing import Final

from hermes_sessions.facts.extract import extract_text_facts
from hermes_sessions.facts.unwrap import Form, Unwrapped
from hermes_sessions.facts.values import Fact, FactKind
from hermes_sessions.messages import Role

_MOST: Final = 4
"""A text with more sentences is documentation, whose rules are not about the work in hand."""

_SENTENCE = re.compile(r"[^\W\d_](?:[^\n{}();=<>|\\]|(?<!\w)\(|\)){14,300}[.!。！]")
"""Prose, parentheses but no calls in it."""

_WORDS: Final = 4


def standing_rules(unwrapped: Unwrapped) -> Iterator[Fact]:
    """Yield the rules among the few lines of prose in what a tool put out."""
    for piece in unwrapped.pieces:
        if piece.form is not Form.DATA:
            continue
        lines = [line.strip() for line in piece.text.split("\n")]
        prose = dict.fromkeys(line for line in lines if _is_sentence(line))
        if len(prose) <= _MOST and len(prose) < len(lines):
            for line in prose:
                found = extract_text_facts(line, Role.TOOL)
                yield from (fact for fact in found if fact.kind == FactKind.CONSTRAINT)


def _is_sentence(line: str) -> bool:
    if _SENTENCE.fullmatch(line) is None:
        return False
    return not line.isascii() or len(line.split()) >= _WORDS
