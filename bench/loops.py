"""Loops of an agent over generated transcripts of both providers' forms: does the engine keep its word?

    python -m bench.loops [--transcripts 3000] [--rounds 30] [--seed 0] [--jobs 1]

Each transcript grows and is compacted in turn, preview first. What is counted are violations, by
name; the first of each is printed with its seed. Written without the engine's own reading of messages.
"""

import argparse
import copy
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import islice, pairwise
from typing import Any, Final

from bench.loop_turns import TODO, Dict, turns
from hermes_sessions.compaction import (
    Attempt,
    CompactionPolicy,
    CompactionResult,
    compact_transcript,
    compaction_due,
    context_tokens,
    plan_compaction,
)
from hermes_sessions.errors import SummaryFailedError
from hermes_sessions.messages import SummaryRequest
from hermes_sessions.summarizers import ExtractiveSummarizer

NOTE: Final = "[Note by"
BRACKET: Final = "[CONTEXT COMPACTION"
_IN_VAIN: Final = 2
"""How often in a row a compaction may be due though the last one did not fail, with no time gone by."""


def blocks_of(message: Mapping[str, Any], kind: str) -> list[Dict]:
    """Return the content blocks of one type."""
    content = message.get("content")
    return (
        [block for block in content if isinstance(block, dict) and block.get("type") == kind]
        if isinstance(content, list)
        else []
    )


def texts_of(message: Mapping[str, Any]) -> list[str]:
    """What a message says, block by block, handoffs and notes of the engine left out."""
    content = message.get("content")
    found = [content] if isinstance(content, str) else [one["text"] for one in blocks_of(message, "text")]
    said = [
        text.split("--- END OF CONTEXT SUMMARY", 1)[-1].split("---", 1)[-1]
        for text in found
        if BRACKET in text
    ]
    said += [text for text in found if BRACKET not in text]
    return [text.strip() for text in said if text.strip() and not text.strip().startswith((NOTE, TODO[:40]))]


def calls_of(message: Mapping[str, Any]) -> list[str]:
    """Return the ids of its calls, listed or in blocks."""
    listed = [call["id"] for call in message.get("tool_calls") or ()]
    return [*listed, *(block["id"] for block in blocks_of(message, "tool_use"))]


def results_of(message: Mapping[str, Any]) -> list[str]:
    """Return the ids of the calls it answers."""
    if message["role"] == "tool":
        return [message["tool_call_id"]]
    return [block["tool_use_id"] for block in blocks_of(message, "tool_result")]


def last_request(messages: Sequence[Dict]) -> list[str]:
    """Return the texts of the last message that the user wrote."""
    return next((texts_of(one) for one in reversed(messages) if one["role"] == "user" and texts_of(one)), [])


def last_answer(messages: Sequence[Dict]) -> list[str]:
    """Return the texts of the last reply without calls, else of the last narration."""
    spoken = [one for one in reversed(messages) if one["role"] == "assistant" and texts_of(one)]
    answers = [one for one in spoken if not calls_of(one)]
    return texts_of((answers or spoken)[0]) if spoken else []


@dataclass
class Watch:
    """One loop: what was broken in it, and what is kept between its rounds."""

    policy: CompactionPolicy
    broken: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    history: list[Attempt] = field(default_factory=list)

    def round(self, messages: list[Dict], summarize: Any) -> list[Dict]:
        """Compact as often as it is due, as a loop that never waits would; return what goes on."""
        in_vain = 0
        while in_vain <= _IN_VAIN:
            tokens = context_tokens(messages, self.policy.encoding)
            if not compaction_due(self.policy, tokens, self.history, now=0.0):
                return messages
            result = self.compact(messages, summarize)
            if result is None:
                return messages
            messages = result.messages
            in_vain += not self.history[-1].failed
        self.broken["due again and again"] += 1
        return messages

    def compact(self, messages: list[Dict], summarize: Any) -> CompactionResult | None:
        """Preview and compact; note what was broken."""
        before = copy.deepcopy(messages)
        try:
            plan = plan_compaction(messages, self.policy)
            result = compact_transcript(messages, policy=self.policy, summarize=summarize)
        except Exception as error:  # whatever it is, an agent's loop would have met it
            self.broken[f"raised {type(error).__name__}: {error}"] += 1
            return None
        self.statuses[result.status] += 1
        self.history.append(
            Attempt(
                finished_at=0.0,
                failed=result.status == "aborted" and bool(result.failure),
                tokens_before=result.tokens_before,
                tokens_after=result.tokens_after,
            )
        )
        self.broken.update(_violations(before, messages, plan, result, self.policy))
        return result


def _violations(
    before: list[Dict], messages: list[Dict], plan: Any, result: CompactionResult, policy: CompactionPolicy
) -> Iterator[str]:
    if before != messages:
        yield "the input was modified"
    if plan != result.plan:
        yield "preview and execution differ"
    if result.status != "committed":
        if result.messages != before or not result.reason:
            yield "changed without being committed, or no reason"
        return
    after = result.messages
    yield from _lost(before, after)
    yield from _refused_by_providers(before, result)
    yield from _unnamed(before, result)
    if result.tokens_after >= result.tokens_before:
        yield "not shorter"
    if result.tokens_after > policy.fitting_tokens and "does not fit" not in result.reason:
        yield "does not fit, and nothing says so"
    if any(NOTE in text for text in _said_words(result.handoff)):
        yield "a note among the user's words"


def _said_words(handoff: str) -> Iterator[str]:
    for piece in handoff.split("<user_said>")[1:]:
        yield piece.split("</user_said>")[0][:40]


