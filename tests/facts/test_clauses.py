"""Rules by the classes of their words, whoever says them; what happened, was asked or thought of is none."""

from pathlib import Path

import pytest

from hermes_sessions import extract_facts
from hermes_sessions.facts.clauses.rows import rows_of
from hermes_sessions.facts.constraints import binding_part

FOLDER = Path(__file__).parent


def cases(name):
    return [line.split("|") for line in (FOLDER / name).read_text("utf-8").splitlines()]


def rules_of(role, text):
    message = {"role": role, "content": text.replace(" // ", "\n")}
    return [one.value for one in extract_facts(message) if one.kind == "constraint"]


@pytest.mark.parametrize(("language", "role", "text"), cases("clauses.txt"))
def test_a_rule_is_read_by_the_classes_of_its_words(language, role, text):
    assert rules_of(role, text)


@pytest.mark.parametrize(("language", "role", "text"), cases("no_clauses.txt"))
def test_what_was_asked_or_thought_of_is_no_rule(language, role, text):
    assert rules_of(role, text) == []


@pytest.mark.parametrize(
    ("said", "row"),
    [
        ("The old page stays online until June.", "..STU."),
        ("Die alte Seite bleibt bis Juni online.", "..SU.T"),
        ("La vieille page reste en ligne jusqu'à juin.", "..STU."),
        ("Старая страница остаётся открытым до июня.", "..STU."),
        ("旧页面保留到六月。", ".K#."),
    ],
)
def test_a_sentence_is_a_row_of_classes(said, row):
    assert row in rows_of(said)


def test_an_agent_binds_itself_where_it_takes_up_what_it_was_told():
    said = "The press release stays in the drawer until the board has met."
    assert rules_of("assistant", said) == []
    assert rules_of("assistant", f"Noted. {said}")


def test_a_notice_is_read_by_its_head():
    said = "Boots stay outside the seed room"
    assert rules_of("tool", f"{said}\nseeds=4") == []
    assert rules_of("tool", f"HOUSE RULES\n{said}.")


@pytest.mark.parametrize("said", ["No schema.sql há uma tabela sem chave.", "W pliku nic nie zmieniłem."])
def test_a_negation_of_another_language_is_none(said):
    assert rules_of("assistant", said) == []


@pytest.mark.parametrize(
    ("rule", "part"),
    [
        ("Measure the tanks, and take no more than 800 litres a day.", "take no more than 800 litres a day."),
        ("The fog stays out of the matinee because of the choir.", "The fog stays out of the matinee"),
        ("Range le dossier, mais laisse les plans tranquilles.", "laisse les plans tranquilles."),
        (
            "Solange die Prüfung läuft, wird nichts gebucht.",
            "Solange die Prüfung läuft, wird nichts gebucht.",
        ),
        ("Never push to main, and never deploy.", "Never push to main, and never deploy."),
    ],
)
def test_what_binds_of_a_rule(rule, part):
    assert binding_part(rule) == part
