"""A viewer of two stores in files; the id `same` is in both."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from hermes_sessions.store.fleet.members import Fleet
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Session
from hermes_sessions.web.fleet.front import create_fleet_app
from tests.builders import NOON, a_compaction, a_conversation, a_message

NAMES = ("blue", "red")


@pytest.fixture
def paths(tmp_path: Path) -> list[Path]:
    """Two files with three conversations each."""
    made = []
    for at, name in enumerate(NAMES):
        path = tmp_path / f"{name}.db"
        with Database.open(str(path)) as database, database.write() as db:
            for number, key in enumerate((f"{name}-0", f"{name}-1", "same")):
                began = NOON + 3600 * number + 60 * at
                talk = a_conversation(db, id=key, title=f"{name} talk {number}", started_at=began)
                session = db.get_one(Session, talk.tip_id)
                a_message(db, session, f"The needle is in {name} {number}.")
                a_compaction(db, session, realisation="in_place", finished_at=began + 60)
        made.append(path)
    return made


@pytest.fixture
def fleet(paths: list[Path]) -> Iterator[Fleet]:
    opened = Fleet.open([str(path) for path in paths])
    yield opened
    opened.close()


@pytest.fixture
def client(fleet: Fleet) -> FlaskClient:
    return create_fleet_app(fleet).test_client()
