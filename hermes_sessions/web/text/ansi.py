"""What a terminal would show of a command's output: text with colours, nothing else. Pure.

Only colours and styles (SGR sequences) mean anything. Cursor movements, titles, links and every
other sequence are dropped; a carriage return and a backspace overwrite, as they do on a screen.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hermes_sessions.late_patterns import late_pattern

MAX_SPANS = 4_000
"""A text with more changes of colour than this is shown without colours behind that place."""

_SEQUENCE = late_pattern(
    "(?:\x1b\\[|\x9b)(?:(?P<sgr>[0-9;:]{0,64})m|[0-?]{0,64}[ -/]{0,8}(?:[@-~]|$))"
    # Titles, links and other strings, up to their end or to what interrupts them.
    "|(?:\x1b[\\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x80-\x9f]{0,4000}(?:\x07|\x1b\\\\|\x9c|(?=\x1b)|$)"
    "|\x1b[ -/]{0,4}[0-~]?"
)
_CONTROL = late_pattern("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_NAMES = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_LEVELS = (0, 95, 135, 175, 215, 255)


@dataclass(frozen=True, slots=True)
class TextStyle:
    """How text looks: names of colours, and marks like `bold`."""

    ink: str = ""
    ground: str = ""
    marks: frozenset[str] = frozenset()

    @property
    def classes(self) -> str:
        """The style as class names, '' for plain text."""
        ink, ground = self.ink, self.ground
        if "reverse" in self.marks:
            ink, ground = ground or "ground", ink or "ink"
        colours = [f"ink-{ink}" if ink else "", f"on-{ground}" if ground else ""]
        return " ".join(f"t-{name}" for name in (*sorted(self.marks - {"reverse"}), *colours) if name)

    def coloured(self, code: int, colour: str) -> "TextStyle":
        """Return the style in a colour; the code's tens say of what: 30 and 90 ink, 40 and 100 ground."""
        if code // 10 in (3, 9):
            return replace(self, ink=colour)
        return replace(self, ground=colour)


PLAIN = TextStyle()
_ON = {1: "bold", 2: "dim", 3: "italic", 4: "underline", 7: "reverse", 9: "struck"}
_OFF = {22: {"bold", "dim"}, 23: {"italic"}, 24: {"underline"}, 27: {"reverse"}, 29: {"struck"}}


def has_colours(text: str) -> bool:
    """Return whether a text carries terminal sequences."""
    return "\x1b[" in text or "\x9b" in text


def read_terminal(text: str) -> Iterator[tuple[str, str]]:
    """Yield (classes, text) in order; the texts are free of control characters but line ends and tabs."""
    style, spans = PLAIN, 0
    end = 0
    pending = ""
    text = _screen(text)
    for found in _SEQUENCE.finditer(text):
        pending += text[end : found.start()]
        end = found.end()
        if found["sgr"] is None or spans >= MAX_SPANS:
            continue
        changed = _apply(style, found["sgr"])
        if changed != style:
            if cleaned := _CONTROL.sub("", pending):
                yield style.classes, cleaned
                spans += 1
            style, pending = changed, ""
    if cleaned := _CONTROL.sub("", pending + text[end:]):
        yield style.classes, cleaned


def _screen(text: str) -> str:
    """Return what is left when carriage returns and backspaces have overwritten."""
    text = text.replace("\r\n", "\n")
    if "\r" in text:
        text = "\n".join(_overwrite(line) for line in text.split("\n"))
    return _strike(text) if "\b" in text else text


def _strike(text: str) -> str:
    """Return what is left where each backspace takes back one character of its line."""
    kept: list[str] = []
    for letter in text:
        if letter != "\b":
            kept.append(letter)
        elif kept and kept[-1] != "\n":
            kept.pop()
    return "".join(kept)


def _overwrite(line: str) -> str:
    """Return the last thing written over a line, with the colours that were set before it."""
    head, mark, tail = line.rstrip("\r").rpartition("\r")
    if not mark:
        return line
    return "".join(found[0] for found in _SEQUENCE.finditer(head) if found["sgr"] is not None) + tail


def _apply(style: TextStyle, parameters: str) -> TextStyle:
    codes = [int(code) if code and len(code) < 4 else 0 for code in re.split("[;:]", parameters)]
    at = 0
    while at < len(codes):
        code = codes[at]
        if code in (38, 48):
            colour, used = _extended(codes[at + 1 :])
            style = style.coloured(code, colour)
            at += used
        else:
            style = _apply_one(style, code)
        at += 1
    return style


def _apply_one(style: TextStyle, code: int) -> TextStyle:
    if code == 0:
        return PLAIN
    if code in _ON:
        return replace(style, marks=style.marks | {_ON[code]})
    if code in _OFF:
        return replace(style, marks=style.marks - _OFF[code])
    if code in (39, 49):
        return style.coloured(code, "")
    if code // 10 in (3, 4) and code % 10 < 8:
        return style.coloured(code, _NAMES[code % 10])
    if code // 10 in (9, 10) and code % 10 < 8:
        return style.coloured(code, f"b-{_NAMES[code % 10]}")
    return style


def _extended(codes: Sequence[int]) -> tuple[str, int]:
    """Return the nearest of our colours to a palette index or an RGB value, and the codes it took."""
    if codes[:1] == [5] and len(codes) > 1:
        return _indexed(codes[1]), 2
    if codes[:1] == [2] and len(codes) > 3:
        return _nearest(codes[1:4]), 4
    return "", len(codes)


def _indexed(index: int) -> str:
    if index < 16:
        return _NAMES[index % 8] if index < 8 else f"b-{_NAMES[index - 8]}"
    if index < 232:
        index -= 16
        return _nearest([_LEVELS[index // 36], _LEVELS[index // 6 % 6], _LEVELS[index % 6]])
    return _nearest([8 + 10 * (min(index, 255) - 232)] * 3)


def _nearest(rgb: Sequence[int]) -> str:
    """Return the colour whose bits are those of the channels that stand out."""
    high, low = max(rgb), min(rgb)
    if high - low < 40:
        return "black" if high < 64 else "b-black" if high < 140 else "white" if high < 215 else "b-white"
    middle = (high + low) / 2
    bits = sum(1 << place for place, channel in enumerate(rgb) if channel > middle)
    return ("b-" if high > 200 else "") + _NAMES[bits]
