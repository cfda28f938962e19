import time
from functools import cache

import pytest

from bench.changed_homes import CHANGES
from bench.corpus import find_files, fingerprint, main, run, run_changed, run_home
from bench.homes import find_homes
from bench.truth import find_truth
from hermes_sessions.errors import SourceError
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.schema.models import Session
from tests.conftest import find_corpus

pytestmark = pytest.mark.corpus

FOLDER = find_corpus()
FILES = [path.relative_to(FOLDER).as_posix() for path in find_files(FOLDER)] if FOLDER else []
HOMES = {one[-1]["agent"]: one for one in find_homes(FOLDER.parent / "other")} if FOLDER else {}
TOLD = [name for name in FILES if FOLDER and find_truth(FOLDER / name, FOLDER)]
NOT_DATABASES = {
    "quirks/empty_file.db": "an empty file",
    "quirks/lfs_pointer.db": "a Git LFS pointer",
    "quirks/tiny_4096.db": "of no known agent",
}


@cache
def outcome_of(path, folder):
    return run(path, folder)


def imported(database, path):
    return import_path(database, path, ImportOptions(clock=time.time))


def test_there_are_files_to_look_at(corpus):
    assert len(TOLD) >= 10
    assert set(NOT_DATABASES) <= set(FILES)


@pytest.mark.parametrize("name", TOLD)
def test_everything_is_as_planted(corpus, name):
    outcome = outcome_of(corpus / name, corpus)
    assert outcome.comparison is not None
    assert outcome.comparison.wrong == []


def test_there_are_homes_of_other_agents(corpus):
    assert HOMES


@pytest.mark.parametrize("agent", HOMES)
def test_every_home_is_as_planted_and_a_second_run_changes_nothing(corpus, agent):
    assert run_home(*HOMES[agent][1:]).wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("agent", HOMES)
def test_every_home_is_as_planted_whatever_happened_to_it_between_two_imports(corpus, agent, change):
    assert run_changed(*HOMES[agent], change).wrong == []


def test_databases_of_homes_are_not_looked_at_alone(corpus):
    assert find_files(corpus.parent / "other") == []


def test_a_truth_that_lacks_what_is_compared_is_named(tmp_path, monkeypatch, capsys):
    (tmp_path / "truth").mkdir()
    (tmp_path / "codex").mkdir()
    (tmp_path / "truth" / "codex.json").write_text('{"agent": "codex", "sessions": []}')
    monkeypatch.setattr("sys.argv", ["corpus", str(tmp_path)])
    assert main() == 2
    assert "codex.json: lacks 'conversations', 'records'" in capsys.readouterr().err


@pytest.mark.parametrize("name", FILES)
def test_the_file_is_untouched_and_a_second_run_changes_nothing(corpus, name):
    outcome = outcome_of(corpus / name, corpus)
    assert outcome.touched == ()
    assert outcome.report is None or outcome.repeated


@pytest.mark.parametrize("name", sorted(set(FILES) - set(NOT_DATABASES)))
def test_the_store_agrees_with_itself(corpus, database, name):
    imported(database, corpus / name)
    with database.read() as db:
        assert check_store(db) == []


@pytest.mark.parametrize(("name", "reason"), NOT_DATABASES.items())
def test_what_is_no_database_is_refused_by_name(corpus, database, name, reason):
    before = fingerprint(corpus / name)
    with pytest.raises(SourceError, match=reason):
        imported(database, corpus / name)
    assert fingerprint(corpus / name) == before


def test_rows_that_exist_only_in_the_log_are_imported(corpus, database):
    assert imported(database, corpus / "quirks/wal_only/state.db").messages == 138


def test_bad_values_are_told_one_by_one_and_no_row_is_lost(corpus, database):
    report = imported(database, corpus / "quirks/bad_values.db")
    assert report.messages == 138
    assert report.rejected == ()
    assert {warning["column"] for warning in report.warnings} >= {"timestamp", "content", "tool_calls"}


def test_a_newer_version_is_read_as_far_as_it_is_known(corpus, database):
    report = imported(database, corpus / "quirks/future_v99.db")
    assert (report.sessions, report.messages, report.conversations) == (4, 138, 1)
    assert any("newer" in warning["reason"] for warning in report.warnings)


def test_a_circle_of_parents_ends_and_is_told(corpus, database):
    report = imported(database, corpus / "quirks/parent_cycle.db")
    assert (report.sessions, report.messages, report.conversations) == (4, 138, 1)
    assert any("each other's parents" in warning["reason"] for warning in report.warnings)


def test_a_cut_off_file_gives_what_can_be_read_and_names_the_damage(corpus, database):
    report = imported(database, corpus / "quirks/truncated_v17.db")
    assert report.messages > 0
    assert report.damage
    assert report.needs_a_look


def test_equal_titles_are_both_imported(corpus, database):
    imported(database, corpus / "quirks/dup_titles_v03.db")
    with database.read() as db:
        titles = [one for (one,) in db.query(Session.title) if one]
    assert len(titles) > len(set(titles))


def test_a_missing_version_is_called_unknown(corpus, database):
    assert imported(database, corpus / "quirks/no_version.db").schema_version == "unknown"
