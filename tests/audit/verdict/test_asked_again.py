"""A question after a compaction is joined to the lost fact that answers it."""

import json

import pytest

from hermes_sessions.messages import ToolCall
from tests.audit.builders import assistant, user
from tests.audit.verdict.test_verdict import verdict

RELAY = "Set up the metrics relay on relay-3.example. It listens on port 9777."
HALL = "The deposit for the hall is 450 EUR."
DINNER = "The dinner with Elena is on 14 March."
BRANCH = "All work on the importer goes to the branch feature/importer-2."
GERMAN = "Das Relay läuft auf Port 9777."
CHINESE = "中继服务的端口是 9777。"


def consequences(said, asking, body="The work goes on."):
    before = [user(said), assistant("Done."), user("Go on."), assistant("On it.")]
    found = verdict(body, before, keep=[2, 3], following=[asking, user("I told you.")])
    return [line for line in found.consequences if line.kind == "asked-again"]


@pytest.mark.parametrize(
    ("said", "question", "answer"),
    [
        (RELAY, "Which port does the relay listen on?", "9777"),
        (RELAY, "What was the port of the metrics relay again?", "9777"),
        (RELAY, "Please tell me the relay's port.", "9777"),
        (RELAY, "Which port was it?", "9777"),
        (RELAY, "Auf welchem Port lauscht das Relay?", "9777"),
        (RELAY, "Sur quel port écoute le relay ?", "9777"),
        (RELAY, "¿En qué puerto escucha el relay?", "9777"),
        (RELAY, "На каком порту слушает relay?", "9777"),
        (GERMAN, "Auf welchem Port läuft das Relay?", "9777"),
        (CHINESE, "中继服务用哪个端口？", "9777"),
        (HALL, "How much was the deposit for the hall?", "450 EUR"),
        (DINNER, "When is the dinner with Elena?", "14 March"),
        (BRANCH, "On which branch is the importer?", "feature/importer-2"),
    ],
)
def test_a_question_for_what_was_lost_is_a_consequence(said, question, answer):
    [line] = consequences(said, assistant(question))
    assert line.source == answer
    assert question in line.text


@pytest.mark.parametrize(
    ("said", "question"),
    [
        (RELAY, "Which port does the database listen on?"),
        (RELAY, "Which dashboards use the relay?"),
        (RELAY, "Shall I restart the relay?"),
        (RELAY, "Is the relay on port 9777?"),
        (HALL, "How much is the catering?"),
        (DINNER, "When does the train leave?"),
        (GERMAN, "Auf welchem Port läuft die Datenbank?"),
        (CHINESE, "数据库用哪个端口？"),
    ],
)
def test_a_question_for_what_was_never_said_is_none(said, question):
    assert not consequences(said, assistant(question))


def test_a_question_whose_answer_is_in_the_handoff_is_none():
    body = "The relay on relay-3.example listens on port 9777."
    assert not consequences(RELAY, assistant("Which port does the relay listen on?"), body)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        (
            "AskUserQuestion",
            {"questions": [{"question": "Which port does the relay listen on?", "options": []}]},
        ),
        ("clarify", {"question": "Which port does the relay listen on?"}),
        ("ask_followup_question", {"question": "Port of the relay"}),
    ],
)
def test_a_tool_that_asks_is_a_question(name, arguments):
    [line] = consequences(RELAY, assistant("", ToolCall(("q1",), name, json.dumps(arguments))))
    assert line.source == "9777"


def test_the_sentence_says_what_was_asked_for():
    before = [user(RELAY), assistant("Done."), user("Go on."), assistant("On it.")]
    following = [assistant("Which port does the relay listen on?"), user("9777")]
    found = verdict("The relay listens on port 9787.", before, keep=[2, 3], following=following)
    assert (
        "ne port is wrong in the summary (“9787”, its source has “9777”); the agent asked for the port again"
        in found.sentence
    )
