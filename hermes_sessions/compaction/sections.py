"""The parts of a handoff that are written by rule: rendered here, and read back.

A later compaction reads them from the earlier handoff and writes them anew, so that
the user's words, the facts and the pointers live on and never stand there twice.
"""

import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hermes_sessions.compaction.economy.fact_lines import FactLine, read_lines, render_lines, starts_terse
from hermes_sessions.compaction.shorten_results import masked
from hermes_sessions.handoff import Section, handoff_sections
from hermes_sessions.handoff.own_lines import CUT, LAST_MESSAGE, NOBODY_ASKED, ORIGINALS_TITLE
from hermes_sessions.late_patterns import late_pattern

Price = Callable[[str], int]
"""What a text costs in tokens."""

Scored = tuple[FactLine, float]

WORDS_TITLE: Final = "What the user said, word for word, newest first"
RULES_TITLE: Final = "Rules in force, word for word"
FACTS_TITLE: Final = "Exact facts, copied by rule"
INSTRUCTIONS_TITLE: Final = "Instructions given in the transcript, word for word, newest first"
NOTES_TITLE: Final = "What the host asks to have remembered"
ACTIVE_TITLE: Final = "Active task"

_MAX_WORDS_CHARS: Final = 2_000
_MIN_WORDS_CHARS: Final = 200
_FIRST_WORDS_CHARS: Final = 300
_INSTRUCTION_FRAME: Final = len("<instruction></instruction>\n")
_NOTE_CHARS, _NOTE_TOKENS = 60, 14
"""What it costs to say that earlier words are left out."""

_RULED: Final = (RULES_TITLE, WORDS_TITLE, INSTRUCTIONS_TITLE, NOTES_TITLE, FACTS_TITLE, ORIGINALS_TITLE)
_TAGS = late_pattern(r"<(/?)(verbatim_tail|user_said|instruction|host_note)>")
# Ours begin a line and hold no other tag; any other is escaped, or stands elsewhere in an older handoff.
_TAIL = late_pattern(r"(?m)^<verbatim_tail>((?:(?!<verbatim_tail>).)*)</verbatim_tail>\s*\Z", re.DOTALL)
_WORD = late_pattern(r"(?m)^<user_said>((?:(?!</?user_said>).)*)</user_said>$", re.DOTALL)
_RULED_HEADING = late_pattern(rf"(?m)^(?=## (?:{'|'.join(map(re.escape, _RULED))})$)")
_TOLD = late_pattern(
    r"(?m)^<(instruction|host_note)>((?:(?!</?(?:instruction|host_note)>).)*)</\1>$", re.DOTALL
)
_ESCAPED = late_pattern(r"<(/?)\\(verbatim_tail|user_said|instruction|host_note)>")
_READ_WITH: Final = "; read them with: "
_OR_WITH: Final = "; or: "
_SHOWS_ALL: Final = late_pattern(r"hermes-sessions show \S+ --all")
_OLDER_COMMANDS: Final = 3
"""So many of a host's own commands are kept for compactions that share a line, the newest."""

_POINTER = late_pattern(r"(\d{1,12}) messages(?: of (\d{1,9}) earlier compactions|, )")


@dataclass(frozen=True, slots=True)
class Ruled:
    """What a handoff says by rule and not by summary.

    Attributes:
        words: what the user said, newest first.
        facts: lines as they stood there, rules among them.
        instructions: what the system or a developer said in mid-transcript, newest first.
        notes: what the host asked to have remembered.
        pointers: where earlier originals are, oldest first.
        verbatim: the end of the last summarised reply.
    """

    words: tuple[str, ...] = ()
    facts: tuple[FactLine, ...] = ()
    instructions: tuple[str, ...] = ()
    notes: str = ""
    pointers: tuple[str, ...] = ()
    verbatim: str = ""


