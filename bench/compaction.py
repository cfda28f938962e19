"""Compact 200 to 100,000 messages with a summariser that answers at once.

Prints seconds, peak memory and the growth from one size to the next: linear work grows
by the same factor as the messages. Run it as ``python bench/compaction.py [SIZES]``.
"""

import random
import sys
import time
import tracemalloc
from collections.abc import Iterator
from typing import Any

from hermes_sessions.compaction import CompactionPolicy, CompactionResult, compact_transcript, plan_compaction
from hermes_sessions.messages import SummaryRequest
from hermes_sessions.tokens import count_text, estimate_tokens, token_counter

SIZES = (200, 2_000, 20_000, 100_000)
POLICY = CompactionPolicy(200_000)
PROSE = (
    "the parser reads a line and keeps what it cannot place so that nothing is lost while the index grows"
    " src/app/main.py tests/test_main.py 12 ms error: no such file https://example.com/a v1.2.3 3f78685"
)
WORDS = PROSE.split()


def transcript(length: int, seed: int = 7) -> list[dict[str, Any]]:
    """Return a coding session of about *length* messages, 400 characters each."""
    chance = random.Random(seed)
    messages: list[dict[str, Any]] = [{"role": "system", "content": "You are an agent."}]
    while len(messages) < length:
        messages.extend(_turn(chance, len(messages)))
    return messages[:length]


def _turn(chance: random.Random, number: int) -> Iterator[dict[str, Any]]:
    if chance.random() < 0.1:
        yield {"role": "user", "content": _text(chance, 40)}
    arguments = f'{{"command": "make step{number}", "note": "{_text(chance, 12)}"}}'
    function = {"name": "terminal", "arguments": arguments}
    call = {"id": f"call_{number}", "type": "function", "function": function}
    yield {"role": "assistant", "content": _text(chance, 30), "tool_calls": [call]}
    yield {"role": "tool", "tool_call_id": f"call_{number}", "content": _text(chance, 110)}


def _text(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(WORDS, k=words))


def summarize(request: SummaryRequest) -> str:
    """Answer at once, as a stub."""
    return "## Goal\nShip it.\n## State\nGreen."


def timed(messages: list[dict[str, Any]]) -> tuple[float, CompactionResult]:
    """Return the seconds of one compaction, and its result."""
    started = time.perf_counter()
    result = compact_transcript(messages, policy=POLICY, summarize=summarize)
    return time.perf_counter() - started, result


def peak_bytes(messages: list[dict[str, Any]]) -> int:
    """Return the memory that one compaction takes at most, on top of the transcript."""
    tracemalloc.start()
    compact_transcript(messages, policy=POLICY, summarize=summarize)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def main(sizes: tuple[int, ...]) -> None:
    """Print one row per size, then how near the estimate comes."""
    token_counter().count("load the vocabulary before the clock runs")
    titles = ("messages", "MB", "first s", "again s", "plan s", "peak MB", "growth")
    print("".join(f"{title:>9}" for title in titles), " tokens")
    before: tuple[int, float] | None = None
    for size in sizes:
        messages = transcript(size)
        characters = sum(len(str(message)) for message in messages)
        first, result = timed(messages)
        again, _ = timed(messages)
        started = time.perf_counter()
        plan_compaction(messages, POLICY)
        planned = time.perf_counter() - started
        growth = f"{first / before[1] / (size / before[0]):.2f}x" if before else ""
        peak = peak_bytes(messages) / 1e6
        numbers = (
            f"{characters / 1e6:.1f}",
            f"{first:.3f}",
            f"{again:.3f}",
            f"{planned:.3f}",
            f"{peak:.1f}",
            growth,
        )
        tokens = (
            f"{result.tokens_before:,} -> {result.tokens_after:,} {result.status} ({result.tokens_method})"
        )
        print(f"{size:>9,}", *(f"{number:>8}" for number in numbers), f" {tokens}")
        before = (size, first)
    text = "\n".join(_text(random.Random(seed), 60) for seed in range(2_000))
    exact = count_text(text)
    print(f"estimate: {estimate_tokens(text):,} against {exact.tokens:,} by {exact.method}")


if __name__ == "__main__":
    main(tuple(int(value.replace("_", "")) for value in sys.argv[1:]) or SIZES)
