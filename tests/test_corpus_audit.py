"""The audit of every database of the corpus: what was planted is found, what is sound is not blamed."""

import json
import time
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from hermes_sessions.operations.audit import audit_document, run_audit
from hermes_sessions.operations.import_ import ImportOptions, import_path
from hermes_sessions.store.check import check_store
from hermes_sessions.store.db import Database
from hermes_sessions.store.queries.audits import FindingListing
from tests.conftest import find_corpus

pytestmark = pytest.mark.corpus

FOLDER = find_corpus()
TRUTHS = sorted(path.stem for path in (FOLDER / "truth").glob("v*.json")) if FOLDER else []
DATABASES = [name for name in TRUTHS if FOLDER and (FOLDER / f"{name}.db").exists()]

PLANTED = {
    "F_fossil": {"head-fossilised"},
    "Y_fork": {"fork"},
    "O_orphan": {"missing-parent"},
    "C_clock": {"clock-backwards"},
    "Z_zoo": {"no-receipt", "stale-directive", "nested-handoff", "fallback-used", "merged-handoff"},
}
"""Conversation -> rules that must find what was planted in it, in every version that has it."""

SOUND = {"N_negatives", "H_hashtitle", "K_archived", "E_empty", "W_cron", "U_unicode", "X_xss"}
"""Conversations that nothing is wrong with."""

CLEAN = {"A_chain4", "B_main", "I_inplace", "Y_fork", "MB_markerbug"}
"""Chains that a release compacted as it should; what the model saw may still be poor."""

TRULY_THERE = {"secret-in-handoff", "no-receipt", "orphan-tool-pair"}
"""Errors that stand in them all the same: fake secrets in the first summary; the first
releases wrote no summary when their model failed, and parted parallel calls from their results."""


@cache
def audited(name: str, folder: Path, store: Path) -> dict[str, list[dict[str, object]]]:
    """Return the findings of a database by the name of the planted conversation."""
    with Database.open(str(store)) as database:
        import_path(database, folder / f"{name}.db", ImportOptions(clock=time.time))
        run_audit(database, FindingListing(), clock=time.time)
        with database.read() as db:
            assert check_store(db) == []
            document = audit_document(db, FindingListing())
    truth = json.loads((folder / "truth" / f"{name}.json").read_text("utf-8"))
    planted = {one["chain"][0]: one["name"] for one in truth["conversations"] if one["chain"]}
    found: dict[str, list[dict[str, object]]] = defaultdict(list)
    for one in document["findings"]:
        found[planted.get(one["conversation"], str(one["conversation"]))].append(one)
    for name in planted.values():
        found.setdefault(name, [])
    return found


@pytest.fixture
def by_name(request, corpus, tmp_path_factory):
    name = request.param
    store = tmp_path_factory.getbasetemp() / f"audit-{name}.db"
    return audited(name, corpus, store)


def rules(found):
    return {one["rule"] for one in found}


@pytest.mark.parametrize("by_name", DATABASES, indirect=True)
def test_what_was_planted_is_found(by_name):
    missed = {
        conversation: expected - rules(by_name[conversation])
        for conversation, expected in PLANTED.items()
        if conversation in by_name
    }
    assert not any(missed.values()), missed


@pytest.mark.parametrize("by_name", DATABASES, indirect=True)
def test_what_is_sound_is_not_blamed(by_name):
    assert {name: rules(by_name[name]) for name in SOUND & set(by_name) if by_name[name]} == {}


@pytest.mark.parametrize("by_name", DATABASES, indirect=True)
def test_a_clean_chain_has_no_error_but_what_is_truly_there(by_name):
    clean = [one for name in CLEAN & set(by_name) for one in by_name[name]]
    errors = {one["rule"] for one in clean if one["severity"] == "error"}
    assert errors <= TRULY_THERE


def test_a_circle_of_parents_is_found(corpus, database):
    import_path(database, corpus / "quirks" / "parent_cycle.db", ImportOptions(clock=time.time))
    run_audit(database, FindingListing(), clock=time.time)
    with database.read() as db:
        [found] = [one for one in audit_document(db, FindingListing())["findings"] if one["rule"] == "cycle"]
    assert len(found["evidence"]["members"]) == 4
