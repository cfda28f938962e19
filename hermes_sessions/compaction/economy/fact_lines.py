"""A fact as a handoff lists it: one line, with its kind, its speaker, its slot and where it came from."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.compaction.economy.notices import labelled_statements
from hermes_sessions.compaction.economy.settings.reading import MARKED
from hermes_sessions.compaction.economy.wording.joined_names import JOINED_WORD
from hermes_sessions.facts.extract import extract_text_facts
from hermes_sessions.facts.speech.stops import SentenceCut
from hermes_sessions.facts.unwrap import unwrap_text
from hermes_sessions.facts.values import Fact, FactKind, weigh
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

SPEAKERS: Final = (Role.USER.value, Role.SYSTEM.value, Role.ASSISTANT.value, Role.TOOL.value)
PATH_KINDS: Final = frozenset({FactKind.FILE_CHANGED, FactKind.FILE_READ, FactKind.PATH})
STATEMENT: Final = "statement"
"""A sentence of its own that is none of the kinds of facts."""

WHOLE_KINDS: Final[frozenset[str]] = frozenset(
    {
        STATEMENT,
        FactKind.CONSTRAINT,
        FactKind.REQUEST,
        FactKind.DECISION,
        FactKind.ERROR,
        FactKind.QUESTION,
        FactKind.TODO,
        FactKind.NEXT_STEP,
        FactKind.COMMAND,
    }
)
"""Kinds whose value is a line or a sentence already."""

STATED_KINDS: Final = frozenset({FactKind.CONSTRAINT, FactKind.DECISION, FactKind.TODO, FactKind.NEXT_STEP})
"""What a whole sentence is a fact of."""

LINE_CHARS: Final = 240
LATER: Final = " [later: "
"""Before what was said later of what a line says, up to a closing bracket."""
_SENTENCE_CHARS: Final = 200
_AROUND_CHARS: Final = 70
_SENTENCE_END = SentenceCut(r"(?<=[.!?])\s+|(?<=[。！？])")
_STOPS: Final = ".!。！"


class FactLine(NamedTuple):
    """What one line of a handoff says.

    Attributes:
        kind: of its weightiest fact, a value of `FactKind`.
        speaker: user, system, assistant or tool.
        text: what is shown, on one line.
        place: where its original stands, as the reader may look it up; '' where nobody can.
        slots: the facts in it; empty where it was read back and none was needed.
        at: index of its message; -1 where an earlier handoff holds it.
    """

    kind: str
    speaker: str
    text: str
    place: str = ""
    slots: tuple[Fact, ...] = ()
    at: int = -1

    @property
    def weight(self) -> float:
        """How much its loss hurts: of kind and speaker, so that it is the same after any number of rounds."""
        return weigh(self.kind, self.speaker)

    @property
    def is_path(self) -> bool:
        """Whether it is a path and nothing else."""
        return self.kind in PATH_KINDS and " " not in self.text and "/" in self.text


def lines_of(facts: Sequence[Fact], index: int, place: str = "") -> list[FactLine]:
    """Return the lines of one message: facts that stand in one sentence share it."""
    by_text: dict[str, list[Fact]] = {}
    # What a setting's line is besides, a host or a time, stands under its whole key, too.
    settings = {_flat(fact.text): shown(fact) for fact in facts if _is_under_a_section(fact)}
    for fact in facts:
        if text := settings.get(_flat(fact.text)) or shown(fact):
            by_text.setdefault(text, []).append(fact)
    _fold(by_text)
    return [_line(text, found, index, place) for text, found in by_text.items()]


def _fold(by_text: dict[str, list[Fact]]) -> None:
    """Put what stands in a rule, a decision or an open task of the same message with it: nothing twice.

    The beginning of a sentence goes with the sentence.
    """
    for whole, found in list(by_text.items()):
        stated = any(fact.kind in STATED_KINDS for fact in found)
        if not stated and found[0].kind != STATEMENT:
            continue
        for text in [text for text in by_text if text != whole and text.rstrip(_STOPS) in whole]:
            if whole in by_text and (stated or (" " in text and whole.startswith(text.rstrip(_STOPS)))):
                by_text[whole].extend(by_text.pop(text))


def _line(text: str, facts: Sequence[Fact], index: int, place: str) -> FactLine:
    # A request is kept word for word elsewhere: what else its line says is worth more.
    best = max(facts, key=lambda fact: (fact.kind != FactKind.REQUEST, fact.weight))
    return FactLine(best.kind, best.speaker, text, place, tuple(facts), index)


def without_replaced(line: FactLine, replaced: Sequence[Fact]) -> list[FactLine]:
    """Return what is left of *line* without values that are out of date; a sentence of its own stays."""
    if not replaced or line.kind in WHOLE_KINDS or LATER in line.text:
        return [line]
    if any(line.text == f"{fact.key} = {one_line(fact.value)}" for fact in replaced):
        return []
    kept = [fact for fact in line.slots if fact not in replaced and fact.key]
    alone = {f"{fact.key} = {one_line(fact.value)}": fact for fact in kept}
    return [_line(text, (fact,), line.at, line.place) for text, fact in alone.items()]


def slots_of(line: FactLine) -> tuple[Fact, ...]:
    """Return the facts in a line that was read back from a handoff."""
    key, equals, value = line.text.partition(" = ")
    if equals and line.kind not in WHOLE_KINDS:
        return (Fact(line.kind, key, value, line.text, line.speaker, line.weight, (0, len(line.text))),)
    found = extract_text_facts(line.text, line.speaker)
    if any(fact.kind == line.kind for fact in found):
        return found
    whole = Fact(line.kind, "", line.text, line.text, line.speaker, line.weight, (0, len(line.text)))
    return (whole, *found)


def shown(fact: Fact) -> str:
    """Return a value beside its subject: its sentence, else its key; '' for what is not worth a line."""
    value = one_line(fact.value)
    if fact.span == MARKED:
        return f"{fact.key} = {value}"
    if fact.kind == FactKind.CONSTRAINT:
        return one_line(_with_stop(fact), 400)
    if fact.kind == FactKind.ERROR:
        sentence = _sentence(_flat(fact.text), value)
        return sentence if len(sentence) <= _SENTENCE_CHARS else value
    if fact.kind in WHOLE_KINDS:
        return value
    keyed = bool(fact.key) and fact.key.casefold() not in value.casefold()
    sentence = _sentence(_flat(fact.text), value)
    if fact.kind in PATH_KINDS and sentence.startswith("diff --git "):
        return value
    if keyed and (
        _is_bare(sentence, fact) or (fact.speaker == Role.TOOL and not _names_more(sentence, fact.key, value))
    ):
        return f"{fact.key} = {value}"
    if len(sentence) <= _SENTENCE_CHARS and (sentence != value or fact.kind != FactKind.NUMBER):
        return sentence
    if keyed:
        return f"{fact.key} = {value}"
    if fact.kind in PATH_KINDS:
        return value
    return _around(sentence, value) if fact.kind != FactKind.NUMBER else ""


_WORDED = late_pattern(r"[^\W\d_]{2,}")
_ROW = late_pattern(r"[{}|;]|\S=\S+ .*\S=\S|^\W?\d{2,4}[-/:]\d\d[-/:]")
_ASSIGNING = late_pattern(r"(?:- |export )?[\"']{0,2} ?[=:] ?[\"']?")
_MOST_WORDS: Final = 12
_LINE_WORDS: Final = 2


def _is_under_a_section(fact: Fact) -> bool:
    return fact.kind == FactKind.CONFIG and (fact.span == MARKED or _is_bare(_flat(fact.text), fact))


def _is_bare(line: str, fact: Fact) -> bool:
    """Whether a line is a setting alone, whose section stands elsewhere: *size = 5* below *[pool]*."""
    section, dot, last = fact.key.rpartition(".")
    if not dot or section in line or not line.endswith(fact.value, 0, len(line.rstrip("\"',;"))):
        return False
    return _ASSIGNING.fullmatch(line[: line.rindex(fact.value)].replace(last, "", 1)) is not None


def _names_more(line: str, key: str, value: str) -> bool:
    """Whether a line of a tool says of what its key is, in a few words: *applied ttl=3 to cache-b*."""
    if len(line) > _SENTENCE_CHARS or _ROW.search(line):
        return False
    rest = line.replace(value, " ", 1).replace(key, " ", 1)
    words = len(_WORDED.findall(rest))
    return _LINE_WORDS <= words <= _MOST_WORDS and JOINED_WORD.search(rest) is not None


def one_line(text: str, max_chars: int = LINE_CHARS) -> str:
    """Return *text* on one line."""
    return " ".join(text.split())[:max_chars]


def _with_stop(fact: Fact) -> str:
    """A rule to the letter: its full stop too, which no fact has."""
    line, value = " ".join(fact.text.split()), " ".join(fact.value.split())
    end = line.find(value) + len(value)
    return value + line[end : end + 1] if value in line and line[end : end + 1] in _STOPS else value


def _sentence(line: str, value: str) -> str:
    """Return the sentence of *line* that *value* stands in; the whole line where it spans several."""
    at = line.find(value)
    if at < 0:
        return value
    start, end = 0, len(line)
    for first, last in _sentence_ends(line):
        if last <= at:
            start = last
        elif first >= at + len(value):
            end = first
            break
    return line[start:end].strip()


@lru_cache(maxsize=2_048)  # a line has many facts
def _sentence_ends(line: str) -> tuple[tuple[int, int], ...]:
    return tuple(found.span() for found in _SENTENCE_END.finditer(line))


@lru_cache(maxsize=2_048)
def _flat(line: str) -> str:
    return " ".join(line.split())


def _around(sentence: str, value: str) -> str:
    at = max(0, sentence.find(value))
    start, end = max(0, at - _AROUND_CHARS), min(len(sentence), at + len(value) + _AROUND_CHARS)
    start = 0 if start == 0 else sentence.find(" ", start, at) + 1 or start
    cut = sentence.rfind(" ", at + len(value), end)
    end = end if end == len(sentence) or cut < 0 else cut
    return f"{'…' if start else ''}{sentence[start:end]}{'…' if end < len(sentence) else ''}"


# -- as text -----------------------------------------------------------------------------------------

_GROUP = late_pattern(r"([a-z_]{1,20}) \((user|system|assistant|tool)\):")
_SAID: Final = "said"
"""The heading of what is of the kind that its text shows; lines of one message share a place there."""

_OWN_HEADING: Final = frozenset(
    {FactKind.CONSTRAINT, FactKind.REQUEST, FactKind.DECISION, FactKind.ERROR, FactKind.COMMAND}
)
_TERSE = late_pattern(r"(user|system|assistant|tool):")
"""The same heading in a handoff of the fewest tokens."""
_PLACED = late_pattern(r"\[#([^\]\s]{0,20})\] ")
_OLDER = late_pattern(r"([a-z_]{1,20}): (.+)")
_FOLDED = late_pattern(r"([^\s{}]*/)\{([^\s{}]+,[^\s{}]+)\}([^\s{}]*)")
_FOLD_NAMES: Final = 12
_ORDER: Final = {kind.value: place for place, kind in enumerate(FactKind)}


def render_lines(lines: Sequence[FactLine], *, brief: bool = False, terse: bool = False) -> str:
    """Return *lines* by kind and speaker, else in their order; paths of one folder share a line.

    Args:
        brief: where a text shows its kind, one heading for all such kinds of a speaker; one place for
            the lines of one message that stand together, the others indented below it.
        terse: the same for all lines whose text shows their kind, under the speaker alone, without places.
    """
    groups: dict[tuple[str, str], list[FactLine]] = {}
    for line in lines:
        told = _tells_its_kind(line) if terse else brief and _shows_its_kind(line)
        kind = _SAID if told else line.kind
        groups.setdefault((kind, line.speaker), []).append(line)
    order = sorted(groups, key=lambda one: (_ORDER.get(one[0], len(_ORDER)), SPEAKERS.index(one[1])))
    texts = []
    for kind, speaker in order:
        texts.append(f"{speaker}:" if terse and kind == _SAID else f"{kind} ({speaker}):")
        place = ""
        for line in _folded(groups[kind, speaker]):
            if terse:
                texts.append(_rendered(line._replace(place="")))
                continue
            shared = brief and bool(line.place) and line.place == place
            texts.append(f"  {line.text}" if shared else _rendered(line))
            place = line.place
    return "\n".join(texts)


def _shows_its_kind(line: FactLine) -> bool:
    return line.kind not in _OWN_HEADING and _tells_its_kind(line)


def _tells_its_kind(line: FactLine) -> bool:
    return not line.is_path and _kind_of(line.text, line.speaker) == line.kind


@lru_cache(maxsize=2_048)
def _kind_of(text: str, speaker: str) -> str:
    """Return the kind that a text read back is of: its weightiest fact's, else a statement's."""
    if ":" in text and text[:3].isupper():
        labelled = next(labelled_statements(unwrap_text(text, speaker)), None)
        if labelled is not None:
            return labelled.kind
    found = extract_text_facts(text, speaker)
    return (
        max(found, key=lambda fact: (fact.kind != FactKind.REQUEST, fact.weight)).kind if found else STATEMENT
    )


def read_lines(text: str) -> tuple[FactLine, ...]:
    """Return the lines that `render_lines` wrote: text, kind, speaker and place as they were.

    Lines of handoffs from before there were groups (`- kind: value`) count as the assistant's.
    """
    found: list[FactLine] = []
    group: tuple[str, str] | None = None
    for written in text.splitlines():
        if named := _GROUP.fullmatch(written):
            group = (named[1], named[2])
        elif named := _TERSE.fullmatch(written):
            group = (_SAID, named[1])
        elif written.startswith("- "):
            found += _read(written[2:], group)
        elif written.startswith("  ") and group and found:
            found += _read(f"[#{found[-1].place}] {written[2:]}", group)
    return tuple(found)


def starts_terse(text: str) -> bool:
    """Return whether *text* begins like lines that stand without a heading."""
    first, _, rest = text.partition("\n")
    return bool(_TERSE.fullmatch(first) or _GROUP.fullmatch(first)) and rest.startswith("- ")


def _read(text: str, group: tuple[str, str] | None) -> Iterator[FactLine]:
    place = ""
    if group is None:
        older = _OLDER.fullmatch(text)
        if older is None:
            return
        (kind, text), speaker = older.groups(), Role.ASSISTANT.value
    else:
        kind, speaker = group
        if placed := _PLACED.match(text):
            place, text = placed[1], text[placed.end() :]
    folded = _FOLDED.fullmatch(text) if kind in PATH_KINDS else None
    names = [f"{folded[1]}{name}{folded[3]}" for name in folded[2].split(",")] if folded else [text]
    for name in names:
        yield FactLine(_kind_of(name, speaker) if kind == _SAID else kind, speaker, name, place)


def _rendered(line: FactLine) -> str:
    if line.place or line.text.startswith("[#"):
        return f"- [#{line.place}] {line.text}"
    return f"- {line.text}"


def _folded(lines: Iterable[FactLine]) -> list[FactLine]:
    """Put bare paths of one folder and ending into lines of at most twelve; their places go."""
    groups: dict[object, list[FactLine]] = {}
    for number, line in enumerate(lines):
        groups.setdefault(_fold_key(line) or number, []).append(line)
    found: list[FactLine] = []
    for key, group in groups.items():
        for first in range(0, len(group), _FOLD_NAMES):
            part = group[first : first + _FOLD_NAMES]
            found.append(_one_fold(key, part) if isinstance(key, tuple) and len(part) > 1 else part[0])
    return found


def _fold_key(line: FactLine) -> tuple[str, str] | None:
    """Return folder and ending of a path that can share a line with others."""
    folder, _, name = line.text.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    if not line.is_path or not name or set(line.text) & set("{},"):
        return None
    return folder, f".{ending}" if dot and stem else ""


def _one_fold(key: tuple[str, str], lines: Sequence[FactLine]) -> FactLine:
    folder, ending = key
    stems = (line.text[len(folder) + 1 : len(line.text) - len(ending)] for line in lines)
    return lines[0]._replace(text=f"{folder}/{{{','.join(stems)}}}{ending}", place="")
