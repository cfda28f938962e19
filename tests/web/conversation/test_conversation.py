"""One conversation as its user lived it."""

import re

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Compaction, Session, SystemPrompt
from hermes_sessions.web.serving.urls import encode_id
from tests.builders import NOON, a_compaction, a_conversation, a_message, a_session
from tests.statements import recorded
from tests.web import stories
from tests.web.html import Element, read


def page(client: FlaskClient, url: str) -> Element:
    response = client.get(url)
    assert response.status_code == 200, response.text
    return read(response.text)


def order(found: Element) -> list[str]:
    """What the transcript shows, in order: roles, handoffs, separators, folds."""
    (items,) = found.by_class("items")
    kinds = ("user", "assistant", "system", "tool-only", "handoff", "separator", "fold", "offshoot")
    return [
        next(kind for kind in kinds if kind in child.classes)
        for child in items.children
        if isinstance(child, Element) and "day" not in child.classes
    ]


def test_a_swallowed_reply_stands_where_it_was_and_the_handoff_apart(
    client: FlaskClient, db: OrmSession
) -> None:
    rows = stories.swallowed_reply(db)
    db.commit()
    found = page(client, "/c/invoices-after")
    assert order(found) == ["user", "assistant", "separator", "handoff", "user", "assistant"]
    reply = found.by_id(f"m-{rows['reply'].id}")
    assert "Shall I run it" in reply.text
    handoff = found.by_id(f"m-{rows['carrier'].id}")
    assert "Context handoff" in handoff.text
    assert "Shall I run it" not in handoff.text
    assert found.text.count("Shall I run it") == 1


@pytest.mark.parametrize("shape", ["after", "prior"])
def test_reply_and_handoff_link_to_each_other(client: FlaskClient, db: OrmSession, shape: str) -> None:
    rows = stories.swallowed_reply(db, shape=shape)
    db.commit()
    found = page(client, f"/c/invoices-{shape}")
    links = {one.attributes["href"] for one in found.by_id(f"m-{rows['carrier'].id}").by_tag("a")}
    assert f"/m/{rows['reply'].id}" in links
    links = {one.attributes["href"] for one in found.by_id(f"m-{rows['reply'].id}").by_tag("a")}
    assert f"/m/{rows['carrier'].id}" in links


@pytest.mark.parametrize("view", ["session", "model"])
@pytest.mark.parametrize(
    ("shape", "expected"),
    [("after", ["separator", "handoff", "assistant"]), ("prior", ["assistant", "separator", "handoff"])],
)
def test_the_merged_row_itself_shows_as_two(
    client: FlaskClient, db: OrmSession, view: str, shape: str, expected: list[str]
) -> None:
    stories.swallowed_reply(db, shape=shape)
    db.commit()
    found = page(client, f"/c/invoices-{shape}?view={view}")
    assert order(found) == [*expected, "user", "assistant"]
    assert "CONTEXT COMPACTION" not in found.text


def test_a_reply_that_only_the_merged_row_holds_is_shown_there(client: FlaskClient, db: OrmSession) -> None:
    stories.own_reply(db)
    db.commit()
    found = page(client, "/c/own-reply")
    assert order(found) == ["user", "separator", "handoff", "assistant"]
    assert "A reply of its own." in found.by_class("assistant")[0].text


def test_a_separator_says_which_compaction_when_how_and_how_much(client: FlaskClient, db: OrmSession) -> None:
    stories.swallowed_reply(db)
    db.commit()
    (line,) = page(client, "/c/invoices-after").by_class("separator")
    assert line.text == "Compaction 1 1 message became a summary see what changed"
    for fact in ("Compaction 1 of 1", "1 Jan 2026", "into a new session", "91k to 8.4k tokens"):
        assert fact in line.attributes["title"]


