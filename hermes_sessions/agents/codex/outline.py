"""What is remembered of a thread when it was read to its end: facts, no texts."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from hermes_sessions.agents.codex.pieces import blocks_of, is_compaction
from hermes_sessions.agents.codex.records import EVENT, META, TURN, RolloutLine
from hermes_sessions.agents.codex.said import (
    SaidInThread,
    ThreadItem,
    compaction_key,
    content_hash,
    is_summary_empty,
    replacement,
    summary_of,
    usage_of,
)
from hermes_sessions.agents.parsed_values import dict_of, text_of
from hermes_sessions.agents.unknown_kinds import KEPT_RAW, KEPT_TEXT, UnknownKind
from hermes_sessions.messages import Role

_TITLE_CHARS: Final = 200
_CLAIMED: Final = (
    "window_number",
    "window_id",
    "previous_window_id",
    "first_window_id",
    "compaction_response_id",
)
_ENCRYPTED: Final = ("compaction", "compaction_summary", "context_compaction")


class ThreadMessage(NamedTuple):
    """What comparing and concluding need of one message.

    Attributes:
        ref: its number in its family.
        same: a hash of role and content.
        ids: what compactions may call the items in it.
        size: bytes of its text.
        calls: how many calls of tools are in it.
        own_turn: whether its turn began after its thread did; None where that is not known.
        left: its segment was continued from before it.
    """

    ref: int
    key: str
    role: str
    created_at: float | None
    same: int
    ids: tuple[str, ...]
    size: int
    calls: int
    is_summary: bool
    is_typed: bool
    own_turn: bool | None
    left: bool


class CompactionMark(NamedTuple):
    """A compaction; `after` is the number of messages before it.

    Attributes:
        kept: what goes on: hashes of role and content, and ids; None where it is not told.
        encrypted: its summary can be read by its provider alone.
        clear: a summary was written in the clear, empty or not.
        stored: there is a line of it, not an event alone.
    """

    key: str
    after: int
    time: float | None
    kept: tuple[int | str, ...] | None
    summary: str | None
    encrypted: bool
    stored: bool
    tokens: int | None
    trigger: str | None
    claim: dict[str, Any]
    clear: bool = False


class RollbackMark(NamedTuple):
    """The user took turns back; `after` is the number of messages before it."""

    after: int
    turns: int


class Usage(NamedTuple):
    """Tokens of one call of the model, and how many messages were before its count."""

    after: int
    input: int
    cached: int
    output: int
    reasoning: int


@dataclass(slots=True)
class TurnState:
    """Where in a turn the reading is; `ordered`: it began with a compaction, as the user's order does."""

    began: bool = False
    said: bool = False
    done: bool = False
    compacted: bool = False
    own: bool | None = None
    ordered: bool = False


@dataclass(slots=True)
class ThreadOutline:
    """One thread as far as it was read.

    Attributes:
        misjudged: a compaction before this reading was not ordered, after all.
        before: the key of the last message before this reading, where it goes on from an earlier one.
        calls_before: how many calls of tools were in those.
        unknown: what nobody here knows, and how many there are of each.
        given: how often each key of a compaction was given; `asked` are those of this reading, in order.
    """

    thread: str
    before: str = ""
    calls_before: int = 0
    heard: list[ThreadMessage] = field(default_factory=list)
    marks: list[CompactionMark | RollbackMark] = field(default_factory=list)
    usages: list[Usage] = field(default_factory=list)
    given: Counter[str] = field(default_factory=Counter)
    asked: list[str] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    unknown: Counter[UnknownKind] = field(default_factory=Counter)
    facts: dict[str, Any] = field(default_factory=dict)
    title: str | None = None
    typed: str | None = None
    total: Any = None
    tokens: int | None = None
    turn: TurnState = field(default_factory=TurnState)
    misjudged: bool = False


