"""What of a message the full-text index holds: its text, its calls, its marks. Pure.

Marks are words that nobody can type: they begin with a character of the private use
area, which is taken out of every text. They let the index itself answer `role:`,
`tool:`, `in:handoff`, `has:` and "in these sessions", so that a rare filter over a
common word costs what the rare one costs.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from hermes_sessions.facts.exact_values import exact_values
from hermes_sessions.handoff import is_engine_note
from hermes_sessions.json_text import parsed_json, without_escapes
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import MessageKind, Role
from hermes_sessions.store.language.segment import MARK, MARK_JOIN, OUTPUT_CHARS, segment

INDEXED: Final = ("session_id", "role", "kind", "text", "tool_name", "tool_calls", "tool_call_id")
"""The columns of a message that decide what is indexed of it."""

DEEP_CHARS: Final = 400_000
"""How far into an output facts are looked for; its last stretch is always looked at."""

_STRETCH: Final = 16_000
_SHORT: Final = 80
"""Characters of a value whose mark is remembered: there are few roles, tools and sessions at a time."""
_NOT_IN_NAMES = late_pattern(r"[\W_]+")
_LINK = ("http://", "https://")
_CODE: Final = "```"
_FAILURE_HINTS: Final = (
    *('"exit_code"', '"returncode"', '"error"', '"success"', '"is_error"', "Traceback", "rror:", "xception:"),
    *(
        "rror[",
        "fatal:",
        "FAILED",
        "panic",
        "exit code",
        "exit status",
        "not found",
        "No such file",
        "denied",
    ),
)
_FAILURE = late_pattern(
    r'"(?:exit_code|returncode)": ?-?[1-9]|"error": ?(?:"[^"]|\{)|"success": ?false|"is_error": ?true'
    r"|Traceback \(most recent|(?m:^(?:[\w.]{0,60}(?:Error|Exception)|[Ee]rror|ERROR|fatal)(?::|\[E))"
    r"|(?m:^(?:FAILED\b|E {3,7}\w))|\bpanicked at|\bpanic: |exit (?:code|status):? [1-9]"
    r"|command not found|No such file or directory|[Pp]ermission denied"
)


def is_searchable(row: Mapping[str, Any]) -> bool:
    """Return whether a row belongs in the index: copies are found where they were first.

    A merged row stays even when its reply is a copy, for its handoff's sake. Notes of our engine do not.

    Args:
        row: role, kind, copy_of, text and tool_calls of a message.
    """
    if row["role"] == Role.SESSION_META:
        return False
    if row["kind"] == MessageKind.MERGED:
        return True
    return row["copy_of"] is None and not is_engine_note(row["role"], row["text"], row["tool_calls"])


class PreparedRow(dict[str, Any]):
    """Columns of a message that is new and searchable, with what `indexable_words` made of them elsewhere.

    Attributes:
        indexed: all of that, or what is before and after the text.
    """

    __slots__ = ("indexed",)

    def __init__(self, columns: Mapping[str, Any], indexed: str | tuple[str, str]) -> None:
        super().__init__(columns)
        self.indexed = indexed


def indexable(row: Mapping[Any, Any]) -> str:
    """Return what the index gets of a message, segmented, from the columns of `INDEXED`.

    The mark of its session, then `indexable_words`.
    """
    words = row.indexed if isinstance(row, PreparedRow) else indexable_words(row)
    return joined(row["session_id"], words, row["text"])


def indexable_words(row: Mapping[Any, Any]) -> str:
    """Return what the index gets of a message besides its session, from the other columns of `INDEXED`.

    Its marks; its text; the tool's name and the call it answers; names, ids and argument
    values of its calls. Of a tool's output the first `OUTPUT_CHARS` characters and the
    exact facts behind them.
    """
    text = row["text"] or ""
    is_output = row["role"] == Role.TOOL
    if is_output:
        text = without_escapes(text)
    calls = list(_calls(row["tool_calls"])) if row["tool_calls"] else []
    pieces = []
    if is_output and len(text) > OUTPUT_CHARS:
        pieces.append(text[:OUTPUT_CHARS])
        pieces += _deep_facts(text)
    elif text:
        pieces.append(text)
    pieces += [piece for piece in (row["tool_name"], row["tool_call_id"]) if piece]
    for name, rest in calls:
        pieces += [name, *rest] if name else rest
    return f"{' '.join(_marks(row, text, calls))}\n{segment(chr(10).join(pieces))}"


def halved(words: str, text: str | None) -> str | tuple[str, str]:
    """Return what is before and after *text* in *words* of the index; all of it where it is changed there."""
    begin = words.find("\n") + 1
    if not text or not words.startswith(text, begin):
        return words
    return words[:begin], words[begin + len(text) :]


def joined(session_id: int, words: str | tuple[str, str], text: str | None) -> str:
    """Return what the index gets of a message of this session, where its words were made before."""
    session = mark("s", session_id)
    return f"{session} {words}" if isinstance(words, str) else f"{session} {words[0]}{text}{words[1]}"


def mark(kind: str, value: object = "") -> str:
    """Return the word that marks a message: `mark("r", "user")`.

    Kinds: s(ession), r(ole), t(ool), k(ind: handoff), h(as: error, code, link, call).
    """
    text = str(value)
    return _short_mark(kind, text) if len(text) <= _SHORT else _mark(kind, text)


def _mark(kind: str, text: str) -> str:
    return f"{MARK}{kind}{_NOT_IN_NAMES.sub(MARK_JOIN, text.lower())}"


_short_mark = lru_cache(maxsize=2_000)(_mark)


def call_values(tool_calls: str) -> Iterator[str]:
    """Yield names, ids and argument values as they are indexed, for showing where a hit is."""
    for name, rest in _calls(tool_calls):
        yield " ".join([name, *rest])


def _marks(row: Mapping[Any, Any], text: str, calls: list[tuple[str, list[str]]]) -> list[str]:
    role = row["role"]
    marks = [mark("r", role)]
    if row["kind"] != MessageKind.MESSAGE:
        marks.append(mark("k", "handoff"))
    names = [row["tool_name"]] if row["tool_name"] else []
    names += [name for name, _ in calls if name]
    marks += [mark("t", name[:80]) for name in dict.fromkeys(names)]
    if calls:
        marks.append(mark("h", "call"))
    if role == Role.TOOL and reports_failure(text):
        marks.append(mark("h", "error"))
    # One character first: most texts have none, and it is found far faster than several.
    if "`" in text and _CODE in text:
        marks.append(mark("h", "code"))
    if ":" in text and (_LINK[0] in text or _LINK[1] in text):
        marks.append(mark("h", "link"))
    return marks


def reports_failure(output: str) -> bool:
    """Return whether a tool's output says that something failed, as far as it is indexed."""
    text = output[:OUTPUT_CHARS]
    return any(hint in text for hint in _FAILURE_HINTS) and _FAILURE.search(text) is not None


