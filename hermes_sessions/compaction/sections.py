"""The parts of a handoff that are written by rule: rendered here, and read back.

A later compaction reads them from the earlier handoff and writes them anew, so that
the user's words, the facts and the pointers live on and never stand there twice.
"""

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hermes_sessions.compaction.anchors import KINDS
from hermes_sessions.compaction.prune import masked
from hermes_sessions.handoff import Section, handoff_sections
from hermes_sessions.messages import Fact

WORDS_TITLE: Final = "What the user said, word for word, newest first"
FACTS_TITLE: Final = "Exact facts, copied by rule"
ORIGINALS_TITLE: Final = "Where the originals are"
ACTIVE_TITLE: Final = "Active task"
CUT: Final = "[...truncated]"
LAST_MESSAGE: Final = "The user's last message stands in full"
NOBODY_ASKED: Final = "No user message is known; nobody asked for anything here."

_MAX_WORDS_CHARS: Final = 2_000
_MIN_WORDS_CHARS: Final = 200
_SAID_FRAME: Final = len("<user_said></user_said>\n")
_RULED: Final = (WORDS_TITLE, FACTS_TITLE, ORIGINALS_TITLE)
_TAGS = re.compile(r"<(/?)(verbatim_tail|user_said)>")
# Ours begin a line and hold no other tag; any other is escaped, or stands elsewhere in an older handoff.
_TAIL = re.compile(r"(?m)^<verbatim_tail>((?:(?!<verbatim_tail>).)*)</verbatim_tail>\s*\Z", re.DOTALL)
_WORD = re.compile(r"(?m)^<user_said>((?:(?!</?user_said>).)*)</user_said>$", re.DOTALL)
_RULED_HEADING = re.compile(rf"(?m)^(?=## (?:{'|'.join(map(re.escape, _RULED))})$)")
_ESCAPED = re.compile(r"<(/?)\\(verbatim_tail|user_said)>")
_READ_WITH: Final = "; read them with: "
_POINTER = re.compile(r"(\d{1,12}) messages(?: of (\d{1,9}) earlier compactions|, )")
_FACT_LINE = re.compile(r"- ([a-z]{1,20}): (.+)")
_WEIGHTS: Final[Mapping[str, int]] = {kind: weight for weight, kind in enumerate(reversed(KINDS), start=1)}


@dataclass(frozen=True, slots=True)
class Ruled:
    """What a handoff says by rule and not by summary.

    Attributes:
        words: what the user said, newest first.
        facts: (kind, value), best first.
        pointers: where earlier originals are, oldest first.
        verbatim: the end of the last summarised reply.
    """

    words: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    pointers: tuple[str, ...] = ()
    verbatim: str = ""


def read_body(body: str) -> tuple[str, Ruled]:
    """Cut the body of a handoff, ours or another agent's, into its summary and the ruled parts."""
    # What stands in tags is taken out first: a heading or a code fence in it is not ours.
    verbatim, body = _cut_tail(body)
    words = tuple(unescape(found[1]) for found in _WORD.finditer(body))
    sections = handoff_sections(_without_open_fence(unescape(_WORD.sub("", body))))
    by_title = {section.title: section.text for section in sections}
    facts = (_FACT_LINE.fullmatch(line) for line in by_title.get(FACTS_TITLE, "").splitlines())
    pointers = by_title.get(ORIGINALS_TITLE, "").splitlines()
    summary = render_sections(section for section in sections if not _is_ruled(section))
    return summary, Ruled(
        words=words,
        facts=tuple((found[1], found[2]) for found in facts if found),
        pointers=tuple(line.removeprefix("- ") for line in pointers if line.strip()),
        verbatim=unescape(verbatim).strip(),
    )


def _is_ruled(section: Section) -> bool:
    by_rule = section.title == ACTIVE_TITLE and section.text.startswith((LAST_MESSAGE, NOBODY_ASKED))
    return by_rule or section.title in _RULED


