"""The journal of our engine, and the agent's own accounts, beside what the rows show."""

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.agents.hermes import journal as module
from hermes_sessions.agents.hermes.journal import (
    failure_rows,
    journal_token,
    prune_rows,
    read_journal,
    with_journal,
)
from hermes_sessions.agents.hermes.log_claims import group_attempts, with_claims
from hermes_sessions.agents.values import CompactionRow
from hermes_sessions.integrations.hermes.plugin import journal as written
from hermes_sessions.integrations.hermes.plugin.notes import account_line
from hermes_sessions.messages import CompactionMethod, CompactionStatus, Realisation

RECORD = {
    "harness": "hermes", "kind": "summarize", "scope": "history", "official": True, "method": "llm_summary",
    "trigger": "pre_api", "trigger_class": "auto", "outcome": "committed", "failure_class": "none",
    "attempt_id": "a1", "session_id": "p", "tokens_before": 70_000, "tokens_after": 20_000,
    "context_limit": 128_000, "threshold_tokens": 64_000, "duration_ms": 4_000, "summarizer_model": "small",
    "split_status": "in_place_committed", "in_place": True, "session_rotated": False, "cache_break": True,
    "overflow_reason": None, "tokens_reclaimed": 50_000, "token_count_method": "estimate_rough",
    "messages_before": 180, "messages_after": 40, "items_dropped": 140, "protected_head_tokens": 900,
    "middle_window_tokens": 50_000, "protected_tail_tokens": 19_000, "summary_generation_ms": 3_000,
    "aux_call_duration_ms": 2_900, "queue_wait_ms": None, "commit_ms": 40, "summarizer_provider": "custom",
    "tool_results_pruned": 3, "reasoning_items_pruned": 0, "summary_input_omitted_chars": 0,
    "compression_count": 2, "has_focus_topic": None,
}  # fmt: skip
"""A record of version 1 as the agent's public source makes it: all of its 40 fields."""
PRUNED = {
    **RECORD, "kind": "prune_tool_results", "method": "deterministic_prune", "trigger": "proactive_prune",
    "attempt_id": "a2", "tokens_before": 60_000, "tokens_after": 31_000, "tool_results_pruned": 9,
}  # fmt: skip


def line(at: float, **changes: Any) -> dict[str, Any]:
    return {
        "v": 1, "kind": "compaction", "at": at, "started_at": at - 3, "engine": "hermes-sessions 1",
        "session": "p", "status": "committed", "method": "fallback", "reason": "no answer",
        "trigger": "manual", "focus": "ports", "policy": {"context_window": 90_000},
        "summarizer_model": "m", "tokens_before": 9_000, "tokens_after": 2_000,
        "tokens_method": "estimate:bytes", "left_out": ["orphan call x"], **changes,
    }  # fmt: skip


def event(at: float, key: str = "k", **changes: Any) -> CompactionRow:
    row = CompactionRow(
        key=key, realisation=Realisation.ROTATION, status=CompactionStatus.COMMITTED, session="c",
        parent="p", child="c", finished_at=at,
    )  # fmt: skip
    return replace(row, **changes)


def kept(home: Path, *lines: Any) -> Path:
    home.mkdir(exist_ok=True)
    for one in lines:
        written.append_line(home, one)
    return home / "state.db"


def test_writer_and_reader_mean_the_same_file() -> None:
    assert f"{written.FOLDER}/{written.FILE_NAME}" == module.FILE
    assert module.FILE + written.OLDER_SUFFIX == module.OLDER_FILE


def test_what_the_engine_knows_is_noted(tmp_path: Path) -> None:
    journal = read_journal(kept(tmp_path, line(1_000.0)))
    [row] = with_journal([event(1_001.0)], journal)
    assert row.noted is not None
    assert row.noted["method"] == "fallback"
    assert (row.noted["tokens_before"], row.noted["policy"]) == (9_000, {"context_window": 90_000})
    assert row.claim == {"engine": "hermes-sessions 1", "left_out": ["orphan call x"]}


