"""The exam that others made (`compaction-conformance-kit`, MIT): our engine beside the kit's own compactors.

    pip install -e '.[conformance]'
    python -m bench.conformance [--budgets 2,5,10,20] [--kilobytes 300] [--seeds 3] [--rounds 5]
                                [--speakers user,assistant,tool] [--lost]

The kit plants canaries (safety rules, constraints, facts, goals, preferences) in a session and asks after
each of some compactions which of them the context still holds: every word that matters, to the letter. A
budget is a share of the first transcript's characters and holds for every round. Its sessions are a few
kilobytes; the large ones are the same among the work of an agent (`bench.exam`, without needles), the
canaries said by whom one likes. Between two rounds the small sessions stand still, as the kit has it; in
the large ones work goes on, a tenth of the session each time, for the engine and the baselines alike. The
engine is given its context back as messages. The kit's checklists know canaries by the labels before them.
"""

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import mean
from typing import Any, Final

from compaction_kit.adapters import ProgressiveSummaryCompactor
from compaction_kit.canaries import Canary
from compaction_kit.compacted import CompactedContext
from compaction_kit.compactors import (
    ChecklistCompactor,
    LossyTruncationCompactor,
    NaiveSummaryCompactor,
    PinnedRulesCompactor,
    SummaryTailCompactor,
    UpdateAwareChecklistCompactor,
)
from compaction_kit.corpus import build_random_session
from compaction_kit.generated import build_generated_session
from compaction_kit.probes import BehaviorProbe
from compaction_kit.session import Turn

from bench.exam.rules import RuleMaker
from bench.exam.transcripts import TranscriptMaker
from hermes_sessions.compaction import CompactionPolicy, compact_transcript, context_tokens
from hermes_sessions.summarizers import ExtractiveSummarizer
from hermes_sessions.tokens import token_counter

Dict = dict[str, Any]

BASELINES: Final[Sequence[Any]] = (
    LossyTruncationCompactor,
    NaiveSummaryCompactor,
    ChecklistCompactor,
    UpdateAwareChecklistCompactor,
    PinnedRulesCompactor,
    SummaryTailCompactor,
    ProgressiveSummaryCompactor,
)
_WINDOW: Final = 1.6
"""A transcript of so many tokens is compacted in a window of this many times as many."""
_TAIL_SHARE: Final = 0.05
_LEAST_WINDOW: Final = 100
_TRIES: Final = 20
_FINER: Final = 4
_LOWER: Final = (0.97, 0.94, 0.91, 0.88, 0.85)
_SMALL_CHARS: Final = 4_000
"""Into so many parts what lies between a size that is too much and one that fits is cut; and what is tried
below, where the budget is smaller than that."""
_FIRST_TRY: Final = 1.8
"""A handoff takes two thirds of what is left: more than the budget is tried first."""
_MORE: Final = 10
"""Between two rounds a large session grows by one part of so many."""


class EngineCompactor:
    """Our engine as a `Compactor` of the kit.

    It knows its own output again and goes on with the messages it stands for, as an agent does.
    """

    name = "hermes-sessions"

    def __init__(self) -> None:
        self._written: dict[str, list[Dict]] = {}

    def compact(
        self, turns: Sequence[Turn], round_num: int = 1, budget_chars: int | None = None
    ) -> CompactedContext:
        """Compact so that the context, speakers included, keeps to *budget_chars*."""
        messages = [message for turn in turns for message in self._messages(turn)]
        kept = _compacted(messages, budget_chars)
        text = shown(kept)
        self._written[text] = kept
        return CompactedContext(text=text, compactor_name=self.name, round_num=round_num)

    def _messages(self, turn: Turn) -> list[Dict]:
        known = self._written.get(turn.text)
        return list(known) if known is not None else messages_of(turn)


def messages_of(turn: Turn) -> list[Dict]:
    """Return a turn as messages; a tool's has a call in front."""
    if turn.role != "tool":
        return [{"role": turn.role, "content": turn.text}]
    key = f"call_{abs(hash(turn.text)):x}"
    function = {"name": "terminal", "arguments": json.dumps({"command": "cat notice.txt"})}
    call = {"id": key, "type": "function", "function": function}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": key, "content": turn.text},
    ]


def shown(messages: Iterable[Dict]) -> str:
    """Return messages as the kit writes turns."""
    return "\n".join(f"[{one['role']}] {one['content'] or ''}" for one in messages)


