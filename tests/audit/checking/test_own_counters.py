"""What a summary counts of itself is none of the transcript's numbers."""

import pytest

from tests.audit.builders import assistant, compacted, user


@pytest.mark.parametrize("line", ["Compaction number 2.", "Summary #2.", "Handoff no. 2"])
def test_what_a_summary_counts_of_itself_is_held_against_nothing(line: str) -> None:
    earlier = line.replace("2", "1")
    rows = (assistant(f"{earlier} Note: the mapper has 31 rows."), user("Go on."))
    told = compacted(rows, body=f"{line} Note: the mapper has 31 rows.").measured().deviations
    assert told == ()


def test_what_else_has_a_number_is() -> None:
    rows = (assistant("Delivery number 1. Note: the mapper has 31 rows."), user("Go on."))
    assert compacted(rows, body="Delivery number 2. Note: the mapper has 31 rows.").measured().deviations