@pytest.mark.parametrize(
    ("total", "lost", "words"),
    [
        (13, 11, "2 of 13 facts that matter survive"),
        (13, 13, "0 of 13 facts that matter survive"),
        (13, 12, "1 of 13 facts that matter survives"),
        (1, 1, "0 of 1 fact that matters survives"),
    ],
)
def test_a_separator_says_how_much_of_what_matters_survives(
    client: FlaskClient, db: OrmSession, total: int, lost: int, words: str
) -> None:
    stories.swallowed_reply(db)
    compaction = db.scalars(select(Compaction)).one()
    compaction.audit = {"matter": {"total": total, "lost": lost}}
    db.commit()
    (line,) = page(client, "/c/invoices-after").by_class("separator")
    assert words in [one.text for one in line.by_tag("span")]


@pytest.mark.parametrize(
    ("method", "words", "ledger"),
    [
        ("model", "3 messages became a summary", "3 messages to "),
        ("none", "3 messages left, no summary is stored", "3 messages, no summary"),
        ("marker", "3 messages became a note that they were removed", "3 messages to "),
        ("prune", "3 results cleared", "3 results cleared"),
    ],
)
def test_what_never_became_a_summary_is_not_called_one(
    client: FlaskClient, db: OrmSession, method: str, words: str, ledger: str
) -> None:
    stories.swallowed_reply(db)
    compaction = db.scalars(select(Compaction)).one()
    compaction.method, compaction.span_messages = method, 3
    db.commit()
    (line,) = page(client, "/c/invoices-after").by_class("separator")
    assert line.by_tag("span")[0].text == words
    became = page(client, "/compactions").by_tag("tbody")[0].by_tag("td")[1]
    assert became.text.startswith(ledger)
    (door,) = line.by_class("separator-door")
    assert door.attributes["href"] == f"/compactions/{compaction.id}"


def test_compactions_without_a_row_and_interrupted_ones_have_their_place(
    client: FlaskClient, db: OrmSession
) -> None:
    stories.family(db)
    db.commit()
    found = page(client, "/c/family")
    lines = [one.text for one in found.by_class("separator")]
    assert lines[1].startswith("Compaction 2")
    assert "originals were not stored" in lines[1]
    assert lines[2].startswith("Compaction 3, interrupted")
    assert order(found)[-1] == "separator"
    assert "No row carries this." in found.text


def test_a_branch_says_what_it_inherited_and_from_whom(client: FlaskClient, db: OrmSession) -> None:
    stories.family(db)
    db.commit()
    found = page(client, "/c/family-branch")
    assert order(found) == ["separator", "user", "assistant", "separator", "user"]
    first, second = found.by_class("separator")
    assert first.text == "2 messages inherited from Plan the release"
    assert second.text == "The branch begins here"


def test_forks_branches_and_delegates_are_linked_where_they_left(client: FlaskClient, db: OrmSession) -> None:
    stories.family(db)
    db.commit()
    found = page(client, "/c/family")
    labels = [one.by_class("offshoot-label")[0].text for one in found.by_class("offshoot")]
    assert labels == ["Delegate", "Fork", "Branch"]
    assert order(found)[:4] == ["user", "assistant", "user", "offshoot"]
    (task,) = found.by_class("delegate")
    assert "Check the change log." in client.get(task.attributes["data-fold"]).text
    fork = found.by_class("offshoot")[1].by_tag("a")[0].attributes["href"]
    assert "Another summary." in page(client, fork).text


@pytest.mark.parametrize("how", ["by its task", "by its id"])
def test_a_delegate_stands_behind_the_call_that_started_it(
    client: FlaskClient, db: OrmSession, how: str
) -> None:
    task = 'Look at "both" change logs of the library.'
    conversation = a_conversation(db, id="boss")
    root = db.get_one(Session, conversation.root_id)
    a_message(db, root, "Ask somebody.")
    goal = {"goal": task if how == "by its task" else "…"}
    calls = stories.calls(stories.call("delegate_task", goal))
    a_message(db, root, None, role="assistant", tool_calls=calls)
    a_message(db, root, '{"session": "helper-7"}', role="tool", tool_call_id="call_1")
    a_message(db, root, "Done.", role="assistant")
    # Its clock is off: time alone would put it first.
    helper = a_conversation(
        db, id="helper-7", kind="delegate", relation="delegate", parent_id=root.id, started_at=NOON - 500
    )
    a_message(db, db.get_one(Session, helper.root_id), task)
    db.commit()
    assert order(page(client, "/c/boss")) == ["user", "assistant", "offshoot", "assistant"]


