"""The body of our own handoff: the summary between the parts written by rule, within its tokens."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hermes_sessions.compaction import sections
from hermes_sessions.compaction.economy.brief_lines import brief_lines
from hermes_sessions.compaction.economy.fact_lines import STATEMENT, FactLine
from hermes_sessions.compaction.economy.ranking import Overheard, Ranked, rank
from hermes_sessions.compaction.economy.span_facts import SpanLines, said_lines
from hermes_sessions.compaction.economy.spending import affordable, best_of, laid_down_tokens, spend
from hermes_sessions.compaction.economy.standing import code_names, holds_on
from hermes_sessions.compaction.economy.wording.binding_words import binding
from hermes_sessions.compaction.plan import CompactionPlan
from hermes_sessions.compaction.sections import Price, Ruled, Scored, read_body
from hermes_sessions.compaction.sizes import PartSizes
from hermes_sessions.compaction.transcript import TranscriptEntry
from hermes_sessions.facts.values import FactKind
from hermes_sessions.handoff import NOTHING_TO_TELL, SHORT_PREFIX, render_handoff
from hermes_sessions.handoff.own_lines import LAST_MESSAGE, NOBODY_ASKED
from hermes_sessions.messages import Role
from hermes_sessions.redact import redact

_ACTIVE_CHARS: Final = 400
_NAMED_CHARS: Final = 130
_DECIDED_SHARE: Final = 0.15
"""Of the budget: what decisions of earlier rounds cost more comes on top of it."""
_OUTDATED_PART: Final = 0.4
_WORDS_SHARE: Final = 0.25
"""Of what rules, summary and tail leave; facts get the rest, and words what facts do not need."""
_BRIEF_QUOTE_CHARS: Final = 48
_BRIEF_WORDS_SHARE: Final = 0.08
_SMALL_TOKENS: Final = 8_000
_SMALL_WORDS_SHARE: Final = 0.12
"""The same where a handoff is small: what was said of value stands in the lines that are facts."""
_FIXED_SHARE: Final = 0.5
"""Of the budget that rules, summary, tail and frame may cost before summary and tail are cut shorter."""
_CUTS: Final = (1.0, 0.7, 0.5, 0.35, 0.2)
_LEAST_SHARE: Final = 0.2
"""Of the budget that words and facts may cost even where rules alone fill it."""
_WORTH_A_SECOND_LOOK: Final = 60
_DROSS: Final = 2.0
_WORTH: Final = {STATEMENT: 3.0}
"""What a line scores that comes before more of the user's words."""
_LINE_TOKENS: Final = 2
_SPEAKER_TOKENS: Final = 3
_PLACE_TOKENS: Final = 4
_SHARED_PLACE_TOKENS: Final = 2
_TRIES: Final = 10
_SHRINK: Final = 0.02
"""How much less room each try is given besides: headings cost what no line's price says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoffMaterial:
    """What a handoff is made of, besides its summary.

    Attributes:
        earlier: the summary of the newest handoff that this one replaces.
        words: what the user said, newest first.
        ranked: rules in force, and the facts with what they are worth.
        instructions: what the system or a developer said in the span, newest first, where it is quoted.
        notes: what the host asks to have remembered.
        pointers: where the originals are, oldest first.
        verbatim: the last reply of the span.
        active: the active task, for a summary that names none.
        said: everything the user said, as far as it is known, the tail included.
        live: what is said in the messages that stay.
    """

    earlier: str
    words: tuple[str, ...]
    ranked: Ranked
    instructions: tuple[str, ...]
    notes: str
    pointers: tuple[str, ...]
    verbatim: str
    active: str
    said: tuple[str, ...]
    live: str = ""


@dataclass(frozen=True, slots=True)
class WrittenHandoff:
    """A handoff, and how many rules it names by pointer only."""

    text: str
    rules_left_out: int = 0


def gather(
    entries: Sequence[TranscriptEntry],
    plan: CompactionPlan,
    found: SpanLines,
    pointer_line: str,
    notes: str = "",
) -> HandoffMaterial:
    """Collect the parts written by rule from the transcript and its earlier handoffs.

    Args:
        found: what the messages of the span have for it.
        notes: what the host asks to have remembered; '' for what it asked the last time.
    """
    read = [read_body(body) for index in plan.handoffs for body in entries[index].handoffs]
    earlier, before = (read[-1][0], _joined([ruled for _, ruled in read])) if read else ("", Ruled())
    requests = (entries[index].text for index in reversed(plan.span) if entries[index].is_request)
    former = (
        *before.facts,
        *said_lines(before.words[::-1], Role.USER),
        *said_lines((before.verbatim,), Role.ASSISTANT),
    )
    heard = [(index, entries[index].role, entries[index].text) for index in plan.span]
    said = [one for one in heard if one[1] in (Role.USER, Role.ASSISTANT, Role.SYSTEM)]
    known = code_names(_of_tools(entries[index] for index in plan.span))
    ranked = rank(former, found.lines, Overheard(said, found.succeeded, known))
    words = sections.said_words(requests, before.words)
    return HandoffMaterial(
        earlier=earlier,
        words=tuple(text for text in words if not _is_outdated(text, ranked.outdated)),
        ranked=ranked,
        instructions=_quoted(entries, plan, before.instructions),
        notes=notes or before.notes,
        pointers=(*before.pointers, pointer_line),
        verbatim=_last_reply(entries, plan, before.verbatim),
        active=_active(entries, plan),
        said=(*(entry.text for entry in entries if entry.is_request), *before.words),
        live="\n".join(entries[at].text for at in (*range(plan.head_end), *plan.kept) if entries[at].text),
    )


def _is_outdated(said: str, outdated: Iterable[str]) -> bool:
    """Whether a good part of what the user said is out of date: what it says stands with what replaced it."""
    flat = " ".join(said.split())
    gone = sum(len(text) for text in outdated if text in flat)
    return gone >= len(flat) * _OUTDATED_PART


def _of_tools(entries: Iterable[TranscriptEntry]) -> Iterator[str]:
    """Yield what tools were given and put out."""
    for entry in entries:
        yield entry.text if entry.role == Role.TOOL else entry.output
        yield from (call.arguments for call in entry.message.tool_calls)


def _joined(ruled: Sequence[Ruled]) -> Ruled:
    """Return what several handoffs of one transcript hold by rule, oldest first, each thing once."""
    newest_first = ruled[::-1]
    return Ruled(
        words=tuple(dict.fromkeys(text for part in newest_first for text in part.words)),
        facts=tuple(dict.fromkeys(fact for part in newest_first for fact in part.facts)),
        instructions=tuple(dict.fromkeys(text for part in newest_first for text in part.instructions)),
        notes=next((part.notes for part in newest_first if part.notes), ""),
        pointers=tuple(dict.fromkeys(line for part in ruled for line in part.pointers)),
        verbatim=ruled[-1].verbatim,
    )


def _quoted(
    entries: Sequence[TranscriptEntry], plan: CompactionPlan, before: Sequence[str]
) -> tuple[str, ...]:
    """Return the instructions to quote, newest first, without those that stand in the transcript."""
    kept = (entries[index] for index in (*range(plan.head_end), *plan.kept))
    live = {entry.text for entry in kept if entry.role == Role.SYSTEM}
    found = (*(entries[index].text for index in reversed(plan.quoted)), *before)
    return tuple(dict.fromkeys(text for text in found if text not in live))


def write_handoff(
    summary: str, material: HandoffMaterial, sizes: PartSizes, price: Price, prefix: str = ""
) -> WrittenHandoff:
    """Return the whole handoff: active task, rules, the user's words, summary, facts, originals, tail.

    Args:
        prefix: what a host wants between the opening and the body.
    """
    if sizes.terse:
        return _write_terse(summary, material, sizes, price, prefix or SHORT_PREFIX)
    active, rest = sections.split_active(summary)
    active = active or material.active
    if sizes.pointers == 0 and active.startswith(LAST_MESSAGE):
        active = ""  # it stands next to the handoff; there is no room to say so
    else:
        # What stands in full beside the handoff is named, not told again.
        if sizes.brief and active.startswith(LAST_MESSAGE):
            told, colon, quote = active.partition("): ")
            active = f"{told}{colon}{sections.clip_end(quote, _BRIEF_QUOTE_CHARS)}"
        named = max(_NAMED_CHARS, sizes.tokens // 8) if active.startswith(LAST_MESSAGE) else _ACTIVE_CHARS
        active = sections.clip_end(active, min(sizes.summary, _ACTIVE_CHARS, named))
    rest = "" if rest == NOTHING_TO_TELL else rest
    rules = affordable(material.ranked.rules, sizes.rules, _price_of(price))
    left_out = len(material.ranked.rules) - len(rules)
    # Masked before it is cut: half of a secret would not be recognised.
    verbatim = redact(material.verbatim).text
    opening = (
        sections.escape(f"## {sections.ACTIVE_TITLE}\n{sections.close_fences(active)}" if active else ""),
        sections.escape(sections.render_rules(rules, left_out)),
    )
    told = sections.render_told(material.instructions, material.notes, sizes.told)
    closing = sections.escape(sections.render_pointers(material.pointers, sizes.pointers))
    middle = tail = ""
    cost = 0
    for cut in _CUTS:
        middle = sections.escape(_shortened(rest, int(sizes.summary * cut)))
        tail = sections.render_verbatim(verbatim, int(sizes.verbatim * cut))
        cost = price(render_handoff(_body(*opening, told, middle, closing, tail), prefix))
        if cost <= sizes.tokens * _FIXED_SHARE:
            break
    decided = _decided(material.ranked.scored, sizes, price)
    left = max(sizes.tokens - cost, int(sizes.tokens * _LEAST_SHARE)) + decided
    words, facts = _words_and_facts(material, sizes, left, price)
    body = redact(_body(*opening, words, told, middle, sections.escape(facts), closing)).text
    return WrittenHandoff(render_handoff(_body(body, tail), prefix), left_out)


def _write_terse(
    summary: str, material: HandoffMaterial, sizes: PartSizes, price: Price, prefix: str
) -> WrittenHandoff:
    """Return a handoff without headings: rules and facts by who said them, what there is room for besides.

    What stands in a message beside it is not told again.
    """
    active, rest = sections.split_active(summary)
    active = f"## {sections.ACTIVE_TITLE}\n{sections.clip_end(active, sizes.summary)}" if active else ""
    wanted = [rule for rule in material.ranked.rules if rule.text not in material.live]
    plain = [rule for rule in wanted if binding(rule.text) > 0]
    told = sections.render_told(material.instructions, material.notes, sizes.told)
    closing = sections.escape(sections.render_pointers(material.pointers, 0))
    bare = price(render_handoff(_body(told, closing), prefix)) + _SPEAKER_TOKENS
    room = sizes.rules if sizes.room is None else min(sizes.rules, sizes.room - bare)
    rules = affordable(plain, room, _price_of(price, terse=True), many=True)
    middle = ""
    cost = 0
    for cut in (*_CUTS, 0.0):
        middle = _shortened("" if rest == NOTHING_TO_TELL else rest, int(sizes.summary * cut)) if cut else ""
        middle = sections.escape(_body(active, middle))
        lines = sections.escape(sections.render_terse(rules, ()))
        cost = price(render_handoff(_body(lines, told, middle, closing), prefix))
        if cost <= sizes.tokens * _FIXED_SHARE:
            break
    known = "\n".join((material.live, *(rule.text for rule in material.ranked.rules)))
    scored = sections.not_told(known, brief_lines(material.ranked.scored)) if sizes.facts != 0 else []
    scored = [*((rule, rule.weight) for rule in wanted if rule not in plain), *scored]
    order = {line: place for place, (line, _) in enumerate(scored)}
    left = max(sizes.tokens - cost, int(sizes.tokens * _LEAST_SHARE))

    def written(bought: Sequence[FactLine]) -> str:
        lines = sections.render_terse(rules, sorted(bought, key=lambda line: order[line]))
        body = redact(_body(sections.escape(lines), told, middle, closing)).text
        return render_handoff(body, prefix)

    bought = best_of(scored, left, _price_of(price, terse=True))
    most = max(sizes.tokens, cost)
    while bought and price(written(bought)) > most:
        bought.pop()
    return WrittenHandoff(written(bought), len(set(wanted).difference(rules, bought)))


def _shortened(summary: str, max_chars: int) -> str:
    return sections.close_fences(sections.clip_middle(summary, max_chars))


def _decided(scored: Sequence[Scored], sizes: PartSizes, price: Price) -> int:
    """Return what the decisions of earlier rounds may cost besides: they outlive all that came later."""
    if not sizes.besides:
        return 0
    former = [
        (line, score)
        for line, score in scored
        if holds_on(line) or (line.at < 0 and line.kind == FactKind.DECISION)
    ]
    cost = laid_down_tokens(former, sizes.laid_down, _price_of(price))
    return max(0, cost - int(sizes.tokens * _DECIDED_SHARE))


def _body(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)


def _words_and_facts(
    material: HandoffMaterial, sizes: PartSizes, tokens: int, price: Price
) -> tuple[str, str]:
    """Return the user's words and the facts that stand in none of them, within *tokens*."""
    share = _WORDS_SHARE if sizes.tokens >= _SMALL_TOKENS else _SMALL_WORDS_SHARE
    share = _BRIEF_WORDS_SHARE if sizes.brief else share
    words = sections.render_words(material.words, int(tokens * share), price, sizes.words)
    scored = brief_lines(material.ranked.scored) if sizes.brief else material.ranked.scored
    # Talk and the rows of tools take what the user's words do not need.
    worth = [one for one in scored if one[1] >= _WORTH.get(one[0].kind, _DROSS) or holds_on(one[0])]
    facts = _facts(material, worth, words, sizes, tokens - price(words), price)
    spare = tokens - price(words) - price(facts)
    if spare > _WORTH_A_SECOND_LOOK:
        words = sections.render_words(material.words, price(words) + spare, price, sizes.words)
        facts = _facts(material, scored, words, sizes, tokens - price(words), price)
    return words, facts


