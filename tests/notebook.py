"""A small grammar of nobody's: an agent that frames its summaries as pages of a notebook."""

import re
from collections.abc import Sequence

from hermes_sessions.handoff.grammars.grammar import HandoffSpan
from hermes_sessions.handoff.grammars.plain import PlainGrammar

_PAGE = re.compile(r"\s*<notebook>\n(?P<body>.*?)\n</notebook>\n?\n?", re.DOTALL)


class NotebookGrammar(PlainGrammar):
    """`<notebook>` at the beginning, `</notebook>` at the end, and what was said after it."""

    name = "notebook"

    def spans(self, text: str) -> Sequence[HandoffSpan]:
        """Return the page that *text* begins with."""
        found = _PAGE.match(text)
        return [] if found is None else [HandoffSpan(found.start(), *found.span("body"), found.end())]

    def frame(self, body: str) -> str | None:
        """Return *body* as a page; one that closes the page by itself cannot be written."""
        return None if "</notebook>" in body else f"<notebook>\n{body}\n</notebook>"


GRAMMAR = NotebookGrammar()
