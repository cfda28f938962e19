"""Exact facts found by rule: what a summary must not paraphrase.

Paths, URLs, commands, ids and hashes, versions, numbers with units, error lines,
decisions, open points, and what the user asked. Strings are taken as they stand. All
patterns are bounded, so the time is linear in the text; a text is read up to a limit
from both ends.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from hermes_sessions.messages import Fact, Message, Role, content_text

KINDS: Final = ("ask", "error", "path", "command", "url", "id", "version", "number", "decision", "todo")
"""Every kind of fact, those first whose loss hurts most."""

MAX_TEXT_CHARS: Final = 20_000
"""A longer text is read in its first and last half of this length."""

_MAX_VALUE_CHARS: Final = 200
_EXTENSIONS: Final = (
    "py|pyi|js|jsx|ts|tsx|mjs|vue|svelte|go|rs|c|h|cc|cpp|hpp|java|kt|swift|rb|php|cs|sh|bash|zsh|sql|html|css|scss"
    "|md|rst|txt|json|jsonl|toml|yaml|yml|ini|cfg|conf|env|xml|csv|tsv|log|lock|db|sqlite|pdf|png|jpg|jpeg|svg|zip|gz"
    "|tar|ipynb|proto|tf|gradle|mod|patch|diff"
)
_UNITS: Final = (
    r"%|‰|[kMGT]i?B(?:/s)?|[kMG]?bit/s|[nµm]?s|sec(?:onds?)?|min(?:utes?)?|h|hours?|days?|weeks?|months?|years?"
    r"|[kM]?Hz|GHz|[kcm]?m|km|kg|mg|V|W|°C|px|em|rem|bytes?|tokens?|rows?|lines?|files?|tests?|messages?|requests?"
    r"|sessions?|commits?|errors?|failures?|warnings?|users?|times?|x|EUR|USD|€|\$"
)
_PROGRAMS: Final = (
    "git|gh|pip|pipx|uv|python3?|pytest|ruff|mypy|npm|npx|pnpm|yarn|node|deno|bun|cargo|rustc|go|make|cmake|docker"
    "|kubectl|helm|terraform|ansible|ssh|scp|rsync|curl|wget|ls|cd|cat|grep|rg|find|sed|awk|chmod|chown|mkdir|rm|cp|mv"
    "|tar|systemctl|journalctl|apt(?:-get)?|brew|psql|sqlite3|mysql|redis-cli|alembic|flask|django-admin|hermes[\\w-]{0,20}"
)

WORD_CHARS: Final = "0-9A-Za-z_À-ÖØ-öø-\u052fḀ-\u1fff"
"""Characters of words between blanks: Latin, Greek, Cyrillic. A fact ends where another script begins,
as Chinese or Japanese prose stands right beside it."""

_START: Final = rf"(?<![{WORD_CHARS}])"
_END: Final = rf"(?![{WORD_CHARS}])"
_OTHER: Final = rf"[^\W{WORD_CHARS}]"
_NAME: Final = rf"[{WORD_CHARS}.@+-]"
_SEGMENT: Final = rf"(?:{_NAME}{{1,80}}|{_OTHER}{{1,60}}{_NAME}{{0,80}})"
# Prose may stand right before an absolute path: `在/opt/app` is no folder named 在.
_ROOTS: Final = "home|Users|usr|opt|etc|var|tmp|srv|root|mnt|proc|private|workspace"
# Ends a URL: punctuation beyond ASCII and letters of scripts that leave no blank between words.
_NO_URL: Final = (
    r"\u0e00-\u0eff\u1000-\u11ff\u1780-\u17ff\u2000-\u206f\u2e80-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef"
    r"\U00020000-\U0003ffff"
)

_URL = re.compile(rf"{_START}https?://[^\s<>\"'`{{}}|\\^\[\]«»{_NO_URL}]{{3,400}}")
_PATH = re.compile(
    rf"(?<![{WORD_CHARS}/.~@:-])(?:[A-Za-z]:\\(?:[\w.@ +-]{{1,80}}\\){{0,20}}{_SEGMENT}"
    rf"|(?:~|\.{{1,2}})?/?(?:{_NAME}{{1,80}}|(?<!\w){_OTHER}{{1,60}}(?!/(?:{_ROOTS})/))/(?:{_SEGMENT}/){{0,19}}{_SEGMENT}?"
    rf"|(?:~|\.{{1,2}})?/{_NAME}{{2,80}})(?::\d{{1,6}})?"
)
_FILE = re.compile(
    rf"(?<![{WORD_CHARS}/.@\\-])(?:[{WORD_CHARS}-]{{1,60}}|(?<!\w){_OTHER}{{1,60}})(?:\.[{WORD_CHARS}-]{{1,30}}){{0,3}}"
    rf"\.(?:{_EXTENSIONS})(?![{WORD_CHARS}/.-][{WORD_CHARS}])(?::\d{{1,6}})?{_END}"
)
_HAS_EXTENSION = re.compile(rf"\.(?:{_EXTENSIONS})(?::\d{{1,6}})?$")
_UUID = re.compile(
    rf"(?<![{WORD_CHARS}-])[0-9a-fA-F]{{8}}(?:-[0-9a-fA-F]{{4}}){{3}}-[0-9a-fA-F]{{12}}(?![{WORD_CHARS}-])"
)
_HASH = re.compile(rf"{_START}[0-9a-f]{{7,128}}{_END}")
_ISSUE = re.compile(
    rf"(?<![{WORD_CHARS}&/])(?:[{WORD_CHARS}.-]{{1,40}}/[{WORD_CHARS}.-]{{1,60}})?#\d{{1,7}}{_END}"
)
_TICKET = re.compile(rf"{_START}[A-Z][A-Z0-9]{{1,9}}-\d{{1,6}}{_END}")
_TOKEN_ID = re.compile(rf"{_START}[A-Za-z]{{2,12}}_[A-Za-z0-9]{{8,64}}{_END}")
_VERSION = re.compile(
    rf"(?<![{WORD_CHARS}.-])(?:v\d{{1,4}}(?:\.\d{{1,5}}){{0,3}}|\d{{1,4}}(?:\.\d{{1,5}}){{2,3}})"
    rf"(?:[-.+]?(?:a|b|rc|alpha|beta|dev|post)\.?\d{{1,4}})?(?![{WORD_CHARS}.][{WORD_CHARS}])"
)
_NUMBER = re.compile(
    rf"(?<![{WORD_CHARS}.,#:-])[+-]?\d{{1,15}}(?:[,.]\d{{1,9}}){{0,4}} ?(?:{_UNITS})(?![{WORD_CHARS}%])"
)
_ERROR = re.compile(
    rf"{_START}(?:[A-Za-z_.]{{0,60}}(?:Error|Exception|Warning):"
    r"|(?i:error|fatal|panic|failure|denied|refused)[:\[( ]"
    rf"|(?i:traceback \(most)|FAILED{_END}|E\s{{3,7}}\w|exit (?:code|status) [1-9])"
)
_PROMPT_LINE = re.compile(r"(?m)^[ \t]{0,8}(?:\$|>>>|#) (?=[\w./~])([^\n]{2,300})")
_COMMAND = re.compile(
    rf"`((?:sudo )?(?:{_PROGRAMS}) [^`\n]{{1,300}})`"
    rf"|(?m:^[ \t]{{0,8}}((?:sudo )?(?:{_PROGRAMS}) [^\n]{{2,300}})$)"
)
_COMMAND_LINE = re.compile(rf"(?m)^[ \t]{{0,8}}((?:sudo )?(?:{_PROGRAMS}) [^\n]{{2,300}})$")
_VERBS: Final = ("find ", "make ", "go ")
_OPERAND = re.compile(rf"\s(?:--?\w|[.~]{{0,2}}/)|\w/[\w.]|[=`*]|\s\.\s|\.(?:{_EXTENSIONS})\b")
# What a text must hold for a rule to be worth asking: its bytes by kind, then a literal, which is fast.
# Digits of other scripts than ASCII count for nothing here.
_FILE_HINT = re.compile(rf"\.(?:{_EXTENSIONS})")
_DIGITS = bytes.maketrans(b"123456789", b"0" * 9)
_UNIT_STARTS = bytes.maketrans(
    b"0123456789%kMGTnmshdwycHVWpebtrlfxuEU$" + bytes(range(0x80, 0x100)), b"0" * 10 + b"u" * 156
)
_HEX = bytes.maketrans(b"0123456789abcdefABCDEF", b"x" * 22)
_DECISION_WORDS: Final = (
    *("decided", "decision:", "we'll", "we will", "we agreed", "let's go", "let's use", "let's keep"),
    *("going with", "agreed to", "agreed on", "agreed that", "chose", "settled on", "instead of"),
    *("rather than", "must not", "never again", "from now on", "always use"),
    *("entschieden", "beschlossen", "décidé", "decidido", "决定", "決め"),
)
_TODO_WORDS: Final = (
    *("todo", "fixme", "next step", "remaining", "still to do", "still open", "still missing", "still need"),
    *("not yet", "later:", "- [ ]", "* [ ]", "待办", "まだ"),
)
_ERROR_HINTS: Final = (
    *("error", "exception", "warning", "fatal", "panic", "fail", "denied", "refused", "traceback", "exit "),
    "e   ",
)
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s|\n")
_NO_ISSUE: Final = ("UTF-", "ISO-", "SHA-", "RFC-", "MD-", "AES-", "HTTP-", "GPT-", "CVE-", "COVID-")
_PROMPT_HINTS: Final = ("$ ", ">>> ", "# ")
_COMMAND_KEYS: Final = ("command", "cmd", "script", "code")


_ESCAPE = re.compile(r"(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]")


def without_escapes(text: str) -> str:
    """Return *text* without a terminal's colours and cursor movements; `0m` of a colour is no length."""
    return _ESCAPE.sub("", text) if "\x1b[" in text or "\x9b" in text else text


