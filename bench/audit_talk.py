"""Time the audit of a span as agents make them: speech in five languages, listings, logs, tests, code, JSON.

    python -m bench.audit_talk [--messages N] [--parts]

The handoff is a summary of about 120 lines, made of what was said. Three times are printed, in
seconds of the processor, each of a process that has read nothing before: a *first* audit finds
the facts of every message, one with *facts kept* reads where they stand from the notes that an earlier one
left, as a store does; one of a handoff *judged before* reads that, too, and judges no more.
Patterns are compiled before; how long that takes is printed by itself, a process does it once. With
`--parts` also what each check of the handoff takes.
"""

import argparse
import gc
import multiprocessing
import random
import time
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final

from bench.exam.transcripts import TranscriptMaker
from hermes_sessions.audit import check
from hermes_sessions.audit.fact_notes import FactNotes
from hermes_sessions.audit.judgements.kept_judgements import KeptJudgements
from hermes_sessions.audit.measure import Reader, measure_compaction
from hermes_sessions.audit.spans import cut_conversation
from hermes_sessions.audit.values import AuditedSession, AuditMessage, CompactionCase, CompactionFacts
from hermes_sessions.facts.wording.sieves import Sieve
from hermes_sessions.handoff import render_handoff
from hermes_sessions.late_patterns import LatePattern
from hermes_sessions.messages import Role, read_calls

_SAID_LINES: Final = 60
_STEP: Final = 20_000
_CHECKS: Final = (
    *("read_passages", "index_source", "read_phrases", "_spoken", "altered_values", "invented_work"),
    *("turned_sentences", "changed_counts", "moved_decisions", "changed_names", "invented_words"),
    *("opposite_sides", "other_days", "swapped_ends", "exchanged_people", "other_units", "other_parts"),
    *("other_lines", "changed_after_all", "undone_after_all", "lifted_rules", "read_transcript"),
    *("read_handoff", "exchanged_pairs", "freed_conditions", "freed_bans", "gained_bans", "undone_deeds"),
    *("done_deeds", "exchanged_holders", "misaligned_clauses"),
)  # fmt: skip

Parts = defaultdict[str, float]
"""Seconds by check."""


def build_talk(count: int, seed: int = 11) -> CompactionCase:
    """Return a compaction that summarised *count* messages of an agent at work."""
    maker = TranscriptMaker(seed, lambda text: len(text) // 4)
    while len(maker.messages) <= count:
        maker.grow(maker.tokens + _STEP)
    rows = [_row(number, sent) for number, sent in enumerate(maker.messages[: count + 1], 1)]
    chance = random.Random(seed)
    planted = [needle.sentence for place, needle in maker.needles if place <= count]
    said = [line for row in rows if row.role == Role.ASSISTANT for line in row.text.split("\n") if line]
    body = "\n".join([
        "## Facts",
        *(f"- {one}" for one in chance.sample(planted, min(_SAID_LINES, len(planted)))),
        "## Completed actions",
        *(f"- {one}" for one in chance.sample(said, min(_SAID_LINES, len(said)))),
    ])  # fmt: skip
    key = len(rows) + 1
    handoff = AuditMessage(
        id=key, original=key, position=0, role="user", kind="handoff", handoff=render_handoff(body)
    )
    facts = CompactionFacts(
        id=1, ordinal=1, realisation="rotation", status="committed", session=2, parent=1, child=2,
        handoff=handoff.id, summary=body,
    )  # fmt: skip
    parent = AuditedSession(key=1, foreign_id="a", rows=rows)
    child = AuditedSession(key=2, foreign_id="b", parent=1, rows=[handoff])
    return cut_conversation([parent, child], [facts]).compactions[0]


def _row(number: int, sent: Mapping[str, Any]) -> AuditMessage:
    result = sent.get("tool_call_id")
    return AuditMessage(
        id=number,
        original=number,
        position=number - 1,
        archived_by=1,
        role=sent["role"],
        text=sent["content"],
        calls=tuple(read_calls(sent.get("tool_calls"))),
        result_ids=(result,) if result else (),
    )


def timed(
    case: CompactionCase,
    kept: Mapping[int, str] | None,
    parts: Parts | None = None,
    judged: Mapping[int, str] | None = None,
) -> float:
    """Return the seconds of the processor that one audit of *case* takes."""
    if parts is not None:
        for name in _CHECKS:
            setattr(check, name, _measured(name, getattr(check, name), parts))
    start = time.process_time()
    measure_compaction(case, Reader(FactNotes(kept=kept or {}), KeptJudgements(kept=judged)))
    return time.process_time() - start


def _measured(name: str, work: Any, parts: Parts) -> Any:
    def run(*given: Any, **named: Any) -> Any:
        start = time.process_time()
        found = work(*given, **named)
        if hasattr(found, "__next__"):
            found = iter(list(found))
        parts[name] += time.process_time() - start
        return found

    return run


def compile_patterns() -> float:
    """Return the seconds of the processor that it takes to compile every pattern there is."""
    made = [one for one in gc.get_objects() if isinstance(one, LatePattern | Sieve)]
    start = time.process_time()
    for one in made:
        one.search("")
    return time.process_time() - start


def read_notes(case: CompactionCase) -> dict[int, str]:
    """Return the notes that an audit leaves of its messages."""
    notes = FactNotes()
    for row in (*case.before, *case.after, *case.following):
        notes.read(row)
    return dict(notes.fresh.values())


def read_judgements(case: CompactionCase, kept: Mapping[int, str]) -> dict[int, str]:
    """Return what an audit keeps of how it judged."""
    judgements = KeptJudgements()
    measure_compaction(case, Reader(FactNotes(kept=kept), judgements))
    return {key: one for key, one in judgements.fresh.items() if one is not None}


def main() -> None:
    """Print the times, and the parts of the second if they are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--messages", type=int, default=2_000)
    parser.add_argument("--parts", action="store_true")
    asked = parser.parse_args()
    case = build_talk(asked.messages)
    chars = sum(len(row.text) for row in case.before)
    print(f"{len(case.span)} messages, {chars / 1e6:.2f} million characters, handoff of {len(case.body)}")
    print(f"  patterns    {1000 * compile_patterns():8.0f} ms")
    alone = multiprocessing.get_context("fork")  # a child has what this process read: nothing
    with alone.Pool(1, maxtasksperchild=1) as pool:
        kept = pool.apply(read_notes, (case,))
        print(f"  first audit {1000 * pool.apply(timed, (case, None)):8.0f} ms")
        print(f"  facts kept  {1000 * pool.apply(timed, (case, kept)):8.0f} ms")
        judged = pool.apply(read_judgements, (case, kept))
        print(f"  judged before{1000 * pool.apply(timed, (case, kept, None, judged)):7.0f} ms")
        if asked.parts:
            parts = sorted(pool.apply(_parts, (case, kept)).items(), key=lambda part: -part[1])
            for name, took in parts[:20]:
                print(f"    {name:20} {1000 * took:8.0f} ms")


def _parts(case: CompactionCase, kept: Mapping[int, str]) -> Parts:
    parts: Parts = defaultdict(float)
    timed(case, kept, parts)
    return parts


if __name__ == "__main__":
    main()
