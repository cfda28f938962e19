"""The numbers of a line are read once, and a figure finds its own and the other ones."""

import random

from hermes_sessions.audit.figures import told_figures
from hermes_sessions.audit.figures.line_numbers import LineNumbers
from hermes_sessions.audit.figures.told_figures import FigureTelling, ToldFigures
from hermes_sessions.audit.figures.written_numbers import PART, read_numbers

WORDS = ["12 ", "3.5 ", "1,204 ", "forty-nine ", "12 340 ", "0 ", "%", "k ", "五百 ", "x", "seven ", "12:30 "]


def plainly(value: str, line: str):
    found = list(read_numbers(line))
    single = [one for one in found if one.unit != PART]
    at = line.find(value)
    asked = [one for one in single if at >= 0 and at <= one.start and one.end <= at + len(value)]
    if not asked:
        sizes = {abs(one.size) for one in read_numbers(value)}
        asked = [one for one in single if abs(one.size) in sizes]
    others = [
        abs(one.size)
        for one in found
        if one.size and all(one.end <= own.start or one.start >= own.end for own in asked)
    ]
    return asked, others[:4]


def test_a_figure_is_found_among_the_numbers_of_its_line():
    chance = random.Random(6)
    for _ in range(3_000):
        line = "".join(chance.choices(WORDS, k=chance.randint(1, 14)))
        value = chance.choice([*WORDS, line[chance.randint(0, 5) : chance.randint(5, 12)]]).strip()
        numbers = LineNumbers(line)
        asked = list(numbers.of(value))
        assert (asked, list(numbers.beside(asked, 4))) == plainly(value, line), (value, line)


def test_of_too_many_figures_the_last_may_be_worked_out(monkeypatch):
    told = [(1, "The tower has 7 floors and 31 rooms.")]
    line = "There are 4711 chairs."
    assert ToldFigures(told).telling("4711", line) is FigureTelling.NOWHERE
    monkeypatch.setattr(told_figures, "_MOST_TRIED", 0)
    assert ToldFigures(told).telling("4711", line) is FigureTelling.POSSIBLE
