"""One holder at a time for a named piece of work; a dead holder is taken over."""

from collections.abc import Callable

from sqlalchemy import delete, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.store.schema.models import Lease


def acquire(
    db: DbSession,
    name: str,
    holder: str,
    *,
    now: float,
    seconds: float,
    is_over: Callable[[str], bool] = lambda holder: False,
) -> bool:
    """Take (or renew) the lease *name* until now + seconds; False when another holder has it.

    Call it inside a write transaction: its row is locked, so the check and the change are one step.

    Args:
        is_over: whether a holder certainly works no more; its lease need not run out.
    """
    values = {"holder": holder, "acquired_at": now, "expires_at": now + seconds}
    held = select(Lease.holder, Lease.expires_at).where(Lease.name == name).with_for_update()
    while (found := db.execute(held).first()) is None:
        dialect = postgresql if db.connection().dialect.name == "postgresql" else sqlite
        fresh = dialect.insert(Lease).values(name=name, **values).on_conflict_do_nothing()
        if db.execute(fresh.returning(Lease.name)).first() is not None:
            return True
    if found.holder != holder and found.expires_at > now and not is_over(found.holder):
        return False
    db.execute(update(Lease).where(Lease.name == name).values(**values))
    return True


def seconds_left(db: DbSession, name: str, *, now: float) -> float:
    """Return for how long the lease *name* is held; 0 when it is free."""
    expires_at: float | None = db.scalar(select(Lease.expires_at).where(Lease.name == name))
    return max(0.0, (expires_at or 0.0) - now)


def release(db: DbSession, name: str, holder: str) -> None:
    """Give the lease *name* back, if *holder* still has it."""
    db.execute(delete(Lease).where(Lease.name == name, Lease.holder == holder))
