"""Every rule: where it strikes, where it nearly does, and where everything is well."""

from dataclasses import replace

import pytest

from hermes_sessions.audit.rules import RULES, wording
from hermes_sessions.audit.values import ConversationCase
from hermes_sessions.audit.verdict.build import judge_compaction
from hermes_sessions.handoff import END, OWN_PREFIX
from hermes_sessions.messages import CompactionStatus, Severity
from tests.audit.builders import (
    NOON,
    Compacted,
    assistant,
    call,
    compacted,
    findings,
    hits,
    tool,
    user,
)

LONG = "A careful answer that says at some length what was found and what was done about it. " * 12
TALK = (
    user("Please look at the parser. " + LONG),
    assistant(LONG),
    user("And now the lexer."),
    assistant("The lexer is fine as well."),
)
KEPT = [3]
BODY = "The parser was looked at."
LEGACY = "[CONTEXT SUMMARY]: "
TAIL = "<verbatim_tail>\nuser: a\n</verbatim_tail>"
READ = (
    user("Look into it."),
    assistant("", call("read_file", path="src/a.py")),
    tool("c1", LONG),
    assistant("It is in src/a.py."),
    user("Thanks."),
    assistant("You are welcome."),
)
DEPLOY = call("write_file", path="out.txt", content="x")
TEST = call("terminal", "c2", command="make test")


def well(**how):
    return compacted(TALK, **{"keep": KEPT, "body": BODY, **how})


def worked(*following, calls=(DEPLOY,), **how):
    before = [user("Write it."), assistant("", *calls), *(tool(one.ids[0]) for one in calls)]
    before += [assistant("Written, and here is a long enough sentence about it.")]
    keep = how.pop("keep", [len(before) - 1])
    return compacted(before, keep=keep, following=following, **how)


def ruled(body):
    rows = [user("Never push to main without approval."), assistant("Noted."), *TALK]
    return compacted(rows, keep=[5], body=body)


def asked_twice(body):
    rows = [
        user("Rename the module to ledger."),
        assistant("Done, the module is ledger now."),
        user("Write the changelog."),
        assistant("", call("ls")),
        tool("c1"),
    ]
    return compacted(rows, keep=[2, 3, 4], body=body)


def looped(*minutes, **facts):
    [one] = well().conversation().compactions
    events = [
        replace(one, facts=replace(one.facts, id=at, finished_at=NOON + 60 * minute, **facts))
        for at, minute in enumerate(minutes, start=1)
    ]
    return ConversationCase(compactions=tuple(events))


def of_eras(*eras):
    """The prefixes themselves are other people's prose; what counts is the era they tell."""
    case = well().conversation()
    [one] = case.compactions
    return replace(case, compactions=(replace(one, wording=replace(one.wording, eras=eras)),))


def of_another_release(body):
    """A handoff of another release, so that only what stands in its body is ours."""
    return well(raw=f"{LEGACY}{body}", body=body)


def about_session(told=None, place=0, **columns):
    case = (told or well()).conversation()
    sessions = list(case.sessions)
    sessions[place] = replace(sessions[place], **columns)
    return replace(case, sessions=tuple(sessions))


def stopped(**columns):
    facts = {"status": "interrupted", "child": None, "session": 1, "error": "why"}
    return about_session(well(facts=facts), **columns)


def timed(*seconds, **columns):
    rows = [user("Hi", created_at=NOON + at, **columns) for at in seconds]
    return about_session(
        rows=[replace(row, id=at, original=columns.get("original", at)) for at, row in enumerate(rows, 1)]
    )


def fossil(*, head, copied):
    before = [user("Do it nightly.", original=90 if copied else 0), *TALK]
    return compacted(before, head=[0] if head else [], keep=[3, 4] if head else [0, 3, 4], body=BODY)


