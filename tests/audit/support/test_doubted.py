"""What a second look at its own evidence puts in doubt is no accusation; its near twin is one still."""

import pytest

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.figures.told_figures import ToldFigures
from hermes_sessions.audit.support.doubted import softly
from tests.audit.builders import assistant, compacted, tool, user

RUNS = (
    user("Test the parser, please, and load it with 50 clients."),
    assistant("Running both."),
    tool("c1", "SUMMARY 84 passed, 4 failed\nload: http_failed 6 of 2210"),
    assistant("Four fail. I mend the lexer."),
    tool("c2", "SUMMARY 88 passed, 0 failed"),
    assistant("All 88 tests passed."),
)
FERRY = (
    user("Never paint the hull, Piet does that. No guest comes aboard before Wanda has counted the vests."),
    user("The ferry leaves at 6:40. The crossing takes 95 minutes. Tickets are 1,450 crowns a month."),
    assistant("Noted: 12 vests in the bow, 17 in the stern, 8 on deck. The pump runs for 30 days on trial."),
)


def accusations(rows, body):
    told = compacted(rows, body=body).measured().deviations
    return [(one.rule, one.value) for one in told if one.grade is not Grade.NOT_VERBATIM]


def doubted(rule, told, source, *texts, kind="negation", line="", source_line="", handoff="", key=""):
    found = Deviation(
        Grade.CONTRADICTS,
        kind,
        told,
        line or told,
        rule,
        source,
        source_line or source,
        3,
        grave=True,
        key=key,
    )
    (one,) = softly([found], ToldFigures([(1, text) for text in texts or (source,)], handoff or told))
    return one.grade is Grade.NOT_VERBATIM


@pytest.mark.parametrize(
    ("body", "is_accused"),
    [
        ("88 tests passed; the load test saw 6 failed requests of 2210.", False),
        ("One of 15 tests failed in the run of yesterday.", False),
        ("Test load run #1 failed, run #2 went through.", False),
        ("After the lexer was mended 89 tests passed.", True),
        ("After the lexer was mended 88 tests passed.", False),
    ],
)
def test_a_count_of_something_else_is_no_result_of_tests(body, is_accused):
    assert bool(accusations(RUNS, body)) is is_accused


@pytest.mark.parametrize(
    ("line", "is_doubted"),
    [
        ("Load run 2 failed, load run 3 passed.", True),
        ("Of 2 failed nothing is known.", True),
        ("Then 2 failed.", False),
    ],
)
def test_a_number_of_a_run_counts_no_tests(line, is_doubted):
    same = {"kind": "test_result", "line": line}
    assert doubted("same-outcome", "2 failed", "0 failed", "88 passed, 0 failed", **same) is is_doubted


def test_a_number_that_the_source_has_in_words_is_said():
    beside = "Six of the last 40 runs failed."
    line = "15 % of the last forty runs failed (6)."
    assert doubted("same-sentence", "6", "40", kind="number", line=line, source_line=beside)
    assert not doubted("same-sentence", "7", "40", kind="number", line=line, source_line=beside)


def test_a_number_without_a_unit_has_any():
    assert doubted("other-unit", "30 seconds", "30 days", "sleep -n 30 pump; for 30 days", kind="number")
    assert not doubted("other-unit", "30 seconds", "30 days", "on trial for 30 days", kind="number")


@pytest.mark.parametrize(
    ("told", "source", "is_doubted"),
    [
        ("Piet paints the hull.", "Piet paints the hull, so do not paint it.", True),
        ("Paint the hull.", "Do not paint the hull, Piet is there.", False),
        ("Wanda counts the vests before guests come.", "No guests come before Wanda counts the vests.", True),
        (
            "Guests come before Wanda counts the vests.",
            "No guests come before Wanda counts the vests.",
            False,
        ),
    ],
)
def test_a_sentence_is_denied_as_a_whole(told, source, is_doubted):
    assert doubted("negation", told, source) is is_doubted


@pytest.mark.parametrize(
    ("handoff", "is_doubted"),
    [("| Painting the hull | no | Piet |", True), ("| Painting the hull | yes | Piet |", False)],
)
def test_the_next_column_may_say_no(handoff, is_doubted):
    source = "Never paint the hull, Piet does that."
    assert doubted("ban-dropped", "Painting the hull", source, handoff=handoff) is is_doubted


