"""A small handoff: few headings and places, nothing twice, talk behind what says something."""

import pytest

from hermes_sessions.compaction import CompactionPolicy, compact_transcript
from hermes_sessions.compaction.economy.brief_lines import brief_lines
from hermes_sessions.compaction.economy.certain_rules import is_certain
from hermes_sessions.compaction.economy.fact_lines import FactLine, read_lines, render_lines
from hermes_sessions.compaction.economy.span_facts import said_lines
from hermes_sessions.facts.values import FactKind
from hermes_sessions.summarizers import ExtractiveSummarizer
from tests.compaction.builders import Dict, assistant, call, result, user


def said(text: str, at: int, speaker: str = "user") -> list[FactLine]:
    return [one._replace(at=at, place=str(at)) for one in said_lines([text], speaker)]


def kept(*lines: FactLine) -> list[str]:
    return [line.text for line, _ in brief_lines((line, 5.0) for line in lines)]


def scores(text: str, speaker: str = "user") -> float:
    return max(score for line, score in brief_lines((one, 5.0) for one in said(text, 4, speaker)))


def test_lines_of_one_message_share_a_place_and_kinds_a_heading() -> None:
    lines = [*said("The port of oven-api is 8123.", 4), *said("kiln-api answers in 250 ms.", 4)]
    lines += said("kiln-store is on v1.13.9.", 9)
    written = render_lines(lines, brief=True)
    assert written.splitlines() == [
        "said (user):",
        "- [#4] The port of oven-api is 8123.",
        "  kiln-api answers in 250 ms.",
        "- [#9] kiln-store is on v1.13.9.",
    ]
    assert len({line.kind for line in lines}) == 3
    assert [one[:4] for one in read_lines(written)] == [one[:4] for one in lines]


def test_what_does_not_show_its_kind_keeps_its_heading() -> None:
    lines = [
        FactLine("version", "user", "as we left it yesterday", "4"),
        FactLine("constraint", "user", "Never deploy on Fridays.", "4"),
    ]
    written = render_lines(lines, brief=True)
    assert "version (user):\n- [#4] as" in written
    assert "constraint (user):\n- [#4] Never" in written
    assert {one[:4] for one in read_lines(written)} == {one[:4] for one in lines}


def test_what_a_longer_line_of_the_message_holds_is_not_told_twice() -> None:
    short = FactLine("duration", "assistant", "I measured 750 ms", "4", (), 4)
    long = FactLine("identifier", "assistant", "I measured 750 ms for oven-api.", "4", (), 4)
    (one,) = brief_lines([(short, 6.9), (long, 5.9)])
    assert (one[0].text, one[0].kind) == (long.text, "duration")
    assert one[1] == 6.9
    assert kept(short, long._replace(at=9)) == [short.text, long.text]


def test_a_value_that_a_later_line_gives_up_is_left_out() -> None:
    old = FactLine("identifier", "user", "queue_depth of oven-api is 3388.", "4", (), 4)
    new = FactLine("identifier", "user", "queue_depth of oven-api is no longer 3388 but 641.", "9", (), 9)
    other = FactLine("identifier", "user", "queue_depth of kiln-api is 3388.", "4", (), 4)
    assert kept(old, other, new) == [other.text, new.text]
    assert kept(old, new._replace(at=2)) == [old.text, new.text]


def test_a_file_that_a_tool_says_it_wrote_stands_once() -> None:
    path = FactLine(FactKind.FILE_CHANGED, "assistant", "src/kiln/tray.py", "4", (), 4)
    told = said("The file src/kiln/tray.py has been updated.", 5, "tool")
    told = [one._replace(kind=FactKind.FILE_CHANGED) for one in told]
    assert kept(path, *told) == [path.text]
    assert kept(*told) == [one.text for one in told]


@pytest.mark.parametrize(
    ("more", "less", "speaker"),
    [
        ("oven-api takes 12 min at p95.", "And the batch?", "user"),
        (
            "oven-api takes 12 min.",
            "2026-05-04T10:11:12.113Z WARN oven.api: took 12 min on 10.1.2.3:80",
            "user",
        ),
        ("For oven-api: ttl_seconds=36.", "self._oven_api = tray", "assistant"),
        ("kiln-api is on v1.13.9.", "I had another look at the settings of it.", "assistant"),
    ],
)
def test_talk_and_pasted_rows_come_behind_values(more: str, less: str, speaker: str) -> None:
    assert scores(more, speaker) > scores(less, speaker)


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        ("Appending is not allowed.", False),
        ("At least one value must be present.", False),
        ("lib/kiln.py:12: # Nobody may call this without a lock.", False),
        ("Deploying is not allowed.", True),
        ("The kiln room must not be entered before Friday.", True),
    ],
)
def test_what_a_value_must_be_is_no_rule(text: str, certain: bool) -> None:
    assert is_certain(FactLine("constraint", "tool", text)) is certain


def test_a_small_handoff_holds_values_and_not_talk() -> None:
    messages: list[Dict] = []
    for at in range(24):
        messages += [user(f"The port of oven-{at:02d}-api is {8100 + at}. And the batch?")]
        messages += [assistant("", call(f"c{at}")), result(f"c{at}", "nothing to see here today\n" * 40)]
        messages += [
            assistant(f"kiln-{at:02d}-api answers in {250 + at} ms. I had another look at the rest.")
        ]
    done = compact_transcript(messages, policy=CompactionPolicy(16_000), summarize=ExtractiveSummarizer())
    span = [at for at in range(24) if 4 * at in done.plan.span]
    ports = sum(f"oven-{at:02d}-api is {8100 + at}" in done.handoff for at in span)
    times = sum(f"kiln-{at:02d}-api answers in {250 + at} ms" in done.handoff for at in span)
    assert ports == len(span)
    assert times >= len(span) // 3
    facts = done.handoff.partition("## Exact facts, copied by rule")[2]
    assert "another look" not in facts.partition("<verbatim_tail>")[0]


def test_a_second_result_of_a_call_answers_none_and_is_named() -> None:
    messages: list[Dict] = []
    for at in range(12):
        messages += [user(f"Look at part {at}. " + "word " * 60), assistant("", call(f"c{at}"))]
        messages += [result(f"c{at}", "fine " * 30)] * (2 if at == 11 else 1)
        messages += [assistant("Looked. " + "word " * 60)]
    done = compact_transcript(messages, policy=CompactionPolicy(3_000), summarize=ExtractiveSummarizer())
    assert done.status == "committed"
    assert [one.get("tool_call_id") for one in done.messages].count("c11") == 1
    assert [omission.what for omission in done.omissions if "c11" in omission.ids] == ["orphan result"]
