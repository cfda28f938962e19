"""How a handoff's tokens are spent, and that what it lists is read back as it was."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_sessions.compaction import CompactionPolicy, compact_transcript, context_tokens
from hermes_sessions.compaction.economy.fact_lines import SPEAKERS, FactLine, read_lines, render_lines
from hermes_sessions.compaction.economy.ranking import Overheard, rank
from hermes_sessions.compaction.economy.span_facts import said_lines
from hermes_sessions.compaction.economy.spending import SHARES, family_of, spend
from hermes_sessions.errors import SummaryFailedError
from hermes_sessions.facts.values import FactKind
from hermes_sessions.messages import SummaryRequest
from hermes_sessions.summarizers import ExtractiveSummarizer
from hermes_sessions.tokens import count_text
from tests.compaction.builders import Dict, assistant, call, result, system, transcript, user

RULES = {
    "user": "Never disclose the vault code 7731 to anybody.",
    "assistant": "Il ne faut jamais dépasser 40 requêtes par minute.",
    "tool": "The production database is read-only until Friday.",
}


def line(kind: str, text: str, speaker: str = "assistant") -> FactLine:
    return FactLine(kind, speaker, text)


def one_each(_: FactLine) -> int:
    return 4


def test_the_best_are_bought_until_the_tokens_are_spent() -> None:
    lines = [(line("port", f"port {number}"), float(number)) for number in range(50)]
    assert [one.text for one in spend(lines, 40, one_each)] == [
        f"port {number}" for number in range(49, 39, -1)
    ]


def test_a_family_has_its_floor_whatever_the_others_weigh() -> None:
    dear = [(line(kind, f"{kind} {number}"), 20.0) for kind in ("decision", "port") for number in range(200)]
    cheap = [(line("path", f"src/a{number}.py"), 4.0) for number in range(200)]
    bought = spend([*dear, *cheap], 400, one_each)
    assert sum(family_of(one) == "read" for one in bought) == int(400 * SHARES["read"].floor) // 4


def test_decisions_are_bought_of_their_own_tokens_whatever_else_there_is() -> None:
    decided = [(line("decision", f"decision {number}"), 9.0) for number in range(20)]
    dear = [(line("port", f"port {number}"), 20.0) for number in range(200)]
    bought = spend([*decided, *dear], 160, one_each, laid_down=80)
    assert sum(one.kind == "decision" for one in bought) == 20
    assert len(bought) == 40
    assert sum(one.kind == "decision" for one in spend([*decided, *dear], 160, one_each, laid_down=40)) >= 10


def test_what_is_new_does_not_push_out_all_that_an_earlier_handoff_held() -> None:
    """Of each family's floor a share is for lines of earlier rounds, however many better ones there are."""
    former = [(line("hash", f"commit a{number}"), 5.0) for number in range(50)]
    new = [(line("hash", f"commit b{number}")._replace(at=number), 9.0) for number in range(50)]
    dear = [(line("port", f"port {number}")._replace(at=number), 20.0) for number in range(300)]
    bought = spend([*former, *new, *dear], 1_000, one_each)
    kept = [one.text for one in bought if one.kind == "hash"]
    assert sum(text.startswith("commit a") for text in kept) >= 5
    assert any(text.startswith("commit b") for text in kept)


def test_of_lines_of_one_worth_those_of_earlier_rounds_are_bought_first() -> None:
    lines = [
        (line("port", f"port {number}")._replace(at=number if number % 2 else -1), 5.0)
        for number in range(20)
    ]
    assert all(one.at < 0 for one in spend(lines, 40, one_each))


@pytest.mark.parametrize("seed", range(3))
def test_a_talkative_transcript_costs_no_more_than_its_share(seed: int) -> None:
    """Sentences that sound laid down, and rules, come out of the budget of a first compaction, not on top."""
    chance = random.Random(seed)
    kinds = ("mail", "cart", "tax", "quota")
    names = [f"{chance.choice(kinds)}-{chance.choice(('api', 'sync'))}-{number}" for number in range(900)]
    messages: list[Dict] = []
    for at in range(0, 900, 3):
        one, two, three = names[at : at + 3]
        rule = f" Never restart {two}." if at % 12 == 0 else ""
        messages.append(user(f"We decided that {one} stays until spring.{rule} Go on."))
        messages.append(assistant(f"Done with {three}. {two} is kept as it is for good. I read {one}."))
    found = compact_transcript(messages, policy=CompactionPolicy(32_000), summarize=ExtractiveSummarizer())
    span = sum(context_tokens([messages[index]]) for index in found.plan.span)
    assert count_text(found.handoff).tokens <= 0.12 * span


