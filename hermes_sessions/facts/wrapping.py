"""What stands around a text and is none of it: colours, numbers of lines, signs of a diff."""

import itertools
import re
from typing import Final

from hermes_sessions.late_patterns import late_pattern

_ESCAPE = late_pattern(r"(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]|\x1b\][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)")
_NUMBERED = late_pattern(r"[ ]{0,8}(\d{1,7})(\t|\||→|:[ ]|[ ]│[ ]?)")
_TABBED = late_pattern(r"[ ]{1,8}\d{1,7}\t")
_DIFF = late_pattern(r"^(?:diff --git |@@ -\d|\*\*\* Begin Patch|--- [^\n]{1,400}\n\+\+\+ )", re.M)
_HUNK = late_pattern(r"@@ -\d{1,9}(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@")
_SAMPLE_LINES: Final = 60
_MOST: Final = 0.7


def plain_text(text: str, *, numbered: bool = True) -> str:
    """Return *text* without colours, overwritten progress and, where it is a listing, line numbers."""
    if "\x1b" in text or "\x9b" in text:
        text = _ESCAPE.sub("", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n")
        if "\r" in text:
            text = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    return without_numbers(text)[0] if numbered else text


def without_numbers(text: str) -> tuple[str, bool]:
    """Return *text* without the numbers of its lines, and whether a tool that reads files put them there.

    `12: text` stands in lists of other things, too.
    """
    sample = [line for line in text.split("\n", _SAMPLE_LINES)[:_SAMPLE_LINES] if line.strip()]
    if not _is_listing(sample):
        return text, False
    lines = text.split("\n")
    found = [_NUMBERED.match(line) for line in lines]
    plain = "\n".join(
        line[match.end() :] if match else line for line, match in zip(lines, found, strict=True)
    )
    return plain, not any(match and ":" in match[2] for match in found[:_SAMPLE_LINES])


def _is_listing(sample: list[str]) -> bool:
    """Return whether nearly all lines begin with a number that counts up, and one sign after it."""
    begun = [line for line in sample if line.lstrip(" ")[:1].isdigit()]
    if len(begun) < len(sample) * _MOST:
        return False
    found = [match for line in begun if (match := _NUMBERED.match(line))]
    if len(found) < 2 or len(found) < len(sample) * _MOST:
        return len(sample) == 1 == len(found) and found[0][2] in "|→"
    numbers = [int(match[1]) for match in found]
    signs = {match[2] for match in found}
    if len(signs) > 1 or any(later <= one for one, later in itertools.pairwise(numbers)):
        return False
    steady = numbers[-1] - numbers[0] == len(numbers) - 1
    if signs == {"\t"}:
        return steady or all(_TABBED.match(line) for line in sample)
    return ":" not in found[0][2] or (steady and len(found) >= 3)


def is_diff(text: str) -> bool:
    """Return whether *text* holds a unified diff or a patch."""
    return ("@@" in text or "+++ " in text or "*** Begin Patch" in text) and _DIFF.search(text) is not None


def read_diff(text: str) -> str:
    """Return what is true after the change: headers, context and new lines, without their signs."""
    kept: list[str] = []
    inside = False
    for line in text.split("\n"):
        if line.startswith(("@@", "*** Update File", "*** Add File")):
            inside = True
            match = _HUNK.match(line)
            kept.append(line if match is None else line[match.end() :].strip())
        elif line.startswith(("diff --git", "--- ", "*** ", "commit ", "index ")):
            inside = False
            kept.append(line)
        elif not inside or not line or line.startswith("+++ "):
            kept.append(line)
        elif line[0] in "+ ":
            kept.append(line[1:])
        elif line[0] != "-":
            kept.append(line)
    return "\n".join(kept)
