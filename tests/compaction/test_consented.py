"""What somebody says and all agree to is a decision, through every round."""

import pytest

from hermes_sessions.compaction.economy.span_facts import said_lines
from hermes_sessions.compaction.economy.wording.consenting_words import consented

DECIDED = (
    "Larkhill kiln gets the gas burner. Everybody in the room was happy with that.",
    "The ferry keeps its old rudder. Nobody objected.",
    "Der Ofen bekommt einen Gasbrenner. Alle waren damit einverstanden.",
    "Die Fähre behält ihr Ruder. Keiner hatte Einwände.",
    "Le four passe au gaz. Personne ne s'y est opposé.",
    "El horno pasa al gas. Todos estuvieron de acuerdo.",
    "O forno passa a gás. Todos concordaram.",
    "Il forno passa al gas. Nessuno era contrario.",
    "De oven gaat op gas. Iedereen was akkoord.",
    "Piec przechodzi na gaz. Wszyscy się zgodzili.",
    "Печь переводим на газ. Все были согласны.",
    "炉子改用煤气。没有人反对。",
    "窯はガスにします。全員が賛成しました。",
)
NOT_DECIDED = (
    "Does the kiln get gas? Everybody was happy with that.",
    "The kiln is hot. Nobody may touch it.",
    "I asked about the gas burner. Not everyone agreed.",
    "The talk went on for an hour. Everyone was happy to leave.",
    "Der Ofen ist heiß. Niemand darf ihn berühren.",
    "Le four est chaud. Tout le monde est parti.",
    "炉子很热。大家都走了。",
)


@pytest.mark.parametrize("text", DECIDED)
def test_what_all_agree_to_was_decided(text: str) -> None:
    assert consented(f"I was at the meeting.\n{text} More later.".replace("。 More", "。More")) == (text,)


@pytest.mark.parametrize("text", NOT_DECIDED)
def test_what_is_asked_or_of_something_else_was_not(text: str) -> None:
    assert consented(text) == ()


def test_it_is_one_where_the_users_words_are_read_again_in_a_later_round() -> None:
    said = "Larkhill kiln gets the gas burner. Everybody in the room was happy with that."
    assert ("decision", said) in [(line.kind, line.text) for line in said_lines([said], "user")]
