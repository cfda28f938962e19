"""The scroll after an agent wrote a file anew: what is there, and what a compaction took out of it."""

import pytest
from sqlalchemy import select

from hermes_sessions.store.schema.models import Compaction, Message
from tests.agents.changes.present import bring
from tests.agents.codex.conftest import CodexHome
from tests.agents.codex.rollout_builder import OPENING
from tests.agents.gemini.conftest import GeminiHome


def shown(database):
    with database.read() as db:
        rows = db.scalars(select(Message).where(Message.shown).order_by(Message.position))
        return [row.text for row in rows if row.kind == "message"]


@pytest.fixture
def talk(tmp_path):
    talk = CodexHome(tmp_path / ".codex").talk()
    for text in ("one", "two"):
        talk.ask(text)
        talk.reply(f"to {text}")
    talk.compact(message=f"{OPENING}both")
    talk.ask("three")
    talk.write()
    return talk


def test_words_that_were_changed_after_a_compaction_took_them_are_shown_once(database, tmp_path, talk):
    bring(database, tmp_path / ".codex")
    for line in talk.lines:
        for name, value in list(line["payload"].items()):
            if value == "to one":
                line["payload"][name] = "to the first"
        for block in line["payload"].get("content") or ():
            block["text"] = block["text"].replace("to one", "to the first")
    talk.write()
    bring(database, tmp_path / ".codex")
    assert shown(database) == ["one", "to the first", "two", "to two", "three"]
    with database.read() as db:
        [old] = db.scalars(select(Message).where(Message.text == "to one"))
        assert (old.state, old.archived_by, old.origin_key) == ("rewound", None, None)


def test_a_file_that_is_cut_before_its_compaction_shows_what_is_left(database, tmp_path, talk):
    bring(database, tmp_path / ".codex")
    end = next(at for at, line in enumerate(talk.lines) if "two" in str(line))
    del talk.lines[end:]
    talk.write()
    bring(database, tmp_path / ".codex")
    assert shown(database) == ["one", "to one"]


@pytest.fixture
def chat(tmp_path):
    """A session of an older Gemini CLI: one object, which a compaction writes anew."""
    chat = GeminiHome(tmp_path / ".gemini").talk(suffix=".json")
    for text in ("one", "two", "three"):
        chat.ask(text)
        chat.reply(f"to {text}")
    chat.write()
    return chat


def compacted(chat, summary):
    """Write the file anew: the summary under an id of its own, what stands beside it, and the last turn."""
    kept = chat.said[-2:]
    chat.shorten(summary)
    written = [{**one, "id": f"{one['id']} of {summary}"} for one in chat.lines[-1]["$set"]["messages"]]
    chat.lines = [chat.lines[0], *written, *kept]
    chat.write()


def test_what_a_compaction_deleted_from_a_file_stays_in_the_scroll(database, tmp_path, chat):
    bring(database, tmp_path / ".gemini")
    compacted(chat, "the first two")
    bring(database, tmp_path / ".gemini")
    assert shown(database) == ["one", "to one", "two", "to two", "three", "to three"]
    with database.read() as db:
        [event] = db.scalars(select(Compaction))
        assert (event.span_messages, event.span_stored) == (4, True)
        assert db.get_one(Message, event.span_first_id).text == "one"
    assert bring(database, tmp_path / ".gemini").unchanged


def test_a_second_compaction_of_such_a_file_leaves_the_first_where_it_was(database, tmp_path, chat):
    bring(database, tmp_path / ".gemini")
    compacted(chat, "the first two")
    bring(database, tmp_path / ".gemini")
    chat.ask("four")
    chat.reply("to four")
    for number, one in enumerate(chat.said[-2:]):
        one["id"] = f"four-{number}"
    compacted(chat, "the first three")
    bring(database, tmp_path / ".gemini")
    assert shown(database) == ["one", "to one", "two", "to two", "three", "to three", "four", "to four"]
    with database.read() as db:
        events = db.scalars(select(Compaction).order_by(Compaction.ordinal)).all()
        assert [one.span_messages for one in events] == [4, 2]
