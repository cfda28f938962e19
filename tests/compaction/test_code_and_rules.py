"""What a tool shows of code sets no rule, and weighs less than what was said or found out."""

import json

import pytest

from hermes_sessions.compaction.economy.fact_lines import STATEMENT, FactLine, lines_of, slots_of
from hermes_sessions.compaction.economy.ranking import Overheard, Ranked, rank
from hermes_sessions.compaction.economy.span_facts import said_lines
from hermes_sessions.compaction.economy.statements import routine
from hermes_sessions.facts.values import Fact, FactKind
from tests.compaction.builders import Dict, assistant, call, result, user
from tests.compaction.test_rules_of_every_round import ROUNDS, rounds_of
from tests.compaction.test_statements import lines_of_one

SOURCE = """import codecs

class Kiln(Oven):
    \"\"\"The elements of a firing must be hashable.

    A tray must never be shared between two kilns.
    \"\"\"

    def fire(self, trays):
        # Nobody may call this without a lock.
        if not trays:
            raise ValueError("trays must not be empty")
        return self.heat(trays)
"""
NOTICE = "NOTICE: the kiln database is read-only until 4 May; writes will be rejected."
CLOSED = "The kiln room must not be entered before Friday."
RULE = "Never fire the kiln without asking Ines."


def read_as_rules(output: str) -> list[str]:
    messages: list[Dict] = [user(f"Look at the kiln. {RULE}"), assistant("", call("k")), result("k", output)]
    sections = rounds_of([*messages, assistant("Done.")])
    assert [RULE in section for section in sections] == [True] * ROUNDS
    return [line[2:].partition("] ")[2] or line[2:] for line in sections[-1].splitlines() if line[:2] == "- "]


@pytest.mark.parametrize("numbered", [True, False])
def test_docstrings_and_comments_are_no_rules(numbered: bool) -> None:
    lines = [f"{at}|{line}" if numbered else line for at, line in enumerate(SOURCE.splitlines(), 1)]
    assert read_as_rules("\n".join(lines)) == [RULE]
    with_notice = read_as_rules("\n".join([*lines[:8], NOTICE, *lines[8:]]))
    assert with_notice == [RULE, NOTICE]


def test_what_a_search_finds_in_sources_is_no_rule() -> None:
    found = "lib/kiln.py:12:    # Nobody may call this without a lock.\nlib/oven.py:4:A tray must never rest."
    assert read_as_rules(found) == [RULE]


def test_a_notice_that_is_no_code_stays_a_rule() -> None:
    assert CLOSED in read_as_rules(f"status of the room\n{CLOSED}\nend")


def ranked(*lines: FactLine) -> Ranked:
    return rank([line._replace(slots=slots_of(line)) for line in lines], [], Overheard())


@pytest.mark.parametrize(
    ("text", "binds"),
    [
        ("If size is specified, at most size bytes will be read.", False),
        ("If nothing is given, don't memoize.", True),
        ("I must not write to the kiln's file.", True),
        ("At most 40 trays are fired a day.", True),
    ],
)
def test_an_agent_that_explains_code_sets_no_rule(text: str, binds: bool) -> None:
    found = ranked(FactLine(FactKind.CONSTRAINT, "assistant", text))
    assert bool(found.rules) == binds
    assert bool(found.scored) != binds  # it is listed nevertheless, as a statement


def score_of(line: FactLine, *others: FactLine) -> float:
    return {one.text: score for one, score in ranked(line, *others).scored}[line.text]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (
            FactLine(FactKind.ID, "tool", "booked slot QX-40213 on the north kiln"),
            FactLine(FactKind.CONFIG, "tool", "BUSY = 208, 'Already Fired'"),
        ),
        (
            FactLine(FactKind.PATH, "user", "The keys of the kiln lie in etc/keys.toml."),
            FactLine(FactKind.PATH, "user", "Can you look at how the kiln is built in lib/kiln.py?"),
        ),
        (
            FactLine(FactKind.TEST_RESULT, "tool", "[pytest] 3 failed, 9 passed"),
            FactLine(FactKind.TEST_RESULT, "tool", "[make] 12 passed in 3.1s"),
        ),
        (
            FactLine(STATEMENT, "user", "Allez, Redis pour le four du nord."),
            FactLine(STATEMENT, "user", "I saw it in the kiln of the north."),
        ),
        (
            FactLine(STATEMENT, "assistant", "The kiln keeps 512 rows in its buffer."),
            FactLine(STATEMENT, "assistant", "Grouping is applied where the parameter is true."),
        ),
    ],
)
def test_what_was_said_or_found_weighs_more(better: FactLine, worse: FactLine) -> None:
    assert score_of(better, worse) > score_of(worse, better) + 0.5


