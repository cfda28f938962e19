"""Planted rules followed through ten compactions, planted orders and planted stale tasks, in five languages.

    python -m bench.planted_rules [--failures]

100 rules, said by users, systems, assistants and tools, with sentences between them that are none; half
of them are told by the handoffs in other words. Each is dropped by one of the ten compactions, or by none.
*Found* are in the ledger, *listed* is all that the ledger lists; *lost* were dropped, *named* are losses
that the ledger names, *right* those it names at the compaction that dropped the rule. 60 orders and 60
stale tasks follow, each with a clean twin. `--failures` names what was missed and what was beyond.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from bench.planted_lines import DONE_HEADING, NO_RULES, OPEN_HEADINGS, ORDERS, RULES, TASKS, THEN, THINGS
from hermes_sessions.audit.ledger.ledger import build_ledger
from hermes_sessions.audit.ledger.values import LedgerRule
from tests.audit.builders import Compacted, assistant, call, compacted, hits, tool, user
from tests.audit.planted.chains import COMPACTIONS, PlantedRule, a_chain

PER_CHAIN: Final = 5
_SPEAKERS: Final = ("user", "system", "assistant", "tool")
_STEP: Final = 7


@dataclass(slots=True)
class RuleTally:
    """What became of the rules of one language."""

    planted: int = 0
    found: int = 0
    listed: int = 0
    beyond: int = 0
    lost: int = 0
    named: int = 0
    right: int = 0
    failures: list[str] = field(default_factory=list)

    def add(self, other: "RuleTally") -> None:
        """Add another language's."""
        for name in ("planted", "found", "listed", "beyond", "lost", "named", "right"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def row(self) -> str:
        """Return the counts and four shares."""
        counts = (self.planted, self.found, self.listed, self.lost, self.named, self.right)
        shares = (
            _share(self.found, self.planted),
            _share(self.listed - self.beyond, self.listed),
            _share(self.right, self.lost),
            _share(self.right, self.named),
        )
        return "".join(f"{one:>8}" for one in (*counts, *shares))


@dataclass(slots=True)
class TwinTally:
    """How many planted handoffs were found, and how many of their twins were accused."""

    planted: int = 0
    found: int = 0
    accused: int = 0
    failures: list[str] = field(default_factory=list)


def plant_rules(language: str) -> list[PlantedRule]:
    """Return twenty rules of a language: ten forms, each of two things, by whoever can set them."""
    found = []
    for at in range(2 * len(RULES[language])):
        form = RULES[language][at % len(RULES[language])]
        thing = THINGS[language][(at * 3 + at // 10) % len(THINGS[language])]
        speakers = _SPEAKERS if form.by_anybody else _SPEAKERS[:2]
        told = form.told if at % 2 else form.said
        lost_by = (at * _STEP + len(language)) % (COMPACTIONS + 3)
        found.append(
            PlantedRule(
                language,
                speakers[(at + at // 10) % len(speakers)],
                _sentence(form.said, thing),
                _sentence(told, thing),
                lost_by if 0 < lost_by <= COMPACTIONS else 0,
            )
        )
    return found


def _sentence(form: str, thing: str) -> str:
    said = form.format(x=thing)
    return said[0].upper() + said[1:]


def follow(language: str) -> RuleTally:
    """Return what the ledger says of a language's rules, five of them a conversation."""
    tally = RuleTally()
    rules = plant_rules(language)
    none = [PlantedRule(language, speaker, text, "", 1) for speaker, text in NO_RULES[language]]
    for number, start in enumerate(range(0, len(rules), PER_CHAIN)):
        chosen = rules[start : start + PER_CHAIN]
        said = [one for pair in zip(chosen, [*none, *none][number:], strict=False) for one in pair]
        ledger = build_ledger(a_chain(said, frame=number % 4))
        tally.listed += len(ledger)
        matched: list[LedgerRule] = []
        for rule in chosen:
            core = rule.text.rstrip(".。")
            own = [one for one in ledger if one.text in rule.text or core in one.text]
            matched += own
            _judge(rule, own, tally)
        strange = [one for one in ledger if one not in matched]
        tally.beyond += len(strange)
        tally.failures += [f"{language} beyond   {one.speaker:9} {one.text}" for one in strange]
    return tally


def _judge(rule: PlantedRule, own: Sequence[LedgerRule], tally: RuleTally) -> None:
    named = own[0].lost_by.ordinal if own and own[0].lost_by is not None else 0
    tally.planted += 1
    tally.found += bool(own)
    tally.lost += bool(rule.lost_by)
    tally.named += bool(named)
    tally.right += bool(named) and named == rule.lost_by
    where = f"{rule.language} {{:8}} {rule.speaker:9} {rule.text} | {rule.told}"
    if not own:
        tally.failures.append(where.format("unread"))
    elif named != rule.lost_by:
        tally.failures.append(f"{where.format('fate')} | lost by {rule.lost_by}, named {named}")


def orders(language: str) -> Iterator[tuple[Compacted, Compacted]]:
    """Yield twelve handoffs with an order nobody gave, each with its clean twin."""
    for at in range(2 * len(ORDERS[language])):
        planted, clean = ORDERS[language][at % len(ORDERS[language])]
        thing = THINGS[language][(at + at // 6) % len(THINGS[language])]
        task = TASKS[language][at % len(TASKS[language])]
        before = [user(task.asked), assistant("", call("ls")), tool("c1"), assistant(task.done)]
        last = [user(THEN[language]), assistant("", call("ls", "c2")), tool("c2")]
        yield _twins([*before, *last], _sentence(planted, thing), _sentence(clean, thing))


def stale_tasks(language: str) -> Iterator[tuple[Compacted, Compacted]]:
    """Yield twelve handoffs with a task as open that was done or called off, each with its clean twin."""
    heading, done = OPEN_HEADINGS[language], DONE_HEADING[language]
    for at in range(2 * len(TASKS[language])):
        task = TASKS[language][at % len(TASKS[language])]
        is_done = at < len(TASKS[language])
        title = heading[at % len(heading)]
        before = [user(task.asked), assistant("", call("ls")), tool("c1")]
        before += [assistant(task.done)] if is_done else [user(task.dropped), assistant("OK.")]
        last = [user(THEN[language]), assistant("", call("ls", "c2")), tool("c2")]
        history = f"{done}\n- {task.done if is_done else task.dropped}"
        clean = f"{history}\n\n{title}\n- {THEN[language]}"
        yield _twins([*before, *last], f"{title}\n- {task.listed}", clean)


def _twins(before: list, planted: str, clean: str) -> tuple[Compacted, Compacted]:  # type: ignore[type-arg]
    keep = range(len(before) - 3, len(before))
    one, other = (compacted(before, keep=list(keep), body=body) for body in (planted, clean))
    return one, other


def try_twins(rule: str, cases: Iterator[tuple[Compacted, Compacted]]) -> TwinTally:
    """Return how often *rule* strikes a planted handoff and its twin."""
    tally = TwinTally()
    for planted, clean in cases:
        is_found, is_accused = bool(hits(planted, rule)), bool(hits(clean, rule))
        tally.planted += 1
        tally.found += is_found
        tally.accused += is_accused
        if not is_found:
            tally.failures.append(f"{rule} missed  {planted.body!r}")
        if is_accused:
            tally.failures.append(f"{rule} accused {clean.body!r}")
    return tally


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}%" if whole else "-"


def main() -> None:
    """Print three tables, and the failures if they are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--failures", action="store_true")
    shown = parser.parse_args().failures
    failures: list[str] = []
    heads = ("planted", "found", "listed", "lost", "named", "right", "recall", "precis.", "losses", "precis.")
    print("rules".ljust(12) + "".join(f"{one:>8}" for one in heads))
    whole = RuleTally()
    for language in RULES:
        tally = follow(language)
        whole.add(tally)
        failures += tally.failures
        print(language.ljust(12) + tally.row())
    print("all".ljust(12) + whole.row())
    print("\n" + "twins".ljust(12) + "".join(f"{one:>8}" for one in ("planted", "found", "accused")))
    for rule, make in (("orders", orders), ("stale-task", stale_tasks)):
        for language in RULES:
            twins = try_twins(rule, make(language))
            failures += twins.failures
            counts = "".join(f"{one:>8}" for one in (twins.planted, twins.found, twins.accused))
            print(f"{rule:12}{counts}  {language}")
    if shown:
        print("\n" + "\n".join(failures))


if __name__ == "__main__":
    main()