@pytest.mark.parametrize(
    ("task", "expected"),
    [
        pytest.param(
            "Go on, then", ["user", "offshoot", "assistant", "assistant"], id="too short to prove it"
        ),
        pytest.param("Go on, then!", ["user", "assistant", "offshoot", "assistant"], id="long enough"),
    ],
)
def test_a_short_task_does_not_tell_which_call_started_a_delegate(
    client: FlaskClient, db: OrmSession, task: str, expected: list[str]
) -> None:
    root = db.get_one(Session, a_conversation(db, id="boss").root_id)
    a_message(db, root, "Write to them.")
    sent = stories.call("send", {"text": f"{task} and tell us."})
    a_message(db, root, "Sending.", role="assistant", tool_calls=stories.calls(sent))
    a_message(db, root, "Done.", role="assistant")
    helper = a_conversation(
        db, id="helper-8", kind="delegate", relation="delegate", parent_id=root.id, started_at=NOON + 30
    )
    a_message(db, db.get_one(Session, helper.root_id), task)
    db.commit()
    assert order(page(client, "/c/boss")) == expected


def test_copies_fold_into_one_line_that_unfolds(client: FlaskClient, db: OrmSession) -> None:
    conversation = a_conversation(db, id="copies")
    root = db.get_one(Session, conversation.root_id)
    first = a_message(db, root, "Once.")
    for _ in range(3):
        a_message(db, root, "Once.", copy_of=first.id)
    a_message(db, root, "Then.")
    db.commit()
    found = page(client, "/c/copies")
    assert order(found) == ["user", "fold", "user"]
    (fold,) = found.by_class("fold")
    assert fold.by_tag("summary")[0].text == "3 copies of earlier messages, folded"
    for url, count in ((fold.attributes["data-fold"], 3), (fold.by_tag("a")[0].attributes["href"], 4)):
        (items,) = page(client, url).by_class("items")
        assert items.text.count("Once.") == count


def test_undone_messages_are_folded_and_shown_as_undone_in_their_session(
    client: FlaskClient, db: OrmSession
) -> None:
    stories.tool_work(db)
    db.commit()
    assert "1 message undone by the user" in page(client, "/c/tool-work").text
    (undone,) = page(client, "/c/tool-work?view=session").by_class("rewound")
    assert "never mind" in undone.text
    assert "undone" in undone.text


def test_results_stand_with_their_calls(client: FlaskClient, db: OrmSession) -> None:
    stories.tool_work(db)
    db.commit()
    tools = page(client, "/c/tool-work").by_class("tool")
    terminal = tools[0]
    assert terminal.by_class("tool-name")[0].text == "terminal"
    assert terminal.by_class("tool-subject")[0].text == "make build"
    assert "failed" in terminal.by_class("chip")[0].text
    assert "exit_code 2" in terminal.text
    assert "no rule to make target" in terminal.text
    assert "\x1b" not in terminal.text
    assert "x = 1" in tools[1].text


def test_a_second_result_of_the_same_call_stands_by_itself(client: FlaskClient, db: OrmSession) -> None:
    root = db.get_one(Session, a_conversation(db, id="twice").root_id)
    a_message(db, root, "Look.")
    a_message(db, root, None, role="assistant", tool_calls=stories.calls(stories.call("look", {})))
    a_message(db, root, "first result", role="tool", tool_call_id="call_1")
    a_message(db, root, "second result", role="tool", tool_call_id="call_1")
    db.commit()
    found = page(client, "/c/twice")
    assert order(found) == ["user", "assistant", "tool-only"]
    assert "first result" in found.by_class("assistant")[0].text
    assert "second result" in found.by_class("tool-only")[0].text


