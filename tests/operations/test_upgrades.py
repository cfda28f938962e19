"""A store that was used, taken back to each older revision and upgraded again in one go."""

from pathlib import Path

import pytest
from alembic import command

from hermes_sessions import paths
from hermes_sessions.store.engines import file_probe
from hermes_sessions.store.opening import migrate
from hermes_sessions.store.opening.database import Database
from tests.whole_life import live, run

pytestmark = pytest.mark.slow


def test_every_older_revision_with_rows_is_upgraded(store_url: str, tmp_path: Path) -> None:
    live(store_url, tmp_path / "agent")
    head = migrate.head_revision()
    for revision in file_probe.list_revisions(paths.migrations())[:-1][::-1]:
        with (
            Database.open(store_url) as database,
            database.engine.execution_options(write=True, migrating=True).begin() as connection,
        ):
            command.downgrade(migrate.alembic_config(connection), revision)
        migrate.upgrade(store_url)
        assert run(store_url, "db", "check") == "everything agrees\n", revision
        with Database.open(store_url) as database, database.read() as db:
            found = db.connection().exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
        assert found == head
