"""Settings: `KEY=value` anywhere, lines of YAML, TOML and INI, constants in code."""

import re
from collections.abc import Iterator
from typing import Final

from hermes_sessions.facts.page import Mark, TextPage
from hermes_sessions.facts.unwrap import FIELDS, Form
from hermes_sessions.late_patterns import late_pattern

_KEY_CHARS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"
_UPPER = late_pattern(r"[A-Z][A-Z0-9_]{1,80}")
_VALUE = late_pattern(
    r"[ ]?(\"[^\"\n]{1,200}\"|'[^'\n]{1,200}'|(?:[^\s\"'`,;(){}<>|\uac00-\ud7a3\u3040-\u30ff\u3001-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]|(?<=\d),(?=\d{3})){1,200})"
)
_LINE_VALUE = late_pattern(
    r"[ \t]{0,20}(\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|\[[^\]\n]{0,200}\]|[^\s#][^\n]{0,200})"
)
_YAML_LINE = late_pattern(
    r"^([ \t]{0,40})(?:- )?[\"']?([A-Za-z_][\w./-]{0,60})[\"']?:(?:[ \t]{1,20}([^\n]{1,200}))?$", re.M
)
_CONSTANT = late_pattern(
    r"^(?:\S{1,160}:\d{1,6}[:-])?(?:[ \t]{0,12}[+~][ ])?(?:\t|[ ]{0,6})(?:(?:export |const |let |var |final |static |public |private |pub ){0,3})([A-Za-z_][\w.]{3,60})(?:: ?\w{1,20})?[ ]{0,24}=[ ]"
    r"(?:[^\n=]{1,80}? -> )?(\d[\d_]{0,14}(?:\.\d{1,9})?(?: ?\* ?time\.[A-Z][a-z]{2,10})?|\"[^\"\n$({]{1,80}\")(?=[ \t]*[;,]?[ \t]*(?:(?:#|//)[^\n]{0,120})?$)",
    re.M,
)
_SECTION = late_pattern(r"^\[{1,2}([\w. \"-]{1,80})\]{1,2}[ \t]*$", re.M)
_SCALAR = late_pattern(r"-?\d{1,15}(?:[.,]\d{1,9})?|true|false|yes|no|on|off|null|none", re.I)
_FIELD = late_pattern(r"^([A-Za-z_][\w.-]{0,80}): (-?\d{1,15}(?:\.\d{1,12})?)$", re.M)
_PLAIN_VALUE: Final = r"(?:-?\d[\d.,_]{0,18}\d|\d|true|false|on|off|null)"
_LINKING: Final = (
    r"is|was|are|stays?|remains?|remained|becomes?|equals|set|raised|lowered|reduced|increased|changed|bumped|kept|has|been|to|at|now|still"
    r"|auf|bleibt|ist|war|wurde|steht|jetzt|gesetzt|est|reste|passe|passé|à|es|queda|sigue|pasa|ahora|fica|continua|passou|agora|para"
    r"|равен|равно|остаётся|остаётся|теперь|на|для|имеет|значение|yes"
)
_TOLD = late_pattern(
    r"(?<![\w./$-])(?P<key>[A-Za-z][A-Za-z0-9]{0,40}(?:_[A-Za-z0-9]{1,40}){1,8}|[a-z]{2,30}(?:[A-Z][a-z0-9]{1,30}){1,6})(?![A-Za-z0-9_])(?:\(\))?[`\"'*]{0,3}"
    rf"(?:(?:[ ](?:{_LINKING})(?=[ ])){{0,4}}|(?:[ ][^\W\d]{{1,14}}){{0,3}}(?=[ ](?:from|to|von|auf|de|à|para|a|da|su|с|на)[ ]))(?:[ ]?(?:=|:|->|→|[已现仍也先]?(?:为|是|值为|改为|改成|设为|设置为|保持|保持为|仍为)|は|を|의|를|을|는|은))?"
    rf"(?P<old>[ ]?(?:from |von |de |с |从 ?|由 ?|da )?[`\"]?{_PLAIN_VALUE}[`\"]?[ ]?(?:to|->|→|から|到|auf|a|à|para|на|改为|改成|提高到|增加到|降到|降低到|调到|变为|에서)(?![a-z]))?"
    rf"[ ]?[`\"']?(?P<value>{_PLAIN_VALUE})(?!\w|[.:/-]\w)[`\"']?(?(old)|(?=[ ]?(?:$|[.;!?)。，、；）\n]|[,:](?!\d)|[にへでのま]|으로|로 |and|und|et|y|e|и|but|aber|after|for|because|so|while|\()))",
    re.M,
)
_JOINT = late_pattern(r"[A-Z_](?=[A-Za-z0-9])(?<=[a-z0-9][A-Z]|[A-Za-z0-9]_)")
"""Where two words of a name meet."""
_MAX_NAME_CHARS: Final = 120
_LABELLED = late_pattern(
    r"^[ \t]{0,20}([A-Z][A-Za-z]{2,20}(?: [A-Za-z]{1,20}){0,4}):[ ]{1,12}(\d{1,3}(?:[.,]\d{3}){1,4}|\d{1,15}(?:[.,]\d{1,9})?)[ \t]*$",
    re.M,
)
_NOT_KEYS: Final = frozenset(
    "http https note warning error info debug todo fixme e.g i.e mailto file ftp line col default example usage".split()
)
_DULL_FIELDS: Final = (
    "exit_code",
    "exitcode",
    "returncode",
    "status",
    "code",
    "port",
    "id",
    "pid",
    "line",
    "offset",
    "index",
    "column",
    "col",
    "limit",
    *(
        "total_lines",
        "file_size",
        "num_lines",
        "total_matches",
        "matches",
        "count",
        "size_bytes",
        "truncated",
        "chars",
        "bytes_written",
    ),
    *("wall_time", "timeout", "max_results", "num_results", "start_line", "end_line"),
)