def test_a_step_that_was_taken_is_worth_less_than_one_that_is_still_to_come() -> None:
    text = "Next step: deploy to staging."
    early, late = (
        [one._replace(at=at) for one in said_lines([text.replace("staging", name)], "assistant")]
        for at, name in ((2, "staging"), (8, "production"))
    )
    heard = Overheard(((2, "assistant", text), (8, "assistant", text)))
    scores = {one.text: score for one, score in rank((), [early, late], heard).scored}
    assert scores["deploy to staging"] + 3 < scores["deploy to production"]


def test_counts_that_a_tool_gave_again_are_worth_less() -> None:
    texts = ("42 records were read here.", "57 records were read here.")
    rows = [[FactLine("statement", "tool", text, at=at)] for at, text in enumerate(texts)]
    scores = {one.text: score for one, score in rank((), rows, Overheard()).scored}
    assert len(scores) == 2
    assert scores["42 records were read here."] + 1 < scores["57 records were read here."]


def test_decisions_outlive_rounds_that_rules_fill() -> None:
    """Rules alone take all of the tokens that such a handoff should cost."""
    policy = CompactionPolicy(20_000, head_messages=0, tail_tokens=100, handoff_tokens=900)
    messages: list[Dict] = [system()]
    decisions = []
    for number in range(5):
        rules = [f"Never restart service-{number}-{one} before week {one} has ended." for one in range(12)]
        decisions.append(f"I went with RabbitMQ {number} for the queue of orders-{number}.")
        talk = [made for rule in rules for made in (user(rule), assistant("Read on. " * 30))]
        messages += [*talk, assistant(decisions[-1]), *transcript("ua" * 8)]
        found = compact_transcript(messages, policy=policy, summarize=ExtractiveSummarizer())
        assert found.status == "committed"
        messages = list(found.messages)
        shown = "\n".join(str(one["content"]) for one in messages)
        assert [one for one in decisions if one.rstrip(".") not in shown] == []


def test_a_family_has_no_floor_for_its_dross() -> None:
    dear = [(line(kind, f"{kind} {number}"), 20.0) for kind in ("decision", "port") for number in range(200)]
    dross = [(line("command", f"ls {number}"), 1.0) for number in range(200)]
    assert not any(family_of(one) == "done" for one in spend([*dear, *dross], 400, one_each))


def test_a_family_keeps_to_its_ceiling_while_others_want_more() -> None:
    errors = [(line("error", f"E{number}"), 20.0) for number in range(200)]
    ports = [(line("port", f"port {number}"), 1.0) for number in range(200)]
    bought = spend([*errors, *ports], 400, one_each)
    assert sum(family_of(one) == "failed" for one in bought) == int(400 * SHARES["failed"].ceiling) // 4
    assert len(spend(errors, 400, one_each)) == 100


_TEXT = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=30)
_LINES = st.builds(
    FactLine,
    st.sampled_from([kind.value for kind in FactKind]),
    st.sampled_from(SPEAKERS),
    st.one_of(_TEXT, _TEXT.map(lambda text: f"[#7] {text}"), _TEXT.map(lambda text: f"src/{text}.py")),
    st.sampled_from(["", "12"]),
)


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(st.lists(_LINES, max_size=20, unique_by=lambda one: one.text))
def test_what_is_listed_is_read_back(lines: list[FactLine]) -> None:
    found = read_lines(render_lines(lines))
    listed = {(one.kind, one.speaker, one.text) for one in lines}
    assert listed <= {(one.kind, one.speaker, one.text) for one in found}
    assert {one.weight for one in lines} == {one.weight for one in found}


def test_paths_of_a_folder_share_a_line() -> None:
    lines = [line("path", f"src/net/{name}.ts") for name in ("retry", "pool")] + [
        line("path", "src/net/a.py")
    ]
    assert render_lines(lines) == "path (assistant):\n- src/net/{retry,pool}.ts\n- src/net/a.py"
    assert [one.text for one in read_lines(render_lines(lines))] == [one.text for one in lines]


