"""Rows that programs print weigh little, also where a user pasted them; what is odd among them does not."""

import pytest

from hermes_sessions.compaction.economy.fact_lines import STATEMENT, FactLine, lines_of
from hermes_sessions.compaction.economy.printed_rows import loss_of_row
from hermes_sessions.compaction.economy.ranking import Overheard, rank
from hermes_sessions.facts.extract import extract_facts


def losses(text: str, role: str) -> list[float]:
    facts = extract_facts({"role": role, "content": text})
    lines: list[FactLine] = lines_of(tuple(fact for fact in facts if fact.kind in KINDS), 0)
    assert lines
    return [loss_of_row(line) for line in lines]


KINDS = ("ip", "version", "id", "host", "percentage", "duration", "port")


@pytest.mark.parametrize(
    ("row", "role"),
    [
        ('10.4.7.31 - - [02/Jan/2026:10:00:03 +0000] "GET /basket HTTP/1.1" 200 713', "user"),
        ("2026-03-04 08:15:01 INFO replica 10.4.7.31 in step", "user"),
        ("[7/90] Compiling tokio v1.38.0", "tool"),
        ("[7/90] Compiling tokio v1.38.0", "user"),
        ("   Compiling tokio v1.38.0", "tool"),
    ],
)
def test_a_value_in_a_printed_row_weighs_less(row: str, role: str) -> None:
    assert min(losses(row, role)) >= 2.0


@pytest.mark.parametrize(
    ("row", "role"),
    [
        ("2026-03-04 08:15:01 ERROR replica 10.4.7.31 refused", "user"),
        ("The replica answers on 10.4.7.31.", "user"),
        ("[7/90] Compiling tokio v1.38.0: error, unknown feature", "tool"),
        ("basket 4.1.9 (built from source)", "tool"),
        ("Basket is pinned to v1.38.0.", "assistant"),
    ],
)
def test_an_odd_row_and_what_somebody_says_keep_their_weight(row: str, role: str) -> None:
    assert losses(row, role) == [0.0] * len(losses(row, role))


@pytest.mark.parametrize("text", ["cache miss for key user:7722", "evicted session:48213 and order:5512"])
def test_a_key_with_a_number_is_no_host(text: str) -> None:
    assert "host" not in {fact.kind for fact in extract_facts({"role": "tool", "content": text})}


def test_a_plain_name_with_a_port_still_is_a_host() -> None:
    facts = extract_facts({"role": "tool", "content": "connecting to ledger:5432"})
    assert ("host", "ledger") in {(fact.kind, fact.value) for fact in facts}


def test_a_row_of_a_table_that_somebody_pasted_weighs_less_than_what_they_say() -> None:
    texts = [f"2026-02-{day};berth;{day * 31};0.{day};Ulla Gale;K{day}297" for day in range(11, 19)]
    said = "berth-sync belongs to Ulla Gale."
    lines = [FactLine(STATEMENT, "user", text, at=0) for text in (*texts, said)]
    worth = {line.text: score for line, score in rank((), [lines], Overheard()).scored}
    assert max(worth[text] for text in texts) < worth[said] - 4
