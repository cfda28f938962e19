"""What the index finds is what is marked."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_sessions.store.language.highlight import Highlighter
from hermes_sessions.store.language.query_terms import Term


def marked(text: str, *terms: str) -> list[str]:
    found = Highlighter.of([Term(term.rstrip("*"), term.endswith("*")) for term in terms])
    return [piece.text for piece in found.pieces(text) if piece.marked]


@pytest.mark.parametrize(
    ("text", "term", "expected"),
    [
        ("The parser, the PARSER.", "parser", ["parser", "PARSER"]),
        ("parsers parse", "parse", ["parse"]),
        ("parsers parse", "parse*", ["parse", "parse"]),
        ("Read foo_bar now", "foo_bar", ["foo_bar"]),
        ("Read foo bar now", "foo_bar", ["foo bar"]),
        ("foobar", "foo_bar", []),
        ("in path/to/x.py:12", "path/to/x.py", ["path/to/x.py"]),
        ("run --flag=1", "--flag", ["flag"]),
        ("fixes #1234 and 12345", "#1234", ["1234"]),
        ("我们提交了代码", "提交", ["提交"]),
        ("我们提交了代码", "码", ["码"]),
        ("用git提交代码", "git提交", ["git提交"]),
        ("用git提交代码", "git", ["git"]),
        ("a git 提交", "git提交", ["git 提交"]),
        ("Un Café noir", "cafe", ["Café"]),
        ("Un cafe noir", "café", ["cafe"]),
        (unicodedata.normalize("NFD", "Un Café noir"), "café", ["Café"]),
        ("ŻÓŁW", "żołw", ["ŻÓŁW"]),
        ("ＦＵＬＬ width", "full", ["ＦＵＬＬ"]),
        ("shipped 🎉🎉", "🎉", ["🎉", "🎉"]),
        ("قال سَلام لنا", "سلام", ["سَلام"]),
        ("قال سلام لنا", "سَلام", ["سلام"]),
        ("हिन्दी में लिखा", "हिन्दी", ["हिन्दी"]),
        ("ระบบค้นหา", "ค้นหา", ["ค้นหา"]),
        ("ПРИВЕТ мир", "привет", ["ПРИВЕТ"]),
    ],
)
def test_marks(text: str, term: str, expected: list[str]) -> None:
    assert marked(text, term) == expected


def test_marks_of_filters_are_no_text() -> None:
    assert not Highlighter.of([Term("\ue000ruser", mark=True)])


def test_a_snippet_is_cut_around_the_first_place() -> None:
    snippet = Highlighter.of([Term("needle")]).snippet("hay " * 500 + "a needle here " + "hay " * 500, 100)
    assert snippet is not None
    text = "".join(piece.text for piece in snippet)
    assert text.startswith("… hay")
    assert text.endswith(" …")
    assert len(text) < 110
    assert [piece.text for piece in snippet if piece.marked] == ["needle"]


def test_nothing_to_mark_has_no_snippet() -> None:
    assert Highlighter.of([Term("needle")]).snippet("hay") is None


@given(st.text(max_size=80), st.text(max_size=12))
def test_pieces_join_to_the_text(text: str, term: str) -> None:
    pieces = Highlighter.of([Term(term)]).pieces(text)
    assert "".join(piece.text for piece in pieces) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize("text", ["a" * 200_000, "a_" * 100_000, "提" * 100_000, "_" * 200_000])
def test_no_text_takes_long(text: str) -> None:
    Highlighter.of([Term("a_a_a_b"), Term("提交提交"), Term('"a b"')]).snippet(text)
