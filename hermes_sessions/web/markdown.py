"""Stored text to safe HTML: Markdown, plain text with code fences, highlighted code.

HTML in the text is never interpreted, and what was rendered is sanitised afterwards
all the same. Images become links, so that no page ever asks a third party for anything.
"""

import hashlib
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup, escape
from mdit_py_plugins.tasklists import tasklists_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

MAX_MARKDOWN: Final = 256_000
"""Longer texts are shown as they are."""
MAX_HIGHLIGHT: Final = 64_000
MAX_NESTING: Final = 100
CACHE_BYTES: Final = 64_000_000

_FORMATTER: HtmlFormatter[str] = HtmlFormatter(nowrap=True, classprefix="hl-")

_CLEANER = nh3.Cleaner(
    tags={
        "a", "blockquote", "br", "code", "del", "div", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
        "input", "li", "ol", "p", "pre", "s", "span", "strong", "table", "tbody", "td", "th", "thead",
        "tr", "ul",
    },
    attributes={
        "a": {"href", "title", "class"},
        "code": {"class"},
        "div": {"class", "tabindex", "role", "aria-label"},
        "input": {"checked", "disabled"},
        "li": {"class"},
        "ol": {"start"},
        "pre": {"class", "tabindex"},
        "span": {"class"},
        "td": {"class"},
        "th": {"class"},
        "ul": {"class"},
    },
    tag_attribute_values={"input": {"type": {"checkbox"}}},
    url_schemes={"http", "https", "mailto"},
    link_rel="noopener noreferrer nofollow",
    set_tag_attribute_values={"a": {"target": "_blank"}},
    strip_comments=True,
)  # fmt: skip


class HtmlCache:
    """The most recently used HTML by content, up to a number of bytes; safe for threads."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._used = 0
        self._lock = threading.Lock()
        self._entries: OrderedDict[bytes, str] = OrderedDict()

    def get(self, kind: str, text: str, render: Callable[[str], str]) -> str:
        """Return the HTML of *text*, rendering it when it is not here."""
        key = hashlib.sha256(f"{kind}\0{text}".encode("utf-8", "surrogatepass")).digest()
        with self._lock:
            known = self._entries.get(key)
            if known is not None:
                self._entries.move_to_end(key)
                return known
        html = render(text)
        with self._lock:
            if key not in self._entries:
                self._entries[key] = html
                self._used += len(html)
            while self._used > self._size and self._entries:
                self._used -= len(self._entries.popitem(last=False)[1])
        return html


_cache = HtmlCache(CACHE_BYTES)


def render_markdown(text: str) -> Markup:
    """Return *text*, Markdown as models write it, as safe HTML."""
    return Markup(_cache.get("markdown", text, _markdown))


def render_plain(text: str) -> Markup:
    """Return *text* as people type it: only code fences mean anything."""
    return Markup(_cache.get("plain", text, _plain))


def render_code(text: str, language: str) -> Markup:
    """Return *text* highlighted, for use inside `<pre><code>`."""
    return Markup(_cache.get(f"code {language}", text, lambda code: _highlight(code, language)))


def _markdown(text: str) -> str:
    return _rendered(_MARKDOWN, text)


def _plain(text: str) -> str:
    return _rendered(_PLAIN, text)


def _rendered(parser: MarkdownIt, text: str) -> str:
    """Parse, check that nothing was nested too deep to be kept, render, sanitise."""
    if len(text) > MAX_MARKDOWN:
        return _raw(text)
    safe = text.encode("utf-8", "replace").decode("utf-8")
    tokens = parser.parse(safe)
    # The parser silently drops what is nested deeper than its bound.
    if any(token.level >= MAX_NESTING - 2 for token in tokens):
        return _raw(safe)
    html = _CLEANER.clean(parser.renderer.render(tokens, parser.options, {}))
    # What is left of inputs is ours; a text cannot hold an unescaped one.
    return html.replace("<input ", '<input aria-label="task" ')


def _raw(text: str) -> str:
    return f'<pre class="raw">{escape(text)}</pre>'


def _highlight(code: str, language: str) -> str:
    """Return *code* escaped, with Pygments' classes where the language is known."""
    if len(code) > MAX_HIGHLIGHT or not language:
        return str(escape(code))
    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return str(escape(code))
    return highlight(code, lexer, _FORMATTER)


