"""Sentences of a handoff that turn round what was said: a negation lost or gained, done for not done."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.audit.checking.denied import (
    denied_deeds,
    denied_list,
    denies_alike,
    is_denial,
    is_denied,
    is_over_since,
    limits_otherwise,
    names_what_is_denied,
    says_since,
)
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode, Passage
from hermes_sessions.audit.words.stances import Stance, read_stance
from hermes_sessions.audit.words.telling import WORD, telling_words
from hermes_sessions.audit.words.wording import DONE, FAILS, FORBIDS, RESTRICTS, is_open
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.facts.speech.stops import SentenceCut
from hermes_sessions.facts.wording.units import MONTHS
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_DENIES: Final = r"(?:do(?:es)? not|don[’']t|never|not|no|nicht|nie|kein\w*|ne|n[’']|ni|não|não|не|nunca|jamais|must not|cannot)"
_JOINS: Final = r"(?:and|but|und|aber|et|mais|y|pero|e|ma|mas|и|но|а)\s"
_CUT = SentenceCut(
    rf"(?=[\s:：,]|(?<=[。！？；]))(?:(?<=[.!?;])\s+|(?<=[。！？；])|\n|\s[—–]\s|\s\|\s|\s->\s|[:：]\s|,\s(?={_JOINS})"
    rf"|\s(?={_JOINS}{_DENIES}(?:\s|\b))|,\s(?=(?:not|nicht|pas|не)\s))",
    re.I,
    plain=r"[\s:,](?:(?<=[.!?;]\s)\s*|(?<=\n)|(?<=\s)(?:\|\s|->\s|(?="
    rf"{_JOINS}{_DENIES}(?:\s|\b)))|(?<=:)\s|(?<=,)\s(?={_JOINS}|(?:not|nicht|pas|не)\s))",
)
_BOUNDARY = late_pattern(r"[,;:(，、；：]\s?|\s(?:and|but|und|aber|et|mais|y|e|и|но)\s", re.I)
_ANCHOR = late_pattern(r"[/_\d]|\w\.\w")
_MIN_SHARED: Final = 2
_ENOUGH: Final = 0.66
_FEW: Final = 3
"""Of a sentence of so few words all must be there, the deed among them: its object alone is another matter."""
_BEFORE: Final = 6
_BEHIND: Final = 3
_REASON = late_pattern(r"[,，、]\s?|\s(?:because|since|denn|weil|parce que|porque|perché|потому)\s")
_PRONOUN = late_pattern(
    r"(?:it|this|that|they|es|das|dies|sie|ça|cela|ce|ils?|elles?|esto|eso|isso|isto|это|он[аио]?|它|这|それ|これ)\b",
    re.I,
)
_TO_BE = late_pattern(
    r"\b(?:(?:is|are|was|were|has|have) to be|to be \w+ed|will be|soll\w*|sera|seront|doi(?:t|vent) être|será|serán|serão|debe\w* ser|deve\w* (?:ser|essere)|sarà|saranno|буд\w+)\b",
    re.I,
)
"""What is planned."""
_ONCE = late_pattern(
    r"\b(?:once|before|prior to|ahead of|after|when|as soon as|until|unless|bevor|avant|prima|перед|прежде|sobald|wenn|nachdem|bis|dès que|quand|après|cuando|después|hasta|una vez|quando|assim que|depois|após|dopo|appena|когда|после|как только)\b|之后|以后|после|たら|次第|後に",
    re.I,
)
"""What is done once something else is, is not reported as done."""
_NONE = late_pattern(
    r"[无無没沒]|\b(?:kein\w*|aucune?|nenhum\w*|ning[uú]n\w*|nessun\w*|none|nobody|nothing|никто|ничего|ни один)\b",
    re.I,
)
_SAYS_OF = late_pattern(r"\s*(?:[:：—–|]|->|→)")
_STOP = SentenceCut(r"[.!?]\s|[。！？]")
_NEAR: Final = 1_000


class Spoken(NamedTuple):
    """A sentence of the source: who says it, where, and its telling words."""

    text: str
    words: frozenset[str]
    message: int
    speaker: str


class Phrase(NamedTuple):
    """A sentence of the handoff, its telling words, what leads to it (`Off limits:`), and what is said of it behind a sign."""

    text: str
    words: frozenset[str]
    mode: Mode
    lead: str = ""
    tail: str = ""


@lru_cache(maxsize=1_024)  # a message of a tail stands before the next compaction, too
def cut_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of *text*, each stripped."""
    return tuple(one for part in _CUT.split(text) if (one := part.strip(" -*+•\t")))


