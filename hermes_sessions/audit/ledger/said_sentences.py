"""Which of the sentences that were said explains a sentence of a handoff best. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, pairwise
from operator import itemgetter
from typing import Final, NamedTuple, cast

from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.concepts import (
    PARTICLE_HEADS,
    beginnings_of_forms,
    cut_words,
    is_of_signs,
    names_nothing,
    read_terms,
    read_word,
)
from hermes_sessions.audit.words.coverage import bent_form
from hermes_sessions.audit.words.sentence_ends import MAX_READ_CHARS, SENTENCE_ENDS
from hermes_sessions.messages import Role

_MAX_SENTENCES: Final = 3_000
_MAX_CHARS: Final = 1_000
_FEW: Final = 2
_HEAD: Final = 3
_HEAD_OF_TWO: Final = 2
_CUTTING: Final = ",+-"
_NOTHING: Final = frozenset[str]()
_ASCII_CHUNKS: Final = str.maketrans(
    {sign: " " for sign in map(chr, range(128)) if not (sign.isalnum() or sign in "_.@/:+,-")}
)
"""Makes blanks of all that stands in no word of ASCII."""


class _Said(NamedTuple):
    text: str
    row: int
    forms: frozenset[str]


class SaidSentences:
    """The last sentences of a transcript, by the words in them that are asked for."""

    def __init__(self, before: Sequence[AuditMessage], asked: frozenset[str]) -> None:
        """Take the transcript, and the words asked for as `bent_form` has them."""
        self._before = before
        self._forms = AskedForms(asked)
        self._ranked: dict[frozenset[str], Sequence[tuple[float, _Said]]] = {}

    def explain(self, words: frozenset[str], without: frozenset[int], wanted: frozenset[str]) -> float:
        """Return how much of *words* the best sentence holds; an answer to the rule tells the rule.

        Args:
            words: what is named, all of it asked for.
            without: rows that do not count.
            wanted: what a rule names: an answer to it that speaks of that does not count.
        """
        answers = {self._answers[row] for row in without if row in self._answers}
        for share, one in self._closest(words):
            if one.row in without or (one.row in answers and len(read_terms(one.text).all & wanted) >= _FEW):
                continue
            return share
        return 0.0

    def _closest(self, words: frozenset[str]) -> Sequence[tuple[float, _Said]]:
        """Return which part of *words* each sentence that was said holds, most first, without the rest."""
        found = self._ranked.get(words)
        if found is None:
            held = Counter(place for word in words for place in self._said_with.get(bent_form(word), ()))
            shares = ((count / len(words), self._sentences[place]) for place, count in held.items())
            found = self._ranked[words] = sorted(shares, key=itemgetter(0), reverse=True)
        return found

    @cached_property
    def _sentences(self) -> Sequence[_Said]:
        return list(islice(self._read(), _MAX_SENTENCES))

    def _read(self) -> Iterator[_Said]:
        for row in reversed(self._before):
            if row.kind == "handoff":
                continue
            for piece in SENTENCE_ENDS.split(row.text[:MAX_READ_CHARS]):
                text = piece[:_MAX_CHARS]
                forms = self._forms.in_text(text)
                if forms is not None:
                    yield _Said(text, row.id, forms)

    @cached_property
    def _said_with(self) -> Mapping[str, Sequence[int]]:
        """The sentences that were said, by the words in them in any form."""
        found = defaultdict[str, list[int]](list)
        for place, one in enumerate(self._sentences):
            for form in one.forms:
                found[form].append(place)
        return found

    @cached_property
    def _answers(self) -> Mapping[int, int]:
        """What the assistant said right behind each row."""
        return {
            row.id: behind.id
            for row, behind in pairwise(self._before)
            if behind.role == Role.ASSISTANT and row.role != Role.ASSISTANT
        }


class AskedForms:
    """Which of the words asked for a text names: most of its chunks name none, which is seen fast."""

    def __init__(self, asked: frozenset[str]) -> None:
        """Take the words as `bent_form` has them."""
        self._asked = asked
        self._of_chunk = _AskedOfChunks(asked).__getitem__

    def in_text(self, text: str) -> frozenset[str] | None:
        """Return the words asked for that *text* names; None where it names nothing at all."""
        if is_of_signs(text):
            terms = read_terms(text).all
            return frozenset(map(bent_form, terms)) & self._asked if terms else None
        chunks = set(text.translate(_ASCII_CHUNKS).split())
        found = {*map(self._of_chunk, chunks)}
        found.discard(None)
        return _NOTHING.union(*cast("set[frozenset[str]]", found)) if found else None


class _AskedOfChunks(dict[str, frozenset[str] | None]):
    """The words asked for that each chunk of a text names, None where it names nothing."""

    def __init__(self, asked: frozenset[str]) -> None:
        super().__init__()
        begins = beginnings_of_forms(asked, bent_form)
        self._asked = asked
        self._heads = frozenset(one[:_HEAD] for one in (*asked, *begins) if len(one) >= _HEAD)
        self._short = frozenset(one for one in begins if len(one) < _HEAD) | PARTICLE_HEADS

    def __missing__(self, chunk: str) -> frozenset[str] | None:
        found = self[chunk] = self._read(chunk)
        return found

    def _read(self, chunk: str) -> frozenset[str] | None:
        bare = chunk.strip(".,:")
        if bare.isascii() and bare.isalpha():
            if not self._may_be_asked(bare):
                return None if names_nothing(bare) else _NOTHING
        elif _is_name(bare):
            return frozenset((bare.lower(),)) & self._asked
        words = [one for one in cut_words(chunk) if not names_nothing(one)]
        if not words:
            return None
        return frozenset(bent_form(read_word(one)[0]) for one in words) & self._asked

    def _may_be_asked(self, word: str) -> bool:
        """Return whether *word* is asked for, begins so, or may not begin as the term it stands for."""
        word = word.lower()
        return word[:_HEAD] in self._heads or word[:_HEAD_OF_TWO] in self._short or word in self._asked


def _is_name(chunk: str) -> bool:
    """Return whether *chunk* is one word of ASCII, and an anchor, which stands for itself."""
    return (
        chunk.isascii()
        and chunk[:1].isalnum()
        and chunk[-1:].isalnum()
        and (
            chunk.replace("_", "").isalnum()
            or (chunk[:1].isalpha() and not any(sign in chunk for sign in _CUTTING))
        )
    )
