"""The viewer on a server's store: a role that may only read is enough, and a server may go away."""

import secrets
from collections.abc import Iterator

import pytest

from hermes_sessions.store.opening.database import Database
from hermes_sessions.web import create_app
from tests.servers import Databases
from tests.web import stories
from tests.web.serving.test_security import every_page

pytestmark = pytest.mark.postgresql

READER = (
    "GRANT USAGE ON SCHEMA public TO {role}",
    "GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}",
)
"""What docs/team.md says."""


@pytest.fixture
def url(servers: Databases) -> str:
    """A store with two stories."""
    made = servers.fresh()
    with Database.open(made) as database, database.write() as db:
        stories.family(db)
        stories.swallowed_reply(db)
    return made


@pytest.fixture
def reader(url: str, servers: Databases) -> Iterator[str]:
    """The store's URL for a role that may only read."""
    role = f"hs_test_{secrets.token_hex(4)}"
    name = url.rpartition("/")[2]
    servers.run(f"CREATE ROLE {role} LOGIN PASSWORD 'reader'")
    for statement in READER:
        servers.run(statement.format(role=role), name)
    yield url.replace("://postgres@", f"://{role}:reader@")
    servers.run(f"DROP OWNED BY {role}", name)
    servers.run(f"DROP ROLE {role}")


def test_a_role_that_may_only_read_sees_every_page(reader: str) -> None:
    with Database.open(reader) as database:
        assert len(every_page(create_app(database).test_client())) > 30


def test_a_server_that_is_away_is_a_clear_503_and_comes_back(url: str, servers: Databases) -> None:
    name = url.rpartition("/")[2]
    with Database.open(url) as database:
        client = create_app(database).test_client()
        assert client.get("/c/family").status_code == 200
        servers.run(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        servers.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
        for page in ("/", "/c/family", "/api/conversations", "/healthz"):
            response = client.get(page)
            assert response.status_code == 503
            assert "cannot be reached" in response.text
            assert "Traceback" not in response.text
        servers.run(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        assert client.get("/c/family").status_code == 200
        assert client.get("/healthz").status_code == 200
