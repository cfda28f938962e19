"""What the model saw where a compaction left no handoff that anybody could read."""

import pytest
from sqlalchemy import select

from hermes_sessions.operations.auditing.context_seen import load_seen
from hermes_sessions.store.schema.models import Message
from tests.agents.changes.present import bring
from tests.agents.codex.conftest import CodexHome
from tests.agents.codex.rollout_builder import encrypted, user_item


@pytest.fixture
def seen(database, tmp_path):
    """Return a function: the text of a message -> the texts that the model saw there."""
    home = CodexHome(tmp_path / ".codex")
    talk = home.talk("a")
    for number in (1, 2, 3):
        talk.ask(f"q{number}")
        talk.reply(f"r{number}")
    talk.compact(replacement_history=[user_item("q1"), user_item("q3"), encrypted()])
    talk.ask("q4")
    talk.reply("r4")
    talk.compact(replacement_history=[user_item("q4"), encrypted()])
    talk.ask("q5")
    talk.write()
    bring(database, home.path)

    def texts(text):
        with database.read() as db:
            told = {row.id: row.text for row in db.scalars(select(Message))}
            [at] = [one for one, said in told.items() if said == text]
            return [told[one] for one in load_seen(db, "a", at).ids]

    return texts


def test_what_an_encrypted_compaction_took_away_is_not_seen_after_it(seen):
    assert seen("q4") == ["q1", "q3", "q4"]
    assert seen("q5") == ["q4", "q5"]


def test_before_it_all_was_seen(seen):
    assert seen("r3") == ["q1", "r1", "q2", "r2", "q3"]
