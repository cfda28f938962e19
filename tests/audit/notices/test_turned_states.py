"""A clause is held against its opposite: the side behind which more of what was said stands decides."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import assistant, compacted, user

ORCHARD = (
    user(
        "Prune the pear trees in row 6. Never water the seedlings in the glasshouse, the drip line does that."
    ),
    assistant("Row 6 is pruned. The crates for the cider press are not labelled yet."),
    user("The kiln has to stay cold until Petra is back. And the ladders?"),
    assistant("The ladders from the barn are not repaired; the carpenter comes on Thursday."),
)
KELTER = (
    user("Die Kelter bleibt zu. Bitte keine Quittungen an das Finanzamt weiterleiten."),
    assistant("Soll ich die Etiketten per Fax an die Druckerei Halm senden?"),
    user("Nein."),
    assistant("Gut. Die Fässer im Nordkeller sind gespült."),
)
CAVE = (
    user("N'ouvre jamais la vanne du cuvier sans gants. Range les bouteilles du lot 12."),
    assistant("Les bouteilles du lot 12 sont rangées. La facture du tonnelier n'est pas encore réglée."),
)
SKLAD = (
    user("Смешивать кислоту с водой нельзя. Пересчитай бочки."),
    assistant("Бочек 18. Накладную кладовщик ещё не подписал."),
)
BODEGA = (
    user("No vendas las garrafas del sótano. ¿Y el corcho?"),
    assistant("El corcho está pedido. La bomba nueva no está instalada todavía."),
)
CHAYE = (
    user("茶叶不要放进冷库。把标签重新打印一遍。"),
    assistant("标签已经重新打印。木箱还没有封口。"),
)
TURNED = [
    (ORCHARD, "Water the seedlings in the glasshouse.", "The seedlings there are never to be watered."),
    (ORCHARD, "The crates for the cider press are labelled.", "The cider crates are not labelled."),
    (ORCHARD, "The ladders from the barn are repaired.", "The ladders from the barn are not repaired."),
    (KELTER, "Quittungen an das Finanzamt weiterleiten.", "Keine Quittungen an das Finanzamt weiterleiten."),
    (CAVE, "La facture du tonnelier est réglée.", "La facture du tonnelier n'est pas encore réglée."),
    (SKLAD, "Смешивать кислоту с водой можно.", "Смешивать кислоту с водой нельзя."),
    (SKLAD, "Накладную кладовщик уже подписал.", "Накладную кладовщик ещё не подписал."),
    (BODEGA, "Vende las garrafas del sótano.", "No vender las garrafas del sótano."),
    (BODEGA, "La bomba nueva está instalada.", "La bomba nueva no está instalada todavía."),
    (CHAYE, "茶叶要放进冷库。", "茶叶不要放进冷库。"),
    (CHAYE, "木箱已经封口。", "木箱还没有封口。"),
]  # fmt: skip


def turned(body, rows):
    """Of what is turned round in *body*, whether each is an accusation."""
    told = compacted(rows, body=body).measured().deviations
    return [one.grade is not Grade.NOT_VERBATIM for one in told if one.rule in ("turned", "left-open")]


def found(body, rows):
    told = compacted(rows, body=body).measured().deviations
    return {(one.grade is not Grade.NOT_VERBATIM, one.kind, one.value) for one in told}


@pytest.mark.parametrize(("rows", "altered", "faithful"), TURNED)
def test_what_is_turned_round_is_found(rows, altered, faithful):
    assert found(altered, rows)
    assert found(faithful, rows) == set()


@pytest.mark.parametrize(
    ("rows", "body"),
    [
        (ORCHARD, "The drip line waters the seedlings in the glasshouse."),
        (ORCHARD, "Still to do: label the crates for the cider press."),
        (ORCHARD, "The kiln may be lit once Petra is back."),
        (KELTER, "Die Etiketten gehen nicht per Fax an die Druckerei Halm."),
        (KELTER, "Kein Fax an die Druckerei Halm."),
        (BODEGA, "El corcho está pedido, la bomba sin instalar."),
    ],
)
def test_what_is_said_in_other_words_is_not(rows, body):
    assert turned(body, rows) == []


def test_a_question_that_was_answered_with_no_is_a_ban():
    assert found("Die Etiketten per Fax an die Druckerei Halm senden.", KELTER)


MENDED = (
    user("The hatch of the silo does not close."),
    assistant("The hatch of the silo does not close because of rust. I grease the hinge."),
    assistant("Done."),
)
ALLOWED = (
    user("Don't sell the old press."),
    assistant("Understood."),
    user("Sell the old press after all."),
)


@pytest.mark.parametrize(
    ("rows", "body"),
    [
        (MENDED, "The hatch of the silo closes."),
        (ALLOWED, "Sell the old press."),
        (ALLOWED, "The old press may be sold."),
    ],
)
def test_the_latest_word_counts(rows, body):
    assert not any(turned(body, rows))


def test_a_ban_of_the_user_that_is_turned_round_is_grave():
    told = compacted(BODEGA, body="Vende las garrafas del sótano.").measured().deviations
    assert any(one.grave for one in told)


def test_a_sentence_that_says_both_is_none():
    body = "The ladders from the barn are repaired, or so it was planned; they are not repaired."
    assert not any(turned(body, ORCHARD))
