"""Masking against labelled lists: two that the rules were written with, two that they were only tried on."""

import json

import pytest

from hermes_sessions.redact import KINDS, find_secrets, redact
from tests.secret_cases import Case, load_cases
from tests.stopwatch import assert_growth

TRIED_ON = ("", "_held_out")


def _is_found(case: Case) -> bool:
    """Return whether no character of the secret is left; blanks do not count."""
    places = find_secrets(case.text, KINDS)
    return all(
        case.text[at].isspace() or any(start <= at < end for start, end, _ in places)
        for at in range(case.start, case.end)
    )


@pytest.mark.parametrize(
    ("name", "least"), [("found", 120), ("found_held_out", 60), ("left", 100), ("left_held_out", 50)]
)
def test_the_lists_are_long_and_say_nothing_twice(name: str, least: int) -> None:
    cases = load_cases(name)
    assert len({case.text for case in cases}) == len(cases) >= least
    assert all(bool(case.secret) == name.startswith("found") for case in cases)


@pytest.mark.parametrize("tried", TRIED_ON)
def test_nine_of_ten_secrets_are_masked_whole(tried: str) -> None:
    cases = load_cases(f"found{tried}")
    missed = [case.text for case in cases if not _is_found(case)]
    assert len(missed) <= 0.1 * len(cases), missed


@pytest.mark.parametrize("tried", TRIED_ON)
def test_at_most_four_look_alikes_in_a_hundred_are_masked(tried: str) -> None:
    cases = load_cases(f"left{tried}")
    masked = [redact(case.text).text for case in cases if redact(case.text).text != case.text]
    assert len(masked) <= 0.04 * len(cases), masked


@pytest.mark.parametrize("tried", TRIED_ON)
def test_masking_a_masked_case_changes_nothing(tried: str) -> None:
    for case in load_cases(f"found{tried}"):
        once = redact(case.text).text
        assert redact(once).text == once


@pytest.mark.parametrize("tried", TRIED_ON)
def test_what_stands_before_a_secret_stays(tried: str) -> None:
    """Three hold a second secret, a cookie or a mark before it."""
    cases = load_cases(f"found{tried}")
    eaten = [c.text for c in cases if not redact(c.text).text.startswith(c.text[: max(0, c.start - 12)])]
    assert len(eaten) <= 0.03 * len(cases), eaten


@pytest.mark.parametrize("value", ["hunter2!x", "two words 9", "opensesame", 'with "quotes" 7'])
def test_json_with_a_password_in_it_stays_json(value: str) -> None:
    text = json.dumps({"password": value, "after": 1})
    assert json.loads(redact(text).text) == {"password": "[redacted:password]", "after": 1}


@pytest.mark.parametrize(
    "text",
    [
        "token=token=a1",
        "cookie: a=b; ",
        "key: ",
        "密码",
        "mot de passe a ",
        "mysql -p",
        "--password='",
        ":*:a:b",
        "=dp.st.a1B2",
        "://aaaaaaaaaaaaaaaaaaaaa1",
        "login a password ",
        "PASSWORD=your_a_",
        'token: "',
    ],
)
def test_one_rule_met_everywhere_takes_seconds_at_most(text: str) -> None:
    whole = text * (200_000 // len(text))
    quarter = whole[: len(whole) // 4]
    assert_growth(lambda: redact(quarter), lambda: redact(whole), 8, little=0.5)
