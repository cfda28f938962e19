"""The engine as the agent uses it: copies, counts, attempts, and nothing that reaches the loop."""

import copy
import inspect
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.errors import SummaryFailedError
from hermes_sessions.integrations.hermes.plugin import engine as module
from hermes_sessions.integrations.hermes.plugin.engine import SessionsEngine, make_engine
from hermes_sessions.integrations.hermes.plugin.settings import EngineSettings
from hermes_sessions.messages import SummaryRequest
from tests.integrations.hermes.talks import talk

WINDOW = 12_000


@pytest.fixture
def engine(tmp_path: Path) -> SessionsEngine:
    return started(tmp_path)


def started(home: Path, **settings: Any) -> SessionsEngine:
    made = make_engine(EngineSettings(summarizer="rule", **settings))
    made.update_model("some-model", WINDOW)
    made.on_session_start("first", hermes_home=str(home))
    return made


def failing(kind: str) -> Any:
    def summarize(request: SummaryRequest) -> str:
        raise SummaryFailedError("no key", kind)

    return summarize


def journal(home: Path) -> list[dict[str, Any]]:
    text = (home / "hermes-sessions" / "compactions.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_a_compaction_is_shorter_and_marked(engine: SessionsEngine) -> None:
    given = talk()
    before = copy.deepcopy(given)
    result = engine.compress(given, current_tokens=20_000)
    assert given == before
    assert len(result) < len(given)
    assert result[0]["_compressed_summary"] is True
    assert not any("_db_persisted" in one for one in result)
    assert result[-1] == {"role": "user", "content": "And now the last one."}
    assert engine.compression_count == 1
    assert engine._last_compression_made_progress is True


def test_roles_alternate(engine: SessionsEngine) -> None:
    roles = [one["role"] for one in engine.compress(talk(), current_tokens=20_000)]
    assert not [pair for pair in pairwise(roles) if pair == ("user", "user")]


def test_a_deep_copy_is_a_fresh_engine(engine: SessionsEngine) -> None:
    engine.compress(talk(), current_tokens=20_000)
    other = copy.deepcopy(engine)
    assert other is not engine
    assert (other.compression_count, other.context_length, other.settings) == (0, 0, engine.settings)
    other.update_model("small", 9_000)
    assert engine.context_length == WINDOW


def test_the_end_of_a_session_at_a_compaction_closes_nothing(engine: SessionsEngine) -> None:
    engine.on_session_end("first", talk())
    assert len(engine.compress(talk(), current_tokens=20_000)) < len(talk())


def test_a_fault_of_ours_leaves_the_messages(
    engine: SessionsEngine, monkeypatch: Any, tmp_path: Path
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(module, "compact_transcript", broken)
    given = talk()
    assert engine.compress(given, current_tokens=20_000) == talk()
    assert engine._last_compress_aborted is True
    assert journal(tmp_path)[-1]["reason"] == "RuntimeError: broken"


def test_a_fault_of_ours_is_not_met_again_at_every_request(
    engine: SessionsEngine, monkeypatch: Any, tmp_path: Path
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(module, "compact_transcript", broken)
    engine.compress(talk(), current_tokens=20_000)
    assert engine.get_active_compression_failure_cooldown() is not None
    assert started(tmp_path).get_active_compression_failure_cooldown() is not None


@pytest.mark.parametrize("part", ["outgoing", "compaction_line", "append_line"])
def test_what_follows_a_compaction_raises_nothing_either(
    engine: SessionsEngine, monkeypatch: Any, part: str
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(module, part, broken)
    result = engine.compress(talk(), current_tokens=20_000)
    assert (result == talk()) is (part == "outgoing")
    assert engine._last_compress_aborted is (part == "outgoing")


@pytest.mark.parametrize(
    "line",
    [
        pytest.param('"session":["first"],"at":1,"tokens_before":1,"tokens_after":1', id="a list"),
        pytest.param('"session":"first","at":1,"tokens_before":NaN,"tokens_after":1', id="no number"),
        pytest.param(f'"session":"first","at":1,"tokens_before":{"9" * 400},"tokens_after":1', id="huge"),
    ],
)
def test_a_damaged_line_of_the_journal_is_passed_over(tmp_path: Path, line: str) -> None:
    path = tmp_path / "hermes-sessions" / "compactions.jsonl"
    path.parent.mkdir()
    good = (
        '{"kind":"compaction","session":"first","at":2,"status":"aborted","tokens_before":5,"tokens_after":5}'
    )
    path.write_text(f'{{"kind":"compaction",{line}}}\n{good}\n')
    assert [one.finished_at for one in started(tmp_path)._attempts] == [2]


def test_a_journal_that_cannot_be_read_stops_no_session(tmp_path: Path, monkeypatch: Any) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(module, "recent_lines", broken)
    assert started(tmp_path)._attempts == []


def test_messages_that_are_none_leave_the_list(engine: SessionsEngine) -> None:
    odd: list[Any] = [None, 3, {"role": "user"}]
    assert engine.compress(odd) == [None, 3, {"role": "user"}]


def test_no_key_pauses_the_next_attempt(engine: SessionsEngine, monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "ExtractiveSummarizer", lambda: failing("auth"))
    assert engine.compress(talk(), current_tokens=11_000) == talk()
    assert engine._last_compress_aborted
    found = engine.get_active_compression_failure_cooldown(refresh=True)
    assert found is not None
    assert 0 < found["remaining_seconds"] <= 60
    assert not engine.should_compress(engine.threshold_tokens)


def test_a_new_process_keeps_the_pause(engine: SessionsEngine, monkeypatch: Any, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "ExtractiveSummarizer", lambda: failing("auth"))
    engine.compress(talk(), current_tokens=11_000)
    engine.on_session_start("second", boundary_reason="compression", old_session_id="first")
    assert started(tmp_path).get_active_compression_failure_cooldown() is not None
    later = make_engine(EngineSettings())
    later.update_model("some-model", WINDOW)
    later.on_session_start("second", hermes_home=str(tmp_path))
    assert later.get_active_compression_failure_cooldown() is not None


def test_a_failed_summary_is_a_handoff_by_rule(engine: SessionsEngine, monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "ExtractiveSummarizer", lambda: failing("other"))
    assert len(engine.compress(talk(), current_tokens=20_000)) < len(talk())
    assert engine._last_summary_fallback_used
    assert engine._last_summary_error == "no key"


def test_a_smaller_window_lowers_the_threshold(engine: SessionsEngine) -> None:
    engine.update_model("large", 400_000)
    assert (engine.threshold_tokens, engine.should_compress(100_000)) == (200_000, False)
    engine.update_model("small", 90_000)
    assert (engine.threshold_tokens, engine.should_compress(100_000)) == (64_000, True)


def test_a_threshold_that_the_host_lowered_counts(engine: SessionsEngine) -> None:
    engine.threshold_tokens = 3_000
    assert engine.should_compress(3_500)


def test_a_noisy_guess_waits_for_the_provider(engine: SessionsEngine) -> None:
    limit = engine.threshold_tokens
    assert not engine.should_defer_preflight_to_real_usage(limit - 1)
    engine.update_from_response({"prompt_tokens": (limit - 1) // 2})
    assert engine.should_defer_preflight_to_real_usage(limit + 100)
    assert not engine.should_defer_preflight_to_real_usage(limit * 3)
    engine.awaiting_real_usage_after_compression = True
    assert engine.should_defer_preflight_to_real_usage(limit * 3)


def test_the_newest_call_speaks_for_the_engine(engine: SessionsEngine, monkeypatch: Any) -> None:
    """A host that gave a slow call up makes another; the first one's end changes nothing."""

    class Slow:
        method = "extractive"

        def __call__(self, request: SummaryRequest) -> str:
            monkeypatch.setattr(module, "ExtractiveSummarizer", lambda: failing("auth"))
            engine.compress(talk(), current_tokens=20_000)
            return "## Goal\nServices are looked at, one after the other."

    monkeypatch.setattr(module, "ExtractiveSummarizer", Slow)
    engine.compress(talk(), current_tokens=20_000)
    assert engine._last_compress_aborted
    assert engine.compression_count == 0


def test_the_journal_is_its_owners_alone(engine: SessionsEngine, tmp_path: Path) -> None:
    engine.compress(talk(), current_tokens=20_000, focus_topic="ports", force=True)
    engine.on_session_start("second", boundary_reason="compression", old_session_id="first")
    run, boundary = journal(tmp_path)
    assert (run["session"], run["trigger"], run["focus"], run["status"]) == (
        "first",
        "manual",
        "ports",
        "committed",
    )
    assert (boundary["session"], boundary["parent"]) == ("second", "first")
    path = tmp_path / "hermes-sessions" / "compactions.jsonl"
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_a_journal_that_cannot_be_written_stops_nothing(engine: SessionsEngine, tmp_path: Path) -> None:
    (tmp_path / "hermes-sessions").write_text("in the way")
    assert len(engine.compress(talk(), current_tokens=20_000)) < len(talk())


def test_nothing_is_written_where_the_user_wants_no_journal(tmp_path: Path) -> None:
    started(tmp_path, journal=False).compress(talk(), current_tokens=20_000)
    assert not (tmp_path / "hermes-sessions").exists()


def test_what_memory_wants_remembered_is_in_the_handoff(engine: SessionsEngine) -> None:
    result = engine.compress(talk(), current_tokens=20_000, memory_context="The gate code is violet-9.")
    assert "violet-9" in result[0]["content"]


INTERFACES = {
    "compress": ("messages", "current_tokens", "focus_topic", "force", "memory_context"),
    "should_compress": ("prompt_tokens",),
    "should_compress_info": ("prompt_tokens",),
    "update_model": ("model", "context_length", "base_url", "api_key", "provider", "api_mode"),
    "update_from_response": ("usage",),
    "on_session_start": ("session_id", "boundary_reason", "old_session_id", "platform", "conversation_id"),
    "on_session_end": ("session_id", "messages"),
    "bind_session_state": ("session_db", "session_id"),
    "handle_tool_call": ("name", "args", "messages"),
    "prune_tool_results_only": ("messages", "current_tokens"),
    "select_context": ("request_messages", "conversation_messages", "incoming_message", "budget_tokens"),
    "on_turn_complete": ("messages", "usage", "turn_id", "task_id", "interrupted"),
    "get_active_compression_failure_cooldown": ("refresh",),
    "_automatic_compression_blocked": ("ignore_cooldown",),
}
"""Methods and keywords of the agent's interface, from 0.13 to its public source of autumn 2026."""


@pytest.mark.parametrize("name", sorted(INTERFACES))
def test_every_keyword_of_every_version_is_taken(engine: SessionsEngine, name: str) -> None:
    inspect.signature(getattr(engine, name)).bind(**dict.fromkeys(INTERFACES[name]))
