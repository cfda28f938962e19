"""How many exact facts survive a compaction: the agent's own summaries against our engine's, same spans.

    python -m bench.retention [FOLDER ...]

Imports every database of the folders (and of a generated demo home), takes each
committed compaction whose span is stored, and gives the very same transcript to the
engine with the `extractive` summariser. `handoff` is the share of the span's facts in
the summary, `sight` the share anywhere in the new transcript.
"""

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import select

from hermes_sessions.audit.measure import measure_compaction
from hermes_sessions.audit.retention import IndexedText, SearchableText
from hermes_sessions.audit.values import AuditMessage, CompactionCase
from hermes_sessions.compaction import CompactionPolicy, compact_transcript
from hermes_sessions.demo import write_demo_home
from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.messages import CompactionOutcome
from hermes_sessions.operations.audit_case import load_case
from hermes_sessions.operations.import_ import ImportOptions, import_path
from hermes_sessions.store.db import Database
from hermes_sessions.store.models import Conversation
from hermes_sessions.summarizers import ExtractiveSummarizer

_MIN_SPAN = 8
"""Shorter spans are format samples, not work."""


def iter_cases(database: Database) -> Iterator[CompactionCase]:
    """Yield the committed compactions of a store whose span is stored and long enough."""
    with database.read() as db:
        for key in db.scalars(select(Conversation.id)).all():
            for case in load_case(db, key).compactions:
                if len(case.span) >= _MIN_SPAN and case.body and not case.facts.fork:
                    yield case


def as_message(row: AuditMessage) -> dict[str, Any]:
    """Return a row as an agent sends it."""
    message: dict[str, Any] = {"role": row.role, "content": row.handoff or row.text}
    if row.calls:
        named = ((call.ids[0] if call.ids else "", call) for call in row.calls)
        message["tool_calls"] = [
            {"id": key, "function": {"name": call.name, "arguments": call.arguments}} for key, call in named
        ]
    if row.result_ids:
        message["tool_call_id"] = row.result_ids[0]
    return message


def compare(cases: Sequence[CompactionCase]) -> Mapping[str, Counter[str]]:
    """Return, by kind of fact, how many there are and how many each handoff keeps."""
    counts: dict[str, Counter[str]] = {}
    for case in cases:
        tail = max(1, len(case.after) - len(case.head) - 1)
        policy = CompactionPolicy(
            context_window=200_000, head_messages=0, min_tail_messages=min(tail, 8), tail_tokens=200
        )
        result = compact_transcript(
            [as_message(row) for row in case.before], policy=policy, summarize=ExtractiveSummarizer()
        )
        if result.status is not CompactionOutcome.COMMITTED:
            continue
        ours = IndexedText(result.handoff)
        sight = SearchableText(*(json.dumps(one, ensure_ascii=False) for one in result.messages))
        for fact in measure_compaction(case).retention.facts:
            for kind in ("all kinds", fact.kind):
                count = counts.setdefault(kind, Counter())
                count["facts"] += 1
                count["agent handoff"] += fact.in_handoff
                count["agent sight"] += not fact.is_lost
                count["engine handoff"] += ours.holds(fact.value)
                count["engine sight"] += ours.holds(fact.value) or sight.holds(fact.value)
    return counts


def load_all(paths: Sequence[Path]) -> list[CompactionCase]:
    """Import each database into a store of its own and return what is worth comparing."""
    found: list[CompactionCase] = []
    with tempfile.TemporaryDirectory() as folder:
        for number, path in enumerate(paths):
            with Database.open(str(Path(folder, f"{number}.db"))) as database:
                try:
                    import_path(database, path, ImportOptions(clock=time.time))
                except HermesSessionsError as error:
                    print(f"  {path.name}: {error}")
                    continue
                found += iter_cases(database)
    return found


def print_table(title: str, cases: Sequence[CompactionCase]) -> None:
    """Print one line per kind of fact."""
    columns = ("agent handoff", "agent sight", "engine handoff", "engine sight")
    print(f"{title}: {len(cases)} compactions, {sum(len(case.span) for case in cases)} messages summarised")
    print(f"  {'kind':12}{'facts':>7}" + "".join(f"{name:>16}" for name in columns))
    for kind, count in compare(cases).items():
        shares = "".join(f"{count[name] / count['facts']:16.0%}" for name in columns)
        print(f"  {kind:12}{count['facts']:7}{shares}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    for folder in parser.parse_args().folders:
        print_table(folder.name, load_all(sorted(folder.glob("*.db"))))
    with tempfile.TemporaryDirectory() as folder:
        home = write_demo_home(Path(folder), now=time.time())
        print_table("demo", load_all(sorted(home.rglob("state.db"))))


if __name__ == "__main__":
    main()
