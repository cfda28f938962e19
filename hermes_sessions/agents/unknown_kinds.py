"""Sentences of the report about what an agent wrote: unknown kinds, with how many there are. Pure."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

KEPT_TEXT: Final = "the text is kept, and hidden"
KEPT_RAW: Final = "kept as written"
_KIND_CHARS: Final = 80


class UnknownKind(NamedTuple):
    """A kind of `noun` that is not known, and what became of those that were met."""

    noun: str
    kind: str
    fate: str = "left out"


def unknown_sentences(found: Mapping[UnknownKind, int]) -> Iterator[str]:
    """Yield a sentence about each kind: "1 record of the kind 'x' is not known; left out"."""
    for (noun, kind, fate), count in found.items():
        yield (
            f"{counted(count, noun)} of the kind {kind[:_KIND_CHARS]!r} {'is' if count == 1 else 'are'}"
            f" not known; {fate}"
        )


def written_again(count: int, noun: str) -> str:
    """Return the sentence about what is in a file more than once."""
    many = count != 1
    told = f"{counted(count, noun)} {'were' if many else 'was'} written again"
    return f"{told}; {'each is' if many else 'it is'} taken once"


def counted(count: int, noun: str) -> str:
    """Return a count with its noun: "1 record", "1,200 records", "2 entries"."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"