def extract_facts(messages: Iterable[Message]) -> tuple[Fact, ...]:
    """Return the facts of *messages* in order; each kind and value once per message.

    Indices count the messages given, from 0.
    """
    return tuple(fact for index, message in enumerate(messages) for fact in message_facts(message, index))


def message_facts(message: Message, index: int = 0) -> tuple[Fact, ...]:
    """Return the facts of one message: its text, its calls' arguments, and what was asked."""
    found: list[Fact] = []
    text = content_text(message.content)
    if message.role == Role.USER and text.strip():
        found.append(Fact("ask", shorten_line(without_escapes(text)), index))
    found += text_facts(text, index, spoken=message.role != Role.TOOL)
    for call in message.tool_calls:
        found += _argument_facts(call.arguments, index)
    return tuple(dict.fromkeys(found))


def text_facts(
    text: str, index: int = 0, *, spoken: bool = True, kinds: Sequence[str] = KINDS
) -> tuple[Fact, ...]:
    """Return the facts that stand in *text*, by kind; asks are not among them.

    Args:
        text: any text; read up to `MAX_TEXT_CHARS`.
        index: of the message, for the facts.
        spoken: somebody wrote it: only then may it hold decisions and open points.
        kinds: which of `KINDS` to look for.
    """
    if len(text) > MAX_TEXT_CHARS:
        half = MAX_TEXT_CHARS // 2
        text = f"{text[:half]}\n{text[-half:]}"
    text = without_escapes(text)
    found: dict[Fact, None] = {}
    for kind, rule in _RULES.items():
        if kind in kinds and (spoken or kind not in ("decision", "todo")):
            found.update((Fact(kind, value, index), None) for value in rule(text))
    return tuple(found)


