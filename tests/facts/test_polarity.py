"""Whether a sentence denies; that most plain ones do not is seen without the whole pattern."""

import pytest

from bench.gold import FOLDER, load_gold
from hermes_sessions.audit.checking.sentences import cut_sentences
from hermes_sessions.facts.polarity import is_negated

TEXTS = [str(text.message.get("content")) for text in load_gold(FOLDER)]
SENTENCES = sorted({one for text in TEXTS for one in cut_sentences(text)})


def test_plain_sentences_deny_as_any_others_do() -> None:
    """A sign that no rule knows makes a sentence one that is not plain."""
    assert [one for one in SENTENCES if is_negated(one) != is_negated(f"{one} ☐")] == []
    assert sum(map(is_negated, SENTENCES)) > 50


WORDS = """not No NEVER without forbidden nicht keinen ohne jamais aucune interdits nunca ninguna prohibido
sem can't doesn't niet geen nigdy inte aldrig ikke değil немає заборонено"""


@pytest.mark.parametrize("word", WORDS.split())
def test_a_word_that_denies_is_seen_alone(word: str) -> None:
    assert is_negated(f"{word} push")


@pytest.mark.parametrize(
    ("text", "denies"),
    [
        ("再加熱が始まらなかった。", True),
        ("送っていなくて困った。", True),
        ("客が少なかった。", False),
        ("送らなければ始まる。", False),
    ],
)
def test_a_verb_that_denies_in_another_form_denies(text: str, denies: bool) -> None:
    assert is_negated(text) is denies
