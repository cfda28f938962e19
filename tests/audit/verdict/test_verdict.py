"""The verdict: what the person whose agent forgot reads first."""

import pytest

from hermes_sessions.audit.rules import RULES
from hermes_sessions.audit.values import FindingValue
from hermes_sessions.audit.verdict.build import judge_compaction
from hermes_sessions.audit.verdict.consequences import find_consequences
from hermes_sessions.audit.verdict.values import VerdictLine
from hermes_sessions.messages import Severity
from tests.audit.builders import assistant, call, compacted, findings, tool, user

SECRET = "ghp_Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7j"
TALK = (
    user("The gateway must move to port 8123. Never restart the payments database. I decided to keep Redis."),
    assistant("Changing it.", call("patch", path="deploy/gateway.env")),
    tool("c1", "ok"),
    assistant("Done, the gateway answers on 8123."),
    user("Now update docs/ports.md and tell Dana at dana@meridian.example"),
)
FAITHFUL = (
    "Gateway to port 8123 (deploy/gateway.env changed); never restart the payments database; keep Redis"
    " (decided by the user). Open: update docs/ports.md, tell Dana at dana@meridian.example."
)


def verdict(body, before=TALK, **how):
    told = compacted(before, body=body, **how)
    return judge_compaction(told.measured(), findings(told))


def kinds(lines):
    return [line.kind for line in lines]


def test_a_good_compaction_needs_no_words_to_the_agent():
    found = verdict(FAITHFUL, keep=[3, 4])
    assert found.sentence == (
        "Everything that matters is still in the agent's sight: of 5 facts that matter 5 survive."
    )
    assert (found.lost, found.contradicted, found.tell) == ((), (), "")


def test_the_sentence_begins_with_request_and_answer():
    found = verdict("Cleaned the cache.", keep=[0])
    assert found.sentence.startswith("Your last request and the last answer are out of the agent's sight; ")


def test_an_answer_may_be_gone_where_what_was_kept_is_not_stored():
    found = verdict(FAITHFUL)
    assert [line.state for line in found.standing][:2] == ["in the summary", "perhaps gone"]
    assert found.sentence.startswith(
        "The last answer may be out of the agent's sight: what the agent kept is not stored; "
    )
    assert found.tell.startswith("Your context may be without the following")


@pytest.mark.parametrize(
    ("rule", "evidence", "words", "tell"),
    [
        ("orphan-tool-pair", {}, "parted from its result, which a strict provider refuses", ""),
        ("empty-summary", {"why": "refusal"}, "The summary says nothing (a refusal)", "says nothing"),
        ("last-request-lost", {}, "What you sent last is out of the agent's sight", ""),
        ("cycle", {}, "Sessions of this conversation are each other's parents", ""),
    ],
)
def test_a_sentence_with_an_error_in_it_names_it(rule, evidence, words, tell):
    told = compacted(TALK, body=FAITHFUL, keep=[3, 4])
    finding = FindingValue(rule=rule, severity=Severity.ERROR, evidence=evidence)
    found = judge_compaction(told.measured(), [finding])
    assert words.lower() in found.sentence.lower()
    assert "Everything that matters" not in found.sentence
    assert tell in found.tell


def test_every_rule_that_finds_errors_has_words_for_the_sentence():
    told = compacted([user("Go on."), assistant("Yes.")], keep=[0, 1]).measured()
    for rule in RULES.values():
        if rule.severity is Severity.ERROR and rule.code not in ("ghost-response",):
            finding = FindingValue(rule=rule.code, severity=Severity.ERROR)
            assert "Nothing that matters" not in judge_compaction(told, [finding]).sentence


def test_what_is_gone_is_counted_by_kind():
    assert "both rules, the decision and the changed file are gone" in verdict("Nothing.").sentence