def test_a_handoff_is_known_again_before_time_decides(tmp_path: Path) -> None:
    digest = sha256(b"the second").hexdigest()
    lines = (line(1_000.0, handoff_sha256=digest, focus="second"), line(1_001.0, focus="first"))
    journal = read_journal(kept(tmp_path, *lines))
    rows = with_journal([event(1_000.0, "one"), event(1_100.0, "two", summary="the second")], journal)
    assert [row.noted and row.noted["focus"] for row in rows] == ["first", "second"]


def test_a_line_of_another_time_session_or_outcome_is_not_attached(tmp_path: Path) -> None:
    lines = (line(9_000.0), line(1_000.0, session="q"), line(1_000.0, status="aborted"))
    [row] = with_journal([event(1_000.0)], read_journal(kept(tmp_path, *lines)))
    assert row.noted is None


def test_nonsense_is_read_past(tmp_path: Path) -> None:
    database = kept(tmp_path, line(1_000.0))
    path = written.journal_path(tmp_path)
    broken = ["", "[]", "3", "{", '{"kind": "compaction", "session": 3, "at": 1}', "x" * 200_000]
    odd = (
        json.dumps(line(float("nan"))),
        json.dumps(line(1_002.0, policy="?", tokens_before=-1, method="magic")),
    )
    path.write_text("\n".join([*broken, *odd, path.read_text()]))
    found = read_journal(database).runs["p"]
    assert [one["at"] for one in found] == [1_002.0, 1_000.0]
    noted = with_journal([event(1_002.0)], read_journal(database))[0].noted
    assert noted is not None
    assert (noted["policy"], noted["tokens_before"], noted["method"]) == (None, None, "unknown")


def test_no_journal_changes_nothing(tmp_path: Path) -> None:
    rows = [event(1_000.0)]
    assert with_journal(rows, read_journal(tmp_path / "state.db")) == rows


def test_the_agents_account_is_a_claim(tmp_path: Path) -> None:
    """Builds that give accounts are not on the package index: the shape is that of the public source."""
    account = account_line({"telemetry_schema_version": "1", "record": RECORD}, 1_000.0)
    [attempt] = read_journal(kept(tmp_path, account)).accounts
    assert (attempt.session_id, attempt.attempt_id, attempt.trigger) == ("p", "a1", "pre_api")
    assert (attempt.estimated_tokens, attempt.threshold_tokens, attempt.total_seconds) == (
        70_000,
        64_000,
        4.0,
    )
    assert attempt.commit_status == "committed"
    assert attempt.fields["summarizer_model"] == "small"


def test_every_field_that_says_something_is_kept() -> None:
    said = account_line({**RECORD, "telemetry_schema_version": "hermes.observer.v1"}, 1.0)
    assert said is not None
    assert len(RECORD) == 40
    assert {key for key, value in RECORD.items() if value is not None} <= set(said["record"])


def test_an_account_in_plain_keywords_is_the_same() -> None:
    assert account_line(RECORD, 1.0) == account_line({"payload": RECORD}, 1.0)
    assert account_line({"session_id": "p", "model": "x"}, 1.0) is None


def claimed(home: Path, record: dict[str, Any]) -> CompactionRow:
    """The compaction of `p` by rotation, with the agent's account of it."""
    accounts = read_journal(kept(home, account_line(record, 1_000.0))).accounts
    return with_claims([event(1_001.0)], group_attempts(accounts))[0]


def test_the_account_of_a_rotation_names_the_session_it_began_in(tmp_path: Path) -> None:
    """As the agent's own tests have it: `session_id` is the parent, whatever session goes on."""
    rotated = {**RECORD, "split_status": "rotated_committed", "in_place": False, "session_rotated": True}
    row = claimed(tmp_path, rotated)
    assert (row.trigger, row.tokens_before) == ("pre_api", 70_000)
    assert row.claim is not None
    assert (row.claim["session_rotated"], row.claim["attempt_id"]) == (True, "a1")


