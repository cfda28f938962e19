"""Pieces to messages: a reply has its thoughts before it and its calls behind it; a result is one of its own.

A message is found again by what it says and how often that was said before, so that it is the same in every
form in which releases write a thread. Thoughts at the end of a file belong to a reply that is still to be
written: they are left until it is there, for it is the reply that they are found by.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final

from hermes_sessions.agents.codex.pieces import (
    LinePiece,
    PieceSort,
    block_text,
    blocks_of,
    call_of,
    is_compaction,
    is_known,
    text_in,
)
from hermes_sessions.agents.codex.records import EVENT, RolloutLine
from hermes_sessions.agents.parsed_values import text_of
from hermes_sessions.agents.told_messages import dumped
from hermes_sessions.handoff.grammars.codex import GRAMMAR
from hermes_sessions.messages import Role

_ENDS_REPLY: Final = (
    "task_started",
    "task_complete",
    "turn_aborted",
    "thread_rolled_back",
    "context_compacted",
)
_NO_SUMMARY: Final = "(no summary available)"
"""What the agent sends in the place of a summary that is empty."""
KEY_BYTES: Final = 10
"""Of the hash of what is said, by which a message is found again."""


@dataclass(slots=True)
class SaidInThread:
    """One message; blocks are the agent's own.

    Attributes:
        key: what it is found again by.
        at: its place: the offset of its first line, or of the event that said it.
        lines: those it is made of.
        ids: what later compactions may call the items in it.
        answers: the call that it is the result of.
        injected: nobody typed it; `wrote` says in whose place.
        summary: it is the handoff of a compaction.
        unknown: what its line is, where nobody here knows that.
    """

    key: str
    at: int
    role: str
    lines: list[RolloutLine]
    blocks: list[Any] = field(default_factory=list)
    text: str = ""
    calls: list[dict[str, Any]] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    answers: str | None = None
    wrote: str = ""
    injected: bool = False
    summary: bool = False
    unknown: str | None = None

    @property
    def first(self) -> RolloutLine:
        """Its first line."""
        return self.lines[0]

    @property
    def other(self) -> list[Any] | None:
        """Its content as blocks, where some of it is not text."""
        plain = all(block_text(one) is not None and is_known(one) for one in self.blocks)
        return None if plain else self.blocks

    @property
    def unknown_blocks(self) -> list[str]:
        """The kinds of its blocks that nobody here knows, one for each block."""
        return [str(one.get("type"))[:80] for one in self.blocks if not is_known(one)]

    @property
    def same(self) -> int:
        """A hash of its role and content, by which it is known in a compaction's replacement."""
        return content_hash(self.wrote or self.role, self.blocks)

    @property
    def digest(self) -> int:
        """A hash of its lines, 64 bits."""
        joined = b"".join(one.digest for one in self.lines) + self.key.encode("utf-8", "surrogatepass")
        return int.from_bytes(blake2b(joined, digest_size=8).digest(), "big", signed=True)


ThreadItem = SaidInThread | RolloutLine
"""A message, or a line that is none."""


