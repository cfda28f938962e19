"""Template filters: times, numbers, sizes, text. Pure, and none marks stored text as safe."""

from datetime import UTC, datetime

from markupsafe import Markup

from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.store.language.highlight import Highlighter
from hermes_sessions.web.text.ansi import read_terminal
from hermes_sessions.web.text.mark_words import mark_html
from hermes_sessions.web.text.safe_html import render_code, render_markdown, render_plain

_ANSI = late_pattern(
    r"\x9b[0-9;]{1,32}[A-Za-z]"
    r"|\x1b(?:\[[0-?]{0,32}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|[@-Z\\-_])"
)
_CONTROL = late_pattern(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SURROGATE = late_pattern(r"[\ud800-\udfff]")
# Isolates stay: every text stands in an element of its own direction.
_OVERRIDE = late_pattern("[\u202a-\u202e]")
_MARKS = late_pattern(r"(?m)^\s{0,3}(?:#{1,6}|[-*+>]|\d{1,3}\.)\s+|[`*]{1,3}")

_STEPS = (
    (60.0, 1.0, "second"),
    (3_600.0, 60.0, "minute"),
    (86_400.0, 3_600.0, "hour"),
    (86_400.0 * 14, 86_400.0, "day"),
    (86_400.0 * 60, 86_400.0 * 7, "week"),
    (86_400.0 * 700, 86_400.0 * 30.44, "month"),
)


def moment(at: float | None) -> datetime | None:
    """Return *at* in the viewer's time zone, or None where it is not a usable time."""
    if not at:
        return None
    try:
        return datetime.fromtimestamp(at, UTC).astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def ago(at: float | None, now: float) -> str:
    """Return how long ago, in words: "3 minutes ago"."""
    if not at:
        return "at an unknown time"
    passed = now - at
    if passed < -60:
        return "in the future"
    if passed < 20:
        return "just now"
    for below, unit, name in _STEPS:
        if passed < below:
            count = max(1, int(passed / unit))
            return f"{count} {name}{'' if count == 1 else 's'} ago"
    years = max(1, int(passed / (86_400.0 * 365.25)))
    return f"{years} year{'' if years == 1 else 's'} ago"


def exact(at: float | None) -> str:
    """Return the full local date and time: "12 Mar 2026, 14:02:31"."""
    when = moment(at)
    return f"{when.day} {when:%b %Y, %H:%M:%S}" if when else "time unknown"


def stamp(at: float | None) -> str:
    """Return a short local date and time: "12 Mar 2026, 14:02"."""
    when = moment(at)
    return f"{when.day} {when:%b %Y, %H:%M}" if when else "time unknown"


def clock(at: float | None) -> str:
    """Return the local time of day: "14:02"."""
    when = moment(at)
    return f"{when:%H:%M}" if when else ""


def day(at: float | None) -> str:
    """Return the local day with its weekday: "Thu 12 Mar 2026"."""
    when = moment(at)
    return f"{when:%a} {when.day} {when:%b %Y}" if when else ""


def iso(at: float | None) -> str:
    """Return an ISO 8601 time for `datetime` attributes, or ''."""
    when = moment(at)
    return when.isoformat(timespec="seconds") if when else ""


def number(value: float | None) -> str:
    """Return a whole number with thin spaces between thousands, or a dash."""
    return "–" if value is None else f"{int(value):,}".replace(",", "\u202f")


def short_number(value: float | None) -> str:
    """Return a number in three digits: 950, 12.3k, 4.1M."""
    if value is None:
        return "–"
    rounded = float(f"{value:.3g}")
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(rounded) >= size:
            return f"{rounded / size:g}{unit}"
    return f"{rounded:g}"


def share_words(share: float | None) -> str:
    """Return a share as a percentage: "34 %"; a dash where there is none."""
    return "–" if share is None else f"{round(100 * share)} %"


def dollars(value: float) -> str:
    """Return a price: two decimals, or as many as show that it is not nothing."""
    return f"${value:.2f}" if value >= 0.1 or not value else f"${value:.2g}"


def plural(count: int | None, one: str, many: str | None = None) -> str:
    """Return a count with its noun: "1 message", "12 messages"."""
    return f"{number(count)} {one if count == 1 else many or one + 's'}"


def one_line(text: str | None, length: int = 120) -> str:
    """Return *text* as one clean line of at most *length* characters."""
    line = " ".join(clean((text or "")[: length * 8]).split())
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


def sentence(words: str | None) -> str:
    """Return *words* as the beginning of a sentence; the rest keeps its case."""
    return f"{words[:1].upper()}{words[1:]}" if words else ""


def gist(text: str | None, length: int = 150) -> str:
    """Return the beginning of Markdown as one line without its marks."""
    return one_line(_MARKS.sub("", (text or "")[: length * 4]), length)


def clean(text: str | None) -> str:
    """Return *text* without terminal sequences, control and direction-override characters."""
    without = _CONTROL.sub("", _ANSI.sub("", text or ""))
    if without.isascii():
        return without
    return _SURROGATE.sub("\ufffd", _OVERRIDE.sub("", without))


def markdown(text: str | None) -> Markup:
    """Return Markdown as safe HTML."""
    return render_markdown(clean(text))


def plain(text: str | None) -> Markup:
    """Return typed text as safe HTML; code fences are kept."""
    return render_plain(clean(text))


def code(text: str | None, language: str = "") -> Markup:
    """Return source text highlighted, for inside `<pre><code>`."""
    return render_code(clean(text), language)


def terminal(text: str | None) -> Markup:
    """Return a command's output with its colours as classes, for inside `<pre>`."""
    pieces = []
    for classes, piece in read_terminal(text or ""):
        words = _SURROGATE.sub("\ufffd", _OVERRIDE.sub("", piece))
        span = (
            Markup('<span class="{}">{}</span>').format(classes, words) if classes else Markup.escape(words)
        )
        pieces.append(span)
    return Markup("").join(pieces)


def marked(html: str, highlighter: Highlighter | None) -> Markup:
    """Return HTML that our templates made, with what was looked for marked."""
    return Markup(mark_html(html, highlighter) if highlighter else html)


FILTERS = {
    "ago": ago,
    "clean": clean,
    "clock": clock,
    "code": code,
    "day": day,
    "dollars": dollars,
    "exact": exact,
    "gist": gist,
    "iso": iso,
    "markdown": markdown,
    "marked": marked,
    "number": number,
    "one_line": one_line,
    "plain": plain,
    "plural": plural,
    "sentence": sentence,
    "share_words": share_words,
    "short_number": short_number,
    "stamp": stamp,
    "terminal": terminal,
}
