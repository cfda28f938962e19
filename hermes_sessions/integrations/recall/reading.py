"""One question to the store: what may be read, and what leaves it only masked."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from sqlalchemy.orm import Session as DbSession

from hermes_sessions.errors import AmbiguousIdError, NotFoundError
from hermes_sessions.exporters.masking import ExportMasker
from hermes_sessions.facts import shorten_line
from hermes_sessions.integrations.recall.reach import Reach
from hermes_sessions.messages import content_text
from hermes_sessions.store.queries.conversations import ConversationRow, get_conversation
from hermes_sessions.store.queries.find_session import find_session
from hermes_sessions.store.queries.transcript_rows import TranscriptRow

TITLE_CHARS: Final = 120
_EDGE_CHARS: Final = 4_000
"""So much of the end of a cut text is left out: half a secret is not recognised as one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """An open transaction, what may be read in it, and the user's time."""

    db: DbSession
    reach: Reach
    now: datetime
    masker: ExportMasker = field(default_factory=ExportMasker)

    def conversation(self, public_id: str) -> ConversationRow:
        """Return the conversation that an id, or a unique beginning of one, names.

        What is out of reach is not found, in the same words as what is not there.

        Raises:
            NotFoundError: nothing within reach has this id.
            AmbiguousIdError: it begins several ids, where nothing is out of reach.
        """
        if not self.reach.narrowed:
            return get_conversation(self.db, public_id)
        try:
            row = get_conversation(self.db, public_id)
        except (NotFoundError, AmbiguousIdError):
            row = None
        if row is None or not self.allows(row):
            raise NotFoundError(f"nothing that may be read here has the id {public_id[:100]!r}")
        return row

    def allows(self, row: ConversationRow) -> bool:
        """Return whether a conversation is within reach."""
        own = self.reach.origin is None or row.origin == self.reach.origin
        return own and (not self.reach.only or row.id in self._only_keys())

    def only(self) -> list[ConversationRow]:
        """Return the conversations that `reach.only` names, newest activity first."""
        rows = [get_conversation(self.db, one) for one in self._only_keys().values()]
        return sorted(filter(self.allows, rows), key=lambda row: (-row.last_active_at, row.id))

    def _only_keys(self) -> dict[int, str]:
        """Return the ids of `reach.only` that are stored, by the key of their conversation."""
        # Whole ids alone: the beginning of one may fit another conversation tomorrow.
        found = ((one, find_session(self.db, one, whole=True)) for one in self.reach.only)
        return {keys[1]: one for one, keys in found if keys is not None}

    def line(self, text: str | None, chars: int = TITLE_CHARS) -> str | None:
        """Return a text as one masked line; None where there is nothing."""
        return shorten_line(self.masker.text(text), chars) or None if text else None

    def masked(self, row: TranscriptRow) -> TranscriptRow:
        """Return a row of which everything that can be shown is masked."""
        text = row.text or content_text(row.content)
        if row.text_length is not None and row.text is not None and row.text_length > len(row.text):
            text = text[:-_EDGE_CHARS]
        mask = self.masker.json if row.role == "tool" else self.masker.text
        return replace(
            row,
            text=mask(text),
            blocks=None,
            tool_calls=None if row.tool_calls is None else self.masker.json(row.tool_calls),
            tool_name=self.masker.maybe(row.tool_name),
            tool_call_id=self.masker.maybe(row.tool_call_id),
        )