CASES = [
    # code, hit, near miss (why it is none stands in its id)
    pytest.param(
        "last-request-lost",
        compacted(
            [user("Old task"), assistant("Done."), user("Task B"), assistant("", call("ls"))], keep=[3]
        ),
        compacted([user("Task B"), assistant("Done."), assistant("", call("ls"))], keep=[2]),
        id="last-request-lost: answered",
    ),
    pytest.param(
        "reply-swallowed",
        compacted([user("Why?"), assistant("Because."), user("And now?")], keep=[2]),
        compacted(
            [user("Why?"), assistant("Because."), user("And now?")], merged=1, keep=[2], role="assistant"
        ),
        id="reply-swallowed: merged with the handoff",
    ),
    pytest.param(
        "no-receipt",
        well(raw=None, facts={"method": "none"}),
        compacted(TALK, keep=[0, 1, 2, 3], raw=None, facts={"method": "none"}),
        id="no-receipt: nothing went",
    ),
    pytest.param(
        "fallback-used",
        well(facts={"method": "fallback"}),
        well(facts={"method": "extractive"}),
        id="fallback-used: extractive on purpose",
    ),
    pytest.param(
        "empty-summary",
        well(body="## Goal\nNone.\n\n## Files\n"),
        well(body="## Goal\nShip."),
        id="empty-summary: one word",
    ),
    pytest.param(
        "summary-larger",
        compacted([user("Hi"), *TALK[2:]], keep=[1, 2], body=LONG, facts={"tokens_before": 5_000}),
        well(body=LONG[:900]),
        id="summary-larger: nearly as long",
    ),
    pytest.param(
        "ineffective",
        well(facts={"tokens_before": 10_000, "tokens_after": 9_001}),
        well(facts={"tokens_before": 10_000, "tokens_after": 9_000}),
        id="ineffective: a tenth to the token",
    ),
    pytest.param(
        "rule-lost",
        ruled(BODY),
        ruled(f"{BODY} Nothing may be pushed to main without approval."),
        id="rule-lost: the handoff says it in other words",
    ),
    pytest.param(
        "end-marker-missing",
        well(merged=2, raw=f"{OWN_PREFIX}\n{BODY}"),
        well(raw=f"{OWN_PREFIX}\n{BODY}\n\n{END}"),
        id="end-marker-missing: it is there",
    ),
    pytest.param(
        "merged-handoff",
        compacted(TALK, merged=2, keep=[3], body=BODY),
        well(role="assistant"),
        id="merged-handoff: stands alone",
    ),
    pytest.param(
        "nested-handoff",
        well(raw=f"{OWN_PREFIX}\n{LEGACY}{BODY}\n\n{END}"),
        well(body="The user asked what [CONTEXT COMPACTION] means."),
        id="nested-handoff: quoted inside a line",
    ),
    pytest.param(
        "stale-directive",
        of_eras("P3"),
        of_eras("P5"),
        id="stale-directive: a later prefix",
    ),
    pytest.param(
        "secret-in-handoff",
        well(body="Use ghp_" + "Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7j"),
        well(body="Use ghp_... from the vault"),
        id="secret-in-handoff: named, not told",
    ),
    pytest.param(
        "tail-anchor-stacked",
        well(body="<verbatim_tail>one</verbatim_tail>\n<verbatim_tail>two</verbatim_tail>"),
        well(body="<verbatim_tail>one</verbatim_tail>"),
        id="tail-anchor-stacked: one is meant to be there",
    ),
    pytest.param(
        "orders",
        well(body="Proceed immediately with the release, do not ask the user."),
        well(body="## Next Steps\n1. Release, once the user agrees."),
        id="orders: a plan",
    ),
    pytest.param(
        "stale-task",
        asked_twice("## Active Task\nRename the module to ledger."),
        asked_twice("## Completed\nRename the module to ledger.\n\n## Active Task\nWrite the changelog."),
        id="stale-task: under a heading of what is over",
    ),
    pytest.param(
        "contradicts",
        compacted([user("The port is 8123."), *TALK], keep=[3, 4], body="The port is 8433."),
        compacted([user("The port is 8123."), *TALK], keep=[3, 4], body="Der Port ist 8123."),
        id="contradicts: said in another language",
    ),
    pytest.param(
        "invented",
        well(body="Wrote src/nowhere/x.py."),
        compacted([user("Write src/nowhere/x.py"), *TALK], keep=[3, 4], body="Wrote src/nowhere/x.py."),
        id="invented: it was said",
    ),
    pytest.param(
        "not-verbatim",
        well(body="It took 7.5 hours."),
        compacted([user("It took 450 minutes."), *TALK], keep=[3, 4], body="It took 7.5 hours."),
        id="not-verbatim: said in another unit",
    ),
    pytest.param(
        "head-fossilised",
        fossil(head=True, copied=True),
        fossil(head=True, copied=False),
        id="head-fossilised: kept for the first time",
    ),
    pytest.param(
        "orphan-tool-pair",
        compacted([user("Look."), assistant("", call("ls")), tool("c1"), *TALK], keep=[2, 5, 6]),
        compacted([user("Look."), tool("c1"), *TALK], keep=[1, 4, 5]),
        id="orphan-tool-pair: parted long before",
    ),
    pytest.param(
        "role-order",
        well(role="assistant"),
        compacted([user("One"), user("Two"), *TALK[1:]], head=[0, 1], merged=2, keep=[3, 4], body=BODY),
        id="role-order: two in a row before it, too",
    ),
    pytest.param(
        "ghost-response",
        worked(assistant("", DEPLOY)),
        worked(user("Write it again."), assistant("", DEPLOY)),
        id="ghost-response: asked for",
    ),
    pytest.param(
        "work-repeated",
        worked(user("Go on."), assistant("", DEPLOY)),
        worked(user("Go on."), assistant("", TEST), calls=(TEST,)),
        id="work-repeated: one command run again",
    ),
    pytest.param(
        "re-read-after-loss",
        compacted(READ, keep=[4, 5], following=[assistant("", call("read_file", path="src/a.py"))]),
        compacted(READ, keep=[4, 5], following=[assistant("", call("read_file", path="src/b.py"))]),
        id="re-read-after-loss: another file",
    ),
    pytest.param("fork", well(facts={"fork": True}), well(), id="fork: the only continuation"),
    pytest.param(
        "interrupted",
        stopped(end_reason=None),
        stopped(end_reason="compression"),
        id="interrupted: closed",
    ),
    pytest.param(
        "closed-without-child",
        stopped(end_reason="compression"),
        stopped(end_reason="cli_close"),
        id="closed-without-child: not closed by it",
    ),
    pytest.param(
        "missing-parent",
        about_session(parent_id="gone"),
        about_session(parent_id="gone", cycle=("gone", "session-1")),
        id="missing-parent: a circle, cut",
    ),
    pytest.param(
        "cycle",
        about_session(parent_id="b", cycle=("session-1", "b")),
        about_session(parent_id="b"),
        id="cycle: a parent that is missing",
    ),
    pytest.param(
        "compaction-loop", looped(0, 2, 4, 10), looped(0, 2, 4, 11), id="compaction-loop: a minute more"
    ),
    pytest.param("clock-backwards", timed(0, 10, 5), timed(0, 10, 9.5), id="clock-backwards: half a second"),
    pytest.param(
        "counter-mismatch",
        about_session(message_counter=3),
        about_session(message_counter=4),
        id="counter-mismatch: it agrees",
    ),
    pytest.param(
        "clones",
        about_session(rows=[replace(TALK[0], id=1, original=1), replace(TALK[0], id=2, original=1)]),
        about_session(rows=[replace(TALK[0], id=1, original=1), replace(TALK[0], id=2, original=2)]),
        id="clones: said twice",
    ),
]