def note(
    outline: ThreadOutline, item: ThreadItem, first_ref: int, *, end: int | None = None
) -> ThreadMessage | None:
    """Take an item into the outline; return what was heard, where it is a message.

    Args:
        first_ref: the number of the thread's first message.
        end: the ordinal from which on the stream was left.
    """
    if not isinstance(item, SaidInThread):
        _note_line(outline, item)
        return None
    line = item.first
    heard = ThreadMessage(
        ref=first_ref + len(outline.heard),
        key=item.key,
        role=item.role,
        created_at=line.time,
        same=item.same,
        ids=tuple(item.ids),
        size=len(item.text.encode("utf-8", "replace")),
        calls=len(item.calls),
        is_summary=item.summary,
        is_typed=item.role == Role.USER and not item.summary,
        own_turn=outline.turn.own,
        left=end is not None and line.ordinal is not None and line.ordinal >= end,
    )
    outline.heard.append(heard)
    if item.unknown is not None:
        outline.unknown[UnknownKind("line", item.unknown, KEPT_TEXT)] += 1
    outline.unknown.update(UnknownKind("block", kind, KEPT_RAW) for kind in item.unknown_blocks)
    outline.kinds.update(one.kind for one in item.lines)
    if not item.injected and not item.summary:
        if outline.turn.ordered and item.role == Role.USER and not outline.turn.done:
            _begun_by_agent(outline)
        outline.turn.said = True
    if heard.is_typed and outline.typed is None and item.text.strip():
        outline.typed = " ".join(item.text[: 4 * _TITLE_CHARS].split())[:_TITLE_CHARS]
    return heard


def _begun_by_agent(outline: ThreadOutline) -> None:
    """Take back that the turn's compaction was ordered: what the user typed waited for it."""
    outline.turn.ordered = False
    last = outline.marks[-1] if outline.marks else None
    if isinstance(last, CompactionMark):
        outline.marks[-1] = last._replace(trigger="auto")
    else:
        outline.misjudged = True


def _note_line(outline: ThreadOutline, line: RolloutLine) -> None:
    outline.kinds[f"{line.kind}.{line.sort}" if line.kind == EVENT else line.kind] += 1
    if line.unknown is not None:
        outline.unknown[UnknownKind("line", line.unknown)] += 1
    if is_compaction(line):
        outline.marks.append(_compaction(outline, line))
        outline.turn.compacted = True
    elif line.kind == TURN:
        _note_turn(outline, line)
    elif line.kind == META:
        note_meta(outline, line)
    elif line.kind == EVENT:
        _note_event(outline, line)


def note_meta(outline: ThreadOutline, line: RolloutLine) -> None:
    """Take in what a first line says of its thread; what is known already stays."""
    if text_of(line.value.get("id")) != outline.thread:
        return
    for name in ("cwd", "cli_version", "originator", "model_provider"):
        found = text_of(line.value.get(name))
        if found is not None:
            outline.facts.setdefault(name, found)
    prompt = dict_of(line.value.get("base_instructions")).get("text", line.value.get("instructions"))
    if isinstance(prompt, str) and prompt:
        outline.facts.setdefault("prompt", prompt)
    git = {name: one for name, one in dict_of(line.value.get("git")).items() if isinstance(one, str)}
    if git:
        outline.facts.setdefault("git", git)


def _note_turn(outline: ThreadOutline, line: RolloutLine) -> None:
    outline.turn.own = _is_own(outline.thread, line.value.get("turn_id"), outline.turn.own)
    for name in ("model", "effort"):
        found = text_of(line.value.get(name))
        if found is not None:
            outline.facts[name] = found
    cwd = text_of(line.value.get("cwd"))
    if cwd is not None:
        outline.facts.setdefault("cwd", cwd)