@pytest.mark.parametrize(
    "changes",
    [
        {"method": "deterministic_fallback", "failure_class": "summary_generation_failed"},
        {"split_status": "failed_not_indexed", "in_place": None, "failure_class": "session_split_failed"},
    ],
)
def test_a_committed_account_that_names_a_failure_is_committed(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    """The summary was made by rule, or the history was rewritten and something after it failed."""
    row = claimed(tmp_path, {**RECORD, **changes})
    assert row.claim is not None
    assert row.claim["failure_class"] == changes["failure_class"]
    assert list(failure_rows(["p"], read_journal(tmp_path / "state.db"))) == []


def test_an_account_that_knows_little_is_a_claim_of_what_it_knows(tmp_path: Path) -> None:
    """A micro-compaction gives 18 of the fields; the others are null, and null is not written."""
    known = {
        "harness": "hermes", "kind": "micro_summarize", "scope": "history", "official": False,
        "method": "llm_summary", "trigger": "between_turns", "trigger_class": "auto", "outcome": "committed",
        "failure_class": "none", "attempt_id": "m1", "session_id": "p", "tokens_before": 900,
        "tokens_after": 600, "tokens_reclaimed": 300, "token_count_method": "estimate_rough",
        "messages_before": 12, "messages_after": 10, "cache_break": True,
    }  # fmt: skip
    row = claimed(tmp_path, {**dict.fromkeys(RECORD), **known})
    assert row.claim == known


@pytest.mark.parametrize("kind", ["request_truncation", "window_reduction", "other", None])
def test_an_account_of_no_rewritten_history_makes_and_changes_nothing(
    tmp_path: Path, kind: str | None
) -> None:
    """Kinds of the newest source that shorten one request, or the window."""
    record = {**RECORD, "kind": kind, "scope": "request"}
    assert claimed(tmp_path, record).claim is None
    assert list(prune_rows(["p"], read_journal(tmp_path / "state.db"))) == []
    assert list(failure_rows(["p"], read_journal(tmp_path / "state.db"))) == []


def test_pruned_results_are_a_compaction_of_their_own_without_a_summary(tmp_path: Path) -> None:
    journal = read_journal(kept(tmp_path, account_line({"record": PRUNED}, 1_000.0)))
    [row] = prune_rows(["p", "q"], journal)
    assert (row.method, row.realisation, row.session) == (CompactionMethod.PRUNE, Realisation.IN_PLACE, "p")
    assert (row.tokens_before, row.tokens_after, row.span_messages) == (60_000, 31_000, 9)
    assert (row.handoff, row.summary, row.span_stored) == (None, None, False)
    assert journal.accounts == []


def test_a_prune_that_was_not_committed_is_none(tmp_path: Path) -> None:
    journal = read_journal(kept(tmp_path, account_line({"record": {**PRUNED, "outcome": "skipped"}}, 1.0)))
    assert list(prune_rows(["p"], journal)) == []


def failures(home: Path, *lines: Any) -> list[CompactionRow]:
    return list(failure_rows(["p"], read_journal(kept(home, *lines))))


def test_an_aborted_attempt_of_our_engine_is_an_aborted_compaction(tmp_path: Path) -> None:
    aborted = line(
        1_000.0, status="aborted", method=None, reason="no key", failure="auth", tokens_after=9_000
    )
    [row] = failures(tmp_path, aborted)
    assert (row.status, row.method, row.error) == (CompactionStatus.ABORTED, CompactionMethod.NONE, "no key")
    assert (row.finished_at, row.span_messages, row.handoff) == (1_000.0, None, None)
    assert row.noted is not None
    assert (row.noted["method"], row.noted["tokens_before"], row.noted["tokens_after"]) == (
        "none",
        9_000,
        None,
    )
    assert row.claim is not None
    assert row.claim["engine"] == "hermes-sessions 1"


def test_a_result_that_was_not_shorter_keeps_both_counts(tmp_path: Path) -> None:
    [row] = failures(tmp_path, line(1.0, status="aborted", method=None, failure="", tokens_after=8_999))
    assert row.noted is not None
    assert row.noted["tokens_after"] == 8_999


def test_a_fault_inside_the_engine_is_an_aborted_compaction_too(tmp_path: Path) -> None:
    raised = {"v": 1, "kind": "compaction", "at": 5.0, "session": "p", "engine": "e", "status": "failed"}
    [row] = failures(tmp_path, {**raised, "reason": "RuntimeError: broken"})
    assert (row.status, row.error) == (CompactionStatus.ABORTED, "RuntimeError: broken")
    [row] = failures(tmp_path / "other", {**raised, "reason": ""})
    assert row.error == "the journal gives no reason"


def test_what_was_not_attempted_is_no_compaction(tmp_path: Path) -> None:
    skipped = [account_line({**RECORD, "outcome": one}, 1.0) for one in ("skipped", "blocked", "noop")]
    assert failures(tmp_path, line(1.0, status="nothing"), *skipped) == []
    assert read_journal(tmp_path / "state.db").accounts == []


def test_a_failure_of_another_engine_is_known_by_the_agents_account(tmp_path: Path) -> None:
    failed = {**RECORD, "outcome": "failed", "failure_class": "summary_model_benched", "tokens_after": None}
    [row] = failures(tmp_path, account_line(failed, 1_000.0))
    assert (row.error, row.trigger, row.tokens_before) == ("summary_model_benched", "pre_api", 70_000)
    assert row.noted is None
    assert row.claim is not None
    assert row.claim["method"] == "llm_summary"


def test_the_agents_account_of_our_own_failure_is_not_a_second_one(tmp_path: Path) -> None:
    """A run of ours that the agent did not take over is a failure to the agent."""
    account = account_line({**RECORD, "outcome": "aborted"}, 1_030.0)
    assert len(failures(tmp_path, line(1_000.0, status="aborted"), account)) == 1
    assert failures(tmp_path / "other", line(1_000.0), account) == []
    assert len(failures(tmp_path / "late", line(900.0), account)) == 1


def test_a_line_that_is_there_twice_is_one_attempt(tmp_path: Path) -> None:
    assert len(failures(tmp_path, *[line(1_000.0, status="aborted")] * 2)) == 1
    pruned = account_line({"record": {**PRUNED, "attempt_id": ["odd"]}}, 1.0)
    assert len(list(prune_rows(["p"], read_journal(kept(tmp_path, pruned, pruned))))) == 1


def test_only_the_newest_attempts_are_taken(tmp_path: Path) -> None:
    path = written.journal_path(tmp_path)
    path.parent.mkdir()
    path.write_text("".join(json.dumps(line(float(at), status="aborted")) + "\n" for at in range(700)))
    rows = list(failure_rows(["p"], read_journal(tmp_path / "state.db")))
    assert [rows[0].finished_at, rows[-1].finished_at, len(rows)] == [200.0, 699.0, 500]


def test_an_account_of_what_has_no_rows_is_not_given_to_a_compaction(tmp_path: Path) -> None:
    native = account_line({**RECORD, "kind": "provider_native", "scope": "provider"}, 1.0)
    micro = account_line({**RECORD, "kind": "micro_summarize", "official": False}, 2.0)
    found = read_journal(kept(tmp_path, native, micro))
    assert [one.fields["kind"] for one in found.accounts] == ["micro_summarize"]


def test_marks_and_token_change_with_the_lines(tmp_path: Path) -> None:
    seen = {(journal_token(tmp_path / "state.db"), read_journal(tmp_path / "state.db").marks.get("p"))}
    added = [
        line(1.0),
        line(2.0, status="aborted"),
        account_line({"record": PRUNED}, 3.0),
        account_line(RECORD, 4.0),
    ]
    for one in added:
        database = kept(tmp_path, one)
        seen.add((journal_token(database), read_journal(database).marks.get("p")))
    tokens, marks = zip(*seen, strict=True)
    assert len(set(tokens)) == len(set(marks)) == 5
    assert "" in tokens
    assert None in marks
    assert read_journal(kept(tmp_path, line(9.0, session="q"))).marks["p"] in marks
