"""Records to messages: the lines of one reply are one message, a result of a tool is one of its own.

A reply is complete when 32 later messages have begun: others may come between its lines.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final

from hermes_sessions.agents.claude_code.queued import PromptQueue, TakenPrompt
from hermes_sessions.agents.claude_code.records import TalkRecord
from hermes_sessions.agents.parsed_values import text_of
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

OPEN: Final = 32
"""How many messages may begin between the lines of one."""
HELD: Final = 4_096
"""How many records of other kinds may: a tool at work tells of its progress."""
_CONTEXT: Final = late_pattern(r"(?:\s*<(ide_\w+)>(?:(?!</?ide_).)*</\1>)+", re.DOTALL)
"""What an editor adds to what the user typed: the open file, what is selected."""
_CALLS: Final = ("tool_use",)
_THOUGHTS: Final = ("thinking",)
_KNOWN_BLOCKS: Final = frozenset({
    "text", "thinking", "redacted_thinking", "tool_use", "server_tool_use", "tool_result", "image",
    "document", "tool_reference",
})  # fmt: skip
_RESULT_KINDS: Final = "_tool_result"
"""How the kinds of blocks end that hold what a provider's tool gave."""
_MOST_KIND: Final = 80


@dataclass(slots=True)
class Said:
    """One message; blocks are the agent's own.

    Attributes:
        key: what it is found again by.
        at: its place: the offset of its first line, more by one for each block before it.
        records: those it is made of.
        blocks: its content, without the result of a tool around it.
        answers: the call that it is the result of.
        waits: where it begins, a prompt waits that the agent takes in later.
    """

    key: str
    at: int
    role: str
    records: list[TalkRecord]
    blocks: list[Any] = field(default_factory=list)
    answers: str | None = None
    failed: bool = False
    waits: bool = False

    @property
    def first(self) -> TalkRecord:
        """Its first record."""
        return self.records[0]

    @property
    def text(self) -> str:
        """What can be read of it: its text blocks, joined by line feeds."""
        texts = (one if isinstance(one, str) else _text(one) for one in self.blocks)
        return "\n".join(text for text in texts if text)

    @property
    def thoughts(self) -> str | None:
        """What it thought."""
        found = [one.get("thinking") for one in self._of(_THOUGHTS)]
        return "\n".join(one for one in found if isinstance(one, str) and one) or None

    @property
    def calls(self) -> list[Mapping[str, Any]]:
        """The calls of tools in it."""
        return list(self._of(_CALLS))

    @property
    def other(self) -> list[Any] | None:
        """Its content as blocks, where some of it is neither text, thought nor call."""
        kept = [
            {"type": "text", "text": one} if isinstance(one, str) else one
            for one in self.blocks
            if isinstance(one, str) or (isinstance(one, dict) and not _is_elsewhere(one))
        ]
        return kept if any(_text(one) is None or not _is_known(one) for one in kept) else None

    @property
    def digest(self) -> int:
        """A hash of its lines, 64 bits."""
        joined = b"".join(one.digest for one in self.records) + self.key.encode("utf-8", "surrogatepass")
        return int.from_bytes(blake2b(joined, digest_size=8).digest(), "big", signed=True)

    @property
    def usage(self) -> Mapping[str, Any]:
        """The tokens that its last line counts."""
        counted = (one.message.get("usage") for one in reversed(self.records))
        return next((one for one in counted if isinstance(one, dict)), {})

    @property
    def unknown_blocks(self) -> list[str]:
        """The kinds of its blocks that nobody here knows, one for each block."""
        return [_kind(one) for one in self.blocks if isinstance(one, dict) and not _is_known(one)]

    def _of(self, kinds: Sequence[str]) -> Iterator[Mapping[str, Any]]:
        return (one for one in self.blocks if isinstance(one, dict) and one.get("type") in kinds)


Item = Said | TalkRecord
"""A message, or a record that is none."""


def read_items(records: Iterable[TalkRecord], queue: PromptQueue | None = None) -> Iterator[Item]:
    """Yield messages and other records in the order in which they began.

    Args:
        queue: what was typed and not taken in before the first record.
    """
    queue = PromptQueue() if queue is None else queue
    waiting: deque[Item] = deque()
    messages = 0
    replies: dict[tuple[str, str | None], Said] = {}
    for record in records:
        taken = list(map(_taken, queue.before(record)))
        waiting.extend(taken)
        messages += len(taken)
        if record.is_boundary:
            replies.clear()  # what is kept may be written again behind it, under the ids of its replies
        name = text_of(record.message.get("id")) if record.kind == "assistant" else None
        reply = (name, text_of(record.value.get("requestId"))) if name is not None else None
        known = replies.get(reply) if reply is not None else None
        if known is not None:
            known.records.append(record)
            known.blocks.extend(_blocks(record))
            continue
        begun = list(_begin(record, queue))
        waiting.extend(begun)
        if reply is not None and isinstance(begun[0], Said):
            replies[reply] = begun[0]
        messages += sum(isinstance(one, Said) for one in begun)
        while messages > OPEN or len(waiting) > HELD:
            done = waiting.popleft()
            messages -= isinstance(done, Said)
            yield done
            _forget(replies, done)
    yield from waiting
    yield from map(_taken, queue.rest())


