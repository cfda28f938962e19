"""Real databases: import, export as Hermes', import again: the same; lossless lines the same."""

import sqlite3
import time

import pytest
from sqlalchemy import select

from bench.corpus import find_files
from hermes_sessions.exporters.masking import ExportMasker
from hermes_sessions.operations.exports.export_jsonl import iter_lines
from hermes_sessions.operations.exports.export_origin import OriginOrder, export_origin
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.conversations import get_conversation
from hermes_sessions.store.schema.models import Conversation
from tests.conftest import find_corpus
from tests.operations.exports.test_export_origin import content
from tests.test_corpus import NOT_DATABASES

pytestmark = pytest.mark.corpus

FOLDER = find_corpus()
FILES = [path.relative_to(FOLDER).as_posix() for path in find_files(FOLDER)] if FOLDER else []
DATABASES = sorted(set(FILES) - set(NOT_DATABASES))
OPTIONS = ImportOptions(clock=time.time, label="the-agent")


@pytest.fixture
def other(tmp_path):
    with Database.open(str(tmp_path / "other.db")) as opened:
        yield opened


def cells(path, table):
    """Return the rows of a file by id, empty cells and zeros left out."""
    connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    connection.row_factory = sqlite3.Row
    connection.text_factory = bytes
    try:
        rows = connection.execute(f"SELECT * FROM {table}").fetchall()
    finally:
        connection.close()
    return {row["id"]: {name: row[name] for name in row.keys() if row[name] not in (None, 0)} for row in rows}  # noqa: SIM118


@pytest.mark.parametrize("name", DATABASES)
def test_an_export_imported_again_is_the_same(corpus, database, other, tmp_path, name):
    import_path(database, corpus / name, OPTIONS)
    out = tmp_path / "out.db"
    export_origin(database, out, OriginOrder(format="hermes"))
    import_path(other, out, OPTIONS)
    assert content(other) == content(database)


@pytest.mark.parametrize("name", ["v01.db", "v11.db", "v17.db", "v30.db", "quirks/bad_values.db"])
def test_every_cell_is_in_the_exported_file(corpus, database, tmp_path, name):
    import_path(database, corpus / name, OPTIONS)
    out = tmp_path / "out.db"
    export_origin(database, out, OriginOrder(format="hermes"))
    for table in ("sessions", "messages"):
        before, after = cells(corpus / name, table), cells(out, table)
        assert before.keys() == after.keys()
        for key, row in before.items():
            assert row.items() <= after[key].items(), (table, key)


@pytest.mark.parametrize("name", ["v11.db", "v30.db", "quirks/bad_values.db", "quirks/parent_cycle.db"])
def test_lossless_lines_imported_again_are_the_same(corpus, database, other, tmp_path, name):
    import_path(database, corpus / name, OPTIONS)
    with database.read() as db:
        ids = list(db.scalars(select(Conversation.public_id)))
    for at, public_id in enumerate(ids):
        path = tmp_path / f"{at}.jsonl"
        with database.read() as db:
            lines = iter_lines(db, get_conversation(db, public_id), ExportMasker(active=False))
            path.write_text("".join(lines), "utf-8", newline="\n")
        import_path(other, path, OPTIONS)
        with other.read() as db:
            again = "".join(iter_lines(db, get_conversation(db, public_id), ExportMasker(active=False)))
        assert again.encode() == path.read_bytes()
