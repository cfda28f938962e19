"""Clauses with what they name: of a handoff, and of all that was said, called and returned before it."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.chunks import cuts_nothing
from hermes_sessions.audit.alignment.items import ClauseItems, read_items
from hermes_sessions.audit.checking.passages import Mode, Passage
from hermes_sessions.audit.relations.statements import Statement, heading_of, read_handoff
from hermes_sessions.facts.speech.stops import SentenceCut
from hermes_sessions.late_patterns import late_pattern

_STOP: Final = r"(?<=[.!?]\s)"
"""Behind the blank at the end of a sentence."""
_CUT = SentenceCut(
    rf"[\s、，；。](?:(?<=[,;·]\s)|(?<=[、，；。])|(?<=\s)/\s|{_STOP}|(?<=\s)(?:"
    r"and|but|while|whereas|although|instead of"
    r"|rather than|und|aber|während|obwohl|statt"
    r"|et|mais|tandis que|y|e|pero|mientras|mas|ma|mentre|и|а|но)\s)"
)
_COARSE = SentenceCut(rf"[\s；。](?:(?<=[；。])|(?<=;\s)|{_STOP})")
"""Both begin with a sign that is looked for fast."""
_INSIDE = late_pattern(r"\([^()\n]{1,120}\)|（[^（）\n]{1,80}）")
_HIDDEN: Final = str.maketrans({",": "\ue000", ";": "\ue001", "、": "\ue002", "，": "\ue003", " ": "\ue004"})
_SHOWN: Final = str.maketrans({"\ue000": ",", "\ue001": ";", "\ue002": "、", "\ue003": "，", "\ue004": " "})
_LABEL = late_pattern(
    r"\s*(?:[|]\s*)?(?:\*\*)?([^:：|]{1,40}?)(?:\*\*)?\s?(?:[:：](?=\s|\*|[\u2e80-\ud7ff])|\s\|(?=\s))"
)
MAX_LINE: Final = 300


class Clause(NamedTuple):
    """A clause, what it names, and the sentence it is of.

    Attributes:
        whole: its text, with what it stands under.
        place: its number; of a transcript, where `ClauseIndex` has it.
    """

    said: Statement
    text: str
    whole: str
    place: int

    @property
    def items(self) -> ClauseItems:
        """What it names, by what that is."""
        return read_items(self.whole)

    @property
    def named(self) -> frozenset[str]:
        """Everything it names, with what it stands under."""
        return self.items.all

    @property
    def is_former(self) -> bool:
        """Whether an older handoff says it: what it counted may have grown since."""
        return not self.said.message and not self.said.speaker


def cut_clauses(said: Statement, *, coarse: bool = False) -> Iterator[Clause]:
    """Yield the clauses of a sentence with what they stand under: at commas, or *coarse* at semicolons."""
    for place, (text, whole) in enumerate(_cut_texts(said.text, coarse=coarse)):
        yield Clause(said, text, whole, place)


def cut_told(text: str) -> Sequence[tuple[str, str]]:
    """Return the clauses of a sentence of a transcript, each also with what it stands under before it."""
    if cuts_nothing(text):
        bare = text.strip(" *|")
        return [(bare, bare)]
    return _cut_texts(text)


def _cut_texts(said: str, *, coarse: bool = False) -> Sequence[tuple[str, str]]:
    """Return the clauses of a sentence, each also with what it stands under before it."""
    found: list[tuple[str, str]] = []
    for segment in _segments(said):
        label, text = "", segment
        if match := _LABEL.match(segment):
            label, text = match[1], segment[match.end() :]
        if not text.strip(" *|"):
            found.append((label, f"{label} " if label else ""))
            continue
        for part in [text] if coarse else _cut(text, _CUT):
            outer = label and _LABEL.match(part) is None
            found.append((part or label, f"{label} {part}" if outer else part))
    return found


def _segments(text: str) -> Sequence[str]:
    """Return what stands between semicolons; a row of a table is one segment a cell, after its first one."""
    if " | " not in text:
        return _cut(text, _COARSE)
    head, *cells = text.split(" | ")
    return [f"{head} | {one}" for one in cells]


def _cut(text: str, shape: SentenceCut) -> Sequence[str]:
    if text.isascii() and "(" not in text:  # nothing to hide
        return [one for part in shape.split(text) if (one := part.strip(" *|"))]
    hidden = _INSIDE.sub(lambda match: match.group().translate(_HIDDEN), text)
    parts = [one.translate(_SHOWN).strip(" *|") for one in shape.split(hidden)]
    return [one for one in parts if one]


def read_claims(passages: Sequence[Passage]) -> Sequence[Statement]:
    """Return the sentences of a handoff; a row of a table is one, and stands under its first cell."""
    found: list[Statement] = []
    heading = ""
    for passage in passages:
        heading = heading_of(passage.text) or heading
        if passage.mode is not Mode.OWN and passage.text.lstrip().startswith("|"):
            found.append(Statement(passage.text.strip(" |")[:MAX_LINE], 0, "", passage.mode, heading))
        else:
            found += (one._replace(heading=heading) for one in read_handoff([passage]))
    return [one for one in found if not one.is_question]
