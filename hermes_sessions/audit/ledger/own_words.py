"""Whether a handoff has a word that only one rule can have given it. Pure."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Final, NamedTuple

from hermes_sessions.audit.handed_on.matter import matter_of, objects_of
from hermes_sessions.audit.handed_on.told_matters import BAR_WORDS
from hermes_sessions.audit.ledger.certainty import lines_carried
from hermes_sessions.audit.ledger.counted import figures_of
from hermes_sessions.audit.values import AuditMessage, CompactionCase
from hermes_sessions.audit.words.keeping import KEEPS
from hermes_sessions.audit.words.modality import Modality, read_modality
from hermes_sessions.audit.words.sentence_ends import MAX_READ_CHARS, SENTENCE_ENDS
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_HEAD: Final = 4
_COMPOUND: Final = 8
_LEAD: Final = 2
_MAX_SENTENCES: Final = 3_000
_MAX_LINES: Final = 600
_CLAUSES = late_pattern(r"[,;|，；、]\s?")


class _ToldClause(NamedTuple):
    forms: frozenset[str]
    heads: frozenset[str]
    figures: frozenset[str]
    restrains: bool


class OwnWords:
    """The words of one handoff, and of everything that was said before it.

    A summary that says a rule in other words still names somebody or something of it. Where nobody
    else had spoken of that, it can only be the rule that the handoff speaks of.
    """

    def __init__(self, case: CompactionCase, texts: Sequence[str]) -> None:
        self._case = case
        self._texts = texts
        self._said: list[tuple[int, str, frozenset[str]]] = []
        self._unread = islice(_sentences(case.before), _MAX_SENTENCES)

    def come_from(self, rule: str, rows: Sequence[int]) -> bool:
        """Return whether a word of *rule*, said in these rows, is in the handoff and was said nowhere else.

        What the agent answered, called and got right behind the rule speaks of the rule.
        """
        wanted = frozenset(_forms(objects_of(rule) - BAR_WORDS))
        compounds = [one.casefold()[_LEAD:] for one in rule.split() if len(one) >= _COMPOUND]
        figures = figures_of(rule)
        found: set[str] = set()
        for clause in self._clauses:
            shared = wanted & clause.forms
            shared |= {one for one in clause.heads if any(one in word for word in compounds)}
            # Not `the till has two drawers`, `it was closed on Monday`: a count, an event.
            if clause.figures <= figures or (clause.restrains and len(shared) > 1):
                found |= shared
        return bool(found) and not self._are_said_besides(found, rule, frozenset(rows))

    @cached_property
    def _clauses(self) -> Sequence[_ToldClause]:
        lines = "\n".join(self._texts)[:MAX_READ_CHARS].splitlines()[:_MAX_LINES]
        carried = lines_carried(self._case.before)
        told = (line for line in lines if not line.lstrip().startswith("#") and line.strip() not in carried)
        pieces = (
            one for line in told for piece in SENTENCE_ENDS.split(line) for one in _CLAUSES.split(piece)
        )
        return [_read_clause(one) for one in pieces if one.strip()]

    def _are_said_besides(self, words: set[str], rule: str, rows: frozenset[int]) -> bool:
        left = set(words)
        for row, sentence, forms in self._read_said():
            if not left.isdisjoint(forms):
                about = row in rows or self._turns[row] in rows
                if not (about and (sentence in rule or self._turns[row] in rows)):
                    left -= forms
                    if not left:
                        return True
        return False

    def _read_said(self) -> Iterator[tuple[int, str, frozenset[str]]]:
        """Yield the sentences from the last one back; none is read before it is asked for."""
        yield from self._said
        for one in self._unread:
            self._said.append(one)
            yield one

    @cached_property
    def _turns(self) -> dict[int, int]:
        """The request behind which each other row stands."""
        found: dict[int, int] = {}
        asked = -1
        for row in self._case.before:
            found[row.id] = asked
            if row.role == Role.USER:
                found[row.id] = -1
                asked = row.id
        return found


def _read_clause(text: str) -> _ToldClause:
    forms = frozenset(_forms(matter_of(text)))
    restrains = read_modality(text) is not Modality.NONE or KEEPS.search(text) is not None
    heads = frozenset(one for one in forms if len(one) == _HEAD)
    return _ToldClause(forms, heads, figures_of(text), restrains)


def _sentences(rows: Sequence[AuditMessage]) -> Iterator[tuple[int, str, frozenset[str]]]:
    for row in reversed(rows):
        if row.kind == "handoff":
            continue
        for piece in SENTENCE_ENDS.split(row.text[:MAX_READ_CHARS]):
            forms = frozenset(_forms(matter_of(piece[:1_000])))
            if forms:
                yield row.id, piece.strip(" .!?。！？"), forms


def _forms(words: frozenset[str]) -> Iterator[str]:
    """Yield words without what bends them: their first letters."""
    return (one[:_HEAD] if one.isalpha() and one < "\u2e80" else one for one in words)
