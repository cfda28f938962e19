"""Text to HTML, tools, images, ids in URLs, the drawn tree: pure parts of the pages."""

import json
import shlex

import pytest
from markupsafe import escape

from hermes_sessions.store.queries.lineage import FamilySession, SessionFamily
from hermes_sessions.web.conversation.family_tree import draw_family
from hermes_sessions.web.serving.urls import decode_id, encode_id
from hermes_sessions.web.site.sync_status import Phase, SyncStatus
from hermes_sessions.web.text.filters import ago, clean, markdown, one_line, plural, short_number
from hermes_sessions.web.text.images import attachments
from hermes_sessions.web.text.safe_html import HtmlCache, render_code, render_markdown, render_plain
from hermes_sessions.web.text.tools import parse_calls, show_arguments, show_output
from tests.web.html import read

ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:alert(1))",
    "[a](data:text/html;base64,PHNjcmlwdD4=)",
    "[a](vbscript:x)",
    "![a](javascript:alert(1))",
    "<a href='javascript:alert(1)'>x</a>",
    "```\n</code></pre><script>alert(1)</script>\n```",
    '```"><script>alert(1)</script>\nx\n```',
    "[a]: javascript:alert(1)\n\n[a]",
    "<svg><style onload=alert(1)>",
    "|<img onerror=alert(1) src=x>|\n|-|\n|<script>x</script>|",
    '[x](https://e.example "onmouseover=alert(1)")',
    '<https://e.example/"onclick=alert(1)>',
    "&lt;script&gt;alert(1)&lt;/script&gt;",
]


@pytest.mark.parametrize("text", ATTACKS)
@pytest.mark.parametrize("render", [render_markdown, render_plain, lambda text: render_code(text, "html")])
def test_no_text_becomes_a_script(text: str, render: object) -> None:
    html = str(render(text))  # type: ignore[operator]
    for element in read(html).walk():
        assert element.tag not in ("script", "img", "svg", "style", "iframe", "object")
        assert not [name for name in element.attributes if name.startswith("on") or name == "style"]
        assert element.attributes.get("href", "https:").startswith(("http:", "https:", "mailto:", "#"))


def test_images_become_links_and_links_are_bound() -> None:
    (link,) = read(render_markdown("![chart](https://e.example/x.png)")).by_tag("a")
    assert link.text == "image: chart"
    assert link.attributes["rel"] == "noopener noreferrer nofollow"


@pytest.mark.parametrize(("text", "tag"), [("|a|\n|-|\n|b|", "table"), ("~~x~~", "s"), ("- [x] y", "input")])
def test_tables_strikes_and_tasks_are_rendered(text: str, tag: str) -> None:
    assert read(render_markdown(text)).by_tag(tag)


def test_code_is_highlighted_where_its_language_is_known() -> None:
    assert 'class="hl-' in render_markdown("```python\nimport os\n```")
    assert 'class="hl-' not in render_markdown("```nonsense\nimport os\n```")


def test_text_nested_too_deep_is_shown_as_it_is_and_whole() -> None:
    deep = "".join(f"{'  ' * level}- level {level}\n" for level in range(400))
    assert "level 399" in render_markdown(deep)


def test_very_long_text_is_shown_as_it_is() -> None:
    assert render_markdown("*x* " * 100_000).startswith('<pre class="raw">')


def test_typed_text_keeps_its_signs() -> None:
    assert "__init__ *x*" in read(render_plain("__init__ *x*\n# no heading")).text


def test_the_cache_stays_within_its_size() -> None:
    cache = HtmlCache(100)
    calls: list[str] = []

    def render(text: str) -> str:
        calls.append(text)
        return text * 40

    for text in ("a", "b", "a", "c", "a"):
        assert cache.get("kind", text, render) == text * 40
    assert calls == ["a", "b", "c"]
    cache.get("kind", "b", render)
    assert calls == ["a", "b", "c", "b"]


@pytest.mark.parametrize(
    ("passed", "words"),
    [(1, "just now"), (60, "1 minute ago"), (7300, "2 hours ago"), (86_400 * 3, "3 days ago"),
     (86_400 * 100, "3 months ago"), (86_400 * 800, "2 years ago"), (-900, "in the future")],
)  # fmt: skip
def test_times_are_told_in_words(passed: float, words: str) -> None:
    assert ago(2e9 - passed, 2e9) == words


