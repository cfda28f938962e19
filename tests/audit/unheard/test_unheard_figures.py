"""Figures that are nowhere and follow from nothing are accusations; a day, a count, a sum are none."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from hermes_sessions.audit.figures.totals import is_total
from tests.audit.builders import assistant, compacted, user

HOUSE = (
    user("We heat the country house anew: a boiler of 8 kW, and pipes with insulation."),
    assistant("The boiler is 84,000 roubles, delivery in three weeks. It needs a breaker of its own."),
    user("And the pipes?"),
    assistant("Pipes with insulation come to 25,650 roubles. The neighbour lends his tools."),
)
SEEDLINGS = (
    user("240 tomatoes, 180 peppers, 60 aubergines. We sell them at 90, 80 and 110 roubles."),
    assistant("Sold: 131 tomatoes, 74 peppers, 22 aubergines."),
)


def accusations(rows, body):
    told = compacted(rows, body=body).measured().deviations
    return [one.value for one in told if one.grade is not Grade.NOT_VERBATIM]


@pytest.mark.parametrize(
    ("body", "accused"),
    [
        ("Whatever leads to the radiators was put at 38,900 roubles by the dealer.", ["38,900 roubles"]),
        ("Somebody quoted 417.35 for the valves.", ["417.35"]),
        ("Whatever leads to the radiators was put at 25,650 roubles by the dealer.", []),
        ("Both together are 109,650 roubles.", []),
        ("The pipes are 58,350 roubles cheaper than the boiler.", []),
        ("Everything has to be in by 25.07.", []),
        ("The boiler gives 0.008 MW.", []),
        ("The dealer rang at 11.15 and will ring again.", []),
        ("We went through 37 pages of the catalogue.", ["37 pages"]),
        ("We went through 17 pages of the catalogue.", []),
        ("Whatever leads to the radiators takes 19 days.", ["19 days"]),
    ],
)
def test_a_figure_that_is_nowhere_is_an_accusation(body, accused):
    assert accusations(HOUSE, body) == accused


def test_a_figure_is_named_once():
    body = "Ordered: the boiler at 84,000 roubles, and pipes with insulation at 26,550 roubles."
    assert accusations(HOUSE, body) == ["26,550 roubles"]


def test_what_many_numbers_make_is_none():
    assert accusations(SEEDLINGS, "The till holds 20,130 roubles from that.") == []
    assert accusations(SEEDLINGS, "The till holds 20,780 roubles from that.") == ["20,780 roubles"]


@pytest.mark.parametrize(
    ("size", "room", "is_one"),
    [(60.0, 0.5, True), (20.0, 0.5, True), (320.0, 0.5, True), (61.0, 0.5, False), (20.6, 0.05, False)],
)
def test_totals_means_and_sums_of_products(size, room, is_one):
    assert is_total(size, room, [[10.0, 20.0, 30.0], [4.0, 5.0, 6.0]]) is is_one


def test_a_row_of_many_numbers_is_looked_through_up_to_a_bound():
    rows = [[float(number) for number in range(1, 400)] for _ in range(3)]
    assert is_total(0.5, 0.0, rows) is False


LOFTS = (
    user("Find out why the results are wrong."),
    assistant("ring,loft,stop,distance\nPT-2231874,Acácio,13:58:10,622.410\nPT-2231875,Rui,13:59:02,601.220"),
    user("A distância certa é 622,140 km, alguém trocou os algarismos."),
)


@pytest.mark.parametrize(
    ("body", "accused"),
    [
        ("A distância tinha algarismos trocados: 622,410 em vez de 622,140 km.", []),
        ("Antes estava 642,410 na tabela.", ["642,410"]),
    ],
)
def test_a_cell_of_a_row_without_blanks_is_there(body, accused):
    assert accusations(LOFTS, body) == accused


TABLE = (
    user("Add up what the stalls brought in. The lease is over on 31.12.2027, and 640 came."),
    assistant("bread,12,204\ncheese,4,318\nhoney,9,1170\nwool,2,96\nAll of it cost 47,186.40 crowns."),
)


@pytest.mark.parametrize(
    ("body", "accused"),
    [
        ("Bread, cheese and honey: 1,692.", []),
        ("Bread, cheese and honey: 1,962.", ["1,962"]),
        ("That makes 73.73 crowns for whoever came.", []),
        ("That makes 78.73 crowns for whoever came.", ["78.73 crowns"]),
        ("It is over at the end of 2027.", []),
        ("It is over at the end of 2047.", ["2047"]),
    ],
)
def test_columns_quotients_and_years(body, accused):
    assert accusations(TABLE, body) == accused
