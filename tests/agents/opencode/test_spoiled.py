"""Files that something spoiled: whatever is in them, the rest is read, and what is refused has a reason."""

import random

import pytest

from hermes_sessions.agents.opencode.importer import IMPORTER
from tests.agents.opencode.conftest import OpenCodeHome
from tests.agents.opencode.session_builder import KeptInDatabase, KeptInFiles
from tests.agents.spoiled_database import read_all, read_spoiled

ODD = ["null", "[]", "{}", '"\\ud83d"', "1e999", "-1", "[" * 3000 + "]" * 3000, '{"a', "\0\0", "7"]


def filled(home):
    for name in ("a", "b"):
        talk = home.talk(name)
        for at in range(8):
            talk.ask(f"question {at}")
            talk.use(f"t{at}", "long " * 200, time={"compacted": 1_780_000_900_000})
            if at % 3 == 2:
                talk.compact("short", tail=home.kept.messages(name)[-2], overflow=True)
    talk.fork("c", 6).ask("other way")
    return home


@pytest.mark.parametrize("seeds", range(5))
def test_a_spoiled_database_is_read_as_far_as_it_can_be(tmp_path, seeds):
    home = filled(OpenCodeHome(tmp_path / "home", KeptInDatabase(tmp_path / "home" / "opencode.db")))
    whole = read_all(IMPORTER, home.path)
    found = [
        read_spoiled(IMPORTER, home.path, "opencode.db", seed) for seed in range(8 * seeds, 8 * seeds + 8)
    ]
    assert isinstance(whole, int)
    assert any(isinstance(one, int) and one > whole // 4 for one in found)


@pytest.mark.parametrize("seed", range(8))
def test_cells_and_files_of_other_kinds_are_refused_one_by_one(home, seed):
    filled(home)
    chance = random.Random(seed)
    for session, messages in home.kept.read().items():
        for one, _, parts in messages:
            if chance.random() < 0.2:
                home.kept.put_message(session, one, chance.choice(ODD))
            for part, _ in parts:
                if chance.random() < 0.2:
                    home.kept.put_part(session, one, part, chance.choice(ODD))
    found = read_all(IMPORTER, home.path)
    assert isinstance(found, int)
    assert found > 20


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
        return value

    def inside(value):
        return {name: changed(one) for name, one in value.items()}

    for session, messages in home.kept.read().items():
        home.kept.put_session(session, title=chance.choice(["t", "\u202e"]), revert={"messageID": "msg_7"})
        for one, value, parts in messages:
            home.kept.put_message(session, one, {**inside(value), "role": value["role"]})
            for part, told in parts:
                home.kept.put_part(session, one, part, {**inside(told), "type": told["type"]})
    found = read_all(IMPORTER, home.path)
    assert isinstance(found, int)
    assert found > 20


def test_files_that_are_torn_are_named(tmp_path):
    home = filled(OpenCodeHome(tmp_path / "home", KeptInFiles(tmp_path / "home" / "storage")))
    for number, file in enumerate(sorted((home.path / "storage").rglob("*.json"))):
        if number % 7 == 3 and "session" not in file.parent.parent.name:
            file.write_bytes(file.read_bytes()[:-5])
    read = home.read()
    assert read.rejected
    assert all(one.id and one.reason for one in read.rejected)
