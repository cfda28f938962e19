"""Files that something spoiled: whatever is in them, the rest is read, and what is refused has a reason."""

import random

import pytest

from hermes_sessions.agents.goose.importer import IMPORTER
from tests.agents.goose.conftest import GooseHome
from tests.agents.goose.session_builder import BY_HAND, GooseInDatabase
from tests.agents.spoiled_database import read_all, read_spoiled


def filled(home):
    for name in ("a", "b"):
        talk = home.talk(name)
        for at in range(6):
            talk.ask(f"question {at}")
            talk.use(f"t{at}", "long " * 200)
            if at % 3 == 2:
                talk.compact("short", order=BY_HAND)
    return home


@pytest.mark.parametrize("seeds", range(5))
def test_a_spoiled_database_is_read_as_far_as_it_can_be(tmp_path, seeds):
    home = filled(GooseHome(tmp_path / "home", GooseInDatabase(tmp_path / "home" / "sessions.db")))
    whole = read_all(IMPORTER, home.path)
    found = [
        read_spoiled(IMPORTER, home.path, "sessions.db", seed) for seed in range(8 * seeds, 8 * seeds + 8)
    ]
    assert isinstance(whole, int)
    assert any(isinstance(one, int) and one > whole // 4 for one in found)


@pytest.mark.parametrize("seed", range(8))
def test_values_of_other_types_stop_nothing(home, seed):
    filled(home)
    chance = random.Random(seed)
    odd: list[object] = [None, [], {}, "x", 7, -1.5, True, 10**30, {"type": []}]

    def changed(value):
        if chance.random() < 0.08:
            return chance.choice(odd)
        if isinstance(value, dict):
            return {name: changed(one) for name, one in value.items()}
        return [changed(one) for one in value] if isinstance(value, list) else value

    for session, messages in home.kept.read().items():
        spoiled = [
            {**one, "content": changed(one["content"]), "metadata": changed(one["metadata"])}
            for one in messages
        ]
        home.kept.put(session, spoiled)
    found = read_all(IMPORTER, home.path)
    assert isinstance(found, int)
    assert found > 10


def test_a_session_whose_id_is_empty_is_named_all_the_same(tmp_path):
    kept = GooseInDatabase(tmp_path / "home" / "sessions.db")
    home = filled(GooseHome(tmp_path / "home", kept))
    kept.run("UPDATE sessions SET id = '' WHERE id = 'b'")
    read = home.read()
    assert {(one.table, one.id) for one in read.rejected} >= {("sessions", "''")}
