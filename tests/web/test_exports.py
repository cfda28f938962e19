"""Documents for reading elsewhere, as downloads."""

import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.schema.models import Message, Session, SystemPrompt
from tests.builders import a_conversation, a_message, a_session
from tests.web import stories
from tests.web.html import Element, read

KEY = "sk-ant-" + "api03-" + "A1b2" * 10


def download(client: FlaskClient, path: str, status: int = 200) -> str:
    with client.get(path) as response:
        assert response.status_code == status
        return response.get_data(as_text=True)


def page(client: FlaskClient, public_id: str) -> Element:
    return read(download(client, f"/c/{public_id}/export?format=html"))


def test_it_reads_like_the_viewer(client: FlaskClient, db: OrmSession) -> None:
    stories.swallowed_reply(db)
    db.commit()
    found = page(client, "invoices-after")
    said = [one.text for one in found.by_class("prose")]
    assert said[1] == "The migration is ready. Shall I run it on the copy first?"
    assert said[2].startswith("Goal Move the invoices")
    assert sum("Shall I run it" in text for text in said) == 1
    (handoff,) = found.by_class("handoff")
    assert handoff.by_class("handoff-label")[0].text == "Context handoff"
    assert "Compaction 1 of 1" in found.by_class("separator")[0].text


def test_results_stand_with_their_calls_and_copies_are_folded(client: FlaskClient, db: OrmSession) -> None:
    stories.tool_work(db)
    db.commit()
    found = page(client, "tool-work")
    tools = found.by_class("tool")
    assert [one.by_class("tool-name")[0].text for one in tools] == [
        "terminal", "read_file", "write_file", "tool call",
    ]  # fmt: skip
    assert "error: no rule to make target" in tools[0].text
    assert tools[1].text.count("x = 1") == 2_000
    notes = [one.text for one in found.by_class("offshoot")]
    assert notes == ["1 copy of an earlier message, folded", "1 message undone by the user, left out"]


def test_packed_images_stay_and_remote_ones_are_links(client: FlaskClient, db: OrmSession) -> None:
    stories.tool_work(db)
    db.commit()
    found = page(client, "tool-work")
    (image,) = found.by_tag("img")
    assert image.attributes["src"] == stories.png()
    assert [one.attributes["href"] for one in found.by_tag("a") if "://" in one.attributes["href"]] == [
        "https://pictures.example/x.png"
    ]


def test_nothing_is_loaded_and_nothing_runs(client: FlaskClient, db: OrmSession) -> None:
    conversation = stories.hostile(db)
    db.commit()
    (link,) = [
        one for one in read(download(client, "/?kind=all")).by_class("conversation-link")
        if conversation.title
    ][:1]  # fmt: skip
    text = download(client, f"{link.attributes['href']}/export")
    found = read(text)
    assert not any(found.by_tag(tag) for tag in ("script", "link", "iframe", "form", "svg", "object"))
    assert not [one for one in found.walk() if any(name.startswith("on") for name in one.attributes)]
    assert not [one for one in found.by_tag("a") if one.attributes["href"].startswith("javascript:")]
    policy = found.all(lambda one: one.attributes.get("http-equiv") == "Content-Security-Policy")
    assert policy[0].attributes["content"].startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy[0].attributes["content"]


def test_forks_branches_and_delegates_are_named_and_not_in_it(client: FlaskClient, db: OrmSession) -> None:
    stories.family(db)
    db.commit()
    notes = [one.text for one in page(client, "family").by_class("offshoot")]
    assert "Fork: family-fork, 1 message, not in this document" in notes
    assert "Branch: family-branch, 3 messages, not in this document" in notes
    assert "Delegate: family-delegate, 1 message, not in this document" in notes
    assert "What if we do not?" not in download(client, "/c/family/export")
    branch = page(client, "family-branch")
    assert "family-3" in branch.by_class("crumb")[0].text
    assert "2 messages inherited from family-3" in [one.text for one in branch.by_class("offshoot")]


def test_a_delegate_is_asked_by_the_agent_that_called_it(client: FlaskClient, db: OrmSession) -> None:
    stories.family(db)
    db.commit()
    spoke = [one.text for one in page(client, "family-delegate").by_class("speaker")]
    assert spoke == ["Calling agent"]
    assert "\n## Calling agent · " in download(client, "/c/family-delegate/export?format=markdown")
    assert "You" in [one.text for one in page(client, "family").by_class("speaker")]


def test_compactions_without_a_handoff_row_show_their_summary(client: FlaskClient, db: OrmSession) -> None:
    stories.family(db)
    db.commit()
    found = page(client, "family")
    headlines = [one.by_tag("strong")[0].text for one in found.by_class("separator")]
    assert headlines == ["Compaction 1 of 3", "Compaction 2 of 3", "Compaction 3 of 3, interrupted"]
    assert "No row carries this." in found.by_class("handoff")[1].text


@pytest.mark.parametrize(("form", "masked"), [("html", True), ("markdown", True), ("jsonl", False)])
def test_secrets_are_masked_where_people_read(
    client: FlaskClient, db: OrmSession, form: str, masked: bool
) -> None:
    conversation = a_conversation(db, id="s", title=f"Use {KEY}")
    a_message(db, stories.root_of(db, conversation), f"It is {KEY}.")
    db.commit()
    assert (KEY in download(client, f"/c/s/export?format={form}")) is not masked
    assert KEY in download(client, f"/c/s/export?format={form}&mask=no")
    assert KEY not in download(client, f"/c/s/export?format={form}&mask=yes")
    if masked:
        assert "Secrets masked: 2 (2 anthropic)" in download(client, f"/c/s/export?format={form}")


