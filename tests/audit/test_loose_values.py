"""Quantities that a handoff gives less exactly than its source, and those that only seem so."""

import pytest

from tests.audit.builders import assistant, call, tool, user
from tests.audit.test_check import departures, graver

# ruff: noqa: E501
CASES = [
    ("The step took 4 h 22 min of 5 h 20 min.", "The step took 262 of 320 minutes.", "The step took 622 of 320 minutes."),
    ("The step takes 12 min 5 s now.", "The step takes 12:05 min.", "The step takes 21:05 min."),
    ("The step takes 12 min 5 s now.", "Der Schritt dauert jetzt zwölf Minuten.", "Der Schritt dauert jetzt 21 min 5 s."),
    ("The flush took 7.4381 s.", "The flush took over seven seconds.", "The flush took over 74 seconds."),
    ("It took 5 h 20 min before.", "以前は5時間20分かかった。", "以前は2時間50分かかった。"),
    ("The dump has 388 MB.", "The dump has about 390 MB.", "The dump has about 930 MB."),
    ("The dump has 388 MB.", "备份约 390 MB。", "备份约 930 MB。"),
    ("The half-width is 0.038 at dose 0.", "The half-width is 0.04 at dose 0.", "The half-width is 0.083 at dose 0."),
    ("The limit is -Xmx768m, the container has 512Mi.", "limit 512Mi < heap 768m.", "limit 215Mi < heap 768m."),
    ("Last State: OOMKilled, Exit Code:    137", "It was killed with exit code 137.", "It was killed with exit code 173."),
    ("312 tests completed, 1 failed, 4 skipped", "307 of 312 tests passed, 1 failed, 4 skipped.", "317 tests passed, 1 failed, 4 skipped."),
    ("The switch is on Saturday, 19 September 2026. Tell Olga the day before.", "Tell Olga on 18 September 2026.", "Tell Olga on 28 September 2026."),
    ("We start in September 2026, on 1 September.", "Start: September 2026.", "Start: October 2026."),
    ("제출일은 2 June.", "제출일: 6월 2일.", "제출일: 6월 12일."),
    ("At dose 1.0 there are 118 responses, else 120.", "At dose 1.0 two of 120 responses were missing.", "At dose 1.0 there are 181 responses."),
    ("Return at 17:45 at the latest, 49 seats.", "Retour à 17 h 45 au plus tard, 49 places.", "Retour à 17 h 54 au plus tard, 49 places."),
]  # fmt: skip


@pytest.mark.parametrize(("said", "faithful", "altered"), CASES)
def test_what_is_said_less_exactly_is_said(said, faithful, altered):
    before = [user("Look into it."), assistant("Exit code 0, 300 rows."), assistant(said), user("Go on")]
    assert graver(faithful, before, keep=[3]) == []


@pytest.mark.parametrize(("said", "faithful", "altered"), CASES)
def test_what_is_something_else_is_found(said, faithful, altered):
    before = [user("Look into it."), assistant("Exit code 0, 300 rows."), assistant(said), user("Go on")]
    told = [set(departures(one, before, keep=[3])) for one in (altered, faithful)]
    assert told[0] - told[1]


def test_a_setting_that_is_to_be_raised_is_a_plan():
    before = [assistant("The versionCode is 118."), user("Go on")]
    planned = "## Next Steps\n- raise versionCode from 118 to 119"
    assert graver(planned, before, keep=[1]) == []
    assert graver("The versionCode: 119.", [assistant("versionCode = 118"), user("Go on")], keep=[1]) != []


def test_a_file_that_is_yet_to_be_written_is_not_invented():
    before = [user("Write the report to out/report.txt, a German one later.")]
    assert graver("A German one is to be written, e.g. to out/report_de.txt.", before) == []
    assert graver("The German one was written to out/report_de.txt.", before) != []


def test_whose_something_is_says_nothing_of_what_is_forbidden_with_it():
    before = [user("Fix the parser. And don't touch the ignored test, that is Wen's."), user("Go on")]
    assert graver("The ignored test is Wen's.", before, keep=[1]) == []
    assert graver("The ignored test may be touched, says Wen.", before, keep=[1]) != []


EDIT = call("patch", path="app.yaml", old_string="pool_size: 20", new_string="pool_size: 30")


@pytest.mark.parametrize(
    "shown",
    [assistant("Changing it.", EDIT), tool("c1", "@@ -1,2 +1,2 @@\n-pool_size: 20\n+pool_size: 30\n")],
    ids=["call", "diff"],
)
def test_the_ends_of_an_edit_are_not_exchanged(shown):
    before = [user("The pool is too small, make it larger."), shown, user("Go on")]
    assert graver("The pool size was changed from 20 to 30.", before, keep=[2]) == []
    assert graver("连接池由 20 改为 30。", before, keep=[2]) == []
    assert graver("The pool size was changed from 30 to 20.", before, keep=[2]) != []
    assert graver("连接池由 30 改为 20。", before, keep=[2]) != []


@pytest.mark.parametrize(
    ("said", "faithful", "altered"),
    [
        ("The orders come to 214,907.45 CHF.", "About 215,000 CHF.", "About 215,000 EUR."),
        ("预算为 3000 元。", "The budget is ¥3000.", "The budget is 3000 EUR."),
        ("It costs 12 EUR, or 14 USD.", "It costs 14 USD.", "It costs 12 GBP."),
    ],
)
def test_a_currency_that_nobody_named_contradicts(said, faithful, altered):
    before = [user(said), user("Go on")]
    assert graver(faithful, before, keep=[1]) == []
    assert graver(altered, before, keep=[1]) != []
