"""Keys that come from sequences, and what revision 0008 makes of those given out before."""

import pytest
from alembic import command
from sqlalchemy import func, select
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions import Store
from hermes_sessions.store.engines.row_keys import keep_keys, next_key, next_keys
from hermes_sessions.store.keeping.check import KEYS, Disagreement, check_store
from hermes_sessions.store.keeping.repair import repair_store
from hermes_sessions.store.opening import migrate
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.opening.tries import CONFLICTS
from hermes_sessions.store.schema.models import Message, Session
from hermes_sessions.store.searching.full_text import search
from tests.builders import NOON, a_conversation, a_message
from tests.servers import Databases

pytestmark = pytest.mark.postgresql


def test_two_writers_are_never_given_the_same_key(servers: Databases) -> None:
    with (
        Database.open(servers.fresh()) as database,
        database.write(beside=True) as one,
        database.write(beside=True) as other,
    ):
        mine, theirs = next_keys(one, Message, 3), next_keys(other, Message, 2)
        assert [*mine, *theirs, next_key(one, Message)] == [1, 2, 3, 4, 5, 6]


def test_keys_that_were_counted_by_hand_are_not_given_out_again(servers: Databases) -> None:
    with Database.open(servers.fresh()) as database, database.write() as db:
        a_message(db, db.get_one(Session, a_conversation(db).root_id), id=70)
        keep_keys(db.connection(), Message)
        assert next_key(db, Message) == 71


@pytest.mark.postgresql
def test_0008_gives_indexed_rows_their_own_places_and_sequences_their_start(servers: Databases) -> None:
    url = servers.fresh()
    with Database.open(url) as database:
        with database.write() as db:
            root = db.get_one(Session, a_conversation(db).root_id)
            rows = [a_message(db, root, f"kept {number}", created_at=NOON).id for number in range(9)]
            rows += [a_message(db, root, f"kept {number}", created_at=None).id for number in (9, 10)]
            newest = a_message(db, root, "kept 11", created_at=NOON + 1).id
        with database.engine.execution_options(write=True, migrating=True).begin() as connection:
            config = migrate.alembic_config(connection)
            command.downgrade(config, "0007")
            places = connection.exec_driver_sql(
                "SELECT search_key FROM messages ORDER BY created_at NULLS FIRST, id"
            )
            first = int(NOON - 1_262_304_000) << 2
            # Four to a second; what does not fit runs over into the next.
            assert list(places.scalars()) == [0, 1, *range(first, first + 10)]
            connection.exec_driver_sql("SELECT setval('messages_id_seq', 1, false)")
            command.upgrade(config, "head")
        with database.write() as db:
            assert search(db, "kept") == [newest, *rows[8::-1], rows[10], rows[9]]
            assert next_key(db, Message) == newest + 1
            assert check_store(db) == []


def highest_plus(db: OrmSession, session: str, steps: int) -> int:
    """Store a message under a key as versions before the sequences gave them out, and further on."""
    key = (db.scalar(select(func.max(Message.id))) or 0) + steps
    a_message(db, db.scalars(select(Session).where(Session.public_id == session)).one(), id=key)
    return key


def test_who_counts_keys_by_hand_does_not_stop_others(servers: Databases) -> None:
    with Store.open(servers.fresh()) as store:
        mine, theirs = store.create_session(), store.create_session()
        store.append(mine, {"role": "user", "content": "first"})
        for _ in range(3):
            with store.database.write() as db:
                # More than an append has tries: each uses a key up.
                taken = [highest_plus(db, theirs, 1) for _ in range(CONFLICTS + 3)][-1]
            assert store.append(mine, {"role": "assistant", "content": "next"}) == taken + 1
            keys = store.append_many(mine, [{"role": "user", "content": "more"}] * 3)
            assert keys == [taken + 2, taken + 3, taken + 4]


def test_a_sequence_behind_its_rows_is_found_and_mended(servers: Databases) -> None:
    with Store.open(servers.fresh()) as store:
        session = store.create_session()
        store.append(session, {"role": "user", "content": "first"})
        with store.database.write() as db:
            highest_plus(db, session, 40)
            highest_plus(db, session, 1)
        found = [Disagreement("messages", None, KEYS, 2, 43)]
        with store.database.read() as db:
            assert [one for one in check_store(db) if one.column == KEYS] == found
        assert repair_store(store.database).left == []
        with store.database.write() as db:
            assert next_key(db, Message) == 44
