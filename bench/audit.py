"""Time the audit: one compaction over a long span, a chain of compactions, and a whole store.

    python -m bench.audit [--messages N] [--chain N] [--store PATH]

The first table is made of generated messages: everything that is measured on one
compaction, the rules, the ledger, where each claim of its handoff came from, and its page. The second is
the whole audit of a chain of compactions with 60 messages between them. `--store` audits a
copy of a store, twice: anew, and when nothing has changed. Best of several runs, in milliseconds
of the processor (a store's by the clock); memory is the process's peak.
"""

import argparse
import json
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import update

from hermes_sessions import CompactionPolicy, Store, SummaryRequest
from hermes_sessions.audit.checking.sentences import cut_sentences
from hermes_sessions.audit.claims import trace_claims
from hermes_sessions.audit.fact_notes import FactNotes
from hermes_sessions.audit.ledger.ledger import build_ledger
from hermes_sessions.audit.measure import Reader, measure_compaction
from hermes_sessions.audit.retention import read_facts
from hermes_sessions.audit.rules import check_compaction
from hermes_sessions.audit.spans import cut_conversation
from hermes_sessions.audit.values import (
    AuditedSession,
    AuditMessage,
    CompactionCase,
    CompactionFacts,
    ConversationCase,
)
from hermes_sessions.audit.words.telling import telling_words
from hermes_sessions.audit.words.wording import is_open
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.handoff import render_handoff
from hermes_sessions.messages import ToolCall
from hermes_sessions.operations.auditing.audit_conversations import audit_case, run_audit
from hermes_sessions.operations.auditing.conversation_case import load_case
from hermes_sessions.store.engines.backup import back_up
from hermes_sessions.store.engines.file_probe import Location
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.stored_audits import FindingListing, iter_conversations
from hermes_sessions.store.schema.models import Conversation
from hermes_sessions.web import create_app

_WORDS = (
    *(
        "the",
        "parser",
        "reads",
        "tokens",
        "and",
        "writes",
        "a",
        "table",
        "of",
        "rows",
        "then",
        "checks",
        "each",
    ),
    *("entry", "against", "its", "schema", "before", "it", "returns", "to", "keep", "old", "value", "cache"),
)
_RUNS = 5
_CHAIN_STEP = 60


def generate_rows(count: int, seed: int = 7) -> Iterator[AuditMessage]:
    """Yield rows of a working agent: requests, calls, results, replies; now and then an error line."""
    rng = random.Random(seed)
    for key in range(1, count + 1):
        path = f"src/part{rng.randrange(80)}/module{rng.randrange(300)}.py"
        row = AuditMessage(id=key, original=key, position=key - 1, archived_by=1, role="user")
        place = key % 4
        if place == 1:
            yield replace(row, text=f"Please look at {path}: {_prose(rng, 30)}")
        elif place == 2:
            call = ToolCall((f"c{key}",), "read_file", json.dumps({"path": path}))
            yield replace(row, role="assistant", calls=(call,))
        elif place == 3:
            text = "\n".join(f"{line}|    {_prose(rng, 8)}" for line in range(40))
            text += "\nValueError: bad entry" if rng.random() < 0.1 else ""
            yield replace(row, role="tool", text=text, result_ids=(f"c{key - 1}",))
        else:
            took = f"took {rng.randrange(900)} ms, version 2.{rng.randrange(9)}.{rng.randrange(30)}"
            yield replace(row, role="assistant", text=f"{path} {took}. {_prose(rng, 60)}")


def build_case(count: int) -> CompactionCase:
    """Return a compaction that summarised *count* rows."""
    return build_conversation(count).compactions[0]


def build_conversation(count: int) -> ConversationCase:
    """Return a conversation with one compaction, which summarised *count* rows."""
    rows = list(generate_rows(count))
    tail = [replace(row, id=row.id + count, archived_by=None) for row in generate_rows(20, seed=8)]
    rng = random.Random(9)
    lines = (f"- Read {row.text.split()[3]} and {_prose(rng, 12)}." for row in rows if row.role == "user")
    body = "## Completed actions\n" + "\n".join(list(lines)[:120])
    handoff = AuditMessage(
        id=count * 3,
        original=count * 3,
        position=0,
        role="user",
        kind="handoff",
        handoff=render_handoff(body),
    )
    copies = [replace(row, id=row.id + count * 4, original=row.id) for row in tail]
    facts = CompactionFacts(
        id=1, ordinal=1, realisation="rotation", status="committed", session=2, parent=1, child=2,
        handoff=handoff.id, summary=body,
    )  # fmt: skip
    parent = AuditedSession(key=1, foreign_id="a", rows=[*rows, *tail])
    child = AuditedSession(key=2, foreign_id="b", parent=1, rows=[handoff, *copies])
    return cut_conversation([parent, child], [facts])


def best_of(work: Callable[[], object]) -> float:
    """Return the best time of several runs, in milliseconds of the processor."""
    times = []
    for _ in range(_RUNS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times) * 1000