@pytest.mark.parametrize(
    ("body", "is_accused"),
    [
        ("Painting the hull: forbidden.", False),
        ("Wanda counts the vests before any guest comes aboard.", False),
        ("37 vests: 12 in the bow, 17 in the stern, 8 on deck.", False),
        ("The ferry is off before 7:00.", False),
        ("Tickets are 17,400 crowns a year.", False),
        ("Tickets are 1,540 crowns a month.", True),
        ("The ferry leaves at 7:20.", True),
    ],
)
def test_what_is_told_in_another_form_is_not_accused(body, is_accused):
    assert bool(accusations(FERRY, body)) is is_accused


@pytest.mark.parametrize(
    ("line", "value", "source", "is_doubted"),
    [
        ("Pumps run for 18 to 22 minutes.", "22 minutes", "20 minutes", True),
        ("Pumps run for 22 minutes.", "22 minutes", "20 minutes", False),
        ("26 vests more than needed lie there.", "26", "70", True),
        ("26 vests are needed.", "26", "70", False),
    ],
)
def test_a_range_and_a_difference_are_no_slips(line, value, source, is_doubted):
    texts = ("70 vests are booked, 96 lie there, pumps run for 20 minutes",)
    kind = "duration" if "minutes" in value else "number"
    told = doubted("same-sentence", value, source, *texts, kind=kind, line=line, source_line=texts[0])
    assert told is is_doubted


@pytest.mark.parametrize(
    ("rule", "kind", "value", "source", "line", "is_doubted"),
    [
        ("misspelt", "number", "92 miles", "29 seats", "Coach: 92 miles there and back.", True),
        ("misspelt", "number", "92 seats", "29 seats", "Coach: 92 seats in all.", False),
        ("same-line", "number", "75", "64,20 €", "Trois sacs de colle en font 75.", True),
        ("same-line", "number", "75", "64,20 €", "Colle : 75 €, trois sacs.", False),
        ("same-line", "number", "81", "64,20 €", "Trois sacs de colle : 81.", False),
        ("swapped", "number", "72 GB", "27 GB", "It grows by 3 GB an hour, or 72 GB a day.", True),
        ("swapped", "number", "72 GB", "27 GB", "It grows by 5 GB an hour, or 72 GB a day.", False),
        ("same-line", "number", "9.30", "6 mm", "Backstay by Colm on Wednesday, 9.30 am", True),
        ("same-line", "number", "9.30", "9.40", "Backstay by Colm: 9.30", False),
        ("same-line", "number", "10-km", "10K", "The 10-km race is on Sunday.", True),
        ("same-slot", "duration", "5 hours", "5 minutes", "The copy takes 5 hours.", False),
        ("same-slot", "money", "5 €", "5 $", "The copy costs 5 €.", False),
        ("misspelt", "number", "47.5 tonnes", "475.0", "Expected crop 47.5 tonnes.", True),
        ("misspelt", "number", "47.5 tonnes", "475 tonnes", "Expected crop 47.5 tonnes.", False),
        ("other-part", "number", "one of the 412", "7 of 412", "Not one of the 412 differed.", True),
        ("other-part", "number", "one of the 412", "7 of 412", "So one of the 412 differed.", False),
    ],
)
def test_a_figure_of_another_sort_is_another_one(rule, kind, value, source, line, is_doubted):
    texts = ("3 sacs de 25 kg chacun", f"- colle : {source}")
    found = doubted(rule, value, source, *texts, kind=kind, line=line, source_line=f"- colle : {source}")
    assert found is is_doubted


@pytest.mark.parametrize(
    ("rule", "value", "source", "line", "is_doubted"),
    [
        ("same-sentence", "800", "150", "Usage is 431 GB of 800.", True),
        ("same-sentence", "860", "150", "Usage is 431 GB of 860.", False),
        ("same-sentence", "195", "2025", "Oggi se ne contano 60 contro i 195.", True),
        ("same-sentence", "32", "248", "OGN_GAIN z 40 na 32 dało błędy.", True),
        ("same-sentence", "38", "248", "OGN_GAIN z 40 na 38 dało błędy.", False),
        ("of-another", "84", "30", "Umidità 96%, altrove 84.", True),
        ("of-another", "84", "30", "Acqua 96%, altrove 84.", False),
    ],
)
def test_a_number_that_a_row_or_a_key_has_is_no_slip(rule, value, source, line, is_doubted):
    texts = ("/dev/sdb 800G 431G\n2025-05-08,18000,195", 'OGN_GAIN=32 {"umidita_pct": 84}')
    found = doubted(rule, value, source, *texts, kind="number", line=line, source_line=f"Make it {source}.")
    assert found is is_doubted


