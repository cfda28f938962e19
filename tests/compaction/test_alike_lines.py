"""What an agent says again and again with another number is one line, and no number is lost."""

from hermes_sessions.compaction import CompactionPolicy, compact_transcript
from hermes_sessions.compaction.economy.alike_lines import alike_as_one
from hermes_sessions.compaction.economy.fact_lines import STATEMENT, FactLine
from hermes_sessions.summarizers import ExtractiveSummarizer
from tests.compaction.builders import Dict, assistant, call, result, user


def lines(*texts: str, speaker: str = "assistant") -> list[FactLine]:
    return [FactLine(STATEMENT, speaker, text, at=place) for place, text in enumerate(texts)]


def texts(*said: str, speaker: str = "assistant") -> list[str]:
    return [line.text for line in alike_as_one(lines(*said, speaker=speaker))[0]]


def test_numbers_in_a_row_are_told_as_first_and_last() -> None:
    said = [f"Reading part {number} now." for number in (3, 4, 5, 6, 9, 12)]
    assert texts("Begun.", *said, "Done.") == ["Begun.", "Reading part {3..6,9,12} now.", "Done."]


def test_what_differs_in_more_than_one_number_stands_alone() -> None:
    said = [f"Crate {number} weighs {number * 7} kg." for number in range(9)]
    assert texts(*said) == said


def test_a_few_and_what_a_tool_says_stand_alone() -> None:
    said = [f"Reading part {number} now." for number in range(3)]
    assert texts(*said) == said
    rows = [f"Row {number} was kept." for number in range(9)]
    assert texts(*rows, speaker="tool") == rows


def test_sixty_calls_narrated_alike_are_one_line_of_a_handoff() -> None:
    messages: list[Dict] = [user("Which part of the ledger is broken?")]
    for number in range(60):
        told = f"Reading part {number} of the garden-ledger now."
        messages += [assistant(told, call(f"c{number}")), result(f"c{number}", "all fine here\n" * 12)]
    messages += [assistant("None is broken."), user("Thanks, go on.")]
    policy = CompactionPolicy(8_000)
    told = compact_transcript(messages, policy=policy, summarize=ExtractiveSummarizer()).handoff
    facts = told.partition("## Exact facts")[2].partition("\n## ")[0]
    assert facts.count("of the garden-ledger now.") == 1
    assert "Reading part {0.." in facts
