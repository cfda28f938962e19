"""How a handoff's tokens are spent: which lines it holds, by kind, weight and price. Pure."""

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from hermes_sessions.compaction.economy.fact_lines import STATEMENT, FactLine
from hermes_sessions.compaction.economy.standing import holds_on, standing_grade
from hermes_sessions.compaction.economy.wording.named_things import names_a_thing
from hermes_sessions.facts.values import FactKind
from hermes_sessions.messages import Role


class FamilyShare(NamedTuple):
    """What part of the tokens for facts a family of kinds is sure of, and what it may take at most."""

    floor: float
    ceiling: float


SHARES: Final[Mapping[str, FamilyShare]] = {
    "agreed": FamilyShare(0.31, 0.80),
    "said": FamilyShare(0.05, 0.80),
    "failed": FamilyShare(0.08, 0.25),
    "done": FamilyShare(0.08, 0.25),
    "values": FamilyShare(0.18, 0.80),
    "marks": FamilyShare(0.10, 0.50),
    "hashes": FamilyShare(0.06, 0.25),
    "measured": FamilyShare(0.08, 0.50),
    "names": FamilyShare(0.02, 0.25),
    "read": FamilyShare(0.02, 0.10),
}
_FAMILIES: Final[Mapping[str, str]] = {
    STATEMENT: "said",
    FactKind.REQUEST: "agreed",
    FactKind.DECISION: "agreed",
    FactKind.QUESTION: "agreed",
    FactKind.TODO: "agreed",
    FactKind.NEXT_STEP: "agreed",
    FactKind.ERROR: "failed",
    FactKind.TEST_RESULT: "failed",
    FactKind.FILE_CHANGED: "done",
    FactKind.COMMAND: "done",
    FactKind.ID: "marks",
    FactKind.HASH: "hashes",
    FactKind.VERSION: "marks",
    FactKind.DURATION: "measured",
    FactKind.PERCENTAGE: "measured",
    FactKind.NUMBER: "names",
    FactKind.IDENTIFIER: "names",
    FactKind.PATH: "read",
    FactKind.FILE_READ: "read",
}


def family_of(line: FactLine) -> str:
    """Return the family whose share pays for *line*."""
    family = _FAMILIES.get(line.kind, "values")
    told = family in ("read", "names") and " " in line.text and line.speaker != Role.TOOL
    return "said" if told else family


def is_laid_down(line: FactLine, score: float) -> bool:
    """Return whether a line stays in sight however little there is: a decision, or what sounds like one.

    What an earlier handoff held stays where it reads like something that holds.
    """
    if holds_on(line):
        return True
    if line.speaker == Role.TOOL and line.kind == STATEMENT:
        return score >= _PUT_OUT and standing_grade(line) >= _SURE_GRADE
    worded = _is_worded(line)
    if worded and line.speaker == Role.USER:
        if line.kind != STATEMENT:
            return score >= _SAID_BY_THE_USER + _NAMING
        return score >= (_SAID_OF_A_THING if names_a_thing(line.text) else _SAID_BY_THE_USER)
    return (worded or line.kind == FactKind.DECISION) and score >= _LAID_DOWN


def _order(line: FactLine, score: float) -> float:
    """Return by what lines are bought; what an earlier handoff held by how much it holds, too."""
    return score + max(0.0, standing_grade(line)) if line.at < 0 else score


def _is_worded(line: FactLine) -> bool:
    """Whether somebody said it in a sentence that is listed for its words, or for a name in them."""
    talk = line.kind == STATEMENT or (line.kind in _NAMED and " " in line.text)
    return talk and line.speaker != Role.TOOL


def laid_down_tokens(
    lines: Iterable[tuple[FactLine, float]], most: int, price: Callable[[FactLine], int]
) -> int:
    """Return what the decisions among *lines* cost, at most *most* tokens."""
    return min(most, sum(price(line) for line, score in lines if is_laid_down(line, score)))


