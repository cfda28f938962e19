"""The exact facts of a span: which, beside what, in which order, and each message read once."""

from typing import Any

import pytest

from hermes_sessions.compaction import CompactionPolicy
from hermes_sessions.compaction.economy import span_facts
from hermes_sessions.compaction.economy.ranking import Overheard, Ranked, rank
from hermes_sessions.compaction.economy.span_facts import FactCache, span_lines
from hermes_sessions.compaction.pairs import pair_tools
from hermes_sessions.compaction.plan import plan_transcript
from hermes_sessions.compaction.transcript import TranscriptEntry, read_transcript
from hermes_sessions.facts.values import Fact
from hermes_sessions.tokens import token_counter
from tests.compaction.builders import assistant, call, result, transcript, user

POLICY = CompactionPolicy(20_000, tail_tokens=300, head_messages=0)


def entries(*messages: dict[str, Any]) -> tuple[TranscriptEntry, ...]:
    tail = transcript("ua" * 14, words=60)
    return read_transcript([*messages, *tail], token_counter("o200k_base"))


def ranked(*messages: dict[str, Any]) -> Ranked:
    read = entries(*messages)
    pairing = pair_tools(read)
    lines = span_lines(read, pairing, plan_transcript(read, pairing, POLICY), str).lines
    return rank((), lines, Overheard())


def shown(*messages: dict[str, Any]) -> set[tuple[str, str]]:
    found = ranked(*messages)
    return {(line.kind, line.text) for line in (*found.rules, *(one for one, _ in found.scored))}


def test_a_value_stands_beside_its_subject() -> None:
    shown_by_a_tool = "server:\n  retries: 5\n  workers: 12\n"
    found = shown(
        user("go on"),
        assistant("The gateway is on port 8123. " + "Nothing else was found there. " * 20),
        assistant(None, call("c")),
        result("c", shown_by_a_tool),
    )
    assert ("port", "The gateway is on port 8123.") in found
    assert ("config", "server.retries = 5") in found


def test_a_rule_is_listed_to_its_full_stop() -> None:
    assert ("constraint", "Never push to main.") in shown(
        user("Please fix the tax. Never push to main."), assistant("Yes.")
    )


def test_a_value_that_a_later_one_replaces_is_left_out() -> None:
    found = shown(
        user("gateway port is 8080"), assistant("ok"), user("gateway port is 8123"), assistant("ok")
    )
    assert [line for kind, line in sorted(found) if kind == "port"] == ["gateway port is 8123"]


def test_an_error_carries_its_tool_and_subject() -> None:
    found = shown(
        user("go on"),
        assistant(None, call("c", "write_file", path="/srv/app/settings.py")),
        result("c", "PermissionError: [Errno 13] Permission denied"),
    )
    errors = [line for kind, line in found if kind == "error"]
    assert errors == ["[write_file /srv/app/settings.py] PermissionError: [Errno 13] Permission denied"]


def test_an_error_line_that_comes_again_is_listed_once() -> None:
    log = "\n".join(f"ERROR: shard {number} timed out after {number} ms" for number in range(40))
    found = shown(user("go on"), assistant(None, call("c")), result("c", log))
    assert len([line for kind, line in found if kind == "error"]) == 1


def test_no_line_is_a_bare_count() -> None:
    found = shown(user("go on"), assistant(None, call("c")), result("c", "13 lines\n4 rows\n"))
    assert not [line for kind, line in found if kind == "number"]


def test_a_message_is_read_once_and_the_cache_is_bounded() -> None:
    first, second = (entries(user(f"port {number}"))[0] for number in (8123, 8124))
    cache = FactCache(max_bytes=4_000)
    found = cache.read(first)
    assert found.lines
    assert cache.read(first) is found
    for number in range(20):
        cache.read(entries(user(f"port 90{number:02}"))[0])
    assert cache.read(first) is not found
    assert cache.read(first) == found != cache.read(second)


def _read_from_now_on(monkeypatch: pytest.MonkeyPatch, max_bytes: int) -> list[str]:
    """Return a list that each text goes to in which facts are looked for; nothing is known before."""
    texts: list[str] = []
    find = span_facts._facts

    def facts(entry: TranscriptEntry) -> tuple[Fact, ...]:
        texts.append(entry.text)
        return find(entry)

    monkeypatch.setattr(span_facts, "_CACHE", FactCache(max_bytes))
    monkeypatch.setattr(span_facts, "_facts", facts)
    return texts


def test_one_compaction_reads_a_message_once_whatever_the_cache_holds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    messages = [user("Where is it?"), *transcript("ct" * 20, words=30)]
    texts = _read_from_now_on(monkeypatch, max_bytes=1)
    read = entries(*messages)
    pairing = pair_tools(read)
    plan = plan_transcript(read, pairing, POLICY)
    span_lines(read, pairing, plan, str)
    assert len(texts) == len(plan.span)


def test_a_round_finds_no_facts_in_what_an_earlier_attempt_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read_now = _read_from_now_on(monkeypatch, max_bytes=10_000_000)
    seen = [user(f"Part {number} listens on port {8_000 + number}.") for number in range(190)]
    ranked(*seen)
    before = len(read_now)
    new = [user(f"Depot {number} opens at {number} o'clock.") for number in range(1, 11)]
    ranked(*seen, *new)
    assert before >= len(seen)
    assert sorted(read_now[before:]) == sorted(str(message["content"]) for message in new)


