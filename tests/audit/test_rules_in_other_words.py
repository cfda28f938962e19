"""Rules that a handoff says in other words, that somebody says again, and sentences that are no rules."""

import pytest

from hermes_sessions import extract_facts
from hermes_sessions.audit.checking.deviation import Grade
from hermes_sessions.audit.ledger.sameness import is_same_rule, read_told, tells_rule
from hermes_sessions.facts.values import Fact
from tests.audit.builders import assistant, compacted, tool, user


def rule(value, speaker="user"):
    return Fact("constraint", "", value, value, speaker, 9.0, (0, len(value)))


TOLD = [
    (
        "Nothing is glued before Ottilie has measured it.",
        "It must not be glued until Ottilie's measuring is done.",
    ),
    (
        "Die Orgel rührst du nicht an, die stimmt allein der Küster.",
        "Um die Orgel kümmert sich nur der Küster.",
    ),
    (
        "Schick die Mail erst ab, wenn Herr Lund freigibt.",
        "Abschicken der Mail nur nach Freigabe durch Herrn Lund.",
    ),
    ("由馆长去搬，不要让实习生碰瓷器。", "实习生不得接触瓷器。"),
    (
        "The boat is at pier 4. Never moor it beside the ferry berth.",
        "Mooring beside the ferry berth is forbidden.",
    ),
]
NOT_TOLD = [
    ("Nothing is glued before Ottilie has measured it.", "Ottilie measured the door."),
    ("由馆长去搬，不要让实习生碰瓷器。", "不得在夜里开灯。"),
    ("Never push to main.", "main was read; never push to dev."),
    (
        "The boat is at pier 4. Never moor it beside the ferry berth.",
        "The lamp on pier four is never lit.",
    ),
]


@pytest.mark.parametrize(("value", "body"), TOLD)
def test_a_rule_in_other_words_is_told(value, body):
    assert tells_rule(rule(value), read_told(body))


@pytest.mark.parametrize(("value", "body"), NOT_TOLD)
def test_another_rule_does_not_tell_it(value, body):
    assert not tells_rule(rule(value), read_told(body))


def test_what_the_assistant_notes_is_the_rule_said_again():
    first = rule("Watering only after sunset, otherwise the leaves burn.")
    assert is_same_rule(first, rule("Noted: vents at 3 cm, watering only after sunset", "assistant"))
    assert not is_same_rule(first, rule("Noted: vents at 3 cm, feeding only after sunset", "assistant"))


RULES = [
    ("user", "By the way, nobody enters the vault while the alarm is off."),
    ("user", "Nothing may be printed before the proofs are back."),
    ("user", "Personne n'ouvre la serre tant que la sonde est dedans."),
    ("user", "ولا تحذف الملفات قبل موافقتي."),
]
NO_RULES = [
    ("user", "Le facteur ne passe jamais le samedi, c'est curieux."),
    ("user", "Nunca había oído ese nombre."),
    ("user", "Non ho mai visto quel file."),
    ("assistant", "The pump ran twice, and it never reached 60 degrees."),
    ("assistant", "The load never exceeded 4 kW."),
]


def rules_of(role, text):
    return [one.value for one in extract_facts({"role": role, "content": text}) if one.kind == "constraint"]


@pytest.mark.parametrize(("role", "text"), RULES)
def test_who_forbids_with_nobody_and_nothing_sets_a_rule(role, text):
    assert rules_of(role, text)


@pytest.mark.parametrize(("role", "text"), NO_RULES)
def test_what_never_happened_is_no_rule(role, text):
    assert rules_of(role, text) == []


RUN = (
    user("Read runs/2031-04-17/a.csv, please. The office wants 25."),
    assistant("That takes 12 minutes and 20 seconds. The report is postponed, we do not print in March."),
    tool("c1", "ok 3"),
)


@pytest.mark.parametrize(
    ("body", "is_accused"),
    [
        ("The run of 17 April took 12:20, the office wants 25 minutes.", False),
        ("The report is put off: printing in March is not wanted.", False),
        ("The office wants 40 minutes.", True),
    ],
)
def test_days_of_folders_lengths_and_bare_numbers_are_told(body, is_accused):
    found = compacted(RUN, body=body).measured().deviations
    assert any(one.grade is Grade.CONTRADICTS for one in found) is is_accused