def test_text_is_cleaned_of_what_steers_terminals_and_direction() -> None:
    assert clean("\x1b[31mred\x1b[0m \x1b]0;title\x07b\x00c\u202ed\ud800") == "red bcd\ufffd"
    assert one_line(" a\n\nb " + "x" * 300, 10) == "a b xxxxx…"


def test_numbers_are_short_and_counted() -> None:
    assert [short_number(value) for value in (None, 950, 12_345, 999_999, 4.1e6)] == [
        "–",
        "950",
        "12.3k",
        "1M",
        "4.1M",
    ]
    assert plural(1, "copy", "copies") == "1 copy"


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        (None, ()),
        ("[]", ()),
        ("{}", ()),
        (
            '[{"id": "a", "call_id": "b", "function": {"name": "f", "arguments": "{}"}}]',
            (("a", "b"), "f", "{}"),
        ),
        ('{"name": "f", "arguments": {"x": 1}}', ((), "f", '{"x": 1}')),
        ("[{", None),
        ('"text"', None),
        ("[1, 2]", None),
    ],
)
def test_calls_are_read_in_every_shape(stored: str | None, expected: tuple[object, ...] | None) -> None:
    calls = parse_calls(stored)
    if not expected:
        assert calls == expected
    else:
        assert calls is not None
        assert (calls[0].ids, calls[0].name, calls[0].arguments) == expected


@pytest.mark.parametrize(
    ("text", "failed"),
    [
        ('{"output": "x", "exit_code": 1}', True),
        ('{"output": "x", "exit_code": 0, "error": null}', False),
        ('{"error": "no such file"}', True),
        ('{"success": false}', True),
        ("Error: no such file", True),
        ("no error here", False),
        ("[1, 2]", False),
        ("{broken", False),
    ],
)
def test_a_failed_result_is_seen(text: str, failed: bool) -> None:
    assert show_output(text).failed is failed


def test_a_result_around_one_text_is_unwrapped() -> None:
    output = show_output(json.dumps({"output": "line 1\nline 2", "exit_code": 0}))
    assert output.text == "line 1\nline 2"
    assert output.facts == (("exit_code", "0"),)


@pytest.mark.parametrize("words", [["bash", "-lc", "ls -la | wc"], ["git", "log"]])
def test_a_command_of_words_is_what_the_call_is_about(words):
    given = {"type": "exec", "command": words, "timeout_ms": 900, "env": {"LANG": "C"}}
    told = show_arguments(json.dumps(given), "shell")
    assert told.subject == told.command == shlex.join(words)
    assert told.facts == (("timeout_ms", "900"), ("env", "LANG=C"))


def test_arguments_are_pretty_or_as_stored() -> None:
    assert show_arguments('{"path":"a.py"}').text == '{\n  "path": "a.py"\n}'
    assert show_arguments('{"path":"a.py"}').subject == "a.py"
    broken = show_arguments('{"path": "a.p')
    assert (broken.valid, broken.text) == (False, '{"path": "a.p')


def test_only_raster_data_urls_are_shown() -> None:
    def block(url: str) -> dict[str, object]:
        return {"type": "image_url", "image_url": {"url": url}}

    urls = [
        "data:image/png;base64,AAAA",
        "data:image/svg+xml;base64,AAAA",
        "http://e.example/x.png",
        "javascript:x",
    ]
    shown = [one.index for one in attachments([block(url) for url in urls], 100)]
    assert shown == [0, None, None, None]
    assert attachments([block("data:image/png;base64," + "A" * 1000)], 100)[0].index is None


@pytest.mark.parametrize(
    "id", ["20260101_1200_ab", "a/b", "..", ".", "~x", "%2F", "nul\0", "名前", "a b", "label:id", "-x", ""]
)
def test_an_id_survives_its_url(id: str) -> None:
    segment = encode_id(id)
    assert decode_id(segment) == id
    assert "/" not in segment
    assert segment not in (".", "..")


@pytest.mark.parametrize("segment", ["~!!", "~A", "~gICA"])
def test_a_segment_that_is_not_ours_is_refused(segment: str) -> None:
    with pytest.raises(ValueError, match="not an encoded id"):
        decode_id(segment)


