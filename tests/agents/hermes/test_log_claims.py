from hermes_sessions.agents.hermes.log_claims import group_attempts, with_claims
from hermes_sessions.agents.hermes.telemetry import CompactionAttempt
from hermes_sessions.agents.values import CompactionRow
from hermes_sessions.messages import CompactionStatus, Realisation


def attempt(at, **changes):
    fields = {
        "attempt_id": f"a{at}", "session_id": "p", "trigger": "threshold", "logged_at": at,
        "estimated_tokens": 90_000, "commit_status": "committed", "fields": {"event": "done", "total_ms": 12},
    }  # fmt: skip
    return CompactionAttempt(**{**EMPTY, **fields, **changes})


EMPTY = dict.fromkeys(CompactionAttempt.__dataclass_fields__, None)


def event(at, key="k"):
    return CompactionRow(
        key=key, realisation=Realisation.ROTATION, status=CompactionStatus.COMMITTED, session="c",
        parent="p", child="c", finished_at=at,
    )  # fmt: skip


def test_the_nearest_claim_is_put_beside_a_compaction():
    [row] = with_claims([event(1_000.0)], group_attempts([attempt(900.0), attempt(1_010.0)]))
    assert row.claim == {"event": "done", "total_ms": 12}
    assert (row.trigger, row.tokens_before) == ("threshold", 90_000)


def test_a_claim_is_used_once():
    rows = with_claims([event(1_000.0, "one"), event(1_001.0, "two")], group_attempts([attempt(1_000.0)]))
    assert [row.claim is None for row in rows] == [False, True]


def test_a_claim_from_another_time_or_that_was_aborted_is_none():
    claims = group_attempts([attempt(9_000.0), attempt(1_000.0, commit_status="aborted")])
    assert with_claims([event(1_000.0)], claims)[0].claim is None


def test_several_lines_of_one_attempt_are_one_claim():
    first = attempt(1_000.0, attempt_id="x", fields={"event": "start", "fit_margin": 3})
    last = attempt(1_002.0, attempt_id="x", trigger=None, fields={"event": "done"})
    [one] = group_attempts([first, last])["p"]
    assert one.fields == {"event": "done", "fit_margin": 3}
    assert one.trigger == "threshold"
