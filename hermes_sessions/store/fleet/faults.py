"""Whose fault an error is: the store's, which is left out until it is looked at again, or the question's."""

import sys

from sqlalchemy.exc import DatabaseError, DataError

from hermes_sessions.errors import NotEnoughSpaceError, QueryTimeoutError, StoreBusyError, StoreError


def fault_of_store(error: Exception, address: str) -> str | None:
    """Return in one line why the store at *address* is left out.

    None: it may answer the next question, or the mistake is ours; the error is for who asked.
    """
    if isinstance(error, (QueryTimeoutError, StoreBusyError, DataError, *_of_driver("DataError"))):
        return None
    if isinstance(error, (StoreError, NotEnoughSpaceError)):
        return str(error)
    if isinstance(error, (DatabaseError, *_of_driver("Error"))):
        said = error.orig if isinstance(error, DatabaseError) else error
        lines = str(said).strip().splitlines()
        return f"{address}: its tables cannot be read ({lines[0] if lines else type(said).__name__})"
    return None


def _of_driver(name: str) -> tuple[type[Exception], ...]:
    """Return a class of errors of the server's driver; none where the driver was not needed."""
    driver = sys.modules.get("psycopg")
    return () if driver is None else (getattr(driver, name),)
