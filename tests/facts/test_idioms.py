"""Rules in figures of speech are read; stories, counts of what came and how programs work are none."""

from pathlib import Path

import pytest

from hermes_sessions import extract_facts

FOLDER = Path(__file__).parent
RULES = [line.split("|") for line in (FOLDER / "idioms.txt").read_text("utf-8").splitlines()]
TALES = [line.split("|") for line in (FOLDER / "tales.txt").read_text("utf-8").splitlines()]


def rules_of(role, text):
    return [one.value for one in extract_facts({"role": role, "content": text}) if one.kind == "constraint"]


@pytest.mark.parametrize(("language", "text"), RULES)
def test_a_rule_in_a_figure_of_speech_is_read(language, text):
    assert rules_of("user", text)


@pytest.mark.parametrize(("language", "role", "text"), TALES)
def test_a_tale_and_how_something_works_are_no_rules(language, role, text):
    assert rules_of(role, text) == []


@pytest.mark.parametrize(
    "text",
    [
        "If we never checked the totals, it would be quicker.",
        "Si on ne vérifiait jamais, ce serait plus rapide.",
        "From now on you can merge without me.",
        "Désormais tu peux écrire au notaire directement.",
        "Schreib nur noch die Einladung.",
    ],
)
def test_what_is_supposed_or_granted_is_no_rule(text):
    assert rules_of("user", text) == []


def test_a_promise_to_wait_for_a_word_is_a_rule():
    assert rules_of("assistant", "I won't publish anything without your word.")
    assert rules_of("assistant", "Je ne publierai rien sans votre accord.")


def test_a_mail_in_a_result_bars_a_thing():
    assert rules_of("tool", "Until 3 May no solvent may be opened after 6 pm, the vents are being cleaned.")
