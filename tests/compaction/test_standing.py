"""A sentence that reads like something that holds stays in sight, though no rule knows its words."""

import inspect
import json
from collections.abc import Sequence

import pytest

from hermes_sessions.compaction import CompactionPolicy, compact_transcript
from hermes_sessions.compaction.economy.certain_rules import is_code
from hermes_sessions.compaction.economy.fact_lines import STATEMENT, FactLine
from hermes_sessions.compaction.economy.spending import spend
from hermes_sessions.compaction.economy.standing import (
    LEAST_GRADE,
    code_names,
    standing_grade,
    worth_of_standing,
)
from hermes_sessions.compaction.economy.statements import statements
from hermes_sessions.facts.unwrap import unwrap_message
from hermes_sessions.messages import Role
from hermes_sessions.summarizers import ExtractiveSummarizer
from hermes_sessions.tokens import estimate_tokens
from tests.compaction.builders import Dict, assistant, call, result, user

ROUNDS = 4
SENTENCES = [
    "The lid of amber-kettle comes off for the quarterly count and for nothing else.",
    "Fingers off the mains of copper-attic, thank you.",
    "Loans out of velvet-pantry go back by sundown.",
    "Was in kupfer-keller liegt, gehört der Nachtschicht.",
    "Lo que sale de ambar-sotano pasa por Quiroga.",
    "Pour grenier-ambre, la clé est chez Solène.",
    "amber-cellar 的钥匙归夜班。",
    "In the end copper-porch swaps Rollerdoor for Hinge.",
]
SOURCE = inspect.getsource(json.decoder).splitlines()
TALK = (
    "The helper in part {0} could be a comprehension.",
    "I looked at step {0} and it only joins the pieces.",
    "Nothing in row {0} is surprising, it may be split later.",
    "There are {0} callers, as far as I can tell all of them in tests.",
    "Whether {0} of these are needed depends on the input.",
    "One could rename value {0}, though it is not urgent.",
)


def work(number: int) -> list[Dict]:
    """Return a turn of talk, of source code that is read and of values."""
    at = number * 13 % (len(SOURCE) - 45)
    talk = [text.format(number * 7 + place) for place, text in enumerate(TALK)]
    return [
        user(f"What does part {number} do? Port {4000 + number} is for node-{number}."),
        assistant(" ".join(talk[:3]), call(f"c{number}")),
        result(f"c{number}", "\n".join(SOURCE[at : at + 45])),
        assistant(f"{' '.join(talk[3:])} Set lease_ttl={number + 30} for node-{number}."),
    ]


def rounds_of(first: Sequence[Dict], policy: CompactionPolicy | None = None) -> list[str]:
    """Return what is in sight after each round of work behind the *first* messages."""
    messages, found = list(first), []
    policy = policy or CompactionPolicy(16_000)
    for round_ in range(ROUNDS):
        messages += [one for turn in range(16) for one in work(round_ * 16 + turn)]
        done = compact_transcript(messages, policy=policy, summarize=ExtractiveSummarizer())
        assert done.status == "committed"
        messages = list(done.messages)
        found.append("\n".join(str(one["content"]) for one in messages))
    return found


def said_by(speaker: str) -> list[Dict]:
    if speaker == Role.ASSISTANT:
        return [*work(900), assistant("\n".join(SENTENCES)), *work(901)]
    read = [[*SOURCE[at * 30 : at * 30 + 30], said] for at, said in enumerate(SENTENCES)]
    turns = ([assistant("", call(f"t{at}")), result(f"t{at}", "\n".join(one))] for at, one in enumerate(read))
    return [user("Read all of it."), *(one for turn in turns for one in turn), assistant("Read.")]


@pytest.mark.parametrize("speaker", [Role.ASSISTANT, Role.TOOL])
def test_what_reads_like_a_rule_outlives_rounds_of_talk_and_code(speaker: str) -> None:
    after = rounds_of(said_by(speaker))
    assert [said for said in SENTENCES if said.rstrip(".。") not in after[-1]] == []


