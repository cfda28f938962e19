from hermes_sessions.agents.contract import OpenOptions
from hermes_sessions.agents.hermes.schema import EXPECTED
from hermes_sessions.agents.hermes.source import open_hermes
from hermes_sessions.agents.sqlite_source.foreign_database import open_foreign
from hermes_sessions.agents.sqlite_source.rescue import rescue
from tests.agents.hermes.hermes_builder import row, session, state_db


def test_a_rescued_copy_has_every_row_with_the_types_it_had(tmp_path):
    rows = [
        row("s", "user", "text"),
        row("s", "user", b"\xff\x00"),
        row("s", "user", 42),
        row("s", "user", None),
    ]
    path = state_db(tmp_path / "state.db", sessions=[session("s")], messages=rows)
    with open_foreign(path, EXPECTED) as foreign:
        copy, damage = rescue(foreign, tmp_path / "copy.db", {"messages": ()})
        found = copy.execute("SELECT id, content FROM messages ORDER BY id").fetchall()
        expected = foreign.connection.execute("SELECT id, content FROM messages ORDER BY id").fetchall()
        copy.close()
    assert (found, damage) == (expected, [])


def test_a_cut_off_file_still_gives_its_first_families(tmp_path):
    sessions = [session(f"s{number}") for number in range(40)]
    rows = [row(f"s{number % 40}", "user", f"text {number} " + "x" * 500) for number in range(800)]
    path = state_db(tmp_path / "state.db", sessions=sessions, messages=rows)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 2 // 3])
    with open_hermes(path, OpenOptions(now=0.0)) as source:
        assert source.damage
        kept = sum(len(batch) for ids in source.families() for _, batch in source.read(ids).batches())
    assert 100 < kept < 800
