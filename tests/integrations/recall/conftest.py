"""A store with the planted loss, and what asks it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.integrations.recall.service import RecallService
from hermes_sessions.integrations.recall.tools import TOOLS
from hermes_sessions.store.opening.database import Database
from tests.integrations.recall.planted import import_planted, service_of

Ask = Callable[..., dict[str, Any]]


@pytest.fixture
def planted_url(database: Database, store_url: str, tmp_path: Path) -> str:
    """Where a store with the planted conversation is."""
    import_planted(database, tmp_path / "work")
    return store_url


@pytest.fixture
def service(planted_url: str) -> Iterator[RecallService]:
    """What answers from that store."""
    opened = service_of(planted_url)
    yield opened
    opened.close()


@pytest.fixture
def ask(service: RecallService) -> Ask:
    """Calls a tool and returns its answer."""
    return asking(service)


def asking(service: RecallService) -> Ask:
    def ask(tool: str, **arguments: Any) -> dict[str, Any]:
        reply = service.reply(TOOLS[tool], arguments)
        assert not reply.failed, reply.text
        answer: dict[str, Any] = json.loads(reply.text)
        return answer

    return ask


def refusal(service: RecallService, tool: str, **arguments: Any) -> str:
    reply = service.reply(TOOLS[tool], arguments)
    assert reply.failed
    assert "\n" not in reply.text
    return reply.text
