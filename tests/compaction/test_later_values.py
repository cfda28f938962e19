"""An old value beside a newer one: the later line is in the line of the older one, not beside it unmarked."""

import pytest

from hermes_sessions.compaction import CompactionPolicy, compact_transcript
from hermes_sessions.compaction.economy.fact_lines import FactLine
from hermes_sessions.compaction.economy.replacing.later_values import as_one, later_values
from hermes_sessions.compaction.economy.span_facts import said_lines
from hermes_sessions.summarizers import ExtractiveSummarizer
from tests.compaction.builders import Dict, assistant, user


def said(*texts: str, speaker: str = "user") -> list[FactLine]:
    return [line._replace(at=at) for at, text in enumerate(texts) for line in said_lines((text,), speaker)]


PAIRS = [
    ("The toll at Brannock ferry comes to 372 crowns.", "Brannock ferry raised its toll: 398 crowns."),
    (
        "Doors of Saint Merle open at 18:40.",
        "Correction on Saint Merle: it is 18:55, what I gave before was wrong.",
    ),
    ("Die Miete der Pegelhütte beträgt 2140 Euro.", "Die Miete der Pegelhütte ist auf 2275 Euro gestiegen."),
    (
        "Le quota du verger de Vayres est de 64 caisses.",
        "Pour le verger de Vayres, le quota passe à 72 caisses.",
    ),
    (
        "El aforo de la nave Lujua es de 130 personas.",
        "Corrección sobre la nave Lujua: ahora es 115 personas.",
    ),
    ("O prazo do moinho de Arouca é 14 de junho.", "O prazo do moinho de Arouca passou para 21 de junho."),
    ("Il canone del pontile Sarca è di 880 euro.", "Il canone del pontile Sarca sale a 945 euro."),
    ("De huur van de touwbaan is 615 euro.", "De huur van de touwbaan wordt 640 euro."),
    ("Czynsz za kuźnię w Orlu wynosi 1320 złotych.", "Czynsz za kuźnię w Orlu wzrósł do 1410 złotych."),
    ("Аренда причала Сойка стоит 5400 рублей.", "Поправка по причалу Сойка: 5900 рублей."),
    ("桂浜の桟橋の使用料は4300円です。", "桂浜の桟橋の使用料は4800円に変わりました。"),
    ("柳溪茶场的租金是每月5200元。", "更正：柳溪茶场的租金是每月5600元。"),
]


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_a_later_value_of_the_same_thing_is_found(old: str, new: str) -> None:
    lines = said(old, "Thank you for the long walk.", new)
    found = later_values(lines)
    assert [(lines[one].text, lines[other].text) for one, other in found.items()] == [(old, new)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("wick-api-17 listens on 8123.", "loom-api-88 listens on 9411 now.", id="another thing"),
        pytest.param(
            "Brannock ferry costs 372 crowns.", "Brannock ferry leaves from pier 4.", id="no change"
        ),
        pytest.param(
            "The toll at Brannock ferry is 372.", "The toll at Brannock ferry is 372.", id="the same"
        ),
        pytest.param("It took 40 minutes now.", "It took 50 minutes now.", id="no thing"),
    ],
)
def test_what_is_about_something_else_stands_alone(one: str, other: str) -> None:
    assert later_values(said(one, other)) == {}


def test_nobody_corrects_who_stands_above() -> None:
    lines = [
        *said("The toll at Brannock ferry is 372 crowns."),
        *(
            line._replace(at=3)
            for line in said("Brannock ferry raised its toll: 398 crowns.", speaker="assistant")
        ),
    ]
    assert later_values(lines) == {}


def test_the_newest_two_stand_with_the_oldest() -> None:
    text = as_one(as_one(as_one("a is 1", "a is 2"), "a is 3"), "a is 4")
    assert text == "a is 1 [later: a is 3] [later: a is 4]"


def talk(*texts: str) -> list[Dict]:
    found: list[Dict] = []
    for number, text in enumerate(texts):
        found += [user(text), assistant(f"Noted, shelf {number}.")]
        for row in range(4):
            found += [user(f"What about row {row} of shelf {number}?"), assistant("Nothing there. " * 30)]
    return found


def test_the_mark_stands_through_rounds_and_the_old_words_are_not_quoted() -> None:
    old, new = PAIRS[0]
    policy = CompactionPolicy(8_000, head_messages=0, tail_tokens=60, min_tail_messages=2)
    messages = talk("Hello.", old, "Good.", new, "Fine.")
    for _ in range(4):
        done = compact_transcript(messages, policy=policy, summarize=ExtractiveSummarizer())
        assert f"- {old} [later: {new}]\n" in (done.handoff or "")
        assert f"<user_said>{old}" not in (done.handoff or "")
        messages = [*done.messages, *talk("More.", "And more.")]
