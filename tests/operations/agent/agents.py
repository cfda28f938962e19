"""An agent at work: a store of its own, talk to fill a session with, and ways to look at the outcome.

agent = Agent(database)
session = agent.talked(20)                        # 20 requests with their replies
done = agent.compact(session)
agent.scroll(session) == agent.said               # the one scroll shows every message once
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sqlalchemy import select

from hermes_sessions import CompactionPolicy, Store, StoredCompaction, SummaryRequest
from hermes_sessions.errors import SummaryFailedError
from hermes_sessions.messages import MessageKind
from hermes_sessions.operations.agent.compact import compact_session
from hermes_sessions.operations.agent.record_compaction import CompactionOrder
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Compaction, Message, Session

NOW = 1_790_000_000.0
Dict = dict[str, Any]


def policy(**values: Any) -> CompactionPolicy:
    """Return a policy under which a few dozen messages are many."""
    sizes = {"context_window": 4_000, "head_messages": 2, "tail_tokens": 300, "min_tail_messages": 4}
    return CompactionPolicy(**{**sizes, **values})


def notes(request: SummaryRequest) -> str:
    """Summarise in one line, whatever it is."""
    return f"- The tests of the parser were repaired ({len(request.entries)} entries)."


def failing(kind: str) -> Callable[[SummaryRequest], str]:
    """Return a summariser that fails."""

    def summarize(request: SummaryRequest) -> str:
        raise SummaryFailedError(f"the model says {kind}", kind=kind)

    return summarize


def turns(count: int, first: int = 0) -> Iterator[Dict]:
    """Yield *count* requests, each with its reply."""
    for number in range(first, first + count):
        yield {"role": "user", "content": f"request {number}: " + "please look at the next module " * 6}
        yield {"role": "assistant", "content": f"reply {number}: " + "the module was read and changed " * 6}


class Agent:
    """One agent with its store; its clock stands still unless it is moved."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.now = NOW
        self.store = Store(database, lambda: self.now)
        self.said: list[str] = []

    def say(self, session: str, *messages: Mapping[str, Any]) -> list[int]:
        """Append messages and remember them."""
        self.said += [text(message) for message in messages]
        return self.store.append_many(session, messages)

    def talked(self, count: int = 20, **columns: Any) -> str:
        """Return a new session with *count* requests and replies."""
        session = self.store.create_session(**{"system_prompt": "You are an agent.", **columns})
        self.say(session, *turns(count))
        return session

    def compact(self, session: str, **values: Any) -> StoredCompaction:
        """Compact; afterwards the store must agree with itself."""
        done = self.store.compact(session, **{"policy": policy(), "summarize": notes, **values})
        self.check()
        return done

    def order(self, session: str, **values: Any) -> CompactionOrder:
        """Return what `compact_session` wants."""
        given = {"policy": policy(), "summarize": notes, "clock": lambda: self.now, **values}
        return CompactionOrder(session_id=session, **given)

    def run(self, session: str, **values: Any) -> StoredCompaction:
        """Compact with an order of one's own."""
        return compact_session(self.database, self.order(session, **values))

    def undo(self, compaction: int | None) -> str:
        """Undo; afterwards the store must agree with itself."""
        assert compaction is not None
        session = self.store.undo(compaction)
        self.check()
        return session

    def check(self) -> None:
        """The store agrees with itself."""
        with self.database.read() as db:
            assert check_store(db) == []

    def scroll(self, any_id: str) -> list[str]:
        """Return what the one scroll shows, handoffs left out."""
        return [
            part["text"]
            for message in self.store.conversation(any_id)["messages"]
            for part in message["parts"]
            if part["kind"] == "message"
        ]

    def rows(self, session: str) -> list[Message]:
        """Return every stored row of a session."""
        with self.database.read() as db:
            return list(
                db.scalars(
                    select(Message)
                    .join(Session, Session.id == Message.session_id)
                    .where(Session.public_id == session)
                    .order_by(Message.position)
                )
            )

    def session(self, session: str) -> Session:
        """Return a session's row."""
        with self.database.read() as db:
            return db.scalars(select(Session).where(Session.public_id == session)).one()

    def compaction(self, key: int | None) -> Compaction:
        """Return a compaction's row."""
        with self.database.read() as db:
            return db.get_one(Compaction, key)

    def compactions(self) -> list[tuple[str, str]]:
        """Return (realisation, status) of all compactions, as they were made."""
        with self.database.read() as db:
            return [(one.realisation, one.status) for one in db.scalars(select(Compaction))]

    def handoffs(self, session: str) -> list[Message]:
        """Return a session's rows that carry a handoff."""
        return [row for row in self.rows(session) if row.kind != MessageKind.MESSAGE]

    def everything(self) -> dict[str, list[tuple[Any, ...]]]:
        """Return all rows of all tables that a compaction may change."""
        tables = {one: one for one in ("sessions", "messages", "compactions", "conversations")}
        tables["index"] = "messages_fts" if self.database.path is None else "messages_fts_docsize"
        with self.database.read() as db:
            rows = {
                name: db.connection().exec_driver_sql(f"SELECT * FROM {table}")
                for name, table in tables.items()
            }
            return {name: sorted((tuple(row) for row in found), key=repr) for name, found in rows.items()}


def text(message: Mapping[str, Any]) -> str:
    """Return what the scroll shows of a message."""
    content = message["content"]
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(block["text"] for block in content if "text" in block)