def _deep_facts(text: str) -> list[str]:
    """Return the exact facts behind the indexed beginning, each once, as many as fit."""
    found: dict[str, None] = {}
    size = 0
    for stretch in _stretches(text):
        for value in exact_values(stretch):
            if value not in found:
                size += len(value)
                if size > OUTPUT_CHARS:
                    return list(found)
                found[value] = None
    return list(found)


def _stretches(text: str) -> Iterator[str]:
    """Yield what stands behind the indexed beginning, cut at line ends."""
    at = max(0, text.rfind("\n", 0, OUTPUT_CHARS))
    while at < min(len(text), DEEP_CHARS):
        end = at + _STRETCH
        if end < len(text):
            line_end = text.rfind("\n", at + 1, end)
            end = line_end if line_end > at else end
        yield text[at:end]
        at = end
    if at < len(text):
        yield text[max(at, len(text) - _STRETCH) :]


# -- calls -----------------------------------------------------------------------------------------


def _calls(tool_calls: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each call's name, and its ids and argument values; no JSON as it was written."""
    calls = parsed_json(tool_calls, tool_calls)
    for call in calls if isinstance(calls, list) else [calls]:
        if not isinstance(call, dict):
            yield "", list(_leaves(call))
            continue
        body = call.get("function", call)
        if not isinstance(body, dict):
            body = call
        name = body.get("name")
        arguments = body.get("arguments", body.get("input"))
        ids = dict.fromkeys(value for key in ("id", "call_id") if isinstance(value := call.get(key), str))
        values = _leaves(parsed_json(arguments, arguments) if isinstance(arguments, str) else arguments)
        yield (name if isinstance(name, str) else ""), [*ids, *values]


def _leaves(value: Any) -> Iterator[str]:
    """Yield the texts and numbers in a JSON value, in order; deep nesting is no problem."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            waiting.extend(reversed(list(one.values())))
        elif isinstance(one, list):
            waiting.extend(reversed(one))
        elif one is not None and not isinstance(one, bool):
            yield str(one)
