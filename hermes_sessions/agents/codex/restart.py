"""Where a thread that grows is read on from: right after its last compaction, with what is known there.

Everything before is settled but what the compaction kept, whose messages may be archived by the next one.
Not here: whether the file is the one that was read (`json_lines.file_state`).
"""

import base64
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Annotated, Any, Final, TypeAlias

import msgspec

from hermes_sessions.agents.codex.outline import ThreadMessage, ThreadOutline, TurnState, Usage
from hermes_sessions.agents.codex.pieces import is_compaction
from hermes_sessions.agents.codex.said import KEY_BYTES, SaidInThread, Sayings, ThreadItem
from hermes_sessions.agents.json_lines.restarts import kept_as

_VERSION: Final = 4
_Number: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]
_KEPT_CALLS: Final = 200
"""Of the calls before a compaction; who answers an older one later has the whole file read."""
_COPIED: Final = ("facts", "title", "typed", "total", "tokens")


@dataclass(frozen=True, slots=True, kw_only=True)
class RestartPoint:
    """What was known of a thread at one place; `as_json` makes it JSON.

    Attributes:
        offset: where the next line begins.
        heard: how many messages were before.
        names: hashes of what was said, one for each time.
        spoken: roles of which there were events.
        outline: of everything before: nothing is heard in it, its sums are those of what was.
        live: what the model saw.
        prompted: there was a system prompt, which is not kept: it is read again.
        calls: the last calls before, by id: what tools are called that answer later.
    """

    offset: int
    heard: int
    names: Sequence[bytes]
    spoken: Sequence[str]
    outline: ThreadOutline
    prompted: bool = False
    live: Sequence[ThreadMessage] = ()
    calls: Mapping[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON that a cursor can keep."""
        one = self.outline
        return {
            "version": _VERSION,
            "offset": self.offset,
            "heard": self.heard,
            "prompted": self.prompted,
            "names": base64.b64encode(b"".join(self.names)).decode("ascii"),
            "spoken": sorted(self.spoken),
            "live": [list(message) for message in self.live],
            "before": one.before,
            "called": dict(self.calls),
            "calls": one.calls_before,
            "given": dict(one.given),
            "kinds": dict(one.kinds),
            "usage": [list(usage) for usage in one.usages],
            "turn": asdict(one.turn),
            **{name: getattr(one, name) for name in _COPIED},
        }


class _KeptPoint(msgspec.Struct):
    """What `RestartPoint.as_json` gives."""

    version: int
    offset: _Number
    heard: _Number
    prompted: bool
    names: str
    spoken: list[str]
    live: list[ThreadMessage]
    before: str
    called: dict[str, str]
    calls: _Number
    given: dict[str, int]
    kinds: dict[str, int]
    usage: list[Usage]
    turn: TurnState
    facts: dict[str, str | dict[str, str]]
    title: str | None
    typed: str | None
    tokens: int | None
    total: Any = None


def restart_point(thread: str, told: Any) -> RestartPoint | None:
    """Return what `RestartPoint.as_json` gave; None for anything else."""
    kept = kept_as(told, _KeptPoint)
    if kept is None or kept.version != _VERSION:
        return None
    try:
        raw = base64.b64decode(kept.names)
    except ValueError:
        return None
    outline = ThreadOutline(thread, before=kept.before, calls_before=kept.calls, turn=kept.turn)
    outline.given, outline.kinds, outline.usages = Counter(kept.given), Counter(kept.kinds), kept.usage
    for name in _COPIED:
        setattr(outline, name, getattr(kept, name))
    return RestartPoint(
        offset=kept.offset,
        heard=kept.heard,
        names=[raw[at : at + KEY_BYTES] for at in range(0, len(raw), KEY_BYTES)],
        spoken=kept.spoken,
        prompted=kept.prompted,
        outline=outline,
        calls=kept.called,
        live=kept.live,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settled:
    """A place right after a compaction; numbers are of what this reading had by then."""

    offset: int
    heard: int
    names: int
    asked: int
    usages: int
    spoken: Sequence[str]
    prompted: bool
    calls: Mapping[str, str]
    outline: ThreadOutline


class RestartNotes:
    """Notes, while one stream of a thread is read, of the place right after its last compaction."""

    def __init__(self, before: RestartPoint | None = None) -> None:
        self._heard = before.heard if before is not None else 0
        self._given = Counter(before.outline.given) if before is not None else Counter[str]()
        self._calls = dict(before.calls) if before is not None else dict[str, str]()
        self._settled: _Settled | None = None

    def note(self, item: ThreadItem, outline: ThreadOutline, sayings: Sayings, spoken: set[str]) -> None:
        """Come to an item that the outline has taken in."""
        line = item.first if isinstance(item, SaidInThread) else item
        for call in item.calls if isinstance(item, SaidInThread) else ():
            self._calls[call["id"]] = call["function"]["name"]
            if len(self._calls) > _KEPT_CALLS:
                del self._calls[next(iter(self._calls))]
        if not (item.summary if isinstance(item, SaidInThread) else is_compaction(item)):
            return
        known = ThreadOutline(outline.thread)
        known.before = outline.heard[-1].key if outline.heard else outline.before
        known.kinds, known.turn = Counter(outline.kinds), replace(outline.turn)
        for name in _COPIED:
            setattr(known, name, getattr(outline, name))
        known.facts = {name: one for name, one in outline.facts.items() if name != "prompt"}
        self._settled = _Settled(
            offset=line.end,
            heard=len(outline.heard),
            names=len(sayings.names),
            asked=len(outline.asked),
            usages=len(outline.usages),
            spoken=tuple(spoken),
            prompted="prompt" in outline.facts,
            calls=dict(self._calls),
            outline=known,
        )

    def point(
        self, outline: ThreadOutline, sayings: Sayings, live: Sequence[ThreadMessage]
    ) -> RestartPoint | None:
        """Return the place; None where no compaction came.

        Args:
            outline: of all that was read.
            live: what the model saw at the place.
        """
        at = self._settled
        if at is None:
            return None
        known = at.outline
        known.calls_before = outline.calls_before + sum(one.calls for one in outline.heard[: at.heard])
        known.usages = _summed(outline.usages[: at.usages])
        known.given = self._given + Counter(outline.asked[: at.asked])
        return RestartPoint(
            offset=at.offset,
            heard=self._heard + at.heard,
            names=sayings.names[: at.names],
            spoken=at.spoken,
            prompted=at.prompted,
            calls=at.calls,
            outline=known,
            live=live,
        )


def _summed(usages: Sequence[Usage]) -> list[Usage]:
    """Return one usage that counts as much as all of them."""
    cached = sum(one.cached for one in usages)
    fresh = sum(max(0, one.input - one.cached) for one in usages)
    output, reasoning = sum(one.output for one in usages), sum(one.reasoning for one in usages)
    return [Usage(0, fresh + cached, cached, output, reasoning)]