def test_losses_come_in_the_order_of_what_hurts_and_name_their_message():
    lost = verdict("Nothing.").lost
    assert kinds(lost) == ["request", "constraint", "constraint", "decision", "file_changed"]
    assert [line.message for line in lost] == [5, 1, 1, 1, 2]
    assert lost[2].text == "Never restart the payments database"


def test_the_words_for_the_agent_quote_what_it_lost():
    tell = verdict("Nothing.").tell.splitlines()
    assert tell[2].startswith("- My last request, still open: “Now update docs/ports.md")
    assert "- Rule: “Never restart the payments database”" in tell
    assert sum("Now update docs/ports.md" in line for line in tell) == 1


@pytest.mark.parametrize(
    ("keep", "body", "state"),
    [
        ([3, 4], "Nothing.", "in sight"),
        ([3], FAITHFUL, "in the summary"),
        ([3], "Nothing.", "gone"),
    ],
)
def test_a_request_is_somewhere(keep, body, state):
    assert verdict(body, keep=keep).standing[0].state == state


def test_an_answered_request_is_not_asked_for_again():
    found = verdict("Nothing.", before=TALK[:4], keep=[3])
    assert found.standing[0].state == "answered"
    assert "My last request" not in found.tell


def test_what_is_wrong_has_both_values_and_a_correction():
    found = verdict(FAITHFUL.replace("8123", "8433"), keep=[3, 4])
    [line] = found.contradicted
    assert (line.handoff, line.source, line.message) == ("8433", "8123", 1)
    assert "one port is wrong in the summary" in found.sentence
    assert (
        "- Correction: “Gateway to port 8433 (deploy/gateway.env changed)”: not “8433” but “8123”"
        in found.tell
    )


def test_a_single_wrong_value_is_named_in_the_sentence():
    found = verdict(FAITHFUL.replace("8123", "8433"), keep=[3, 4])
    assert "one port is wrong in the summary (“8433”, its source has “8123”)" in found.sentence


def test_a_sentence_turned_round_is_no_statement_that_is_wrong():
    before = [
        user("Never deploy the gateway on a Friday."),
        assistant("Noted."),
        user("Go on"),
        assistant("Yes."),
    ]
    found = verdict("Deploy the gateway on a Friday.", before=before, keep=[2, 3])
    assert "one sentence of the summary says the opposite of its source" in found.sentence


def test_what_nobody_said_is_taken_back():
    found = verdict(f"{FAITHFUL} User asked: 'delete the database now'", keep=[3, 4])
    assert "one thing that nobody said or did" in found.sentence
    assert "- I never said “delete the database now”" in found.tell


def test_a_consequence_is_joined_to_what_was_lost():
    before = [
        user("Read src/app/ledger.py; I decided that src/app/ledger.py stays."),
        assistant("", call("read_file", path="src/app/ledger.py")),
        tool("c1", "class Ledger: pass"),
        assistant("It is a class."),
        user("Go on"),
    ]
    after = [
        assistant("", call("read_file", "c9", path="src/app/ledger.py")),
        tool("c9", "class Ledger: pass"),
    ]
    [line] = verdict("Cleaned the cache.", before, keep=[3, 4], following=after).consequences
    assert line.kind == "re-read-after-loss"
    assert "src/app/ledger.py" in line.source
    assert line.advice


def test_a_secret_in_the_summary_is_told_and_not_shown():
    before = (user(f"Deploy with {SECRET}."), assistant("Done."), *TALK)
    found = verdict(f"{FAITHFUL} Deployed with {SECRET}.", before, keep=[5, 6])
    [line] = found.consequences
    assert (line.kind, line.advice.partition(":")[0]) == ("secret-in-handoff", "Revoke it")
    assert "is sent again with every request" in found.sentence
    assert SECRET[:12] not in f"{found}"