class Sayings:
    """The messages of one thread, over all its streams: what was said before is counted."""

    def __init__(self, names: Sequence[bytes] = ()) -> None:
        self.names = list(names)
        """Hashes of what was said so far, in order."""
        self._counts = Counter(self.names)
        self._reply: SaidInThread | None = None
        self._thoughts: list[LinePiece] = []

    def read(self, pieces: Iterable[LinePiece]) -> Iterator[ThreadItem]:
        """Yield messages and other lines in the order in which they began; a reply when it is whole."""
        for piece in pieces:
            if piece.sort in (PieceSort.CALL, PieceSort.BLOCK):
                yield from self._add(piece)
            elif piece.sort is PieceSort.THOUGHT:
                yield from self._end_reply()
                piece.line = _lean(piece.line)
                self._thoughts.append(piece)
            elif piece.sort is PieceSort.MARK:
                yield from self._pass(piece.line)
            else:
                yield from self._say(piece)
        yield from self._end_reply()
        self._thoughts = []

    def _say(self, piece: LinePiece) -> Iterator[SaidInThread]:
        """Begin a reply, or yield what is whole by itself."""
        if piece.role == Role.ASSISTANT and not piece.injected:
            yield from self._end_reply()
            spoken = [one for one in piece.blocks if block_text(one) is not None]  # all that its event has
            self._reply = self._said(piece, Role.ASSISTANT, self._name(piece.role, spoken or piece.blocks))
            self._think()
            return
        yield from self._end()
        if piece.sort is PieceSort.RESULT:
            call = text_of(piece.line.value.get("call_id"))
            name = ("out", call) if call is not None else ("out", piece.blocks)
            said = self._said(piece, Role.TOOL, self._name(*name))
            said.answers = call
        else:
            role = Role.SESSION_META if piece.injected else Role.USER
            said = self._said(piece, role, self._name(piece.role, piece.blocks))
            said.wrote, said.injected, said.unknown = piece.role, piece.injected, piece.unknown
        yield said

    def _add(self, piece: LinePiece) -> Iterator[SaidInThread]:
        """Add a call, or what a provider did, to the reply; begin one where there is none."""
        line = piece.line
        call = call_of(line.value) if piece.sort is PieceSort.CALL else None
        if self._reply is None:
            name = ("call", call["id"] or dumped(call)) if call is not None else ("block", piece.blocks)
            self._reply = self._said(piece, Role.ASSISTANT, self._name(*name))
            self._think()
        else:
            self._reply.lines.append(_lean(line))
            self._reply.ids.extend(_ids(line))
            self._reply.blocks.extend(piece.blocks)
        if call is not None:
            self._reply.calls.append(call)
        yield from ()

    def _pass(self, line: RolloutLine) -> Iterator[ThreadItem]:
        if is_compaction(line):
            yield from self._end()
            yield line
            text = summary_of(line)
            if text is not None:
                key = self._name("handoff", text)
                said = SaidInThread(
                    key, line.at, Role.USER, [_lean(line)], [{"type": "input_text", "text": text}], text
                )
                said.summary = True
                yield said
            return
        if line.kind == EVENT and line.sort in _ENDS_REPLY:
            yield from self._end()
        yield line

    def _end(self) -> Iterator[SaidInThread]:
        """Yield the reply that is whole, and thoughts that led to none."""
        yield from self._end_reply()
        if self._thoughts:
            first = self._thoughts[0]
            said = SaidInThread(self._name("thought", first.text), first.line.at, Role.ASSISTANT, [])
            self._reply = said
            self._think()
            self._reply = None
            if said.thoughts:
                yield said

    def _end_reply(self) -> Iterator[SaidInThread]:
        if self._reply is not None:
            yield self._reply
            self._reply = None

    def _think(self) -> None:
        """Give the reply the thoughts that stand before it."""
        if self._reply is not None and self._thoughts:
            self._reply.thoughts = [one.text for one in self._thoughts if one.text]
            self._reply.lines[:0] = [one.line for one in self._thoughts]
            self._thoughts = []

    def _said(self, piece: LinePiece, role: str, key: str) -> SaidInThread:
        line = piece.line
        return SaidInThread(
            key, piece.at, role, [_lean(line)], list(piece.blocks), piece.text, ids=_ids(line)
        )

    def _name(self, sort: str, said: Any) -> str:
        """Return a key: a hash of what is said, and the how-manieth of its kind it is."""
        name = blake2b(dumped([sort, _plain(said)]).encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES)
        self.names.append(name.digest())
        self._counts[name.digest()] += 1
        number = self._counts[name.digest()]
        return name.hexdigest() if number == 1 else f"{name.hexdigest()}#{number}"


def content_hash(role: str, blocks: Any) -> int:
    """Return a hash of a role and its content, whatever its text blocks are called.

    Where there is text nothing else counts, and it is one: a compaction keeps a request's text alone.
    """
    text = dumped([role, _plain(blocks)])
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def compaction_key(line: RolloutLine) -> str:
    """Return what a compaction is found again by, in a copy too: its window's id, else what it says."""
    window = text_of(line.value.get("window_id"))
    if window is not None:
        return window
    told = {name: line.value.get(name) for name in ("message", "replacement_history")}
    return "compacted:" + blake2b(dumped(told).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def summary_of(line: RolloutLine) -> str | None:
    """Return the handoff that a compaction wrote in the clear; None: it is encrypted, missing or empty."""
    text = _summary_told(line)
    return None if text is None or _says_nothing(text) else text


def is_summary_empty(line: RolloutLine) -> bool:
    """Whether a compaction wrote a summary in the clear that says nothing."""
    text = _summary_told(line)
    return text is not None and _says_nothing(text)


def _says_nothing(text: str) -> bool:
    found = GRAMMAR.spans(text)
    return not found or text[found[0].body_start :].strip() in ("", _NO_SUMMARY)


def _summary_told(line: RolloutLine) -> str | None:
    text = text_of(line.value.get("message"))
    if text is not None:
        return text
    for item in replacement(line) or ():
        text = text_in(blocks_of(item.get("content"))) if item.get("type") == "message" else ""
        if GRAMMAR.starts(text):
            return text
    return None


def replacement(line: RolloutLine) -> list[dict[str, Any]] | None:
    """Return the items of the context that follows, references as they are; None where they are not told."""
    for name in ("replacement_history_entries", "replacement_history"):
        found = line.value.get(name)
        if isinstance(found, list):
            unwrapped = (one.get("item", one) if isinstance(one, dict) else None for one in found)
            return [one for one in unwrapped if isinstance(one, dict)]
    return None


def _plain(said: Any) -> Any:
    """Return the text of content, whose blocks may have kinds that differ between item and event."""
    if not isinstance(said, list):
        return said
    texts = [text for one in said if (text := block_text(one))]
    return "\n".join(texts) if texts else said


def _lean(line: RolloutLine) -> RolloutLine:
    """Return a line without what was taken from it: thousands may wait for what they belong to."""
    phase = line.value.get("phase")
    return line._replace(value={"phase": phase} if isinstance(phase, str) else {})


def _ids(line: RolloutLine) -> list[str]:
    found = text_of(line.value.get("id"))
    return [found] if found is not None else []


def usage_of(line: RolloutLine) -> Mapping[str, Any] | None:
    """Return what a `token_count` says, None for other lines and where it says nothing."""
    info = line.value.get("info") if line.kind == EVENT and line.sort == "token_count" else None
    return info if isinstance(info, dict) else None
