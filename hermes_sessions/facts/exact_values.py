"""Of the facts of a tool's output, those that somebody types into a search to the letter.

The rules are those of `extract`, a few of them: an index of every message cannot wait for
all. What a value is the value of, and whether it is speech, is left out.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from hermes_sessions.facts.kinds.addresses import address_marks
from hermes_sessions.facts.kinds.code import code_marks
from hermes_sessions.facts.kinds.failures import failure_marks
from hermes_sessions.facts.kinds.numbered import numbered_marks
from hermes_sessions.facts.kinds.tokens import token_marks
from hermes_sessions.facts.page import Mark, TextPage, make_page
from hermes_sessions.facts.unwrap import Form, TextPiece
from hermes_sessions.facts.values import MAX_FACT_CHARS
from hermes_sessions.facts.wrapping import plain_text
from hermes_sessions.messages import Role

_RULES: Final[tuple[Callable[[TextPage], Iterable[Mark]], ...]] = (
    failure_marks,
    address_marks,
    token_marks,
    numbered_marks,
    code_marks,
)


def exact_values(text: str) -> Iterator[str]:
    """Yield errors, URLs, addresses, paths, ids, hashes, hosts, versions and names that code defines, each once.

    Errors come first, as whole lines. Whatever the text looks like, it is read as plain
    output: in code, too, a name with an ending is a path.
    """
    page = make_page(TextPiece(plain_text(text, numbered=False), 0, Form.DATA, Role.TOOL), looks="")
    seen: set[str] = set()
    for rule in _RULES:
        for mark in rule(page):
            value = page.text[mark.start : min(mark.end, mark.start + MAX_FACT_CHARS)]
            if value and value not in seen:
                seen.add(value)
                yield value
