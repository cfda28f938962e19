"""What is typed while the agent works is said where the agent takes it in."""

import pytest

from hermes_sessions.store.opening.database import Database
from tests.agents.changed_home import as_stored, bring
from tests.agents.claude_code.transcript_builder import BEGAN, at


def working(talk):
    """Begin a talk in which a tool runs while the user types."""
    talk.ask("port it")
    talk.call("t1")
    talk.queue("enqueue", "keep the old one")


def said(home, session="a"):
    return [(row.role, row.text) for row in home.read().rows[session]]


def test_an_attachment_is_said_in_its_place(home):
    talk = home.talk()
    working(talk)
    talk.queue("remove")
    talk.result("t1", "ok")
    talk.records[-1]["timestamp"] = talk.records[2]["timestamp"]  # written later than the queue's record
    talk.queued("keep the old one")
    talk.reply("it stays")
    talk.write()
    assert said(home) == [
        ("user", "port it"), ("assistant", ""), ("tool", "ok"), ("user", "keep the old one"),
        ("assistant", "it stays"),
    ]  # fmt: skip


def test_without_an_attachment_it_is_said_before_what_was_written_after_it(home):
    talk = home.talk()
    working(talk)
    talk.queue("remove")
    talk.result("t1", "ok")
    talk.records[-1]["timestamp"] = talk.records[2]["timestamp"]
    talk.reply("it stays")
    talk.write()
    assert said(home)[2:] == [("tool", "ok"), ("user", "keep the old one"), ("assistant", "it stays")]


def test_the_first_that_was_typed_is_taken_in_first_and_notices_are_passed_over(home):
    talk = home.talk()
    talk.queue("enqueue", "<task-notification>1</task-notification>")
    working(talk)
    talk.queue("enqueue", "and the other")
    talk.result("t1", "ok")
    talk.queue("remove")
    talk.queue("remove")
    talk.queue("remove")
    talk.write()
    assert said(home)[3:] == [("user", "keep the old one"), ("user", "and the other")]


@pytest.mark.parametrize(
    "ending",
    [
        lambda talk: talk.queue("popAll", "keep the old one"),
        lambda talk: talk.queue("popAll", "keep the old one\nand more"),
        lambda talk: talk.queue("dequeue"),
        lambda talk: None,
        lambda talk: (talk.queue("dequeue"), talk.queue("enqueue", "/config"), talk.queue("remove")),
    ],
    ids=["taken back", "taken back with others", "sent as a message", "still waiting", "a command"],
)
def test_what_was_not_taken_in_is_not_said(home, ending):
    talk = home.talk()
    working(talk)
    ending(talk)
    talk.reply("done")
    talk.write()
    assert said(home) == [("user", "port it"), ("assistant", ""), ("assistant", "done")]


def test_a_message_of_the_users_own_takes_its_place(home):
    talk = home.talk()
    working(talk)
    talk.queue("remove")
    talk.ask("keep the old one")
    talk.write()
    assert said(home)[2:] == [("user", "keep the old one")]


@pytest.mark.parametrize(
    "fields",
    [
        {"mode": "task-notification"},
        {"text": "<task-notification>done</task-notification>"},
        {"origin": {"kind": "agent"}},
        {"isMeta": True},
    ],
    ids=str,
)
def test_a_notice_in_the_queue_is_not_the_users(home, fields):
    talk = home.talk()
    talk.ask("port it")
    attachment = {"type": "queued_command", "prompt": "done", "commandMode": "prompt"}
    named = {"mode": "commandMode", "text": "prompt"}
    talk.add(
        "attachment", attachment={**attachment, **{named.get(one, one): it for one, it in fields.items()}}
    )
    talk.write()
    assert said(home) == [("user", "port it")]


def test_a_picture_that_was_queued_is_kept(home):
    talk = home.talk()
    working(talk)
    talk.queue("remove")
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
    talk.queued([{"type": "text", "text": "keep the old one"}, image])
    talk.write()
    [row] = home.read().rows["a"][2:]
    assert (row.text, "image/png" in (row.blocks or "")) == ("keep the old one", True)


def test_a_fork_has_what_was_typed_from_the_session_it_copied(home):
    talk = home.talk("a")
    working(talk)
    talk.queue("remove")
    talk.result("t1", "ok")
    talk.queue("enqueue", "and the other")
    talk.queue("remove")
    talk.queued("and the other")
    talk.reply("they stay")
    talk.write()
    fork = home.talk("b", forkedFrom={"sessionId": "a"})
    fork.records = [{**one, "sessionId": "b", "forkedFrom": {"sessionId": "a"}} for one in talk.records]
    fork.follow()
    fork.ask("now this")
    fork.write()
    found = home.read()
    assert found.texts("b") == [*found.texts("a"), "now this"]
    assert [dict(family.inherited) for family in found.families] == [{"b": len(found.texts("a"))}]


@pytest.mark.sqlite_only
def test_at_every_length_of_the_file_the_store_is_as_if_imported_afresh(home, database, tmp_path):
    talk = home.talk()
    talk.ask("begin " * 1_000)
    talk.compact("Summary:\nthe beginning")
    working(talk)
    talk.queue("remove")
    talk.result("t1", "ok")
    talk.records[-1]["timestamp"] = talk.records[4]["timestamp"]
    talk.queued("keep the old one")
    talk.reply("it stays")
    talk.queue("enqueue", "and the other")
    talk.compact("Summary:\nmore of it")
    talk.queue("remove")
    talk.reply("so does that")
    talk.reply("done", timestamp=at(BEGAN + 9_000))
    records = talk.records
    for length in range(1, len(records) + 1):
        talk.records = records[:length]
        talk.write()
        bring(database, home.path)
        with Database.open(str(tmp_path / f"fresh{length}.db")) as fresh:
            bring(fresh, home.path)
            assert as_stored(database) == as_stored(fresh), length
    texts = [row[5] for row in as_stored(database)[0]]
    assert [texts.count(one) for one in ("keep the old one", "and the other")] == [1, 1]
