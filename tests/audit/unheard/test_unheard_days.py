"""Days and times that are nowhere are accusations; what follows from others, or may be meant, is none."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import NOON, assistant, compacted, user

MOVE = (
    user("The gateway moves on 14 August at 22:30, when the shop is quiet. Ask Ines before you touch DNS."),
    assistant("Noted: gateway on 14 August, 22:30, Ines first. The copy takes 45 minutes."),
    user("The invoices are due two weeks later, the audit is on Friday 4 September."),
    assistant("Written down."),
)


def accusations(rows, body):
    told = compacted(rows, body=body).measured().deviations
    return [(one.grade, one.value) for one in told if one.grade is not Grade.NOT_VERBATIM]


@pytest.mark.parametrize(
    ("body", "accused"),
    [
        ("Somebody has to be at the data centre by 19 October.", [(Grade.INVENTED, "19 October")]),
        ("The day to keep free for all of it: 2026-10-19.", [(Grade.INVENTED, "2026-10-19")]),
        ("Whoever is on call should expect it around 19:40.", [(Grade.INVENTED, "19:40")]),
        ("The gateway moves on 14 August at 20:30.", [(Grade.CONTRADICTS, "20:30")]),
        ("The gateway moves on 8/14 at 10:30 pm, the audit is on 4.9.", []),
        ("The invoices are due on 28 August.", []),
        ("The copy is done at 23:15 on the day of the move.", []),
        ("The audit is on 04/09, the Friday after the move.", []),
        ("## Next steps\n- Meet at the data centre on 19 October, 19:40.", []),
    ],
)
def test_a_day_that_nobody_named(body, accused):
    assert accusations(MOVE, body) == accused


@pytest.mark.parametrize(("body", "is_accused"), [("| lint | 2:10 |", False), ("| lint | 2:40 |", True)])
def test_minutes_and_seconds_are_no_time_of_day(body, is_accused):
    rows = (user("How long does each take?"), assistant("lint 2m10s, docs 3m17s"))
    assert bool(accusations(rows, f"| job | took |\n|---|---|\n{body}")) is is_accused


@pytest.mark.parametrize(("told", "is_accused"), [("夜10時半すぎ", False), ("夜9時10分", True)])
def test_a_time_that_is_only_passed_is_not_exact(told, is_accused):
    rows = (user("いつ変えた？"), assistant("コミットは5月12日 22:36 です。"))
    assert bool(accusations(rows, f"健太さんが{told}に間隔を延ばした。")) is is_accused


@pytest.mark.parametrize(
    "said",
    [
        "It is due on the 19th.",
        "Es muss bis zum 19. fertig sein.",
        "Two dates are open: October 12 and 19.",
        "The log is called gateway-20261019.log.",
        "C'est prévu pour le 19/10.",
        "It has to be there the day before 20 October.",
    ],
)
def test_a_day_that_may_be_meant_by_half(said):
    assert accusations((*MOVE, user(said)), "It has to be ready by 19 October.") == []


@pytest.mark.parametrize(
    "said",
    [
        "The train leaves at 7:40 pm.",
        "Der Zug geht um 19 Uhr 40.",
        "It starts at 19:10 and takes 30 minutes.",
        "In UTC that is 17:40.",
        "The doors open at 18:40, an hour before.",
    ],
)
def test_a_time_that_may_be_meant(said):
    assert accusations((*MOVE, user(said)), "Everybody should be at the gate around 19:40.") == []


def test_a_day_after_another_and_the_name_of_a_weekday():
    rows = (*MOVE, user("Let's meet on the Thursday before the audit."))
    assert accusations(rows, "They meet on 3 September.") == []


def test_the_day_on_which_something_was_said():
    body = "What is asked for since 1 January 2026: a new home for all of it."
    assert accusations(MOVE, body) == [(Grade.INVENTED, "1 January 2026")]
    assert accusations((*MOVE, user("Go on.", created_at=NOON)), body) == []


def test_a_number_before_the_german_word_for_on_is_no_time():
    rows = (user("Besichtigung am Donnerstag, Gartenweg 5, um 18:30 Uhr."), assistant("Notiert."))
    assert accusations(rows, "Besichtigung Gartenweg 5 am Donnerstag um 18:30 Uhr.") == []


TENANCY = (
    user("The garden is let from March on, for 18 months, at 40 crowns a month. Guests come at 6:40."),
    assistant("Noted. Each reading is kept for 90 days; the ferry takes 95 minutes. Readings on Saturdays."),
    user("The feast is on Tuesday 12 May 2026."),
)


@pytest.mark.parametrize(
    ("body", "is_accused"),
    [
        ("The first rent is due on 1 March, the last one on 1 August 2027.", False),
        ("The first rent is due on 1 February.", True),
        ("It ends on 31 August 2027.", False),
        ("The reading of 16 May is kept until 14 August.", False),
        ("The reading of 16 May is kept until 24 August.", True),
        ("They are there before 7:00.", False),
        ("They are there before 9:00.", True),
        ("The ferry is slow (1:35).", False),
        ("The ferry is slow (1:53).", True),
    ],
)
def test_a_day_or_time_that_follows(body, is_accused):
    assert bool(accusations(TENANCY, body)) is is_accused


@pytest.mark.parametrize("moment", [1e20, -1e20, float("nan"), float("inf")])
def test_a_row_that_was_stored_at_no_moment_is_read(moment):
    rows = (*MOVE, user("Go on.", created_at=moment))
    assert accusations(rows, "Be there on 19 October.") == [(Grade.INVENTED, "19 October")]


@pytest.mark.parametrize("day", ["2026-13-31", "2026-00-01", "31/13/2026", "2026年15月31日"])
def test_a_day_of_no_month_is_none(day):
    assert [value for _, value in accusations(MOVE, f"Be there on {day}.") if value != day] == []


LAUNCH = (
    user("The launch is on 14 March."),
    user("Offices are closed 18-19, so ask before."),
    assistant("Launch on 14 March."),
)
GAMES = (user("Today is 15 January, and this weekend, 18-19, we play in the league."), assistant("Noted."))


@pytest.mark.parametrize(
    ("rows", "body", "is_accused"),
    [
        (LAUNCH, "The launch is on 24 March.", True),
        (GAMES, "This weekend, 19 January, we play in the league.", False),
        (GAMES, "This weekend, 29 January, we play in the league.", True),
    ],
)
def test_an_end_of_a_range_of_its_line_may_be_meant(rows, body, is_accused):
    assert bool(accusations(rows, body)) is is_accused
