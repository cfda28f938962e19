"""How much of what a compaction replaced can still be answered, beside baselines of equal tokens.

    python -m bench.recall [--sizes 15000,45000,130000,274000] [--seeds 20] [--budgets 1000,4000,16000]
                           [--chain 5] [--rules 50] [--roundabout 10] [--search] [--failures FILE]
                           [--base-url URL --model NAME] [--longmemeval FILE]
                           [--compact-bench FILE --fields messages=NAME,details=NAME]
    python -m bench.recall --page          writes docs/recall.md and its chart

Transcripts are built with needles (`bench.exam`): what was said once, by whom, in which language, and
what replaced it. A compaction by the engine, with the extractive summariser and its default policy,
leaves a handoff; a needle counts where the handoff says its value beside its subject (a rule: the whole
sentence). What replaced values are asked for; the old ones are looked for as `stale`, and some that
nobody said as `made up`. The exam knows neither the fact extractor nor the audit. With a server's URL its
model is given the handoff and each question, and its answer is judged the same way. `--longmemeval` asks the
user's own copy of that set whether a search finds the answer among its first five sessions.
"""

import argparse
import csv
import math
import random
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from bench.exam.baselines import BASELINES, Count
from bench.exam.model import answer
from bench.exam.needles import Needle, NeedleMaker, has_near
from bench.exam.public_chains import kept_details, read_fields, recorded_boundaries
from bench.exam.public_sets import found_among_first, longmemeval
from bench.exam.roundabout import RoundaboutMaker
from bench.exam.rules import RuleMaker
from bench.exam.transcripts import ExamTranscript, TranscriptMaker, iter_texts, readable
from hermes_sessions import CompactionPolicy, Store, compact_transcript
from hermes_sessions.compaction import CompactionResult
from hermes_sessions.messages import Summarize
from hermes_sessions.summarizers import ExtractiveSummarizer
from hermes_sessions.summarizers.openai_compatible import OpenAICompatible
from hermes_sessions.tokens import token_counter

SIZES: Final = (15_000, 45_000, 130_000, 274_000)
WINDOW: Final = 1.6
"""A transcript of so many tokens is compacted in a window of this many times as many."""
HITS: Final = 5
_Z: Final = 1.96


@dataclass(slots=True)
class Tally:
    """What one arm got right, question by question."""

    tokens: int = 0
    span_tokens: int = 0
    right: int = 0
    asked: int = 0
    stale: int = 0
    made_up: int = 0
    by_kind: dict[str, list[int]] = field(default_factory=dict)
    failures: list[tuple[str, Needle]] = field(default_factory=list)

    def add(self, exam: ExamTranscript, needles: Sequence[Needle], text: str, name: str) -> None:
        """Ask for *needles* in *text*."""
        for needle in needles:
            found = needle.is_in(text)
            self.asked += 1
            self.right += found
            right, asked = self.by_kind.get(needle.kind, [0, 0])
            self.by_kind[needle.kind] = [right + found, asked + 1]
            if not found:
                self.failures.append((name, needle))
        self.stale += sum(_stands_as_current(exam, old, text) for _, old in exam.needles)
        self.made_up += sum(needle.is_in(text) for needle in exam.unsaid)

    def row(self) -> str:
        """Return share, interval, tokens and their share of the span."""
        share, spread = proportion(self.right, self.asked)
        part = f"{self.tokens / self.span_tokens:6.1%}" if self.span_tokens else "     -"
        wrong = f"{self.stale:>6} {self.made_up:>8} {self.asked:>7}"
        return f"{share:6.1%} ±{spread:4.1%} {self.tokens:>9,} {part} {wrong}"


HEADINGS: Final = (
    f"{'recall':>6} {'95%':>5} {'tokens':>9} {'of span':>6} {'stale':>6} {'made up':>8} {'asked':>7}"
)


def proportion(right: int, asked: int) -> tuple[float, float]:
    """Return a share and half of Wilson's 95 % interval."""
    if not asked:
        return 0.0, 0.0
    share = right / asked
    spread = _Z * math.sqrt(share * (1 - share) / asked + _Z**2 / (4 * asked**2)) / (1 + _Z**2 / asked)
    return share, spread