def setting_marks(page: TextPage) -> Iterator[Mark]:
    """Yield settings with their keys; the value without its quotation marks."""
    if not page.is_speech and page.looks in ("", "code"):
        yield from _constants(page)
    if not page.is_speech and page.looks == "" and page.form is Form.DATA:
        yield from _labelled(page)
    if page.looks == "yaml":
        yield from _yaml(page)
    elif page.looks == "ini":
        yield from _ini(page)
    elif page.looks == FIELDS:
        yield from _fields(page)
    else:
        yield from _assignments(page)
        if page.is_speech:
            yield from _told(page)


def _constants(page: TextPage) -> Iterator[Mark]:
    """`maxRetries = 3` at the head of a line, plain or in a diff, a plan or code; counters that begin at 0 or 1 are none."""
    text = page.text
    for match in _CONSTANT.finditer(text) if "=" in text else ():
        start, stop = _bare(text, match.start(2), match.end(2))
        if start < stop and text[start:stop] not in ("0", "1", "-1") and not _UPPER.fullmatch(match[1]):
            yield Mark("config", start, stop, match[1])


def _assignments(page: TextPage) -> Iterator[Mark]:
    text = page.text
    place = text.find("=")
    while place >= 0:
        if text[place + 1 : place + 2] not in ("=", ">", "~", "") and text[place - 1 : place] not in (
            "=",
            "!",
            "<",
            ">",
            "+",
            "-",
            "*",
            "|",
            "~",
            ":",
        ):
            yield from _assignment(page, place)
        place = text.find("=", place + 1)


def _labelled(page: TextPage) -> Iterator[Mark]:
    """`Rows removed by filter: 8120447`: a number alone behind its label."""
    for match in _LABELLED.finditer(page.text) if ": " in page.text else ():
        if match[1].lower().replace(" ", "_") not in _DULL_FIELDS:
            yield Mark("number", match.start(2), match.end(2), match[1])


def _told(page: TextPage) -> Iterator[Mark]:
    """`minSdk stays 26`: a name that only a program has, a word that links, a plain value."""
    text, end = page.text, 0
    for joint in _JOINT.finditer(text):
        place = joint.start()
        if place < end:
            continue
        head = text[max(end, place - _MAX_NAME_CHARS) : place]
        name = head[len(head.rstrip(_KEY_CHARS)) :].lstrip(".-_")
        match = _TOLD.match(text, place - len(name))
        end = match.end() if match else joint.end()
        if match:
            yield Mark("config", *match.span("value"), match["key"])