@pytest.mark.parametrize("view", ["whole", "model", "session"])
@pytest.mark.parametrize("text", [None, ""], ids=["no text", "empty text"])
def test_a_row_of_calls_alone_is_on_the_page(
    client: FlaskClient, db: OrmSession, view: str, text: str | None
) -> None:
    root = db.get_one(Session, a_conversation(db, id="calls").root_id)
    a_message(db, root, "Look.")
    looked = stories.calls(stories.call("look_around", {"where": "in the attic"}))
    a_message(db, root, text, role="assistant", tool_calls=looked)
    a_message(db, root, "And?")
    db.commit()
    found = page(client, f"/c/calls?view={view}")
    assert order(found) == ["user", "assistant", "user"]
    assert "in the attic" in found.by_class("assistant")[0].text


def test_calls_in_a_row_with_a_handoff_are_on_the_page(client: FlaskClient, db: OrmSession) -> None:
    root = db.get_one(Session, a_conversation(db, id="calls").root_id)
    looked = stories.calls(stories.call("look_around", {"where": "in the attic"}))
    a_message(db, root, stories.standalone(), role="assistant", kind="handoff", tool_calls=looked)
    db.commit()
    found = page(client, "/c/calls")
    assert order(found) == ["handoff", "assistant"]
    assert "in the attic" in found.by_class("assistant")[0].text


def test_broken_arguments_and_broken_calls_are_shown_raw_and_marked(
    client: FlaskClient, db: OrmSession
) -> None:
    stories.tool_work(db)
    db.commit()
    found = page(client, "/c/tool-work")
    assert "arguments are not valid JSON" in found.by_class("tool")[2].text
    assert '{"path": "a.py", "te' in found.by_class("tool")[2].text
    assert "stored JSON is not valid" in found.by_class("broken")[0].text


def test_long_output_is_cut_and_shown_whole_on_request(client: FlaskClient, db: OrmSession) -> None:
    stories.tool_work(db)
    db.commit()
    found = page(client, "/c/tool-work")
    (link,) = found.by_class("show-all")
    assert "12 000 characters" in link.text
    whole = page(client, link.by_tag("a")[0].attributes["href"])
    assert whole.by_class("output")[0].text.count("x = 1") == 2_000


def test_images_come_from_the_message_itself_and_never_from_elsewhere(
    client: FlaskClient, db: OrmSession
) -> None:
    stories.tool_work(db)
    db.commit()
    found = page(client, "/c/tool-work")
    (picture,) = found.by_tag("img")
    response = client.get(picture.attributes["src"])
    assert response.content_type == "image/png"
    assert response.data.startswith(b"\x89PNG")
    assert "image not loaded: https://pictures.example/x.png" in found.text
    assert client.get(picture.attributes["src"][:-1] + "1").status_code == 404


def test_one_session_leads_to_the_ones_beside_it(client: FlaskClient, db: OrmSession) -> None:
    stories.family(db)
    db.commit()
    found = page(client, "/c/family?view=session&session=family-2")
    links = {
        one.attributes.get("rel"): one.attributes["href"]
        for one in found.by_class("session-line")[0].by_tag("a")
    }
    assert page(client, links["prev"]).by_class("session-line")[0].text.startswith("Session family , 1 of 3")
    assert (
        page(client, links["next"]).by_class("session-line")[0].text.startswith("Session family-3 , 3 of 3")
    )


def test_every_message_has_a_permalink_that_finds_it(client: FlaskClient, db: OrmSession) -> None:
    conversation = stories.long(db, 200)
    deep = a_message(db, db.get_one(Session, conversation.root_id), "Deep inside.")
    hidden = a_message(db, db.get_one(Session, conversation.root_id), "Hidden.", copy_of=deep.id)
    db.commit()
    for row, text in ((deep, "Deep inside."), (hidden, "Hidden.")):
        response = client.get(f"/m/{row.id}")
        assert response.status_code == 302
        target, _, anchor = response.headers["Location"].partition("#")
        assert text in page(client, target).by_id(anchor).text