def time_case(count: int) -> None:
    """Print what one compaction costs."""
    conversation = build_conversation(count)
    case = conversation.compactions[0]
    chars = sum(len(row.text) for row in case.before)
    print(f"one compaction, {len(case.span)} messages, {chars / 1e6:.2f} MB of text")
    print(f"  first audit   {best_of(lambda: measure_compaction(case)):8.1f} ms")
    kept = dict(noted(case).fresh.values())
    again = best_of(lambda: measure_compaction(case, read_again(kept)))
    print(f"  facts kept    {again:8.1f} ms   (budget 300)")
    reader = Reader()
    found = measure_compaction(case, reader)
    print(f"    of it facts {best_of(lambda: [read_facts(row) for row in case.before]):8.1f} ms")
    print(f"  rules         {best_of(lambda: list(check_compaction(found))):8.1f} ms")
    print(f"  ledger        {best_of(lambda: build_ledger(conversation, reader.rules)):8.1f} ms")
    print(f"  claims traced {best_of(lambda: trace_claims(case, reader.facts)):8.1f} ms")


def noted(case: CompactionCase) -> FactNotes:
    """Return the notes that a first audit keeps."""
    notes = FactNotes()
    for row in (*case.before, *case.after, *case.following):
        notes.read(row)
    return notes


def read_again(kept: Mapping[int, str]) -> Reader:
    """Return a reader of the next audit: notes as they are stored, and nothing read yet."""
    for remembered in (is_negated, is_open, cut_sentences, telling_words):
        remembered.cache_clear()
    return Reader(FactNotes(kept=kept))


def time_chain(count: int) -> None:
    """Print what the audit of a whole chain costs, a conversation that is compacted again and again."""
    rows = list(generate_rows(count * _CHAIN_STEP))
    steps = [rows[at : at + _CHAIN_STEP] for at in range(0, len(rows), _CHAIN_STEP)]
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "store.db"))
        with Store.open(path) as store:
            session = store.create_session()
            policy = CompactionPolicy(context_window=100_000, head_messages=0, tail_tokens=2_000)
            for step in steps:
                store.append_many(session, [_as_sent(row) for row in step])
                body = "## Completed actions\n" + "".join(_done(row) for row in step if row.role == "user")
                summarize = partial(_summary, body)
                session = store.compact(session, policy=policy, summarize=summarize).session_id
        with Database.open(path, create=False) as database, database.read() as db:
            [(key, _)] = iter_conversations(db, FindingListing())
            case = load_case(db, key)
    took = best_of(lambda: audit_case(case))
    print(f"a chain of {len(case.compactions)} compactions, {count * _CHAIN_STEP} messages")
    print(f"  audited       {took:8.1f} ms, {took / max(len(case.compactions), 1):.1f} for each compaction")


def _summary(body: str, request: SummaryRequest) -> str:
    return body


def _done(row: AuditMessage) -> str:
    return f"- Read {row.text.split()[3]} and told the user.\n"


def time_page(count: int) -> None:
    """Print what the page of such a compaction costs, from request to HTML; before an audit, and after it."""
    case = build_case(count)
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "store.db"))
        with Store.open(path) as store:
            session = store.create_session()
            store.append_many(session, [_as_sent(row) for row in case.before])
            policy = CompactionPolicy(context_window=100_000, head_messages=0, tail_tokens=2_000)
            done = store.compact(session, policy=policy, summarize=lambda request: case.body)
        with Database.open(path, create=False) as database:
            client = create_app(database).test_client()
            url = f"/compactions/{done.compaction_id}"
            for name in ("its page", "    audited"):
                client.get(url)
                took, size = best_of(lambda: client.get(url)), len(client.get(url).data)
                print(f"  {name:13} {took:8.1f} ms, {size / 1e3:.0f} KB")
                run_audit(database, FindingListing(), clock=time.time)


def _as_sent(row: AuditMessage) -> dict[str, Any]:
    message: dict[str, Any] = {"role": row.role, "content": row.text}
    if row.calls:
        message["tool_calls"] = [
            {
                "id": call.ids[0],
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in row.calls
        ]
    if row.result_ids:
        message["tool_call_id"] = row.result_ids[0]
    return message


def time_store(path: Path) -> None:
    """Print what a whole store costs, anew and again."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "store.db")
        back_up(Location(path), copy)
        with Database.open(str(copy), create=False) as database:
            with database.write() as db:
                db.execute(update(Conversation).values(audit_mark=None))
            for name in ("anew", "again"):
                start = time.perf_counter()
                run = run_audit(database, FindingListing(), clock=time.time)
                seconds = time.perf_counter() - start
                print(f"  {name:6} {run.audited:6} of {run.conversations} conversations {seconds:8.2f} s")
    scale = 1 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale
    print(f"  peak memory {peak / 1e6:.0f} MB")


def _prose(rng: random.Random, words: int) -> str:
    return " ".join(rng.choices(_WORDS, k=words))


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--messages", type=int, default=2_000, help="length of the span (2000)")
    parser.add_argument("--store", type=Path, help="a store to audit a copy of")
    parser.add_argument("--chain", type=int, default=20, help="compactions of the chain (20)")
    given = parser.parse_args()
    time_case(given.messages)
    time_page(given.messages)
    time_chain(given.chain)
    if given.store:
        print(f"store {given.store.name}")
        time_store(given.store)


if __name__ == "__main__":
    main()