def read_body(body: str) -> tuple[str, Ruled]:
    """Cut the body of a handoff, ours or another agent's, into its summary and the ruled parts."""
    # What stands in tags is taken out first: a heading or a code fence in it is not ours.
    verbatim, body = _cut_tail(body)
    words = tuple(unescape(found[1]) for found in _WORD.finditer(body))
    told = [(found[1], unescape(found[2])) for found in _TOLD.finditer(body)]
    plain = _TOLD.sub("", _WORD.sub("", body))
    sections = handoff_sections(_without_open_fence(unescape(plain)))
    terse, sections = _cut_terse(sections)
    by_title = {section.title: section.text for section in sections}
    facts = map(read_lines, (terse, *(by_title.get(title, "") for title in (RULES_TITLE, FACTS_TITLE))))
    pointers = by_title.get(ORIGINALS_TITLE, "").splitlines()
    summary = render_sections(section for section in sections if not _is_ruled(section))
    return summary, Ruled(
        words=words,
        facts=tuple(line for lines in facts for line in lines),
        instructions=tuple(text for kind, text in told if kind == "instruction"),
        notes=next((text for kind, text in told if kind == "host_note"), ""),
        pointers=tuple(line.removeprefix("- ") for line in pointers if line.strip()),
        verbatim=unescape(verbatim).strip(),
    )


def _cut_terse(sections: Sequence[Section]) -> tuple[str, tuple[Section, ...]]:
    """Return the lines of a terse handoff, which have no heading and come first, and what follows them."""
    if not sections or sections[0].title or not starts_terse(sections[0].text):
        return "", tuple(sections)
    lines, _, rest = sections[0].text.partition("\n\n")
    return lines, (*((Section("", rest.strip()),) if rest.strip() else ()), *sections[1:])


def _is_ruled(section: Section) -> bool:
    by_rule = section.title == ACTIVE_TITLE and section.text.startswith((LAST_MESSAGE, NOBODY_ASKED))
    return by_rule or section.title in _RULED


def render_sections(sections: Iterable[Section]) -> str:
    """Return *sections* as Markdown."""
    texts = (f"## {part.title}\n{part.text}".strip() if part.title else part.text for part in sections)
    return "\n\n".join(text for text in texts if text)


def render_told(instructions: Sequence[str], notes: str, max_chars: int) -> str:
    """Return instructions, newest first, and the host's notes as sections, each within *max_chars*."""
    lines: list[str] = []
    left = max_chars
    for place, text in enumerate(instructions):
        room = left - _INSTRUCTION_FRAME
        shown = escape(masked_middle(text, min(_MAX_WORDS_CHARS, max(room, 0))))
        if room < _MIN_WORDS_CHARS and len(shown) > room:
            lines.append(f"({len(instructions) - place} more are kept with the originals.)")
            break
        lines.append(f"<instruction>{shown}</instruction>")
        left = room - len(shown)
    told = f"## {INSTRUCTIONS_TITLE}\n" + "\n".join(lines) if lines else ""
    kept = escape(masked_middle(notes.strip(), max(0, min(_MAX_WORDS_CHARS, max_chars))))
    noted = f"## {NOTES_TITLE}\n<host_note>{kept}</host_note>" if notes.strip() and max_chars else ""
    return "\n\n".join(part for part in (told, noted) if part)


def render_words(words: Sequence[str], tokens: int, price: Price, max_chars: int | None = None) -> str:
    """Return the user's words as a section: newest first until *tokens* are full, and the very first.

    Args:
        max_chars: at most so many characters, tags included; None for no such bound.
    """
    heading = f"## {WORDS_TITLE}"
    first = _said(words[-1], _FIRST_WORDS_CHARS) if len(words) > 1 else ""
    most = sys.maxsize if max_chars is None else max_chars
    left, chars = tokens - price(heading) - _NOTE_TOKENS, most - _NOTE_CHARS
    if first and price(first) <= left // 2 and len(first) <= chars // 2:
        left, chars = left - price(first) - 1, chars - len(first) - 1
    else:
        first = ""
    lines: list[str] = []
    for place, text in enumerate(words):
        shown = _said(text, min(_MAX_WORDS_CHARS, max(left * 2, _MIN_WORDS_CHARS)))
        left, chars = left - price(shown) - 1, chars - len(shown) - 1
        if left < 0 or chars < 0:
            missing = len(words) - place - bool(first)
            if lines and missing > 0:
                lines.append(f"({missing} earlier ones are kept with the originals.)")
            lines += [first] if first else []
            break
        lines.append(shown)
    return "\n".join((heading, *lines)) if lines else ""


