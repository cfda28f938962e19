"""Four times the text takes about four times the time: in pages, exports, code, diffs, marks, titles."""

from collections.abc import Callable

import pytest

from hermes_sessions.exporters.markdown import render_markdown as export_markdown
from hermes_sessions.exporters.masking import ExportMasker
from hermes_sessions.exporters.readable_entries import Heading, Speech
from hermes_sessions.json_text import pretty_json
from hermes_sessions.store.language.highlight import Highlighter
from hermes_sessions.store.language.query_terms import Term
from hermes_sessions.web.export_page import render_html
from hermes_sessions.web.text.diffs import MAX_LINES, diff_lines
from hermes_sessions.web.text.filters import clean, gist, one_line, terminal
from hermes_sessions.web.text.safe_html import markdown_html, plain_html
from hermes_sessions.web.text.tools import show_arguments
from tests.stopwatch import assert_growth

pytestmark = pytest.mark.slow

CHARS = 2_000
GROWTH = 8.0
"""Of four times the text: linear work grows by 4, quadratic by 16."""
LITTLE = 0.01
"""Seconds in which a quotient says nothing."""
REPEATED = [
    "\\(", "\\[ a", "\\(=", "![", "[", "[\n", "[a](", "[a](b \"", "[[a]]", "![a](b)", "<a:", "`", "``a", "&a",
    "*a_b", "_a*", "***a", "a**b", "~~a", "a  \n", "> ", ">\n", "- ", "- [ ] a\n", "1. a\n", "|a|\n|-|\n",
    "| | |\n", "=\n", "---\n", "- - -\n", "---\n===\n", "|a|b|\n|-|\n", "a|b\n-|-\n",
    "$a", "$$a", "\n$$\n", "\\[\n", "```\n", "```zz\n```\n",
    "[a]: b\n", "[a]: b 'c\n", "\t", "\\",
]  # fmt: skip
NESTED = [("![", "](b)"), ("[", "]"), ("[x]: y\n\n" + "[", "]"), ("*", '."*'), ("[a](", ")")]
HEADING = Heading(
    id="a", title="t", preview=None, source="cli", model="m", started_at=None, last_active_at=None,
    messages=1, sessions=1, compactions=0,
)  # fmt: skip


def assert_linear(work: Callable[[str], object], text: Callable[[int], str], chars: int = CHARS) -> None:
    small, large = text(chars), text(4 * chars)
    assert_growth(lambda: work(small), lambda: work(large), GROWTH, little=LITTLE)


