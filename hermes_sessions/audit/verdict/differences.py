"""What a finding found, place by place: how handoff and source differ, with both sentences. Values only."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hermes_sessions.audit.checking.deviation import SECRET
from hermes_sessions.audit.verdict.evidence_names import evidence_name
from hermes_sessions.audit.verdict.nouns import noun
from hermes_sessions.late_patterns import late_pattern

_SENTENCES: Final[Mapping[str, str]] = {
    "negation": "says the opposite",
    "opposite": "says the opposite",
    "done": "reports as done what is not",
    "order": "joins or orders things otherwise",
    "who": "names somebody else for it",
}
"""How whole sentences differ, by the kind of what was noticed."""

_PERHAPS: Final[Mapping[str, str]] = {
    "negation": "may say the opposite",
    "opposite": "may say the opposite",
    "done": "may report as done what is not",
    "order": "may join or order things otherwise",
    "who": "may name somebody else for it",
}
_QUOTES: Final = frozenset({"quotation", "user_words"})
_SURE: Final = "contradicts"
_PLACES: Final[Mapping[str, str]] = {
    "values": "",
    "rules": "rule out of sight",
    "maybe_lost": "rule perhaps there in other words",
    "lines": "nobody said this",
    "tasks": "this was over",
}
"""Pieces of evidence that are lists of places, and what each place is where its kind does not say it."""
_KINDS: Final[Mapping[str, str]] = {
    "finished": "task that was finished",
    "cancelled": "task that was called off",
    "silence": "asks for silence",
    "as_user": "speaks as the user",
    "as_system": "speaks as the system",
    "next_move": "orders what nobody asked for",
}

_DOUBTS: Final[Mapping[str, str]] = {
    "one_step": "rule out of sight, perhaps meant for one step only",
    "unexplained": "rule out of sight, unless a line that nothing explains means it",
}
"""Rules of which the loss is no warning, though the handoff does not say them."""

_HALF_BOLD = late_pattern(r"(?<=[:：])\*\*(?=\s|$)|^\*\*(?=\s)")

_LIST_SIGN = late_pattern(r"^\s*[-*+•]\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One place that a finding found.

    Attributes:
        how: in what way handoff and source differ, in plain words.
        value: the handoff's value, '' where its whole sentence is meant.
        line: the handoff's sentence, '' where the place is no sentence of it.
        source: the source's value, '' where it has none or its whole sentence is meant.
        source_line: the source's sentence, '' where nothing before the handoff is near.
        message: the number of the source's message, None where that is unknown.
    """

    how: str
    value: str = ""
    line: str = ""
    source: str = ""
    source_line: str = ""
    message: int | None = None

    @property
    def head(self) -> str:
        """How both differ, with the values."""
        if not self.value:
            return self.how
        if not self.source:
            return f"{self.how}: “{self.value}”"
        return f"{self.how}: “{self.value}” in the handoff, “{self.source}” in {self.place}"

    @property
    def place(self) -> str:
        """Where the source is, in words."""
        return "the source" if self.message is None else f"message {self.message}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPlaces:
    """The places of a finding: those that are told, and how many more there were."""

    places: tuple[Difference, ...]
    more: int = 0

    def first(self, count: int) -> "FoundPlaces":
        """Return the first *count* places; the others are counted as more."""
        return FoundPlaces(places=self.places[:count], more=self.more + len(self.places[count:]))


def read_places(rule: str, evidence: Mapping[str, Any] | None) -> FoundPlaces:
    """Return the places that a finding's evidence tells of, none where it tells of no place."""
    found = tuple(_places(rule, evidence or {}))
    count = (evidence or {}).get("count")
    more = count - len(found) if found and isinstance(count, int) else 0
    return FoundPlaces(places=found, more=max(0, more))


def other_evidence(evidence: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return a finding's evidence without its places and their count."""
    given = evidence or {}
    has_places = any(_is_places(name, value) for name, value in given.items())
    return {
        name: value
        for name, value in given.items()
        if not (_is_places(name, value) or (has_places and name == "count"))
    }


def evidence_line(rule: str, evidence: Mapping[str, Any] | None, places: int = 3) -> str:
    """Return a finding's evidence on one line, with its first *places*; empty pieces are left out."""
    found = read_places(rule, evidence).first(places)
    parts = [_in_short(one) for one in found.places]
    if found.more:
        parts.append(f"and {found.more} more")
    parts += [
        f"{evidence_name(name)}: {_plain(value)}"
        for name, value in other_evidence(evidence).items()
        if value not in (None, "")
    ]
    return "; ".join(parts)


# -- inside ----------------------------------------------------------------------------------------


def _is_places(name: str, value: object) -> bool:
    return name in _PLACES and isinstance(value, Sequence) and not isinstance(value, str)


def _places(rule: str, evidence: Mapping[str, Any]) -> Iterator[Difference]:
    for name, value in evidence.items():
        if not _is_places(name, value):
            continue
        for one in value:
            if isinstance(one, Mapping) and "value" in one:
                yield _of_values(rule, one) if name == "values" else _of_lines(name, one)


def _of_lines(name: str, one: Mapping[str, Any]) -> Difference:
    """Return a rule, with the message that set it, or a line of the handoff."""
    text, message = _bare(one["value"]), one.get("message")
    kind = str(one.get("kind") or "")
    if name in ("rules", "maybe_lost"):
        return Difference(how=_DOUBTS.get(kind, _PLACES[name]), source_line=text, message=message)
    return Difference(how=_KINDS.get(kind, _PLACES[name]), line=text, message=message)


def _of_values(rule: str, one: Mapping[str, Any]) -> Difference:
    kind, value, source = (_bare(one.get(name) or "") for name in ("kind", "value", "source"))
    line = _bare(one.get("line") or value)
    source_line = _bare(one.get("source_line") or source)
    is_sentence = kind in _SENTENCES or value == line
    return Difference(
        how=_how(rule, kind, source, is_sentence),
        value="" if value == line or kind == SECRET else value,
        line=line,
        source="" if is_sentence or kind == SECRET else source,
        source_line=source_line,
        message=one.get("message"),
    )


def _how(rule: str, kind: str, source: str, is_sentence: bool) -> str:
    if not source:
        return _without_source(rule, kind, is_sentence)
    words = _SENTENCES if rule == _SURE else _PERHAPS
    return words.get(kind) or f"{'another' if rule == _SURE else 'perhaps another'} {noun(kind)}"


def _without_source(rule: str, kind: str, is_sentence: bool) -> str:
    if kind in _QUOTES:
        return "words that nobody said"
    if rule == _SURE and is_sentence:
        return "the wrong way round"
    return "no sentence before it says so" if is_sentence else f"{noun(kind)} that nothing before it has"


def _bare(text: Any) -> str:
    """Return a piece of a text without list sign, half a Markdown bold, and the sign that it was cut at."""
    bare = _LIST_SIGN.sub("", str(text)).strip()
    if bare.count("**") % 2:
        bare = _HALF_BOLD.sub("", bare)
    return bare.rstrip(";,、，； ")


def _in_short(one: Difference) -> str:
    if one.value:
        told = f"“{one.value}”"
        return f"{one.how}: {told}, source “{one.source}”" if one.source else f"{one.how}: {told}"
    return f"{one.how}: “{one.line or one.source_line}”"


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(_plain(one) for one in value)
    if isinstance(value, dict):
        return ", ".join(f"{name} {_plain(one)}" for name, one in value.items())
    return str(value)
