"""Rules without the usual words are read; `rule-lost` warns of those alone that are surely gone."""

from collections.abc import Iterable

import pytest

from hermes_sessions.facts.constraints import extract_rules
from hermes_sessions.messages import Severity
from tests.audit.builders import assistant, compacted, hits, user
from tests.audit.planted.spoken import is_accused, is_read, near_misses, said_again, spoken_rules

ENOUGH = 0.9


def share(told: Iterable[bool]) -> float:
    answers = list(told)
    return sum(answers) / len(answers)


def test_rules_are_read_without_must_and_never() -> None:
    assert share(is_read(text) for _, text in spoken_rules()) >= ENOUGH


def test_sentences_that_only_look_like_rules_are_left_alone() -> None:
    answers = (extract_rules({"role": who, "content": text}) for _, who, text in near_misses())
    assert share(not found for found in answers) >= ENOUGH


def test_a_rule_kept_in_other_words_is_no_accusation() -> None:
    assert [one.rule for one in said_again() if is_accused(one.rule, one.reworded)] == []


def test_a_rule_kept_word_for_word_is_no_accusation() -> None:
    assert [one.rule for one in said_again() if is_accused(one.rule, one.rule)] == []


def test_a_lost_rule_is_reported() -> None:
    assert share(is_accused(one.rule, one.lost) for one in said_again()) >= 0.7


@pytest.mark.parametrize(
    "text",
    [
        "Commit it, without pushing.",
        "Draft only.",
        "Correct the table but don't change the file it came from.",
        "Do not answer the offer yet.",
    ],
)
def test_what_holds_for_one_step_is_no_ground_for_a_warning(text: str) -> None:
    talk = (user("Hello."), assistant("Hello."), user(text), assistant("Ok."), user("Go on."))
    found = hits(compacted(talk, keep=[4], body="- A greeting."), "rule-lost")
    assert all(one.severity is Severity.INFO for one in found)


def test_what_the_agent_plans_is_a_note_at_most() -> None:
    talk = (user("Hello."), assistant("I must never touch the vault again."), user("Go on."))
    found = hits(compacted(talk, keep=[2], body="- A greeting."), "rule-lost")
    assert all(one.severity is Severity.INFO for one in found)


@pytest.mark.parametrize("sign", ["> ", "// ", "-- ", '"""'])
def test_a_quoted_line_or_a_comment_sets_no_rule(sign: str) -> None:
    rule = "Never merge into the release branch without approval."
    assert extract_rules({"role": "user", "content": rule})
    assert not extract_rules({"role": "user", "content": f"Look at this:\n\n{sign}{rule}"})


def test_a_sentence_that_something_else_explains_does_not_hide_a_lost_rule() -> None:
    talk = (
        user("The source is db-old; on db-old we only read."),
        assistant("Ok."),
        user("No table of db-old may be deleted before thirty days have passed."),
        assistant("Ok."),
        user("Go on."),
    )
    [found] = hits(compacted(talk, keep=[4], body="- Source: db-old, read only."), "rule-lost")
    assert [one["value"] for one in found.evidence["rules"]] == [talk[2].text.rstrip(".")]


CODE = '''def close(self):
    """Close the socket.

    This method must never be called twice. Only use it after the lock is held.
    """
    self.lock.acquire()
    return self.socket.close()
'''


@pytest.mark.parametrize("role", ["user", "assistant", "tool"])
@pytest.mark.parametrize("shown", [CODE, f"```python\n{CODE}```", f"Here it is:\n\n{CODE}"])
def test_shown_code_sets_no_rule(role: str, shown: str) -> None:
    message = {"role": role, "content": shown, "tool_call_id": "c1"}
    assert extract_rules(message) == ()


def test_a_rule_before_pasted_code_is_read() -> None:
    text = f"Never change the lock.\n\n{CODE}"
    found = extract_rules({"role": "user", "content": text})
    assert [one.value for one in found] == ["Never change the lock"]


def test_who_swears_tells_what_was_seen() -> None:
    assert (
        extract_rules({"role": "user", "content": "It fails about once a week. Always on Tuesdays, I swear."})
        == ()
    )
    assert extract_rules({"role": "user", "content": "Always run it on Tuesdays."})


def test_a_rule_in_a_language_that_the_handoff_lacks_may_be_told() -> None:
    line = "The office of the accountant has nine rooms."
    assert not is_accused("Ne modifie jamais le module des anciens totaux.", line)
    assert is_accused("Ne modifie jamais le module legacy_totals.ex des anciens totaux.", line)


@pytest.mark.parametrize(
    ("text", "body", "certain"),
    [
        ("Never skip this one.", "- A greeting.", False),
        ("Never skip the smoke alarm test.", "- A greeting.", True),
        ("둘 다 청소년부니까 그대로 두세요", "- 인사말.", False),
        ("Leave both as they are, they are juniors.", "- A greeting.", False),
        ("Never touch both boilers.", "- A greeting.", True),
        (
            "Trainees may open patient files of their own ward only.",
            "- Check: trainee opens a patient file of another ward, refused; files of the own ward open.",
            False,
        ),
        (
            "Trainees may open patient files of their own ward only.",
            "- A check for trainees was added.",
            False,
        ),
        (
            "Trainees may open patient files of their own ward only.",
            "- 12 trainees came on Monday.",
            True,
        ),
    ],
)
def test_what_points_at_one_matter_or_is_told_as_done_is_no_ground_for_a_warning(
    text: str, body: str, certain: bool
) -> None:
    talk = (user("Hello."), assistant("Hello."), user(text), assistant("Ok."), user("Go on."))
    found = hits(compacted(talk, keep=[4], body=body), "rule-lost")
    assert any(one.severity is not Severity.INFO for one in found) is certain
