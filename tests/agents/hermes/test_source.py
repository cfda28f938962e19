"""What a Hermes file gives to the rest of the program."""

import sqlite3

import pytest

from hermes_sessions.agents.contract import Entry, Opening, OpenOptions, Source
from hermes_sessions.agents.hermes.source import open_hermes
from tests.agents.hermes.hermes_builder import row, session, state_db

STARTED = 1_780_000_000.0


@pytest.fixture
def path(tmp_path):
    sessions = [session("p", started_at=STARTED), session("c", parent="p", started_at=STARTED + 9)]
    rows = [row("p", "user", "hello"), row("p", "assistant", "hi"), row("lost", "user", "whose?")]
    return state_db(tmp_path / "state.db", sessions=sessions, messages=rows)


def opened(path, **options):
    return open_hermes(path, OpenOptions(now=0.0, **options))


def test_the_index_has_every_session_and_those_whose_own_row_is_missing(path):
    with opened(path) as source:
        shape = {one: (entry.parent, entry.rows, entry.stored) for one, entry in source.entries.items()}
    assert shape == {"p": (None, 2, True), "c": ("p", 0, True), "lost": (None, 1, False)}


def test_a_mark_changes_with_its_session_alone(path):
    with opened(path) as source:
        before = dict(source.entries)
    with sqlite3.connect(path) as writer:
        writer.execute("UPDATE sessions SET title = 'Renamed' WHERE id = 'c'")
    with opened(path) as source:
        changed = [one for one, entry in source.entries.items() if entry.mark != before[one].mark]
    assert changed == ["c"]


def test_openings_say_how_sessions_begin(path):
    with opened(path) as source:
        found = dict(source.openings())
    assert found == {"p": Opening(STARTED, "user", "hello"), "c": Opening(STARTED + 9, None, None)}


def test_a_family_is_read_through_the_contract(path):
    with opened(path) as opened_source:
        source: Source = opened_source
        [ids] = [ids for ids in source.families() if "p" in ids]
        family = source.read(ids)
        entry: Entry = source.entries["p"]
    assert ([one.foreign_id for one in family.sessions], family.row_count) == (["p", "c"], 2)
    assert family.sessions[0].mark == entry.mark


def test_a_damaged_file_is_not_complete(path):
    whole = path.read_bytes()
    with opened(path) as source:
        assert source.complete
    path.write_bytes(whole[: len(whole) * 2 // 3])
    with opened(path) as source:
        assert not source.complete
        assert source.damage