def shorten_line(text: str, max_chars: int = _MAX_VALUE_CHARS) -> str:
    """Return *text* on one line, white space collapsed, cut at a word with an ellipsis."""
    line = " ".join(text[: max_chars * 8].split())
    if len(line) <= max_chars:
        return line
    cut = line[: max_chars - 1]
    return f"{cut.rsplit(' ', 1)[0] if ' ' in cut[max_chars // 2 :] else cut}…"


def argument_leaves(arguments: str) -> Iterator[tuple[str, str]]:
    """Yield each string in a call's arguments, unescaped, under the key it has; '' in a list."""
    try:
        parsed: Any = json.loads(arguments)
    except (ValueError, RecursionError):
        return
    waiting: list[tuple[str, Any]] = [("", parsed)]
    while waiting:
        key, value = waiting.pop()
        if isinstance(value, str) and value.strip():
            yield key, value
        elif isinstance(value, dict):
            waiting.extend(reversed(value.items()))
        elif isinstance(value, list):
            waiting.extend(("", one) for one in reversed(value))


def _argument_facts(arguments: str, index: int) -> Iterator[Fact]:
    """Facts in a call's arguments: commands under their keys, the rest as in any text."""
    texts = [arguments]
    for key, value in argument_leaves(arguments) if len(arguments) <= MAX_TEXT_CHARS else ():
        if key in _COMMAND_KEYS and "\n" not in value.strip():
            yield Fact("command", value.strip()[:_MAX_VALUE_CHARS], index)
        if "\\" in arguments:
            texts.append(value)
    found = text_facts("\n".join(texts), index, spoken=False)
    yield from (fact for fact in found if fact.kind != "command")


def _urls(text: str) -> Iterator[str]:
    if "://" in text:
        yield from (match.group().rstrip(".,;:!?)*_") for match in _URL.finditer(text))


