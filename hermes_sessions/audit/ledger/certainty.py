"""Whether a rule is one for sure, and whether a handoff may say it in words that cannot be compared.

A rule that may have been an instruction for one step, or that a sentence of the handoff may well say,
is listed in the ledger as lost; it is no ground for a warning.
"""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Final, NamedTuple

from hermes_sessions.audit.handed_on.told_matters import numbers_of, without_contrast
from hermes_sessions.audit.ledger.counted import figures_of
from hermes_sessions.audit.ledger.figures import demanded_by, say_plainly
from hermes_sessions.audit.ledger.said_sentences import SaidSentences
from hermes_sessions.audit.values import AuditMessage, CompactionCase
from hermes_sessions.audit.words.concepts import DEEDS, SentenceTerms, read_terms
from hermes_sessions.audit.words.coverage import bent_form, covered
from hermes_sessions.audit.words.joining_words import languages_of
from hermes_sessions.audit.words.keeping import BANS_FIRST, KEEPS, LASTING, ONE_STEP, REJECTS
from hermes_sessions.audit.words.modality import read_modality
from hermes_sessions.audit.words.sentence_ends import MAX_READ_CHARS, SENTENCE_ENDS
from hermes_sessions.facts.idioms.barring import IDIOMS
from hermes_sessions.facts.polarity import is_portuguese
from hermes_sessions.facts.values import Fact
from hermes_sessions.facts.wording.promise_rules import PROMISED
from hermes_sessions.facts.wording.rule_scopes import SCOPES
from hermes_sessions.facts.wording.standing_rules import STANDING
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_SPEAKERS: Final = frozenset({Role.USER.value, Role.SYSTEM.value, "developer"})
_MAX_STATEMENTS: Final = 600
_ANYBODY: Final = frozenset({"user"})
_A_THIRD: Final = 1 / 3
"""So much of what a rule names, deeds left out, is in a line that says that it was rejected."""
_OWN: Final = 0.5
_UNKNOWN: Final = 0.25
_MIN_WORDS: Final = 3
_MIN_OWN: Final = 2
_FEW: Final = 2
_MANY: Final = 4
_MOST: Final = 0.6
_POINTS: Final = late_pattern(
    r"\b(?:that|this) one\b|\b(?:der|die|das|den) da\b|\b(?:diese[rsn]?|jene[rsn]?) eine[nrs]?\b"
    r"|\bcel(?:ui|le)-(?:là|ci)\b|\b(?:es[ea]|est[ea]) (?:un[oa]|de ahí)\b|\bquell[oa] lì\b|\besse aí\b"
    r"|\bэтот вот\b|这个(?=也|不|别)|それは|이건",
    re.I,
)
"""What points at the matter at hand, and names nothing."""


_NONE = late_pattern(
    r"\b(no|kein\w*|ning[uú]n\w*|aucune?|nenhum\w?|nessun\w?|geen|ingen|inget|inga|żadn\w+)\s([^\W\d_]{4,})",
    re.I,
)
_BOTH = late_pattern(
    r"\W*(?:both (?:of them )?(?:stay|remain|can stay|are to stay)|(?:leave|keep) both (?:as|of them|alone)"
    r"|beide (?:bleiben|können bleiben)|lass beide (?:so|stehen)|les deux restent|(?:los|las) dos se quedan"
    r"|[oa]s d(?:ois|uas) ficam|entramb[ie] restano|оба остаются|обе остаются)\b|\W*둘 다 .*두세요",
    re.I,
)
"""`Both stay, they are juniors`: of two that were spoken of, and not *both servers must never ...*."""
_ASKED = late_pattern(
    r"\b(?:why|whether|how come|warum|wieso|weshalb|ob|pourquoi|por qué|porqué|perché|come mai|por que"
    r"|waarom|dlaczego|czemu|czy|почему|отчего|neden|niye)\s[^.;!?\n]{2,200}"
    r"|(?:为什么|为何|なぜ|どうして|왜)[^。；！？\n]{2,100}",
    re.I,
)
"""What is to be found out."""


