"""What a handoff says otherwise, as lines of a verdict: which thing, what it says, what holds."""

from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.checking.deviation import SECRET, Deviation, Grade
from hermes_sessions.audit.measure import MeasuredCompaction
from hermes_sessions.audit.values import CompactionCase
from hermes_sessions.audit.verdict.in_force import find_in_force
from hermes_sessions.audit.verdict.quoting import Masker, clause_with, is_hidden, quoted, quoted_value
from hermes_sessions.audit.verdict.values import VerdictLine
from hermes_sessions.facts.equivalence import equal_by

_FEW_WORDS: Final = 4


def find_departures(measured: MeasuredCompaction) -> Sequence[Deviation]:
    """Return where a handoff departs from its source, the gravest first; nothing that holds after all.

    Of two sources for one value of a line the graver stands; a value that a later message gave is the
    value in force, and the handoff is right to say it.
    """
    found = [*measured.departs(Grade.CONTRADICTS), *measured.departs(Grade.INVENTED)]
    found.sort(key=lambda one: not one.grave)
    lasting = (_in_force(measured.case, one) for one in found)
    return tuple({(one.value, one.line): one for one in reversed([*filter(None, lasting)])}.values())[::-1]


def _in_force(case: CompactionCase, one: Deviation) -> Deviation | None:
    """Return *one* with the newest value for its source, None where the handoff has that value."""
    if not one.source:
        return one
    held = find_in_force(case, one)
    if not held.value:
        return one
    if equal_by(one.kind, held.value, one.value):
        return None
    return one._replace(source=held.value, source_line=held.line, message=held.message)


def tell_departures(
    case: CompactionCase, departures: Sequence[Deviation], masked: Masker
) -> Iterator[VerdictLine]:
    """Yield a line for each departure."""
    for one in departures:
        value = quoted_value(one.value, one.line, masked)
        source = quoted_value(one.source, one.source_line, masked)
        subject = quoted(_subject(case, one), masked)
        if is_hidden(value) or (one.source and value == source):
            yield _secret(one, quoted(clause_with(one.value, one.line), masked))
            continue
        if not one.source:
            text = f"the handoff says “{value}”; nothing before it does"
            subject = _around(one, masked)
        else:
            where = f" in message {one.message}" if one.message else ""
            told = f"handoff “{value}”, source “{source}”{where}"
            text = f"{subject}: {told}" if subject else told
        yield VerdictLine(
            kind=one.kind, text=text, message=one.message, handoff=value, source=source, subject=subject
        )


def _around(one: Deviation, masked: Masker) -> str:
    """Return the words around a value that nothing before it has, '' where it tells itself what it is."""
    around = quoted(clause_with(one.value, one.line), masked)
    is_clear = len(one.value.split()) > _FEW_WORDS or one.kind == "file_changed"
    return "" if is_clear or around in ("", one.value) else f"“{around}”"


def _secret(one: Deviation, around: str) -> VerdictLine:
    """Return a line for a value that is not shown: beside another masked one it would look the same."""
    if one.source:
        where = f" in message {one.message}" if one.message else " before it"
        text = f"“{around}”: the secret in the handoff is not the one that was given{where}"
    else:
        text = f"“{around}”: the handoff has a secret that nothing before it has"
    return VerdictLine(kind=SECRET, text=text, message=one.message, subject=f"“{around}”")


def _subject(case: CompactionCase, one: Deviation) -> str:
    """Return what a value is the value of: its key, or the words around it; a sentence says it itself."""
    if not one.source or len(one.value.split()) > _FEW_WORDS:
        return ""
    if key := find_in_force(case, one).key:
        return key
    around = clause_with(one.value, one.line)
    if around in ("", one.value):
        around = clause_with(one.source, one.source_line)
    return f"“{around}”" if around not in ("", one.value, one.source) else ""