def test_windows_follow_each_other_by_plain_links(client: FlaskClient, db: OrmSession) -> None:
    stories.long(db, 180)
    db.commit()
    seen: list[str] = []
    url: str | None = "/c/long?at=0.0"
    while url:
        found = page(client, url)
        seen += re.findall(r"Message number (\d+)\.", " ".join(one.text for one in found.by_class("prose")))
        later = [one for one in found.by_tag("a") if one.attributes.get("data-more") == "next"]
        url = later[0].attributes["href"] if later else None
    assert seen == [str(number) for number in range(180)]


def test_a_conversation_opens_at_its_latest_message_and_says_what_is_before(
    client: FlaskClient, db: OrmSession
) -> None:
    stories.long(db, 120)
    db.commit()
    found = page(client, "/c/long")
    assert "Message number 119." in found.text
    earlier = [one for one in found.by_tag("a") if one.attributes.get("data-more") == "previous"]
    assert [one.text for one in earlier] == ["70 earlier messages"]
    steps = 0
    while links := [one for one in found.by_tag("a") if one.attributes.get("data-more") == "previous"]:
        found = page(client, links[0].attributes["href"])
        steps += 1
    assert "Message number 0." in found.text
    assert steps == 2


@pytest.mark.parametrize("view", ["whole", "talk", "session", "model"])
def test_first_and_latest_lead_to_the_ends_of_every_view(
    client: FlaskClient, db: OrmSession, view: str
) -> None:
    stories.long(db, 120)
    db.commit()
    links = {
        one.text: one.attributes["href"]
        for one in page(client, f"/c/long?view={view}").by_class("jumps")[0].by_tag("a")
    }
    assert "Message number 0." in page(client, links["First"]).text
    latest, _, anchor = links["Latest"].partition("#")
    found = page(client, latest)
    assert "Message number 119." in found.text
    assert found.by_id(anchor)


def test_earlier_messages_are_counted_over_the_whole_chain(client: FlaskClient, db: OrmSession) -> None:
    stories.chain(db, 100)
    db.commit()
    found = page(client, "/c/chain")
    (earlier,) = [one for one in found.by_tag("a") if one.attributes.get("data-more") == "previous"]
    shown = len([kind for kind in order(found) if kind in ("user", "handoff")])
    assert earlier.text == f"{199 - shown} earlier messages"


def test_headings_are_title_compactions_messages_and_then_stored_text(
    client: FlaskClient, db: OrmSession
) -> None:
    stories.swallowed_reply(db)
    db.commit()
    found = page(client, "/c/invoices-after")
    main = found.by_tag("main")[0]
    levels = [(one.tag, one.text) for one in main.walk() if re.fullmatch("h[1-6]", one.tag)]
    assert levels[0] == ("h1", "Move the invoices")
    transcript = levels[levels.index(("h2", "Messages")) :]
    assert [tag for tag, _ in transcript] == ["h2", "h3", "h3", "h2", "h3", "h4", "h4", "h3", "h3"]
    assert [text.split(",")[0] for tag, text in transcript if tag == "h3"] == [
        "You", "Assistant", "Context handoff", "You", "Assistant",
    ]  # fmt: skip
    for article in found.by_tag("article"):
        name = found.by_id(article.attributes["aria-labelledby"]).text
        assert re.fullmatch(r"(You|Assistant), \d\d:\d\d", name)


def test_the_head_alone_is_answered_without_a_window(
    client: FlaskClient, db: OrmSession, database: Database
) -> None:
    stories.swallowed_reply(db)
    db.commit()
    with recorded(database) as statements:
        found = page(client, "/c/invoices-after?part=head")
    assert found.by_tag("h1")[0].text == "Move the invoices"
    assert not found.by_tag("article")
    assert len(statements) <= 8


def test_a_part_holds_the_window_alone(client: FlaskClient, db: OrmSession) -> None:
    stories.long(db, 60)
    db.commit()
    response = client.get("/c/long?part=1")
    assert "<html" not in response.text
    assert "Message number 49." in response.text


def test_the_next_prompt_has_an_address(client: FlaskClient, db: OrmSession) -> None:
    rows = stories.swallowed_reply(db)
    db.commit()
    found = page(client, "/c/invoices-after")
    (prompts,) = found.by_class("transcript")
    place = found.by_id(f"m-{rows['asked'].id}").attributes["data-place"]
    url = f"{prompts.attributes['data-prompts']}?after={place}"
    response = client.get(url, follow_redirects=True)
    assert response.request.path == "/c/invoices-after"
    assert f"m-{rows['answer'].id}" in response.text