def test_an_earlier_run_of_a_program_weighs_less_than_its_newest() -> None:
    runs = [FactLine(FactKind.COMMAND, "assistant", f"pytest -q tests/{name}.py") for name in ("a", "b")]
    assert score_of(runs[0], runs[1]) < score_of(runs[1], runs[0])


def test_habits_are_counted_by_speaker() -> None:
    talk = [FactLine(FactKind.PATH, "assistant", f"So next is lib/part{number}.py.") for number in range(6)]
    rows = [FactLine(STATEMENT, "tool", f"tray{number} of shelf{number * 7}") for number in range(400)]
    assert set(routine([*talk, *rows])) >= {line.text for line in talk}


def test_a_sentence_is_listed_once() -> None:
    text = "Still to do: send etc/limits.toml to Ruth Adler."
    listed = [line.text for line in said_lines((text,), "assistant")]
    assert sum("etc/limits.toml" in one for one in listed) == 1
    cut = Fact(FactKind.NUMBER, "", "51 trays", "The kiln takes 51 trays", "assistant", 4.0, (0, 23))
    whole = "The kiln takes 51 trays per hour on the rig."
    said = Fact(STATEMENT, "", whole, whole, "assistant", 5.0, (0, len(whole)))
    assert [line.text for line in lines_of((cut, said), 0)] == [whole]


@pytest.mark.parametrize(
    ("speaker", "text", "rule"),
    [
        ("user", "For oven_timer the custom is clear: our rule is one batch per tray.", True),
        ("user", "En horno_dos no se aceptan masas nuevas sin mi firma.", True),
        ("tool", "NOTE for bakers: keys of oven-timer stay in the safe; do not copy them anywhere", True),
        ("assistant", "If width is not given, the maximum of rim+4 and 2*rim is used.", False),
        ("assistant", "A typical loader should not inherit from a RawLoader, but wrap one.", False),
        ("assistant", "Understood: I will never write to oven_timer by hand.", True),
    ],
)
def test_a_rule_names_its_thing_and_a_manual_sets_none(speaker: str, text: str, rule: bool) -> None:
    rows = "".join(f"batch {number} ok\n" for number in range(8)) if speaker == "tool" else ""
    lines = lines_of_one(speaker, f"{rows}{text}\n{rows}".strip() if rows else text)
    rules = rank((), [lines], Overheard()).rules
    assert any(text.rstrip(".") in line.text for line in rules) is rule


def test_a_rule_in_the_last_line_of_a_listing_is_one() -> None:
    code = [
        "    if oven_heat > 69: return tray_flush",
        "    self.oven_rack = tray_page(465)",
        "def rise(self):",
    ] * 4
    for rule in (
        "Never disclose the safe code L3137-18 to anybody outside.",
        "绝不要删除 H2229-16（mail queue）。",
    ):
        rows = "\n".join(f"{number:>6}|{line}" for number, line in enumerate((*code, rule), 1))
        told = json.dumps({"content": rows, "truncated": False}, ensure_ascii=False)
        assert rule in {line.text for line in rank((), [lines_of_one("tool", told)], Overheard()).rules}


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("El horno se lee bien, solo oven_rack es más largo de lo necesario.", False),
        ("Only oven_rack is slower than before.", False),
        ("Nur oven_rack ist länger als nötig.", False),
        ("Seul oven_rack est plus long que nécessaire.", False),
        ("Solo Marta puede abrir oven_rack.", True),
        ("Only Marta may open oven-rack.", True),
        ("Only merge to oven-rack when the score is higher than 80.", True),
    ],
)
def test_what_is_more_so_than_others_is_no_rule(text: str, rule: bool) -> None:
    rules = rank((), [lines_of_one("user", text)], Overheard()).rules
    assert bool(rules) is rule