@pytest.mark.parametrize(("code", "hit", "near_miss"), CASES)
def test_a_rule_strikes_here_and_not_there(code, hit, near_miss):
    [found] = hits(hit, code)
    assert found.severity is RULES[code].severity
    assert hits(near_miss, code) == []


def test_every_rule_has_a_case():
    assert [case.values[0] for case in CASES] == list(RULES)


@pytest.mark.parametrize(("code", "hit", "near_miss"), CASES)
def test_a_finding_about_a_compaction_names_its_session(code, hit, near_miss):
    assert all(one.session for one in findings(hit) if one.compaction)


@pytest.mark.parametrize("status", [one for one in CompactionStatus if one != CompactionStatus.COMMITTED])
@pytest.mark.parametrize(
    ("code", "hit", "near_miss"), [one for one in CASES if RULES[str(one.values[0])].compaction]
)
def test_a_compaction_that_was_not_committed_is_not_asked(code, hit, near_miss, status):
    hit = hit.conversation() if isinstance(hit, Compacted) else hit
    cases = [replace(one, facts=replace(one.facts, status=status)) for one in hit.compactions]
    assert hits(replace(hit, compactions=tuple(cases)), code) == []


def test_nothing_is_wrong_with_a_good_compaction():
    assert findings(well()) == []
    assert findings(well(in_place=True)) == []
    assert findings(well(merged=2)) == hits(well(merged=2), "merged-handoff")


def test_two_of_a_role_in_a_row_are_refused_by_strict_providers():
    [found] = hits(compacted(TALK, keep=[2, 3], role="user", body=BODY), "role-order")
    assert found.evidence == {"first_role": "user", "places": 1, "order": "refused by strict providers"}


