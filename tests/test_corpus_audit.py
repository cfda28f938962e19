"""The audit of every database of the corpus: what its truth demands is found, nothing sound is blamed."""

import time

import pytest

from bench.audit_corpus import compare
from bench.corpus import find_files
from bench.truth import find_truth
from hermes_sessions.operations.auditing.audit_conversations import run_audit
from hermes_sessions.operations.documents.audit import audit_document
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.queries.stored_audits import FindingListing
from tests.conftest import find_corpus

pytestmark = pytest.mark.corpus

FOLDER = find_corpus()
DATABASES = [
    path.relative_to(FOLDER).as_posix()
    for path in (find_files(FOLDER) if FOLDER else ())
    if FOLDER and find_truth(path, FOLDER)
]


@pytest.mark.parametrize("name", DATABASES)
def test_findings_are_just_what_the_truth_demands(corpus, name):
    found = compare(corpus / name, corpus)
    assert found is not None
    _, verdict = found
    assert verdict.planted
    assert (verdict.missed, verdict.beyond) == ((), ())
    assert verdict.errors_on_clean == ()


def test_a_circle_of_parents_is_found(corpus, database):
    import_path(database, corpus / "quirks" / "parent_cycle.db", ImportOptions(clock=time.time))
    run_audit(database, FindingListing(), clock=time.time)
    with database.read() as db:
        [found] = [one for one in audit_document(db, FindingListing()).findings if one.rule == "cycle"]
    assert len(found.evidence["members"]) == 4
