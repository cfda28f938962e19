"""Measure the viewer's pages on a generated store: server-side milliseconds and bytes of HTML.

    python -m bench.pages [--conversations 10000] [--messages 20000] [--store PATH]

Prints one line per page: statements asked, time in the store (its questions alone, rows
fetched), time of the whole request (routing, questions, template; no network), bytes. The
store is made in bulk, with realistic text lengths, and kept where --store says.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import insert
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.conversations import (
    ConversationListing,
    get_conversation,
    list_conversations,
    list_facets,
)
from hermes_sessions.store.queries.ledger import CompactionListing, list_compactions
from hermes_sessions.store.queries.overview import OverviewQuery, load_overview
from hermes_sessions.store.queries.paging import ScrollPlace
from hermes_sessions.store.queries.windows import View, WindowQuery
from hermes_sessions.store.schema.models import Compaction, Conversation, Message, Origin, Session
from hermes_sessions.web import create_app
from hermes_sessions.web.conversation.window_material import load_material
from tests.statements import recorded

Question = Callable[[OrmSession], object]
START = 1_767_268_800.0
WORDS = ("the", "ledger", "keeps", "every", "invoice", "once", "and", "reads", "it", "again", "when", "asked")


def main() -> None:
    """Make the store, ask for the pages, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--conversations", type=int, default=10_000)
    parser.add_argument("--messages", type=int, default=20_000, help="of the one long conversation")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--store", type=Path, help="keep the store here, or use the one that is there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.store or Path(folder) / "store.db"
        fresh = not path.exists()
        with Database.open(str(path)) as database:
            if fresh:
                fill(database, options.conversations, options.messages)
            measure(database, options.rounds)


def fill(database: Database, conversations: int, messages: int) -> None:
    """Add small conversations, one long one, and one chain of a thousand sessions."""
    with database.write() as db:
        db.execute(insert(Origin), [{"id": 1, "kind": "hermes", "label": "bench", "created_at": START}])
        for number in range(1, conversations + 1):
            add_conversation(db, number, f"c{number}", rows=[4])
        add_conversation(db, conversations + 1, "long", rows=[messages])
        add_conversation(db, conversations + 2, "chain", rows=[20] * 1_000)
        db.connection().exec_driver_sql("ANALYZE")


def add_conversation(db: OrmSession, key: int, name: str, *, rows: Sequence[int]) -> None:
    """Add a conversation with one session per entry of *rows*, each of that many messages."""
    base = key * 10_000
    newest = START + 60.0 * key
    db.execute(
        insert(Conversation),
        [
            {
                "id": key, "public_id": name, "origin_id": 1, "kind": "chat", "title": f"Conversation {name}",
                "preview": text_of(key, 20), "source": ("cli", "telegram")[key % 2], "model": "model-a",
                "root_id": base, "tip_id": base + len(rows) - 1, "started_at": newest - 600,
                "last_active_at": newest, "message_count": sum(rows), "session_count": len(rows),
                "compaction_count": len(rows) - 1,
            }
        ],
    )  # fmt: skip
    db.execute(
        insert(Session),
        [
            {
                "id": base + ordinal, "origin_id": 1, "foreign_id": f"{name}-{ordinal}",
                "public_id": name if ordinal == 0 else f"{name}-{ordinal}", "conversation_id": key,
                "ordinal": ordinal, "parent_id": base + ordinal - 1 if ordinal else None, "source": "cli",
                "relation": "compaction" if ordinal else "root", "started_at": newest, "message_count": count,
                "shown_count": count,
            }
            for ordinal, count in enumerate(rows)
        ],
    )  # fmt: skip
    for ordinal, count in enumerate(rows):
        db.execute(insert(Message), [message(key, base + ordinal, at, newest) for at in range(count)])
    if len(rows) > 1:
        db.execute(
            insert(Compaction),
            [
                {
                    "conversation_id": key, "ordinal": ordinal, "realisation": "rotation",
                    "status": "committed", "method": "model", "session_id": base + ordinal,
                    "parent_id": base + ordinal - 1, "child_id": base + ordinal,
                    "summary": text_of(ordinal, 60), "finished_at": newest + ordinal,
                }
                for ordinal in range(1, len(rows))
            ],
        )  # fmt: skip


