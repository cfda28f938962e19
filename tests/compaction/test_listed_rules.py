"""What a document lists under a heading for rules, and what an agent says of a thing, stays in force."""

import pytest

from tests.compaction.builders import assistant, call, result, user
from tests.compaction.test_rules_of_every_round import ROUNDS, rounds_of
from tests.compaction.test_statements import lines_of_one

NOTES = """\
# AGENTS.md

The shop and its stock.

## How we work here

- quay-7.example is a museum: look, don't touch.
- Whatever changes in crate-sync, Ruth Falk sees it first.
- Der Lagerstand bleibt, wie er ist.

## Layout

- The sources are in src, the pages in web."""


def test_items_under_a_heading_for_rules_stay_in_every_round() -> None:
    sections = rounds_of([user("Read the notes."), assistant("", call("n")), result("n", NOTES)])
    for section in sections:
        assert "quay-7.example is a museum: look, don't touch." in section
        assert "Whatever changes in crate-sync, Ruth Falk sees it first." in section
        assert "Der Lagerstand bleibt, wie er ist." in section
        assert "The sources are in src" not in section


@pytest.mark.parametrize(
    "said", ["Understood: nobody pushes to wip/crates.", "crate-sync may grow, yet no row of it may ever go."]
)
def test_what_an_agent_says_of_a_thing_by_name_stays_in_every_round(said: str) -> None:
    sections = rounds_of([user("Show me the rows."), assistant(said)])
    assert [said in section for section in sections] == [True] * ROUNDS


def test_a_reference_lists_no_rules() -> None:
    rows = "\n".join(f"- Flag number {number} is read from the file." for number in range(30))
    read = [user("Never touch quay-7. Read it."), assistant("", call("n"))]
    sections = rounds_of([*read, result("n", f"## Rules\n\n{rows}")])
    assert "Flag number" not in "".join(sections)


PAGE = """\
# Round 7

- Visitors often ask about the old kiln.
- In the yard there is a cart, which was painted in 1983.
{notice}
- Some carts are green, others were folded away.
- It was a calm day and the kiln was opened."""


@pytest.mark.parametrize(
    "notice",
    [
        "Notice: the Larne kiln is closed to carts until further notice.",
        "Hinweis: Brennofen Lehmann ist nur in Begleitung zu betreten.",
        "注意：东港窑炉未经许可不得进入。",
    ],
)
def test_a_notice_in_a_page_of_prose_stays_in_every_round(notice: str) -> None:
    page = PAGE.format(notice=notice)
    sections = rounds_of([user("Read the page."), assistant("", call("n")), result("n", page)])
    assert [notice.rstrip(".。") in section for section in sections] == [True] * ROUNDS


def test_a_notice_that_bans_nothing_sets_no_rule() -> None:
    page = PAGE.format(notice="Notice: the Larne kiln was opened in 1983.")
    sections = rounds_of([user("Never touch quay-7."), assistant("", call("n")), result("n", page)])
    assert "opened in 1983" not in "".join(sections)


def test_a_sentence_of_a_page_may_have_two_halves() -> None:
    said = "Moira Vane looks after the Larne kiln now; write to nobody else."
    found = [line.text for line in lines_of_one("tool", PAGE.format(notice=said))]
    assert said in found
