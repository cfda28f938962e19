"""Figures that nobody counted, in the tables of the command line."""

from click.testing import CliRunner
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.cli import main
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Compaction
from tests.web.auditing.audit_story import audited, store_findings


def row_of(runner: CliRunner, compaction: int) -> list[str]:
    lines = runner.invoke(main, ["compactions"]).output.splitlines()
    return next(line.split() for line in lines if line.split()[0] == str(compaction))


def test_saved_tokens_that_the_agent_did_not_count_are_marked(
    runner: CliRunner, db: OrmSession, database: Database
) -> None:
    found = audited(db).first.id
    store_findings(database)
    assert "81000" in row_of(runner, found)
    db.get_one(Compaction, found).tokens_after = None
    db.get_one(Compaction, found).saved_tokens = 916
    db.commit()
    assert "~916" in row_of(runner, found)
