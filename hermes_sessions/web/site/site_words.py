"""The sentences of the frame: what is being imported, what was changed. Pure."""

from hermes_sessions.operations.organising.journal import ChangeLine
from hermes_sessions.web.site.sync_status import OriginProgress
from hermes_sessions.web.text.filters import number, plural


def sync_line(origin: OriginProgress) -> str:
    """Return one line about a running import: "work: 12,000 of 293,000 rows, 4 %"."""
    if not origin.total:
        return f"{origin.label}: {plural(origin.done, 'row')} so far"
    share = int(100 * (origin.share or 0))
    return f"{origin.label}: {number(origin.done)} of {plural(origin.total, 'row')}, {share} %"


_CHANGES = {
    "pin": "Pinned",
    "unpin": "Unpinned",
    "archive": "Archived",
    "unarchive": "Taken out of the archive:",
    "tag": "Tagged",
    "untag": "Tags taken away from",
    "set_tags": "Tags set on",
    "note": "Note saved on",
    "trash": "Moved to the trash:",
    "restore": "Restored",
    "save search": "Search saved",
    "remove search": "Saved search removed",
}


def change_line(change: ChangeLine, *, undone: bool, held: bool) -> str:
    """Return a change in words, as the page after it shows it."""
    words = _CHANGES.get(change.action, change.action)
    many = "" if change.conversations == 1 else "s"
    line = f"{words} {change.conversations} conversation{many}" if change.conversations else words
    if held:
        line += "; what its agent archived stays archived"
    if undone:
        return f"Undone: {line[0].lower()}{line[1:]}."
    return f"{line}, since undone." if change.undone_at is not None else f"{line}."


def emptied_line(conversations: int) -> str:
    """Return what emptying the trash did."""
    return f"Erased {plural(conversations, 'conversation')} for good; the trash is empty."
