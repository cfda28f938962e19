"""A correction that names its thing takes the place of the value it corrects, or stands beside it."""

import pytest

from hermes_sessions.compaction.economy.fact_lines import FactLine
from hermes_sessions.compaction.economy.ranking import Overheard, rank
from hermes_sessions.compaction.economy.replacing.corrections import corrections
from hermes_sessions.compaction.economy.span_facts import FactCache
from hermes_sessions.compaction.transcript import read_transcript
from hermes_sessions.tokens import token_counter
from tests.compaction.builders import Dict, assistant, user


def lines(*messages: Dict) -> list[list[FactLine]]:
    entries = read_transcript(messages, token_counter("none"))
    return [
        [line._replace(at=at) for line in FactCache(10**6).read(entry).lines]
        for at, entry in enumerate(entries)
    ]


def told(*messages: Dict) -> dict[str, float]:
    ranked = rank((), lines(*messages), Overheard())
    return {line.text: score for line, score in ranked.scored} | {rule.text: 99.0 for rule in ranked.rules}


def holds(found: dict[str, float], value: str) -> bool:
    return any(value in text for text in found)


@pytest.mark.parametrize(
    ("before", "after", "old", "new"),
    [
        (
            "As to the weir of Larkhill: the keeper paced it out, 3071 metres from gate to gate.",
            "I misread my notes on weir of Larkhill: make that 5528.",
            "3071",
            "5528",
        ),
        (
            "Reference for the Larkhill weir: KD-40718.",
            "Larkhill weir has changed, PV-20933 now.",
            "KD-40718",
            "PV-20933",
        ),
        (
            "The Larkhill weir opens its gate at 8:20, the keeper told me.",
            "Sorry, the Larkhill weir: 9:45 instead.",
            "8:20",
            "9:45",
        ),
        (
            "The contact for the Larkhill weir turned out to be Nora Tillman.",
            "Larkhill weir has changed, Owen Prosser now.",
            "Tillman",
            "Prosser",
        ),
        (
            "Die Mühle Ostheim braucht am Tag 4071 Liter, so steht es auf dem Zähler.",
            "Korrektur zu Mühle Ostheim: 5528 statt 4071.",
            "4071",
            "5528",
        ),
        (
            "La presa Olmeda gasta 4071 litros al día.",
            "Con presa Olmeda ya no vale 4071, ahora 5528.",
            "4071",
            "5528",
        ),
        (
            "L'écluse Bertin consomme 4071 litres par jour.",
            "Pour écluse Bertin, c'est désormais 5528.",
            "4071",
            "5528",
        ),
        ("青柳水闸每天用水4071升。", "更正：青柳水闸改为5528。", "4071", "5528"),
        ("青柳水闸每天用水4071升。", "青柳水闸不是4071，是5528。", "4071", "5528"),
    ],
)
def test_a_correction_takes_the_place_of_what_it_corrects(
    before: str, after: str, old: str, new: str
) -> None:
    found = told(assistant(before), user(after))
    assert not holds(found, old) or any(new in text for text in found if old in text)
    assert holds(found, new)
    assert holds(told(assistant(before)), old)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The Larkhill weir draws 3071 litres a day.", "The Milburn weir is 5528 now."),
        ("The Larkhill weir draws 3071 litres a day.", "Larkhill weir has changed, 55 euros now."),
        ("The Larkhill weir opens at 8:20 and shuts at 17:50.", "Larkhill weir has changed, 9:45 now."),
        (
            "The Larkhill weir draws 5528 litres a day.",
            "Correction about Larkhill weir: it is 5528, not 3071.",
        ),
        ("The Larkhill weir draws 3071 litres a day.", "Larkhill weir is not 5528."),
        ("The Larkhill weir draws 3071 litres a day.", "Is the Larkhill weir 5528 now?"),
        ("The Larkhill weir draws 3071 litres a day.", "Larkhill weir now, please."),
    ],
)
def test_what_is_said_of_something_else_or_not_surely_corrects_nothing(before: str, after: str) -> None:
    found = [line for message in lines(assistant(before), user(after)) for line in message]
    assert corrections(found).replaced == {}


def test_an_assistant_does_not_correct_a_user() -> None:
    after = "Larkhill weir has changed, 5528 now."
    found = [
        line
        for one in lines(user("The Larkhill weir draws 3071 litres a day."), assistant(after))
        for line in one
    ]
    assert corrections(found).replaced == {}


def test_a_correction_of_a_rule_stands_beside_it_with_its_weight() -> None:
    rule = "Never let the Larkhill weir rise above 3071 litres."
    found = told(user(rule), user("Correction about Larkhill weir: it is 5528, not 3071."))
    assert holds(found, "Never let the Larkhill weir")
    assert max(score for text, score in found.items() if "5528" in text) >= 10.0


def test_in_a_former_handoff_a_correction_is_later_than_what_it_corrects() -> None:
    former = [
        FactLine("number", "user", "Larkhill weir has changed, 5528 now."),
        FactLine("statement", "user", "The Larkhill weir draws 3071 litres a day."),
    ]
    assert corrections(former).replaced == {1: 0}


def test_a_message_of_several_sentences_is_one_place_and_its_request_stays() -> None:
    ask = "Please restart the Milburn pump."
    found = told(
        user(f"{ask} The Larkhill weir draws 3071 litres a day."),
        user("Larkhill weir has changed, 5528 now."),
    )
    assert not any("3071" in text for text in found if text.startswith("The Larkhill"))
    assert holds(found, ask)