def _stands_as_current(exam: ExamTranscript, old: Needle, text: str) -> bool:
    """Return whether the replaced value is told and the one that replaced it is not."""
    if old.key not in exam.superseded or old.kind == "rule" or not has_near(text, old.value, old.subject):
        return False
    new = [needle for _, needle in exam.needles if needle.replaces == old.key]
    return bool(new) and not new[0].is_in(text)


def compacted(messages: Sequence[Mapping[str, Any]], policy: CompactionPolicy) -> CompactionResult:
    """Return the engine's compaction of a transcript.

    Raises:
        SystemExit: the engine did not compact it.
    """
    result = compact_transcript(list(messages), policy=policy, summarize=ExtractiveSummarizer())
    if not result.handoff:
        raise SystemExit(f"not compacted: {result.status} {result.reason}")
    return result


def policy_for(tokens: int, budget: int | None) -> CompactionPolicy:
    """Return the default policy of the window in which so many tokens are compacted."""
    window = max(int(tokens * WINDOW), 8_000)
    if budget is None:
        return CompactionPolicy(window)
    return CompactionPolicy(window, handoff_tokens=min(budget, window // 4))


def run_size(
    size: int, seeds: int, budget: int | None, count: Count, *, search: bool, model: Summarize | None = None
) -> dict[str, Tally]:
    """Return every arm's tally over transcripts of one size."""
    tallies: dict[str, Tally] = {}
    for seed in range(seeds):
        maker = TranscriptMaker(seed, count)
        maker.grow(size)
        exam = maker.transcript()
        result = compacted(exam.messages, policy_for(maker.tokens, budget))
        kept = set(result.plan.span)
        exam = replace(exam, needles=[(index, one) for index, one in exam.needles if index in kept])
        span = [exam.messages[index] for index in result.plan.span]
        needles = exam.asked()
        span_tokens = sum(count(text) for text in iter_texts(span))
        texts = {"engine": result.handoff, **_baselines(span, count(result.handoff), count, seed)}
        if search:
            texts["engine + search"] = result.handoff
        if model is not None:
            texts["engine + model"] = result.handoff
        for arm, text in texts.items():
            tally = tallies.setdefault(arm, Tally())
            tally.tokens += count(text)
            tally.span_tokens += span_tokens
            if arm == "engine + search":
                _ask_with_search(tally, exam, needles, text, span, f"{size}/{seed}")
            elif arm == "engine + model" and model is not None:
                for needle in needles:
                    tally.add(_nothing_else(), [needle], answer(model, text, needle), f"{size}/{seed}")
            else:
                tally.add(exam, needles, text, f"{size}/{seed}")
    return tallies


def _baselines(span: Sequence[Mapping[str, Any]], tokens: int, count: Count, seed: int) -> dict[str, str]:
    return {name: fill(span, tokens, count, random.Random(seed)) for name, fill in BASELINES.items()}


def _ask_with_search(
    tally: Tally, exam: ExamTranscript, needles: Sequence[Needle], text: str,
    span: Sequence[Mapping[str, Any]], name: str,
) -> None:  # fmt: skip
    """Ask for each needle in the handoff, and where it is not there search the archived span once."""
    with tempfile.TemporaryDirectory() as folder, Store.open(f"{folder}/span.db") as store:
        store.append_many(store.create_session(), [dict(message) for message in span])
        for needle in needles:
            found = "" if needle.is_in(text) else _searched(store, needle)
            tally.add(_nothing_else(), [needle], f"{text}\n{found}", name)


def _searched(store: Store, needle: Needle) -> str:
    """Return the messages that a search for the question's subject finds, as a model reads them."""
    keys = {hit["id"] for hit in store.search(needle.subject, limit=HITS, order="relevance")["hits"]}
    rows = store.conversation(store.conversations()["conversations"][0]["id"], every=True)["messages"]
    found = (part["text"] for row in rows if row["id"] in keys for part in row["parts"])
    return "\n".join(readable(text) for text in found)


def _nothing_else() -> ExamTranscript:
    return ExamTranscript((), (), frozenset(), ())


def run_chain(rounds: int, size: int, seeds: int, count: Count) -> list[Tally]:
    """Return, after each of some compactions, what of the first span is still in sight."""
    tallies = [Tally() for _ in range(rounds)]
    for seed in range(seeds):
        maker = TranscriptMaker(seed, count)
        maker.grow(size)
        policy = policy_for(size, None)
        messages: list[Any] = list(maker.messages)
        first: list[Needle] = []
        for round_ in range(rounds):
            result = compacted(messages, policy)
            if not round_:
                span = set(result.plan.span)
                first = [needle for index, needle in maker.needles if index in span]
            exam = maker.transcript(0)
            sight = "\n".join(iter_texts(result.messages))
            tally = tallies[round_]
            tally.tokens += count(result.handoff)
            tally.span_tokens += result.tokens_before
            tally.add(exam, [one for one in first if one.key not in exam.superseded], sight, f"chain/{seed}")
            written = len(maker.messages)
            maker.grow(maker.tokens + size - result.tokens_after)
            messages = [*result.messages, *maker.messages[written:]]
    return tallies


@dataclass(slots=True)
class RulesKept:
    """What became of planted rules: checks made, rules out of sight with their round, what they cost."""

    rules: int = 0
    checks: int = 0
    lost: list[tuple[str, int, Needle]] = field(default_factory=list)
    tokens: int = 0

    def row(self) -> str:
        """Return rules, checks out of sight and the price of a rule."""
        lost = len({(name, one.key) for name, _, one in self.lost})
        return (
            f"{self.rules} planted, 20 compactions: {len(self.lost)} of {self.checks} checks out of sight, "
            f"{lost} of them ever, {self.tokens / max(self.rules, 1):.1f} tokens each"
        )


def run_rules(
    transcripts: int,
    rules: int,
    rounds: int,
    count: Count,
    size: int = 9_000,
    maker_of: Callable[[random.Random], NeedleMaker] = RuleMaker,
    first: int = 0,
) -> RulesKept:
    """Plant *rules* in each transcript, compact it *rounds* times, look for each rule every time.

    Args:
        first: seed of the first transcript, so that a long run can be done in chunks.
    """
    kept = RulesKept()
    for seed in range(first, first + transcripts):
        maker = TranscriptMaker(seed, count, maker_of, rules)
        maker.grow(size)
        messages: list[Any] = list(maker.messages)
        planted = maker.needles
        policy = policy_for(size, None)
        for round_ in range(1, rounds + 1):
            result = compacted(messages, policy)
            sight = "\n".join(iter_texts(result.messages))
            # The list grows with the transcript until all rules are planted.
            kept.checks += len(planted)
            kept.lost += [(f"rules/{seed}", round_, one) for _, one in planted if not one.is_in(sight)]
            written = len(maker.messages)
            maker.grow(maker.tokens + size - result.tokens_after)
            messages = [*result.messages, *maker.messages[written:]]
        kept.rules += len(planted)
        kept.tokens += sum(count(needle.sentence) for _, needle in planted)
    return kept


def main() -> None:
    """Print a table per size, the chain, the kinds, and write what was not answered."""
    asked = _arguments()
    count = token_counter().count
    if asked.page:
        from bench.recall_page import write_page

        write_page(count)
        return
    model = OpenAICompatible(base_url=asked.base_url, model=asked.model) if asked.base_url else None
    failures: list[tuple[str, str, Needle]] = []
    for size in asked.sizes if asked.seeds else ():
        for budget in (None, *asked.budgets):
            wanted = f"{budget:,}" if budget else "by default"
            print(f"\n{size:,} tokens, {asked.seeds} transcripts, handoff {wanted}")
            print(f"{'':<16} {HEADINGS}")
            tallies = run_size(size, asked.seeds, budget, count, search=asked.search, model=model)
            for arm, tally in tallies.items():
                print(f"{arm:<16} {tally.row()}", flush=True)
            engine = tallies["engine"]
            print(f"{'':<16} {_kinds(engine)}")
            ours = [(arm, tally) for arm, tally in tallies.items() if arm not in BASELINES]
            failures += [(arm, name, one) for arm, tally in ours for name, one in tally.failures]
    if asked.chain:
        print(f"\nthe first span after 1 to {asked.chain} compactions of {asked.chain_size:,} tokens")
        print(f"{'':<16} {HEADINGS}")
        for number, tally in enumerate(run_chain(asked.chain, asked.chain_size, asked.seeds, count), start=1):
            print(f"{number:<16} {tally.row()}", flush=True)
            print(f"{'':<16} {_kinds(tally)}")
    failures += _planted(asked, count)
    _public(asked)
    if asked.failures:
        _write(asked.failures, failures)


def _public(asked: argparse.Namespace) -> None:
    """Print what becomes of the user's own copies of public sets."""
    if asked.longmemeval:
        try:
            answers = [found_among_first(one) for one in longmemeval(asked.longmemeval)]
        except (OSError, ValueError) as error:
            raise SystemExit(f"--longmemeval: {' '.join(str(error).split())}") from error
        share, spread = proportion(sum(answers), len(answers))
        print(f"\nLongMemEval, {len(answers)} questions, recall at 5: {share:.1%} ±{spread:.1%}")
    if asked.compact_bench:
        _recorded(asked.compact_bench, asked.fields)


def _recorded(path: Path, fields: str) -> None:
    """Print how many details of the user's own copy stand in the context behind each recorded boundary."""
    try:
        found = [kept_details(one) for one in recorded_boundaries(path, read_fields(fields))]
    except (OSError, ValueError) as error:
        raise SystemExit(f"--compact-bench: {' '.join(str(error).split())}") from error
    kept, asked = sum(one for one, _ in found), sum(one for _, one in found)
    share, spread = proportion(kept, asked)
    print(f"\nCompact-Bench, {len(found)} boundaries, {asked} details, kept: {share:.1%} ±{spread:.1%}")


def _planted(asked: argparse.Namespace, count: Count) -> list[tuple[str, str, Needle]]:
    """Print what became of planted rules, and return those that were lost."""
    lost: list[tuple[str, str, Needle]] = []
    planted = (
        ("rules", asked.rules, 9_000, RuleMaker),
        ("roundabout", asked.roundabout, 30_000, RoundaboutMaker),
    )
    for what, transcripts, size, maker_of in planted:
        if transcripts:
            kept = run_rules(transcripts, 20, 20, count, size, maker_of, asked.first)
            print(f"\n{what}: {kept.row()}", flush=True)
            lost += [("engine", name, one) for name, _, one in kept.lost]
    return lost


def _kinds(tally: Tally) -> str:
    shares = sorted(tally.by_kind.items())
    return ", ".join(f"{kind} {right / asked:.0%}" for kind, (right, asked) in shares)


def _write(path: Path, failures: Sequence[tuple[str, str, Needle]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(
            ("arm", "transcript", "kind", "speaker", "language", "question", "answer", "sentence")
        )
        for arm, name, needle in failures:
            writer.writerow(
                (
                    arm,
                    name,
                    needle.kind,
                    needle.speaker,
                    needle.language,
                    needle.question,
                    needle.value,
                    needle.sentence,
                )
            )


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(one) for one in text.split(","))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--sizes", type=_numbers, default=SIZES)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--budgets", type=_numbers, default=())
    parser.add_argument("--chain", type=int, default=0)
    parser.add_argument("--chain-size", type=int, default=100_000)
    parser.add_argument("--rules", type=int, default=0, help="so many transcripts of 20 planted rules")
    parser.add_argument("--roundabout", type=int, default=0, help="the same in words that no list knows")
    parser.add_argument("--first", type=int, default=0, help="seed of the first of these, for runs in chunks")
    parser.add_argument("--search", action="store_true")
    parser.add_argument("--base-url")
    parser.add_argument("--model", default="")
    parser.add_argument("--longmemeval", type=Path)
    parser.add_argument("--compact-bench", type=Path)
    parser.add_argument("--fields", default="", help="names in that file: messages=history,details=atoms")
    parser.add_argument("--page", action="store_true", help="write docs/recall.md and its chart")
    parser.add_argument("--failures", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
