"""Durations, in figures and in words, their parts read as one."""

from time import thread_time

import pytest

from hermes_sessions import extract_facts
from hermes_sessions.facts.quantities.durations import (
    Duration,
    lines_with_figures,
    read_durations,
    same_length,
)


def seconds(text, **how):
    return [one.seconds for one in read_durations(text, **how)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5 h 20 min", 19_200),
        ("5h20", 19_200),
        ("4h22m", 15_720),
        ("12m05s", 725),
        ("real 2m05.500s", 125.5),
        ("12:05 min", 725),
        ("5:20 h", 19_200),
        ("1.5 min", 90),
        ("five hours and twenty minutes", 19_200),
        ("zwei Stunden", 7_200),
        ("Dreißig Minuten", 1_800),
        ("DREISSIG MINUTEN", 1_800),
        ("cinq jours", 432_000),
        ("за десять минут", 600),
        ("5 часов 20 минут", 19_200),
        ("かかったのは5時間20分でした", 19_200),
        ("两小时", 7_200),
        ("5시간 20분", 19_200),
        ("5 saat 20 dakika", 19_200),
        ("half an hour", 1_800),
    ],
)
def test_a_duration_is_read_whole(text, expected):
    assert seconds(text) == [expected]


@pytest.mark.parametrize("text", ["port 8123", "v1.2.3", "10:30", "two tests", "x86h", "3.4.5 s"])
def test_what_lasts_no_time_is_none(text):
    assert seconds(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the oven needs a quarter of an hour", 900),
        ("noch eine halbe Stunde", 1_800),
        ("dans une demi-heure", 1_800),
        ("fra mezz'ora", 1_800),
        ("через полчаса", 1_800),
        ("약 반시간", 1_800),
        ("三分钟", 180),
    ],
)
def test_words_alone_say_how_long(text, expected):
    assert seconds(text) == [expected]


def test_lines_without_a_duration_in_figures_are_passed_over():
    text = "12| pears\nkept 40 s\nv 3\n5h30 of it, 2 h more\nten minutes"
    assert list(lines_with_figures(text)) == ["kept 40 s", "5h30 of it, 2 h more"]


def test_a_larger_part_begins_another_duration():
    assert seconds("5 min 2 h") == [300, 7_200]


def test_words_are_left_out_on_request():
    assert seconds("ten minutes, then 30 s", spelled=False) == [30]


def test_the_coarser_form_decides_what_is_the_same():
    exact = Duration(0, 0, 15_720, 60)
    assert same_length(exact, Duration(0, 0, 14_400, 3_600))
    assert not same_length(exact, Duration(0, 0, 18_000, 3_600))
    assert not same_length(exact, Duration(0, 0, 15_780, 60))


@pytest.mark.parametrize("piece", ["1", "5 h ", "1h", "ten ", "a-", "111 ", "12:", "五", "\u0660 "])
def test_a_hostile_text_takes_linear_time(piece):
    def took(size):
        text = (piece * size)[:size]
        start = thread_time()
        for _ in read_durations(text):
            pass
        return thread_time() - start

    short, long = min(took(20_000) for _ in range(3)), min(took(80_000) for _ in range(2))
    assert long < 12 * short + 0.05


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("pg_restore -j 4 -d zeit", []),
        ("make -j 8 -s all", []),
        ("keep it for 4 d", ["4 d"]),
        ("a 20-min lock", ["20-min"]),
    ],
)
def test_an_option_after_a_number_is_no_unit(text, found):
    facts = extract_facts({"role": "user", "content": text})
    assert [one.value for one in facts if one.kind == "duration"] == found
