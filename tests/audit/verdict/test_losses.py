"""What the verdict lists as lost: what was changed, the sentence of a value, what left without a receipt."""

import pytest

from hermes_sessions.audit.ledger.ledger import build_ledger
from tests.audit.builders import assistant, call, compacted, tool, user
from tests.audit.verdict.test_verdict import SECRET, kinds, verdict

GO = [user("Go on."), assistant("On it.")]


def lost_of(kind, *before, body="Nothing."):
    rows = [*before, *GO]
    return [
        line for line in verdict(body, rows, keep=[len(rows) - 2, len(rows) - 1]).lost if line.kind == kind
    ]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"old_string": "rate = 7", "new_string": "rate = 19"}, "“rate = 7” became “rate = 19”"),
        ({"patch": "@@ -1 +1 @@\n-rate = 7\n+rate = 19\n"}, "“rate = 7” became “rate = 19”"),
        ({"edits": [{"old_text": "a = 1\nb", "new_text": "a = 1\nb\nc = 3"}]}, "added “c = 3”"),
        ({"old_string": "drop(me)", "new_string": ""}, "removed “drop(me)”"),
    ],
)
def test_a_changed_file_says_what_was_changed(arguments, told):
    [line] = lost_of(
        "file_changed",
        user("Mend it."),
        assistant("", call("patch", path="billing/pdf.py", **arguments)),
        tool("c1"),
        assistant("Done."),
    )
    assert line.text == f"billing/pdf.py: {told}"


def test_a_change_shows_no_secret():
    [line] = lost_of(
        "file_changed",
        user("Mend it."),
        assistant(
            "", call("patch", path="a/b.py", old_string="x = 1", new_string=f"{'x' * 90} = '{SECRET}'")
        ),
        tool("c1"),
        assistant("Done."),
    )
    assert SECRET[:12] not in line.text


def test_a_value_is_quoted_with_its_sentence_alone():
    [line] = lost_of("port", user("We have a relay. It listens on port 9777. The weather is fine. Thanks."))
    assert line.text == "It listens on port 9777."


def test_a_rule_that_the_agent_repeats_counts_once():
    lines = lost_of(
        "constraint",
        user("Never restart the payments database."),
        assistant("Understood: I will never restart the payments database."),
    )
    assert len(lines) == 1


@pytest.mark.parametrize(
    "body",
    [
        "## State\n- Not pushed: the user wants to read it first.",
        "## State\n- Nothing of interest.",
        "## Rules\n- No push before the user has read it.",
    ],
)
def test_verdict_and_ledger_give_one_answer(body):
    before = [user("Please do not push yet, I want to read it first."), assistant("OK."), *GO]
    told = compacted(before, keep=[2, 3], body=body)
    [rule] = build_ledger(told.conversation())
    assert ("constraint" in kinds(verdict(body, before, keep=[2, 3]).lost)) is (rule.state == "lost")


THROUGH = tool("c2", '{"output": "done", "exit_code": 0}')
FAILED = (
    user("Run the export."),
    assistant("", call("terminal", command="python export.py")),
    tool("c1", '{"output": "KeyError: \'total\'", "exit_code": 1}'),
)


@pytest.mark.parametrize(
    ("then", "lost"),
    [
        ([assistant("It fails.")], True),
        ([assistant("It fails; I am looking for the cause.")], True),
        ([assistant("", call("terminal", "c2", command="python export.py")), THROUGH], False),
        ([assistant("", call("terminal", "c2", command="python import.py")), THROUGH], True),
        ([assistant("Fixed: total is now read with a default.")], False),
        ([assistant("Behoben, der Export läuft wieder.")], False),
        ([assistant("It is not fixed yet.")], True),
        ([assistant("", call("patch", "c2", path="t.py", new_string="@mark.xfail")), tool("c2")], False),
    ],
)  # fmt: skip
def test_an_error_counts_until_it_is_over(then, lost):
    assert bool(lost_of("error", *FAILED, *then)) is lost


def test_a_bare_exit_code_is_no_loss():
    assert not lost_of("error", user("Run it."), tool("c1", "exit_code: 1"), assistant("Hm."))


def test_what_left_without_a_receipt_is_in_the_sentence_the_list_and_the_block():
    before = [user("Sort 2024."), assistant("2024 is sorted: 168 files."), *GO]
    found = verdict("", before, keep=[2, 3], raw=None, facts={"method": "marker"})
    assert "2 messages left without a summary" in found.sentence
    assert found.lost[0].kind == "messages"
    assert "Said there: “Sort 2024. → 2024 is sorted: 168 files.”" in found.tell


def test_of_many_exchanges_that_vanished_the_newest_are_quoted():
    talk = [
        row for n in range(15) for row in (user(f"Sort {2000 + n}."), assistant(f"{2000 + n} is sorted."))
    ]
    found = verdict("", [*talk, *GO], keep=[30, 31], raw=None, facts={"method": "marker"})
    said = [line.text for line in found.lost if line.kind == "exchange"]
    assert said == [f"Sort {2000 + n}. → {2000 + n} is sorted." for n in range(3, 15)]
    assert found.lost[0].text == "30 messages; the newest 12 exchanges follow"


def test_a_request_that_was_worked_on_is_no_next_step_any_more():
    assert not lost_of("next_step", user("Next: 2024."), assistant("2024 is sorted: 168 files, no doubles."))


def test_a_lifted_rule_is_not_lost():
    lines = lost_of(
        "constraint",
        user("Never push to the release branch."),
        assistant("OK."),
        user("You may push to the release branch now."),
        assistant("Fine."),
    )
    assert not [line for line in lines if "Never push" in line.text]


def test_a_value_that_the_handoff_alters_is_wrong_and_not_gone_as_well():
    said = user("The relay listens on port 9777.")
    told = verdict("The relay listens on port 9771.", [said, assistant("Noted."), *GO], keep=[2, 3])
    assert [one.source for one in told.contradicted] == ["9777"]
    assert not any(one.source == "9777" for one in told.lost)


@pytest.mark.parametrize(
    ("said", "gone", "body"),
    [
        (
            "La fermeture devait commencer le 26 octobre, on l'avance au 24.",
            "26 octobre",
            "La fermeture commence le 24 octobre.",
        ),
        ("The relay is 10.4.0.18, not 10.4.0.8.", "10.4.0.8", "Relay: 10.4.0.18."),
        ("Das Treffen war am 12. Mai, wir verlegen es auf den 14. Mai.", "12. Mai", "Treffen am 14. Mai."),
    ],
)
def test_a_value_that_its_own_sentence_replaces_is_not_gone(said, gone, body):
    told = verdict(body, [user(said), assistant("Ok."), *GO], keep=[2, 3])
    assert not any(one.source == gone for one in told.lost)


@pytest.mark.parametrize(("count", "lines"), [(5, 5), (6, 6), (7, 1)])
def test_what_shares_a_line_leaves_at_least_three_files_out(count: int, lines: int) -> None:
    calls = [call("write_file", key=f"c{n}", path=f"src/part{n}.py", content="x = 1") for n in range(count)]
    rows = [row for n, one in enumerate(calls) for row in (assistant("", one), tool(f"c{n}"))]
    assert len(lost_of("file_changed", user("Split it."), *rows)) == lines