def test_a_value_of_an_earlier_handoff_is_replaced_by_a_later_one() -> None:
    former = said_lines(["The port of the gateway is 8080."], "user")
    later = [one._replace(at=4) for one in said_lines(["The port of the gateway is 8123."], "user")]
    texts = [one.text for one, _ in rank(former, [later], Overheard()).scored]
    assert texts == ["The port of the gateway is 8123."]
    assert len(rank(former, [later[:0]], Overheard()).scored) == 1


def test_rows_of_an_output_are_worth_less_than_the_line_that_stands_out() -> None:
    log = "\n".join(f"2026-06-0{n}T10:00:00Z INFO a req=8a{n}bc1d{n}e2f took=4{n}ms" for n in range(1, 9))
    text = f"{log}\nmailer-api-7 listens on port 43210.\n"
    messages = [system(), user("go"), assistant(None, call("c")), result("c", text), *transcript("ua" * 12)]
    policy = CompactionPolicy(20_000, tail_tokens=100, head_messages=0, handoff_tokens=420)
    found = compact_transcript(messages, policy=policy, summarize=ExtractiveSummarizer()).handoff
    assert "43210" in found


@pytest.mark.parametrize("speaker", RULES)
@pytest.mark.parametrize("failing", [False, True])
def test_a_rule_stands_word_for_word_through_twenty_rounds(speaker: str, failing: bool) -> None:
    def summarize(request: SummaryRequest) -> str:
        if failing:
            raise SummaryFailedError("none today")
        return ExtractiveSummarizer()(request)

    rule = RULES[speaker]
    output = "\n".join(f"-rw-r--r-- 1 dev dev {number} src/a{number}.py" for number in range(60))
    said: dict[str, list[Dict]] = {
        "user": [user(f"Please look at src/tax.py. {rule}"), assistant("Yes.")],
        "assistant": [user("Go on."), assistant(f"I looked at it. {rule}")],
        "tool": [user("Go on."), assistant(None, call("c")), result("c", f"{output}\n{rule}\n{output}")],
    }
    messages = [system(), *said[speaker], *transcript("ua" * 30)]
    for _ in range(20):
        found = compact_transcript(
            messages, policy=CompactionPolicy(8_000, head_messages=0), summarize=summarize
        )
        assert found.status == "committed"
        assert found.handoff.count(rule) in (1, 2)
        assert f"({speaker}):\n- {rule}" in found.handoff
        messages = [*found.messages, *transcript("ua" * 30)]


def test_a_rule_that_was_lifted_goes() -> None:
    rule = "Never restart mailer-api-7 before Friday."
    messages = [system(), user(rule), assistant("Yes."), *transcript("ua" * 12)]
    policy = CompactionPolicy(8_000, head_messages=0, tail_tokens=100)
    first = compact_transcript(messages, policy=policy, summarize=ExtractiveSummarizer())
    assert f"- {rule}" in first.handoff
    lifted = user("The rule is lifted: you can restart mailer-api-7 now.")
    messages = [*first.messages, lifted, assistant("Good."), *transcript("ua" * 12)]
    second = compact_transcript(messages, policy=policy, summarize=ExtractiveSummarizer())
    assert f"- {rule}" not in second.handoff


def test_rules_beyond_a_quarter_of_the_window_are_counted() -> None:
    rules = [f"Never restart service-{number} before week {number} has ended." for number in range(60)]
    messages = [system(), *(made for rule in rules for made in (user(rule), assistant("Yes. " * 20)))]
    policy = CompactionPolicy(2_000, head_messages=0, tail_tokens=100)
    found = compact_transcript(
        [*messages, *transcript("ua" * 8)], policy=policy, summarize=ExtractiveSummarizer()
    )
    missing = sum(f"- {rule}" not in found.handoff for rule in rules)
    assert missing > 0
    assert f"{missing} rules in force are named by pointer only" in found.reason


@pytest.mark.parametrize("window", [20_000, 100_000, 400_000])
def test_a_handoff_keeps_to_its_budget(window: int) -> None:
    talk = [
        made
        for number in range(window // 400)
        for made in (user(f"Set LIMIT_{number}={number * 7}. " + "word " * 60), assistant("text " * 120))
    ]
    policy = CompactionPolicy(window, head_messages=0)
    found = compact_transcript([system(), *talk], policy=policy, summarize=ExtractiveSummarizer())
    span = found.tokens_before - found.tokens_after + count_text(found.handoff).tokens
    budget = policy.handoff_budget(span)
    assert 0.8 * budget < count_text(found.handoff).tokens <= budget * 1.02
