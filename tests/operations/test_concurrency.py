"""Everybody at once, for a few seconds; `python -m bench.concurrency` does it for minutes."""

import pytest

from bench.concurrency import Account, Crowd, account_of_killed, compare, message, run
from hermes_sessions import Store
from hermes_sessions.store.opening.database import Database


@pytest.mark.slow
def test_nobody_loses_or_doubles_a_message(database: Database, store_url: str, tmp_path):
    accounts = run(store_url, tmp_path, 4, writer=3, compactor=1, importer=1, reader=1)
    assert [error for account in accounts for error in account.errors] == []
    assert {account.role for account in accounts if account.calls} == {
        "writer",
        "compactor",
        "importer",
        "reader",
    }
    assert sum(len(texts) for account in accounts for texts in account.ledger.values()) > 50
    assert compare(store_url, accounts) == []


def test_the_comparison_sees_what_is_lost_and_what_is_doubled(database: Database, store_url: str):
    store = Store(database)
    for session, texts in (("lost", "ab"), ("doubled", "abb"), ("whole", "ab")):
        store.create_session(session_id=session)
        store.append_many(session, [{"role": "user", "content": text} for text in texts])
    ledger = {"never came": ["a"], "lost": ["a", "b", "c"], "doubled": ["a", "b"], "whole": ["a", "b"]}
    wrong = compare(store_url, [Account("writer", ledger)])
    assert wrong == [
        "never came: 1 lost, 0 doubled, 1 said",
        "lost: 1 lost, 0 doubled, 3 said",
        "doubled: 0 lost, 1 doubled, 2 said",
    ]


def test_what_a_killed_writer_was_not_answered_may_be_there_and_what_it_was_must(
    database: Database, store_url: str, tmp_path
):
    notes = tmp_path / "writer0.said"
    notes.write_text("said s 0 1\nanswered s 0 1\nsaid s 1 2\n")
    killed = account_of_killed(notes)
    texts = [message("s", number)["content"] for number in range(3)]
    assert (killed.ledger, killed.unanswered) == ({"s": texts[:1]}, {"s": texts[1:]})
    store = Store(database)
    store.create_session(session_id="s")
    store.append("s", message("s", 0))
    assert compare(store_url, [killed]) == []
    store.append("s", message("s", 1))
    assert compare(store_url, [killed]) != []  # half of what goes together
    store.append("s", message("s", 2))
    assert compare(store_url, [killed]) == []


@pytest.mark.slow
def test_a_killed_writer_is_followed_by_another(database: Database, store_url: str, tmp_path):
    accounts = run(store_url, tmp_path, 4, [Crowd.kill_a_writer], writer=2)
    assert [error for account in accounts for error in account.errors] == []
    assert len(accounts) == 3
    assert all(account.ledger for account in accounts)
    assert compare(store_url, accounts) == []
