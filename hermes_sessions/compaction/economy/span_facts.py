"""The exact facts of a span: found in masked texts, once for each message and process."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from threading import Lock
from typing import Any, Final, NamedTuple

from hermes_sessions.compaction import shorten_results
from hermes_sessions.compaction.economy.called import changed_by_commands, with_places
from hermes_sessions.compaction.economy.certain_rules import (
    as_said,
    is_code,
    loss_of_manual,
    names_something,
    tells_a_rule,
    without_code,
)
from hermes_sessions.compaction.economy.fact_lines import (
    PATH_KINDS,
    STATED_KINDS,
    STATEMENT,
    WHOLE_KINDS,
    FactLine,
    lines_of,
    one_line,
)
from hermes_sessions.compaction.economy.lone_lines import stray_lines
from hermes_sessions.compaction.economy.minutes import agreed_lines, plain_lines
from hermes_sessions.compaction.economy.notices import labelled_statements, listed_rules, standing_rules
from hermes_sessions.compaction.economy.settings.edits import edited_settings, with_marked
from hermes_sessions.compaction.economy.settings.telling import telling_settings
from hermes_sessions.compaction.economy.statements import TALK_KINDS, statements
from hermes_sessions.compaction.economy.wording.narrated_calls import without_narration
from hermes_sessions.compaction.pairs import Pairing, call_of, is_answer
from hermes_sessions.compaction.plan import CompactionPlan
from hermes_sessions.compaction.transcript import TranscriptEntry
from hermes_sessions.facts.constraints import would_be_rule
from hermes_sessions.facts.extract import extract_text_facts, facts_of
from hermes_sessions.facts.lines import shorten_line
from hermes_sessions.facts.unwrap import Unwrapped, unwrap_message, unwrap_text
from hermes_sessions.facts.values import Fact, FactKind, weigh
from hermes_sessions.handoff import ENGINE_NOTES
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role, SpanFact
from hermes_sessions.redact import redact, redact_arguments

_MAX_TEXT_CHARS: Final = 400_000
_MAX_ARGUMENTS_CHARS: Final = 400_000
_ABOUT_CHARS: Final = 80
_RULE_CHARS: Final = 200
"""A longer sentence explains, whatever it forbids on its way."""

_NAMED_KINDS: Final = (FactKind.ERROR, FactKind.TEST_RESULT)
"""What says nothing without the tool and the subject that it is of."""

_UNREADABLE = late_pattern(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]")
"""What no text holds: a line with it is of a file that is none."""

_COMMENT = late_pattern(r"(?:#|//|/\*|--|<!--|^\*|;) {0,3}(?:TODO|FIXME|XXX)\b")
_CACHE_BYTES: Final = 96_000_000
"""Of what was found in messages: some 30,000 of them, a day of one agent's work."""

_FACT_BYTES: Final = 320
_LINE_BYTES: Final = 120
_TEXT_BYTES: Final = 60


class SpanLines(NamedTuple):
    """What a span has for a handoff.

    Attributes:
        lines: of each message, oldest first.
        succeeded: for each tool and subject, the last message that reports no error of it.
    """

    lines: list[list[FactLine]]
    succeeded: dict[str, int]


class _Read(NamedTuple):
    """What one message holds: its lines, each with its facts, and whether an error is among these."""

    lines: tuple[FactLine, ...]
    failed: bool


