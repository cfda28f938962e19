"""Measuring, judging and tracing are done without the collector, which looks through all facts each time."""

import gc

import pytest

from hermes_sessions.audit.claims import trace_claims
from hermes_sessions.audit.measure import measure_compaction
from hermes_sessions.audit.retention import measure_survival
from hermes_sessions.audit.rules import check_compaction
from hermes_sessions.audit.values import ConversationCase
from hermes_sessions.audit.verdict.build import judge_compaction
from hermes_sessions.operations.auditing.audit_conversations import audit_case
from tests.audit.builders import assistant, compacted, user

CASE = compacted(
    [user("The port is 9090, put it into src/settings.py"), assistant("Done: the port is 9090 now.")],
    keep=[],
    body="## Done\n- The port is 9090.",
)
MEASURED = CASE.measured()
WORK = {
    "measure": lambda: measure_compaction(MEASURED.case),
    "rules": lambda: list(check_compaction(MEASURED)),
    "verdict": lambda: judge_compaction(MEASURED),
    "claims": lambda: trace_claims(MEASURED.case),
    "survival": lambda: measure_survival([MEASURED.case]),
    "conversation": lambda: audit_case(ConversationCase(compactions=(MEASURED.case,))),
}


@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_nothing_is_collected_before_the_work_is_done(work):
    begun: list[str] = []
    ends: list[int] = []

    def note(phase, _):
        begun.append(phase)

    threshold = gc.get_threshold()
    gc.collect()
    gc.callbacks.append(note)
    gc.set_threshold(10)
    try:
        work()
        ends.append(len(begun))
    finally:
        gc.callbacks.remove(note)
        gc.set_threshold(*threshold)
    assert ends[0] <= 4  # as it begins, and as it ends