def repeat(pattern: str) -> Callable[[int], str]:
    return lambda chars: pattern * (chars // len(pattern))


def as_page(text: str) -> str:
    speech = Speech(key=1, role="assistant", at=None, text=text)
    return "".join(render_html(HEADING, [speech], ExportMasker(), now=0.0))


def as_markdown(text: str) -> str:
    speech = Speech(key=1, role="assistant", at=None, text=text)
    return "".join(export_markdown(HEADING, [speech], ExportMasker()))


def test_cells_that_rows_leave_out_cost_nothing() -> None:
    """A row of one cell is filled up to as many as the heading has: 4 kB of text made 660 kB of HTML."""
    wide = f"{'|a' * 1000}|\n{'|-' * 1000}|\n" + "|a|\n" * 64
    assert markdown_html(wide).startswith("<pre")
    usual = "| name | port |\n|---|---|\n| gateway |\n" + "| store | 5432 |\n" * 500
    assert markdown_html(usual).count("<td") == 1002


@pytest.mark.parametrize(
    "defined", ["/u '" + "t" * 5_000 + "'", "/u '" + "&" * 8_000 + "'", "/" + "u" * 5_000, "/" + "é" * 4_000]
)
def test_a_reference_is_not_written_again_and_again(defined: str) -> None:
    """16 kB of text made 53 MB of HTML: each of its links repeated one long address or title."""
    text = f"[a]: {defined}\n\n" + "[a]" * 3_000
    assert len(markdown_html(text)) < 20 * len(text)


def test_references_may_be_used_often() -> None:
    text = "[docs]: https://example.org/a/long/path/to/the/documentation.html 'The documentation'\n\n"
    assert markdown_html(text + "see the [docs] for more of this\n\n" * 200).count("<a ") == 200


def test_a_long_address_is_linear() -> None:
    assert_linear(markdown_html, lambda chars: f"[a](/{'é' * 10 * chars})")


@pytest.mark.parametrize("pattern", REPEATED)
def test_markdown_is_linear_in_what_repeats(pattern: str) -> None:
    assert_linear(markdown_html, repeat(pattern))


@pytest.mark.parametrize(("opener", "closer"), NESTED)
def test_markdown_is_linear_in_what_stands_inside_itself(opener: str, closer: str) -> None:
    assert_linear(markdown_html, lambda chars: opener * (chars // 8) + closer * (chars // 8))


@pytest.mark.parametrize("pattern", ["`", "``a", "```\n", "<a", "|"])
@pytest.mark.parametrize("render", [plain_html, as_markdown])
def test_what_is_typed_and_exported_is_linear(render: Callable[[str], str], pattern: str) -> None:
    assert_linear(render, repeat(pattern))


def test_text_that_is_too_much_is_shown_whole_and_as_it_is() -> None:
    text = "![" * 20_000 + "*end*"
    assert as_page(text).count("![") == 20_000
    assert "*end*</pre>" in markdown_html(text)


@pytest.mark.parametrize(
    "text",
    ["\n".join(f"- [ ] do *this* [{n}](https://e.example/{n}) `now`" for n in range(4_000)), "-" * 200_000],
)
def test_long_ordinary_text_keeps_its_markup(text: str) -> None:
    assert 'class="raw"' not in markdown_html(text)


@pytest.mark.parametrize("language", ["c", "csharp", "diff", "yaml", "html"])
@pytest.mark.parametrize("pattern", ["\n", "a\n", "a " * 200 + "\n"])
def test_colours_of_code_are_linear(language: str, pattern: str) -> None:
    def fenced(chars: int) -> str:
        return f"```{language}\n{pattern * (chars // len(pattern))}\n```\n"

    markdown_html(fenced(10))
    assert_linear(markdown_html, fenced)


def test_many_small_pieces_of_code_share_one_allowance() -> None:
    piece = "```c\n" + "\n" * 2_000 + "```\n"
    markdown_html(piece)
    assert_linear(markdown_html, repeat(piece), 10 * len(piece))


@pytest.mark.parametrize(
    ("old", "new"), [(["a"], ["a", "b"]), (["a", "b"], ["b", "a", "a"]), (["x", "a"], ["b", "a"])]
)
def test_a_diff_is_linear_in_its_lines(old: list[str], new: list[str]) -> None:
    def compare(text: str) -> object:
        count = len(text)
        return diff_lines("\n".join((old * count)[:count]), "\n".join((new * count)[:count]))

    assert_linear(compare, repeat("x"), MAX_LINES // 4)


def test_deep_json_stays_as_it_was_written() -> None:
    deep = "[" * 500 + "]" * 500
    assert show_arguments(deep).text == deep
    assert pretty_json([[1]], "[[1]]") == "[\n  [\n    1\n  ]\n]"


@pytest.mark.parametrize("words", ["a b", "\U0001f600\U0001f600x", "\U0001f600 \U0001f600 x", "中 文"])
@pytest.mark.parametrize("pattern", ["a ", "\U0001f600", "\U0001f600 ", "中 ", "-"])
def test_marks_are_linear(words: str, pattern: str) -> None:
    assert_linear(Highlighter.of([Term(text=words)]).spans, repeat(pattern), 2_000)


@pytest.mark.parametrize("render", [clean, gist, one_line, terminal])
@pytest.mark.parametrize("pattern", ["\x1b", "\x1b[", "\x1b]", "\x9b", "a\r", "a\b", "\x1b[1m", "\x1b[1ma"])
def test_terminal_output_and_titles_are_linear(render: Callable[[str], str], pattern: str) -> None:
    assert_linear(render, repeat(pattern))