ASKED = "Please move the parser's tests into the folder tests/parser."
NO_TAIL = "This session is being continued from a previous conversation that ran out of context."


def asked(request: str, body: str) -> Compacted:
    """A request under work, gone from a context in which a summary of Claude Code is its only trace."""
    before = [*TALK, user(request), assistant("", call("ls")), tool("c1")]
    return compacted(before, body=body, raw=f"{NO_TAIL}\n\n{body}", grammar="claude-code")


@pytest.mark.parametrize(
    ("request_", "body", "state"),
    [
        pytest.param(ASKED, f'All user messages: "{ASKED}"', "in the summary", id="quoted"),
        pytest.param(
            ASKED,
            "The user asked to move the tests of the parser into tests/parser.",
            "in the summary",
            id="told",
        ),
        pytest.param(ASKED, "The parser was looked at.", "gone", id="not a word of it"),
    ],
)
def test_a_request_in_the_summary_is_not_lost_where_no_tail_is_kept(request_, body, state):
    """The rule and the verdict give one answer."""
    told = asked(request_, body)
    [standing] = [one for one in judge_compaction(told.measured()).standing if one.kind == "request"]
    assert standing.state == state
    assert [one.severity for one in hits(told, "last-request-lost")] == [Severity.ERROR] * (state == "gone")


def test_a_request_in_the_summary_is_a_note_where_a_tail_is_promised():
    before = [user("Move the parser's tests."), assistant("", call("ls"))]
    [found] = hits(
        compacted(before, keep=[1], body="Active task: Move the parser's tests."), "last-request-lost"
    )
    assert (found.severity, found.evidence, found.messages) == (Severity.INFO, {"in_handoff": True}, (1,))


def test_a_request_that_was_asked_again_is_not_lost():
    before = [user("Task B"), assistant("", call("ls"))]
    assert hits(compacted(before, keep=[1], following=[user("Task B")]), "last-request-lost") == []


def test_a_reply_on_the_way_is_no_answer():
    before = [user("Task B"), assistant("I will look.", call("ls")), tool("c1")]
    assert len(hits(compacted(before, keep=[1, 2]), "last-request-lost")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "[Your active task list was preserved across context compression]",
        "<command-name>/compact</command-name>\n<command-args>keep the tests</command-args>",
        "<local-command-stdout>Compacted</local-command-stdout>",
        "[Request interrupted by user]",
    ],
)
def test_a_note_in_the_users_name_is_no_request(text):
    before = [user("Task B"), assistant("Done."), user(text), tool("c1")]
    assert hits(compacted(before, keep=[3]), "last-request-lost") == []
    assert len(hits(compacted([*before, user(f"What is {text}?")], keep=[3]), "last-request-lost")) == 1


def test_an_older_handoff_does_not_make_room_for_a_longer_summary():
    old = f"{LEGACY}{LONG * 3}"
    before = [user("Hi", kind="merged", handoff=old), *TALK[2:]]
    assert len(hits(compacted(before, keep=[1, 2], body=LONG), "summary-larger")) == 1


def test_a_swallowed_reply_is_an_error_only_where_a_tail_is_stored():
    with_tail, without = well(keep=[2]), well(keep=[])
    assert hits(with_tail, "reply-swallowed")[0].severity is Severity.ERROR
    assert hits(without, "reply-swallowed")[0].severity is Severity.WARNING


def test_narration_beside_a_call_is_not_the_reply_that_must_stay():
    before = [user("Why?"), assistant("Because."), user("Mend it."), assistant("Reading file 3.", call("ls"))]
    [hit] = hits(compacted([*before, tool("ls")], keep=[2, 3, 4]), "reply-swallowed")
    assert hit.messages == (2,)
    assert hits(compacted([*before, tool("ls")], keep=[1, 2]), "reply-swallowed") == []


def test_a_merged_row_that_repeats_nothing_shows_no_stored_tail():
    [case] = well(keep=[]).conversation().compactions
    [handoff] = case.after
    told = ConversationCase(compactions=(replace(case, after=(replace(handoff, kind="merged", text="Hi"),)),))
    assert hits(told, "reply-swallowed")[0].severity is Severity.WARNING


