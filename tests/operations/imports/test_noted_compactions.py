"""A compaction that a host committed and noted here: one row, whatever comes first, after every import."""

from typing import Any

import pytest
from sqlalchemy import select

from hermes_sessions import CompactionPolicy, Store
from hermes_sessions.compaction import CompactionResult, compact_transcript
from hermes_sessions.errors import InvalidQueryError, NotFoundError
from hermes_sessions.store.schema.models import Compaction
from hermes_sessions.summarizers import ExtractiveSummarizer
from tests.agents.hermes.hermes_builder import row, session
from tests.operations.agent.agents import failing, turns
from tests.operations.imports.scene import NOW, again, handoff, talk
from tests.operations.imports.test_in_place import generations

POLICY = CompactionPolicy(4_000, tail_tokens=300, min_tail_messages=4)
BEFORE = talk("s", "ask 1", "reply 1", "ask 2", "reply 2", "ask 3", "reply 3")


def result(summarize: Any = None) -> CompactionResult:
    return compact_transcript(list(turns(20)), policy=POLICY, summarize=summarize or ExtractiveSummarizer())


def stored(scene: Any) -> list[Compaction]:
    with scene.database.read() as db:
        return list(db.scalars(select(Compaction).order_by(Compaction.ordinal)))


def noted(scene: Any, **values: Any) -> int:
    store = Store(scene.database, lambda: NOW)
    return store.note_compaction("s", result(), policy=POLICY, trigger="threshold", **values)


def check_joined(scene: Any, key: int, realisation: str) -> None:
    [one] = stored(scene)
    assert (one.id, one.realisation, one.status) == (key, realisation, "committed")
    assert (one.method, one.trigger, one.tokens_before) == ("extractive", "threshold", result().tokens_before)
    assert one.policy is not None
    assert one.handoff_id is not None
    assert one.span_messages


def test_one_in_place_is_joined_with_what_the_import_finds(scene: Any) -> None:
    scene.play([session("s")], BEFORE)
    key = noted(scene)
    rows = generations(1)
    scene.play([session("s")], rows)
    check_joined(scene, key, "in_place")
    scene.play([session("s")], [*rows, *talk("s", "later ask", "later reply")])
    check_joined(scene, key, "in_place")


def test_one_by_rotation_is_joined_with_what_the_import_finds(scene: Any) -> None:
    scene.play([session("s")], BEFORE)
    key = noted(scene, realisation="rotation")
    child = [handoff("t"), *again(BEFORE[-2:], "t"), *talk("t", "new ask", "new reply")]
    sessions = [session("s", end_reason="compression"), session("t", parent="s")]
    scene.play(sessions, [*BEFORE, *child])
    check_joined(scene, key, "rotation")
    scene.play(sessions, [*BEFORE, *child, row("t", "user", "more")])
    check_joined(scene, key, "rotation")


def test_a_failed_attempt_is_remembered_after_a_restart(scene: Any) -> None:
    scene.play([session("s")], BEFORE)
    failed = result(failing("auth"))
    Store(scene.database, lambda: NOW).note_compaction("s", failed, policy=POLICY)
    scene.play([session("s")], [*BEFORE, *talk("s", "later ask", "later reply")])
    again_opened = Store(scene.database, lambda: NOW + 1)
    [attempt] = again_opened.attempts("s")
    assert attempt.failed
    assert not again_opened.should_compact("s", POLICY, POLICY.threshold_tokens)
    assert Store(scene.database, lambda: NOW + 61).should_compact("s", POLICY, POLICY.threshold_tokens)


def test_what_cannot_be_noted_is_refused(scene: Any) -> None:
    scene.play([session("s")], BEFORE)
    store = Store(scene.database, lambda: NOW)
    with pytest.raises(NotFoundError):
        store.note_compaction("unknown", result(), policy=POLICY)
    with pytest.raises(InvalidQueryError, match="realisation"):
        store.note_compaction("s", result(), policy=POLICY, realisation="native")
    with pytest.raises(InvalidQueryError, match="this store"):
        store.note_compaction(store.create_session(), result(), policy=POLICY)
