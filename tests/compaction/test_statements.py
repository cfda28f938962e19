"""What nobody's list of wordings knows: sentences that lay something down, and what is only talk."""

import pytest

from hermes_sessions.compaction import CompactionPolicy, compact_transcript
from hermes_sessions.compaction.economy.binding_words import binding, may_bind
from hermes_sessions.compaction.economy.fact_lines import STATEMENT, FactLine, slots_of
from hermes_sessions.compaction.economy.lone_lines import lone_lines
from hermes_sessions.compaction.economy.ranking import Overheard, rank
from hermes_sessions.compaction.economy.statements import routine, statements
from hermes_sessions.facts.extract import facts_of
from hermes_sessions.facts.unwrap import unwrap_message
from hermes_sessions.summarizers import ExtractiveSummarizer
from tests.compaction.builders import Dict, assistant, call, result, system, user

LAID_DOWN = (
    "Anyone who needs Talimont opens a request and waits for the answer.",
    "Wer an Talimont etwas drehen will, klärt das mit Ines.",
    "Talimont se queda como está hasta la primavera.",
    "Qui veut changer Talimont en parle d'abord à Inès.",
    "Talimont 在春天之前保持原样。",
)


def stated(message: Dict) -> list[str]:
    unwrapped = unwrap_message(message)
    return [fact.value for fact in statements(unwrapped, facts_of(unwrapped))]


@pytest.mark.parametrize("text", LAID_DOWN)
@pytest.mark.parametrize("role", ["user", "assistant"])
def test_a_sentence_of_ones_own_is_a_statement(role: str, text: str) -> None:
    assert text in stated({"role": role, "content": f"That was all there is in it. {text}"})


def test_a_lone_sentence_among_rows_of_a_tool_is_a_statement() -> None:
    rows = [f"{number}  row_{number}  ready" for number in range(9)]
    assert stated({"role": "tool", "content": "\n".join([*rows[:4], LAID_DOWN[0], *rows[4:]])}) == [
        LAID_DOWN[0]
    ]


def test_documentation_questions_and_known_facts_are_none() -> None:
    page = "\n".join(f"The option number {number} sets a width." for number in range(9))
    assert stated({"role": "tool", "content": f"{page}\n\nx"}) == []
    assert stated({"role": "user", "content": "Do we leave Talimont as it is?"}) == []
    assert stated({"role": "user", "content": "Never push to main."}) == []


def test_what_is_laid_down_sounds_so_and_telling_does_not() -> None:
    assert all(binding(text) >= 2 for text in LAID_DOWN)
    assert may_bind(LAID_DOWN[0])
    assert binding("The part around it reads well.") == 0
    assert binding("It looks as if nothing was left over.") < binding("Leave nothing over until Monday.")


def test_a_form_that_is_used_over_and_over_is_talk() -> None:
    talk = [FactLine(STATEMENT, "assistant", f"Let me look at part{number} again.") for number in range(6)]
    usual = routine([*talk, FactLine(STATEMENT, "user", LAID_DOWN[0])])
    assert set(usual) == {line.text for line in talk}


def test_what_a_tool_said_in_a_sentence_weighs_the_same_after_a_round() -> None:
    read = FactLine("port", "tool", "The gateway listens on port 8123.", at=3)
    line = read._replace(slots=slots_of(read))
    (_, fresh), *_ = rank((), [[line]], Overheard()).scored
    (_, former), *_ = rank([line._replace(at=-1)], [], Overheard()).scored
    assert former == fresh - 0.5  # what is new has half a point more


def test_rows_of_a_tool_are_rows_after_a_round_too() -> None:
    rows = [FactLine("port", "tool", f"port: {number}", at=-1) for number in range(1024, 1030)]
    lone = FactLine("port", "tool", "gateway port = 8123", at=-1)
    scores = {line.text: score for line, score in rank([*rows, lone], [], Overheard()).scored}
    assert scores[lone.text] > scores["port: 1024"] + 2


def test_what_three_speakers_laid_down_lives_through_ten_rounds() -> None:
    policy = CompactionPolicy(24_000, tail_tokens=1_500)
    said = LAID_DOWN[:3]
    messages: list[Dict] = [system(), user(f"Have a look at the importer. {said[0]}")]
    messages += [assistant(f"Good. {said[1]}")]
    messages += [assistant(None, call("n")), result("n", f"id  name\n1   abc\n{said[2]}\n2   def")]
    for round_ in range(10):
        for number in range(40):
            key = f"c{round_}-{number}"
            messages += [assistant(f"Reading part {key} now.", call(key))]
            messages += [result(key, "\n".join(f"{key} row {row} took {row}7 ms" for row in range(24)))]
        messages += [user(f"Go on with part {round_}."), assistant(f"Part {round_} is done.")]
        found = compact_transcript(messages, policy=policy, summarize=ExtractiveSummarizer())
        assert found.status == "committed"
        messages = found.messages
        sight = "\n".join(str(one["content"]) for one in messages)
        assert [text for text in said if text not in sight] == [], round_


def test_the_odd_line_among_rows_is_found_and_code_has_none() -> None:
    rows = [f"2026-06-0{day}T10:00:07Z INFO step={day} took={day}7ms" for day in range(1, 10)]
    odd = "created reservation RSV-86d120 for the kiln"
    assert [text for _, text in lone_lines("\n".join([*rows[:5], odd, *rows[5:]]))] == [odd]
    fields = "\n".join(f"id: {number}\nweight: {number}7" for number in range(6))
    assert [text for _, text in lone_lines(f"{fields}\nshipment: WZ16/6698")] == ["shipment: WZ16/6698"]
    code = "\n".join(
        f"def step_{'a' * number}(self{', x' * number}):\n    return {number}" for number in range(9)
    )
    assert list(lone_lines(code)) == []


def test_requests_of_earlier_rounds_weigh_less_than_what_was_laid_down() -> None:
    asked = FactLine("request", "user", "Please sort the barrels and the mash.")
    laid = FactLine(STATEMENT, "assistant", "Open: Ines still owes us the answer about the loan.")
    scores = {line.kind: score for line, score in rank([asked, laid], [], Overheard()).scored}
    assert scores[STATEMENT] > scores["request"]
