"""How many of the facts that matter are found, and how many of those found matter.

    python -m bench.facts [FOLDER] [--failures FILE]

Runs `hermes_sessions.extract_facts` over a labelled set (`tests/gold`, see its README) and
prints recall and precision by kind, source and language with 95 % intervals (Wilson), beside
three baselines counted in the same way: every number, path and quoted word of one regular
expression; every line; nothing. A baseline's fact passes for any kind.
"""

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench.fact_scores import (
    ANY_KIND,
    Extractor,
    Fact,
    Found,
    Scored,
    Share,
    any_kind_of,
    keys_of,
    precision_of,
    recall_of,
    score_text,
)
from bench.gold import FOLDER, GoldError, GoldText, load_gold, plain_text
from hermes_sessions import extract_facts

_TOKEN: Final = re.compile(
    r"""[`"'«「]([^`"'»」\n]{1,80})[`"'»」]|((?:[\w.~-]*/)+[\w.-]+|\d(?:[\d.,:]*\d)?)"""
)


def find_tokens(message: Mapping[str, Any]) -> Iterator[Found]:
    """Yield every number, path and quoted word."""
    for match in _TOKEN.finditer(plain_text(message)):
        yield Found(ANY_KIND, match[1] or match[2])


def find_lines(message: Mapping[str, Any]) -> Iterator[Found]:
    """Yield every line."""
    for line in plain_text(message).splitlines():
        if line.strip():
            yield Found(ANY_KIND, line.strip())


def find_nothing(message: Mapping[str, Any]) -> Iterator[Found]:
    """Yield nothing."""
    yield from ()


BASELINES: Final[dict[str, Extractor]] = {
    "tokens": find_tokens,
    "lines": find_lines,
    "nothing": find_nothing,
}


def measure(texts: Sequence[GoldText], extract: Extractor) -> tuple[Scored, ...]:
    """Score every text; an extractor that raises is told which text it was."""
    scores = []
    for text in texts:
        try:
            scores.append(score_text(text, extract))
        except Exception as error:
            error.add_note(f"in {text.name}")
            raise
    return tuple(scores)


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: the scores it counts, of one kind or of all."""

    name: str
    scores: tuple[Scored, ...]
    baselines: tuple[tuple[Scored, ...], ...]
    kind: str | None = None


def make_tables(
    scores: tuple[Scored, ...], baselines: tuple[tuple[Scored, ...], ...]
) -> dict[str, list[Row]]:
    """Group what was scored by kind, source and language, and as a whole."""
    kinds = {label.kinds[0] for one in scores for label in one.text.labels}
    kinds |= {fact.kind for one in scores for fact in (*one.right, *one.false)}

    def among(names: Sequence[str]) -> list[Row]:
        def of(part: Sequence[Scored], name: str) -> tuple[Scored, ...]:
            return tuple(one for one, where in zip(part, names, strict=True) if where == name)

        return [
            Row(name, of(scores, name), tuple(of(part, name) for part in baselines))
            for name in sorted(set(names))
        ]

    return {
        "kind": [Row(kind, scores, baselines, kind) for kind in sorted(kinds)],
        "source": among([one.text.source for one in scores]),
        "language": among([one.text.language for one in scores]),
        "everything": [Row("all", scores, baselines)],
    }


def _percent(share: Share) -> str:
    return f"{100 * share.value:4.0f}" if share.whole else "   -"


def _with_interval(share: Share) -> str:
    if not share.whole:
        return f"{share.whole:6}{'-':>6}{'':10}"
    low, high = (100 * one for one in share.interval())
    return f"{share.whole:6}{100 * share.value:6.1f} [{low:3.0f}-{high:3.0f}]"


def _print_row(row: Row) -> None:
    told = [
        _with_interval(recall_of(row.scores, row.kind)),
        _with_interval(precision_of(row.scores, row.kind)),
    ]
    for part in row.baselines:
        exact = Share(0, 0) if row.kind else precision_of(part)  # their facts are of no kind
        told.append(f"  {_percent(recall_of(part, row.kind))} /{_percent(exact)}")
    print(f"{row.name:24}" + "".join(told))


def print_tables(scores: tuple[Scored, ...]) -> None:
    """Print the tables; the right-hand columns are recall and precision of the baselines."""
    texts = tuple(one.text for one in scores)
    baselines = tuple(measure(texts, one) for one in BASELINES.values())
    print(f"{len(texts)} texts, {recall_of(scores).whole} labels; shares in %")
    for title, rows in make_tables(scores, baselines).items():
        columns = "labels recall  95 %     facts  prec.  95 %    "
        print(f"\n{'by ' + title:24}{columns}" + "".join(f"{name:>13}" for name in BASELINES))
        for row in rows:
            _print_row(row)
    print(f"\nlabels found under any kind: {_counted(any_kind_of(scores))}")
    print(f"keys that agree where the label has one: {_counted(keys_of(scores))}")


def _counted(share: Share) -> str:
    return f"{100 * share.value:.0f} % ({share.part} of {share.whole})"


def iter_failures(scores: Sequence[Scored]) -> Iterator[str]:
    """Yield a line for each miss and each false fact: text, place, kind, value, the line it stands in."""
    for one in scores:
        text = plain_text(one.text.message)
        for label in one.misses:
            value = label.values[0]
            named = f"{'|'.join(label.kinds)} {_keyed(label.key)}{value!r}"
            yield f"{one.text.name}:{_place(text, value)}: missed {named}"
        for fact in one.false:
            yield f"{one.text.name}:{_place(text, fact.value)}: false {_described(fact)}"


def _described(fact: Fact) -> str:
    line = getattr(fact, "text", "") or fact.value
    return f"{fact.kind} {_keyed(fact.key)}{fact.value!r}" + (
        f" in {line[:120]!r}" if line != fact.value else ""
    )


def _keyed(key: str) -> str:
    return f"{key} = " if key else ""


def _place(text: str, value: str) -> str:
    """Return the number of the line in the plain text, or `?`."""
    start = text.find(value)
    return "?" if start < 0 else str(text.count("\n", 0, start) + 1)


def main(arguments: Sequence[str] | None = None, extract: Extractor | None = None) -> int:
    """Print the tables and write the failures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER, help="a labelled set")
    parser.add_argument("--failures", type=Path, metavar="FILE", help="write every miss and false fact there")
    asked = parser.parse_args(arguments)
    try:
        scores = measure(load_gold(asked.folder), extract or extract_facts)
        if asked.failures:
            asked.failures.write_text("".join(f"{line}\n" for line in iter_failures(scores)), "utf-8")
    except (GoldError, OSError) as error:
        print(f"bench.facts: {error}", file=sys.stderr)
        return 2
    print_tables(scores)
    return 0


if __name__ == "__main__":
    sys.exit(main())
