"""What no sentence of a handoff asks for is not looked for in the span."""

from collections.abc import Callable, Iterator, Sequence

import pytest

from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.checking.passages import read_passages
from hermes_sessions.audit.checking.sentences import Phrase, read_phrases
from hermes_sessions.audit.exchanges.measures import other_parts, other_units

Check = Callable[[Sequence[Phrase], Sequence[tuple[int, str]], str], Iterator[Deviation]]


class Span(list[tuple[int, str]]):
    """The texts of a span that counts how often it is read."""

    reads = 0

    def __iter__(self) -> Iterator[tuple[int, str]]:
        self.reads += 1
        return super().__iter__()


def check(work: Check, body: str, said: str) -> tuple[int, int]:
    """Return how often the span is read, and how much is found."""
    span = Span([(1, said)])
    found = list(work(read_phrases(read_passages(body)), span, body))
    return span.reads, len(found)


@pytest.mark.parametrize(
    ("work", "said", "wrong"),
    [
        (other_units, "The retry waits 250 ms.", "The retry waits 250 s."),
        (other_parts, "3 of 6 shards are green now.", "5 of 6 shards are green now."),
    ],
)
def test_a_span_is_read_for_a_handoff_that_may_depart_from_it_alone(
    work: Check, said: str, wrong: str
) -> None:
    assert check(work, wrong, said) == (1, 1)
    assert check(work, "The retry was looked at, the shards are fine.", said) == (0, 0)


def test_quantities_beyond_the_first_are_not_looked_for() -> None:
    body = "The retry waits 250 s."
    said = "The retry waits 250 ms."
    early = Span([(1, said), *((2, f"step {number} took {number + 300} ms") for number in range(600))])
    late = Span([*early[1:], (3, said)])
    phrases = read_phrases(read_passages(body))
    assert len(list(other_units(phrases, early, body))) == 1
    assert not list(other_units(phrases, late, body))