def is_standing(rule: Fact, speaker: str) -> bool:
    """Return whether *rule* was surely set for all that follows, by somebody who sets rules."""
    text = _ASKED.sub(" ", rule.value)
    bare = without_contrast(text)
    corrected = bare if numbers_of(bare) and numbers_of(text) > numbers_of(bare) else text
    if read_modality(rule.value) and not read_modality(corrected):
        return False  # `find out why it does not start`, `5 degrees, not 7`: the bar is no order
    if speaker not in _SPEAKERS or text.rstrip()[-1:] in "?？؟":
        return False
    if _BOTH.match(text) or (_POINTS.search(text) and len(read_terms(text).all) <= _FEW):
        return False  # `that one we must not hide`: of the matter at hand
    if any(shape.pattern.search(text) for shape in (*STANDING, *SCOPES)):
        return True
    if ONE_STEP.search(text):
        return False
    if LASTING.search(text) or any(shape.pattern.search(text) for shape in IDIOMS):
        return True
    terms = read_terms(text)
    return BANS_FIRST.match(text) is not None and len(terms.all) >= _MIN_OWN


def is_promise(text: str) -> bool:
    """Return whether an agent binds itself with *text* for all that follows."""
    return any(shape.pattern.search(text) for shape in PROMISED)


def may_be_report(rule: Fact) -> bool:
    """Return whether *rule* may tell how things are, as an agent's words do; what it promises does not."""
    return rule.speaker == Role.ASSISTANT and not is_promise(rule.value)


class _SpokenTerms(NamedTuple):
    terms: SentenceTerms
    languages: frozenset[str]
    figures: frozenset[str]


