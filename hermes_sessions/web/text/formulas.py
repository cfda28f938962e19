"""Formulas in Markdown: kept as they were written, as neither emphasis nor escapes mean anything in them."""

from collections.abc import Sequence
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import escape

from hermes_sessions.late_patterns import late_pattern

MAX_LINES: Final = 60
MAX_CHARS: Final = 800
_DOLLARS = late_pattern(
    r"\$\$[^$`]{1,2000}\$\$"
    # A price is no formula: what opens one touches it, so does what closes it, and no digit follows.
    r"|\$(?=\S)[^$`\n]{1,400}(?<=\S)\$(?!\d)"
)
_SIGNS = late_pattern(r"[\\^_={}]")
"""Escaped brackets are a formula only around what formulas have."""
_CLOSERS = {"\\(": ("\\)", "\n"), "\\[": ("\\]", "$`")}
"""What closes one, and what cannot stand in it."""
_OPENERS = {"$$": "$$", "\\[": "\\]"}


def with_formulas(parser: MarkdownIt) -> None:
    """Let *parser* keep formulas."""
    parser.inline.ruler.before("escape", "formula", _formula)
    interrupts: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    parser.block.ruler.before("fence", "formula_block", _formula_block, interrupts)
    parser.add_render_rule("formula", _open_formula)
    parser.add_render_rule("formula_block", _open_formula_block)


def _formula(state: StateInline, silent: bool) -> bool:
    """Keep a formula in a line."""
    end = _end_of(state)
    if end is None:
        return False
    if not silent:
        state.push("formula", "", 0).content = state.src[state.pos : end]
    state.pos = end
    return True


def _end_of(state: StateInline) -> int | None:
    """Return where the formula ends that begins here, or None."""
    first = state.src[state.pos]
    if first == "$":
        found = _DOLLARS.match(state.src, state.pos, state.posMax)
        return found.end() if found else None
    if first != "\\":
        return None
    opener = state.src[state.pos : state.pos + 2]
    if opener not in _CLOSERS:
        return None
    closer, barred = _CLOSERS[opener]
    begin = state.pos + 2
    end = state.src.find(closer, begin + 1, min(state.posMax, begin + MAX_CHARS + 2))
    inside = state.src[begin:end] if end >= 0 else ""
    if not _SIGNS.search(inside) or any(sign in inside for sign in barred):
        return None
    return end + 2


def _formula_block(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """Keep lines between `$$` and `$$`, or `\\[` and `\\]`, each on a line of its own."""
    if state.is_code_block(first):
        return False
    opener = state.src[state.bMarks[first] + state.tShift[first] : state.eMarks[first]].strip()
    if opener not in _OPENERS:
        return False
    for line in range(first + 1, min(end, first + MAX_LINES)):
        if state.src[state.bMarks[line] : state.eMarks[line]].strip() == _OPENERS[opener]:
            if not silent:
                token = state.push("formula_block", "", 0)
                token.content = state.getLines(first, line + 1, state.blkIndent, False)
                state.line = line + 1
            return True
    return False


def _open_formula(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    return f'<span class="math">{escape(tokens[index].content)}</span>'


def _open_formula_block(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    return f'<div class="math">{escape(tokens[index].content)}</div>\n'
