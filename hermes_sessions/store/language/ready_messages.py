"""Messages as a driver takes them, and what the index gets of them, but for the keys of the store. Pure.

Whoever reads a message makes it ready, in another process too; who stores it adds the keys.
"""

from collections.abc import Mapping
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeAlias

from hermes_sessions.json_text import dump_json
from hermes_sessions.store.language.indexed_text import halved, indexable_words, is_searchable, joined

READY: Final = (
    "role", "kind", "handoff_grammar", "state", "shown", "created_at", "origin_key", "origin_row_id",
    "digest", "token_count", "tool_call_id", "tool_name", "finish_reason", "reply_start", "reply_end",
    "text", "blocks", "tool_calls", "reasoning", "extra",
)  # fmt: skip
"""The columns that are known before a message is stored."""
GIVEN: Final = (
    "id", "session_id", "conversation_id", "position", "copy_of", "archived_by", "search_key",
)  # fmt: skip
"""Those that are not."""
_IN_ORDER: Final = itemgetter(*READY)
_CREATED_AT: Final = READY.index("created_at")
_TEXT: Final = READY.index("text")

ReadyColumns: TypeAlias = tuple[Any, ...]
"""In the order of `READY`; `extra` is JSON."""
Words: TypeAlias = str | tuple[str, str] | None
"""What the index gets besides the session: all, or what is before and after the text; None: nothing."""


class PlacedMessage(NamedTuple):
    """A message that is ready, and its keys: what `GIVEN` names, but the last."""

    columns: ReadyColumns
    words: Words
    given: tuple[int, int, int, int, int | None, int | None]

    @property
    def created_at(self) -> float | None:
        """When it was said."""
        at: float | None = self.columns[_CREATED_AT]
        return at

    def indexable(self) -> str:
        """Return what the index gets of it; only where it gets anything."""
        return joined(self.given[1], self.words or "", self.columns[_TEXT])


def ready_message(values: Mapping[str, Any]) -> tuple[ReadyColumns, Words]:
    """Make a message ready.

    Args:
        values: its columns by name; `copy_of` of whatever kind, as long as it is None for what is no copy.
    """
    words = halved(indexable_words(values), values["text"]) if is_searchable(values) else None
    columns = _IN_ORDER(values)
    extra = columns[-1]
    return columns if extra is None else (*columns[:-1], dump_json(extra)), words
