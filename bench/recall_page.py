"""Write `docs/recall.md` and `docs/images/recall.svg`: what the exam of `bench.recall` finds.

Called by `python -m bench.recall --page`; takes minutes.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from bench.drawing import document, words
from bench.exam.baselines import BASELINES, Count
from bench.recall import SIZES, RulesKept, Tally, proportion, run_chain, run_rules, run_size

DOCS = Path(__file__).parent.parent / "docs"
BEGIN, END = "<!-- python -m bench.recall --page -->", "<!-- end -->"
_SEEDS: Final = {15_000: 8, 45_000: 4, 130_000: 2, 274_000: 1}
_BUDGETS: Final = (1_000, 2_000, 4_000, 8_000, 16_000)
_CURVE: Final = 130_000
_CURVE_SEEDS: Final = 1
_CHAIN: Final = (5, 100_000, 1)
_RULES: Final = (5, 20, 20)
_ARMS: Final = ("engine", *(name for name in BASELINES if name not in ("nothing", "everything")))
_DASHES: Final = ("", "6 3", "2 3", "8 3 2 3", "1 5", "12 4", "4 2 1 2")
_LEFT, _TOP, _WIDTH, _HEIGHT = 60, 40, 470, 260


def write_page(count: Count) -> None:
    """Run the exam and write the tables between the marks, and the chart."""
    sizes = {size: run_size(size, _SEEDS[size], None, count, search=True) for size in SIZES}
    curve = {budget: run_size(_CURVE, _CURVE_SEEDS, budget, count, search=False) for budget in _BUDGETS}
    chain = run_chain(*_CHAIN, count)
    rules = run_rules(*_RULES, count)
    tables = "\n\n".join(
        (_sizes(sizes), _budgets(curve), _chain(chain), _rules(rules), _failures(sizes, chain))
    )
    page = DOCS / "recall.md"
    before, _, rest = page.read_text("utf-8").partition(BEGIN)
    page.write_text(f"{before}{BEGIN}\n\n{tables}\n\n{END}{rest.partition(END)[2]}", "utf-8")
    (DOCS / "images" / "recall.svg").write_text(draw(curve), "utf-8")


def _sizes(sizes: Mapping[int, Mapping[str, Tally]]) -> str:
    lines = ["### By default", "", "| transcript | arm | recall | 95 % | tokens | of the span | asked |"]
    lines.append("|---|---|---|---|---|---|---|")
    for size, tallies in sizes.items():
        for arm, tally in tallies.items():
            if arm not in ("nothing", "everything"):
                share, spread = proportion(tally.right, tally.asked)
                part = tally.tokens / tally.span_tokens
                tokens = tally.tokens // _SEEDS[size]
                cells = (f"{size:,}", arm, f"{share:.1%}", f"±{spread:.1%}", f"{tokens:,}", f"{part:.1%}")
                lines.append(f"| {' | '.join(cells)} | {tally.asked} |")
    return "\n".join(lines)


def _budgets(curve: Mapping[int, Mapping[str, Tally]]) -> str:
    arms = " | ".join(_ARMS)
    lines = [f"### By tokens, a transcript of {_CURVE:,}", "", f"| handoff | {arms} |"]
    lines.append("|---" * (len(_ARMS) + 1) + "|")
    for budget, tallies in curve.items():
        shares = (f"{proportion(tallies[arm].right, tallies[arm].asked)[0]:.1%}" for arm in _ARMS)
        lines.append(f"| {budget:,} | {' | '.join(shares)} |")
    return "\n".join(lines)


def _chain(tallies: Sequence[Tally]) -> str:
    rounds, size, seeds = _CHAIN
    lines = [
        f"### The first span after 1 to {rounds} compactions of {size:,} tokens, transcripts: {seeds}",
        "",
    ]
    lines += ["| compactions | recall | 95 % | decisions | rules | stale |", "|---|---|---|---|---|---|"]
    for number, tally in enumerate(tallies, start=1):
        share, spread = proportion(tally.right, tally.asked)
        kinds = (f"{_share(tally, kind):.0%}" for kind in ("decision", "rule"))
        lines.append(f"| {number} | {share:.1%} | ±{spread:.1%} | {' | '.join(kinds)} | {tally.stale} |")
    return "\n".join(lines)


def _share(tally: Tally, kind: str) -> float:
    right, asked = tally.by_kind.get(kind, (0, 0))
    return right / asked if asked else 1.0


def _rules(kept: RulesKept) -> str:
    transcripts, rules, rounds = _RULES
    lost = Counter((needle.speaker, needle.language) for _, _, needle in kept.lost)
    told = "".join(
        f"\n* {speaker}, {language}: {number}" for (speaker, language), number in lost.most_common()
    )
    return (
        f"### Rules\n\n{kept.rules} rules ({transcripts} transcripts of {rules}), each looked for after each"
        f" of {rounds} compactions: {len(kept.lost)} of {kept.checks:,} times out of sight;"
        f" {kept.tokens / kept.rules:.1f} tokens a rule.{told}"
    )


def _failures(sizes: Mapping[int, Mapping[str, Tally]], chain: Sequence[Tally]) -> str:
    missed = [
        (str(size), needle) for size, tallies in sizes.items() for _, needle in tallies["engine"].failures
    ]
    missed += [(f"round {len(chain)}", needle) for _, needle in chain[-1].failures]
    counts = Counter((where, needle.kind, needle.speaker) for where, needle in missed)
    if not counts:
        return "### What was missed\n\nNothing at these sizes."
    lines = ["### What was missed", "", "| where | kind | speaker | missed |", "|---|---|---|---|"]
    lines += [
        f"| {where} | {kind} | {speaker} | {number} |" for (where, kind, speaker), number in counts.items()
    ]
    return "\n".join(lines)


def draw(curve: Mapping[int, Mapping[str, Tally]]) -> str:
    """Return recall over tokens as a drawing, one line an arm."""
    parts = [
        words(_LEFT, 22, f"Recall by tokens of the handoff, transcripts of {_CURVE:,} tokens", "name"),
        *_axes(tuple(curve)),
    ]
    ends: list[int] = []
    for arm, dashes in zip(_ARMS, _DASHES, strict=False):
        points = [
            (at, proportion(tallies[arm].right, tallies[arm].asked)[0])
            for at, tallies in enumerate(curve.values())
        ]
        places = " ".join(f"{_x(at, len(curve))},{_y(share)}" for at, share in points)
        parts.append(
            f'<polyline points="{places}" fill="none" stroke="var(--accent)" stroke-dasharray="{dashes}"'
            f' stroke-width="{3 if arm == "engine" else 1.3}"/>'
        )
        y = _y(points[-1][1]) + 4
        while any(abs(y - other) < 14 for other in ends):
            y += 7
        ends.append(y)
        parts.append(words(_LEFT + _WIDTH + 10, y, arm, "name" if arm == "engine" else "quiet"))
    told = "; ".join(
        f"{arm}: "
        + ", ".join(f"{proportion(one[arm].right, one[arm].asked)[0]:.0%}" for one in curve.values())
        for arm in _ARMS
    )
    return document(_LEFT + _WIDTH + 130, _TOP + _HEIGHT + 60, "Recall by tokens of the handoff", told, parts)


def _axes(budgets: Sequence[int]) -> Iterable[str]:
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = _y(share)
        yield f'<path d="M{_LEFT} {y}H{_LEFT + _WIDTH}" stroke="var(--line)" stroke-width="0.4"/>'
        yield words(14, y + 4, f"{share:.0%}", "quiet")
    for at, budget in enumerate(budgets):
        yield words(_x(at, len(budgets)) - 16, _TOP + _HEIGHT + 22, f"{budget:,}", "quiet")
    yield words(_LEFT, _TOP + _HEIGHT + 44, "tokens of the handoff", "quiet")


def _x(at: int, count: int) -> int:
    return _LEFT + 10 + at * (_WIDTH - 20) // max(count - 1, 1)


def _y(share: float) -> int:
    return _TOP + round((1 - share) * _HEIGHT)
