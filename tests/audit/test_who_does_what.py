"""Who does what is a fact that counts: named where it is lost, and joined to the question for it."""

import pytest

from hermes_sessions.audit.handed_on.duties import read_duties
from hermes_sessions.audit.verdict.build import judge_compaction
from hermes_sessions.audit.verdict.values import CompactionVerdict
from tests.audit.builders import assistant, compacted, findings, user

DUTIES = [
    ("Yes, flag that. Salma drafts chapter 7, she's the editor.", "Salma drafts chapter 7"),
    ("Mats does the wiring, Ilse closes the hall.", "Ilse closes the hall"),
    ("Tomek will translate the leaflet for room 2.", "Tomek will translate the leaflet for room 2"),
    ("Gut. Frau Oster übernimmt die Abnahme am Montag.", "Frau Oster übernimmt die Abnahme am Montag"),
    ("Solène rédige le chapitre 3.", "Solène rédige le chapitre 3"),
    ("Vale. Ramón se encarga del sonido.", "Ramón se encarga del sonido"),
    ("Fiorella approva gli straordinari.", "Fiorella approva gli straordinari"),
    ("Дина готовит отчёт.", "Дина готовит отчёт"),
    ("Kasia pisze regulamin.", "Kasia pisze regulamin"),
    ("王敏负责接口测试。", "王敏负责接口测试"),
    ("佐藤さんが資料を作成します。", "佐藤さんが資料を作成します"),
]
NONE = [
    "Who drafts chapter 7?",
    "It handles the wiring.",
    "Redis runs on port 6379.",
    "If Salma drafts chapter 7, tell me.",
    "Sumi does not like dogs.",
    "Please draft chapter 7.",
    "Monday brings the first frost.",
    "Salma says the hall is cold.",
]


@pytest.mark.parametrize(("text", "duty"), DUTIES)
def test_who_does_what_is_read(text: str, duty: str) -> None:
    assert duty in [one.value for one in read_duties(text)]


@pytest.mark.parametrize("text", NONE)
def test_what_a_thing_does_or_nobody_will_do_is_no_duty(text: str) -> None:
    assert not read_duties(text)


def judged(body: str, *following: str) -> CompactionVerdict:
    rows = [user("Yes, flag that. Salma drafts chapter 7, she's the editor."), assistant("Noted.")]
    then = [(assistant, user)[at % 2](text) for at, text in enumerate(following)]
    told = compacted([*rows, user("Go on."), assistant("On it.")], keep=[2, 3], body=body, following=then)
    return judge_compaction(told.measured(), findings(told))


def test_a_lost_duty_is_named_and_to_be_told() -> None:
    found = judged("## State\n- Chapter 7 is empty.\n- Chapter 6 is with the printer.")
    assert ("name", "Salma") in [(one.kind, one.source) for one in found.lost]
    assert "Salma drafts chapter 7" in found.tell


@pytest.mark.parametrize(
    "line", ["| 7 | empty | Salma (editor) drafts it |", "Chapter 7: Salma", "Chapter 7 is drafted by Salma."]
)
def test_a_duty_that_a_line_has_is_kept(line: str) -> None:
    found = judged(f"## State\n- {line}")
    assert "name" not in {one.kind for one in (*found.lost, *found.maybe_lost)}


def test_the_person_in_another_matter_keeps_no_duty() -> None:
    assert "name" in {one.kind for one in judged("## State\n- Salma is on leave in May.").lost}


def test_a_question_for_the_person_is_joined_to_the_loss() -> None:
    found = judged(
        "## State\n- Chapter 7 is empty.",
        "I don't have that in my context. Could you tell me who drafts chapter 7?",
        "Salma drafts it!",
    )
    assert any("who drafts chapter 7" in one.text and "Salma" in one.source for one in found.consequences)


def test_the_last_word_on_who_does_it_counts() -> None:
    told = compacted(
        [
            user("Salma drafts chapter 7."),
            assistant("Noted."),
            user("Omar drafts chapter 7."),
            assistant("OK."),
        ],
        keep=[3],
        body="Nothing.",
    )
    found = judge_compaction(told.measured(), findings(told))
    assert [one.source for one in found.lost if one.kind == "name"] == ["Omar"]