def _compacted(messages: list[Dict], budget_chars: int | None) -> list[Dict]:
    """Return the roomiest context within the budget; the smallest where none is."""
    if budget_chars is None:
        return _once(messages, None)
    count = token_counter().count
    tokens = max(1, budget_chars * count(sample := shown(messages)) // max(1, len(sample)))
    best: list[Dict] = []
    above = tokens = int(tokens * _FIRST_TRY)
    for _ in range(_TRIES):
        kept = _once(messages, max(1, tokens))
        size = len(shown(kept))
        if not best or size < len(shown(best)):
            best = kept
        if size <= budget_chars:
            return _roomier(messages, budget_chars, kept, (tokens, above))
        above, tokens = tokens, int(tokens * max(0.8, min(0.95, budget_chars / size)))
    return best


def _roomier(
    messages: list[Dict], budget_chars: int, best: list[Dict], between: tuple[int, int]
) -> list[Dict]:
    """Return the largest context that fits of those near *between*: what fits, what does not.

    A handoff that gives something up is smaller than one of a few tokens less.
    """
    fitting, above = between
    lower = (int(fitting * share) for share in _LOWER if budget_chars < _SMALL_CHARS)
    for tokens in (
        *((fitting * step + above * (_FINER - step)) // _FINER for step in range(1, _FINER)),
        *lower,
    ):
        kept = _once(messages, max(1, tokens))
        if len(shown(best)) < len(shown(kept)) <= budget_chars:
            best = kept
    return best


def _once(messages: list[Dict], tokens: int | None) -> list[Dict]:
    """Compact once, in a window whose threshold is the budget."""
    if tokens is None:
        policy = CompactionPolicy(max(2_000, int(context_tokens(messages) * _WINDOW)))
    else:
        policy = CompactionPolicy(
            max(_LEAST_WINDOW, tokens * 2), head_messages=0, min_tail_messages=1, soft_ceiling=1.0,
            tail_tokens=int(tokens * _TAIL_SHARE), handoff_tokens=tokens,
            request_tokens=context_tokens(messages),
        )  # fmt: skip
    return list(compact_transcript(messages, policy=policy, summarize=ExtractiveSummarizer()).messages)


@dataclass(slots=True)
class Survival:
    """What one compactor kept: a share for every session and round, and how often it overran its budget."""

    shares: list[list[float]] = field(default_factory=list)
    over: int = 0
    stale: int = 0
    chars: list[int] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    def row(self) -> str:
        """Return the mean share after each round, characters, sizes over the budget, old values in sight."""
        rounds = " ".join(f"{mean(one):5.2f}" for one in zip(*self.shares, strict=True))
        return f"{rounds}  {mean(self.chars):>8,.0f} {self.over:>5} {self.stale:>6}"


def run(
    compactor: Any, rounds: Sequence[Sequence[Turn]], canaries: Sequence[Canary], budget: int, into: Survival
) -> None:
    """Compact once for each element of *rounds*: the turns that come before that compaction."""
    turns: list[Turn] = []
    shares = []
    probe = BehaviorProbe()
    for number, more in enumerate(rounds, start=1):
        found = compactor.compact([*turns, *more], round_num=number, budget_chars=budget)
        held = [one for one in canaries if probe.probe(one, found.text).survived]
        shares.append(len(held) / len(canaries))
        into.over += len(found.text) > budget
        into.chars.append(len(found.text))
        turns = [Turn("system", found.text)]
    low = found.text.lower()
    into.lost += [one.content for one in canaries if one not in held]
    old = [value.lower() for one in canaries for value in one.superseded_tokens if one not in held]
    into.stale += sum(value in low for value in old)
    into.shares.append(shares)


def large(
    turns: Sequence[Turn], seed: int, kilobytes: int, speaker: str
) -> tuple[list[Turn], Callable[[], list[Turn]]]:
    """Return the session among the work of an agent, and what says how that goes on."""
    maker = TranscriptMaker(seed, lambda text: len(text), RuleMaker, 0)
    maker.grow(kilobytes * 1_000)
    work = list(_as_turns(maker.messages))
    said = [_said_by(turn, speaker) for turn in turns]
    step = len(work) // len(said)
    mixed = [turn for at, one in enumerate(said) for turn in (one, *work[at * step : (at + 1) * step])]

    def more() -> list[Turn]:
        written = len(maker.messages)
        maker.grow(maker.tokens + kilobytes * 1_000 // _MORE)
        return list(_as_turns(maker.messages[written:]))

    return mixed, more


def _said_by(turn: Turn, speaker: str) -> Turn:
    if turn.canary_id is None or speaker == "user":
        return turn
    text = json.dumps({"output": turn.text, "exit_code": 0}) if speaker == "tool" else turn.text
    return Turn(speaker, text, turn.canary_id)


def _as_turns(messages: Iterable[Dict]) -> Iterator[Turn]:
    for one in messages:
        if one["role"] != "system":
            yield Turn(one["role"], str(one["content"] or ""))


def _small(budget: float, seeds: int, rounds: int) -> None:
    print(f"\nthe kit's sessions, {budget:.0%} budget")
    for factory in (EngineCompactor, *BASELINES):
        found = Survival()
        for build in (build_random_session, build_generated_session):
            for seed in range(1, seeds + 1):
                session, canaries = build(seed)
                turns = session.transcript()
                chars = int(len(session.full_text()) * budget)
                run(factory(), [turns, *[[] for _ in range(rounds - 1)]], canaries, chars, found)
        print(f"  {factory.name:<24} {found.row()}", flush=True)


def _large(budget: float, asked: argparse.Namespace, speaker: str) -> None:
    print(f"\n{asked.kilobytes} kB, {budget:.0%} budget, canaries said by {speaker}")
    for factory in (EngineCompactor, *BASELINES):
        found = Survival()
        for seed in range(1, asked.seeds + 1):
            session, canaries = build_random_session(seed)
            turns, more = large(session.transcript(), seed, asked.kilobytes, speaker)
            chars = int(len("\n".join(f"[{one.role}] {one.text}" for one in turns)) * budget)
            run(factory(), [turns, *[more() for _ in range(asked.rounds - 1)]], canaries, chars, found)
        print(f"  {factory.name:<24} {found.row()}", flush=True)
        for text in found.lost if factory is EngineCompactor and asked.lost else ():
            print(f"    lost: {text}")


def main() -> None:
    """Print, for each budget, what is held after each round, by us and by the kit's own compactors."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--budgets", default="2,5,10,20", help="percent of the first transcript's characters")
    parser.add_argument("--kilobytes", type=int, default=300, help="of a large session; 0 for none")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--speakers", default="user,assistant,tool")
    parser.add_argument("--lost", action="store_true", help="list what the engine lost")
    asked = parser.parse_args()
    print(f"{'':<26} held after each round, characters, over budget, old values")
    for budget in (float(one) / 100 for one in asked.budgets.split(",")):
        _small(budget, asked.seeds, asked.rounds)
        for speaker in asked.speakers.split(",") if asked.kilobytes else ():
            _large(budget, asked, speaker)


if __name__ == "__main__":
    main()