def _code_block(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    token = tokens[index]
    language = token.info.strip().split(maxsplit=1)[0].lower() if token.info.strip() else ""
    body = _highlight(token.content, language)
    label = f'<span class="code-language">{escape(language)}</span>' if language else ""
    # Focusable, because a wide block scrolls sideways and keys must reach it.
    return f'<div class="code-block">{label}<pre class="code" tabindex="0"><code>{body}</code></pre></div>\n'


def _image_as_link(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    token = tokens[index]
    source = str(token.attrs.get("src", ""))
    label = token.content or source
    return f'<a class="image-link" href="{escape(source)}">{escape(f"image: {label}")}</a>'


def _open_table(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    return '<div class="table-scroll" tabindex="0" role="region" aria-label="table"><table>\n'


def _close_table(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    return "</table></div>\n"


def _with_rules(parser: MarkdownIt) -> MarkdownIt:
    parser.add_render_rule("fence", _code_block)
    parser.add_render_rule("code_block", _code_block)
    parser.add_render_rule("image", _image_as_link)
    parser.add_render_rule("table_open", _open_table)
    parser.add_render_rule("table_close", _close_table)
    return parser


# -- formulas: left as they were written -----------------------------------------------------------

MAX_FORMULA_LINES: Final = 60
_FORMULA = re.compile(
    r"\$\$[^$`]{1,2000}\$\$"
    # A price is no formula: what opens one touches it, so does what closes it, and no digit follows.
    r"|\$(?=\S)[^$`\n]{1,400}(?<=\S)\$(?!\d)"
    # Escaped brackets are one only around what formulas have.
    r"|\\\((?=[^\n]{0,400}?[\\^_={}][^\n]{0,400}?\\\))[^\n]{1,800}?\\\)"
    r"|\\\[(?=[^$`]{0,400}?[\\^_={}][^$`]{0,400}?\\\])[^$`]{1,800}?\\\]"
)
_OPENERS = {"$$": "$$", "\\[": "\\]"}


def _formula(state: StateInline, silent: bool) -> bool:
    """Keep a formula in a line as it is: neither emphasis nor escapes mean anything in it."""
    if state.src[state.pos] not in "$\\":
        return False
    found = _FORMULA.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        state.push("formula", "", 0).content = found[0]
    state.pos = found.end()
    return True


def _formula_block(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """Keep lines between `$$` and `$$`, or `\\[` and `\\]`, each on a line of its own."""
    if state.is_code_block(first):
        return False
    opener = state.src[state.bMarks[first] + state.tShift[first] : state.eMarks[first]].strip()
    if opener not in _OPENERS:
        return False
    for line in range(first + 1, min(end, first + MAX_FORMULA_LINES)):
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


def _with_formulas(parser: MarkdownIt) -> None:
    parser.inline.ruler.before("escape", "formula", _formula)
    interrupts: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    parser.block.ruler.before("fence", "formula_block", _formula_block, interrupts)
    parser.add_render_rule("formula", _open_formula)
    parser.add_render_rule("formula_block", _open_formula_block)


_OPTIONS = {"html": False, "linkify": False, "typographer": False, "maxNesting": MAX_NESTING}
_MARKDOWN = _with_rules(
    MarkdownIt("commonmark", _OPTIONS)
    .enable(["table", "strikethrough"])
    .disable(["html_block", "html_inline"])
    .use(tasklists_plugin)
    .use(_with_formulas)
)
_PLAIN = _with_rules(MarkdownIt("zero", _OPTIONS).enable(["fence", "backticks"]))