@pytest.mark.parametrize(
    ("rule", "told", "source", "is_doubted"),
    [
        ("done", "Last pushed commit 1c44fa8.", "The run for this last push is not watched yet.", True),
        ("done", "The run for the last push was watched.", "The run is not watched yet.", False),
        ("done", "It has not been pushed.", "Committed, neither pushed nor deployed.", True),
        ("done", "It has been pushed.", "Committed, neither pushed nor deployed.", False),
        ("negation", "Ni reembolsos ni reintentos.", "No reintentes ni reembolses nada.", True),
        ("ban-dropped", "A push, if one is wanted.", "Don't push.", True),
        ("ban-dropped", "A push, if one is wanted.", "Don't push if a test fails.", False),
        ("negation", "New dependencies are unwelcome.", "No new dependencies.", True),
        ("negation", "New dependencies are welcome.", "No new dependencies.", False),
        ("negation", "Delete unwanted backups.", "Never delete backups.", False),
        ("negation", "Unerwünschte Sicherungen löschen.", "Nie Sicherungen löschen.", False),
        ("negation", "Er ist noch da, und die Daten sind noch da.", "Die Daten sind nicht mehr da.", False),
        ("negation", "Reembolsos y reintentos.", "No reintentes ni reembolses nada.", False),
        ("turned-round", "Écarté : le Largo, une boîte de réserve.", "pas de boîte de réserve", True),
        ("turned-round", "Prévu : le Largo, une boîte de réserve.", "pas de boîte de réserve", False),
    ],
)
def test_a_denial_in_another_form_is_one(rule, told, source, is_doubted):
    assert doubted(rule, told, source) is is_doubted


@pytest.mark.parametrize(
    ("handoff", "is_doubted"),
    [
        ("SITE\nReady.\n\nDON'T\nwrite settings. publish before the proofreading.", True),
        ("DON'T\nwrite settings.\n\nSITE\npublish before the proofreading.", False),
        ("ORDER\npublish before the proofreading.", False),
        ("ORDER\nDON'T\npublish before the proofreading.", False),
    ],
)
def test_what_stands_under_a_title_that_bars_is_barred(handoff, is_doubted):
    told = "publish before the proofreading."
    said = doubted("exchanged", told, "Alasdair proofreads before you publish.", handoff=handoff)
    assert said is is_doubted


@pytest.mark.parametrize(
    ("line", "is_doubted"),
    [
        ("main is still at 5aa91fe, mixup-test was not used.", True),
        ("mixup-test is still at 5aa91fe, main was not used.", False),
    ],
)
def test_another_part_of_a_sentence_names_what_has_the_other_name(line, is_doubted):
    beside = "mixup-test e03c7c8 wip"
    said = doubted("of-another", "5aa91fe", "e03c7c8", kind="hash", line=line, source_line=beside)
    assert said is is_doubted


@pytest.mark.parametrize(
    ("value", "line", "is_doubted"),
    [
        ("15", "rotation_s portée de 8 à 15, les petits lisent lentement.", True),
        ("15", "rotation_s: 8 → 15", True),
        ("30", "rotation_s portée de 8 à 30, les petits lisent lentement.", False),
        ("15", "rotation_s est à 15.", False),
    ],
)
def test_a_value_behind_the_former_one_is_the_new_one(value, line, is_doubted):
    texts = ("rotation_s = 8", "sed -i s/rotation_s.*/rotation_s\\ =\\ 15/ ecran.ini", "30 kg de pommes")
    found = doubted("same-key", value, "8", *texts, kind="config", line=line, key="rotation_s")
    assert found is is_doubted


def test_an_amount_by_the_year_is_another_one():
    monthly = "Tickets are 1,450 crowns monthly"
    yearly = {"kind": "duration", "source_line": monthly}
    assert doubted("other-day", "yearly", "monthly", line="17,400 crowns yearly", **yearly)
    assert not doubted("other-day", "yearly", "monthly", line="1,450 crowns yearly", **yearly)


