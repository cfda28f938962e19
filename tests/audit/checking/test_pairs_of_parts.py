"""Whether two numbers make a third is looked up, not tried for every two."""

import random

from hermes_sessions.audit.checking.derived import has_pair


def plainly(wanted: float, parts: list[float], room: float, *, multiplied: bool) -> bool:
    return any(
        min(abs(one + other - wanted), abs(abs(one - other) - wanted)) <= room
        or (multiplied and abs(one * other - wanted) <= room)
        for at, one in enumerate(parts)
        for other in parts[at + 1 :]
    )


def test_the_same_pairs_are_found_as_by_trying_all():
    chance = random.Random(8)
    found = 0
    for turn in range(5_000):
        digits = chance.choice((0, 1, 2))
        parts = [round(chance.uniform(0, 60), digits) for _ in range(chance.randint(0, 7))]
        wanted = round(chance.uniform(13, 300), digits)
        if parts and turn % 2:
            wanted = max(13.0, round(chance.choice(parts) * chance.choice(parts), 2))
        room = chance.choice((1e-6, 0.5, 0.05, 5.0))
        multiplied = bool(turn % 3)
        expected = plainly(wanted, parts, room, multiplied=multiplied)
        found += expected
        assert has_pair(wanted, parts, room, multiplied=multiplied) is expected, (wanted, parts, room)
    assert found > 1_000


class Counted(float):
    """A number that counts how often it is added to another."""

    added = 0

    def __add__(self, other: float) -> float:
        Counted.added += 1
        return float(self) + other


def test_hardly_any_pair_is_tried():
    parts = [Counted(one) for one in range(0, 30_000, 10)]
    assert not has_pair(100_005.0, parts, 0.5)
    assert Counted.added < 10 * len(parts)
