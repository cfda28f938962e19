"""The lines of the search page: words for Markdown, calls as they are read, each reply once."""

import json
from typing import Any

from flask.testing import FlaskClient
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.schema.models import Message
from tests.builders import a_conversation, a_message
from tests.web import stories
from tests.web.html import read


def found(client: FlaskClient, query: str) -> list[str]:
    page = read(client.get("/search", query_string={"q": query}).text)
    return [one.text for one in page.by_class("snippet")]


def found_ids(client: FlaskClient, query: str) -> list[str]:
    page = read(client.get("/search", query_string={"q": query}).text)
    return [one.attributes["id"] for one in page.by_class("hit") if "id" in one.attributes]


def said(db: OrmSession, text: str | None, **columns: Any) -> Message:
    row = a_message(db, stories.root_of(db, a_conversation(db)), text, **{"role": "assistant", **columns})
    db.commit()
    return row


def test_a_hit_in_markdown_is_shown_as_words(db: OrmSession, client: FlaskClient) -> None:
    said(db, "## Plan\n\n- take **the kestrel** to `birds.py`\n- see [the guide](https://birds.example/a)")
    assert found(client, "kestrel") == ["Plan take the kestrel to birds.py see the guide"]


def test_a_hit_in_an_address_shows_the_address(db: OrmSession, client: FlaskClient) -> None:
    said(db, "See [the guide](https://birds.example/kestrel).")
    assert found(client, "kestrel") == ["See [the guide](https://birds.example/ kestrel )."]


def test_a_call_is_shown_without_its_id_and_json(db: OrmSession, client: FlaskClient) -> None:
    written = stories.call(
        "patch", {"path": "birds.py", "mode": "replace", "new_string": "kestrel = 1"}, "call_77"
    )
    said(db, None, tool_calls=stories.calls(written))
    assert found(client, "birds.py") == ["patch birds.py"]
    assert found(client, "kestrel") == ["patch birds.py replace kestrel = 1"]


def test_a_result_is_shown_without_the_object_around_it(db: OrmSession, client: FlaskClient) -> None:
    output = json.dumps({"output": "one kestrel\n\x1b[31mtwo\x1b[0m owls", "exit_code": 0})
    said(db, output, role="tool", tool_name="terminal")
    assert found(client, "kestrel") == ["one kestrel two owls"]
    assert found(client, "tool:terminal") == ["one kestrel two owls"]
    assert found(client, "terminal") == ["one kestrel two owls"]


def test_what_was_said_comes_before_the_handoff_that_sums_it_up(db: OrmSession, client: FlaskClient) -> None:
    rows = stories.swallowed_reply(db)
    db.commit()
    assert found_ids(client, "ledger") == [f"hit-{rows[name].id}" for name in ("asked", "carrier")]


def test_a_reply_in_its_handoffs_row_is_found_once(db: OrmSession, client: FlaskClient) -> None:
    rows = stories.swallowed_reply(db)
    db.commit()
    assert found_ids(client, "shall run it") == [f"hit-{rows['reply'].id}"]
    assert found_ids(client, "role:assistant migration") == [
        f"hit-{rows[name].id}" for name in ("reply", "carrier")
    ]
    assert found(client, "in:handoff migration")[0].endswith("wrote the migration")
