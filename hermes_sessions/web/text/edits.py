"""Tool calls that edit files, read as changes: what stood there, what stands there now. Pure.

Known are replacements (old and new text under the names that agents use), whole new files, and
patches in one text. What is not understood is none of ours: the page shows the arguments then.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hermes_sessions.web.text.diffs import Diff, DiffLine, diff_lines

MAX_EDITS = 20
MAX_PATCH_LINES = 400
_OLD = ("old_string", "old_str", "old_text", "search", "oldText")
_NEW = ("new_string", "new_str", "new_text", "replace", "newText")
_PATHS = ("file_path", "path", "filename", "file", "target_file")
_PATCHES = ("patch", "diff", "input", "patch_text")
_WHOLE = ("content", "file_text", "contents")
_WRITERS = ("write", "create", "new_file")
_FILE_MARKS = ("*** Update File: ", "*** Add File: ", "*** Delete File: ", "+++ b/", "+++ ")
_PATCH_STARTS = ("*** Begin Patch", "--- ", "diff --git ", "@@ ", "Index: ")


@dataclass(frozen=True, slots=True)
class Edit:
    """One change: the file as the call names it, and its lines."""

    path: str
    diff: Diff


def read_edits(name: str, arguments: Any, *, most: int | None = None) -> tuple[Edit, ...]:
    """Return the changes a call asks for; () where it is no edit, or in a form that is not known.

    Args:
        name: the tool's name.
        arguments: as parsed, or the text itself where it is no JSON.
        most: characters of all lines together; what is beyond them is cut. None: no such bound.
    """
    if isinstance(arguments, str):
        found = _patches("", arguments)
    elif isinstance(arguments, Mapping):
        found = tuple(_edits(name, arguments))[:MAX_EDITS]
    else:
        return ()
    return found if most is None else tuple(_shortened(found, most))


def _shortened(edits: tuple[Edit, ...], most: int) -> Iterator[Edit]:
    for edit in edits:
        kept = []
        for line in edit.diff.lines:
            most -= len(line.text) + 1
            if most < 0:
                break
            kept.append(line)
        cut = edit.diff.cut or len(kept) < len(edit.diff.lines)
        yield replace(edit, diff=replace(edit.diff, lines=tuple(kept), cut=cut))


def _edits(name: str, arguments: Mapping[str, Any]) -> Iterator[Edit]:
    path = _text(arguments, _PATHS) or ""
    edits = arguments.get("edits")
    if isinstance(edits, list):
        for one in edits[:MAX_EDITS]:
            if isinstance(one, Mapping):
                yield from _replacement(_text(one, _PATHS) or path, one)
        return
    yield from _replacement(path, arguments)
    for key in _PATCHES:
        if isinstance(arguments.get(key), str):
            yield from _patches(path, arguments[key])
    whole = _text(arguments, _WHOLE)
    if path and whole is not None and any(word in name.lower() for word in (*_WRITERS, "editor", "edit")):
        yield Edit(path, diff_lines("", whole))
    elif path and isinstance(arguments.get("insert_line"), int):
        yield Edit(path, diff_lines("", _text(arguments, (*_NEW, "insert_text")) or ""))


def _replacement(path: str, arguments: Mapping[str, Any]) -> Iterator[Edit]:
    old, new = _text(arguments, _OLD), _text(arguments, _NEW)
    if old is not None and new is not None:
        yield Edit(path, diff_lines(old, new))


def _text(arguments: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((arguments[name] for name in names if isinstance(arguments.get(name), str)), None)


# -- patches ---------------------------------------------------------------------------------------


def _patches(path: str, text: str) -> tuple[Edit, ...]:
    """Return the files of a patch, each with its lines as the patch has them."""
    if not text.lstrip().startswith(_PATCH_STARTS) and not (path and _is_bare(text)):
        return ()
    found: list[tuple[str, list[DiffLine]]] = []
    cut = False
    for line in text.strip("\n").splitlines():
        mark = next((one for one in _FILE_MARKS if line.startswith(one)), None)
        if mark is not None:
            found.append((line[len(mark) :].strip(), []))
        elif line.startswith(("--- ", "diff --git ", "index ", "*** ", "Index: ", "====")):
            continue
        else:
            if not found:
                found.append((path, []))
            cut = cut or len(found[-1][1]) >= MAX_PATCH_LINES
            if not cut:
                found[-1][1].append(_patch_line(line))
    return tuple(Edit(name, _diff(lines, cut)) for name, lines in found)[:MAX_EDITS]


def _is_bare(text: str) -> bool:
    """Return whether every line says that it is added, removed or the same, and one is not the same."""
    lines = [line for line in text.splitlines() if line]
    return all(line[0] in "+- @" for line in lines) and any(line[0] in "+-" for line in lines)


def _patch_line(line: str) -> DiffLine:
    kind = {"+": "added", "-": "removed", "@": "hunk"}.get(line[:1], "same")
    return DiffLine(kind, line if kind == "hunk" else line[1:])


def _diff(lines: list[DiffLine], cut: bool) -> Diff:
    added = sum(line.kind == "added" for line in lines)
    return Diff(tuple(lines), added, sum(line.kind == "removed" for line in lines), cut)