class FactCache:
    """Facts, and the lines they make, by a digest of what they were found in; the longest unused go first.

    Threads may share one. A message is read once per process, however often its
    conversation is compacted.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._lock = Lock()
        self._known: OrderedDict[bytes, _Read] = OrderedDict()

    def read(self, entry: TranscriptEntry) -> _Read:
        """Return what *entry* says and calls has for a handoff, without index and place."""
        key = _digest(entry)
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
        facts = _sharing_texts(_facts(entry))
        failed = any(fact.kind == FactKind.ERROR for fact in facts)
        found = _Read(tuple(map(_as_rule, lines_of(facts, 0))), failed)
        with self._lock:
            if key not in self._known:
                self._known[key] = found
                self._bytes += _size(found)
            while self._bytes > self._max_bytes:
                self._bytes -= _size(self._known.popitem(last=False)[1])
        return found


_CACHE: Final = FactCache(_CACHE_BYTES)


def span_lines(
    entries: Sequence[TranscriptEntry], pairing: Pairing, plan: CompactionPlan, place: Callable[[int], str]
) -> SpanLines:
    """Return what the messages of the span have for a handoff; all of the span is read, each message once.

    Args:
        place: where the original of the message at an index stands; '' where nobody can look it up.
    """
    found: list[list[FactLine]] = []
    succeeded: dict[str, int] = {}
    for index in plan.span:
        entry = entries[index]
        if _is_ours(entry):
            continue
        read = _CACHE.read(entry)
        about = subject_of(entries, pairing, index) if is_answer(entry) else ""
        if about and not read.failed:
            succeeded[about] = index
        where = place(index)
        found.append([_about(line._replace(at=index, place=where), about) for line in read.lines])
    return SpanLines(found, succeeded)


def said_lines(texts: Sequence[str], speaker: str) -> list[FactLine]:
    """Return the lines of what an earlier handoff holds word for word, oldest first."""
    found = (_as_rule(line) for text in texts for line in lines_of(_text_facts(text, speaker), 0))
    return [as_said(line)._replace(at=-1) for line in found]


def _as_rule(line: FactLine) -> FactLine:
    """Return a sentence that lays down a rule in words of its own as a rule."""
    told = line.kind in TALK_KINDS or (line.kind in PATH_KINDS and " " in line.text)
    if not (told and tells_a_rule(line.text)) and not _takes_a_rule(line):
        return line
    kind = FactKind.CONSTRAINT
    weight, span = weigh(kind, line.speaker), (0, len(line.text))
    rule = Fact(kind, "", line.text, line.text, line.speaker, weight, span)
    return line._replace(kind=kind, slots=(rule, *line.slots))


def _takes_a_rule(line: FactLine) -> bool:
    """Return whether an agent says of something that it names what would be a rule of the user's."""
    if line.speaker != Role.ASSISTANT or line.kind in WHOLE_KINDS - {STATEMENT} or " " not in line.text:
        return False
    if loss_of_manual(line.text) or is_code(line.text) or not names_something(line.text):
        return False
    return len(line.text) <= _RULE_CHARS and would_be_rule(line.text)


def _text_facts(text: str, speaker: str) -> tuple[Fact, ...]:
    unwrapped = unwrap_text(text, speaker)
    facts = _with_agreed(unwrapped, extract_text_facts(text, speaker))
    return (*facts, *statements(unwrapped, facts))