def test_a_value_many_times_another_one_is_of_something_else():
    assert doubted("only-value", "2,360 crowns", "18 crowns", kind="money", line="That makes 2,360 crowns.")
    assert not doubted("only-value", "28 crowns", "18 crowns", kind="money", line="A pass is 28 crowns.")


@pytest.mark.parametrize(
    ("rule", "line", "value", "source_line", "source", "text", "is_doubted"),
    [
        (
            "same-line",
            "Gold 31.4 %, Basic 8.2 %.",
            "31.4 %",
            "Basic 5.1 %.",
            "5.1 %",
            "Gold 812 0.31386",
            True,
        ),
        (
            "same-line",
            "Gold 31.4 %, Basic 8.2 %.",
            "31.4 %",
            "Basic 5.1 %.",
            "5.1 %",
            "Gold 812 0.41386",
            False,
        ),
        ("same-sentence", "Drawn with seed 12.", "12", "94 tests pass.", "94", "draw --seed=12", True),
        ("same-sentence", "Drawn with seed 12.", "12", "94 tests pass.", "94", "draw --seed=94 12", False),
        ("misspelt", "2.16 million calls", "2.16 million", "about 126 an hour", "126", "126", True),
        ("misspelt", "0.05 off", "0.05", "found '050 1234'", "050", "050 1234", True),
        ("misspelt", "0.5 % of it", "0.5 %", "5 % of it", "5 %", "5 %", False),
        ("misspelt", "385 after that", "385", "358 left", "358", "358, 361, 24", False),
        ("of-another", "She took 12.", "12", "Of 33 she took 12.", "33", "Of 33 she took 12.", True),
        ("of-another", "She took 12.", "12", "Of 33 she took 21.", "33", "Of 33 she took 21.", False),
        (
            "other-unit",
            "It is 13 ms faster.",
            "13 ms",
            "for 13 hours",
            "13 hours",
            "184 ms, 171 ms, 13 hours",
            True,
        ),
        (
            "other-unit",
            "It is 13 ms faster.",
            "13 ms",
            "for 13 hours",
            "13 hours",
            "184 ms, 175 ms, 13 hours",
            False,
        ),
    ],
)
def test_a_figure_that_is_told_elsewhere_in_its_own_right(
    rule, line, value, source_line, source, text, is_doubted
):
    kind = "percentage" if "%" in value else "number"
    found = doubted(
        rule, value, source, text, source_line, kind=kind, line=line, source_line=source_line, handoff=line
    )
    assert found is is_doubted


@pytest.mark.parametrize(
    ("handoff", "value", "is_doubted"),
    [
        ("Prohibited | paint on the hull; guests aboard", "guests aboard", True),
        ("- Don'ts: paint the hull; take guests aboard", "take guests aboard", True),
        ("Verboten: Gäste an Bord", "Gäste an Bord", True),
        ("Guests aboard before noon are out of the question.", "are out of the question", True),
        ("Planned | guests aboard", "guests aboard", False),
        ("Guests come aboard before noon.", "Guests come aboard before noon.", False),
    ],
)
def test_what_stands_under_a_word_that_bars_is_barred(handoff, value, is_doubted):
    assert doubted("turned", value, "No guests aboard.", line=handoff, handoff=handoff) is is_doubted


def test_two_sentences_with_two_negations_are_told_in_one_order():
    told = "Nothing is painted on the hull, not after the race either."
    assert doubted("exchanged", told, "Paint nothing on the hull, not even after the race.")
    assert not doubted(
        "exchanged", "Paint the hull after the race.", "Paint nothing on the hull after the race."
    )


def test_a_value_in_quotation_marks_is_no_quotation():
    listed = "\n".join([
        '- "paint is ruled out for good, whatever the weather, says the harbour"',
        'goal: "sail at twenty to seven with all guests and all vests on board"',
        'owner: "Piet of the harbour has the last word on paint and on guests"',
    ])  # fmt: skip
    spoken = 'Piet shouted "paint is ruled out for good, whatever the weather, says the harbour" at us.'
    assert accusations(FERRY, listed) == []
    assert [rule for rule, _ in accusations(FERRY, spoken)] == ["nobody-said"]
