"""A figure of a handoff is told of its source in many forms, and one that is told of nothing is known."""

import pytest

from hermes_sessions.audit.figures.told_figures import FigureTelling, ToldFigures, is_told_of
from hermes_sessions.audit.figures.written_numbers import read_numbers, scale_behind


def told(*texts: str) -> ToldFigures:
    return ToldFigures([*enumerate(texts, start=1)])


@pytest.mark.parametrize(
    ("source", "value", "line", "telling"),
    [
        pytest.param("The hull has 1.048.576 rivets.", "1,048,576", "1,048,576 rivets", FigureTelling.SAID, id="grouped"),
        pytest.param("Miete: 73 000 im Jahr", "73", "73 тысячи в год", FigureTelling.SAID, id="thousands in words"),
        pytest.param("二百六十四箱ある", "264", "264 boxes", FigureTelling.SAID, id="signs"),
        pytest.param("neunundvierzig Stühle", "49", "49 chairs", FigureTelling.SAID, id="a word"),
        pytest.param("The tank holds 1.347,60 litres", "1.347", "ruim 1.347 liter", FigureTelling.REWORDED, id="cut off"),
        pytest.param("We counted 2,913 eggs", "2,900", "2,900 eggs", FigureTelling.REWORDED, id="hundreds"),
        pytest.param("We counted 2,913 eggs", "2,950", "almost 2,950 eggs", FigureTelling.REWORDED, id="nearly"),
        pytest.param("elapsed: 2217 s", "37 minutes", "just under 37 minutes", FigureTelling.REWORDED, id="minutes"),
        pytest.param("it took 3h07m", "187 minutes", "187 minutes in all", FigureTelling.SAID, id="parts of a length"),
        pytest.param("Start 08:14, end 09:01.", "47 minutes", "It took 47 minutes.", FigureTelling.REWORDED, id="two times"),
        pytest.param("share: 0.683", "68.3", "68.3 % of them", FigureTelling.REWORDED, id="a fraction"),
        pytest.param("tins", "391", "391 tins: 170, 95 and 126", FigureTelling.RECKONED, id="a sum in the line"),
        pytest.param("tins", "1,872", "12.00 x 26 x 6 = 1,872", FigureTelling.RECKONED, id="a product of three"),
        pytest.param("tins", "208", "208 fewer (611 to 403)", FigureTelling.RECKONED, id="a difference in the line"),
        pytest.param("Rent was 8,140, now 9,380.", "1,240", "1,240 more rent", FigureTelling.LIKELY, id="a difference"),
        pytest.param("7 crates of 46", "322", "322 lemons", FigureTelling.LIKELY, id="a product"),
        pytest.param("We may spend 917 on it.\nIt costs 655.", "262", "262 are left", FigureTelling.LIKELY, id="what is left"),
        pytest.param("It came to 655 pounds", "773", "773 pounds", FigureTelling.NOWHERE, id="nothing"),
    ],
)  # fmt: skip
def test_how_surely_a_figure_can_be_told(source, value, line, telling):
    assert told(source).telling(value, line) is telling


def test_numbers_of_two_messages_make_a_figure_likely_where_there_are_few():
    few = ("We may spend 917.", "It costs 655.")
    many = (*few, *(f"Berth {at}: {at * 1_009} kg" for at in range(30, 60)))
    assert told(*few).telling("262", "262 are left") is FigureTelling.LIKELY
    assert told(*many).telling("262", "262 are left") is FigureTelling.POSSIBLE


@pytest.mark.parametrize(
    ("value", "line", "source", "is_told"),
    [
        pytest.param("1.347 euro", "ruim 1.347 euro", "1.347,60 euro", True, id="cut off"),
        pytest.param("37 minutes", "nearly 37 minutes", "2217 s", True, id="another unit"),
        pytest.param("250 s", "after 250 s", "250 ms", False, id="one number of two units"),
        pytest.param("1.374 euro", "1.374 euro", "1.347,60 euro", False, id="other digits"),
    ],
)
def test_a_figure_is_another_one_less_exactly(value, line, source, is_told):
    assert is_told_of(value, line, source) is is_told


def test_a_half_and_a_scale_belong_to_the_number():
    assert {one.size for one in read_numbers("five and a half minutes, 73 тысячи")} >= {5.5, 73_000.0}
    assert scale_behind("73 km", 2) == 1.0


@pytest.mark.parametrize(
    "text", ["Dreißig Stühle", "dreißig", "DREIẞIG", "DREISSIG", "Dreissig", "Einunddreißig"]
)
def test_a_sharp_s_of_a_number_may_stand_in_any_form(text):
    assert [one.size % 30 for one in read_numbers(text)] == [float(text.startswith("Ein"))]


def test_parts_of_dates_and_codes_are_not_added_up():
    assert [one.size for one in read_numbers("pg-7 2026-03-19 14:02 85") if one.is_free] == [85.0]


def test_long_texts_are_read_once():
    source = told("\n".join(f"row {at} {at * 7}" for at in range(20_000)))
    assert source.telling("773001", "773001 rows") is FigureTelling.POSSIBLE
