"""Who decided, and who was named: what a handoff gives to somebody else than the source does."""

from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.checking.contexts import edits, has_capitals_often
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode
from hermes_sessions.audit.checking.sentences import Phrase, Spoken
from hermes_sessions.audit.sources.source_index import SourceIndex
from hermes_sessions.audit.words.telling import telling_words
from hermes_sessions.audit.words.wording import AGENT_DECIDED, AGREES, USER_DECIDED
from hermes_sessions.facts.wording.units import MONTHS, WEEKDAYS
from hermes_sessions.late_patterns import late_pattern

_ENOUGH: Final = 0.5
_SOME: Final = 1 / 3
_MIN_WORDS: Final = 2
_NAME = late_pattern(r"(?<![\w./@#-])[A-ZÀ-ÖØ-ÞА-Я][a-zà-öø-ÿа-яё]{2,20}(?![\w/@-]|\.\w)")
_NEAR: Final = 60
_CALENDAR: Final = WEEKDAYS | MONTHS.keys()
_BEFORE = late_pattern(r"([^\W\d_]{1,20})\W{1,3}$")
_MANY: Final = 2
_SHORT_NAME: Final = 6


def moved_decisions(phrases: Sequence[Phrase], spoken: Sequence[Spoken]) -> Iterator[Deviation]:
    """Yield decisions that the handoff says the user made and the agent did, and the other way round."""
    turns = _turns(spoken)
    for phrase in phrases:
        for shape, owner in ((USER_DECIDED, "user"), (AGENT_DECIDED, "assistant")):
            claim = shape.search(phrase.text)
            if claim is None:
                continue
            words = telling_words(phrase.text[claim.end() :]) or telling_words(phrase.text[: claim.start()])
            origin = _other_owner(words, turns, owner) if len(words) >= _MIN_WORDS else None
            if origin is not None:
                yield Deviation(
                    Grade.CONTRADICTS, "who", phrase.text[:400], phrase.text[:400], "who-decided",
                    f"{origin.speaker}: {origin.text}"[:400], origin.text[:400], origin.message, True,
                )  # fmt: skip


def _turns(spoken: Sequence[Spoken]) -> list[Spoken]:
    """Return what each message says as a whole."""
    found: dict[int, Spoken] = {}
    for one in spoken:
        known = found.get(one.message)
        found[one.message] = (
            one
            if known is None
            else known._replace(text=f"{known.text} {one.text}", words=known.words | one.words)
        )
    return list(found.values())


def _other_owner(words: frozenset[str], turns: Sequence[Spoken], owner: str) -> Spoken | None:
    """Return what another speaker said of it, where the *owner* neither said it first nor agreed to it."""
    likely = [
        turn for turn in turns if _share(words, turn) >= _ENOUGH and turn.speaker in ("user", "assistant")
    ]
    others = [turn for turn in likely if turn.speaker != owner]
    if not others:
        return None
    if owner == "assistant":
        mine = [turn for turn in likely if turn.speaker == owner and turn.message < others[0].message]
        asked = any(turn.text.rstrip().endswith(("?", "？")) for turn in mine)
        return others[0] if not mine or asked else None
    mine = [turn for turn in turns if turn.speaker == owner]
    if any(_share(words, turn) >= _SOME or AGREES.search(turn.text) for turn in mine):
        return None
    return others[0]


def _share(words: frozenset[str], one: Spoken) -> float:
    return len(words & one.words) / len(words)


def changed_names(
    phrases: Sequence[Phrase], source: SourceIndex, handoff: SourceIndex, spoken: Sequence[Spoken]
) -> Iterator[Deviation]:
    """Yield names that nobody said, where another name stands in the same words."""
    for phrase in phrases:
        for match in _NAME.finditer(phrase.text) if phrase.mode is Mode.STATED else ():
            name = match.group()
            if source.knows_word(name) or name.lower() in _CALENDAR or _is_label(phrase.text, match.end()):
                continue
            if found := _named_instead(name, phrase, match.start(), handoff, spoken):
                other, said = found
                yield Deviation(
                    Grade.CONTRADICTS,
                    "name",
                    name,
                    phrase.text[:400],
                    "name-changed",
                    other,
                    said.text[:400],
                    said.message,
                )


def _is_label(text: str, end: int) -> bool:
    return text[end : end + 1] in (":", "：")


def _named_instead(
    name: str, phrase: Phrase, at: int, handoff: SourceIndex, spoken: Sequence[Spoken]
) -> tuple[str, Spoken] | None:
    beside = telling_words(
        phrase.text[max(0, at - _NEAR) : at] + " " + phrase.text[at + len(name) : at + len(name) + _NEAR]
    )
    for said in spoken:
        if not beside & said.words:
            continue
        for match in _NAME.finditer(said.text):
            other = match.group()
            if handoff.knows_word(other):
                continue
            near = telling_words(
                said.text[max(0, match.start() - _NEAR) : match.start()]
                + " "
                + said.text[match.end() : match.end() + _NEAR]
            )
            shared = sum(word.isalpha() for word in near & beside)
            if not at and not match.start():
                continue  # the first word of a sentence has a capital whatever it is
            if shared and _can_be(name, other):
                return other, said
            if (
                shared >= _MANY
                and not has_capitals_often(phrase.text)
                and _is_named_alike(phrase.text[:at], said.text[: match.start()])
            ):
                return other, said
    return None


def _is_named_alike(one: str, other: str) -> bool:
    """Return whether the same small word leads to both names: `assign it to Nadia`, `assigned to Marek`."""
    first, second = _BEFORE.search(one), _BEFORE.search(other)
    return first is not None and second is not None and first[1] == second[1] and first[1].islower()


def _can_be(name: str, other: str) -> bool:
    """Whether a writer who meant *other* may have written *name*."""
    stem = 2 if min(len(name), len(other)) < _SHORT_NAME else 3
    if name[:stem].casefold() == other[:stem].casefold():
        return False  # `Kept` for `Keep`: the same word, bent
    if other[:4].casefold() in name.casefold() or name[:4].casefold() in other.casefold():
        return False  # `Gefüttert` for `Füttern`
    most = min(3, min(len(name), len(other)) // 2)
    return min(len(name), len(other)) >= 4 and edits(name.casefold(), other.casefold(), most) <= most
