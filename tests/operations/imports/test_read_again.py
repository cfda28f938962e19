"""What an older release read in another way is read again, wholly, and once."""

import pytest
from sqlalchemy import update

from hermes_sessions.agents.codex.importer import CodexImporter
from hermes_sessions.cli import main
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.schema.models import Message, Origin
from tests.agents.codex.conftest import CodexHome

NOW = 1_790_000_000.0


@pytest.fixture
def home(tmp_path):
    home = CodexHome(tmp_path / ".codex")
    talk = home.talk()
    talk.ask("hello")
    talk.reply("hi")
    talk.write()
    return home


@pytest.fixture
def stored(database, home):
    """A store in which an older release hid everything, though it need not."""
    import_path(database, home.path, ImportOptions(lambda: NOW))
    with database.write() as db:
        db.execute(update(Message).values(state="rewound", shown=False))
    return database


def shown(database):
    with database.read() as db:
        return [row.text for row in db.query(Message).where(Message.shown).order_by(Message.position)]


def test_another_way_of_reading_reads_all_of_it_once(stored, home, monkeypatch):
    monkeypatch.setattr(CodexImporter, "reading", CodexImporter.reading + 1)
    report = import_path(stored, home.path, ImportOptions(lambda: NOW))
    assert (report.reread, shown(stored)) == (True, ["hello", "hi"])
    again = import_path(stored, home.path, ImportOptions(lambda: NOW))
    assert (again.reread, again.unchanged) == (False, True)


@pytest.mark.parametrize("cursor", [None, {"reading": 0}], ids=["nothing told", "its way told"])
def test_an_interrupted_first_import_of_an_older_release_is_read_again(stored, home, cursor):
    with stored.write() as db:
        db.execute(update(Origin).values(cursor=cursor))
    report = import_path(stored, home.path, ImportOptions(lambda: NOW))
    assert (report.reread, shown(stored)) == (True, ["hello", "hi"])


def test_an_interrupted_first_import_of_this_release_goes_on(database, home):
    def interrupt(step, done, total):
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_path(database, home.path, ImportOptions(lambda: NOW, progress=interrupt))
    assert not import_path(database, home.path, ImportOptions(lambda: NOW)).reread


def test_the_same_way_of_reading_reads_nothing_again(stored, home):
    report = import_path(stored, home.path, ImportOptions(lambda: NOW))
    assert (report.reread, report.unchanged, shown(stored)) == (False, True, [])


def test_the_terminal_says_that_all_was_read_again(home, tmp_path, runner, monkeypatch):
    words = ["import", str(home.path), "--db", str(tmp_path / "told.db")]
    assert "read again" not in runner.invoke(main, words).output
    monkeypatch.setattr(CodexImporter, "reading", CodexImporter.reading + 1)
    assert "all of it was read again" in runner.invoke(main, words).output
