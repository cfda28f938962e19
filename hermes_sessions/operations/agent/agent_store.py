"""`Store`: the store as an agent's loop uses it.

    store = Store.open("agent.db")
    session = store.create_session(model="some-model", system_prompt="You are ...")
    store.append(session, {"role": "user", "content": "hello"})
    store.load(session)                     # what to send
    done = store.compact(session, policy=CompactionPolicy(200_000), summarize=extractive)
    session = done.session_id               # where it goes on

Methods open and close their own transactions; messages are OpenAI-style dicts.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from os import PathLike, fspath
from types import TracebackType
from typing import Any, Self

from sqlalchemy import select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.compaction import (
    Attempt,
    CompactionPolicy,
    CompactionResult,
    context_tokens,
    should_compact,
)
from hermes_sessions.compaction.due import growth_decides
from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.messages import CompactionStatus, Realisation, Summarize
from hermes_sessions.operations.agent.append import NewSession, add_session, append_messages
from hermes_sessions.operations.agent.compact import (
    CompactionPreview,
    compact_session,
    preview_compaction,
)
from hermes_sessions.operations.agent.note_compaction import NotedCompaction, note_compaction
from hermes_sessions.operations.agent.record_compaction import CompactionOrder, StoredCompaction
from hermes_sessions.operations.agent.undo_compaction import undo_compaction
from hermes_sessions.operations.documents.conversations import list_document
from hermes_sessions.operations.documents.encoding import plain
from hermes_sessions.operations.documents.messages import show_document
from hermes_sessions.operations.search import run_search, search_document
from hermes_sessions.operations.transcript import find_session, load_transcript
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.conversations import ConversationListing
from hermes_sessions.store.schema.models import Compaction, Session
from hermes_sessions.store.searching.message_hits import Order, Search


class Store:
    """An open store. Share it between threads; every process opens its own.

    Args:
        database: the open database.
        clock: returns epoch seconds.
    """

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self.database = database
        self._clock = clock
        self._due: set[str] = set()

    @classmethod
    def open(cls, url: str | PathLike[str]) -> Self:
        """Open the store at *url* (a path or a database URL); a missing file is created.

        Raises:
            StoreError: it cannot be opened, is older or newer than this version, or something else.
        """
        return cls(Database.open(fspath(url)))

    def close(self) -> None:
        """Close the connections."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def create_session(
        self,
        *,
        session_id: str | None = None,
        source: str = "local",
        model: str | None = None,
        system_prompt: str | None = None,
        title: str | None = None,
        cwd: str | None = None,
    ) -> str:
        """Begin a session and return its id.

        Raises:
            InvalidQueryError: *session_id* is taken.
        """
        new = NewSession(
            session_id=session_id,
            source=source,
            model=model,
            system_prompt=system_prompt,
            title=title,
            cwd=cwd,
        )

        def add(db: DbSession) -> str:
            key = add_session(db, new, self._clock())
            return db.scalars(select(Session.public_id).where(Session.id == key)).one()

        return self.database.run(add)

    def append(self, session_id: str, message: Mapping[str, Any]) -> int:
        """Append one message; return its id. See `append_many`."""
        return self.append_many(session_id, [message])[0]

    def append_many(self, session_id: str, messages: Sequence[Mapping[str, Any]]) -> list[int]:
        """Append messages in one transaction; return their ids.

        A session that was compacted meanwhile has gone on in another one: the messages
        go there, so that a writer who does not know yet loses nothing.

        Raises:
            NotFoundError: no such session.
            TranscriptError: something is not a message.
            InvalidQueryError: the session was imported; only ours are written to.
        """
        return append_messages(self.database, session_id, messages, self._clock())

    def load(self, session_id: str) -> list[dict[str, Any]]:
        """Return what to send to the model: the system prompt first, then the live messages.

        Raises:
            NotFoundError: no such session.
        """
        return self.database.look(lambda db: load_transcript(db, find_session(db, session_id)).messages)

    def should_compact(self, session_id: str, policy: CompactionPolicy, tokens: int) -> bool:
        """Return whether a context of *tokens* is due, given how earlier attempts went.

        A compaction that follows, through this object, is recorded also where it finds nothing to do, for
        the engine may count less: so the next question waits for something new.

        Args:
            tokens: as the provider counts, tools included, or as the engine does.
        """
        attempts = self.attempts(session_id)
        counted = None
        if tokens >= policy.threshold_tokens and growth_decides(attempts):
            counted = context_tokens(self.load(session_id), policy.encoding)
        due = should_compact(policy, tokens, attempts, now=self._clock(), counted=counted)
        (self._due.add if due else self._due.discard)(session_id)
        return due

    def attempts(self, session_id: str) -> list[Attempt]:
        """Return the conversation's earlier compactions, oldest first, as `should_compact` wants them."""

        def find(db: DbSession) -> list[Attempt]:
            session = find_session(db, session_id)
            rows = db.scalars(
                select(Compaction)
                .where(Compaction.conversation_id == session.conversation_id)
                .where(Compaction.status.in_((CompactionStatus.COMMITTED, CompactionStatus.ABORTED)))
                .order_by(Compaction.finished_at, Compaction.id)
            )
            return [
                Attempt(
                    finished_at=row.finished_at or 0.0,
                    # With a size afterwards it did not fail: it would have saved too little.
                    failed=row.status == CompactionStatus.ABORTED and row.tokens_after is None,
                    tokens_before=row.tokens_before or 0,
                    tokens_after=row.tokens_after or row.tokens_before or 0,
                )
                for row in rows
            ]

        return self.database.look(find)

    def compact(
        self,
        session_id: str,
        *,
        policy: CompactionPolicy,
        summarize: Summarize,
        in_place: bool = False,
        focus: str = "",
        trigger: str = "auto",
        pointer: str = "",
        notes: str = "",
    ) -> StoredCompaction:
        """Compact a session; `.session_id` of the answer is where it goes on.

        What the summariser or the engine itself does wrong is an aborted attempt, recorded with
        its reason, and never raised.

        Args:
            policy: sizes, and what a failure leads to.
            summarize: see `SummaryRequest`.
            in_place: keep the session id and archive its rows.
            focus: what the user wants kept above all.
            trigger: who asked, for the record.
            pointer: how the reader of the handoff gets at the originals; see `CompactionContext`.
            notes: what to remember in the handoff; see `CompactionContext`.

        Raises:
            NotFoundError: no such session.
            CompactionBusyError: another process compacts it right now.
            CompactionRefusedError: it was compacted already, or cannot be in place.
            StaleTranscriptError: its messages were changed while the summary was written.
            StoreError: the store is busy or cannot be reached.
        """
        order = self._order(session_id, policy, summarize, in_place, focus, trigger)
        due = session_id in self._due
        self._due.discard(session_id)
        return compact_session(self.database, replace(order, pointer=pointer, notes=notes, due=due))

    def note_compaction(
        self,
        session_id: str,
        result: CompactionResult,
        *,
        policy: CompactionPolicy,
        realisation: str = "in_place",
        focus: str = "",
        trigger: str = "auto",
        summarizer_model: str | None = None,
        started_at: float | None = None,
    ) -> int:
        """Record what a host did with *result* in its own files, of a session that was imported from there.

        A committed one is joined with the compaction that the next import finds in those files, so
        that it stands in the ledger once; method, policy and tokens stay as noted. An aborted one
        is an attempt: `attempts` and `should_compact` know of it, also after a restart.

        Args:
            session_id: the session that was compacted: the parent, where another one continues it.
            realisation: `rotation` or `in_place`.
            started_at: epoch seconds; now, where it is not known.

        Returns:
            The key of its row.

        Raises:
            NotFoundError: no such session; import it first.
            InvalidQueryError: the session is one of this store's own, or *realisation* is another word.
        """
        if realisation not in (Realisation.ROTATION, Realisation.IN_PLACE):
            raise InvalidQueryError(f"realisation is rotation or in_place, not {realisation!r}")
        now = self._clock()
        noted = NotedCompaction(
            result=result,
            policy=policy,
            realisation=Realisation(realisation),
            trigger=trigger,
            focus=focus,
            summarizer_model=summarizer_model,
            started_at=now if started_at is None else started_at,
            finished_at=now,
        )
        return self.database.run(lambda db: note_compaction(db, session_id, noted))

    def preview(
        self, session_id: str, *, policy: CompactionPolicy, summarize: Summarize, focus: str = ""
    ) -> CompactionPreview:
        """Return what `compact` would do; nothing is stored."""
        return preview_compaction(
            self.database, self._order(session_id, policy, summarize, False, focus, "preview")
        )

    def undo(self, compaction_id: int) -> str:
        """Take a compaction back while nothing was said after it; return the session that goes on.

        Raises:
            CompactionRefusedError: what stands in the way.
        """
        return undo_compaction(self.database, compaction_id)

    def conversations(self, listing: ConversationListing | None = None) -> dict[str, Any]:
        """Return one page of conversations, newest activity first: `{conversations, next}`.

        Raises:
            InvalidQueryError: the listing's limit is less than 1.
        """
        wanted = listing or ConversationListing()
        found: dict[str, Any] = self.database.look(lambda db: plain(list_document(db, wanted)))
        return found

    def conversation(self, any_id: str, *, every: bool = False) -> dict[str, Any]:
        """Return a whole conversation, as `hermes-sessions show --json` prints it."""
        found: dict[str, Any] = self.database.look(lambda db: plain(show_document(db, any_id, every=every)))
        return found

    def search(
        self, query: str, *, limit: int = 50, order: str = "newest", cursor: str | None = None
    ) -> dict[str, Any]:
        """Return one page of what a query finds, as `hermes-sessions search --json` prints it.

        Args:
            query: words, "phrases", begin*, OR, NOT and filters (docs/search.md).
            limit: messages at most, from 1.
            order: `newest` or `relevance`.
            cursor: `next` of the page before.

        Raises:
            InvalidQueryError: it cannot be answered; the text says why.
        """
        now = datetime.fromtimestamp(self._clock()).astimezone()
        if order not in set(Order):
            raise InvalidQueryError(f"order is one of {', '.join(Order)}")
        search = Search.of(query, now, order=Order(order), limit=limit, cursor=cursor)
        found: dict[str, Any] = self.database.look(lambda db: plain(search_document(run_search(db, search))))
        return found

    def _order(
        self,
        session_id: str,
        policy: CompactionPolicy,
        summarize: Summarize,
        in_place: bool,
        focus: str,
        trigger: str,
    ) -> CompactionOrder:
        return CompactionOrder(
            session_id=session_id,
            policy=policy,
            summarize=summarize,
            clock=self._clock,
            in_place=in_place,
            focus=focus,
            trigger=trigger,
            summarizer_model=getattr(summarize, "name", None),
        )
