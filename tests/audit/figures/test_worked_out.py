"""Sums, rests, differences and shares that nobody said are accused of nothing; a figure that is wrong still is."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from hermes_sessions.audit.figures.relative_words import is_compared, is_difference, is_relative, place_of
from hermes_sessions.audit.figures.written_numbers import read_numbers
from tests.audit.builders import assistant, compacted, user

HALL = (
    user("A hall for 120 guests on 14 November, no more than 2,500 pounds for hall and food."),
    assistant(
        "Corn Hall: 640, food 14.50 a head. Town House: 410, food 19 a head. Limit for the tasting: 45."
    ),
    user("Corn Hall. And the tasting at Lupin's?"),
    assistant("3. Lupin's: tasting menu 61 EUR. The deposit for Corn Hall is 160, due on 30 October."),
)
MOVE = (
    user("Organizza il trasloco, massimo 4.200 euro, entro il 28 febbraio."),
    assistant("Rossi: 3.150 euro in due giorni. L'ascensore regge 450 kg, un armadio ne pesa 140."),
    user("Va bene, Rossi."),
    assistant("Rossi chiede un acconto di 945 euro e può venire il 17 e il 18 febbraio."),
)
BATH = (
    user("Badumbau, Budget 9.000 €."),
    assistant("Firma Kessler 8.420 €, 30 % bei Auftrag, 40 % bei Baubeginn, der Rest nach Abnahme."),
    user("Und die Fliesen?"),
    assistant("19,8 m² Fliesen, 683,10 €."),
)
DINNER = (
    user("年会预算 50000 元，锦江厅。抽奖预算 6000 元，大巴两辆。"),
    assistant("锦江厅 16 桌共 42880 元。大巴每辆 1200 元。"),
)
TILES = (
    user("Сколько плитки нужно?"),
    assistant("С запасом 10 % это 18,59 м², то есть 104 плитки. «Люкс» — 20 упаковок, 41 904 ₽."),
    user("А пол?"),
    assistant("Разница 9 720 ₽ и три недели ожидания. Всего с полом 140 плиток."),
)

TRAIN = (
    user("The open day: 6 trains, 84 seats each."),
    assistant("Last year you sold 431 tickets, 162 of them for children."),
)
PLANTS = (
    user("Рассада: 240 томатов, 180 перцев, 60 баклажанов. Продаём по 90, 80 и 110 рублей."),
    assistant("Продано: 131 томат, 74 перца, 22 баклажана."),
)


def accusations(rows, body):
    """Return the figures that *body* is accused of."""
    told = compacted(rows, body=body).measured().deviations
    return [one.value for one in told if one.grade is not Grade.NOT_VERBATIM]


@pytest.mark.parametrize(
    ("rows", "body"),
    [
        (HALL, "- Lupin's tasting: 16 over the limit."),
        (HALL, "Corn Hall with food comes to 2,380 for the 120 guests, 120 below the limit."),
        (HALL, "The Town House would have come to 2,690 in all, 190 over the limit."),
        (MOVE, "Servono quattro viaggi in ascensore, 420 kg ciascuno."),
        (MOVE, "Con Rossi restano 1.050 euro di margine."),
        (BATH, "Anzahlung 2.526 €, bei Baubeginn 3.368 €, nach Abnahme die restlichen 30 % (2.526 €)."),
        (BATH, "Kessler und Fliesen zusammen 9.103,10 €, das wären 103,10 € über dem Budget."),
        (DINNER, "餐费加抽奖加大巴共 51280 元，超预算 1280 元。"),
        (DINNER, "两辆大巴 2400 元。"),
        (TILES, "Первый расчёт, 104 штуки при запасе 10 %, больше не действует. Всего 140."),
        (TRAIN, "Adults last year: 269."),
        (PLANTS, "Осталось 109 томатов, 106 перцев и 38 баклажанов."),
        (PLANTS, "Выручка пока 20 130 рублей от 227 проданных."),
        (TILES, "«Люкс» | три недели | 41 904 ₽"),
    ],
)
def test_what_can_be_worked_out_is_not_accused(rows, body):
    assert accusations(rows, body) == []


def test_days_between_two_dates_are_told_apart():
    rows = (
        user("Served on 3 March, 30 days, so the appeal is due on 2 April."),
        assistant(
            "Noted: served 3 March, 30 days, due 2 April. The permit of the other one expires on 30 May."
        ),
        user("I want it in by 30 March."),
    )
    lead = "The appeal of the first client is due thirty days after service. "
    assert accusations(rows, f"{lead}The user aims at three days earlier, Monday 30 March.") == []


def test_a_value_is_looked_for_beside_itself():
    assert place_of("103,10", "in all 9.103,10, that is 103,10 over") == 25
    assert place_of("12", "none") == -1


@pytest.mark.parametrize(
    ("rows", "body", "value"),
    [
        (HALL, "The deposit for Corn Hall is 610, due on 30 October.", "610"),
        (MOVE, "Rossi chiede un acconto di 495 euro.", "495 euro"),
        (BATH, "Die Fliesen kosten 638,10 €.", "638,10 €"),
    ],
)
def test_what_is_wrong_is_accused_still(rows, body, value):
    assert value in accusations(rows, body)


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ("16", "but 16 over the limit"),
        ("three days", "three days earlier"),
        ("24,20", "es 24,20 € más barato"),
        ("9 720", "Разница 9 720 ₽"),
        ("300", "每桌贵 300 元"),
    ],
)
def test_a_difference_is_known_by_the_word_beside_it(value, line):
    assert is_difference(value, line)


@pytest.mark.parametrize(
    ("value", "line"), [("250", "over 250"), ("7.0", "It remains until 7.0."), ("16", "la TVA reste à 16 %")]
)
def test_a_bound_is_no_difference(value, line):
    assert not is_difference(value, line)
    assert not is_relative(value, line)


def test_a_value_that_is_not_in_its_line_is_compared_with_nothing():
    assert not is_compared("16", "17 over the limit")
    assert not is_relative("16", "17 over the limit")


def test_a_pair_is_two_in_chinese():
    assert [one.size for one in read_numbers("大巴两辆")] == [2.0]


def test_digits_in_another_order_that_the_source_has_too_are_no_slip():
    rows = (
        *TILES[:2],
        user("А пол?"),
        assistant("Пол 3,4 м², с запасом 22 плитки. Всего 140 плиток, 24 упаковки «Люкс» (144 штуки)."),
    )
    body = "Стены: с запасом в 15 % 118 штук. Первый расчёт, {} штуки при запасе 10 %, больше не действует."
    assert "104 штуки" not in accusations(rows, body.format(104))
    assert "401 штуки" in accusations(rows, body.format(401))
