"""Settings that an edit gives a new value: a call with an old text and a new one, a diff. Pure.

A piece of a file that is one line long looks like no file of any kind, and a diff says which of its lines are
new by their first sign alone. So pairs of texts are compared here, setting by setting.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

from hermes_sessions.compaction.economy.settings.reading import MARKED, SettingLine, settings_in
from hermes_sessions.facts.json_text import json_texts
from hermes_sessions.facts.unwrap import Form, Unwrapped
from hermes_sessions.facts.values import Fact, FactKind, weigh
from hermes_sessions.facts.wrapping import is_diff, plain_text
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role, read_calls

OLD_KEYS: Final = (
    "old_string",
    "old_str",
    "old_text",
    "oldText",
    "oldString",
    "old_content",
    "search",
    "old",
)
NEW_KEYS: Final = (
    "new_string",
    "new_str",
    "new_text",
    "newText",
    "newString",
    "new_content",
    "replace",
    "new",
)
_PATH_KEYS: Final = ("path", "file_path", "filePath", "filepath", "file", "filename", "target_file")
_MOST: Final = 12
"""An edit that sets more is a file that was written."""

_MOST_CHARS: Final = 20_000
_DEEPEST: Final = 6
_CONFIG_FILE: Final = late_pattern(
    r"(?i)(?:\.(?:ini|cfg|conf|config|toml|ya?ml|json5?|env|properties|tf|tfvars|hcl|service)(?:\.\w{1,12})?"
    r"|(?:^|/)\.env[\w.-]{0,40}|(?:^|/)\.\w{1,20}rc|dockerfile)$"
)
_HUNK: Final = late_pattern(r"@@(?: -\d{1,9}(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@)?(?P<under>[^\n]{0,200})")
_FILE: Final = late_pattern(r"(?:\+\+\+ (?:b/)?|\*\*\* (?:Update|Add) File: )(?P<path>\S{1,300})")


def edited_settings(message: Mapping[str, Any]) -> tuple[Fact, ...]:
    """Return what edits in a message's calls, or diffs in a tool's output, set; their span is `MARKED`.

    Args:
        message: OpenAI-style, calls with their arguments as JSON.
    """
    speaker = Role.TOOL if message["role"] == Role.TOOL else Role.ASSISTANT
    if speaker == Role.TOOL:
        pairs = (pair for part in json_texts(str(message["content"])) for pair in _diff_pairs(part.text))
    else:
        pairs = (
            pair for call in read_calls(message.get("tool_calls")) for pair in _call_pairs(call.arguments)
        )
    found = {one.key: one for one in islice((one for pair in pairs for one in _set_by(*pair)), _MOST)}
    weight = weigh(FactKind.CONFIG, speaker)
    return tuple(
        Fact(FactKind.CONFIG, one.key, one.value, one.line, speaker, weight, MARKED) for one in found.values()
    )


def is_marked(facts: Iterable[Fact]) -> bool:
    """Return whether one of *facts* is what an edit set, or an odd value."""
    return any(fact.span == MARKED for fact in facts)


def with_marked(unwrapped: Unwrapped, facts: tuple[Fact, ...], marked: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Return *facts* with *marked* settings, without what these tell better, or an edit took away."""
    told = {(_last(fact.key), fact.value) for fact in marked}
    gone = [
        (piece.start, piece.start + len(piece.text))
        for piece in unwrapped.pieces
        if piece.form is Form.ARGUMENT and piece.key in OLD_KEYS
    ]
    new = "\n".join(piece.text for piece in unwrapped.pieces if piece.key in NEW_KEYS) if gone else ""
    kept = (
        fact
        for fact in facts
        if (_last(fact.key), fact.value) not in told
        and (fact.value in new or not any(start <= fact.span[0] < end for start, end in gone))
    )
    return (*kept, *marked)


def _last(key: str) -> str:
    return key.rpartition(".")[2]


def _call_pairs(arguments: str) -> Iterator[tuple[str, str, str]]:
    """Yield path, old and new text of each edit in the arguments of a call."""
    if len(arguments) > _MOST_CHARS:
        return
    try:
        given = json.loads(arguments)
    except (ValueError, RecursionError):
        given = arguments
    waiting: list[tuple[str, object, int]] = [("", given, 0)]
    while waiting:
        path, value, depth = waiting.pop()
        if isinstance(value, Mapping):
            path = next((str(value[key]) for key in _PATH_KEYS if isinstance(value.get(key), str)), path)
            old = next((value[key] for key in OLD_KEYS if isinstance(value.get(key), str)), None)
            new = next((value[key] for key in NEW_KEYS if isinstance(value.get(key), str)), None)
            if old is not None and new is not None:
                yield path, old, new
            waiting += [(path, one, depth + 1) for one in value.values() if depth < _DEEPEST]
        elif isinstance(value, list):
            waiting += [(path, one, depth + 1) for one in value if depth < _DEEPEST]
        elif isinstance(value, str):
            yield from _diff_pairs(value)


def _diff_pairs(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield path, old and new text of each hunk of a diff or a patch."""
    if len(text) > _MOST_CHARS or not is_diff(text := plain_text(text)):
        return
    path, old, new, inside = "", list[str](), list[str](), False
    for line in (*text.split("\n"), "@@"):
        hunk = _HUNK.fullmatch(line)
        named = _FILE.match(line)
        if hunk or named or line.startswith(("diff --git ", "*** ")):
            if inside and old != new:
                yield path, "\n".join(old), "\n".join(new)
            inside = hunk is not None or line.startswith(("*** Update", "*** Add"))
            under = hunk["under"].strip() if hunk else ""
            old, new = [under], [under]
            path = named["path"] if named else path
        elif inside:
            sign, bare = line[:1], line[1:]
            old += [bare] if sign in ("-", " ") else []
            new += [bare] if sign in ("+", " ") else []


def _set_by(path: str, old: str, new: str) -> Iterator[SettingLine]:
    """Yield what the new text sets anew; what it adds counts in a file of settings alone."""
    if len(old) + len(new) > _MOST_CHARS:
        return
    before = {one.key: one.value for one in settings_in(old)}
    configuring = _CONFIG_FILE.search(path) is not None
    for one in settings_in(new):
        former = before.get(one.key)
        changed = former is not None and one.plain and not one.key.startswith(("self.", "this."))
        if former != one.value and (configuring or changed):
            yield one
