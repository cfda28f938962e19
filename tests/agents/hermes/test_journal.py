"""The journal of our engine, and the agent's own accounts, beside what the rows show."""

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from hermes_sessions.agents.hermes import journal as module
from hermes_sessions.agents.hermes.journal import prune_rows, read_journal, with_journal
from hermes_sessions.agents.values import CompactionRow
from hermes_sessions.integrations.hermes.plugin import journal as written
from hermes_sessions.integrations.hermes.plugin.notes import account_line
from hermes_sessions.messages import CompactionMethod, CompactionStatus, Realisation

RECORD = {
    "harness": "hermes", "kind": "summarize", "scope": "history", "official": True, "method": "llm_summary",
    "trigger": "pre_api", "trigger_class": "auto", "outcome": "committed", "failure_class": "none",
    "attempt_id": "a1", "session_id": "p", "tokens_before": 70_000, "tokens_after": 20_000,
    "context_limit": 128_000, "threshold_tokens": 64_000, "duration_ms": 4_000, "summarizer_model": "small",
    "split_status": "in_place_committed", "in_place": True, "cache_break": True, "has_focus_topic": None,
}  # fmt: skip
"""A record of version 1 as the agent's public source makes it."""
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


def test_an_account_in_plain_keywords_is_the_same() -> None:
    assert account_line(RECORD, 1.0) == account_line({"payload": RECORD}, 1.0)
    assert account_line({"session_id": "p", "model": "x"}, 1.0) is None


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
