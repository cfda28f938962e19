"""Answers keep their keys, their order and the kinds of their values, on the command line and over HTTP."""

import json
import re
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.operations.documents.encoding import encode, indented, plain
from hermes_sessions.operations.documents.following import ProblemJson
from hermes_sessions.operations.documents.messages import MessageJson, PartJson
from hermes_sessions.operations.documents.schemas import ANSWERS, COMMANDS
from hermes_sessions.store.schema.models import Session
from hermes_sessions.web.serving.description import api_description
from tests.answers import ODD_CALLS, RECORDED, answers, shape
from tests.builders import a_conversation, a_message

ASKED = json.loads(RECORDED.read_text("utf-8"))


@pytest.fixture(scope="module")
def now(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Every answer, as this code gives it."""
    return dict(answers(tmp_path_factory.mktemp("answers")))


@pytest.mark.parametrize("asked", ASKED)
def test_an_answer_has_the_recorded_shape(now: dict[str, Any], asked: str) -> None:
    assert json.dumps(shape(now[asked])) == json.dumps(ASKED[asked]), "meant? python -m tests.answers"


def document_of(asked: str, answer: Any) -> str:
    """The name of the document that answers: by the API's description, or by the command."""
    method, _, address = asked.partition(" ")
    if method not in ("GET", "POST"):
        options = {"--preview", "--undo", "--list"} & {*asked.split()}
        words = " ".join([*asked.split()[:2], *sorted(options)])
        found = max((one for one in COMMANDS if is_for(one, words)), key=len)
        if asked == "note family Ask.":
            found = "note TEXT"
        if "--format hermes" in asked:
            found = "export --format AGENT"
        return COMMANDS[found].__name__
    if "detail" in answer:
        return ProblemJson.__name__
    path = address.partition("?")[0]
    for pattern, operations in api_description()["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", pattern), path):
            content = operations[method.lower()]["responses"]["200"]["content"]
            return str(content["application/json"]["schema"]["$ref"].rpartition("/")[2]) + "Json"
    raise AssertionError(f"{path} is not described")


def is_for(command: str, words: str) -> bool:
    """Whether a command's name is made of the first words, and of options among the rest."""
    first, *rest = command.split()
    said = words.split()
    return said[0] == first and all(one in said for one in rest)


@pytest.mark.parametrize("asked", ASKED)
def test_an_answer_is_its_document_whole(now: dict[str, Any], asked: str) -> None:
    kinds = {kind.__name__: kind for kind in (*ANSWERS, *COMMANDS.values())}
    answer = now[asked]
    read = msgspec.convert(answer, kinds[document_of(asked, answer)])
    assert plain(read) == answer


# `db stores` needs a server: its documents are held in tests/operations/test_stores_of_a_server.py.
@pytest.mark.parametrize("command", sorted(one for one in COMMANDS if not one.startswith("db stores ")))
def test_every_command_with_a_document_is_asked(now: dict[str, Any], command: str) -> None:
    asked = {document_of(one, answer) for one, answer in now.items() if one[:3] not in ("GET", "POS")}
    assert COMMANDS[command].__name__ in asked


def a_value(**given: Any) -> MessageJson:
    values: dict[str, Any] = {
        "id": 1, "origin_id": None, "session": "s", "position": 0, "role": "user", "kind": "message",
        "state": "live", "copy_of": None, "parts": [PartJson(kind="message", text="字")], "tool_calls": None,
        "tool_call_id": None, "tool_name": None, "created_at": 1.0, "archived_by": None, **given,
    }  # fmt: skip
    return MessageJson(**values)


def test_a_field_that_is_unset_is_left_out() -> None:
    assert "inherited" not in json.loads(encode(a_value()))
    assert json.loads(encode(a_value(inherited=True)))["inherited"] is True


@pytest.mark.parametrize("calls", [None, json.loads(ODD_CALLS), {"a": [1.0, 10**30, -0.0, "\ud83d x"]}])
def test_both_encodings_say_the_same(calls: Any) -> None:
    document = a_value(tool_calls=calls)
    assert json.loads(encode(document)) == json.loads(indented(document)) == plain(document)


def test_half_a_character_is_spelled_and_the_rest_is_not() -> None:
    encoded = encode(a_value(tool_calls="\ud800")).decode("utf-8")
    assert '"tool_calls":"\\ud800"' in encoded
    assert "字" in encoded


def test_calls_that_text_cannot_hold_are_answered(client: FlaskClient, db: OrmSession) -> None:
    conversation = a_conversation(db, id="odd")
    row = a_message(db, db.get_one(Session, conversation.root_id), "x", tool_calls=ODD_CALLS)
    db.commit()
    response = client.get(f"/api/messages/{row.id}")
    assert json.loads(response.data)["message"]["tool_calls"] == json.loads(ODD_CALLS)
