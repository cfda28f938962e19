"""A program that opens a store which it has open already, while other processes come and go.

A process that finds no other's lock folds the log in and takes it away: where a program lost its locks by
looking at the file, it goes on with a log, or with an index of one, that nobody else finds.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from hermes_sessions import Store
from hermes_sessions.store.opening.database import Database

pytestmark = pytest.mark.sqlite_only("locks on a file, and its log")


@pytest.fixture
def twice(database: Database, store_url: str) -> Store:
    """A store that was opened again, and closed, by the same program."""
    Store.open(store_url).close()
    return Store(database)


def elsewhere(code: str, url: str) -> str:
    """Do something to a `store` in another process; return what it printed."""
    program = f"import os, sys\nfrom hermes_sessions import Store\nstore = Store.open(sys.argv[1])\n{code}"
    done = subprocess.run([sys.executable, "-c", program, url], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.strip()


def say(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def test_another_process_does_not_take_away_the_log_it_writes(twice: Store, store_url: str):
    twice.create_session(session_id="s")
    twice.append("s", say("before"))
    elsewhere("store.close()", store_url)
    twice.append("s", say("after"))
    assert elsewhere("print([one['content'] for one in store.load('s')])", store_url) == "['before', 'after']"


def test_what_another_process_did_not_fold_in_is_read(twice: Store, store_url: str):
    message = say("hello")
    elsewhere(f"store.create_session(session_id='s'); store.append('s', {message}); os._exit(0)", store_url)
    assert Path(f"{store_url}-wal").stat().st_size > 0
    with Store.open(store_url) as again:
        assert again.load("s") == [message]


def test_what_another_process_did_not_fold_in_outlives_this_one(twice: Store, store_url: str):
    message = say("hello")
    elsewhere(f"store.create_session(session_id='s'); store.append('s', {message}); os._exit(0)", store_url)
    twice.close()
    with Store.open(store_url) as again:
        assert again.load("s") == [message]