@pytest.mark.parametrize("form", ["html", "markdown", "jsonl"])
def test_an_export_holds_that_conversation_and_nothing_else(
    client: FlaskClient, db: OrmSession, form: str
) -> None:
    asked = plant_family(db)
    db.commit()
    text = download(client, f"/c/{asked}/export?format={form}&mask=no")
    assert sorted(set(re.findall(r"MINE-\w+", text))) == (
        ["MINE-prompt", "MINE-text", "MINE-title"] if form == "jsonl" else ["MINE-text", "MINE-title"]
    )
    assert re.findall(r"FOREIGN\S*", text) == []


def plant_family(db: OrmSession) -> str:
    """A branch in the middle of a family, with a stranger beside; every text says whose it is."""
    for key in ("FOREIGN-prompt", "MINE-prompt"):
        db.add(SystemPrompt(hash=key, text=key))
    foreign: dict[str, Any] = {
        "title": "FOREIGN-title",
        "cwd": "FOREIGN-cwd",
        "extra": {"user_id": "FOREIGN-extra"},
    }
    parent = a_conversation(db, id="parent", system_prompt_hash="FOREIGN-prompt", **foreign)
    above = stories.root_of(db, parent)
    a_message(db, above, "FOREIGN-text in the parent", reasoning="FOREIGN-reasoning")
    mine = a_conversation(
        db, id="mine", title="MINE-title", relation="branch", parent_id=above.id, parent_session_id="parent",
        system_prompt_hash="MINE-prompt", origin=None,
    )  # fmt: skip
    root = stories.root_of(db, mine)
    a_message(db, root, "MINE-text", tool_calls=stories.calls(stories.call("delegate", {"goal": "look"})))
    for relation in ("delegate", "branch", "reset"):
        child = a_conversation(
            db, id=f"child-{relation}", relation=relation, parent_id=root.id, parent_session_id="mine",
            kind="delegate" if relation == "delegate" else "chat", system_prompt_hash="FOREIGN-prompt",
            **foreign,
        )  # fmt: skip
        a_message(db, stories.root_of(db, child), f"FOREIGN-text of a {relation}")
    stranger = a_conversation(db, id="stranger", **foreign)
    a_message(db, stories.root_of(db, stranger), "FOREIGN-text of a stranger")
    return "mine"


def test_a_session_id_anywhere_in_the_chain_gives_the_whole(client: FlaskClient, db: OrmSession) -> None:
    stories.swallowed_reply(db)
    db.commit()
    with client.get("/c/invoices-after-2/export?format=markdown") as response:
        assert response.headers["Content-Disposition"] == "attachment; filename=invoices-after.md"
        assert "Please move the invoices" in response.get_data(as_text=True)


def test_what_cannot_be_is_refused(client: FlaskClient, db: OrmSession) -> None:
    stories.swallowed_reply(db)
    db.commit()
    download(client, "/c/invoices-after/export?format=pdf", 400)
    download(client, "/c/invoices-after/export?mask=perhaps", 400)
    download(client, "/c/nothing/export", 404)
    download(client, "/api/conversations/nothing/export", 404)


def test_an_empty_conversation_says_that_it_is(client: FlaskClient, db: OrmSession) -> None:
    a_conversation(db, id="empty")
    db.commit()
    assert page(client, "empty").by_class("empty")[0].text == "This conversation has no messages."


def test_a_result_far_from_its_call_stands_alone(client: FlaskClient, db: OrmSession) -> None:
    conversation = a_conversation(db, id="far")
    root = db.get_one(Session, conversation.root_id)
    a_message(
        db, root, None, role="assistant",
        tool_calls=stories.calls(stories.call("ls", {}, "a"), stories.call("pwd", {}, "b")),
    )  # fmt: skip
    a_message(db, root, "/home", role="tool", tool_call_id="b")
    a_message(db, root, "and?")
    late: Message = a_message(db, root, "files", role="tool", tool_call_id="a", tool_name="ls")
    db.commit()
    found = page(client, "far")
    assert [one.by_class("chip")[0].text for one in found.by_class("tool") if one.by_class("chip")] == [
        "no result here"
    ]
    assert "files" in found.by_id(f"m-{late.id}").text


def test_a_chain_is_told_in_order(client: FlaskClient, db: OrmSession) -> None:
    conversation = a_conversation(db, id="chain")
    a_message(db, stories.root_of(db, conversation), "first")
    for number in range(5):
        a_message(db, a_session(db, conversation), f"later {number}")
    db.commit()
    said = [one.text for one in page(client, "chain").by_class("prose")]
    assert said == ["first", *(f"later {number}" for number in range(5))]


def test_what_a_client_wrote_is_not_what_you_said(client: FlaskClient, db: OrmSession) -> None:
    stories.client_words(db)
    db.commit()
    found = page(client, "client")
    said = [
        (one.by_class("speaker")[0].text, one.by_class("prose")[0].text) for one in found.by_class("message")
    ]
    assert said == [(who, " ".join(text.split())) for who, text in stories.CLIENT_WORDS]
    written = download(client, "/c/client/export?format=markdown")
    assert re.findall(r"^## (\w+) ·", written, re.M) == [who for who, _ in stories.CLIENT_WORDS]
    assert "/review the parser" in written
