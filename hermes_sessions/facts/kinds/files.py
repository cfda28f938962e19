"""Files that were changed or read: by a call, in the output of git and of tools, in what is said."""

import re
from collections.abc import Iterator
from typing import Final

from hermes_sessions.facts.gates import Gate, gate
from hermes_sessions.facts.kinds.paths import is_path
from hermes_sessions.facts.page import Mark, TextPage, hits
from hermes_sessions.facts.speech.sentences import sentences
from hermes_sessions.facts.unwrap import Form
from hermes_sessions.facts.wording.change_shapes import (
    CHANGED,
    CHANGED_HEADING,
    CHANGED_WORDS,
    NOT_CHANGED,
    ONLY_NAMED,
)
from hermes_sessions.late_patterns import late_pattern

_PATH_KEYS: Final = frozenset(
    "path file_path filepath filename file target_file notebook_path absolute_path relative_path target".split()
)
_WRITERS = late_pattern(
    r"write|edit|create|patch|replace|insert|update|apply|append|delete|move|rename|save", re.I
)
_READERS = late_pattern(r"read|view|cat|open|show|get|load", re.I)
_LINES = late_pattern(
    r"^(?:diff --git a/\S{1,300} b/(?P<git>\S{1,300})|\*\*\* (?:Update|Add|Delete) File: (?P<patch>\S[^\n]{0,300})|\+\+\+ (?:b/)?(?P<plus>[^\s/][^\t\n]{0,300}|/(?!dev/null)[^\t\n]{1,300})"
    r"|[#\t ]{0,8}(?:modified|new file|deleted|renamed|both modified|geändert|neue Datei|modifié|nouveau fichier|modificado|изменено):[ ]{1,12}(?P<status>[^\n]{1,300})"
    r"|[ ](?:create|delete) mode \d{6} (?P<mode>[^\n]{1,300})|(?:[MARDU][MDU ]?|\?\?|[ ][MD])[ \t]{1,3}(?P<short>[\w.~/@-][^\n\s]{0,300})"
    r"|[ ](?P<stat>[\w.~/@{}=> -]{1,200}?)[ ]{1,40}\|[ ]{1,8}(?:\d{1,7} ?[+-]{0,100}|Bin .{1,60})|[ ]rename (?P<rename>[^\n]{1,300}) \(\d{1,3}%\))[ \t]*$", re.M
)  # fmt: skip
_FIELD = late_pattern(
    r"[\d\W]|(?:[^\W\d_]{3,12}\.?,? ){1,2}\d|(?:true|false|yes|no|none|null|never|today|yesterday|just now)\b|\S+ \S",
    re.I,
)
"""How the value of a field begins that is no file; a name with blanks in it is none without its ending."""
_PATH: Final = r"[\w.~/\\@-]{2,300}+"
_TOLD_WORDS: Final = gate(
    *(
        "wrote",
        "created",
        "updated",
        "saved",
        "appended",
        "edited",
        "modified",
        "patched",
        "deleted",
        "removed",
        "renamed",
        "changed",
        "rewrote",
        "refactored",
        "written to",
    ),
    *(
        "fixed",
        "added",
        "geschrieben",
        "angelegt",
        "geändert",
        "angepasst",
        "erstellt",
        "modifié",
        "créé",
        "mis à jour",
        "modifiqué",
        "creé",
        "actualicé",
    ),
    *(
        "изменил",
        "создал",
        "обновил",
        "исправил",
        "修改了",
        "创建了",
        "更新了",
        "编辑了",
        "已修改",
        "已创建",
        "已更新",
        "created successfully at",
        "the file",
    ),
)
_AFTER_TOLD = late_pattern(
    r"[a-zа-яё]{0,3}(?: (?:successfully|the|a|new|file|to|in|at|into|die|der|Datei|le|fichier|el|archivo|файл|\d{1,9} (?:bytes|lines|chars|characters)|test|tests|module|unit|existing)(?=[ :])){0,6}(?::? [`\"'(]{0,2}|(?<=[了改新建])[`\"' ]{0,2})"
    rf"(?P<path>{_PATH})"
)
_BEHIND_WORDS: Final = gate(
    *(
        "has been updated",
        "has been created",
        "has been modified",
        "has been written",
        "was updated",
        "was created",
        "was modified",
        "was changed",
        "updated successfully",
    ),
    *(
        "created successfully",
        "wurde geändert",
        "wurde angelegt",
        "wurde aktualisiert",
        "wurde erstellt",
        "geändert",
        "angepasst",
        "angelegt",
        "a été modifié",
        "a été créé",
    ),
    *(
        "a été mis à jour",
        "ha sido modificado",
        "ha sido creado",
        "を修正",
        "を変更",
        "を作成",
        "を更新",
        "を編集",
        "изменён",
        "обновлён",
        "已修改",
        "已更新",
        "已创建",
    ),
)
_READ_WORDS: Final = gate(
    "read",
    "viewed",
    "opened",
    "looked at",
    "inspected",
    "looking at",
    "gelesen",
    "leí",
    "прочитал",
    "读取了",
    "查看了",
    "を読",
)
_AFTER_READ = late_pattern(
    rf"(?:ing)?[aа]?(?: (?:the|file|through|die|Datei|le fichier|el archivo|файл)){{0,3}}(?::? [`\"']{{0,2}}|(?<=[了む])[`\"' ]{{0,2}})(?P<path>{_PATH})"
)
_PATH_CHARS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.~/\\@-"
_TOLD_PATH = late_pattern(r"[A-Za-z0-9_.~/\\@-]{3,300}+")
_MAYBE_PATH = late_pattern(r"[./\\][\w./\\~-]|file|LICENSE|CODEOWNERS")
_GLUED = late_pattern(r"\.[A-Za-z0-9]{1,8}(?=[\u2e80-\ud7ff][^./\\]*$)")
"""An ending right before prose that is written without blanks."""
_CAT = late_pattern(
    r"(?:^|[;&|] ?)(?:cat|less|head|tail|more|bat|nl)(?: -[\w]+(?: \d+)?){0,3} (?P<path>[\w.~/\\@-]{2,300})(?=$|[ |;&])|sed -n ['\"]?[\d,]+p['\"]? (?P<sed>[\w.~/\\@-]{2,300})"
)


