"""Conversations that our engine compacted, exported for the agent and imported into another store."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.operations.auditing.unsaved_audit import audit_unsaved
from hermes_sessions.operations.documents.compactions import compactions_document
from hermes_sessions.operations.documents.encoding import plain
from hermes_sessions.operations.documents.messages import show_document
from hermes_sessions.operations.exports.export_origin import OriginOrder, export_origin
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.stored_audits import FindingListing
from tests.operations.agent.agents import Agent
from tests.operations.exports.layouts import play

NOW = 1_790_000_000.0
QUICK, ALL = 6, 120
BY_SIZE = {"ineffective", "summary-larger"}
"""What the engine counted is in the store that it wrote to; elsewhere sizes are estimates of stored text."""


def scroll(db: DbSession, root: str) -> list[Any]:
    """Return the one scroll, times and calls included."""
    return [
        (
            one["role"], one["kind"], [(part["kind"], part["text"]) for part in one["parts"]],
            one["tool_calls"], one["tool_call_id"], one["created_at"],
        )
        for one in plain(show_document(db, root))["messages"]
    ]  # fmt: skip


def events(db: DbSession, root: str) -> list[Any]:
    """Return the compactions that changed something."""
    return [
        (one["realisation"], one["status"], one["span"]["messages"], one["summary"])
        for one in plain(compactions_document(db, root))["compactions"]
        if one["status"] != "aborted"
    ]


def findings(db: DbSession) -> Counter[Any]:
    """Return what the audit says."""
    found = plain(audit_unsaved(db, FindingListing()))["findings"]
    return Counter(
        (one["rule"], one["severity"], len(one["messages"])) for one in found if one["rule"] not in BY_SIZE
    )


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[tuple[Database, Database]]:
    """Two empty stores."""
    with Database.open(str(tmp_path / "one.db")) as one, Database.open(str(tmp_path / "two.db")) as two:
        yield one, two


@pytest.mark.parametrize(
    "seed",
    [
        *range(QUICK),
        *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(QUICK, ALL)),
    ],
)
def test_an_import_of_our_layout_is_the_same_conversation(
    stores: tuple[Database, Database], tmp_path: Path, seed: int
) -> None:
    one, two = stores
    root = play(Agent(one), seed)
    export_origin(one, tmp_path / "out.db", OriginOrder(format="hermes"))
    import_path(two, tmp_path / "out.db", ImportOptions(clock=lambda: NOW))
    with one.read() as here, two.read() as there:
        assert check_store(there) == []
        assert scroll(there, root) == scroll(here, root)
        assert events(there, root) == events(here, root)
        assert findings(there) == findings(here)