def message(key: int, session: int, at: int, newest: float) -> dict[str, Any]:
    """Return one row: prompts, answers in Markdown, tool output now and then."""
    role = ("user", "assistant", "assistant", "tool")[at % 4]
    text = text_of(key + at, 30 if role == "user" else 80)
    if role == "assistant":
        text = f"## Step {at}\n\n{text}\n\n- one\n- two `code`\n\n```python\nprint({at})\n```"
    return {
        "session_id": session, "conversation_id": key,
        "position": at, "role": role, "kind": "message", "state": "live",
        "shown": True, "created_at": newest - 600 + at / 100, "text": text,
    }  # fmt: skip


def text_of(seed: int, words: int) -> str:
    """Return a text of so many words that differs from seed to seed."""
    return " ".join([f"{seed}", *(WORDS[(seed + step) % len(WORDS)] for step in range(words))])


def measure(database: Database, rounds: int) -> None:
    """Ask for each page several times, the first time apart (cold caches)."""
    client = create_app(database).test_client()
    listing = ConversationListing()
    pages: dict[str, tuple[str, Question | None]] = {
        "list": ("/", lambda db: (list_conversations(db, listing), list_facets(db))),
        "list, page 2": (_next_page(client.get("/").text), None),
        "list by model": ("/?model=model-a", None),
        "list, everything": ("/?kind=all", None),
        "long, first window": ("/c/long", _window(WindowQuery())),
        "long, middle": ("/c/long?at=0.10000", _window(WindowQuery(at=ScrollPlace(0, 10_000)))),
        "long, end": ("/c/long?before=9.0", _window(WindowQuery(before=ScrollPlace(9, 0)))),
        "long, next part": ("/c/long?after=0.5000&part=1", None),
        "long, what was said": ("/c/long?view=talk", _window(WindowQuery(view=View.TALK))),
        "long, contents": ("/c/long/contents", None),
        "chain, contents": ("/c/chain/contents", None),
        "overview": ("/overview?range=all", lambda db: load_overview(db, OverviewQuery())),
        "chain, first window": ("/c/chain", _window(WindowQuery(), "chain")),
        "chain, middle": ("/c/chain?at=500.3", _window(WindowQuery(at=ScrollPlace(500, 3)), "chain")),
        "chain, lineage": ("/c/chain/lineage", None),
        "ledger": ("/compactions", lambda db: list_compactions(db, CompactionListing())),
    }
    print(f"{'page':<22}{'asks':>6}{'store ms':>10}{'cold ms':>10}{'p50 ms':>9}{'p95 ms':>9}{'KB':>8}")
    for name, (url, question) in pages.items():
        store = f"{_store_ms(database, question, rounds):.2f}" if question else ""
        with recorded(database) as statements:
            cold, response = _timed(client.get, url)
        times = sorted(_timed(client.get, url)[0] for _ in range(rounds))
        p50, p95 = statistics.median(times), times[min(rounds - 1, int(rounds * 0.95))]
        print(
            f"{name:<22}{len(statements):>6}{store:>10}{cold * 1000:>10.1f}"
            f"{p50 * 1000:>9.1f}{p95 * 1000:>9.1f}{len(response.data) / 1024:>8.1f}"
        )


def _window(query: WindowQuery, name: str = "long") -> Question:
    return lambda db: load_material(db, get_conversation(db, name), query)


def _store_ms(database: Database, question: Question, rounds: int) -> float:
    with database.read() as db:
        question(db)
        return statistics.median(_timed(question, db)[0] for _ in range(rounds)) * 1000


def _timed(work: Callable[[Any], Any], subject: Any) -> tuple[float, Any]:
    start = time.perf_counter()
    found = work(subject)
    return time.perf_counter() - start, found


def _next_page(html: str) -> str:
    start = html.rindex('href="', 0, html.index('rel="next"')) + 6
    return html[start : html.index('"', start)].replace("&amp;", "&")


if __name__ == "__main__":
    main()