def file_marks(page: TextPage) -> Iterator[Mark]:
    """Yield paths as files changed or read; they stand as paths no more."""
    if page.form is Form.ARGUMENT:
        yield from _argument(page)
        return
    text = page.text
    if page.looks != "code" or page.form is Form.DIFF:
        for match in _LINES.finditer(text) if _may_list(text) else ():
            yield from _named(text, match, "file_changed", trusted=True)
    if page.is_speech or len(text) < 4_000:
        yield from _after(page, _TOLD_WORDS, _AFTER_TOLD, "file_changed")
        yield from _before(page)
    if page.is_speech and page.speaker == "assistant":
        yield from _told_files(page)
        yield from _after(page, _READ_WORDS, _AFTER_READ, "file_read")


def _after(page: TextPage, words: Gate, shape: re.Pattern[str], kind: str) -> Iterator[Mark]:
    """`updated the file src/app.py`: the path right after a word."""
    for place, word in hits(page, words):
        if word.isascii() and page.text[place - 1 : place].isalnum():
            continue
        if match := shape.match(page.text, place + len(word)):
            yield from _named(page.text, match, kind, trusted=False)


def _before(page: TextPage) -> Iterator[Mark]:
    """`src/app.py has been updated`: the path right before some words."""
    text = page.text
    for place, _ in hits(page, _BEHIND_WORDS):
        head = text[max(0, place - 200) : place].rstrip(" `\"'")
        start = len(head.rstrip(_PATH_CHARS))
        if start < len(head) and is_path(head[start:]):
            base = max(0, place - 200)
            yield Mark("file_changed", base + start, base + len(head))


def _told_files(page: TextPage) -> Iterator[Mark]:
    """Every file of a sentence that says what was changed, and of a list under such a heading."""
    if not _MAYBE_PATH.search(page.text):
        return
    changing = page.opened.get(CHANGED_WORDS, ())
    for one in sentences(page):
        text, lowered = page.text[one.start : one.end], page.lower[one.start : one.end]
        listed = one.item and one.box != "open" and CHANGED_HEADING.search(one.heading) is not None
        if not (listed or any(word in lowered for word in changing)) or not _MAYBE_PATH.search(text):
            continue
        paths = [match for match in _TOLD_PATH.finditer(text) if is_path(match.group().rstrip("."))]
        if not paths or not (listed or _tells_change(text)):
            continue
        for match in paths:
            start, end = match.start(), match.start() + len(match.group().rstrip("."))
            if not ONLY_NAMED.search(text, max(0, start - 24), start):
                yield Mark("file_changed", one.start + start, one.start + end)
                if listed:
                    break


def _tells_change(text: str) -> bool:
    return CHANGED.search(text) is not None and not NOT_CHANGED.search(text)


def _may_list(text: str) -> bool:
    return any(
        sign in text
        for sign in (
            "diff --git",
            "*** ",
            "+++ ",
            "modified:",
            "new file:",
            "deleted:",
            " mode ",
            "\nM ",
            "\n M ",
            "?? ",
            " | ",
            "\nA ",
            "geändert:",
            "modifié",
            "M\t",
            "M ",
            "A ",
            "rename ",
        )
    )


def _is_field(value: str) -> bool:
    """Return whether *value* is when, or whether, something was modified: `2026-05-18`, `3 days ago`, `false`."""
    return not is_path(value) and _FIELD.match(value) is not None


def _named(text: str, match: re.Match[str], kind: str, *, trusted: bool) -> Iterator[Mark]:
    group = match.lastgroup or 0
    start, end = match.span(group)
    if glued := _GLUED.search(text, start, end):
        end = glued.end()
    while end > start and text[end - 1] in " .,:;`'\")":
        end -= 1
    arrow = text.rfind(" -> ", start, end)
    if arrow > 0:
        start = arrow + 4
    value = text[start:end]
    if group == "status" and _is_field(value):
        return
    if (
        (trusted and group not in ("short", "stat"))
        or is_path(value)
        or (group == "stat" and "/" in value and "=>" in value)
    ):
        yield Mark(kind, start, end)


def _argument(page: TextPage) -> Iterator[Mark]:
    text = page.text
    if page.key in _PATH_KEYS and "\n" not in text and 0 < len(text) < 400:
        if _WRITERS.search(page.tool):
            yield Mark("file_changed", 0, len(text), page.tool)
        elif _READERS.search(page.tool):
            yield Mark("file_read", 0, len(text), page.tool)
    elif page.key in ("command", "cmd"):
        for match in _CAT.finditer(text):
            yield from _named(text, match, "file_read", trusted=False)
    elif "*** Begin Patch" in text:
        for match in _LINES.finditer(text):
            yield from _named(text, match, "file_changed", trusted=True)
