"""Source text to HTML with Pygments' classes, within a bound of time.

Many lexers have expressions that begin anew at every place of a text made for them. So only languages are
coloured whose lexers were tried on such texts, and no text with very long lines is; where the colours of a
text cost too much, they end.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Self

from markupsafe import escape
from pygments import format
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_all_lexers, get_lexer_by_name
from pygments.token import Text

MAX_CHARS: Final = 64_000
MAX_LINE_CHARS: Final = 1_000
SECONDS_AT_LEAST: Final = 0.1
SECONDS_PER_CHAR: Final = 8e-6
"""Of the processor. Ordinary code takes a quarter."""
LANGUAGES: Final = frozenset({
    "bash", "c", "cpp", "csharp", "css", "dart", "diff", "docker", "elixir", "go", "graphql",
    "haskell", "hcl", "html", "http", "ini", "java", "javascript", "json", "kotlin", "lua", "make",
    "markdown", "nginx", "nix", "perl", "php", "powershell", "protobuf", "python", "pycon", "pytb",
    "r", "ruby", "rust", "scala", "scss", "sql", "swift", "terraform", "toml", "tsx", "typescript",
    "vim", "vue", "xml", "yaml", "zig",
})  # fmt: skip

_TOKENS_BETWEEN_LOOKS = 16
_FORMATTER: HtmlFormatter[str] = HtmlFormatter(nowrap=True, classprefix="hl-")


@dataclass(slots=True)
class Allowance:
    """The seconds of the processor that colours may still cost."""

    seconds: float

    @classmethod
    def of(cls, chars: int) -> Self:
        """Return what a text of this length may cost, all pieces of code in it together."""
        return cls(SECONDS_AT_LEAST + SECONDS_PER_CHAR * chars)


def highlight_code(code: str, language: str, allowance: Allowance | None = None) -> str:
    """Return *code* escaped, with Pygments' classes where the language is known and the code not too much.

    Args:
        allowance: of the text that the code stands in; what is used is taken from it. None: its own.
    """
    name = _languages().get(language)
    allowance = allowance or Allowance.of(len(code))
    if name is None or len(code) > MAX_CHARS or allowance.seconds <= 0:
        return str(escape(code))
    code = code.replace("\r\n", "\n").replace("\r", "\n")
    if any(len(line) > MAX_LINE_CHARS for line in code.split("\n")):
        return str(escape(code))
    # A last line without an end is none to many lexers.
    html = format(_in_time(get_lexer_by_name(name), f"{code}\n", allowance), _FORMATTER)
    return html.removesuffix("\n")


@lru_cache(maxsize=1)
def _languages() -> dict[str, str]:
    """Return the name of a lexer that was tried, by each name a fence may give."""
    return {
        alias: names[0]
        for _, names, _, _ in get_all_lexers(plugins=False)
        if not LANGUAGES.isdisjoint(names)
        for alias in names
    }


def _in_time(lexer: Lexer, code: str, allowance: Allowance) -> Iterator[tuple[Any, str]]:
    """Yield the tokens of *code*; what is left when the time is up is one of plain text."""
    began = time.thread_time()
    deadline = began + allowance.seconds
    done = 0
    for count, (_, kind, text) in enumerate(lexer.get_tokens_unprocessed(code), start=1):
        yield kind, text
        done += len(text)
        if count % _TOKENS_BETWEEN_LOOKS == 0 and time.thread_time() > deadline:
            yield Text, code[done:]
            break
    allowance.seconds -= time.thread_time() - began