def test_progress_is_told_by_label() -> None:
    status = SyncStatus()
    status.start("b", total=10, first=True)
    status.start("a")
    status.advance("b", 5)
    assert [(one.label, one.share) for one in status.snapshot()] == [("a", None), ("b", 0.5)]
    assert [one.label for one in status.importing] == ["b"]
    status.fail("b", "broken")
    assert status.snapshot()[1].phase is Phase.FAILED
    assert status.importing == ()


# -- the tree --------------------------------------------------------------------------------------


def node(id: int, parent: int | None = None, *, conversation: int = 1, fork: bool = False) -> FamilySession:
    return FamilySession(
        id=id, public_id=f"s{id}", foreign_id=f"s{id}", conversation_id=conversation, conversation="c",
        conversation_title=None, conversation_preview=None, conversation_kind="chat", is_tip=False, ordinal=0,
        parent_id=parent, parent_session_id=None, parent=None, relation="compaction", fork=fork,
        inherited_count=0, source=None, model=None, title=None, started_at=float(id), ended_at=None,
        end_reason=None, last_active_at=None, message_count=1, shown_count=1, gone_at=None,
    )  # fmt: skip


def drawn(*rows: FamilySession) -> list[tuple[int, int]]:
    return [(one.session.id, one.depth) for one in draw_family(SessionFamily(rows, True), 1).nodes]


def test_a_chain_is_straight_and_offshoots_stand_beside_what_they_left() -> None:
    rows = (node(1), node(2, 1), node(3, 1, conversation=2), node(4, 2), node(5, 1, fork=True))
    assert drawn(*rows) == [(1, 0), (3, 1), (5, 1), (2, 0), (4, 0)]


def test_every_session_of_a_circle_is_drawn_once_and_named() -> None:
    tree = draw_family(SessionFamily((node(1, 3), node(2, 1), node(3, 2), node(4)), True), 1)
    assert sorted(one.session.id for one in tree.nodes) == [1, 2, 3, 4]
    assert sorted(tree.circles) == ["s1", "s2", "s3"]


def test_a_thousand_continuations_are_drawn_as_few_nodes() -> None:
    rows = tuple(node(number, number - 1 or None) for number in range(1, 1001))
    tree = draw_family(SessionFamily(rows, True), 1)
    assert len(tree.nodes) == 17
    assert sum(1 + one.collapsed for one in tree.nodes) == 1000
    assert len(tree.edges) == 16


# -- formulas ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "formula",
    [
        "$x_1 * y_2 * z$",
        "$$\\sum_{i=1}^n a_i * b_i$$",
        "\\(a_1 + *b*_2\\)",
        "\\[ E = mc^2 \\]",
        "$a<b_c>d_e$",
    ],
)
def test_formulas_stay_as_they_were_written(formula: str) -> None:
    html = str(markdown(f"Take {formula} as *given*."))
    assert f'<span class="math">{escape(formula)}</span>' in html
    assert html.count("<em>") == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It costs $5 *now* and $6 later.", "<em>now</em>"),
        ("\\[not a link\\](x) *it*", "[not a link](x) <em>it</em>"),
        ("`$a_b$` $c$", "<code>$a_b$</code>"),
        ("$ *one* $", "<em>one</em>"),
    ],
)
def test_money_and_brackets_are_no_formulas(text: str, expected: str) -> None:
    assert expected in str(markdown(text))


def test_formula_blocks_keep_their_lines() -> None:
    html = str(markdown("So:\n$$\na_1\n- b_2\n= *c*\n$$\nand *on*"))
    assert '<div class="math">$$\na_1\n- b_2\n= *c*\n$$</div>' in html
    assert "<em>on</em>" in html
    assert "<div" not in str(markdown("$$\nnever *closed*"))


def test_formulas_cannot_carry_markup() -> None:
    html = str(markdown("$<img src=x onerror=alert(1)>$ and\n\n$$\n<script>alert(1)</script>\n$$"))
    assert "<img" not in html
    assert "<script" not in html


def test_control_signs_of_eight_bits_are_not_shown():
    assert clean("red \x9b31mtext\x9b0m, a \x9b box, next\x85line") == "red text, a  box, nextline"
    assert clean("naïve › café") == "naïve › café"
