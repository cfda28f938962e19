"""Compactions in every layout, and turns that were taken back."""

import pytest
from sqlalchemy import select

from hermes_sessions.messages import CompactionStatus
from hermes_sessions.store.queries.compactions import find_compaction
from hermes_sessions.store.schema.models import Compaction
from hermes_sessions.web import create_app
from tests.agents.changed_home import bring
from tests.agents.codex.rollout_builder import OPENING, encrypted, user_item


def a_talk(talk):
    talk.turn()
    talk.ask("first")
    talk.reply("one")
    talk.ask("second")
    talk.call("c1")
    talk.count(90_000)
    talk.result("c1", "out")
    talk.reply("two")
    return talk


def states(found, session="a"):
    return [str(found.verdict(session, at).state or "live") for at in range(len(found.rows[session]))]


def refs(found, *places, session="a"):
    return [found.rows[session][at].ref for at in places]


def test_an_encrypted_summary_is_named_as_such(home):
    talk = a_talk(home.talk())
    talk.compact(replacement_history=[user_item("first"), user_item("second"), encrypted()])
    talk.ask("third")
    talk.write()
    found = home.read()
    [event] = found.compactions
    assert (event.realisation, event.method, event.trigger) == ("native", "model", "auto")
    assert (event.summary, event.handoff, event.claim) == (
        None,
        None,
        {"summary": "encrypted", "encrypted_bytes": 11},
    )
    assert (event.tokens_before, event.span_messages, event.head_messages) == (90_000, 6, 2)
    assert [event.span_first, event.span_last] == refs(found, 0, 5)
    assert states(found) == ["live", "compacted", "live", "compacted", "compacted", "compacted", "live"]
    assert [row.text for row in found.rows["a"]].count("first") == 1


def test_a_readable_summary_is_the_handoff(home):
    talk = a_talk(home.talk())
    talk.done()
    talk.turn()
    talk.compact(message=f"{OPENING}Summary:\nall of it")
    talk.done()
    talk.turn()
    talk.ask("third")
    talk.write()
    found = home.read()
    [event] = found.compactions
    assert (event.summary, event.method, event.trigger) == ("Summary:\nall of it", "model", "manual")
    assert [event.handoff] == refs(found, 6)
    assert found.verdict("a", 6).kind == "handoff"
    assert states(found) == ["live", "compacted", "live", *["compacted"] * 3, "live", "live"]


def test_a_full_window_that_is_compacted_before_the_request_goes_out_is_no_order(home):
    talk = a_talk(home.talk())
    talk.done()
    for text in ("third", "fourth"):
        talk.turn()
        talk.compact(replacement_history=[encrypted()], window_id=text)
        talk.ask(text)
        talk.done()
    talk.turn()
    talk.compact(replacement_history=[encrypted()], window_id="ordered")
    talk.done()
    talk.turn()
    talk.ask("fifth")
    talk.write()
    assert [one.trigger for one in home.read().compactions] == ["auto", "auto", "manual"]


def test_a_request_whose_picture_is_not_kept_goes_on(home):
    talk = home.talk()
    talk.turn()
    content = [{"type": "input_text", "text": "what is this?"}, {"type": "input_image", "image_url": "data:"}]
    talk.add("response_item", "message", role="user", content=content)
    talk.reply("a kettle")
    talk.compact(message=f"{OPENING}all of it", replacement_history=[user_item("what is this?")])
    talk.write()
    found = home.read()
    [event] = found.compactions
    assert states(found)[:2] == ["live", "compacted"]
    assert event.head_messages == 1


def test_only_the_newest_requests_have_room_beside_it(home):
    talk = home.talk()
    for number in range(5):
        talk.ask(f"{number}" * 24_000)  # 6,000 tokens
        talk.reply("ok")
    talk.compact(message=f"{OPENING}all")
    talk.write()
    found = home.read()
    assert [at for at, state in enumerate(states(found)) if state == "live"] == [4, 6, 8, 10]


@pytest.mark.parametrize("message", ["", f"{OPENING}all of it"], ids=["in the history alone", "in both"])
def test_a_summary_in_the_history_is_the_handoff_and_no_request(home, message):
    talk = a_talk(home.talk())
    history = [user_item("second"), user_item(f"{OPENING}all of it")]
    talk.compact(message=message, replacement_history=history)
    talk.write()
    found = home.read()
    assert [event.summary for event in found.compactions] == ["all of it"]
    assert states(found)[:4] == ["compacted", "compacted", "live", "compacted"]
    assert len(found.rows["a"]) == 7


def test_entries_name_what_is_kept_by_its_id(home):
    talk = home.segment("")
    talk.ask("first", id="m1")
    talk.reply("one", id="m2")
    talk.ask("second", id="m3")
    entries = [
        {"type": "reference_v2", "item_id": "m1", "source_digest": "sha256-x"},
        {"type": "reference", "item_id": "gone"},
        {"type": "inline", "item": encrypted()},
    ]
    talk.compact(replacement_history_entries=entries, window_id="w1", window_number=1)
    talk.write()
    found = home.read()
    [event] = found.compactions
    assert (event.key, event.head_messages) == ("w1", 1)
    assert event.claim == {
        "window_id": "w1",
        "window_number": 1,
        "summary": "encrypted",
        "encrypted_bytes": 11,
    }
    assert states(found) == ["live", "compacted", "compacted"]


