"""Names that a reader of an audit can use: messages that `show` prints, titles of conversations."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import structs
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.operations.documents.audit import AuditJson
from hermes_sessions.operations.documents.findings import FindingJson
from hermes_sessions.store.queries.findings import load_originals, load_titles


def with_originals(db: DbSession, findings: Sequence[FindingJson]) -> Sequence[FindingJson]:
    """Return *findings* to be read: in the place of a copy stands the message that it repeats."""
    named = {message for one in findings for message in (*one.messages, *_messages(one.evidence))}
    originals = load_originals(db, named)
    if not originals:
        return findings
    return [
        structs.replace(
            one,
            messages=list(dict.fromkeys(originals.get(message, message) for message in one.messages)),
            evidence=_renamed(one.evidence, originals),
        )
        for one in findings
    ]


def titles_of(db: DbSession, document: AuditJson) -> Mapping[str, str]:
    """Return the titles of the conversations in *document*, by their ids."""
    named = {one.conversation for one in document.findings}
    return load_titles(db, named | {str(one.conversation) for one in document.compactions})


# -- inside ----------------------------------------------------------------------------------------


def _messages(value: Any) -> Iterator[int]:
    """Yield the messages that places of evidence name."""
    if isinstance(value, Mapping):
        message = value.get("message")
        if isinstance(message, int):
            yield message
        for one in value.values():
            yield from _messages(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _messages(one)


def _renamed(value: Any, originals: Mapping[int, int]) -> Any:
    if isinstance(value, Mapping):
        found = {name: _renamed(one, originals) for name, one in value.items()}
        message = found.get("message")
        return found | {"message": originals.get(message, message)} if isinstance(message, int) else found
    if isinstance(value, list | tuple):
        return [_renamed(one, originals) for one in value]
    return value
