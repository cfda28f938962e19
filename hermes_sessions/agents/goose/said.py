"""Records to messages: a reply with its calls; each result of a tool as a message of its own."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final

from hermes_sessions.agents.goose.records import GooseMessage
from hermes_sessions.agents.parsed_values import dict_of, text_of
from hermes_sessions.agents.told_messages import call_row, dumped
from hermes_sessions.messages import SENT, Role

KINDS: Final = frozenset({
    "text", "image", "toolRequest", "toolResponse", "frontendToolRequest", "toolConfirmationRequest",
    "actionRequired", "thinking", "redactedThinking", "reasoning", "systemNotification",
    "contextLengthExceeded", "summarizationRequested", "conversationCompacted",
})  # fmt: skip
_CALLS: Final = ("toolRequest", "frontendToolRequest")
_NOTES: Final = (
    "systemNotification", "contextLengthExceeded", "summarizationRequested", "conversationCompacted",
)  # fmt: skip
"""What the agent tells the user, and the model never sees."""


@dataclass(slots=True)
class SaidToGoose:
    """One message of the store.

    Attributes:
        key: what it is found again by; made of its contents where the record has no id.
        number: which of its session's records it is of.
        other: its content as blocks, where some of it is not text.
        answers: the call that it is the result of.
    """

    key: str
    number: int
    record: GooseMessage
    role: str
    text: str = ""
    other: list[Any] | None = None
    calls: list[dict[str, Any]] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    answers: str | None = None
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def digest(self) -> int:
        """A hash of what is stored of it, 64 bits."""
        told = [self.role, self.text, self.other, self.calls, self.thoughts, self.answers, self.extra]
        return _hash(dumped([*told, self.record.created]))


class GooseSayings:
    """The messages of one session, in its order: names each of them once."""

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}
        self._records = 0

    def read(self, record: GooseMessage, *, own: bool = False) -> Iterator[SaidToGoose]:
        """Yield the messages of the next record: the results in it, then what else it says.

        Args:
            own: the agent itself wrote it in the user's place.
        """
        blocks = [one for one in record.content if isinstance(one, dict)]
        results = [one for one in blocks if one.get("type") == "toolResponse"]
        rest = [one for one in blocks if one.get("type") != "toolResponse"]
        number, self._records = self._records, self._records + 1
        name = (
            record.id
            or f"said-{_hash(dumped([record.role, record.content, record.created])) + (1 << 63):016x}"
        )
        for block in results:
            yield _result(self._key(name), number, record, block)
        if rest or not results:
            said = _words(self._key(name), number, record, rest)
            if own:
                said.role = Role.SESSION_META
                said.extra |= {"role": record.role, SENT: True}
            if said.text or said.other or said.calls or said.thoughts:
                yield said

    def _key(self, name: str) -> str:
        before = self._taken.get(name, 0)
        self._taken[name] = before + 1
        return f"{name}#{before}" if before else name


def _words(key: str, number: int, record: GooseMessage, blocks: Sequence[Mapping[str, Any]]) -> SaidToGoose:
    said = SaidToGoose(key, number, record, Role.USER if record.role == "user" else Role.ASSISTANT)
    notes = [text for one in blocks if one.get("type") in _NOTES and (text := text_of(one.get("msg")))]
    texts = [text for one in blocks if one.get("type") == "text" and (text := text_of(one.get("text")))]
    said.text = "\n".join(texts)
    said.calls = [_call(one) for one in blocks if one.get("type") in _CALLS]
    thoughts = (
        text_of(one.get("thinking")) or text_of(one.get("text")) for one in blocks if _is_thought(one)
    )
    said.thoughts = [one for one in thoughts if one]
    if any(one.get("type") == "image" for one in blocks):
        said.other = [_block(one) for one in blocks if one.get("type") in ("text", "image")]
    if notes and not (texts or said.calls or said.other):
        said.role, said.text = Role.SESSION_META, "\n".join(notes)
    elif said.role == Role.ASSISTANT and not record.for_user and record.words is not None:
        said.role = Role.SESSION_META  # what the agent tells the model after a summary, in its own place
    if said.role == Role.SESSION_META:
        said.extra["role"] = record.role
    return said


def _is_thought(block: Mapping[str, Any]) -> bool:
    return block.get("type") in ("thinking", "reasoning")


def _block(block: Mapping[str, Any]) -> dict[str, Any]:
    """Return a piece of content as a block; an image as images are in the OpenAI API."""
    if block.get("type") == "image":
        kind = text_of(block.get("mimeType")) or "image/png"
        url = f"data:{kind};base64,{text_of(block.get('data')) or ''}"
        return {"type": "image_url", "image_url": {"url": url}}
    return dict(block)


def _call(block: Mapping[str, Any]) -> dict[str, Any]:
    told = dict_of(block.get("toolCall"))
    value = dict_of(told.get("value"))
    return call_row(text_of(block.get("id")), text_of(value.get("name")), value.get("arguments"))


def _result(key: str, number: int, record: GooseMessage, block: Mapping[str, Any]) -> SaidToGoose:
    said = SaidToGoose(key, number, record, Role.TOOL, answers=text_of(block.get("id")))
    told = dict_of(block.get("toolResult"))
    value = told.get("value")
    content = value.get("content") if isinstance(value, dict) else value
    pieces = [one for one in content if isinstance(one, dict)] if isinstance(content, list) else []
    said.text = "\n".join(text for one in pieces if (text := _text_of(one)))
    failed = told.get("status") == "error" or dict_of(value).get("isError") is True
    if failed:
        said.extra["is_error"] = True
    if not pieces:
        said.text = text_of(told.get("error")) or (content if isinstance(content, str) else "")
    if any(one.get("type") == "image" for one in pieces):
        said.other = [_block(one) for one in pieces]
    return said


def _text_of(piece: Mapping[str, Any]) -> str | None:
    """Return the text of a piece of a result, that of an embedded resource included."""
    return text_of(piece.get("text")) or text_of(dict_of(piece.get("resource")).get("text"))


def _hash(text: str) -> int:
    raw = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(raw, digest_size=8).digest(), "big", signed=False) - (1 << 63)