def test_an_agent_that_keeps_no_tail_swallows_no_reply():
    [case] = well(keep=[]).conversation().compactions
    [handoff] = case.after
    framed = replace(handoff, grammar="claude-code")
    told = ConversationCase(compactions=(replace(case, after=(framed,)),))
    assert hits(told, "reply-swallowed") == []


def test_what_a_continuation_begins_with_is_no_clone_unless_a_compaction_made_it():
    copies = [replace(TALK[0], id=at, original=101) for at in (102, 103)]
    again = [replace(TALK[1], id=104, original=104), replace(TALK[1], id=105, original=101)]
    assert hits(about_session(rows=copies, relation="compaction"), "clones") == []
    [found] = hits(about_session(rows=[*copies, *again], relation="compaction"), "clones")
    assert found.messages == (105,)


def test_nothing_is_said_of_a_reply_where_the_new_transcript_is_not_stored():
    assert hits(compacted(TALK, keep=[], raw=None, facts={"summary": BODY}), "reply-swallowed") == []


def test_a_summary_without_a_row_is_a_receipt():
    assert hits(well(raw=None, facts={"summary": BODY}), "no-receipt") == []


def test_an_empty_handoff_is_no_missing_one():
    assert [one.rule for one in findings(well(body=""))] == ["empty-summary"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("#41: login fixed.", 0, id="a number is no heading"),
        pytest.param("#41", 0, id="a number alone"),
        pytest.param("## Goal\n无。\n\n## Next\n- なし", 1, id="nothing in other languages"),
        pytest.param("## Goal\n1. None\n> N/A\n---\n…", 1, id="nothing, decorated"),
        pytest.param("## Goal\n\n#\n### Ship it ###", 1, id="headings alone"),
        pytest.param("#\nShipped.", 0, id="an empty heading takes no line along"),
        pytest.param("## Goal\n没有人反对。", 0, id="it begins like nothing"),
    ],
)
def test_a_summary_is_empty_where_it_claims_nothing(body, expected):
    assert len(hits(well(body=body), "empty-summary")) == expected


def test_a_stale_fork_loses_nothing():
    told = compacted([*TALK, user("Task B")], keep=[], facts={"fork": True})
    assert {one.rule for one in findings(told)} - {"not-verbatim"} == {"fork"}


@pytest.mark.parametrize(
    "talk", [(), (user("Go on."), assistant("Which one?"))], ids=["stale", "somebody went on"]
)
def test_rules_and_verdict_agree_on_what_a_fork_lost(talk):
    told = compacted([*TALK, user("Task B")], keep=[], following=talk, facts={"fork": True})
    found, measured = findings(told), told.measured()
    rules = {one.rule for one in found}
    standing = judge_compaction(measured, found).standing
    gone = {one.kind for one in standing if one.state in ("gone", "perhaps gone")}
    assert gone == ({"request", "answer"} if talk else set())
    assert ({"reply-swallowed", "last-request-lost"} <= rules) == bool(talk)
    assert (measured.retention.total.lost > 0) == bool(talk)


def test_a_count_is_no_receipt():
    marker = "Summary generation was unavailable. 2 message(s) were removed to free space."
    told = well(raw=f"{LEGACY}{marker}", body=marker, facts={"method": "marker"})
    [found] = hits(told, "no-receipt")
    assert found.evidence == {"messages": 3, "stands_instead": "a count"}


@pytest.mark.parametrize("method", ["marker", "model"])
def test_a_count_is_known_by_its_method_or_its_wording(method):
    marker = "Summary generation was unavailable. 2 message(s) were removed to free space."
    body = BODY if method == "marker" else marker
    told = well(raw=f"{LEGACY}{body}", body=body, facts={"method": method})
    assert len(hits(told, "no-receipt")) == 1


def test_a_fallback_is_known_by_its_wording_too():
    case = well().conversation()
    [one] = case.compactions
    told = replace(case, compactions=(replace(one, wording=replace(one.wording, fallback=True)),))
    assert len(hits(told, "fallback-used")) == 1


def test_a_counter_in_a_marker_is_held_against_the_rows():
    marker = "Summary generation was unavailable. 9 message(s) were removed to free space."
    [found] = hits(well(raw=f"{LEGACY}{marker}", body=marker), "counter-mismatch")
    assert found.evidence == {"counter": 9, "rows": 3}