def spend(
    lines: Iterable[tuple[FactLine, float]],
    tokens: int,
    price: Callable[[FactLine], int],
    laid_down: int = 0,
    *,
    sure: bool = True,
) -> list[FactLine]:
    """Return the lines that *tokens* buy, best first.

    Decisions are bought first, of the tokens that are theirs alone. Of the others each family is given
    its floor, for what is worth it, and of that at first a share for what earlier handoffs held: what is
    new does not push out all that is old. What is left goes by score, no family above its ceiling; what
    is left then goes by score alone. Of lines of one worth those of earlier rounds come first.

    Args:
        lines: (line, score); a higher score is worth more.
        price: what a line costs in tokens.
        laid_down: how many of the tokens are for decisions alone, as long as there are any.
        sure: whether a family is sure of its floor for what is worth little; else for what is worth more.
    """
    scored = sorted(lines, key=lambda one: (not is_laid_down(*one), -_order(*one), one[0].at >= 0))
    ranked = [line for line, _ in scored]
    purse = _Purse(ranked, tokens, price)
    purse.buy_first(sum(is_laid_down(*one) for one in scored), laid_down, int(tokens * _SOUNDS_SHARE))
    least = _WORTH_A_FLOOR if sure else _WORTH_A_BRIEF_FLOOR
    worth = [place for place, (_, score) in enumerate(scored) if score >= least]
    former = [place for place in worth if ranked[place].at < 0]
    purse.buy({name: share.floor * _FORMER_SHARE for name, share in SHARES.items()}, former)
    purse.buy({name: share.floor for name, share in SHARES.items()}, worth)
    purse.buy({name: share.ceiling for name, share in SHARES.items()})
    purse.buy(dict.fromkeys(SHARES, 1.0))
    return [line for place, line in enumerate(ranked) if place in purse.bought]


def affordable(
    rules: Sequence[FactLine], tokens: int, cost: Callable[[FactLine], int], *, many: bool = False
) -> list[FactLine]:
    """Return the rules that *tokens* pay for: the user's before others', newest first; in their own order.

    Args:
        many: whether the shortest come before the newest, so that more fit, and what a later one says
            again with another word goes last.
    """
    again = older_alike([rule.text for rule in rules]) if many else frozenset()

    def rank(at: int) -> tuple[float, ...]:
        speaker = _SPEAKER_RANK.get(Role(rules[at].speaker), 2)
        if not many:
            return (speaker, -at)
        return (speaker, at in again, cost(rules[at]), -at)

    by_rank = sorted(range(len(rules)), key=rank)
    kept: set[int] = set()
    for at in by_rank:
        if cost(rules[at]) <= tokens:
            tokens -= cost(rules[at])
            kept.add(at)
    return [rule for at, rule in enumerate(rules) if at in kept]


def older_alike(texts: Sequence[str]) -> frozenset[int]:
    """Return the places of texts that a later one says again with one other word."""
    newest: dict[tuple[str, ...], int] = {}
    found = set()
    for place in range(len(texts) - 1, -1, -1):
        words = texts[place].split()
        shapes = (
            [(*words[:at], "", *words[at + 1 :]) for at in range(len(words))] if len(words) > _FEW else []
        )
        if any(newest.setdefault(shape, place) != place for shape in shapes):
            found.add(place)
    return frozenset(found)


def best_of(
    lines: Sequence[tuple[FactLine, float]], tokens: int, price: Callable[[FactLine], int]
) -> list[FactLine]:
    """Return the lines that *tokens* buy, best first, whatever their kind: short ones before long ones."""
    prices = {line: price(line) for line, _ in lines}
    worth = {line: score - prices[line] * _TOKEN_WORTH for line, score in lines}
    likely = frozenset(sorted(worth, key=lambda line: -worth[line])[:_LOOKED_AT])
    compared = [line for line, _ in lines if line in likely]
    for place in older_alike([line.text for line in compared]):
        worth[compared[place]] -= _AGAIN_LOSS
    sure = {line for line, score in lines if is_laid_down(line, score)}
    bought = []
    for line in sorted(worth, key=lambda one: (one not in sure, -worth[one])):
        if prices[line] <= tokens and worth[line] > 0:
            tokens -= prices[line]
            bought.append(line)
    return bought