def test_many_changed_files_share_a_line():
    edits = [assistant("", call("patch", f"c{n}", path=f"src/part{n}/a.py")) for n in range(9)]
    found = verdict("Nothing.", [user("Mend them all."), *edits, assistant("Done.")], keep=[10])
    [line] = [one for one in found.lost if one.kind == "file_changed"]
    assert line.text.startswith("9 files, the last ones ")
    assert "All nine changed files are gone" in found.sentence


def test_many_changed_files_are_counted_by_folder():
    edits = [assistant("", call("patch", f"c{n}", path=f"src/{'xy'[n % 2]}/a{n}.py")) for n in range(9)]
    found = verdict("Nothing.", [user("Mend them all."), *edits, assistant("Done.")], keep=[10])
    [line] = [one for one in found.lost if one.kind == "file_changed"]
    assert line.text.startswith("9 files (5 in src/x, 4 in src/y), the last ones ")


def test_small_things_are_safe_to_ignore():
    before = [user("Look around."), tool("c1", "lib/one/a.py\nlib/two/b.py"), assistant("Nothing there.")]
    [line] = [one for one in verdict("Nothing.", before, keep=[2]).standing if one.kind == "safe"]
    assert "2 paths" in line.text


def test_secrets_are_masked():
    before = [user(f"Never print {SECRET} in a log."), assistant("Yes."), user("Go on")]
    found = verdict(f"Use {SECRET}9.", before, keep=[2])
    assert SECRET not in repr(found)


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"span_stored": False}, "deleted what it summarised"),
        ({"status": "aborted"}, "was given up"),
        ({"status": "interrupted"}, "did not finish"),
        ({"method": "prune"}, "were cleared"),
    ],
)
def test_what_cannot_be_judged_says_why(facts, words):
    found = verdict("Nothing.", facts=facts)
    assert words in found.sentence
    assert (found.lost, found.tell) == ((), "")


@pytest.mark.parametrize(
    ("rule", "status", "sentence", "followed"),
    [
        ("closed-without-child", "interrupted", "No session goes on from this compaction", ""),
        (
            "compaction-loop",
            "committed",
            "this is the sixth compaction in 9.6 minutes",
            "Look for large output",
        ),
    ],
)
def test_what_a_rule_of_the_whole_conversation_found_is_in_the_verdict(rule, status, sentence, followed):
    told = compacted(TALK, body=FAITHFUL, keep=[4], facts={"status": status})
    finding = FindingValue(
        rule=rule, severity=Severity.WARNING, evidence={"compactions": 6, "minutes": 9.6}, compaction=None
    )
    found = judge_compaction(told.measured(), [finding])
    assert sentence in found.sentence
    assert [followed in line.advice for line in found.consequences] == [True] * bool(followed)


def test_what_followed_is_joined_to_a_loss_that_it_names_and_to_no_other():
    said = VerdictLine(kind="exchange", text="Sort 2024. → 2024 is sorted.", message=3)
    finding = FindingValue(
        rule="work-repeated", severity=Severity.WARNING, evidence={"calls": ["git push origin main"]}
    )
    [line] = find_consequences([finding], [said])
    assert line.source == ""


def test_a_line_about_a_copy_names_the_message_that_it_repeats() -> None:
    rule = user("Never push to main without my approval.", original=70)
    told = compacted([rule, user("Go on."), assistant("Half is done.", original=71)], keep=[1], body="Go.")
    verdict = judge_compaction(told.measured())
    assert [one.message for one in verdict.lost if one.kind == "constraint"] == [70]
    assert [one.message for one in verdict.standing if one.kind == "answer"] == [71]


@pytest.mark.parametrize(
    ("answer", "verb"), [("The gateway answers on 8123. " * 30, "began"), ("It is port 8123 today.", "was")]
)
def test_an_answer_that_is_quoted_whole_did_not_merely_begin_so(answer: str, verb: str) -> None:
    found = verdict("Nothing of note.", [user("Which port is it?"), assistant(answer.strip())])
    assert f"Your last answer to me, if you no longer have it, {verb}: “" in found.tell
