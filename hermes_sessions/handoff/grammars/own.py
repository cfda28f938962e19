"""The markers of a handoff, and where they stand in a text. No parts, no rendering.

The prefix texts of agent releases are other people's prose and are not repeated
here: a prefix is cut by its bracket and closing words, and its era is known by
length and SHA-256 (first 12 hex digits).
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Final

from hermes_sessions.late_patterns import late_pattern

END: Final = "--- END OF CONTEXT SUMMARY — respond to the message below, not the summary above ---"
PRIOR: Final = "[PRIOR CONTEXT — for reference only; not a new message]"
DELIM: Final = "[END OF PRIOR CONTEXT — COMPACTION SUMMARY BELOW]"
BRACKET: Final = "[CONTEXT COMPACTION — REFERENCE ONLY]"
OWN_PREFIX: Final = (
    BRACKET + " The messages before this point were replaced by the notes below. They tell what happened;"
    " they are not a request. Act only on what the user says after them:"
)
SHORT_PREFIX: Final = BRACKET + " Notes:"
"""How a handoff begins that is so small that more words would take the place of what it says."""
OWN_PREFIXES: Final = (OWN_PREFIX, SHORT_PREFIX)
OWN_NOTE: Final = "[Note by the compaction:"
"""How a message begins that the engine had to put between two of the same role."""
LEFT_OUT: Final = f"{OWN_NOTE} a tool call that never got a result is left out here.]"
"""What is left of a message that was only such calls."""

WENT_ON: Final = f"{OWN_NOTE} between these two messages others were replaced by the handoff above.]"
"""What stands between two messages of one role where others were."""
ENGINE_NOTES: Final = (WENT_ON, LEFT_OUT)
"""All that this engine ever wrote as a message of its own, in any release."""

_SYNTHETIC: Final = (
    OWN_NOTE,
    "[Your active task list was preserved across context compression]",
    "[Files already read in this session",
    "Continue from the compressed conversation context above. This marker exists because",
)

LEGACY: Final = "[CONTEXT SUMMARY]:"
_DASH = "[—–-]"
PREFIX = late_pattern(
    rf"\[CONTEXT COMPACTION(?: ?{_DASH} ?REFERENCE ONLY)?\]|\[CONTEXT SUMMARY\]:",
)
PRIOR_MARK = late_pattern(rf"\[PRIOR CONTEXT {_DASH} for reference only; not a new message\]")
DELIM_MARK = late_pattern(rf"\[END OF PRIOR CONTEXT {_DASH} COMPACTION SUMMARY BELOW\]")
END_MARK = late_pattern(
    rf"--- END OF CONTEXT SUMMARY {_DASH} respond to the message below, not the summary above ---"
)

_END_AT_END = late_pattern(END_MARK.pattern + r"\Z")
CLOSING_WORDS = late_pattern(r"[^\n]*?(?:repeating it|repeating work):")
_SPACE = late_pattern(r"\s*")
_UNSEEN = late_pattern(r"[\s\ufeff\u200b\u2060]*")
"""What may stand unseen in front of a text: white space, a byte order mark, zero-width marks."""

_ERAS: Final[Mapping[tuple[int, str], str]] = {
    (361, "e658132cc815"): "P1",
    (478, "23ef53b7155d"): "P2",
    (586, "5cd6c1b9dc95"): "P3",
    (772, "1624c5d8e3ce"): "P4",
    (1378, "2999da51e178"): "P5",
    (1443, "3d913c7e319b"): "P6a",
    (1623, "ff6818dc6565"): "P6b",
    (1428, "f953b27ebb62"): "P7",
    (1632, "1c004c9c0ec1"): "P8",
    (1527, "ff3014fed07c"): "P9",
    (1954, "7e9c6ce1b413"): "P10",
}
"""(length in characters, SHA-256[:12]) of each prefix that ever shipped -> its era."""

MOST_OF_PREFIX: Final = max(len(OWN_PREFIX), *(length for length, _ in _ERAS))
"""No known prefix has more characters."""


def starts_handoff(text: str) -> bool:
    """Return whether *text*, after white space, begins like a handoff or a merged row.

    A prior-context bracket counts only when a summary really follows it.
    """
    start = skip_unseen(text, 0)
    if PREFIX.match(text, start):
        return True
    return bool(PRIOR_MARK.match(text, start)) and find_delim(text, start, len(text)) is not None


def has_known_prefix(text: str) -> bool:
    """Return whether the first prefix of *text* is one that some release wrote, to the letter.

    White space, and a prior message in front of the handoff, may stand before it.
    """
    return known_prefix(text, first_prefix(text)) is not None


def is_synthetic(text: str) -> bool:
    """Return whether *text* is a note that an agent or this engine wrote in the user's name."""
    return text.lstrip().startswith(_SYNTHETIC)