def _lost(before: list[Dict], after: list[Dict]) -> Iterator[str]:
    shown = {text for one in after for text in texts_of(one)}
    if not set(last_request(before)) <= shown:
        yield "the last request is out of sight"
    if not set(last_answer(before)) <= shown:
        yield "the last answer is out of sight"
    told = {text for one in before if one["role"] in ("system", "developer") for text in texts_of(one)}
    kept = {text for one in after if one["role"] in ("system", "developer") for text in texts_of(one)}
    handoff = json.dumps([one for one in after if BRACKET in json.dumps(one)], ensure_ascii=False)
    if any(json.dumps(text, ensure_ascii=False)[1:-1] not in handoff for text in told - kept):
        yield "an instruction is neither kept nor quoted"


def _refused_by_providers(before: list[Dict], result: CompactionResult) -> Iterator[str]:
    after = [one for one in result.messages if one["role"] not in ("system", "developer")]
    if after and after[0]["role"] != "user":
        yield "does not begin with the user"
    if any(one.get("content") in ([], "") and not calls_of(one) for one in after if one not in before):
        yield "an empty message was written"
    open_calls: set[str] = set()
    for one in after:
        if not set(results_of(one)) <= open_calls:
            yield "a result without its call"
        open_calls |= set(calls_of(one))
    answered = {name for one in after for name in results_of(one)}
    pending = next((calls_of(one) for one in reversed(after) if not results_of(one)), [])
    if open_calls - answered - set(pending):
        yield "a call without a result"
    spoken = [one for one in result.placed if one.message["role"] not in ("system", "developer")]
    if any(_newly_meet(before, left, right) for left, right in pairwise(spoken)):
        yield "two of one role meet that did not before"
    yield from _misplaced_blocks(before, after)


def _misplaced_blocks(before: list[Dict], after: list[Dict]) -> Iterator[str]:
    """Blocks with results come first in their message, and right behind the one that called."""
    for left, right in pairwise(after):
        results = set(results_of(right)) if blocks_of(right, "tool_result") else set()
        if not results:
            continue
        if right["content"][0].get("type") != "tool_result" and right not in before:
            yield "something stands in front of a block with a result"
        follows = any(
            results & set(calls_of(a)) and results <= set(results_of(b)) for a, b in pairwise(before)
        )
        if not results <= set(calls_of(left)) and follows:
            yield "a block with a result was moved from its call"


def _newly_meet(before: list[Dict], left: Any, right: Any) -> bool:
    if left.message["role"] != right.message["role"] or left.message["role"] == "tool":
        return False
    if left.source is None or right.source is None:
        return True
    between = {one["role"] for one in before[left.source + 1 : right.source]}
    return bool(between - {left.message["role"], "system", "developer"})


def _unnamed(before: list[Dict], result: CompactionResult) -> Iterator[str]:
    """Calls and results of kept messages that are gone must be named."""
    named = {name for one in result.omissions for name in one.ids}
    for placed in result.placed:
        if placed.source is None:
            continue
        source = before[placed.source]
        gone = {*calls_of(source), *results_of(source)} - {
            *calls_of(placed.message),
            *results_of(placed.message),
        }
        if gone - named:
            yield "left out and not named"
    kept = {placed.source for placed in result.placed}
    plan = result.plan
    for index in (*range(plan.head_end), *plan.kept):
        if index not in kept and set(results_of(before[index])) - named:
            yield "a message left out and not named"


def _summarizer(chance: random.Random) -> Any:
    good = ExtractiveSummarizer()

    def summarize(request: SummaryRequest) -> str:
        mood = chance.random()
        if mood < 0.15:
            raise SummaryFailedError(
                "no summary today", kind=chance.choice(["empty", "timeout", "auth", "refused"])
            )
        if mood < 0.3:
            return "## Goal\nKeep the build green.\n## Completed actions\n- read the files"
        if mood < 0.35:
            return "## Goal\n" + "much to say " * 3_000
        return good(request)

    return summarize


def run_loop(rounds: int, seed: int) -> tuple[int, Counter[str], Counter[str]]:
    """Run one loop; return its seed, its violations, and how its compactions ended."""
    chance = random.Random(seed)
    form = "anthropic" if seed % 2 else "openai"
    window = chance.choice([800, 1_000, 1_500, 2_000, 3_000, 4_000])
    policy = CompactionPolicy(
        window,
        threshold=chance.choice([0.5, 0.5, 0.75]),
        head_messages=chance.choice([0, 1, 3]),
        min_tail_messages=chance.choice([0, 2, 8]),
        verbatim_tail_chars=chance.choice([0, 300]),
        merge=chance.random() < 0.7,
        encoding="none",
    )
    watch = Watch(policy)
    summarize = _summarizer(chance)
    speech = turns(form, chance, window)
    messages: list[Dict] = next(speech)
    for _ in range(rounds):
        for turn in islice(speech, 60):
            messages = [*messages, *turn]
            if context_tokens(messages, "none") >= policy.threshold_tokens:
                break
        messages = watch.round(messages, summarize)
    return seed, watch.broken, watch.statuses


def main() -> int:
    """Run the loops and print what was broken."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--transcripts", type=int, default=3_000)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    seeds = range(given.seed, given.seed + given.transcripts)
    broken: Counter[str] = Counter()
    statuses: Counter[str] = Counter()
    first: dict[str, int] = {}
    with ProcessPoolExecutor(given.jobs) as pool:
        for seed, found, ended in pool.map(partial(run_loop, given.rounds), seeds, chunksize=8):
            broken += found
            statuses += ended
            for name in found:
                first.setdefault(name, seed)
    print(f"{given.transcripts} transcripts, loops of {given.rounds}: {dict(statuses)}")
    for name, count in broken.most_common():
        print(f"{count:6} {name} (first in seed {first[name]})")
    print(f"violations: {sum(broken.values())}")
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
