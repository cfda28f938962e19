"""What both of OpenCode's forms have: sessions, messages and their parts, each an object of JSON."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from hermes_sessions.agents.parsed_values import text_of
from hermes_sessions.agents.session_shelves.reading import Shelf
from hermes_sessions.agents.told_messages import Refuse

_LATEST: Final = 4_102_444_800_000
_WRAPPED: Final = "msg_8"
"""Ids count milliseconds in 48 bits: where a session has very high and very low ones, the low are later."""


class SessionRecord(NamedTuple):
    """A session.

    Attributes:
        created: in milliseconds; `updated` too.
        revert: from where on its messages are taken back.
        extra: what else is kept of it.
    """

    id: str
    parent: str | None
    directory: str | None
    title: str | None
    model: str | None
    created: float | None
    updated: float | None
    archived: bool
    revert: Mapping[str, Any]
    extra: Mapping[str, Any]


class PartRecord(NamedTuple):
    """A part of a message; `exact` is its bytes in base 64, where they are not UTF-8."""

    id: str
    value: dict[str, Any]
    exact: str | None = None

    @property
    def kind(self) -> str:
        """What sort of part it is; "" where it does not say."""
        return text_of(self.value.get("type")) or ""


class MessageRecord(NamedTuple):
    """A message with its parts, in the order of their ids."""

    id: str
    value: dict[str, Any]
    parts: Sequence[PartRecord]


class OpenCodeShelf(Shelf[SessionRecord], Protocol):
    """Where its sessions are read from."""

    def first_message(self, session: str) -> dict[str, Any] | None:
        """Return the data of a session's first message; None where there is none, or it cannot be read."""
        ...

    def message_values(self, session: str) -> Iterator[dict[str, Any]]:
        """Yield the data of a session's messages in order, those that cannot be read left out."""
        ...

    def messages(self, session: str, refuse: Refuse) -> Iterator[MessageRecord]:
        """Yield a session's messages in order; *refuse* is told of what cannot be read.

        Raises:
            SourceError: it cannot be read any more.
        """
        ...


def session_of(one: str, value: Mapping[str, Any]) -> SessionRecord:
    """Return a session of its object, as files have it: its times together, its parent as `parentID`."""
    times = value.get("time")
    times = times if isinstance(times, dict) else {}
    model, revert = value.get("model"), value.get("revert")
    kept = ("version", "slug", "agent", "projectID", "metadata")
    return SessionRecord(
        id=one,
        parent=text_of(value.get("parentID")),
        directory=text_of(value.get("directory")),
        title=text_of(value.get("title")),
        model=text_of(model.get("id")) if isinstance(model, dict) else text_of(model),
        created=milliseconds(times.get("created")),
        updated=milliseconds(times.get("updated")),
        archived=bool(times.get("archived")),
        revert=revert if isinstance(revert, dict) else {},
        extra={name: value[name] for name in kept if value.get(name) not in (None, "", {}, [])},
    )


def milliseconds(value: Any) -> float | None:
    """Return a time in milliseconds of the epoch; None where it is none."""
    fit = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < _LATEST
    return value if fit else None


def wrap_of(first: str, last: str) -> str:
    """Return the id below which messages are later than those above; "" where ids just grow.

    Args:
        first: the lowest id of a session.
        last: the highest.
    """
    low, high = first[4:5], last[4:5]
    return _WRAPPED if low and high and low in "0123" and high in "cdef" else ""


def in_order(ids: Iterable[str]) -> list[str]:
    """Return ids of messages, the oldest first."""
    found = sorted(ids)
    wrap = wrap_of(found[0], found[-1]) if found else ""
    return sorted(found, key=lambda one: (one < wrap, one))
