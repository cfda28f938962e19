"""The facts of messages, found once: again they are read from notes of where they stand."""

from collections.abc import Mapping
from typing import Final

from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.facts.placed import FoundFacts, digest_said, find_facts, read_note, write_note

_MOST_RECENT: Final = 4_096
_recent: Final[dict[int, FoundFacts]] = {}
"""What was found last where nothing was noted, by digest: pages keep no notes and ask for the same."""


class FactNotes:
    """Notes that were kept, and those that were made since.

    A note is found by a digest of the message and of the rules, never by its key: what was
    changed, or found by other rules, has none. Copies of a message share one.

    Attributes:
        fresh: message -> digest and note, of what had to be found anew.
    """

    def __init__(self, version: str = "", kept: Mapping[int, str] | None = None) -> None:
        """Take the version of the rules that find facts, and notes by their digests."""
        self.fresh: dict[int, tuple[int, str]] = {}
        self._version = version
        self._kept: Mapping[int, str] = {} if kept is None else kept
        self._found: dict[int, FoundFacts] = {}

    def read(self, message: AuditMessage) -> FoundFacts:
        """Return the facts of *message* and the rules it sets, whoever it is from."""
        if not (message.calls or message.text.strip()):
            return FoundFacts()
        calls = [(call.name, call.arguments) for call in message.calls]
        digest = digest_said(self._version, message.role, message.text, calls)
        found = self._found.get(digest)
        if found is None:
            found = self._found[digest] = self._read(digest, message)
        return found

    def _read(self, digest: int, message: AuditMessage) -> FoundFacts:
        sent = as_sent(message)
        note = self._kept.get(digest)
        known = None if note is None else read_note(note, sent)
        if known is not None:
            return known
        found = _recent.get(digest)
        if found is None:
            found = find_facts(sent)
            _remember(digest, found)
        self.fresh[message.id] = (digest, write_note(found))
        return found


def _remember(digest: int, found: FoundFacts) -> None:
    if len(_recent) >= _MOST_RECENT:
        _recent.clear()
    _recent[digest] = found


def as_sent(message: AuditMessage) -> Mapping[str, object]:
    """Return a message as the rules for facts read it."""
    calls = [{"function": {"name": call.name, "arguments": call.arguments}} for call in message.calls]
    return {"role": message.role, "content": message.text, "tool_calls": calls}