def render_sections(sections: Iterable[Section]) -> str:
    """Return *sections* as Markdown."""
    texts = (f"## {part.title}\n{part.text}".strip() if part.title else part.text for part in sections)
    return "\n\n".join(text for text in texts if text)


def render_words(words: Sequence[str], max_chars: int) -> str:
    """Return the user's words as a section: newest first until *max_chars* are full, tags included."""
    lines: list[str] = []
    left = max_chars
    for place, text in enumerate(words):
        room = left - _SAID_FRAME
        shown = escape(masked_middle(text, min(_MAX_WORDS_CHARS, max(room, _MIN_WORDS_CHARS))))
        if len(shown) > room:
            lines.append(f"({len(words) - place} or more earlier ones are kept with the originals.)")
            break
        lines.append(f"<user_said>{shown}</user_said>")
        left = room - len(shown)
    return f"## {WORDS_TITLE}\n" + "\n".join(lines) if lines else ""


def render_facts(facts: Sequence[tuple[str, str]], max_chars: int) -> str:
    """Return *facts*, best first, as a section: those that fit, by kind."""
    chosen: list[tuple[str, str]] = []
    left = max_chars
    for kind, value in facts:
        left -= len(kind) + len(value) + 5
        if left < 0:
            break
        chosen.append((kind, value))
    chosen.sort(key=lambda fact: -_WEIGHTS.get(fact[0], 0))
    lines = [f"- {kind}: {value}" for kind, value in chosen]
    return f"## {FACTS_TITLE}\n" + "\n".join(lines) if lines else ""


def rank_facts(
    facts: Sequence[Fact], earlier: Sequence[tuple[str, str]], spoken: frozenset[int]
) -> tuple[tuple[str, str], ...]:
    """Order facts by what their loss would cost: kind, how often, how late, who said it.

    Facts of the earlier handoff come after the new ones of the same weight.

    Args:
        facts: of the span, oldest first.
        earlier: what the earlier handoff listed.
        spoken: indices of messages that a person or the model wrote.
    """
    counts = Counter((fact.kind, fact.value) for fact in facts)
    scores: dict[tuple[str, str], float] = {}
    newest = max((fact.index for fact in facts), default=0) or 1
    for fact in facts:
        key = (fact.kind, _one_line(fact.value))
        score = _WEIGHTS.get(fact.kind, 0) + 4 * fact.index / newest + 3 * (fact.index in spoken)
        scores[key] = max(scores.get(key, 0.0), score + min(counts[fact.kind, fact.value], 4))
    for place, key in enumerate(earlier):
        scores.setdefault(key, _WEIGHTS.get(key[0], 0) + 4 - place / (len(earlier) or 1))
    return tuple(sorted(scores, key=lambda key: (-scores[key], key)))


def render_pointers(pointers: Sequence[str], newest: int) -> str:
    """Return where the originals are as a section: the *newest* pointers, older ones in one line."""
    lines = tuple(dict.fromkeys(_one_line(line) for line in pointers))
    older, kept = lines[: max(0, len(lines) - newest)], lines[max(0, len(lines) - newest) :]
    if len(older) > 1:
        older = (_older_pointer(older),)
    shown = (*older, *kept)
    return f"## {ORIGINALS_TITLE}\n" + "\n".join(f"- {line}" for line in shown) if shown else ""


def _older_pointer(pointers: Sequence[str]) -> str:
    """Return one line for several pointers: any session of a conversation leads to all of it."""
    messages = compactions = 0
    for line in pointers:
        found = _POINTER.match(line)
        messages += int(found[1]) if found else 0
        compactions += int(found[2] or 1) if found else 1
    commands = (line.partition(_READ_WITH)[2] for line in pointers)
    command = next((text for text in commands if text), "")
    line = f"{messages} messages of {compactions} earlier compactions"
    return f"{line}{_READ_WITH}{command}" if command else f"{line}."