@pytest.mark.parametrize("shape", ["after", "prior"])
def test_every_message_has_its_actions(client: FlaskClient, db: OrmSession, shape: str) -> None:
    rows = stories.swallowed_reply(db, shape=shape)
    db.commit()
    key = rows["reply"].id
    links = page(client, f"/c/invoices-{shape}").by_id(f"m-{key}").by_class("act")
    assert [one.attributes["href"] for one in links] == [
        f"/m/{key}/raw?only=text", f"/m/{key}", f"/m/{key}/seen", f"/m/{key}/all",
    ]  # fmt: skip
    assert all(one.attributes["title"] for one in links)


def test_the_resume_command_names_the_newest_session_quoted(client: FlaskClient, db: OrmSession) -> None:
    a_message(db, db.get_one(Session, a_conversation(db, id="it's me").root_id))
    stories.swallowed_reply(db)
    db.commit()
    (command,) = page(client, "/c/invoices-after").by_class("copyable")
    assert command.text == "hermes --resume invoices-after-2"
    url = "/c/~" + "aXQncyBtZQ"
    assert page(client, url).by_class("copyable")[0].text == "hermes --resume 'it'\"'\"'s me'"


def test_the_system_prompt_is_shown_only_when_asked_for(client: FlaskClient, db: OrmSession) -> None:
    db.add(SystemPrompt(hash="h", text="You are careful."))
    a_message(db, db.get_one(Session, a_conversation(db, id="p", system_prompt_hash="h").root_id))
    db.commit()
    found = page(client, "/c/p")
    assert "You are careful." not in found.text
    (link,) = [one for one in found.by_tag("a") if one.text == "Show it"]
    assert "You are careful." in page(client, link.attributes["href"]).text


def test_a_thousand_sessions_open_with_as_few_questions_as_two(
    client: FlaskClient, db: OrmSession, database: Database
) -> None:
    stories.chain(db, 300)
    stories.swallowed_reply(db)
    db.commit()
    counts = {}
    for name in ("invoices-after", "chain"):
        with recorded(database) as statements:
            page(client, f"/c/{name}")
        counts[name] = len(statements)
    assert counts["chain"] <= counts["invoices-after"] + 2 <= 24


def test_unread_session_of_a_conversation_without_messages_is_explained(
    client: FlaskClient, db: OrmSession
) -> None:
    a_conversation(db, id="nothing")
    db.commit()
    assert "no messages" in page(client, "/c/nothing").by_class("empty")[0].text


@pytest.mark.parametrize("url", ["/c/x?view=no", "/c/x?at=1", "/c/x?at=1.2&after=1.3", "/c/x?at=-1.2"])
def test_a_senseless_place_is_a_clean_400(client: FlaskClient, db: OrmSession, url: str) -> None:
    a_message(db, db.get_one(Session, a_conversation(db, id="x").root_id))
    db.commit()
    assert client.get(url).status_code == 400


def test_events_stand_once_whatever_the_window(client: FlaskClient, db: OrmSession) -> None:
    conversation = a_conversation(db, id="events")
    root = db.get_one(Session, conversation.root_id)
    for number in range(130):
        a_message(db, root, f"Row {number}.")
    for number in (10, 49, 50, 99, 129):
        a_conversation(
            db, id=f"d{number}", kind="delegate", relation="delegate", parent_id=root.id,
            title=f"Helper {number}", started_at=NOON + 60 * number + 30,
        )  # fmt: skip
    a_compaction(db, root, realisation="in_place", status="interrupted")
    second = a_session(db, conversation, started_at=NOON + 9_000)
    a_message(db, second, "End.")
    db.commit()
    seen: list[str] = []
    url: str | None = "/c/events?at=0.0"
    while url:
        found = page(client, url)
        for one in found.by_class("items")[0].walk():
            if one.classes & {"offshoot", "separator"}:
                seen.append(one.text)
            seen += re.findall(r"^Row \d+\.", one.text) if "prose" in one.classes else []
        later = [one for one in found.by_tag("a") if one.attributes.get("data-more") == "next"]
        url = later[0].attributes["href"] if later else None
    helpers = [text for text in seen if "Helper" in text]
    assert [text.split()[2] for text in helpers] == ["10", "49", "50", "99", "129"]
    for text in helpers:
        assert seen[seen.index(text) - 1] == f"Row {text.split()[2]}."
    assert len([text for text in seen if "interrupted" in text]) == 1