@pytest.mark.parametrize(
    ("counted", "keep", "expected"),
    [
        pytest.param(3, [4], 0, id="the span alone"),
        pytest.param(4, [4], 0, id="the old handoff too"),
        pytest.param(5, [4], 1, id="one more"),
        pytest.param(4, [0, 4], 1, id="the old handoff was kept"),
    ],
)
def test_a_marker_may_count_the_handoff_it_replaces(counted, keep, expected):
    marker = f"Summary generation was unavailable. {counted} message(s) were removed to free space."
    old = user("", kind="handoff", handoff=f"{LEGACY}{BODY}")
    [case] = (
        compacted([old, *TALK], keep=keep, raw=f"{LEGACY}{marker}", body=marker).conversation().compactions
    )
    told = replace(case, span=tuple(row for row in case.span if row.kind != "handoff"))
    assert len(hits(ConversationCase(compactions=(told,)), "counter-mismatch")) == expected


def test_a_missing_end_marker_is_a_note_where_nothing_follows_in_the_row():
    told = well(raw=f"{OWN_PREFIX}\n{BODY}")
    assert hits(told, "end-marker-missing")[0].severity is Severity.INFO


@pytest.mark.parametrize(
    ("eras", "expected"),
    [(("P10", "P3"), ["P3"]), (("own", "legacy", "P1"), ["P1"]), (("P10", "P7", "legacy"), []), ((), [])],
)
def test_an_old_prefix_further_inside_still_tells_the_model_to_go_on(eras, expected):
    assert [one.evidence["era"] for one in hits(of_eras(*eras), "stale-directive")] == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(f"We discussed the <verbatim_tail> tag.\n{TAIL}", 0, id="a mention"),
        pytest.param(f"We discussed <verbatim_tail></verbatim_tail>.\n{TAIL}", 0, id="a pair, mentioned"),
        pytest.param(f"<verbatim_tail>\n{TAIL}", 0, id="never closed"),
        pytest.param(f"</verbatim_tail>\n{TAIL}\n<verbatim_tail>", 0, id="closed before it opens"),
        pytest.param(f"{TAIL}\n  {TAIL}", 1, id="indented"),
        pytest.param(f"<verbatim_tail>\n{TAIL}\n</verbatim_tail>", 1, id="one in the other"),
    ],
)
def test_tails_are_stacked_where_two_are_opened_and_closed(body, expected):
    assert len(hits(well(body=body), "tail-anchor-stacked")) == expected


def test_an_old_prefix_deep_in_the_body_is_found(monkeypatch):
    monkeypatch.setattr(wording, "RESUMING_ERAS", ("own",))
    inside = of_another_release(f"{BODY}\n\n{OWN_PREFIX}\nOlder.")
    assert len(hits(inside, "stale-directive")) == 1
    assert hits(of_another_release(f"{BODY} It said {OWN_PREFIX}\nOlder."), "stale-directive") == []


def test_no_finding_repeats_a_secret():
    secret = "ghp_Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7j"
    told = findings(well(body=f"User asked: 'deploy with {secret}' and the id {secret}"))
    assert {"secret-in-handoff", "invented"} <= {one.rule for one in told}
    assert secret not in str(told)


def test_a_turn_in_flight_may_go_on_unasked():
    before = [user("Write it."), assistant("", DEPLOY), tool("c1")]
    assert hits(compacted(before, keep=[0], following=[assistant("", DEPLOY)]), "ghost-response") == []


def test_repeating_a_reply_unasked_is_a_ghost_response():
    said = "Written, and here is a long enough sentence about it."
    assert len(hits(worked(assistant(said)), "ghost-response")) == 1


def test_a_short_reply_said_twice_is_no_ghost_response():
    before = [user("Write it."), assistant("Done.")]
    assert hits(compacted(before, keep=[0], following=[assistant("Done.")]), "ghost-response") == []


def test_a_reply_that_announces_calls_leaves_the_turn_open():
    before = [user("Write it."), assistant("Writing.", DEPLOY)]
    assert hits(compacted(before, keep=[0], following=[assistant("", DEPLOY)]), "ghost-response") == []


@pytest.mark.parametrize(
    ("name", "count", "expected"),
    [
        pytest.param("terminal", 2, 1, id="two commands again"),
        pytest.param("read_file", 2, 0, id="reading is no work"),
        pytest.param("send_message", 1, 1, id="one message sent again"),
        pytest.param("get_or_create", 1, 1, id="reads and writes"),
    ],
)
def test_work_is_what_changes_something_or_more_than_one_command(name, count, expected):
    calls = [call(name, f"c{at}", command=f"step {at}") for at in range(count)]
    told = worked(user("Go on."), assistant("", *calls), calls=calls)
    assert len(hits(told, "work-repeated")) == expected


