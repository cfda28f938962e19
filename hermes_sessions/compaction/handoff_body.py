"""The body of our own handoff: the summary between the parts written by rule, within its sizes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hermes_sessions.compaction import sections
from hermes_sessions.compaction.plan import CompactionPlan
from hermes_sessions.compaction.policy import CompactionPolicy
from hermes_sessions.compaction.sections import Ruled, read_body
from hermes_sessions.compaction.transcript import Entry
from hermes_sessions.handoff import render_handoff
from hermes_sessions.messages import Fact, Role
from hermes_sessions.redact import redact

_ACTIVE_CHARS: Final = 400
_HEADINGS_CHARS: Final = 240
"""Headings, tags and gaps around the parts of a fallback."""
_RECEIPT_CHARS: Final = 240
_SHORT_CHARS: Final = 160
"""To what a summary is cut before the user's words are left out altogether."""
_ROOMY_FALLBACK: Final = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What a handoff is made of, besides its summary.

    Attributes:
        earlier: the summary of the newest handoff that this one replaces.
        ruled: words, facts and pointers as they shall stand, and the verbatim tail.
        active: the active task, for a summary that names none.
        said: everything the user said, as far as it is known, the tail included.
    """

    earlier: str
    ruled: Ruled
    active: str
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many characters each part of a handoff may take.

    Attributes:
        words: the user's own words.
        facts: the index of exact facts.
        verbatim: the end of the last reply.
        fallback: the whole handoff, when it is made without a summary.
        summary: the summary; None for all of it.
        pointers: how many of the newest pointers stand alone, older ones share a line.
    """

    words: int
    facts: int
    verbatim: int
    fallback: int
    summary: int | None = None
    pointers: int = 2


def gather(
    entries: Sequence[Entry], plan: CompactionPlan, facts: Sequence[Fact], pointer_line: str
) -> Material:
    """Collect the parts written by rule from the transcript and its earlier handoffs."""
    read = [read_body(body) for index in plan.handoffs for body in entries[index].handoffs]
    earlier, before = (read[-1][0], _joined([ruled for _, ruled in read])) if read else ("", Ruled())
    spoken = frozenset(index for index in plan.span if entries[index].role in (Role.USER, Role.ASSISTANT))
    requests = (entry.text for entry in reversed(entries[: plan.tail_start]) if entry.is_request)
    return Material(
        earlier=earlier,
        ruled=Ruled(
            words=tuple(sections.said_words(requests, before.words)),
            facts=sections.rank_facts(facts, before.facts, spoken),
            pointers=(*before.pointers, pointer_line),
            verbatim=_last_reply(entries, plan, before.verbatim),
        ),
        active=_active(entries, plan),
        said=(*(entry.text for entry in entries if entry.is_request), *before.words),
    )


def _joined(ruled: Sequence[Ruled]) -> Ruled:
    """Return what several handoffs of one transcript hold by rule, oldest first, each thing once."""
    newest_first = ruled[::-1]
    return Ruled(
        words=tuple(dict.fromkeys(text for part in newest_first for text in part.words)),
        facts=tuple(dict.fromkeys(fact for part in newest_first for fact in part.facts)),
        pointers=tuple(dict.fromkeys(line for part in ruled for line in part.pointers)),
        verbatim=ruled[-1].verbatim,
    )


def sizes_for(policy: CompactionPolicy, span_tokens: int, room_tokens: int) -> Iterator[Sizes]:
    """Yield sizes to try, roomy first: neither a small span nor a small window can pay for large parts.

    Args:
        room_tokens: what the handoff should cost at most.
    """
    words = min(policy.user_words_chars, span_tokens * 3 // 2)
    facts = min(policy.facts_chars, span_tokens // 3)
    verbatim, fallback = policy.verbatim_tail_chars, policy.fallback_chars
    yield Sizes(words, facts, verbatim, fallback)
    yield Sizes(words // 2, facts // 2, verbatim, fallback // 2)
    # A summary beyond its budget shall not push out all that the user said.
    short = max(_SHORT_CHARS, room_tokens * 2)
    tail = min(verbatim, span_tokens)
    yield Sizes(min(words // 4, room_tokens), 0, tail, fallback // 4, short)
    short = max(_SHORT_CHARS, short // 2)
    yield Sizes(min(words // 8, room_tokens), 0, tail // 4, fallback // 8, short, 1)
    short = max(_SHORT_CHARS, short // 2)
    yield Sizes(min(words // 16, room_tokens // 2), 0, 0, fallback // 16, short, 0)
    yield Sizes(0, 0, 0, 0, short, 0)
    yield Sizes(0, 0, 0, 0, _SHORT_CHARS // 2, 0)


def write_handoff(summary: str, material: Material, sizes: Sizes) -> str:
    """Return the whole handoff: active task, the user's words, summary, facts, originals, tail."""
    active, rest = sections.split_active(summary)
    active = active or material.active
    if sizes.summary is not None:
        active = sections.clip_end(active, min(sizes.summary, _ACTIVE_CHARS))
        rest = sections.clip_middle(rest, sizes.summary)
    ruled = material.ruled
    parts = (
        sections.escape(f"## {sections.ACTIVE_TITLE}\n{sections.close_fences(active)}"),
        sections.render_words(ruled.words, sizes.words),
        sections.escape(sections.close_fences(rest)),
        sections.escape(sections.render_facts(ruled.facts, sizes.facts)),
        sections.escape(sections.render_pointers(ruled.pointers, sizes.pointers)),
    )
    body = redact("\n\n".join(part for part in parts if part)).text
    # Masked before it is cut: half of a secret would not be recognised.
    verbatim = sections.render_verbatim(redact(ruled.verbatim).text, sizes.verbatim)
    return render_handoff("\n\n".join(part for part in (body, verbatim) if part))


def fallback_parts(material: Material, sizes: Sizes) -> tuple[int, Material, Sizes]:
    """Return what a fallback may hold so that the whole handoff keeps its bound.

    Returns:
        Room for the notes, and material and sizes cut down to leave it.
    """
    limit = sizes.fallback
    small = replace(material, active=sections.clip_end(material.active, max(80, limit // 10)))
    bare = Sizes(0, 0, 0, limit, pointers=sizes.pointers if limit >= _ROOMY_FALLBACK else 0)
    frame = len(write_handoff("", small, bare)) + _HEADINGS_CHARS
    room = max(0, limit - frame)
    bounded = replace(
        bare,
        words=min(sizes.words, room // 3),
        facts=min(sizes.facts, room // 8),
        verbatim=min(sizes.verbatim, room // 5),
    )
    return max(_RECEIPT_CHARS, room - bounded.words - bounded.facts - bounded.verbatim), small, bounded


def _last_reply(entries: Sequence[Entry], plan: CompactionPlan, before: str) -> str:
    """Return the last assistant text inside the span; the earlier handoff's where none is newer."""
    newest_handoff = max((index for index in plan.handoffs), default=-1)
    for index in reversed(plan.span):
        if index < newest_handoff and before:
            break
        if entries[index].is_reply:
            return entries[index].text
    return before


def _active(entries: Sequence[Entry], plan: CompactionPlan) -> str:
    requests = [index for index, entry in enumerate(entries) if entry.is_request]
    if not requests:
        return sections.NOBODY_ASKED
    last = requests[-1]
    where = "before" if last < plan.head_end else "behind"
    shown = " ".join(sections.masked_middle(entries[last].text, _ACTIVE_CHARS).split())
    state = "being worked on" if last < len(entries) - 1 else "not yet answered"
    return f"{sections.LAST_MESSAGE} {where} this handoff ({state}): {shown}".rstrip(": ")
