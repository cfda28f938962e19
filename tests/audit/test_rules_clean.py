"""Every rule where its subject is there, and as it should be: nothing is found."""

import pytest

from hermes_sessions.audit.rules import RULES
from tests.audit.builders import assistant, call, compacted, findings, hits, tool, user
from tests.audit.test_rules import READ, TALK, about_session, asked_twice, looped, timed, well, worked

RUN = (user("Run it."), assistant("", call("ls")), tool("c1"), assistant("It ran."))
SOUND = compacted([*RUN, *TALK], keep=[7], body="It ran; the parser was looked at.")

CLEAN = {
    "last-request-lost": compacted([*TALK, user("Task B"), assistant("", call("ls"))], keep=[4, 5]),
    "reply-swallowed": compacted([*TALK, user("And the rest?")], keep=[3, 4]),
    "no-receipt": SOUND,
    "fallback-used": well(facts={"method": "model"}),
    "empty-summary": well(body="## Goal\nShip the parser.\n\n## Files\nsrc/parser.py"),
    "summary-larger": well(body="Looked at."),
    "ineffective": well(facts={"tokens_before": 100_000, "tokens_after": 20_000}),
    "rule-lost": compacted(
        [user("Never push to main."), *TALK], keep=[0, 4], body="The parser was looked at."
    ),
    "end-marker-missing": well(merged=2),
    "merged-handoff": SOUND,
    "nested-handoff": SOUND,
    "stale-directive": SOUND,
    "secret-in-handoff": well(body="Commit 5f2a9c1e, key id AKID in the vault, see src/parser.py."),
    "tail-anchor-stacked": SOUND,
    "contradicts": compacted([user("The port is 8123."), *TALK], keep=[3, 4], body="The port is 8123."),
    "not-verbatim": well(body="Looked at src/parser.py."),
    "invented": well(body="User asked: 'And now the lexer.'"),
    "orders": well(body="The user asked to continue with the lexer."),
    "stale-task": asked_twice("## Active Task\nWrite the changelog."),
    "head-fossilised": well(head=[0]),
    "orphan-tool-pair": compacted([*TALK, *RUN], keep=[5, 6, 7]),
    "role-order": compacted([*TALK, *RUN], keep=[5, 6, 7]),
    "ghost-response": worked(
        user("Now the other."), assistant("", call("write_file", path="b", content="y"))
    ),
    "work-repeated": worked(user("Go on."), assistant("", call("write_file", path="b", content="y"))),
    "re-read-after-loss": compacted(
        READ, keep=[1, 2, 3, 4, 5], following=[assistant("", call("read_file", path="src/a.py"))]
    ),
    "fork": SOUND,
    "interrupted": SOUND,
    "closed-without-child": about_session(end_reason="compression"),
    "missing-parent": SOUND,
    "cycle": SOUND,
    "compaction-loop": looped(0, 60, 120, 180, 240),
    "clock-backwards": timed(0, 10, 10, 20),
    "counter-mismatch": about_session(message_counter=4),
    "clones": well(head=[0], in_place=True),
}


@pytest.mark.parametrize("code", RULES)
def test_a_rule_finds_nothing_in_a_clean_case(code):
    assert hits(CLEAN[code], code) == []


def test_a_sound_compaction_has_no_finding_at_all():
    assert findings(SOUND) == []


def test_a_summary_of_nothing_is_not_too_long():
    assert (
        hits(compacted(TALK, keep=[0, 1, 2, 3], body="More words than nothing has."), "summary-larger") == []
    )


@pytest.mark.parametrize(
    "told",
    [
        pytest.param(
            compacted(TALK, raw=None, facts={"tokens_before": 1000, "tokens_after": 990}),
            id="nothing of the new transcript is stored",
        ),
        pytest.param(well(facts={"span_stored": False}), id="the span was deleted and nobody counted"),
    ],
)
def test_a_saving_that_cannot_be_told_is_not_called_small(told):
    assert hits(told, "ineffective") == []
