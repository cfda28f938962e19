"""Records to messages: a reply with its calls, then each result of a tool as a message of its own.

A reply of several steps is one message for each step: so the provider had it. Text that the agent put in
the user's place (`synthetic`), and text that it kept from the model (`ignored`), is not the user's.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hermes_sessions.agents.opencode.records import MessageRecord, PartRecord, milliseconds
from hermes_sessions.agents.parsed_values import dict_of, text_of
from hermes_sessions.agents.told_messages import call_row, digest_of, dumped
from hermes_sessions.messages import Role

KINDS: Final = frozenset({
    "text", "reasoning", "tool", "step-start", "step-finish", "file", "patch", "snapshot", "agent", "retry",
    "subtask", "compaction",
})  # fmt: skip
_SHOWN: Final = ("file", "agent", "subtask")
"""Parts that are shown beside the text."""
_ENDED: Final = ("completed", "error")


@dataclass(slots=True)
class SaidHere:
    """One message of the store.

    Attributes:
        key: what it is found again by: the id of its record, of a result that of its part.
        part: the id of its first part.
        other: its content as blocks, where some of it is not text.
        answers: the call that it is the result of.
        cleared: milliseconds when the model ceased to see the result.
        exact: bytes of parts that are not UTF-8, in base 64.
    """

    key: str
    record: MessageRecord
    role: str
    part: str = ""
    text: str = ""
    other: list[Any] | None = None
    calls: list[dict[str, Any]] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    answers: str | None = None
    time: float | None = None
    cleared: float | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    exact: list[str] = field(default_factory=list)

    @property
    def same(self) -> int:
        """A hash of what it says and when, 64 bits: a copy in another session has the same."""
        told = [self.role, self.text, self.other, self.calls, self.thoughts, self.answers, self.time]
        return digest_of(dumped(told).encode("utf-8", "surrogatepass"))

    @property
    def says_something(self) -> bool:
        """Whether there is anything to keep of it."""
        return bool(self.text or self.other or self.calls or self.thoughts or self.answers)


def said_in(record: MessageRecord) -> Iterator[SaidHere]:
    """Yield the messages of a record of the user or the assistant; none where nothing was said yet."""
    if record.value.get("role") == "user":
        made: Iterator[SaidHere] = iter([_asked(record)])
    else:
        made = _replied(record)
    for one in made:
        if one.says_something:
            yield one


def marker_of(record: MessageRecord) -> PartRecord | None:
    """Return the part by which a record of the user begins a compaction; None where it has none."""
    if record.value.get("role") != "user":
        return None
    return next((one for one in record.parts if one.kind == "compaction"), None)


def is_summary(record: MessageRecord) -> bool:
    """Return whether a reply is a compaction's summary, complete or not."""
    return record.value.get("role") == "assistant" and record.value.get("summary") is True


def error_of(record: MessageRecord) -> str | None:
    """Return why a reply failed, in a line; None where it did not."""
    error = record.value.get("error")
    if not error:
        return None
    told = dict_of(error)
    why = text_of(dict_of(told.get("data")).get("message")) or text_of(told.get("message"))
    name = text_of(told.get("name"))
    return ": ".join(one for one in (name, why) if one) or "it failed"


# -- the user --------------------------------------------------------------------------------------


def _asked(record: MessageRecord) -> SaidHere:
    said = _begin(record, record.id, Role.USER)
    texts = [one for one in record.parts if one.kind == "text"]
    typed = [one for one in texts if not (one.value.get("synthetic") or one.value.get("ignored"))]
    shown = [one for one in record.parts if one.kind in _SHOWN]
    if not typed and not shown:
        typed = texts
        said.role = Role.SESSION_META
        said.extra["role"] = str(Role.USER)
    said.text = _joined(typed)
    if shown or len(typed) < len(texts):
        said.other = [
            {**_block(one), **({"synthetic": True} if one.value.get("synthetic") else {})}
            for one in record.parts
            if one.kind in _SHOWN or (one.kind == "text" and not one.value.get("ignored"))
        ]
    _note_parts(said, record.parts)
    return said


def _block(part: PartRecord) -> dict[str, Any]:
    """Return a part as a block of content."""
    if part.kind == "text":
        return {"type": "text", "text": _text(part)}
    if part.kind == "file":
        return file_block(part.value)
    return dict(part.value)


