"""Stored text to safe HTML: Markdown, plain text with code fences, highlighted code.

HTML in the text is never interpreted, and what was rendered is sanitised afterwards
all the same. Images become links, so that no page ever asks a third party for anything.
The time grows with the length of a text, whatever it says: one that takes more is shown as it is.
"""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup, escape

from hermes_sessions.web.text.bounded_markdown import TooMuchWorkError, new_parser, parse
from hermes_sessions.web.text.formulas import with_formulas
from hermes_sessions.web.text.highlighting import Allowance, highlight_code
from hermes_sessions.web.text.task_lists import with_tasks

MAX_MARKDOWN: Final = 256_000
"""Longer texts are shown as they are."""
MAX_NESTING: Final = 100
CACHE_BYTES: Final = 64_000_000
PAGE_HEADINGS: Final = 3
"""Levels of headings that pages use themselves, above those of a stored text."""

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
    return Markup(_cache.get("markdown", text, markdown_html))


def render_plain(text: str) -> Markup:
    """Return *text* as people type it: only code fences mean anything."""
    return Markup(_cache.get("plain", text, plain_html))


def render_code(text: str, language: str) -> Markup:
    """Return *text* highlighted, for use inside `<pre><code>`."""
    return Markup(_cache.get(f"code {language}", text, lambda code: highlight_code(code, language)))


def markdown_html(text: str) -> str:
    """Return the HTML of Markdown, rendered anew."""
    return _rendered(_MARKDOWN, text)


def plain_html(text: str) -> str:
    """Return the HTML of typed text, rendered anew."""
    return _rendered(_PLAIN, text)


def _rendered(parser: MarkdownIt, text: str) -> str:
    """Parse, check that nothing was nested too deep to be kept, render, sanitise."""
    if len(text) > MAX_MARKDOWN:
        return _raw(text)
    safe = text.encode("utf-8", "replace").decode("utf-8")
    try:
        tokens = parse(parser, safe)
    except TooMuchWorkError:
        return _raw(safe)
    # The parser silently drops what is nested deeper than its bound.
    if any(token.level >= MAX_NESTING - 2 for token in tokens):
        return _raw(safe)
    _lower_headings(tokens)
    html = _CLEANER.clean(
        parser.renderer.render(tokens, parser.options, {"colours": Allowance.of(len(safe))})
    )
    # What is left of inputs is ours; a text cannot hold an unescaped one.
    return html.replace("<input ", '<input aria-label="task" ')


def _raw(text: str) -> str:
    return f'<pre class="raw">{escape(text)}</pre>'


def _code_block(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    token = tokens[index]
    language = token.info.strip().split(maxsplit=1)[0].lower() if token.info.strip() else ""
    body = highlight_code(token.content, language, env["colours"])
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


def _lower_headings(tokens: Sequence[Token]) -> None:
    """Put a text's headings below those of the page: its title, its compactions, its messages."""
    headings = [token for token in tokens if token.type in ("heading_open", "heading_close")]
    levels = sorted({token.tag for token in headings})
    for token in headings:
        token.tag = f"h{min(6, PAGE_HEADINGS + 1 + levels.index(token.tag))}"


def _with_rules(parser: MarkdownIt) -> MarkdownIt:
    parser.add_render_rule("fence", _code_block)
    parser.add_render_rule("code_block", _code_block)
    parser.add_render_rule("image", _image_as_link)
    parser.add_render_rule("table_open", _open_table)
    parser.add_render_rule("table_close", _close_table)
    return parser


_OPTIONS = {"html": False, "linkify": False, "typographer": False, "maxNesting": MAX_NESTING}
_MARKDOWN = _with_rules(
    new_parser("commonmark", _OPTIONS)
    .enable(["table", "strikethrough"])
    .disable(["html_block", "html_inline"])
    .use(with_tasks)
    .use(with_formulas)
)
_PLAIN = _with_rules(new_parser("zero", _OPTIONS).enable(["fence", "backticks"]))
