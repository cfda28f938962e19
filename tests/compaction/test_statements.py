"""What nobody's list of wordings knows: sentences that lay something down, and what is only talk."""

import pytest

from hermes_sessions.compaction import CompactionPolicy, compact_transcript
from hermes_sessions.compaction.economy.fact_lines import STATEMENT, FactLine, slots_of
from hermes_sessions.compaction.economy.lone_lines import lone_lines, stray_lines
from hermes_sessions.compaction.economy.ranking import Overheard, rank
from hermes_sessions.compaction.economy.span_facts import FactCache
from hermes_sessions.compaction.economy.spending import is_laid_down
from hermes_sessions.compaction.economy.statements import routine, statements
from hermes_sessions.compaction.economy.wording.binding_words import binding, may_bind
from hermes_sessions.compaction.economy.wording.chosen_words import tells_a_choice
from hermes_sessions.compaction.transcript import read_transcript
from hermes_sessions.facts.extract import facts_of
from hermes_sessions.facts.unwrap import unwrap_message
from hermes_sessions.facts.values import FactKind
from hermes_sessions.summarizers import ExtractiveSummarizer
from hermes_sessions.tokens import token_counter
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
def test_a_sentence_of_ones_own_is_a_statement_or_a_rule(role: str, text: str) -> None:
    message = {"role": role, "content": f"That was all there is in it. {text}"}
    rules = [fact.value for fact in facts_of(unwrap_message(message)) if fact.kind == FactKind.CONSTRAINT]
    assert text in stated(message) or text.rstrip(".。") in rules


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


FOUND = [
    f"src/mill/part_{number}.py:{number + 3}:    {word} = grind({number})"
    for number, word in enumerate("abcdefghij")
]
INSTALLED = [
    f"get {word}-{number}" + " from the shelf" * (number % 3) for number, word in enumerate("abcdefghij")
]
STAMPED = [
    f"2031-02-0{number} 04:1{number}:09 {word} " + "bag " * number for number, word in enumerate("abcdefghij")
]


@pytest.mark.parametrize("rows", [FOUND, INSTALLED, STAMPED], ids=["search", "installer", "log"])
def test_a_line_that_begins_unlike_all_rows_stands_out(rows: list[str]) -> None:
    odd = "miller panic: stone [3] of [2] has come off"
    assert [text for _, text in lone_lines("\n".join([*rows[:6], odd, *rows[6:]]))] == [odd]
    assert list(lone_lines("\n".join(rows))) == []


def test_lines_that_begin_in_many_ways_have_none_that_stands_out() -> None:
    prose = [
        f"{word} is what the page says of {number} things, in its own way{'.' * number}"
        for number, word in enumerate(
            ["Flour", "Water", "Salt", "Yeast", "Heat", "Time", "Rest", "Steam", "Crust", "Crumb"]
        )
    ]
    assert list(lone_lines("\n".join(prose))) == []


def test_a_line_without_a_number_is_no_part_of_a_numbered_listing() -> None:
    listing = [
        f"{number:>6}\t    grain = weigh(sack_{number})  # {'by hand ' * (number % 4)}"
        for number in range(1, 30)
    ]
    odd = "scale check: 41 sacks, 2 short"
    output = "\n".join([*listing[:9], odd, *listing[9:]])
    assert stray_lines(output) == [odd]
    assert stray_lines("\n".join(listing)) == []
    handoff = handed_over(user("Weigh the sacks."), assistant(None, call("c")), result("c", output))
    assert odd in handoff


def test_what_cannot_be_read_takes_no_room() -> None:
    broken = "id=7f\ufffd\x02\ufffd port 8123 \ufffd\ufffd costs $412\n" * 20
    handoff = handed_over(
        user("Look into it."), assistant(None, call("c")), result("c", f"{broken}\nvalve 9 is stuck")
    )
    assert "\ufffd" not in handoff.partition("## Completed")[0] + handoff.partition("## Exact facts")[2]