def test_the_next_one_begins_after_the_last_and_may_drop_what_it_kept(home):
    talk = a_talk(home.talk())
    talk.compact(replacement_history=[user_item("first"), user_item("second"), encrypted("1")])
    talk.ask("third")
    talk.reply("three")
    talk.compact(replacement_history=[user_item("second"), user_item("third"), encrypted("2")])
    talk.write()
    found = home.read()
    first, second = found.compactions
    assert (second.span_messages, second.head_messages) == (2, 1)
    assert found.verdict("a", 0).archived_by == second.key
    assert found.verdict("a", 1).archived_by == first.key
    assert [at for at, state in enumerate(states(found)) if state == "live"] == [2, 6]


def test_an_event_alone_is_a_compaction_without_a_summary(home):
    talk = a_talk(home.talk())
    talk.add("event_msg", "context_compacted")
    talk.ask("third")
    talk.write()
    [event] = home.read().compactions
    assert (event.method, event.summary, event.span_messages, event.claim) == ("none", None, 6, None)


def test_a_guardians_history_is_no_compaction(home):
    talk = a_talk(home.talk())
    talk.add("compacted", message="", guardian_history=[user_item("first")])
    talk.write()
    assert home.read().compactions == []


def test_quoted_lines_are_messages(home):
    talk = home.talk()
    talk.ask('{"type": "compacted", "payload": {"message": "x"}}')
    talk.ask(f"{OPENING}somebody's summary")
    talk.write()
    found = home.read()
    assert found.compactions == []
    assert [row.role for row in found.rows["a"]] == ["user", "user"]


def test_turns_that_were_taken_back_are_marked(home):
    talk = a_talk(home.talk())
    talk.ask("third")
    talk.reply("three")
    talk.add("event_msg", "thread_rolled_back", num_turns=2)
    talk.ask("fourth")
    talk.compact(replacement_history=[encrypted()])
    talk.write()
    found = home.read()
    assert states(found) == ["compacted"] * 2 + ["rewound"] * 6 + ["compacted"]
    assert found.compactions[0].span_messages == 3


def test_turns_are_taken_back_over_a_compaction_which_is_undone(home):
    talk = a_talk(home.talk())
    talk.compact(replacement_history=[user_item("second"), encrypted()])
    talk.ask("third")
    talk.add("event_msg", "thread_rolled_back", num_turns=2)
    talk.ask("fourth")
    talk.write()
    found = home.read()
    assert found.compactions[0].status is CompactionStatus.UNDONE
    texts = dict(zip(found.texts("a"), states(found), strict=True))
    assert [texts[one] for one in ("first", "second", "third", "fourth")] == [
        "live", "rewound", "rewound", "live",
    ]  # fmt: skip
    assert "compacted" not in texts.values()


def test_a_turn_in_the_middle_of_which_was_compacted_is_taken_back_whole(home):
    talk = home.talk()
    talk.ask("first")
    talk.reply("one")
    talk.ask("second")
    talk.reply("half")
    talk.compact(message=f"{OPENING}BODY")
    talk.reply("two")
    talk.add("event_msg", "thread_rolled_back", num_turns=1)
    talk.write()
    found = home.read()
    assert [one.status for one in found.compactions] == [CompactionStatus.UNDONE]
    assert states(found) == ["live", "live", *["rewound"] * 4]


@pytest.mark.sqlite_only
def test_an_encrypted_one_that_was_taken_back_is_as_encrypted(home, database):
    talk = a_talk(home.talk())
    talk.compact(replacement_history=[encrypted()])
    talk.ask("third")
    talk.add("event_msg", "thread_rolled_back", num_turns=2)
    talk.write()
    bring(database, home.path)
    with database.read() as db:
        found = find_compaction(db, db.scalars(select(Compaction.id)).one())
    assert found is not None
    assert (found.status, found.is_encrypted) == (CompactionStatus.UNDONE, True)


@pytest.mark.sqlite_only
def test_the_page_of_an_encrypted_one_says_so(home, database):
    talk = a_talk(home.talk())
    talk.compact(replacement_history=[user_item("second"), encrypted()])
    talk.ask("third")
    talk.write()
    bring(database, home.path)
    client = create_app(database).test_client()
    scroll = client.get("/c/a").text
    assert "6 messages became a summary, encrypted by the provider" in scroll
    assert "summary encrypted by the provider" in scroll  # in the title of the line, with all that is known
    assert "encrypted by the provider" in client.get("/compactions/1").text


@pytest.mark.sqlite_only
def test_the_scroll_does_not_say_so_where_the_handoff_follows(home, database):
    talk = a_talk(home.talk())
    talk.compact(message=f"{OPENING}Summary:\nall of it")
    talk.ask("third")
    talk.write()
    bring(database, home.path)
    scroll = create_app(database).test_client().get("/c/a").text
    assert "6 messages became a summary" in scroll
    assert "encrypted" not in scroll


@pytest.mark.parametrize(
    "said", [OPENING, f"{OPENING}(no summary available)", "(no summary available)", " \n"]
)
def test_an_empty_summary_is_said_to_be_empty_and_is_no_row(home, said):
    talk = a_talk(home.talk())
    talk.compact(message=said)
    talk.ask("third")
    talk.write()
    found = home.read()
    [event] = found.compactions
    assert (event.method, event.summary, event.handoff, event.claim) == (
        "none",
        None,
        None,
        {"summary": "empty"},
    )
    assert found.texts("a")[-2:] == ["two", "third"]
    assert states(found) == ["live", "compacted", "live", *["compacted"] * 3, "live"]