def read_phrases(passages: Sequence[Passage]) -> tuple[Phrase, ...]:
    """Return the sentences of a handoff."""
    return tuple(
        Phrase(text, words, passage.mode, _lead(passage.text, text), _tail(passage.text, text))
        for passage in passages
        if passage.mode is not Mode.OWN
        for text, words in _with_words(cut_sentences(passage.text))
        if words
    )


def _with_words(sentences: Sequence[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each sentence with its telling words; one that only points back has those before it, too."""
    before: frozenset[str] = frozenset()
    for text in sentences:
        own = telling_words(text)
        words = own | before if _PRONOUN.match(text) else own
        yield text, words
        before = words


def _lead(line: str, sentence: str) -> str:
    """Return what stands before *sentence* since the last full stop of *line*."""
    return _STOP.split(line[: max(0, line.find(sentence))][-_NEAR:])[-1]


def _tail(line: str, sentence: str) -> str:
    """Return what is said of *sentence* behind a colon, a dash or in the next column: `Restarting it: forbidden`."""
    near = line[line.find(sentence) + len(sentence) :][:_NEAR] if sentence in line else ""
    return _STOP.split(near)[0] if _SAYS_OF.match(near) else ""


def turned_sentences(phrases: Sequence[Phrase], spoken: Sequence[Spoken]) -> Iterator[Deviation]:
    """Yield each sentence of the source that the handoff says the opposite of."""
    seen: set[str] = set()
    known: dict[str, list[int]] = {}
    for at, phrase in enumerate(phrases):
        for word in phrase.words:
            known.setdefault(word, []).append(at)

    def sharing(words: frozenset[str]) -> Sequence[Phrase]:
        return [phrases[at] for at in sorted({at for word in words for at in known.get(word, ())})]

    for said in spoken:
        near = said.words & known.keys()
        if len(near) < min(len(said.words), _MIN_SHARED) and not any(map(_ANCHOR.search, near)):
            continue
        rule = _rule_of(said)
        answer = _turned(said, rule, sharing(said.words)) if rule else None
        if answer is None and rule == "negation" and (clause := _first_clause(said)):
            answer = _turned(clause, rule, sharing(clause.words))
        if answer is not None and answer.text not in seen and not _says_so_too(answer, spoken, said, rule):
            seen.add(answer.text)
            yield Deviation(
                Grade.CONTRADICTS, rule, answer.text[:400], answer.text[:400], rule, said.text[:400], said.text[:400],
                said.message, rule == "negation" and said.speaker in ("user", "system"),
            )  # fmt: skip


def _first_clause(said: Spoken) -> Spoken | None:
    """`Don't purge the queue, customers paid`: what is forbidden, without the reason for it."""
    clause = _REASON.split(said.text, 1)[0]
    words = telling_words(clause)
    is_whole = len(clause) == len(said.text)
    return None if is_whole or not is_denial(clause) else said._replace(words=words)


def _rule_of(said: Spoken) -> str:
    if len(said.words) < 1:
        return ""
    if is_open(said.text):
        return "done"
    if not is_denial(said.text) or (said.speaker == Role.ASSISTANT and is_over_since(said.text)):
        return ""
    return "negation"


def _turned(said: Spoken, rule: str, phrases: Sequence[Phrase]) -> Phrase | None:
    """Return the sentence of the handoff that says this without its negation; None where one keeps it."""
    found = None
    deeds = denied_deeds(said.text) if rule == "negation" else frozenset[str]()
    if rule == "done" and len(said.words) == 1:
        return next((phrase for phrase in phrases if _says_only(phrase, said.words)), None)
    for phrase in phrases:
        shared = said.words & phrase.words
        if not _is_about(said, shared, rule):
            continue
        window = _window(phrase.text, shared)
        part = _part(phrase.text, shared)
        denials = (
            FORBIDS.search(part),
            FORBIDS.search(phrase.lead),
            FAILS.search(part),
            is_denied(phrase.tail),
        )
        if rule == "negation" and (any(denials) or denies_alike(said.text, phrase.text)):
            return None
        if rule == "negation" and not (
            deeds & phrase.words and names_what_is_denied(said.text, phrase.text, phrase.words)
        ):
            continue
        limits = rule == "negation" and limits_otherwise(window, said.text)
        if limits or is_denied(window) or window in denied_list(phrase.text) or is_open(phrase.text):
            return None
        if phrase.mode is Mode.PLANNED and rule == "done" and (said.words - shared or "[ ]" in phrase.text):
            continue
        if rule == "done" and (not _is_reported(phrase.text, window) or FAILS.search(part)):
            continue
        if not phrase.text.endswith("?"):
            found = found or phrase
    return found


def _part(text: str, shared: frozenset[str]) -> str:
    """Return the parts of *text*, which semicolons cut, with the words shared: each may bar something of its own."""
    parts = re.split("[;；]", text)
    return ";".join(one for one in parts if telling_words(one) & shared) if len(parts) > 1 else text


def _is_reported(text: str, window: str) -> bool:
    """Whether *window* of a sentence says that something is done, not that it will be, or that nothing is."""
    is_open_yet = _TO_BE.search(window) or _ONCE.search(window) or _NONE.search(text)
    return DONE.search(window) is not None and not is_open_yet


def _says_only(phrase: Phrase, words: frozenset[str]) -> bool:
    """Whether a clause of *phrase* reports just this deed as done: `already scheduled`."""
    if phrase.mode is not Mode.STATED or not words <= phrase.words:
        return False
    clauses = re.split(r"[,;()，；]", phrase.text)
    return any(
        telling_words(one) == words and DONE.search(one) and not is_negated(one) and not RESTRICTS.search(one)
        for one in clauses
    )


def _is_about(said: Spoken, shared: frozenset[str], rule: str) -> bool:
    if rule == "done":
        return any(_ANCHOR.search(word) for word in shared) or len(shared) >= max(
            _MIN_SHARED, len(said.words) / 2
        )
    enough = len(said.words) if len(said.words) <= _FEW else len(said.words) * _ENOUGH
    return len(shared) >= max(_MIN_SHARED, enough)


def _window(text: str, shared: frozenset[str]) -> str:
    """Return the part of *text* that holds the words shared, and some words around it."""
    words = list(WORD.finditer(text))
    hit = [at for at, word in enumerate(words) if telling_words(word.group()) & shared]
    if not hit:
        return text
    start, end = words[max(0, hit[0] - _BEFORE)].start(), words[min(len(words) - 1, hit[-1] + _BEHIND)].end()
    found = _BOUNDARY.finditer(text, start, words[hit[0]].start())
    cuts = [cut for cut in found if text[cut.start()] != "("]  # what is in brackets explains
    behind = _BOUNDARY.search(text, words[hit[-1]].end(), end)
    return text[cuts[-1].end() if cuts else start : behind.start() if behind else end]


def _says_so_too(answer: Phrase, spoken: Sequence[Spoken], said: Spoken, rule: str) -> bool:
    """Whether somebody says at another place just what the handoff says."""
    is_after = False
    for other in spoken:
        is_after = is_after or other is said
        if other is said or is_negated(other.text) or is_open(other.text):
            continue
        if rule == "negation" and is_after and says_since(denied_deeds(said.text), other.text, other.words):
            return True
        shared = answer.words & other.words
        if rule == "done" and other.message <= said.message:
            continue
        if rule == "negation" and other.message > said.message and _is_freed(said, other):
            return True
        wanted = answer.words & said.words
        if len(shared & wanted) >= max(_MIN_SHARED, len(wanted)) and (
            rule != "done" or DONE.search(other.text) or read_stance(other.text) is Stance.DONE
        ):
            return True
    return False


def _is_freed(said: Spoken, later: Spoken) -> bool:
    """`Push it after the review`: the deed alone, of what was spoken of before."""
    deeds = denied_deeds(said.text) & later.words
    return bool(deeds) and (len(later.words) <= _MIN_SHARED or _PRONOUN_INSIDE.search(later.text) is not None)


_PRONOUN_INSIDE = late_pattern(rf"\b{_PRONOUN.pattern}", re.I)
_FEW_NUMBERS: Final = 2
_ANY_NUMBER = late_pattern(r"\d+")
_DIGIT = late_pattern(r"\d")
_CLOCK = late_pattern(r"\d{1,2} ?(?:h|Uhr|時|点|點|시) ?[0-5]\d(?!\d)", re.I)
_MONTH_BEHIND = late_pattern(r"(?:\.|st|nd|rd|th|er|º)?(?: ?[-–] ?\d{1,2}\.?)? (?:de |of )?([^\W\d_]{3,})")
_MONTH_BEFORE = late_pattern(r"([^\W\d_]{3,})\.? (?:\d{1,2} ?[-–] ?)?$")
_ALSO_WORDS: Final = frozenset({"may", "mar", "set", "ago"})
_MONTH_SIGNS: Final = 24
_COUNT = late_pattern(
    r"(?<![\w.,:/#-])\d{1,7}(?![\w:/-]|[.,]\d| ?[%€$£¥₽]| ?(?:[ap]\.?m\b|h\b|Uhr|o'clock))", re.I
)


def changed_counts(
    phrases: Sequence[Phrase], spoken: Sequence[Spoken], handoff: str, spared: Callable[[str, str, str], bool]
) -> Iterator[Deviation]:
    """Yield numbers that the handoff has in a sentence that somebody said with another one.

    *spared* is asked of a number, the source's other one and the sentence whether the source may mean it, too.
    """
    told = _ToldCounts(spoken)
    written = frozenset(_ANY_NUMBER.findall(handoff))
    for phrase in phrases:
        numbers = _counts(phrase.text)
        words = _letters(phrase.words)
        if phrase.mode is not Mode.STATED or not numbers or len(words) < _MIN_SHARED:
            continue
        near = told.sharing(words)
        fresh = numbers.difference(*map(told.numbers, near))
        for said, own in ((spoken[at], told.counts(at)) for at in near) if len(fresh) == 1 else ():
            if not own:
                continue
            missing = own - written
            theirs = _letters(said.words)
            shared = words & theirs
            if (
                len(missing) == 1
                and len(shared) >= _MIN_SHARED
                and len(shared) / min(len(words), len(theirs)) >= _ENOUGH
            ):
                value, other = next(iter(fresh)), next(iter(missing))
                is_none = value == "0" and is_negated(said.text)
                if is_none or is_rest(value, said.text) or spared(value, other, phrase.text):
                    break  # `without errors` is none of them
                yield Deviation(
                    Grade.CONTRADICTS, "number", value, phrase.text[:400], "same-sentence", other, said.text[:400], said.message
                )  # fmt: skip
                break


class _ToldCounts:
    """The numbers of everything that was said, found by the words beside them, and read when they are asked for."""

    def __init__(self, spoken: Sequence[Spoken]) -> None:
        self._spoken = spoken
        self._places: dict[str, list[int]] = {}
        for at, said in enumerate(spoken):
            if _DIGIT.search(said.text):
                for word in said.words:
                    self._places.setdefault(word, []).append(at)
        self._numbers: dict[int, Sequence[str]] = {}
        self._counts: dict[int, frozenset[str]] = {}

    def sharing(self, words: Iterable[str]) -> Sequence[int]:
        """Return the places of the sentences with a digit that share one of *words*, in their order."""
        return sorted(frozenset[int]().union(*(self._places.get(word, ()) for word in words)))

    def numbers(self, at: int) -> Sequence[str]:
        """Return every number of the sentence at a place."""
        known = self._numbers.get(at)
        if known is None:
            known = self._numbers[at] = _ANY_NUMBER.findall(self._spoken[at].text)
        return known

    def counts(self, at: int) -> frozenset[str]:
        """Return what the sentence at a place counts."""
        known = self._counts.get(at)
        if known is None:
            known = self._counts[at] = _counts(self._spoken[at].text)
        return known


def _counts(text: str) -> frozenset[str]:
    """Return the whole numbers of *text* that count something: no part of a time of day or of a date does."""
    clear = _CLOCK.sub(" ", text)
    return frozenset(
        found.group() for found in _COUNT.finditer(clear) if not _is_of_date(clear, *found.span())
    )


def _is_of_date(text: str, start: int, end: int) -> bool:
    """Return whether a number is the day of a month, or its year: `15–19 June`."""
    if end - start > _FEW_NUMBERS and text[start : start + 2] not in ("19", "20"):
        return False
    beside = (
        _MONTH_BEHIND.match(text, end),
        _MONTH_BEFORE.search(text[max(0, start - _MONTH_SIGNS) : start]),
    )
    return any(
        word[1].lower() in MONTHS and (word[1][0].isupper() or word[1] not in _ALSO_WORDS)
        for word in beside
        if word
    )


def is_rest(value: str, text: str) -> bool:
    """Return whether *value* is the sum of two whole numbers of *text*, or what lies between them."""
    numbers = [int(one) for one in _COUNT.findall(text)][:_FEW_NUMBERS]
    wanted = int(value) if value.isdecimal() else -1
    return any(
        wanted in (one + other, abs(one - other))
        for at, one in enumerate(numbers)
        for other in numbers[at + 1 :]
    )


def _letters(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if not any(map(str.isdigit, word)))
