"""Saved searches: a list or search page of the viewer under a name."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from sqlalchemy import select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.errors import InvalidQueryError, NotFoundError
from hermes_sessions.operations.organising.journal import SEARCH, Item, record_change, write_search
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.organising import SavedSearch

PAGES: Final = ("/", "/search")
_NOT_KEPT: Final = frozenset({"before", "after", "changed", "undone", "part"})
_MAX_NAME_CHARS: Final = 60
_MAX_TARGET_CHARS: Final = 2_000


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved search: its name, and the path and query string it opens."""

    name: str
    target: str


def save_search(database: Database, name: str, target: str, *, now: float) -> int | None:
    """Save *target* as *name*, in place of what had the name; return the change, None for no change.

    Args:
        target: path and query string of a list or search page; where in it one was is not kept.

    Raises:
        InvalidQueryError: the name is empty or too long, or the target is no such page.
    """
    name = " ".join(name.split())
    if not name or len(name) > _MAX_NAME_CHARS:
        raise InvalidQueryError(f"a saved search needs a name of 1 to {_MAX_NAME_CHARS} characters")
    if not name.isprintable():
        raise InvalidQueryError(f"{name!a}: a saved search needs a name of printable characters (UTF-8)")
    return _replace(database, name, clean_target(target), "save search", now)


def forget_search(database: Database, name: str, *, now: float) -> int | None:
    """Take a saved search away; return the change.

    Raises:
        NotFoundError: there is none with this name.
    """
    with database.read() as db:
        if all(one.name != name for one in list_searches(db)):
            raise NotFoundError(f"no search is saved as {name!r}")
    return _replace(database, name, None, "remove search", now)


def list_searches(db: DbSession) -> list[Saved]:
    """Return all saved searches by name."""
    rows = db.execute(select(SavedSearch.name, SavedSearch.target).order_by(SavedSearch.name))
    return [Saved(row.name, row.target) for row in rows]


def clean_target(target: str) -> str:
    """Return the page that *target* names: one of `PAGES` with its filters, without its place in it."""
    parts = urlsplit(target)
    if parts.scheme or parts.netloc or parts.path not in PAGES or len(target) > _MAX_TARGET_CHARS:
        raise InvalidQueryError("only a page of the list or of a search can be saved")
    kept = [(name, value) for name, value in parse_qsl(parts.query) if name not in _NOT_KEPT]
    return f"{parts.path}?{urlencode(kept)}" if kept else parts.path


def _replace(database: Database, name: str, target: str | None, action: str, now: float) -> int | None:
    with database.write() as db:
        before = db.scalar(select(SavedSearch.target).where(SavedSearch.name == name))
        if before == target:
            return None
        write_search(db, name, target, now)
        return record_change(db, action, [Item(None, f"{SEARCH}{name}", before, target)], now)