@pytest.mark.parametrize("shape", ["after", "prior"])
def test_the_text_to_copy_is_what_was_said(client: FlaskClient, db: OrmSession, shape: str) -> None:
    rows = stories.swallowed_reply(db, shape=shape)
    db.commit()
    assert client.get(f"/m/{rows['carrier'].id}/raw?only=text").text == stories.REPLY
    assert client.get(f"/m/{rows['asked'].id}/raw?only=text").text == rows["asked"].text


# -- only what was said ------------------------------------------------------------------------------


def test_the_view_of_what_was_said_leaves_out_all_else(client: FlaskClient, db: OrmSession) -> None:
    stories.tool_work(db)
    rows = stories.swallowed_reply(db)
    stories.family(db)
    db.commit()
    assert order(page(client, "/c/invoices-after?view=talk")) == [
        "user", "assistant", "separator", "user", "assistant",
    ]  # fmt: skip
    work = page(client, "/c/tool-work?view=talk")
    assert work.by_class("message")
    assert not [name for name in ("tool", "reasoning", "fold", "handoff", "chart") if work.by_class(name)]
    assert set(order(page(client, "/c/family?view=talk"))) == {"user", "assistant", "separator"}
    assert f"m-{rows['carrier'].id}" not in client.get("/c/invoices-after?view=talk").text


def test_the_view_of_what_was_said_pages_through_everything(client: FlaskClient, db: OrmSession) -> None:
    root = stories.root_of(db, a_conversation(db, id="busy"))
    for number in range(60):
        a_message(db, root, f"Prompt {number}.")
        a_message(db, root, "", role="assistant", tool_calls=stories.calls(stories.call("ls", {})))
        a_message(db, root, "a file", role="tool", tool_call_id="call_1")
        a_message(db, root, f"Answer {number}.", role="assistant")
    db.commit()
    url: str | None = "/c/busy?view=talk&at=0.0"
    said = []
    while url:
        found = page(client, url)
        said += [one.text for one in found.by_class("prose")]
        following = found.all(lambda one: one.attributes.get("data-more") == "next")
        url = following[0].attributes["href"] if following else None
    assert said == [f"{kind} {number}." for number in range(60) for kind in ("Prompt", "Answer")]


def test_tools_open_by_their_address_and_stay_so_on_the_next_page(
    client: FlaskClient, db: OrmSession
) -> None:
    stories.tool_work(db)
    db.commit()
    closed = page(client, "/c/tool-work")
    assert not [one for one in closed.by_class("tool") if "open" in one.attributes]
    (switch,) = closed.all(lambda one: one.attributes.get("data-action") == "tools")
    assert switch.attributes["href"] == "/c/tool-work?tools=open"
    opened = page(client, switch.attributes["href"])
    assert all("open" in one.attributes for one in opened.by_class("tool"))
    assert all("tools=open" in one.attributes["href"] for one in opened.by_class("jumps")[0].by_tag("a"))


# -- contents ----------------------------------------------------------------------------------------


def test_contents_list_prompts_and_compactions_in_order(client: FlaskClient, db: OrmSession) -> None:
    rows = stories.swallowed_reply(db)
    stories.family(db)
    db.commit()
    found = page(client, "/c/invoices-after/contents").by_class("contents")[0]
    lines = [(one.attributes["class"], one.by_tag("a")[0].text) for one in found.by_tag("li")]
    assert lines == [
        ("prompt", "Please move the invoices to the new ledger. Keep `legacy_id`!"),
        ("compaction", "Compaction 1"),
        ("prompt", "Yes, on the copy first."),
    ]
    assert found.by_tag("a")[0].attributes["href"] == f"/m/{rows['asked'].id}"
    kinds = [one.attributes["class"] for one in page(client, "/c/family/contents").by_tag("li")]
    assert kinds.count("prompt") == 6
    assert kinds.count("compaction") == 3