CHOSEN = (
    "Per your preference the crates are lined with felt.",
    "After your call with the mill the sacks hold 25 kg.",
    "Marta and you picked slate over tile.",
    "We landed on two bakes a day for the rye.",
    "Following Ines' vote the shop opens at 6:40.",
    "Outcome of the meeting: the old oven goes to Jorge.",
    "Slate loses, felt wins: that is how the crates get lined.",
    "For the rye everyone at the table preferred the wood oven, so that's what we use.",
    "Va pour le four à bois, en ce qui concerne le seigle.",
    "Lieber Roggen als Weizen, jedenfalls bei dem Brot am Montag.",
    "The rye now rests in linen; I dropped felt since it does not breathe.",
    "Laut eurer Abstimmung kommt das Roggenbrot in die Holzkiste.",
    "Selon votre choix la pâte repose douze heures.",
    "Tras vuestra votación el pan sale en bolsas de papel.",
    "Avete scelto il forno a legna per la domenica.",
    "На собрании выбрали печь с тремя камерами.",
    "大家投票决定周一休息两个小时。",
)


@pytest.mark.parametrize("text", CHOSEN)
def test_what_somebody_chose_is_a_decision_that_stays_when_an_assistant_tells_it(text: str) -> None:
    lines = lines_of_one("assistant", f"I read the plan. {text}")
    scored = rank((), [lines], Overheard()).scored
    kept = [line for line, score in scored if text.rstrip(".。") in line.text and is_laid_down(line, score)]
    assert [line.kind for line in kept] == [FactKind.DECISION]


@pytest.mark.parametrize(
    "text",
    [
        "Waiting for your decision on the crates.",
        "Once the board voted for it, we can start.",
        "The tests wait until your call with the mill is over.",
        "We need your choice before the oven is ordered.",
        "The call returns a list of sacks.",
        "If you picked slate, the roof gets heavier.",
    ],
)
def test_a_choice_that_is_waited_for_is_none(text: str) -> None:
    assert not tells_a_choice(text)


def test_what_a_user_tells_in_a_request_is_told_and_what_is_asked_is_not() -> None:
    told = "The courtyard oven is fired with beech on Fridays."
    for text, kept in (
        (told, True),
        ("Have a look at the courtyard oven on Fridays.", False),
        ("The courtyard oven smokes a little, can you check?", False),
        ("Could you see whether the courtyard oven is warm", False),
    ):
        scored = rank((), [lines_of_one("user", text)], Overheard()).scored
        assert any(is_laid_down(line, score) for line, score in scored) is kept, text


@pytest.mark.parametrize(
    ("speaker", "better", "worse"),
    [
        (
            "assistant",
            "It is filed; the Larne kiln got the number D642892.",
            "It is filed; the Larne kiln got a cart.",
        ),
        (
            "assistant",
            "Importing the Larne kiln failed with code 34652.",
            "Importing the Larne kiln took 34652 rows.",
        ),
        ("assistant", "南屏窑炉的导入失败，错误码38926。", "南屏窑炉的导入完成，共计38926行。"),
        ("user", "Remind me to send Moira Vane the list.", "Please send Moira Vane the list."),
    ],
)
def test_a_number_of_a_case_a_failure_with_its_code_and_what_is_for_later_weigh_more(
    speaker: str, better: str, worse: str
) -> None:
    told, other = ([score for _, score in ranked_of(speaker, text)] for text in (better, worse))
    assert max(told) > max(other) + 1


def ranked_of(speaker: str, text: str) -> tuple[tuple[FactLine, float], ...]:
    return rank((), [lines_of_one(speaker, text)], Overheard()).scored


def lines_of_one(role: str, text: str) -> list[FactLine]:
    (entry,) = read_transcript([{"role": role, "content": text}], token_counter())
    return [line._replace(at=1) for line in FactCache(max_bytes=1_000_000).read(entry).lines]


def handed_over(*messages: Dict) -> str:
    tail = [
        one
        for number in range(14)
        for one in (user(f"go on {number} " + "and on " * 60), assistant("Yes. " * 60))
    ]
    found = compact_transcript(
        [*messages, *tail],
        policy=CompactionPolicy(20_000, tail_tokens=300, head_messages=0),
        summarize=ExtractiveSummarizer(),
    )
    return found.handoff