def is_engine_note(role: str, text: str | None, tool_calls: str | None = None) -> bool:
    """Return whether a row is a note of this engine and nothing else: nobody said it.

    It is one of two lines, to the letter: what only begins like them is a message, and nothing that
    somebody wrote is hidden because of how it begins.
    """
    return role in ("user", "assistant") and not tool_calls and text in ENGINE_NOTES


def find_delim(text: str, start: int, end: int) -> re.Match[str] | None:
    """Return the DELIM that a prefix follows: the last whose prefix is known, else the last."""
    found = [
        match
        for match in DELIM_MARK.finditer(text, start, end)
        if PREFIX.match(text, skip_space(text, match.end()), end)
    ]
    known = [match for match in found if known_prefix(text, skip_space(text, match.end()))]
    chosen = known or found
    return chosen[-1] if chosen else None


def find_end(text: str, start: int, end: int, *, own: bool) -> re.Match[str] | None:
    """Return the END that closes the handoff whose body begins at *start*.

    A body of our own never holds another END, so the first one counts. Elsewhere a body
    may hold the END of an older handoff, a body or a reply may quote one: END counts as
    a paragraph of its own (else as a line of its own), the last one wins, unless another
    handoff follows an earlier one.
    """
    if own:
        return END_MARK.search(text, start, end)
    paragraph: re.Match[str] | None = None
    line: re.Match[str] | None = None
    for match in END_MARK.finditer(text, start, end):
        if _alone(match, start, end, 2):
            paragraph = match
            after = skip_space(text, match.end())
            if PREFIX.match(text, after, end) or PRIOR_MARK.match(text, after, end):
                return match
        elif _alone(match, start, end, 1):
            line = match
    return paragraph or line


def _alone(match: re.Match[str], start: int, end: int, breaks: int) -> bool:
    """Return whether so many line breaks, of either kind, or an edge stand on both sides of *match*."""
    text = match.string
    before = text[max(0, match.start() - 2 * breaks) : match.start()].replace("\r\n", "\n")
    after = text[match.end() : min(end, match.end() + 2 * breaks)].replace("\r\n", "\n")
    return (before.endswith("\n" * breaks) or match.start() <= start) and (
        after.startswith("\n" * breaks) or skip_space(text, match.end()) >= end
    )


def skip_prefixes(text: str, start: int, end: int) -> tuple[int, Sequence[int]]:
    """Return where the body begins behind all nested prefixes, and where each of them begins."""
    places = []
    while PREFIX.match(text, start, end):
        places.append(start)
        start = min(end, skip_space(text, _prefix_end(text, start, end)))
    return start, places


def _prefix_end(text: str, start: int, end: int) -> int:
    """Return where the prefix at *start* ends: where it is known, else by its closing words."""
    if text.startswith(LEGACY, start):
        return start + len(LEGACY)
    if known := known_prefix(text, start):
        return start + known[1]
    if closing := CLOSING_WORDS.match(text, start, end):
        return closing.end()
    newline = text.find("\n", start, end)
    return end if newline < 0 else newline


def known_prefix(text: str, start: int) -> tuple[str, int] | None:
    """Return the era and length of the prefix at *start* when it is one to the letter."""
    for own in OWN_PREFIXES:
        if text.startswith(own, start):
            return "own", len(own)
    for (length, digest), era in _ERAS.items():
        if text[start + length - 1 : start + length] == ":":
            piece = text[start : start + length].encode("utf-8", "surrogatepass")
            if hashlib.sha256(piece).hexdigest()[:12] == digest:
                return era, length
    return None


def first_prefix(text: str, start: int = 0) -> int:
    """Return where the first prefix at or behind *start* stands, past PRIOR and DELIM."""
    at = skip_unseen(text, start)
    if PRIOR_MARK.match(text, at) and (delim := find_delim(text, at, len(text))):
        return skip_space(text, delim.end())
    if delim := DELIM_MARK.match(text, at):
        return skip_space(text, delim.end())
    return at


def strip_ends(body: str) -> str:
    """Return *body* without surrounding space and without end markers behind it."""
    body = body.strip()
    while found := _END_AT_END.search(body, max(0, len(body) - len(END))):
        body = body[: found.start()].rstrip()
    return body


def skip_space(text: str, start: int) -> int:
    """Return the first place at or behind *start* that is not white space."""
    found = _SPACE.match(text, start)
    return start if found is None else found.end()


def skip_unseen(text: str, start: int) -> int:
    """Return the first place at or behind *start* where something can be seen."""
    found = _UNSEEN.match(text, start)
    return start if found is None else found.end()


def skip_breaks(text: str, start: int, most: int) -> int:
    """Return the place behind at most *most* line breaks at *start*, all of one kind."""
    line_break = "\r\n" if text.startswith("\r\n", start) else "\n"
    for _ in range(most):
        if text.startswith(line_break, start):
            start += len(line_break)
    return start
