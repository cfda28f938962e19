"""Words found in every script, by the same cutting on both sides."""

import pytest

from hermes_sessions.store.language.segment import has_words, segment, segment_phrase


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("plain ASCII_text", "plain ASCII_text", id="ASCII is left alone"),
        pytest.param("提交代码", "提交 交代 代码 码", id="Han in pairs, the last character alone"),
        pytest.param("提", "提", id="a single character is itself"),
        pytest.param("run提交now", "run 提交 交 now", id="Latin beside Han is apart"),
        pytest.param("データ", "デー ータ タ", id="kana"),
        pytest.param("세션", "세션 션", id="hangul"),
        pytest.param("ไทย", "ไท ทย ย", id="Thai"),
        pytest.param("ＡＢＣ ｶﾅ", "ABC カナ ナ", id="full and half width"),
        pytest.param("Größe", "Größe", id="accents are the tokenizer's"),
        pytest.param("done 🎉", "done u1f389", id="an emoji is a word"),
        pytest.param("❤️", "u2764", id="a variation selector is nothing"),
        pytest.param("مُحَمَّد", "محمد", id="vowel points are optional"),
    ],
)
def test_segment(text: str, words: str) -> None:
    assert segment(text).split() == words.split()


@pytest.mark.parametrize(
    ("text", "phrase", "begun"),
    [
        pytest.param("提交", "提交", False, id="two characters are one pair"),
        pytest.param("提交代码", "提交 交代 代码", False, id="the end may go on"),
        pytest.param("提", "提", True, id="one character is a beginning"),
        pytest.param("提交now", "提交 交 now", False, id="a run that ended is whole"),
        pytest.param("now", "now", False, id="ASCII"),
    ],
)
def test_segment_phrase(text: str, phrase: str, begun: bool) -> None:
    found, prefix = segment_phrase(text)
    assert (found.split(), prefix) == (phrase.split(), begun)


@pytest.mark.parametrize(("text", "expected"), [("...", False), ("_", False), ("a", True), ("🎉", True)])
def test_punctuation_has_no_words(text: str, expected: bool) -> None:
    assert has_words(text) is expected
