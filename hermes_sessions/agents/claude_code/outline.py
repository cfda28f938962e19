"""What is remembered of one stream of a file when it was read to its end: facts, no texts."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from hermes_sessions.agents.claude_code.records import TalkRecord
from hermes_sessions.agents.claude_code.said import Item, Said
from hermes_sessions.agents.parsed_values import text_of
from hermes_sessions.agents.told_messages import dumped
from hermes_sessions.agents.unknown_kinds import KEPT_RAW, KEPT_TEXT, UnknownKind
from hermes_sessions.handoff import as_typed, asks_nothing, is_command
from hermes_sessions.messages import Role

_TITLE_CHARS: Final = 200
_KEPT_OF_EVENTS: Final = (
    "timestamp", "subtype", "parentUuid", "logicalParentUuid", "compactMetadata", "microcompactMetadata",
)  # fmt: skip
_COUNTED: Final = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_input_tokens": "cache_read_tokens",
    "cache_creation_input_tokens": "cache_write_tokens",
}


class HeardMessage(NamedTuple):
    """What comparing and concluding need of one message.

    Attributes:
        ref: its number in its family.
        uuids: the records it is made of.
        same: a hash of its role, content and time.
        text_size: characters.
        answers: the call it is a result of.
    """

    ref: int
    key: str
    role: str
    uuids: tuple[str, ...]
    created_at: float | None
    same: int
    answers: str | None
    is_summary: bool
    is_typed: bool


class EventMark(NamedTuple):
    """A compaction's boundary, or a clearing of results; `after` is the number of messages before it."""

    record: TalkRecord
    after: int


@dataclass(slots=True)
class Outline:
    """One session as far as it was read.

    Attributes:
        links: record -> the one it follows, by a hash of their ids, in their order.
        titles: what it is called, by the kind of record that says so.
        unknown: what nobody here knows, and how many there are of each.
        replayed: how many records repeat earlier ones of the file, and were left out.
    """

    heard: list[HeardMessage] = field(default_factory=list)
    marks: list[EventMark] = field(default_factory=list)
    links: dict[int, int] = field(default_factory=dict)
    kinds: Counter[str] = field(default_factory=Counter)
    unknown: Counter[UnknownKind] = field(default_factory=Counter)
    titles: dict[str, str] = field(default_factory=dict)
    totals: Counter[str] = field(default_factory=Counter)
    facts: dict[str, str] = field(default_factory=dict)
    newest: float | None = None
    replayed: int = 0
    live: list[HeardMessage] = field(default_factory=list)
    """What the model saw before this reading, where it goes on from an earlier one."""
    settled: int = 0
    """How many messages there are up to the last summary that a boundary announced."""
    requests: set[int] = field(default_factory=set)
    """Requests whose tokens, and calls of tools that, were counted: hashes of their ids."""
    summaries: dict[int, str] = field(default_factory=dict)
    """Texts of the compactions' summaries, by the number of their message."""
    delegates: dict[str, str] = field(default_factory=dict)
    """Agents started here -> the call that started them."""


def once(records: Iterable[TalkRecord], outline: Outline | None = None) -> Iterator[TalkRecord]:
    """Yield the records without those that the agent appended again under their own ids."""
    seen: set[int] = set()
    for record in records:
        if record.uuid is not None:
            name = hash(record.uuid)
            if name in seen:
                if outline is not None:
                    outline.replayed += 1
                continue
            seen.add(name)
        yield record


def note(outline: Outline, item: Item, first_ref: int, counted: bool) -> HeardMessage | None:
    """Take an item into the outline; return what was heard, where it is a message.

    Args:
        first_ref: the number of the session's first message.
        counted: whether its tokens are this session's: not where another session said it first.
    """
    records = item.records if isinstance(item, Said) else [item]
    for record in records:
        _note_record(outline, record)
    if not isinstance(item, Said):
        if item.unknown is not None:
            outline.unknown[UnknownKind("record", item.unknown)] += 1
        if item.is_boundary or item.is_prune:
            outline.marks.append(EventMark(_lean(item), len(outline.heard)))
        return None
    heard = _heard(item, first_ref + len(outline.heard))
    outline.heard.append(heard)
    if item.first.unknown is not None:
        outline.unknown[UnknownKind("record", item.first.unknown, KEPT_TEXT)] += 1
    outline.unknown.update(UnknownKind("block", kind, KEPT_RAW) for kind in item.unknown_blocks)
    if heard.is_summary:
        outline.summaries[heard.ref] = item.text
    if item.role == Role.USER and not heard.is_summary and item.text.strip():
        _note_words(outline.titles, heard, item)
    if counted and item.role == Role.ASSISTANT:
        _count(outline, item)
    return heard