def file_block(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return a file that is attached as a block; an image as images are in the OpenAI API."""
    kind, url, name = text_of(value.get("mime")) or "", text_of(value.get("url")), value.get("filename")
    named = {"filename": name} if isinstance(name, str) else {}
    if kind.startswith("image/") and url is not None:
        return {"type": "image_url", "image_url": {"url": url}, **named}
    return {"type": "file", "mime": kind, **named, **({"url": url} if url is not None else {})}


# -- the assistant ---------------------------------------------------------------------------------


def _replied(record: MessageRecord) -> Iterator[SaidHere]:
    """Yield each step of a reply, and what its tools answered."""
    steps = _steps(record.parts)
    for number, parts in enumerate(steps):
        said = _begin(record, f"{record.id}#{number}" if number else record.id, Role.ASSISTANT)
        said.text = _joined([one for one in parts if one.kind == "text" and not one.value.get("ignored")])
        said.thoughts = [text for one in parts if one.kind == "reasoning" and (text := _text(one))]
        shown = [one for one in parts if one.kind in _SHOWN]
        if shown:
            said.other = [_block(one) for one in parts if one.kind in ("text", *_SHOWN)]
        tools = [one for one in parts if one.kind == "tool"]
        said.calls = [_call(one) for one in tools]
        _note_parts(said, parts)
        if number == len(steps) - 1:
            _note_end(said)
        yield said
        for part in tools:
            if dict_of(part.value.get("state")).get("status") in _ENDED:
                yield _result(record, part)
    if not steps:
        said = _begin(record, record.id, Role.ASSISTANT)
        _note_end(said)
        yield said


def _steps(parts: Sequence[PartRecord]) -> list[list[PartRecord]]:
    """Return the parts of each step; one that says nothing goes with the next."""
    steps: list[list[PartRecord]] = []
    full = True
    for part in parts:
        if part.kind == "step-start" and full:
            steps.append([])
            full = False
        elif not steps:
            steps.append([])
        steps[-1].append(part)
        full = full or part.kind in ("text", "reasoning", "tool")
    return steps


def _note_end(said: SaidHere) -> None:
    """Take down how a reply ended; one that failed without a word is the agent's note of it."""
    why = error_of(said.record)
    if why is None:
        return
    said.extra["error"] = why
    if not said.says_something:
        said.role, said.text = Role.SESSION_META, why


def _call(part: PartRecord) -> dict[str, Any]:
    given = dict_of(part.value.get("state")).get("input")
    return call_row(text_of(part.value.get("callID")) or part.id, text_of(part.value.get("tool")), given)


def _result(record: MessageRecord, part: PartRecord) -> SaidHere:
    state = dict_of(part.value.get("state"))
    times = dict_of(state.get("time"))
    said = _begin(record, part.id, Role.TOOL)
    said.part = part.id
    said.answers = text_of(part.value.get("callID")) or part.id
    said.time = milliseconds(times.get("end")) or milliseconds(times.get("start")) or said.time
    said.cleared = milliseconds(times.get("compacted"))
    failed = state.get("status") == "error"
    output = state.get("error") if failed else state.get("output")
    said.text = output if isinstance(output, str) else "" if output is None else dumped(output)
    files = state.get("attachments")
    shown = [file_block(one) for one in files if isinstance(one, dict)] if isinstance(files, list) else []
    if shown:
        said.other = [{"type": "text", "text": said.text}, *shown]
    if failed:
        said.extra["is_error"] = True
    title = text_of(state.get("title"))
    if title is not None:
        said.extra["title"] = title
    if part.exact is not None:
        said.exact.append(part.exact)
    return said


# -- both ------------------------------------------------------------------------------------------


def _begin(record: MessageRecord, key: str, role: str) -> SaidHere:
    time = milliseconds(dict_of(record.value.get("time")).get("created"))
    return SaidHere(key, record, role, time=time)


def _note_parts(said: SaidHere, parts: Sequence[PartRecord]) -> None:
    said.part = parts[0].id if parts else ""
    said.exact = [one.exact for one in parts if one.exact is not None and one.kind != "tool"]


def _text(part: PartRecord) -> str:
    found = part.value.get("text")
    return found if isinstance(found, str) else ""


def _joined(parts: Sequence[PartRecord]) -> str:
    return "\n".join(text for one in parts if (text := _text(one)))
