"""What the requests of a played conversation show of its compactions."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tests.integrations.hermes.scripted_model import Played


@dataclass(frozen=True)
class Kept:
    """What is still in the request after a compaction, and what there was, of each kind.

    Attributes:
        turn: the turn that is played.
        facts: values that the user named, those of the running turn included.
        decisions: of the turns before.
        errors: of the turns before.
    """

    turn: int
    facts: tuple[int, int]
    decisions: tuple[int, int]
    errors: tuple[int, int]


def after_compactions(played: Played) -> list[tuple[int, dict[str, Any]]]:
    """Return the first request after each compaction, with its turn."""
    pairs = list(zip(played.turns, played.requests, strict=True))
    return [
        later for earlier, later in pairwise(pairs) if len(later[1]["messages"]) < len(earlier[1]["messages"])
    ]


def said_in(body: dict[str, Any]) -> str:
    """Return all messages of a request as one text."""
    return json.dumps(body["messages"], ensure_ascii=False)


def kept_after(played: Played) -> list[Kept]:
    """Return what each compaction kept, oldest first."""
    talk = played.conversation
    found = []
    for turn, body in after_compactions(played):
        text = said_in(body)
        facts = [fact for one in range(turn + 1) for fact in talk.user_facts(one)]
        earlier = range(turn)
        found.append(
            Kept(
                turn,
                _share(facts, text),
                _share([talk.decision(one) for one in earlier], text),
                _share([talk.error_fact(one) for one in earlier], text),
            )
        )
    return found


def tokens_of(bodies: Iterable[dict[str, Any]]) -> list[int]:
    """Return how many tokens each request has, as the scripted model counts them."""
    return [len(json.dumps(body, ensure_ascii=False)) // 4 for body in bodies]


def _share(wanted: list[str], text: str) -> tuple[int, int]:
    return sum(one in text for one in wanted), len(wanted)
