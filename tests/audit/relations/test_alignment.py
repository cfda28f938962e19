"""Clauses of a handoff held against those of the transcript that speak of the same."""

import pytest

from bench.audit_pairs import load_pairs
from hermes_sessions.audit.alignment.chunks import NamedByChunk
from hermes_sessions.audit.alignment.items import names_in, plain_number, read_items
from hermes_sessions.audit.alignment.likely_chunks import ChunkShapes
from hermes_sessions.audit.words.poles import BEGINNINGS, SPANNING, read_poles
from hermes_sessions.audit.words.stances import Stance, read_stance
from tests.audit.builders import assistant, user
from tests.audit.relations.test_relations import accusations

PUMPS = (
    user("Motor B runs hot. Left valve is a Sick W12, right valve is a Banner QS18."),
    assistant("Motor B draws 4.8 A, motor A 3.1 A."),
)
MORE_THAN_A_WORD = (
    "it was Turned on", "SWITCHED off now", "dropped to 3", "on the client side", "por la tarde",
    "schlug fehl", "turned down", "down the left pole, up-stream", "tras el muro", "avant-garde",
)  # fmt: skip
WAY = (user("Move the copies from Oslo to Bergen."), assistant("They go from Oslo to Bergen now."))


@pytest.mark.parametrize(
    ("said", "summary"),
    [
        (PUMPS, "Motor A draws 4.8 A and motor B 3.1 A."),
        (PUMPS, "Left valve: Banner QS18; right valve: Sick W12."),
        (WAY, "Copies are moved from Bergen to Oslo."),
        (WAY, "copies: Bergen -> Oslo"),
    ],
)
def test_what_belongs_elsewhere_is_found(said, summary):
    assert accusations(summary, *said)


@pytest.mark.parametrize(
    ("said", "summary"),
    [
        (PUMPS, "Motor B draws 4.8 A and motor A 3.1 A."),
        (PUMPS, "| motor A | 3.1 A |\n| motor B | 4.8 A |"),
        (PUMPS, "Left valve: Sick W12; right valve: Banner QS18."),
        (WAY, "Copies are moved from Oslo to Bergen."),
        ((*WAY, user("And back from Bergen to Oslo.")), "Copies are moved from Bergen to Oslo."),
    ],
)
def test_what_was_said_is_not_accused(said, summary):
    assert accusations(summary, *said) == []


@pytest.mark.parametrize(
    ("text", "number"),
    [("1.240", "1240"), ("1,240", "1240"), ("0,80", "0.8"), ("07:30", "7:30"), ("4.8", "4.8"), ("010", "10")],
)
def test_a_number_is_one_number_however_it_is_written(text, number):
    assert plain_number(text) == number


def test_a_pole_is_the_same_in_every_language():
    named = [read_items(text).poles for text in ("the left eye", "das linke Auge", "l'œil gauche", "左目")]
    assert set(named) == {frozenset({"hand:left"})}


def test_poles_of_plain_texts_are_those_of_all_others():
    """A word of ASCII is asked for once; a letter beyond it makes the whole text be searched."""
    whole = [line for case in load_pairs() for one in case.summaries for line in one.text.splitlines()]
    plain = [line for line in (*whole, *MORE_THAN_A_WORD) if line.isascii()]
    assert sum(bool(read_poles(line)[0]) for line in plain) > len(MORE_THAN_A_WORD)
    for line in plain:
        found, rest = read_poles(line)
        assert read_poles(f"{line} \u00e6") == (found, f"{rest} \u00e6")


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("Die Zusage fehlt noch", Stance.OPEN),
        ("no confirmation yet", Stance.OPEN),
        ("déjalo", Stance.OFF),
        ("laisse tomber", Stance.OFF),
        ("取消", Stance.OFF),
        ("Die Zusage liegt vor", Stance.DONE),
        ("the filter", Stance.PLAIN),
    ],
)
def test_how_a_thing_stands_is_read(text, stance):
    assert read_stance(text) is stance


@pytest.mark.parametrize(
    "text",
    [
        "motor B draws 4.8 A at 07:30, left side, see src/app.py",
        "der linke Motor läuft, 1.240 Zeilen, core-1 bestanden",
        "commit 3f78685: 2 failed, 40 passed, turned off",
        "左のモーター 5 分, gateway を再起動",
        "la satisfação é 0,80 por la tarde, para o cliente",
        "5abc-x a+5 +7 .5 1,2,3 e-mail sign-in",
        "Сервер слева отвечает за 30 секунд",
    ],
)
def test_the_names_in_a_clause_are_all_its_items(text: str) -> None:
    assert names_in(text) == read_items(text).all


CHUNKED = (
    "motor B draws 4.8 A at 07:30, left side, see src/app.py",
    "batch_cursor took=483ms rows=1,250 [78%] turned off",
    "x-left-side 12foo 5kg /5V (1.200) satisfacao gefuettert abschicken",
    "der linke Motor läuft, 1.240 Zeilen, core-1 bestanden",
    "Сервер слева отвечает за 30 секунд",
)


@pytest.mark.parametrize("text", CHUNKED)
@pytest.mark.parametrize("asking", CHUNKED)
def test_what_chunks_name_is_what_their_text_names(text: str, asking: str) -> None:
    asked = names_in(asking)
    named = NamedByChunk(asked)
    named.naming(ChunkShapes([text]))
    assert named.in_text(text) == names_in(text) & asked


def test_every_pole_of_several_words_has_a_beginning() -> None:
    assert "" not in SPANNING
    assert "" not in BEGINNINGS
