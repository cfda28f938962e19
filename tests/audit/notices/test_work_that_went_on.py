"""Counts above an older handoff's are work that went on; what is to be explained may be otherwise by now."""

import pytest

from hermes_sessions.audit.sources.growth import is_grown_count
from hermes_sessions.audit.values import AuditMessage
from tests.audit.builders import assistant, compacted, user

FORMER = "## Completed Actions\n1. PORT files 1 to 66\n2. COMMIT 66 commits, all green"


def noticed(body: str, *rows: AuditMessage, former: str = "") -> set[str]:
    before = [user("", kind="handoff", handoff=former)] if former else []
    return {one.value for one in compacted([*before, *rows], body=body).measured().deviations}


def test_a_count_above_an_older_handoffs_is_no_note() -> None:
    rows = (user("Please keep the commit per file."), assistant("132 are done, 198 to go."))
    body = "## Completed Actions\n1. PORT files 1 to 132\n2. COMMIT 132 commits, all green"
    assert noticed(body, *rows, former=FORMER) == set()


def test_a_count_below_an_older_handoffs_is_noticed() -> None:
    rows = (user("Please keep the commit per file."), assistant("41 are red, 198 to go."))
    body = "## Completed Actions\n1. PORT files 1 to 41\n2. COMMIT 41 commits, all green"
    assert "41" in noticed(body, *rows, former=FORMER)


@pytest.mark.parametrize(
    ("value", "former", "text", "grown"),
    [
        ("#132", "#66", "COMMIT 132 commits, all green", True),
        ("#264", "#198", "PORT files 1 to 264", True),
        ("#1200", "#800", "1,200 rows are read", True),
        ("#66", "#132", "COMMIT 66 commits", False),
        ("#66", "#132", "66 files remain", True),
        ("#8433", "#8123", "The gateway listens on port 8433.", False),
        ("#2.5", "#1.5", "2.5 hours are booked", False),
        ("db-4", "db-2", "runs on db-4", False),
    ],
)
def test_what_counts_things_grows(value: str, former: str, text: str, grown: bool) -> None:
    assert is_grown_count(value, former, text) is grown


INVOICE = (
    user("Invoice 2291 shows 10.07 but the customer's sheet says 10.08. Can you find out who is right?"),
    assistant("The customer is right. I would round half up per line. Shall I change it?"),
    user("Yes, and add a test with that very invoice."),
    assistant("All seven pass. Invoice 2291 now adds up to 10.08, and the test is `test_invoice_2291`."),
)


def test_what_is_to_be_explained_is_as_it_was() -> None:
    body = "Find out why invoice 2291 shows 10.07, fix the rounding, add a test."
    assert "10.07" not in noticed(body, *INVOICE)


def test_a_value_that_is_told_as_if_it_still_held_is_noticed() -> None:
    assert "10.07" in noticed("Invoice 2291 shows 10.07.", *INVOICE)