def test_contents_leave_out_what_a_client_did(client: FlaskClient, db: OrmSession) -> None:
    root = stories.root_of(db, a_conversation(db, id="commands"))
    for text in ("<command-name>/compact</command-name>", "What does <command-name> mean?", ""):
        a_message(db, root, text)
    db.commit()
    lines = page(client, "/c/commands/contents").by_tag("li")
    assert [one.by_tag("a")[0].text for one in lines][:1] == ["What does <command-name> mean?"]


def test_contents_show_what_the_user_said_in_a_merged_row(client: FlaskClient, db: OrmSession) -> None:
    root = stories.root_of(db, a_conversation(db, id="merged"))
    a_message(db, root, stories.merged("Go on with the tests."), kind="merged")
    db.commit()
    (line,) = page(client, "/c/merged/contents").by_tag("li")
    assert line.by_tag("a")[0].text == "Go on with the tests."


def test_contents_of_a_long_conversation_come_in_pages(client: FlaskClient, db: OrmSession) -> None:
    stories.long(db, 1_100)
    db.commit()
    first = page(client, "/c/long/contents")
    assert len(first.by_tag("li")) == 500
    second = page(client, first.by_class("more")[0].by_tag("a")[0].attributes["href"])
    assert len(second.by_tag("li")) == 50
    assert not second.by_class("more")


def test_contents_around_a_place_lead_on_in_both_directions(client: FlaskClient, db: OrmSession) -> None:
    stories.long(db, 1_100)
    db.commit()
    found = page(client, "/c/long/contents?part=1&at=0.600")
    lines = [one.by_tag("a")[0].text for one in found.by_tag("li")]
    assert len(lines) == 120
    assert lines[0].startswith("Message number 480.")
    assert lines[-1].startswith("Message number 718.")
    earlier, later = (one.by_tag("a")[0].attributes["href"] for one in found.by_class("more"))
    assert page(client, earlier).by_tag("li")[0].by_tag("a")[0].text.startswith("Message number 360.")
    assert page(client, later).by_tag("li")[0].by_tag("a")[0].text.startswith("Message number 720.")


def test_hostile_prompts_stay_text_in_the_contents(client: FlaskClient, db: OrmSession) -> None:
    conversation = stories.hostile(db)
    db.commit()
    text = client.get(f"/c/{encode_id(conversation.public_id)}/contents?part=1").text
    assert "onerror" in text
    assert "<img" not in text
    assert "<script" not in text


def test_a_note_of_the_engine_is_not_what_you_said(client: FlaskClient, db: OrmSession) -> None:
    stories.engine_note(db)
    db.commit()
    assert "others were replaced" not in client.get("/c/noted").text
    found = page(client, "/c/noted?view=model")
    assert order(found) == ["user", "system", "user"]
    (note,) = found.by_class("system")
    assert "Note by the compaction" in note.text
    assert "data-prompt" not in note.attributes
    assert "others were replaced" not in client.get("/c/noted/contents").text


def test_what_a_client_wrote_is_not_what_you_said(client: FlaskClient, db: OrmSession) -> None:
    stories.client_words(db)
    db.commit()
    found = page(client, "/c/client")
    said = [
        (one.by_class("speaker")[0].text.partition(",")[0], one.by_class("prose")[0].text)
        for one in found.by_class("message")
    ]
    assert said == [(who, " ".join(text.split())) for who, text in stories.CLIENT_WORDS]
    assert ["data-prompt" in one.attributes for one in found.by_class("message")] == [True] + [False] * 5
    assert "Show all" not in found.text
    assert [one.by_tag("a")[0].text for one in page(client, "/c/client/contents").by_tag("li")] == [
        "Tidy the imports."
    ]
