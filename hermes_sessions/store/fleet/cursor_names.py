"""Names of stores at the end of page cursors: in addresses, and on command lines that are copied."""

from typing import Final
from urllib.parse import quote, unquote

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.store.fleet.members import Fleet

NOT_OURS: Final = "this page cursor is not one of ours; start from the first page"


def name_in_cursor(name: str) -> str:
    """Return a store's name with everything that does not print, white space and `%` percent-encoded."""
    return "".join(one if one.isprintable() and one not in " %" else quote(one) for one in name)


def name_from_cursor(text: str) -> str:
    """Return the name that `name_in_cursor` wrote.

    Raises:
        InvalidQueryError: it writes no name so.
    """
    name = unquote(text)
    if not name or name_in_cursor(name) != text:
        raise InvalidQueryError(NOT_OURS)
    return name


def require_member(fleet: Fleet, name: str) -> None:
    """Refuse a cursor whose store is none of the fleet; one that is only left out at the moment may be named.

    Raises:
        InvalidQueryError: it is none.
    """
    if not fleet.has(name):
        raise InvalidQueryError(NOT_OURS)