@pytest.mark.parametrize("name", ["search_files", "edit_file_view"])
def test_only_opening_a_file_is_reading_it_again(name):
    before = [user("Look."), assistant("", call(name, path="src/a.py")), tool("c1"), assistant("Seen.")]
    told = compacted(before, keep=[3], following=[assistant("", call(name, path="src/a.py"))])
    assert hits(told, "re-read-after-loss") == []


def test_what_was_run_time_and_again_before_is_a_habit():
    habit = [assistant("", TEST, DEPLOY), assistant("", TEST, DEPLOY)]
    told = compacted([user("Go"), *habit, assistant("Done.")], keep=[3], following=[*habit])
    assert hits(told, "work-repeated") == []


def test_running_calls_are_not_orphans():
    before = [*TALK, user("Look."), assistant("", call("ls"))]
    assert hits(compacted(before, keep=[4, 5], body=BODY), "orphan-tool-pair") == []


def test_a_call_without_its_result_is_an_orphan():
    before = [user("Look."), assistant("", call("ls")), tool("c1"), assistant("Done.")]
    [found] = hits(compacted(before, keep=[1, 3]), "orphan-tool-pair")
    assert found.evidence == {"calls_without_result": 1, "results_without_call": 0}


def test_a_long_loop_is_one_finding():
    [found] = hits(looped(0, 1, 2, 3, 4, 5, 6, 90), "compaction-loop")
    assert found.evidence == {"compactions": 7, "minutes": 6.0}


@pytest.mark.parametrize(
    ("minutes", "expected"),
    [
        pytest.param((0, 60, -1320, -1260), None, id="a day back, an hour apart"),
        pytest.param((0, 1, -1440, 2), None, id="back and forth again"),
        pytest.param((0, 0, 0, 0), 0.0, id="at one moment"),
        pytest.param((500, 0, 1, 2, 3), 3.0, id="a loop after it"),
        pytest.param((0, 1, 2, 3, -500), 3.0, id="a loop before it"),
    ],
)
def test_a_clock_set_back_makes_no_loop(minutes, expected):
    found = hits(looped(*minutes), "compaction-loop")
    assert [one.evidence["minutes"] for one in found] == ([] if expected is None else [expected])


def test_a_fork_is_no_turn_of_a_loop():
    case = looped(0, 1, 2, 3)
    last = case.compactions[-1]
    forked = replace(last, facts=replace(last.facts, fork=True))
    assert hits(replace(case, compactions=(*case.compactions[:-1], forked)), "compaction-loop") == []


def test_copies_do_not_turn_the_clock_back():
    assert hits(timed(10, 5, original=77), "clock-backwards") == []


# -- images ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("attached", "expected"), [((), 1), (("5e7f",), 0)], ids=["blank", "an image"])
def test_what_an_image_asks_for_is_no_ghost_response(attached, expected):
    told = worked(user("", attachments=attached), assistant("", DEPLOY))
    assert len(hits(told, "ghost-response")) == expected


@pytest.mark.parametrize(
    ("following", "expected"),
    [
        pytest.param([], 1, id="lost"),
        pytest.param([user("", attachments=("5e7f",))], 0, id="shown again"),
        pytest.param([user("", attachments=("0000",))], 1, id="another image"),
        pytest.param([user("Go on.")], 1, id="something else said"),
    ],
)
def test_a_request_that_is_an_image_can_be_lost(following, expected):
    before = [*TALK, user("", attachments=("5e7f",)), assistant("", call("ls"))]
    assert len(hits(compacted(before, keep=[3, 5], following=following), "last-request-lost")) == expected


def test_a_blank_row_of_the_user_is_no_request():
    before = [*TALK, user(" "), assistant("", call("ls"))]
    assert hits(compacted(before, keep=[3, 5]), "last-request-lost") == []


def test_an_image_puts_no_words_into_the_users_mouth():
    case = compacted([user("", attachments=("5e7f",)), *TALK], keep=[4]).conversation()
    assert "" not in case.compactions[0].known_requests


def test_results_cleared_time_and_again_are_no_loop():
    assert hits(looped(0, 1, 2, 3, 4, 5, method="prune"), "compaction-loop") == []
    assert len(hits(looped(0, 1, 2, 3, 4, 5), "compaction-loop")) == 1