def test_facts_of_one_line_hold_one_copy_of_it() -> None:
    read = FactCache(max_bytes=10_000_000).read(entries(user("host a.example.org port 8123 and v1.2.3"))[0])
    texts = {id(fact.text) for line in read.lines for fact in line.slots}
    assert sum(len(line.slots) for line in read.lines) > len(texts)


@pytest.mark.parametrize("speaker", ["user", "assistant", "tool"])
def test_a_statement_under_a_label_is_kept_whole_whoever_says_it(speaker: str) -> None:
    said = "REQUIREMENT: Invoices carry the buyer's number.\nHEADS-UP: the bakery closes at noon on Mondays"
    spoken = {
        "user": [user(f"{said}\nGo on."), assistant("Yes.")],
        "assistant": [user("Go on."), assistant(said)],
        "tool": [user("Go on."), assistant(None, call("c")), result("c", f"total 3\n{said}\nbye")],
    }
    found = shown(*spoken[speaker])
    assert ("constraint", "REQUIREMENT: Invoices carry the buyer's number.") in found
    assert ("decision", "HEADS-UP: the bakery closes at noon on Mondays") in found


@pytest.mark.parametrize(
    "output",
    [
        "ERROR: the disk is full again\nINFO: everything else is fine",
        "NAME: first of the rows here\nNAME: second of the rows here\nNAME: third of the rows here",
        "PATH: /usr/bin:/bin",
        "TOTAL: 12",
        "FLAGS: a=1; b=2; c=3 and more",
    ],
)
def test_levels_rows_and_values_are_no_statements(output: str) -> None:
    lines = output.splitlines()
    found = shown(user("Go on."), assistant(None, call("c")), result("c", output))
    assert not [line for kind, line in found if kind in ("constraint", "decision") and line in lines]


def test_what_stands_in_a_decision_is_not_listed_beside_it() -> None:
    found = shown(user("POLICY: Ship from branch release/4.2 only, at 03:00 UTC."), assistant("Yes."))
    assert [line for _, line in found if "release/4.2" in line] == [
        "POLICY: Ship from branch release/4.2 only, at 03:00 UTC."
    ]


def test_a_rule_said_again_with_another_amount_replaces_the_first() -> None:
    texts = (
        "Never spend more than $300 on ads.",
        "Never open valve 4.",
        "Never open valve 5.",
        "Never spend more than $450 on ads.",
    )
    told = [message for text in texts for message in (user(text), assistant("Yes."))]
    assert [rule.text for rule in ranked(*told).rules] == list(texts[1:])


def errors(*texts: str) -> list[str]:
    """What stands after a tool reported these, one result each."""
    messages = [user("go on")]
    for number, text in enumerate(texts):
        key = f"c{number}"
        messages += [assistant(None, call(key, command="make ledger")), result(key, text)]
    return sorted(text.partition("] ")[2] for kind, text in shown(*messages) if kind == "error")


def test_errors_in_one_wording_about_different_things_all_stay() -> None:
    quota = [f"Error: quota of shard ledger-{number} exceeded (code {4000 + number})" for number in (3, 7, 9)]
    assert errors(*quota) == quota


def test_one_error_met_again_later_stands_once() -> None:
    again = [
        f"Error: connection to ledger refused after {number}.5 s (attempt {number})" for number in (3, 7)
    ]
    assert errors(*again) == again[1:]


@pytest.mark.parametrize(
    "told",
    [
        "applied ttl_seconds=394 to wallet-banner-prime",
        "payroll_merge effective configuration: max_inflight = 25215",
        "current value of max_idle for claims_staging is 56",
        "claims_backfill_mini assigned to Mirela Stone",
        "[batch-balancer-two] unhandled exception SQLSTATE 47901",
    ],
)
def test_a_line_of_a_tool_keeps_the_thing_that_it_is_about(told: str) -> None:
    rows = "\n".join(f"Collecting part{number}==1.{number}.0" for number in range(3))
    found = shown(user("go on"), assistant(None, call("c")), result("c", f"{rows}\n{told}\n{rows}"))
    assert told in {text.partition("] ")[2] if text.startswith("[terminal") else text for _, text in found}


def test_what_stands_beside_a_decision_in_one_paragraph_is_listed_too() -> None:
    said = "Die Stapelgröße von lichen-probe ist 39771."
    found = shown(user(f"{said} Ich habe mich entschieden: halden-corpus bekommt Typesense. Weiter geht es."))
    assert said in {text for _, text in found}
    assert any(kind == "decision" and "Typesense" in text for kind, text in found)


def test_an_answer_of_documentation_or_narration_weighs_less_than_what_was_found() -> None:
    found = ranked(
        user("go on"),
        assistant(
            "Let me look at src/mail/queue.py since it looks odd. cart-sync is on commit 10ad51d5 now."
        ),
        assistant(
            "If the optional argument is None, the method returns a string. Ines takes care of tax-api."
        ),
    )
    scores = {line.text: score for line, score in found.scored}
    best = {key: max(score for text, score in scores.items() if key in text) for key in ("10ad51d5", "Ines")}
    for dross in ("Let me look", "If the optional"):
        assert all(score + 2 < min(best.values()) for text, score in scores.items() if dross in text), scores