class RuleTraces:
    """What one handoff says that may be a rule in other words."""

    def __init__(self, case: CompactionCase, texts: Sequence[str]) -> None:
        self._case = case
        self._texts = texts

    def may_tell(self, rule: Fact, rows: Sequence[int]) -> bool:
        """Return whether a sentence of the handoff keeps, bars or limits something and may mean *rule*.

        It does where it names something of the rule and no other sentence that was said explains it
        better, where it is not in the rule's language and nothing that was said explains it, where a
        line names most of what the rule names, or says that something of it was rejected (*no used rope*).
        A rule in another language may always be told.
        """
        if not self._is_comparable(rule.value):
            return True
        wanted = read_terms(rule.value).all | read_terms(say_plainly(rule.value)).all
        known = frozenset(rows)
        if any(self._has_number(line, wanted) for line in self._lines):
            return True
        things = wanted - DEEDS - _ANYBODY
        if any(covered(things, one) >= _A_THIRD for one in self._rejected):
            return True
        if len(wanted) >= _MANY and any(self._names(line, wanted) for line in self._lines):
            return True
        spoken = languages_of(rule.value)
        for said, told, _ in self._statements:
            own = covered(said.all, wanted)
            if own >= _OWN:
                return True
            is_foreign = spoken.isdisjoint(told) and len(said.all) >= _MIN_WORDS
            if own or is_foreign:
                others = self._said.explain(said.all, known, wanted)
                if (own and own >= others) or (is_foreign and others <= _UNKNOWN):
                    return True
        return False

    def has_unexplained(self, rule: Fact, rows: Sequence[int]) -> bool:
        """Return whether a sentence keeps, bars or limits what nothing that was said speaks of.

        It is some rule in quite other words; none that lacks its figures.
        """
        known, figures = frozenset(rows), figures_of(rule.value)
        return any(
            counted <= figures
            and len(said.all) >= _MIN_WORDS
            and not self._said.explain(said.all, known, frozenset())
            for said, _, counted in self._statements
        )

    @staticmethod
    def _has_number(line: frozenset[str], wanted: frozenset[str]) -> bool:
        """Return whether a line has a number of a rule, maybe in thousands (`20,000` for 20), and a word."""
        numbers = frozenset(filter(str.isdecimal, wanted))
        scaled = numbers.union(*({f"{one}000", f"{one}k"} for one in numbers))
        return not scaled.isdisjoint(line) and not (wanted - numbers).isdisjoint(line)

    @staticmethod
    def _names(line: frozenset[str], wanted: frozenset[str]) -> bool:
        """Return whether a line names most of what a rule names: it may tell what became of it."""
        share = covered(wanted, line)
        return share >= _MOST and round(share * len(wanted)) >= _MANY

    @cached_property
    def _lines(self) -> Sequence[frozenset[str]]:
        lines = "\n".join(self._texts)[:MAX_READ_CHARS].splitlines()[:_MAX_STATEMENTS]
        return [terms for line in lines if (terms := read_terms(line[:1_000]).all)]

    def _is_comparable(self, text: str) -> bool:
        """Return whether a line of the handoff is, as far as that can be told, in the language of *text*.

        Names and codes are the same in every language: where it has some, and the handoff none of them, it is
        not told.
        """
        own = languages_of(text)
        if not own or not self._languages or not own.isdisjoint(self._languages):
            return True
        names = read_terms(text).anchors
        return bool(names) and not any(one in self._folded for one in names)

    @cached_property
    def _folded(self) -> str:
        return "\n".join(self._texts).casefold()

    @cached_property
    def _languages(self) -> frozenset[str]:
        lines = "\n".join(self._texts)[:MAX_READ_CHARS].splitlines()
        return frozenset[str]().union(*map(languages_of, lines))

    @cached_property
    def _statements(self) -> Sequence[_SpokenTerms]:
        pieces = (
            piece
            for text in self._texts
            for line in text.splitlines()
            if not line.lstrip().startswith("#") and line.rstrip(" *")[-1:] not in (":", "：")
            if line.strip() not in self._carried
            for piece in SENTENCE_ENDS.split(line[:MAX_READ_CHARS])
            if KEEPS.search(piece) or demanded_by(piece)
        )
        found = (
            _SpokenTerms(read_terms(piece[:1_000]), languages_of(piece), figures_of(piece[:1_000]))
            for piece, _ in zip(pieces, range(_MAX_STATEMENTS), strict=False)
        )
        return [one for one in found if one.terms.all]

    @cached_property
    def _rejected(self) -> Sequence[frozenset[str]]:
        """What sentences name that say that something was rejected, or that there shall be none."""
        text = "\n".join(self._texts)[:MAX_READ_CHARS]
        pieces = (piece for line in text.splitlines() for piece in SENTENCE_ENDS.split(line))
        found = [one if REJECTS.search(one) else _things_denied(one) for one in pieces]
        return [read_terms(one[:1_000]).all for one in found if one][:_MAX_STATEMENTS]

    @cached_property
    def _carried(self) -> frozenset[str]:
        """The lines of the handoff before: they tell what they told there."""
        return lines_carried(self._case.before)

    @cached_property
    def _said(self) -> SaidSentences:
        asked = frozenset(bent_form(word) for said, _, _ in self._statements for word in said.all)
        return SaidSentences(self._case.before, asked)


def _things_denied(text: str) -> str:
    """Return the things of which a sentence says that there shall be none; Portuguese *no* is *in the*."""
    found = [match for match in _NONE.finditer(text) if match[1].lower() != "no" or not is_portuguese(text)]
    return " ".join(match[2] for match in found)


def lines_carried(rows: Sequence[AuditMessage]) -> frozenset[str]:
    """Return the lines of the handoffs among *rows*: where they stand again, they tell nothing new."""
    return frozenset(
        line.strip() for row in rows if row.kind == "handoff" for line in row.handoff.splitlines()
    )