def test_a_bound_that_was_named_is_kept_to_through_rounds() -> None:
    def growth(policy: CompactionPolicy) -> float:
        seen = rounds_of(said_by(Role.ASSISTANT), policy)
        sizes = [
            estimate_tokens(one[one.index("[CONTEXT") : one.rindex("--- END OF CONTEXT")]) for one in seen
        ]
        return max(sizes) / sizes[0]

    assert growth(CompactionPolicy(16_000, handoff_tokens=700)) < 1.1
    assert growth(CompactionPolicy(16_000)) > 1.2


def line(text: str, speaker: Role = Role.ASSISTANT, at: int = 3) -> FactLine:
    return FactLine(STATEMENT, speaker, text, at=at)


@pytest.mark.parametrize("said", SENTENCES)
def test_what_names_a_thing_and_tells_what_holds_has_a_grade(said: str) -> None:
    assert standing_grade(line(said)) >= LEAST_GRADE


@pytest.mark.parametrize(
    "said",
    [
        "Is amber-kettle to stay closed?",
        "Let me look at `amber_kettle()` first.",
        "The method returns None.",
        "decoder.py:31: amber-kettle = scan(lid)",
        "It reads well.",
    ],
)
def test_questions_narration_and_code_have_none(said: str) -> None:
    assert standing_grade(line(said)) < LEAST_GRADE


def test_what_an_earlier_handoff_held_is_bought_before_new_talk() -> None:
    told = [(line(f"Part {at} has a loop with a counter in it.", Role.TOOL, at), 9.0) for at in range(40)]
    former = line(SENTENCES[0], Role.TOOL, at=-1)
    bought = spend([*told, (former, -1.0)], 200, lambda one: len(one.text) // 4, 60)
    assert former in bought


def test_a_sentence_on_a_page_that_was_read_is_a_line() -> None:
    page = "\n".join(
        (
            "Minutes of the round",
            "Three of us were on site, the others joined by phone.",
            "Coffee was late again and so was the projector.",
            "Outcome: amber-kettle moves to the second floor, three in favour.",
            "The next round is planned for after the holidays.",
            "Thanks to everybody who stayed until the end.",
            "- the projector: mended",
        )
    )
    found = statements(unwrap_message({"role": "tool", "content": page}), ())
    assert [fact.value for fact in found] == [
        "Outcome: amber-kettle moves to the second floor, three in favour."
    ]


@pytest.mark.parametrize(
    "row",
    ["| amber-kettle | Noor Karlsen | floor 2 |", "| copper-attic | Wim Aalto |"],
)
def test_a_row_with_bars_that_stands_alone_is_a_line(row: str) -> None:
    page = f"# Floors\n\nThe pictures are old.\n{row}\nThe round meets in the small room."
    found = statements(unwrap_message({"role": "tool", "content": page}), ())
    assert row in [fact.value for fact in found]


def test_rows_of_a_table_are_none() -> None:
    rows = [f"| lid-{number} | floor {number} |" for number in range(6)]
    found = statements(unwrap_message({"role": "tool", "content": "\n".join(["# Floors", *rows])}), ())
    assert [fact.value for fact in found if "|" in fact.value] == []


def test_two_words_of_which_one_says_what_the_other_is_are_a_statement() -> None:
    found = statements(unwrap_message({"role": "user", "content": "lids: bamboo. no more talk, please"}), ())
    assert "lids: bamboo" in {fact.value.rstrip(".") for fact in found}


def test_an_arrow_between_two_versions_is_no_code() -> None:
    assert not is_code("Moving amber-kettle (3.1 -> 4.0)")
    assert is_code("x = lid(kettle) -> int")


def test_somebody_by_full_name_adds_to_the_grade() -> None:
    known, unknown = line("Noor Karlsen does the count of lids."), line("Somebody does the count of lids.")
    assert standing_grade(known) > standing_grade(unknown)


def test_what_is_said_of_names_in_code_that_was_read_is_worth_less() -> None:
    said = line("As far as I can tell scan_once never needs to wait for memo_get.")
    known = code_names(SOURCE)
    assert worth_of_standing(said, known) < worth_of_standing(said, frozenset())