def _said(text: str, max_chars: int) -> str:
    return f"<user_said>{escape(masked_middle(text, max_chars))}</user_said>"


def render_rules(rules: Sequence[FactLine], left_out: int) -> str:
    """Return rules in force as a section, by who set them; and how many more there are."""
    text = render_lines(rules)
    more = f"({left_out} more stand with the originals.)" if left_out else ""
    lines = "\n".join(part for part in (text, more) if part)
    return f"## {RULES_TITLE}\n{lines}" if lines else ""


def render_facts(lines: Sequence[FactLine], *, brief: bool = False) -> str:
    """Return *lines* as a section, with few headings and places where it is *brief*."""
    return f"## {FACTS_TITLE}\n{render_lines(lines, brief=brief)}" if lines else ""


def render_terse(rules: Sequence[FactLine], facts: Sequence[FactLine]) -> str:
    """Return rules and facts without headings, the speakers before what they said."""
    return render_lines((*rules, *facts), terse=True)


def not_told(told: str, lines: Iterable[Scored]) -> list[Scored]:
    """Return the lines that do not stand in *told* already."""
    flat = " ".join(unescape(told).split())
    return [(line, score) for line, score in lines if line.text not in flat]


def render_pointers(pointers: Sequence[str], newest: int) -> str:
    """Return where the originals are as a section: the *newest* pointers, older ones in one line."""
    lines = tuple(dict.fromkeys(_one_line(line) for line in pointers))
    if newest == 0 and not any(_READ_WITH in line for line in lines):
        return ""  # where room is short, what nobody can look up is left out
    older, kept = lines[: max(0, len(lines) - newest)], lines[max(0, len(lines) - newest) :]
    if len(older) > 1:
        older = (_older_pointer(older),)
    shown = (*older, *kept)
    return f"## {ORIGINALS_TITLE}\n" + "\n".join(f"- {line}" for line in shown) if shown else ""


def _older_pointer(pointers: Sequence[str]) -> str:
    """Return one line for several pointers, oldest first.

    Any session of a conversation leads to all of it, the newest longest; what a host gave may not.
    """
    messages = compactions = 0
    for line in pointers:
        found = _POINTER.match(line)
        messages += int(found[1]) if found else 0
        compactions += int(found[2] or 1) if found else 1
    found_in = (line.partition(_READ_WITH)[2].split(_OR_WITH) for line in reversed(pointers))
    commands = list(dict.fromkeys(text for texts in found_in for text in texts if text))
    ours = [text for text in commands if _SHOWS_ALL.fullmatch(text)]
    kept = [text for text in commands if text not in ours[1:]][:_OLDER_COMMANDS]
    line = f"{messages} messages of {compactions} earlier compactions"
    return f"{line}{_READ_WITH}{_OR_WITH.join(kept)}" if kept else f"{line}."


def pointer(session_id: str, first: int, last: int, count: int, given: str = "") -> str:
    """Return the line that says where *count* replaced messages can be read, as *given* by a caller."""
    if given.strip():
        return f"{count} messages, positions {first} to {last}{_READ_WITH}{_one_line(given)}"
    if not session_id:
        return f"{count} messages, positions {first} to {last} of the transcript that was compacted."
    command = f"hermes-sessions show {shlex.quote(_one_line(session_id))} --all"
    return f"{count} messages, numbers {first} to {last}{_READ_WITH}{command}"


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