def _with_agreed(unwrapped: Unwrapped, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Return *facts* with what all agreed to, in the place of decisions that are a part of that."""
    agreed = tuple(agreed_lines(unwrapped))
    if not agreed:
        return facts
    told = "\n".join(fact.value for fact in agreed)
    return (*agreed, *(one for one in facts if one.kind != FactKind.DECISION or one.value not in told))


def subject_of(entries: Sequence[TranscriptEntry], pairing: Pairing, index: int) -> str:
    """Return what the result at *index* is of: `[tool subject]`, masked; '' where no call is known."""
    call = call_of(entries, pairing, index)
    if call is None or len(entries[index].message.result_ids) > 1:
        return ""
    name = shorten_line(call.name, 40)
    subject = shorten_line(shorten_results.masked_subject(call), _ABOUT_CHARS)
    return f"[{name} {subject}]" if subject else f"[{name}]"


def _about(line: FactLine, about: str) -> FactLine:
    if not about or line.kind not in _NAMED_KINDS:
        return line
    return line._replace(text=f"{about} {line.text}")


def facts_in(line: FactLine) -> Iterator[SpanFact]:
    """Yield the facts of *line* as a summariser sees them; requests are sent as they are."""
    for fact in line.slots:
        if fact.kind != FactKind.REQUEST:
            value = one_line(fact.value)
            yield SpanFact(fact.kind, value, line.text, fact.weight, line.at, line.speaker)


def _is_ours(entry: TranscriptEntry) -> bool:
    return entry.is_handoff or entry.text in ENGINE_NOTES


def _facts(entry: TranscriptEntry) -> tuple[Fact, ...]:
    """Facts are taken from masked texts: a hash that is a password cannot be told without its place."""
    text = shorten_results.masked(entry.text, _MAX_TEXT_CHARS)
    calls = [
        {"function": {"name": call.name, "arguments": _masked_arguments(call.arguments)}}
        for call in entry.message.tool_calls
    ]
    # What an agent wrote in the user's name is not the user's.
    role = Role.ASSISTANT.value if entry.is_note else entry.role
    output = "" if entry.role == Role.TOOL else shorten_results.masked(entry.output, _MAX_TEXT_CHARS)
    facts = _message_facts({"role": role, "content": text, "tool_calls": calls})
    if output:
        facts = (*_message_facts({"role": Role.TOOL.value, "content": output}), *facts)
    given = (text, output, *(call["function"]["arguments"] for call in calls))
    return tuple(fact for fact in facts if not _is_cut(fact, given))


def _message_facts(message: Mapping[str, Any]) -> tuple[Fact, ...]:
    unwrapped = unwrap_message(message)
    facts = tuple(_to_its_stop(fact, unwrapped.text) for fact in facts_of(unwrapped))
    if message["role"] == Role.TOOL:
        facts = tuple(with_places(facts, unwrapped.text))
    labelled = tuple(labelled_statements(unwrapped))
    if labelled:
        # A sentence under a label stands with it, once.
        told = "\n".join(fact.value for fact in labelled)
        facts = (
            *labelled,
            *(fact for fact in facts if fact.kind not in STATED_KINDS or fact.value not in told),
        )
    facts = _with_agreed(unwrapped, facts)
    if message["role"] == Role.TOOL:
        facts = tuple(fact for fact in facts if not _is_comment(fact))
        known = {fact.value for fact in facts}
        facts = (*facts, *(fact for fact in standing_rules(unwrapped) if fact.value not in known))
        told = "\n".join(fact.value for fact in facts if fact.kind in WHOLE_KINDS)
        plain = tuple(fact for fact in plain_lines(unwrapped) if fact.value.rstrip(".。") not in told)
        facts = (*facts, *plain)
        listed = tuple(listed_rules(unwrapped))
        known = {fact.value for fact in listed}
        facts = (*listed, *(fact for fact in without_code(unwrapped, facts) if fact.value not in known))
    odd = tuple(telling_settings(unwrapped)) if message["role"] == Role.TOOL else ()
    facts = with_marked(unwrapped, facts, (*edited_settings(message), *odd))
    strays = stray_lines(message["content"]) if message["role"] == Role.TOOL else ()
    facts = (*facts, *statements(unwrapped, facts, strays))
    if message.get("tool_calls"):
        known = {fact.value for fact in facts if fact.kind == FactKind.FILE_CHANGED}
        changed = changed_by_commands(message["tool_calls"])
        facts = (*facts, *(fact for fact in changed if fact.value not in known))
        facts = without_narration(facts, message["tool_calls"])
    return tuple(fact for fact in facts if _UNREADABLE.search(fact.text) is None)


def _is_comment(fact: Fact) -> bool:
    """Whether it is what code that was read has to do: its author's work, not this one's."""
    return fact.kind == FactKind.TODO and _COMMENT.search(fact.text) is not None


def _to_its_stop(fact: Fact, text: str) -> Fact:
    """A rule is kept to the letter; its line may be cut before its full stop."""
    end = fact.span[1]
    if fact.kind != FactKind.CONSTRAINT or text[end : end + 1] not in tuple(".!。！"):
        return fact
    return fact._replace(text=fact.value + text[end])


def _is_cut(fact: Fact, texts: Sequence[str]) -> bool:
    """Return whether *fact* is masked, or only what stands before the masked password of an address."""
    if "[redacted:" in fact.value and fact.kind not in WHOLE_KINDS:
        return True
    return fact.kind == FactKind.URL and any(f"{fact.value}:[redacted:" in text for text in texts)


def _masked_arguments(arguments: str) -> str:
    if len(arguments) > _MAX_ARGUMENTS_CHARS:
        return shorten_results.masked(arguments, _MAX_TEXT_CHARS)
    return redact_arguments(arguments).text


def _digest(entry: TranscriptEntry) -> bytes:
    found = blake2b(entry.role.encode(), digest_size=16)
    for text in (
        entry.text,
        entry.output,
        "note" if entry.is_note else "",
        *(part for call in entry.message.tool_calls for part in (call.name, call.arguments)),
    ):
        found.update(b"\0")
        found.update(text.encode("utf-8", "surrogatepass"))
    return found.digest()


def _sharing_texts(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return *facts* with one copy of each line that several of them stand in: a line has many facts."""
    texts: dict[str, str] = {}
    return tuple(fact._replace(text=texts.setdefault(fact.text, fact.text)) for fact in facts)


def _size(read: _Read) -> int:
    """Return about how many bytes *read* takes: a line that several facts share counts once."""
    facts = [fact for line in read.lines for fact in line.slots]
    texts = {line.text for line in read.lines}.union(fact.text for fact in facts)
    values = sum(_FACT_BYTES + len(fact.value) + len(fact.key) for fact in facts)
    return _LINE_BYTES * (1 + len(read.lines)) + values + sum(_TEXT_BYTES + len(text) for text in texts)


def masked_facts(facts: Sequence[SpanFact]) -> Iterator[SpanFact]:
    """Mask all lines in one go: one by one takes many times longer."""
    lines = redact("\n".join(fact.shown for fact in facts)).text.split("\n")
    if len(lines) != len(facts):
        lines = [redact(fact.shown).text for fact in facts]
    for fact, line in zip(facts, lines, strict=True):
        yield fact if line == fact.shown else replace(fact, shown=line, value=redact(fact.value).text)