def _assignment(page: TextPage, place: int) -> Iterator[Mark]:
    text = page.text
    end = place - 1 if text[place - 1 : place] == " " else place
    head = text[max(0, end - 80) : end]
    key = head[len(head.rstrip(_KEY_CHARS)) :]
    if (
        len(key) < 2
        or key.startswith("-")
        or text[end - len(key) - 1 : end - len(key)] in ("?", "&", "/", "$", "%")
    ):
        return
    is_constant = _UPPER.fullmatch(key) is not None
    if not (is_constant or page.is_speech) and not _may_be_field(page, place, end):
        return
    value = _VALUE.match(text, place + 1)
    if value is None:
        return
    start, stop = _bare(text, value.start(1), value.end(1))
    if start >= stop:
        return
    if is_constant and (page.looks != "code" or text[end - len(key) - 1 : end - len(key)] in ("\n", "", " ")):
        if text[stop : stop + 1] != "(" and "$" not in text[start : start + 1]:
            yield Mark("config", start, stop, key)
    elif page.is_speech and _is_setting(key, text[start:stop]):
        yield Mark("config", start, stop, key)
    elif (
        _may_be_field(page, place, end)
        and _is_bare_number(text[start:stop])
        and key.lower() not in _DULL_FIELDS
        and not key.lower().endswith("id")
    ):
        yield Mark("number", start, stop, key)


def _may_be_field(page: TextPage, place: int, end: int) -> bool:
    """Return whether a number may be a field of data: no letter begins what stands behind the sign at *place*."""
    is_field = page.form is Form.DATA and page.looks != "code" and end == place
    return is_field and not page.text[place + 1 : place + 2].isalpha()


def _is_setting(key: str, value: str) -> bool:
    return (
        key[0].isalpha()
        and ("_" in key or "." in key or "-" in key or _SCALAR.fullmatch(value) is not None)
        and len(key) > 2
    )


def _is_bare_number(value: str) -> bool:
    return value.replace(".", "", 1).lstrip("-").isdigit()


def _bare(text: str, start: int, stop: int) -> tuple[int, int]:
    """Leave quotation marks, comments and a sentence's punctuation out of a value."""
    if (
        text[start : start + 1] in ('"', "'")
        and text[stop - 1 : stop] == text[start : start + 1]
        and stop - start >= 2
    ):
        return start + 1, stop - 1
    comment = text.find(" #", start, stop)
    stop = comment if comment > start else stop
    while (
        stop > start
        and text[stop - 1] in " \t,;.:)]}\"'"
        and not (text[stop - 1] == "]" and text[start] == "[")
    ):
        stop -= 1
    return start, stop


def _yaml(page: TextPage) -> Iterator[Mark]:
    parents: list[tuple[int, str]] = []
    for match in _YAML_LINE.finditer(page.text):
        depth, key = len(match[1]), match[2]
        while parents and parents[-1][0] >= depth:
            parents.pop()
        if match[3] is None or match[3] in ("|", ">", "|-", ">-"):
            parents = [*parents[-3:], (depth, key)]
            continue
        if key.lower() in _NOT_KEYS or not _is_config_key(key):
            continue
        start, stop = _bare(page.text, match.start(3), match.end(3))
        if key == "image":  # read as an image
            continue
        if start < stop and page.text[start] not in "{&*![":
            yield Mark("config", start, stop, ".".join([*(one for _, one in parents), key]))


def _is_config_key(key: str) -> bool:
    """`Name:` and `Status:` head the fields of a description or a mail, not of a configuration."""
    return key[0].islower() or key.isupper()


def _ini(page: TextPage) -> Iterator[Mark]:
    sections = [(match.start(), match[1]) for match in _SECTION.finditer(page.text)]
    index, section = 0, ""
    text = page.text
    place = text.find("=")
    while place >= 0:
        while index < len(sections) and sections[index][0] < place:
            section, index = sections[index][1], index + 1
        line = text.rfind("\n", max(0, place - 120), place) + 1
        key = text[line:place].strip().removeprefix("export ").strip("\"' ")
        pinned = text.startswith("=", place + 1)  # a version (x==1.2), or a comparison
        value = None if pinned else _LINE_VALUE.match(text, place + 1)
        if value and key and not key.startswith(("#", ";")) and not key.strip(_KEY_CHARS):
            start, stop = _bare(text, value.start(1), value.end(1))
            if start < stop:
                yield Mark("config", start, stop, f"{section}.{key}" if section else key)
        following = text.find("\n", place)
        place = text.find("=", following) if following >= 0 else -1


def _fields(page: TextPage) -> Iterator[Mark]:
    """Numbers among the scalars of a JSON document."""
    for match in _FIELD.finditer(page.text):
        key = match[1].rpartition(".")[2].lower()
        if key not in _DULL_FIELDS and not key.endswith(("id", "port", "_at", "timestamp")):
            yield Mark(_kind_of_field(key), match.start(2), match.end(2), match[1])


def _kind_of_field(key: str) -> str:
    if key.endswith(("_ms", "_s", "_sec", "_secs", "_seconds", "_minutes", "duration", "elapsed", "ttl")):
        return "duration"
    return "percentage" if key.endswith(("percent", "pct", "percentage")) else "number"