def _paths(text: str) -> Iterator[str]:
    if "/" in text or "\\" in text:
        # White space stands in a Windows path only; of other texts a few words are looked at.
        likely = text if "\\" in text else " ".join(word for word in text.split() if "/" in word)
        without = _URL.sub(" ", likely) if "://" in likely else likely
        yield from (
            value for match in _PATH.finditer(without) if _is_path(value := match.group().rstrip(".,"))
        )
    if _FILE_HINT.search(text):
        likely = " ".join(word for word in text.split() if "." in word and _FILE_HINT.search(word))
        yield from (match.group() for match in _FILE.finditer(likely))


def _is_path(value: str) -> bool:
    """Return whether *value* is a path and not prose with a slash (and/or, 1/2, TCP/IP)."""
    if _HAS_EXTENSION.search(value) or "\\" in value:
        return True
    parts = [part for part in value.split("/") if part.strip(".")]
    if value.startswith(("/", "~/", "./", "../")):
        return len(parts) >= 2 or (len(parts) == 1 and value.startswith(("~/", "./", "../")))
    return len(parts) >= 3 and not all(part.isdigit() for part in parts)


def _commands(text: str) -> Iterator[str]:
    if any(hint in text for hint in _PROMPT_HINTS):
        yield from (match.group(1).strip()[:_MAX_VALUE_CHARS] for match in _PROMPT_LINE.finditer(text))
    for match in (_COMMAND if "`" in text else _COMMAND_LINE).finditer(text):
        value = match.group(match.lastindex or 0).strip()[:_MAX_VALUE_CHARS]
        if "`" in match.group() or not _is_prose(value):
            yield value


def _is_prose(line: str) -> bool:
    """Return whether a line that begins like a command is a sentence: `make sure that`, `find the cause`."""
    return line.startswith(_VERBS) and not _OPERAND.search(line)


def _ids(text: str) -> Iterator[str]:
    raw = text.encode("utf-8", "replace")
    hexadecimal = raw.translate(_HEX)
    if b"xxxxxxxx-xxxx-" in hexadecimal:
        yield from (match.group() for match in _UUID.finditer(text))
        text = _UUID.sub(" ", text)  # a piece of one is no id of its own
    for match in _HASH.finditer(text) if b"xxxxxxx" in hexadecimal else ():
        value = match.group()
        if not value.isdigit() and not value.isalpha():
            yield value
    if "#" in text:
        yield from (match.group() for match in _ISSUE.finditer(text))
    if b"-0" in raw.translate(_DIGITS):
        yield from (
            match.group() for match in _TICKET.finditer(text) if not match.group().startswith(_NO_ISSUE)
        )
    if "_" in text:
        found = (match.group() for match in _TOKEN_ID.finditer(text))
        yield from (value for value in found if sum(map(str.isdigit, value)) >= 2)


def _versions(text: str) -> Iterator[str]:
    shape = text.encode("utf-8", "replace").translate(_DIGITS)
    if b"0.0" in shape or b"v0" in shape:
        yield from (match.group() for match in _VERSION.finditer(text))


def _numbers(text: str) -> Iterator[str]:
    shape = text.encode("utf-8", "replace").translate(_UNIT_STARTS)
    if b"0u" in shape or b"0 u" in shape:
        yield from (match.group() for match in _NUMBER.finditer(text))


def error_lines(text: str) -> Iterator[str]:
    """Yield the lines of *text* that report an error, each shortened."""
    lowered = text.lower()
    if any(hint in lowered for hint in _ERROR_HINTS):
        yield from (shorten_line(line) for line in text.splitlines() if _ERROR.search(line[:400]))


def _decisions(text: str) -> Iterator[str]:
    yield from _sentences_with(_DECISION_WORDS, text)


def _todos(text: str) -> Iterator[str]:
    yield from _sentences_with(_TODO_WORDS, text)


def _sentences_with(words: Sequence[str], text: str) -> Iterator[str]:
    lowered = text.lower()
    present = [word for word in words if word in lowered]
    for sentence in _SENTENCE_END.split(text) if present else ():
        lowered = sentence.lower()
        if any(word in lowered for word in present):
            yield shorten_line(sentence)


_RULES: Final[Mapping[str, Callable[[str], Iterator[str]]]] = {
    "error": error_lines,
    "path": _paths,
    "command": _commands,
    "url": _urls,
    "id": _ids,
    "version": _versions,
    "number": _numbers,
    "decision": _decisions,
    "todo": _todos,
}
