"""Which words asked for a sentence names is seen fast, and is just what a reading of it finds."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_sessions.audit.ledger.said_sentences import AskedForms, SaidSentences
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.coverage import bent_form
from tests.audit.builders import assistant, user

WORDS = (
    *(
        "delete",
        "gelöscht",
        "abschicken",
        "geprüft",
        "db",
        "the",
        "to",
        "go",
        "going",
        "rm",
        "Straße",
        "1,048",
    ),
    *("1.048.576", "12.5.x", "118ms", "src/gate.py", "./src/._", "POOL_DEPTH_73=3421", "_x_", "cite-check"),
    *(
        "v1.2",
        "Never",
        "nie",
        "удалить",
        "削除して",
        "no-op",
        "a+b",
        "x",
        "5",
        "http://a.b/c?d=e",
        "user@host",
    ),
    *("it's", "`run`", "prod:", "ROUTE_probe,", "(token", "2026-05-18", "20k", "geändert", "zurückgeschickt"),
)
TEXTS = st.lists(st.sampled_from(WORDS) | st.text("aB1_./:@+-, é不", max_size=6), max_size=8).map(" ".join)


@settings(max_examples=400, deadline=None)
@given(st.lists(TEXTS, max_size=4).map(" ".join), TEXTS)
def test_a_sentence_names_what_its_terms_are(handoff: str, said: str) -> None:
    asked = frozenset(map(bent_form, read_terms(handoff).all))
    terms = read_terms(said).all
    expected = frozenset(map(bent_form, terms)) & asked if terms else None
    assert AskedForms(asked).in_text(said) == expected


@pytest.mark.parametrize("word", WORDS)
def test_a_word_names_itself(word: str) -> None:
    terms = frozenset(map(bent_form, read_terms(word).all))
    assert (AskedForms(terms).in_text(word) or frozenset()) == terms


@pytest.mark.parametrize("beside", ["", "é ", "удалить "])
def test_signs_between_words_cut_them_in_any_text(beside: str) -> None:
    said = f"{beside}http://a.b/c?d=e POOL=3421"
    terms = frozenset(map(bent_form, read_terms(said).all))
    assert AskedForms(terms).in_text(said) == terms


def test_what_was_said_elsewhere_explains_a_sentence() -> None:
    rows = [
        replace(user("Never delete the backup of the gateway."), id=1),
        replace(assistant("The backup is safe."), id=2),
    ]
    words = read_terms("delete the backup").all
    said = SaidSentences(rows, frozenset(map(bent_form, words)))
    assert said.explain(words, frozenset(), frozenset()) == 1.0
    assert said.explain(words, frozenset({rows[0].id}), frozenset()) == 0.5