def _note_event(outline: ThreadOutline, line: RolloutLine) -> None:
    sort = line.sort
    if sort == "task_started":
        outline.turn = TurnState(began=True, own=_is_own(outline.thread, line.value.get("turn_id"), None))
    elif sort in ("task_complete", "turn_aborted"):
        outline.turn.done = True
    elif sort == "thread_rolled_back":
        turns = line.value.get("num_turns")
        if type(turns) is int and turns > 0:
            outline.marks.append(RollbackMark(len(outline.heard), turns))
    elif sort == "thread_name_updated":
        outline.title = (
            text_of(line.value.get("thread_name")) or text_of(line.value.get("name")) or outline.title
        )
    elif sort == "token_count":
        _count(outline, line)
    elif sort == "context_compacted" and not outline.turn.compacted:
        outline.marks.append(_event_alone(outline, line))


def _compaction(outline: ThreadOutline, line: RolloutLine) -> CompactionMark:
    items = replacement(line)
    kept: list[int | str] = []
    encrypted = 0
    for one in items or ():
        kind = one.get("type")
        if kind == "message":
            kept.append(content_hash(str(one.get("role")), blocks_of(one.get("content"))))
        elif kind in ("reference", "reference_v2") and isinstance(one.get("item_id"), str):
            kept.append(one["item_id"])
        elif kind in _ENCRYPTED:
            encrypted += len(str(one.get("encrypted_content") or "").encode("utf-8", "replace"))
    summary = summary_of(line)
    bare = summary is None and not items and not text_of(line.value.get("message"))
    claim: dict[str, Any] = {name: line.value[name] for name in _CLAIMED if name in line.value}
    if encrypted and summary is None:
        claim |= {"summary": "encrypted", "encrypted_bytes": encrypted}
    empty = not encrypted and is_summary_empty(line)
    if empty:
        claim["summary"] = "empty"
    return CompactionMark(
        key=_fresh(outline, _place(outline) if bare else compaction_key(line)),
        after=len(outline.heard),
        time=line.time,
        kept=None if items is None else tuple(kept),
        summary=summary,
        encrypted=encrypted > 0,
        stored=True,
        tokens=outline.tokens,
        trigger=_trigger(outline.turn),
        claim=claim,
        clear=empty or summary is not None,
    )


def _event_alone(outline: ThreadOutline, line: RolloutLine) -> CompactionMark:
    key = _fresh(outline, _place(outline))
    trigger = _trigger(outline.turn)
    return CompactionMark(
        key, len(outline.heard), line.time, None, None, False, False, outline.tokens, trigger, {}
    )


def _place(outline: ThreadOutline) -> str:
    """Return the key of a compaction that says nothing of itself: what was said last."""
    last = outline.heard[-1].key if outline.heard else outline.before
    return f"after:{outline.thread}:{last}"


def _fresh(outline: ThreadOutline, key: str) -> str:
    """Return a key that no compaction of the thread has yet."""
    outline.asked.append(key)
    outline.given[key] += 1
    count = outline.given[key]
    return f"{key}~{count}" if count > 1 else key


def _trigger(turn: TurnState) -> str | None:
    """Return who asked: a turn of its own is the user's order, one in which something is said the agent's."""
    if not turn.began or turn.done:
        return None
    turn.ordered = not turn.said
    return "manual" if turn.ordered else "auto"


def _count(outline: ThreadOutline, line: RolloutLine) -> None:
    info = usage_of(line)
    last = dict_of(info.get("last_token_usage")) if info is not None else {}
    if info is None or not last:
        return
    outline.tokens = _number(last.get("total_tokens")) or outline.tokens
    total = info.get("total_token_usage")
    if total is not None and total == outline.total:
        return  # the same call is told again
    outline.total = total
    names = ("input_tokens", "cached_input_tokens", "output_tokens", "reasoning_output_tokens")
    outline.usages.append(Usage(len(outline.heard), *(_number(last.get(name)) or 0 for name in names)))


def _number(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value < 2**53 else None


def _is_own(thread: str, turn: Any, before: bool | None) -> bool | None:
    """Return whether a turn began after its thread: both ids begin with their time, in version 7."""
    told = (thread, turn)
    times = [one.replace("-", "") for one in told if isinstance(one, str)]
    if len(times) < 2 or any(len(one) != 32 or one[12] != "7" for one in times):
        return before
    return times[1][:12] >= times[0][:12]
