"""The viewer of a test's own store."""

import pytest
from flask.testing import FlaskClient

from hermes_sessions.store.opening.database import Database
from hermes_sessions.web import create_app


@pytest.fixture
def client(database: Database) -> FlaskClient:
    """Asks the viewer for pages; what a test adds must be committed."""
    return create_app(database).test_client()