def _facts(
    material: HandoffMaterial,
    scored: Sequence[Scored],
    words: str,
    sizes: PartSizes,
    tokens: int,
    price: Price,
) -> str:
    told = "\n".join((words, *(rule.text for rule in material.ranked.rules)))
    lines = sections.not_told(told, scored) if sizes.facts != 0 else []
    line_price = _price_of(price, sizes.brief)
    # In the order in which it was said, so that a later round knows what is older.
    order = {line: place for place, (line, _) in enumerate(lines)}
    room = tokens
    for tried in range(_TRIES):
        bought = spend(lines, room, line_price, sizes.laid_down, sure=not sizes.brief)
        bought.sort(key=lambda line: (line.is_path, line.text if line.is_path else "", order[line]))
        text = sections.render_facts(bought, brief=sizes.brief)
        if not text:
            break
        cost = price(text)
        if cost <= tokens and len(text) <= (sizes.facts or sys.maxsize):
            return text
        fits = min(tokens / cost, (sizes.facts or sys.maxsize) / len(text))
        # At least one line less: to be given a little less room may buy the same again.
        room = min(int(room * min(fits, 1.0) * (1 - _SHRINK * tried)), sum(map(line_price, bought)) - 1)
    return ""


def _price_of(price: Price, brief: bool = False, terse: bool = False) -> Callable[[FactLine], int]:
    place = 0 if terse else _SHARED_PLACE_TOKENS if brief else _PLACE_TOKENS
    return lambda line: price(line.text) + _LINE_TOKENS + (place if line.place else 0)


def _last_reply(entries: Sequence[TranscriptEntry], plan: CompactionPlan, before: str) -> str:
    """Return the last reply inside the span; the earlier handoff's where none is newer, else narration."""
    newest_handoff = max((index for index in plan.handoffs), default=-1)
    narration = ""
    for index in reversed(plan.span):
        entry = entries[index]
        if index < newest_handoff and before:
            break
        if entry.is_reply and not entry.message.tool_calls:
            return entry.text
        narration = narration or (entry.text if entry.is_reply else "")
    return before or narration


def _active(entries: Sequence[TranscriptEntry], plan: CompactionPlan) -> str:
    requests = [index for index, entry in enumerate(entries) if entry.is_request]
    if not requests:
        return NOBODY_ASKED
    last = requests[-1]
    where = "before" if last < plan.head_end else "behind"
    shown = " ".join(sections.masked_middle(entries[last].text, _ACTIVE_CHARS).split())
    state = "being worked on" if last < len(entries) - 1 else "not yet answered"
    return f"{LAST_MESSAGE} {where} this handoff ({state}): {shown}".rstrip(": ")
