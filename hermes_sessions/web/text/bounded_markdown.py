"""A Markdown parser that takes a bounded amount of work for any text.

Some rules of Markdown look for their end from every place where they could begin, so that a few
thousand brackets cost minutes. Each look at a character is counted here; a text that takes more of them
than its length allows is given up, and whoever asked shows it as it is. Ordinary prose takes less than
one look a character.
"""

import re
from dataclasses import dataclass
from typing import Any, Final, SupportsIndex, cast

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_block import StateBlock, table
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType

from hermes_sessions.late_patterns import late_pattern

LOOKS_PER_CHAR: Final = 5
LOOKS_AT_LEAST: Final = 30_000
MAX_PARSES_INSIDE: Final = 10
"""What an image's label holds is parsed by itself, and so on inward."""
_LOOKS_PER_TOKEN: Final = 2
_LOOKS_PER_PARSE: Final = 4
"""What parsing a paragraph or a cell costs, however short it is."""
_LOOKS_PER_ADDED_CELL: Final = 20
_TWO_COLUMNS: Final = 2
"""Bars in the heading of a table that can leave a cell out."""
_NOT_ASCII_URL: Final = 8_000
"""Longer ones take the square of their length to be written in ASCII."""
_DELIMITERS: Final = late_pattern(r"[ \t|:-]+")
_COPIED_PER_LOOK: Final = 4
_ESCAPED: Final = '&<>"'
_ESCAPE_CHARS: Final = 5
"""Copying is quicker than looking: the power of two by which it is."""


class TooMuchWorkError(Exception):
    """The text takes more work than its length allows."""


@dataclass(slots=True)
class ParsingWork:
    """What is left of the looks that one text may cost, and how deep parses stand in each other."""

    left: int
    depth: int = 0


class CountedText(str):
    """A text that counts how often its characters are looked at."""

    __slots__ = ("work",)
    work: ParsingWork

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        """Return a character or a slice, as long as there is work left.

        Raises:
            TooMuchWorkError: there is none left.
        """
        found = str.__getitem__(self, key)
        work = self.work
        work.left -= 1 + (len(found) >> _COPIED_PER_LOOK)
        if work.left < 0:
            raise TooMuchWorkError
        return found


def parse(parser: MarkdownIt, text: str) -> list[Token]:
    """Return the tokens of *text*.

    Args:
        parser: made by `new_parser`.

    Raises:
        TooMuchWorkError: the text takes more work than its length allows.
    """
    return parser.parse(text, {"work": ParsingWork(LOOKS_AT_LEAST + LOOKS_PER_CHAR * len(text))})


def new_parser(preset: str, options: dict[str, Any]) -> MarkdownIt:
    """Return a parser with a preset's rules that counts its work."""
    parser = _BoundedMarkdown("zero")
    parser.inline = _CountedInline()
    # Only where something can begin or end; a line of dashes is text.
    parser.inline.terminator_re = re.compile(r"[\n!$&*<\[\]\\_`~]")
    parser.configure(preset, options)
    parser.core.ruler.after("normalize", "count", _count)
    parser.block.ruler.at("table", _counted_table, {"alt": ["paragraph", "reference"]})
    return parser


def _counted_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse a table, unless its rows leave out too many cells: they are made nevertheless."""
    if not silent:
        work = cast(ParsingWork, state.env["work"])
        work.left -= _LOOKS_PER_ADDED_CELL * _added_cells(state, start, end)
        if work.left < 0:
            raise TooMuchWorkError
    return table(state, start, end, silent)


def _added_cells(state: StateBlock, start: int, end: int) -> int:
    """Return about how many cells the rows of a table that begins at a line leave out; each look counts."""
    if start + 2 >= end or not _DELIMITERS.fullmatch(_line(state, start + 1)):
        return 0
    columns = _line(state, start).count("|")
    if columns < _TWO_COLUMNS:
        return 0
    work = cast(ParsingWork, state.env["work"])
    added = 0
    for number in range(start + 2, end):
        row = _line(state, number)
        work.left -= 1
        if not row.strip() or work.left < 0:
            break
        added += max(0, columns - 1 - row.count("|"))
    return added


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] : state.eMarks[number]]


def _counted(text: str, env: EnvType) -> CountedText:
    counted = CountedText(text)
    counted.work = cast(ParsingWork, env["work"])
    return counted


def _count(state: StateCore) -> None:
    state.src = _counted(state.src, state.env)


class _BoundedMarkdown(MarkdownIt):
    """Gives up where an address would take long to write."""

    def normalizeLink(self, url: str) -> str:
        """Return *url* as it is written into a page.

        Raises:
            TooMuchWorkError: it is long, and not in ASCII.
        """
        if len(url) > _NOT_ASCII_URL and not url.isascii():
            raise TooMuchWorkError
        return super().normalizeLink(url)


def _written(token: Token) -> int:
    """Return how long a link's address and title are in HTML: a reference is written again and again."""
    values = (str(value) for value in token.attrs.values())
    return sum(len(value) + _ESCAPE_CHARS * sum(map(value.count, _ESCAPED)) for value in values)


class _CountedInline(ParserInline):
    """Parses the text of a paragraph, a heading, a cell; each look at it is counted."""

    def skipToken(self, state: StateInline) -> None:
        """Go behind what begins at the place of *state*; a place that is known costs as much as two looks."""
        work = cast(ParsingWork, state.env["work"])
        work.left -= _LOOKS_PER_TOKEN
        if work.left < 0:
            raise TooMuchWorkError
        super().skipToken(state)

    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        """Add the tokens of *src* to *tokens*."""
        counted = _counted(src, env)
        counted.work.left -= _LOOKS_PER_PARSE
        counted.work.depth += 1
        if counted.work.depth > MAX_PARSES_INSIDE:
            raise TooMuchWorkError
        found = super().parse(counted, md, env, tokens)
        counted.work.depth -= 1
        counted.work.left -= sum(_written(token) for token in found)
        if counted.work.left < 0:
            raise TooMuchWorkError
        return found
