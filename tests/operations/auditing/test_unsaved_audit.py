"""An audit that keeps nothing says what a kept one says."""

from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.operations.auditing.audit_conversations import find_listing, run_audit
from hermes_sessions.operations.auditing.unsaved_audit import audit_unsaved
from hermes_sessions.operations.documents.audit import audit_document
from hermes_sessions.operations.documents.encoding import plain
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Finding
from tests.builders import NOON
from tests.web import stories
from tests.web.auditing.audit_story import audited


@pytest.mark.parametrize(
    "narrow", [{}, {"public_id": "audited"}, {"rule": "end-marker-missing"}, {"public_id": "1"}]
)
def test_it_says_the_same_and_stores_nothing(
    db: OrmSession, database: Database, narrow: dict[str, Any]
) -> None:
    audited(db)
    stories.swallowed_reply(db)
    db.commit()
    with database.read() as reader:
        listing = find_listing(reader, **narrow)
        unsaved = plain(audit_unsaved(reader, listing))
        assert reader.scalar(select(func.count()).select_from(Finding)) == 0
    run_audit(database, listing, clock=lambda: NOON)
    with database.read() as reader:
        kept = plain(audit_document(reader, listing))
    assert unsaved["compactions"] == kept["compactions"]
    assert ordered(unsaved["findings"]) == ordered(kept["findings"])
    assert [one["severity"] for one in unsaved["findings"]] == [one["severity"] for one in kept["findings"]]


def ordered(findings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(findings, key=repr)
