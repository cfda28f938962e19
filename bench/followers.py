"""Does a follower miss a change where transactions end in another order than they began? A model of it.

    python -m bench.followers [--changes 10000000] [--seed 1]

Writers begin (and get their number), write a conversation, wait for one another where they write the same,
and commit or give way, in any order and after any time; some write nothing, some belong to another database
of the server. Followers look now and then, keep their cursor, and ask by the rule of
`hermes_sessions.store.queries.changes`: what is above the cursor and below the lowest number that may still
come. Beside it the rule that comes to mind first: everything that is seen above the cursor.

Missed: a conversation whose last change a follower was never given. Twice: a change that it was given again.
The model holds what a server promises (a snapshot sees all that ended before it and knows who is running);
that PostgreSQL keeps to it is tried in `tests/store/opening/test_many_writers.py`.
"""

import argparse
import random
import sys
import time
from dataclasses import dataclass, field
from typing import Final

CONVERSATIONS: Final = 400
MOST_WRITERS: Final = 64
LOOK_EVERY: Final = 23
"""Steps of the model between two looks of a follower."""


@dataclass(slots=True)
class Server:
    """What a snapshot can know: numbers given out, who is running, the last committed change of each row."""

    following: int = 1
    running: dict[int, int] = field(default_factory=dict)
    """Numbers and their conversations, -1 for a transaction of another database."""
    locked: set[int] = field(default_factory=set)
    changed: list[int] = field(default_factory=lambda: [0] * CONVERSATIONS)

    def begin(self, conversation: int) -> int:
        """Give out a number, to one that has the row, or waits for none."""
        number, self.following = self.following, self.following + 1
        self.running[number] = conversation
        self.locked.add(conversation)
        return number

    def end(self, number: int, committed: bool) -> bool:
        """End a transaction; return whether it changed something of this store."""
        conversation = self.running.pop(number)
        if conversation < 0:
            return False
        self.locked.discard(conversation)
        if committed:
            self.changed[conversation] = number
        return committed

    def ceiling(self) -> int:
        """Return the lowest number that may still come here: of ours that run, else the next."""
        return min((number for number, one in self.running.items() if one >= 0), default=self.following)


@dataclass(slots=True)
class Follower:
    """Somebody who looks, and what was given to them."""

    careful: bool
    cursor: int = 0
    given: list[int] = field(default_factory=lambda: [0] * CONVERSATIONS)
    twice: int = 0

    def look(self, server: Server) -> None:
        """Take what changed since the last look."""
        below = server.ceiling() if self.careful else server.following
        cursor = self.cursor
        for conversation, number in enumerate(server.changed):
            if self.cursor < number < below:
                self.twice += self.given[conversation] == number
                self.given[conversation] = number
                cursor = max(cursor, number)
        self.cursor = cursor

    def missed(self, server: Server) -> int:
        """Return how many conversations changed without this one knowing."""
        return sum(given != last for given, last in zip(self.given, server.changed, strict=True))


def run(changes: int, seed: int) -> tuple[int, Server, list[Follower], list[int]]:
    """Let so many changes be committed; return looks, the server, the followers, and what each missed."""
    chance = random.Random(seed)
    server, followers = Server(), [Follower(True), Follower(True), Follower(False)]
    done = looks = steps = 0
    missed = [0] * len(followers)
    while done < changes:
        steps += 1
        if len(server.running) < MOST_WRITERS and chance.random() < 0.55:
            conversation = -1 if chance.random() < 0.1 else chance.randrange(CONVERSATIONS)
            if conversation not in server.locked or conversation < 0:
                server.begin(conversation)
        elif server.running:
            # Mostly one of the newest ends: the oldest may stay for long.
            numbers = list(server.running)
            at = len(numbers) - 1 - min(int(chance.expovariate(0.2)), len(numbers) - 1)
            done += server.end(numbers[at], chance.random() < 0.9)
        if steps % LOOK_EVERY == 0:
            looks += 1
            followers[looks % len(followers)].look(server)
        if steps % 100_000 == 0:
            for number in list(server.running):
                done += server.end(number, committed=True)
            for at, follower in enumerate(followers):
                follower.look(server)
                missed[at] += follower.missed(server)
                follower.given = list(server.changed)
    return looks, server, followers, missed


def main() -> int:
    """Print what was missed and given twice; 1 where the careful ones missed anything."""
    parser = argparse.ArgumentParser(description="Does a follower miss a change?")
    parser.add_argument("--changes", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    began = time.perf_counter()
    looks, server, followers, missed = run(given.changes, given.seed)
    for follower in followers:
        follower.look(server)
    print(
        f"{given.changes:,} changes, {server.following - 1:,} transactions, {looks:,} looks,"
        f" {time.perf_counter() - began:.0f} s"
    )
    for name, follower, count in zip(
        ("below what may come", "the same", "all that is seen"), followers, missed, strict=True
    ):
        print(f"{name:<22} missed {count:>9,}   twice {follower.twice:>6,}")
    return 1 if any(missed[:2]) or any(one.twice for one in followers[:2]) else 0


if __name__ == "__main__":
    sys.exit(main())
