"""Everything in a handoff that a reader should look at, and that accuses nobody."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from hermes_sessions.audit.alignment.align import Alignment
from hermes_sessions.audit.alignment.neighbours import exchanged_neighbours
from hermes_sessions.audit.checking.asked_values import JudgedValue
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Passage, is_heading
from hermes_sessions.audit.exchanges.degrees import turned_degrees
from hermes_sessions.audit.notices.left_open import reported_too_early
from hermes_sessions.audit.notices.nearer_values import nearer_values
from hermes_sessions.audit.notices.numbered_things import renumbered_things
from hermes_sessions.audit.notices.other_scales import other_scales
from hermes_sessions.audit.notices.outdated import replaced_since
from hermes_sessions.audit.notices.set_aside import chosen_after_all
from hermes_sessions.audit.notices.turned_states import turned_states
from hermes_sessions.audit.notices.undecided import undecided_clauses
from hermes_sessions.audit.notices.unknown_words import unknown_words
from hermes_sessions.audit.relations.statements import ToldSentences
from hermes_sessions.audit.sources.source_index import SourceIndex
from hermes_sessions.audit.support.other_figures import HeldFigures
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.late_patterns import late_pattern

_MOST: Final = 60
_LINE: Final = 200
_BEFORE: Final = 20
_NOTHING: Final = late_pattern(
    r"(?i)[\W_]*(?:none|n/a|nothing|empty|keine?s?|nichts|entfällt|aucune?|rien|néant|ningun[oa]|nada|nenhuma?|nessun[oa]?|niente|geen"
    r"|нет|无|沒有|没有|なし|特になし|없음)[\W_]*"
)


def noticed(
    passages: Sequence[Passage],
    judged: Sequence[JudgedValue],
    aligned: Alignment,
    source: SourceIndex,
    told: ToldSentences,
    rows: Sequence[AuditMessage],
    held: HeldFigures,
) -> Iterator[Deviation]:
    """Yield what of a handoff is said nowhere, or of something else: a thing as often as it is noticed."""
    yield from (one for one in held.found if one.grade is Grade.NOT_VERBATIM)
    yield from _all(passages, judged, aligned, source, told, rows, held.firm)


def notices(
    found: Sequence[Deviation], noted: Iterable[Deviation], source: SourceIndex
) -> Sequence[Deviation]:
    """Return what was *noted* and is not in *found* already.

    Each value once, in whatever case, and each sentence once: what it has in another sentence of the source, or what nobody says.
    """
    lines = {one.line for one in found if one.value == one.line}
    values = {one.value.casefold() for one in found}
    told_of = {one.line[:_LINE]: "" for one in found}
    for one in found:
        told_of[one.line[:_LINE]] += f"\n{one.value}".casefold()
    kept: list[Deviation] = []
    said = _SaidWhole(source)
    accused = {one.line for one in found if one.grade is not Grade.NOT_VERBATIM}
    for one in noted:
        if one.grade is not Grade.NOT_VERBATIM:
            if one.line not in accused and not is_heading(one.line):
                accused.add(one.line)
                kept.append(one)
            continue
        if one.line in lines if one.value == one.line else one.value.casefold() in values:
            continue
        if one.value != one.line and one.value.casefold() in told_of.get(one.line[:_LINE], ""):
            continue
        if (
            is_heading(one.line)
            or is_of_the_form(one)
            or (one.value == one.line and said.has_sentence(one.line))
        ):
            continue
        if one.value == one.line:
            lines.add(one.line)
        else:
            values.add(one.value.casefold())
        kept.append(one)
    kept.sort(key=lambda one: one.grade is Grade.NOT_VERBATIM)
    return kept[:_MOST]


def is_of_the_form(one: Deviation) -> bool:
    """Whether it belongs to the form of a handoff: a heading with nothing below it, a tag."""
    return _NOTHING.fullmatch(one.line) is not None or f"<{one.value}>" in one.line


class _SaidWhole:
    """All that was said, asked for whole sentences."""

    def __init__(self, source: SourceIndex) -> None:
        self._source = source

    @cached_property
    def _folded(self) -> str:
        return self._source.raw.casefold()

    def has_sentence(self, line: str) -> bool:
        """Return whether somebody said just *line*, and not a sentence that goes on before it: `never lower the ramp`."""
        if not self._source.holds_text(line):
            return False
        at = self._folded.find(line.casefold())
        before = self._source.raw[max(0, at - _BEFORE) : at].rstrip(" *_\"'") if at >= 0 else ""
        return at >= 0 and (not before or not (before[-1].isalnum() or before[-1] == ","))


def _all(
    passages: Sequence[Passage],
    judged: Sequence[JudgedValue],
    aligned: Alignment,
    source: SourceIndex,
    told: ToldSentences,
    rows: Sequence[AuditMessage],
    firm: Mapping[str, Sequence[str]],
) -> Iterator[Deviation]:
    yield from other_scales(passages, source.raw)
    yield from turned_degrees(aligned.fine, aligned.bindings.index)
    yield from unknown_words(passages, aligned.fine, judged, aligned.bindings, source)
    yield from replaced_since(aligned)
    yield from nearer_values(aligned.fine, aligned.bindings, aligned.timeline, firm)
    yield from exchanged_neighbours(aligned.fine, aligned.bindings)
    yield from chosen_after_all(aligned.fine, told)
    yield from turned_states(aligned.fine, aligned.bindings.index)
    yield from reported_too_early(aligned.fine, aligned.bindings.index, rows)
    yield from undecided_clauses(aligned.fine, aligned.bindings.index)
    yield from renumbered_things(passages, source.texts)