def pointer(session_id: str, first: int, last: int, count: int) -> str:
    """Return the line that says where *count* replaced messages can be read."""
    if not session_id:
        return f"{count} messages, positions {first} to {last} of the transcript that was compacted."
    command = f"hermes-sessions show {shlex.quote(_one_line(session_id))} --all"
    where = f"positions {first} to {last} of session {_one_line(session_id)}"
    return f"{count} messages, {where}{_READ_WITH}{command}"


def render_verbatim(text: str, max_chars: int) -> str:
    """Return the end of *text* in its tags, the start cut off beyond *max_chars*; '' for none."""
    text = escape(text.strip())
    if not text or max_chars <= 0:
        return ""
    if len(text) > max_chars:
        room = max_chars - len(CUT)
        text = f"{CUT}{text[-room:]}" if room > 0 else text[-max_chars:]
    return f"<verbatim_tail>{text}</verbatim_tail>"


def clip_middle(text: str, max_chars: int) -> str:
    """Return *text*, its middle cut out beyond *max_chars*."""
    if len(text) <= max_chars:
        return text
    half = max(0, max_chars - len(CUT) - 2) // 2
    return f"{text[:half]} {CUT} {text[-half:] if half else ''}"


def masked_middle(text: str, max_chars: int) -> str:
    """Return *text* with its secrets masked, then its middle cut out: half of one would not be recognised.

    Args:
        max_chars: at most `_MAX_WORDS_CHARS`; of a much longer text only the two ends are masked.
    """
    return clip_middle(masked(text, 4 * _MAX_WORDS_CHARS), max_chars)


def clip_end(text: str, max_chars: int) -> str:
    """Return *text*, its end cut off beyond *max_chars*: a later compaction knows it by its start."""
    return text if len(text) <= max_chars else f"{text[: max(0, max_chars - len(CUT) - 1)]} {CUT}"


def split_active(summary: str) -> tuple[str, str]:
    """Return the active task of *summary* and the rest of it; '' where it names none."""
    sections = handoff_sections(summary)
    active = [part for part in sections if part.title.casefold().strip(" :") == ACTIVE_TITLE.casefold()]
    rest = [part for part in sections if part not in active]
    return "\n".join(part.text for part in active), render_sections(rest)


def said_words(words: Iterable[str], earlier: Iterable[str]) -> Iterator[str]:
    """Yield the user's words newest first: of this transcript, then of the earlier handoff."""
    seen: set[str] = set()
    for text in (*words, *earlier):
        key = clip_middle(text.strip(), _MAX_WORDS_CHARS)
        if key and key not in seen:
            seen.add(key)
            yield text.strip()


def _cut_tail(body: str) -> tuple[str, str]:
    """Return what the tail at the very end of *body* holds, and *body* without it and any before it."""
    tail = ""
    while found := _TAIL.search(body):
        tail, body = tail or found[1], body[: found.start()]
    return tail, body


def close_fences(text: str) -> str:
    """Close a code fence that *text* leaves open: it would swallow what follows it."""
    fences = [line.lstrip()[:3] for line in text.splitlines() if line.lstrip().startswith(("```", "~~~"))]
    return f"{text}\n{fences[-1]}" if len(fences) % 2 else text


def _without_open_fence(body: str) -> str:
    """Close the fence that an older handoff left open before the parts written by rule."""
    if close_fences(body) == body:
        return body
    return "\n\n".join(close_fences(part.rstrip()) for part in _RULED_HEADING.split(body))


def escape(text: str) -> str:
    """Return *text* with our tags broken: one that somebody wrote opens and closes nothing."""
    return _TAGS.sub(r"<\1\\\2>", text)


def unescape(text: str) -> str:
    """Return *text* as it was before `escape`."""
    return _ESCAPED.sub(r"<\1\2>", text)


def _one_line(text: str) -> str:
    return " ".join(text.split())[:400]
