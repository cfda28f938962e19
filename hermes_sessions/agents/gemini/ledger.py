"""What the lines of a file make of its list of messages: written again, replaced, shortened, taken back.

Texts are not held: of each message the line that has it, of results of tools a hash.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from hermes_sessions.agents.gemini.records import REWIND, SET, TYPES, GeminiRecord, time_of
from hermes_sessions.agents.gemini.said import calls_of, is_snapshot, outputs_of, parts_of, text_in
from hermes_sessions.agents.json_lines.lines import FileLine
from hermes_sessions.agents.parsed_values import text_of
from hermes_sessions.agents.session_files.told import FreshKeys
from hermes_sessions.handoff.grammars.gemini import GRAMMAR

_ALONE: Final = -1
"""The place of a message that is a line of its own."""


class WrittenAt(NamedTuple):
    """Where a message is: its line, and its place in the list that the line sets."""

    line: FileLine
    place: int


@dataclass(slots=True)
class ListedMessage:
    """A message of the list, by its id.

    Attributes:
        outputs: results of its calls -> a hash of each.
        summary: it is a compaction's.
        note: the agent wrote it beside one.
    """

    at: WrittenAt
    time: float | None
    outputs: dict[str, int] = field(default_factory=dict)
    summary: bool = False
    note: bool = False


class Shortened(NamedTuple):
    """A list that lacks messages: a compaction.

    Attributes:
        handoff: the id of the summary.
        gone: ids that left the list, and those that stayed.
        stored: there was a list before it: what was summarised can be read.
    """

    key: str
    handoff: str | None
    time: float | None
    gone: tuple[str, ...]
    kept: tuple[str, ...]
    stored: bool


class Cleared(NamedTuple):
    """A list with results that are not as they were: (message, result) of each."""

    key: str
    time: float | None
    results: tuple[tuple[str, str], ...]


@dataclass(slots=True)
class MessageLedger:
    """The list of messages of one session, and what became of it.

    Attributes:
        messages: by id, in the order in which they were first written.
        live: what is in the list.
        rewound: ids that were taken back.
    """

    messages: dict[str, ListedMessage] = field(default_factory=dict)
    live: dict[str, None] = field(default_factory=dict)
    rewound: set[str] = field(default_factory=set)
    events: list[Shortened | Cleared] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    set_to: dict[str, Any] = field(default_factory=dict)
    keys: FreshKeys = field(default_factory=FreshKeys)

    def read(self, records: Iterable[GeminiRecord]) -> Iterator[GeminiRecord]:
        """Take lines in; yield those that are a header."""
        for record in records:
            self.kinds[record.kind] += 1
            if record.kind == "message":
                name = record.id or self.keys.fresh(f"line:{record.digest.hex()}")
                self._write(name, record.value, WrittenAt(_lean(record.line), _ALONE))
            elif record.kind == SET:
                self._set(record)
            elif record.kind == REWIND:
                self._rewind(text_of(record.value.get(REWIND)))
            elif record.kind == "header":
                yield record
            else:
                self.unknown[record.kind] += 1

    def begins_with_summary(self) -> None:
        """Note the compaction before what a file begins with: one that is rewritten whole has no more."""
        first = next(iter(self.messages), None)
        if first is not None and self.messages[first].summary and not self.events:
            kept = tuple(one for one in self.live if one != first)
            self.events.append(Shortened(first, first, self.messages[first].time, (), kept, stored=False))

    def _write(self, name: str, value: Mapping[str, Any], at: WrittenAt) -> None:
        known = self.messages.get(name)
        outputs = {one.key: _hash(one.text) for one in outputs_of(calls_of(value))}
        if known is None:
            if str(value.get("type")) not in TYPES:
                self.unknown[f"message of {value.get('type')!s}"] += 1
            first = not self.messages and is_snapshot(value)
            beside = len(self.messages) == 1 and next(iter(self.messages.values())).summary
            self.messages[name] = one = ListedMessage(at, time_of(value), outputs, summary=first)
            one.note = beside and _is_synthetic(value)
            self.live[name] = None
            return
        known.at, known.outputs = at, outputs
        if name in self.rewound:
            self.rewound.discard(name)
            self.live[name] = None

    def _set(self, record: GeminiRecord) -> None:
        changes = record.changes
        self.set_to.update((name, one) for name, one in changes.items() if name != "messages")
        listed = record.listed
        if listed is None:
            return
        named = self._named(record, listed)
        cleared = [
            (name, key)
            for name, (_, value) in named.items()
            if name in self.live
            for key in self._changed(name, value)
        ]
        before = list(self.live)
        gone = tuple(one for one in before if one not in named)
        fresh = [name for name in named if name not in self.messages]
        handoff = next((one for one in fresh[:1] if is_snapshot(named[one][1])), None)
        for name in fresh:
            place, value = named[name]
            self._write(name, value, WrittenAt(_lean(record.line), place))
        self.rewound.difference_update(named)
        self.live = dict.fromkeys(named)
        if handoff is not None:
            self._note_beside(handoff, named, fresh)
        if handoff is not None or gone:
            key = handoff or self.keys.fresh(f"set:{record.digest.hex()}")
            time = self.messages[handoff].time if handoff is not None else None
            kept = tuple(one for one in before if one in named)
            self.events.append(Shortened(key, handoff, time, gone, kept, stored=bool(before)))
        if cleared:
            key = self.keys.fresh(f"cleared:{record.digest.hex()}")
            time = time_of({"timestamp": changes.get("lastUpdated")})
            self.events.append(Cleared(key, time, tuple(cleared)))

    def _named(
        self, record: GeminiRecord, listed: list[dict[str, Any]]
    ) -> dict[str, tuple[int, dict[str, Any]]]:
        found: dict[str, tuple[int, dict[str, Any]]] = {}
        for place, value in enumerate(listed):
            name = text_of(value.get("id")) or self.keys.fresh(f"line:{record.digest.hex()}:{place}")
            found.setdefault(name, (place, value))
        return found

    def _note_beside(
        self, handoff: str, named: Mapping[str, tuple[int, Mapping[str, Any]]], fresh: list[str]
    ) -> None:
        self.messages[handoff].summary = True
        for name in fresh[1:2]:
            self.messages[name].note = _is_synthetic(named[name][1])

    def _changed(self, name: str, value: Mapping[str, Any]) -> Iterator[str]:
        """Yield the results of a message that were there and are not as they were."""
        before = self.messages[name].outputs
        for one in outputs_of(calls_of(value)):
            now = _hash(one.text)
            if before.get(one.key, now) != now:
                before[one.key] = now
                yield one.key

    def _rewind(self, name: str | None) -> None:
        """Take a message back with all after it; of one that is not in the list, all."""
        while self.live:
            last, _ = self.live.popitem()
            self.rewound.add(last)
            if last == name:
                return


def _is_synthetic(message: Mapping[str, Any]) -> bool:
    """Whether the agent puts a message beside each summary."""
    return GRAMMAR.is_synthetic(text_in(parts_of(message.get("content"))))


def _lean(line: FileLine) -> FileLine:
    return line._replace(raw=None)


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
