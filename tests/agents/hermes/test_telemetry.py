import json
from datetime import UTC, datetime

import pytest

from hermes_sessions.agents.hermes.telemetry import find_logs, parse_telemetry, read_telemetry

MARKER = "context compression attempt telemetry: "


def line(**fields):
    return f"2026-09-03 12:34:56,789 INFO agent.compaction: {MARKER}{json.dumps(fields)}"


def parsed(text):
    attempt = parse_telemetry(text)
    assert attempt is not None
    return attempt


@pytest.fixture
def home(tmp_path):
    (tmp_path / "logs").mkdir()
    return tmp_path


def test_a_line_becomes_a_value():
    attempt = parsed(
        line(
            session_id="s1",
            attempt_id="a1",
            event="finished",
            trigger_source="threshold",
            current_estimated_tokens=101_000,
            effective_threshold=100_000,
            main_context_limit=200_000,
            total_ms=2500,
            fallback_used=False,
            commit_status="committed",
            split_status="in_place_committed",
            failure_class=None,
        )
    )
    assert (attempt.session_id, attempt.trigger, attempt.estimated_tokens) == ("s1", "threshold", 101_000)
    assert (attempt.total_seconds, attempt.fallback_used, attempt.failure) == (2.5, False, None)


def test_the_whole_line_is_kept():
    assert parsed(line(session_id="s", fit_margin=-3)).fields["fit_margin"] == -3


def test_a_time_with_a_zone_is_read_as_such():
    text = f'2026-09-03T12:34:56.5+02:00 {MARKER}{{"session_id": "s"}}'
    assert parsed(text).logged_at == datetime(2026, 9, 3, 10, 34, 56, 500_000, UTC).timestamp()


def test_a_time_without_a_zone_is_local():
    expected = datetime(2026, 9, 3, 12, 34, 56, 789_000).timestamp()
    assert parsed(line(session_id="s")).logged_at == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("2026-09-03 INFO something else", id="another line"),
        pytest.param(MARKER + '{"session_id": "s"', id="cut off"),
        pytest.param(MARKER + "[" * 60_000, id="nested without end"),
        pytest.param(MARKER + "null", id="no object"),
        pytest.param(MARKER + '{"session_id": 7}', id="session is not text"),
        pytest.param(MARKER + '{"event": "start"}', id="no session"),
    ],
)
def test_what_is_no_attempt_gives_none(text):
    assert parse_telemetry(text) is None


@pytest.mark.parametrize("value", [True, "many", -1, float("nan"), float("inf"), 10**400, [1], None])
def test_an_impossible_number_is_unknown(value):
    text = MARKER + '{"session_id": "s", "current_estimated_tokens": ' + json.dumps(value) + "}"
    assert parsed(text).estimated_tokens is None


def test_rotated_logs_come_oldest_first(home):
    for name in ("agent.log", "agent.log.1", "agent.log.10", "agent.log.2", "gateway.log", "agent.log.bak"):
        (home / "logs" / name).write_text(line(session_id=name) + "\n")
    found = [attempt.session_id for attempt in read_telemetry(home / "state.db")]
    assert found == ["agent.log.10", "agent.log.2", "agent.log.1", "agent.log"]


def test_no_log_gives_nothing(tmp_path):
    assert list(read_telemetry(tmp_path / "state.db")) == []
    assert find_logs(tmp_path / "state.db") == ()


def test_a_log_of_garbage_gives_nothing(home):
    (home / "logs" / "agent.log").write_bytes(bytes(range(256)) * 2000)
    (home / "logs" / "agent.log.1").mkdir()
    assert list(read_telemetry(home / "state.db")) == []


def test_lines_after_one_of_endless_length_are_read(home):
    with (home / "logs" / "agent.log").open("w") as log:
        log.write("x" * 300_000 + "\n" + line(session_id="after") + "\n")
    assert [attempt.session_id for attempt in read_telemetry(home / "state.db")] == ["after"]