def _begin(record: TalkRecord, queue: PromptQueue) -> Iterator[Item]:
    """Yield what a record begins: messages, or itself where it is none.

    What a record of an unknown kind says is kept, and not shown: who said it is not known.
    """
    if (prompt := queue.prompt_of(record)) is not None:
        yield _taken(prompt)
    elif record.unknown is not None and (blocks := _blocks(record) or _content(record.value.get("content"))):
        said = Said(record.key, record.at, Role.SESSION_META, [record], blocks)
        yield said if said.text else record
    elif record.kind not in ("user", "assistant") or not record.message:
        yield record
    elif record.kind == "assistant":
        yield Said(record.key, record.at, Role.ASSISTANT, [record], _blocks(record))
    else:
        for said in _begin_user(record):
            said.waits = queue.waits
            yield said


def _taken(prompt: TakenPrompt) -> Said:
    """Return what the user typed while the agent worked, as a message."""
    first = prompt.records[0]
    return Said(first.key, prompt.at, Role.USER, prompt.records, _content(prompt.content))


def _begin_user(record: TalkRecord) -> Iterator[Said]:
    """Yield each result of a tool, and what else the record says as one message."""
    role = Role.SESSION_META if record.value.get("isMeta") is True else Role.USER
    made: list[Said] = []
    rest: Said | None = None
    blocks = [piece for block in _blocks(record) for piece in _without_context(block)]
    context = [one for one in blocks if _is_context(one)]
    for block in blocks:
        if _is_context(block):
            continue
        result = isinstance(block, dict) and block.get("type") == "tool_result"
        if not result and rest is not None:
            rest.blocks.append(block)
            continue
        key = f"{record.key}#{len(made)}" if made else record.key
        said = Said(key, record.at + len(made), Role.TOOL if result else role, [record])
        if result:
            said.answers = text_of(block.get("tool_use_id"))
            said.failed = block.get("is_error") is True
            said.blocks = _content(block.get("content"))
        else:
            said.blocks = [block]
            rest = said
        made.append(said)
    if context:  # behind what it was sent with, whose id is that of the record
        key = f"{record.key}#{len(made)}" if made else record.key
        made.append(Said(key, record.at + len(made), Role.SESSION_META, [record], context))
    yield from made or [Said(record.key, record.at, role, [record])]


def _without_context(block: Any) -> Iterator[Any]:
    """Yield a block of the user's, with what an editor wrote before the user's words apart."""
    text = _text(block)
    found = _CONTEXT.match(text) if text is not None and text.lstrip().startswith("<ide_") else None
    if text is None or found is None or not text[found.end() :].strip():
        yield block
        return
    for piece in (text[: found.end()], text[found.end() :].lstrip()):
        yield piece if isinstance(block, str) else {**block, "text": piece}


def _is_context(block: Any) -> bool:
    text = _text(block)
    return text is not None and _CONTEXT.fullmatch(text.strip()) is not None


def _blocks(record: TalkRecord) -> list[Any]:
    return _content(record.message.get("content"))


def _content(content: Any) -> list[Any]:
    if content is None:
        return []
    return list(content) if isinstance(content, list) else [content]


def _text(block: Any) -> str | None:
    if isinstance(block, str):
        return block
    if not isinstance(block, dict):
        return None
    found = block.get("text")
    if not _is_known(block) and not isinstance(found, str):
        found = block.get("content")
    return found if isinstance(found, str) and (block.get("type") == "text" or not _is_known(block)) else None


def _kind(block: Mapping[str, Any]) -> str:
    kind = block.get("type")
    return kind[:_MOST_KIND] if isinstance(kind, str) else ""


def _is_known(block: Mapping[str, Any]) -> bool:
    kind = block.get("type")
    return isinstance(kind, str) and (kind in _KNOWN_BLOCKS or kind.endswith(_RESULT_KINDS))


def _is_elsewhere(block: Mapping[str, Any]) -> bool:
    """Whether a block has a column of its own."""
    kind = block.get("type")
    return kind in _CALLS or (kind in _THOUGHTS and bool(block.get("thinking")))


def _forget(replies: dict[tuple[str, str | None], Said], done: Item) -> None:
    if isinstance(done, Said) and done.role == Role.ASSISTANT:
        name = text_of(done.first.message.get("id"))
        replies.pop((name or "", text_of(done.first.value.get("requestId"))), None)