def _note_words(titles: dict[str, str], heard: HeardMessage, said: Said) -> None:
    """Keep what the user typed first, and whether something nobody typed stands before it."""
    if heard.is_typed:
        titles.setdefault("typed", _beginning(said.text))
    elif "typed" not in titles:
        titles["covered"] = "yes"
        if is_command(said.text):
            titles.setdefault("command", _beginning(as_typed(said.text)))


def _beginning(text: str) -> str:
    return " ".join(text[: 4 * _TITLE_CHARS].split())[:_TITLE_CHARS]


def _note_record(outline: Outline, record: TalkRecord) -> None:
    outline.kinds[record.kind] += 1
    value = record.value
    if record.uuid is not None:
        outline.links[hash(record.uuid)] = hash(record.parent)
    at = record.time
    if at is not None and (outline.newest is None or at > outline.newest):
        outline.newest = at
    for name in ("cwd", "version", "gitBranch", "slug", "entrypoint"):
        found = text_of(value.get(name))
        if found is not None:
            outline.facts.setdefault(name, found)
    if record.kind == "custom-title":
        outline.titles["custom"] = text_of(value.get("customTitle")) or text_of(value.get("title")) or ""
    elif record.kind == "ai-title":
        outline.titles["ai"] = text_of(value.get("aiTitle")) or text_of(value.get("title")) or ""
    _note_delegate(outline, record)


def _note_delegate(outline: Outline, record: TalkRecord) -> None:
    result = record.value.get("toolUseResult")
    agent = text_of(result.get("agentId")) if isinstance(result, dict) else None
    blocks = record.message.get("content")
    if agent is not None and isinstance(blocks, list):
        for block in blocks:
            call = text_of(block.get("tool_use_id")) if isinstance(block, dict) else None
            if call is not None:
                outline.delegates[agent] = call


def _heard(said: Said, ref: int) -> HeardMessage:
    first = said.first
    summary = said.role == Role.USER and first.is_summary
    typed = said.role == Role.USER and not summary and not asks_nothing(said.text)
    return HeardMessage(
        ref=ref,
        key=said.key,
        role=said.role,
        uuids=tuple(one.uuid for one in said.records if one.uuid is not None),
        created_at=first.time,
        same=_hash(dumped([said.role, said.answers, said.blocks, first.value.get("timestamp")])),
        answers=said.answers,
        is_summary=summary,
        is_typed=typed,
    )


def _count(outline: Outline, said: Said) -> None:
    outline.totals["calls"] += sum(_is_first(outline, text_of(one.get("id"))) for one in said.calls)
    request = text_of(said.first.message.get("id"))
    if _is_first(outline, request and f"{request} {text_of(said.first.value.get('requestId')) or ''}"):
        for name, column in _COUNTED.items():
            tokens = said.usage.get(name)
            if isinstance(tokens, int) and not isinstance(tokens, bool) and 0 < tokens < 2**53:
                outline.totals[column] += tokens
    model = text_of(said.first.message.get("model"))
    if model is not None and model != "<synthetic>":
        outline.facts["model"] = model


def _is_first(outline: Outline, name: str | None) -> bool:
    """Whether something is counted now: a compaction may write a kept message again under other ids."""
    if name is None:
        return True
    known = hash(name) in outline.requests
    outline.requests.add(hash(name))
    return not known


def _lean(record: TalkRecord) -> TalkRecord:
    kept: dict[str, Any] = {name: record.value[name] for name in _KEPT_OF_EVENTS if name in record.value}
    return record._replace(value=kept)


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