class _Purse:
    """Tokens that are left, what was bought and what each family has spent."""

    def __init__(self, ranked: Sequence[FactLine], tokens: int, price: Callable[[FactLine], int]) -> None:
        self._ranked = ranked
        self._tokens = self._left = tokens
        self._price = functools.cache(lambda place: price(ranked[place]))
        self._spent = dict.fromkeys(SHARES, 0)
        self.bought: set[int] = set()

    def buy_first(self, lines: int, tokens: int, sounding: int) -> None:
        """Buy what *tokens* pay of the first *lines*; shares count of what is left.

        Args:
            sounding: how many of the tokens are for what only sounds laid down and is no decision.
        """
        for place in range(lines):
            cost = self._price(place)
            line = self._ranked[place]
            stated = line.at >= 0 and (line.kind == STATEMENT or _is_worded(line))
            if cost <= min(tokens, self._left, sounding if stated else tokens):
                tokens -= cost
                sounding -= cost if stated else 0
                self._left -= cost
                self.bought.add(place)
        self._tokens = self._left

    def buy(self, limits: Mapping[str, float], places: Sequence[int] | None = None) -> None:
        """Buy in order what is affordable at *places*, no family beyond its part of the tokens."""
        full: set[str] = set()
        for place in range(len(self._ranked)) if places is None else places:
            family = family_of(self._ranked[place])
            if self._left < _LEAST_TOKENS or len(full) == len(SHARES):
                return
            if place in self.bought or family in full:
                continue
            cost = self._price(place)
            if self._spent[family] + cost > limits[family] * self._tokens:
                full.add(family)
            elif cost <= self._left:
                self._left -= cost
                self._spent[family] += cost
                self.bought.add(place)


_LEAST_TOKENS: Final = 4
_FEW: Final = 4
_LOOKED_AT: Final = 200
_AGAIN_LOSS: Final = 4.0
"""Of what a later line says with one other word, where hardly any fit."""
_TOKEN_WORTH: Final = 0.05
"""What a token takes from what a line is worth where hardly any fit."""
_SPEAKER_RANK: Final = {Role.USER: 0, Role.SYSTEM: 0, Role.ASSISTANT: 1, Role.TOOL: 2}
_FORMER_SHARE: Final = 0.6
"""Of a family's floor, for lines of earlier handoffs."""

_SOUNDS_SHARE: Final = 0.4
"""Of all tokens, for sentences that sound like a decision: they must not push out what was said of values."""
_LAID_DOWN: Final = 6.0
"""What a decision scores at least that is not how somebody talks, and a sentence that sounds like one."""
_SAID_BY_THE_USER: Final = 4.5
"""The same of a sentence of the user's: it has a word of those that bind, or tells why, or of somebody."""
_PUT_OUT: Final = 4.0
_SURE_GRADE: Final = 1.5
"""The same of a sentence that a tool put out, and how much it has to read like something that holds."""
_NAMED: Final = (FactKind.IDENTIFIER, FactKind.NAME, FactKind.NUMBER)
_NAMING: Final = 2.0
"""How much more it takes where a name is what the line is listed for."""
_SAID_OF_A_THING: Final = 3.5
"""The same of one that names a thing of the work."""
_WORTH_A_FLOOR: Final = 3.5
"""What scores less is bought with what is left only: no family is sure of tokens for its dross."""

_WORTH_A_BRIEF_FLOOR: Final = 5.0
"""The same where so few lines stand that a floor for talk would take the place of values."""
