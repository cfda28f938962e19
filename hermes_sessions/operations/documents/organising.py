"""What the user decides: pins, tags, notes, saved searches, undo, the trash, forgetting, masking."""

from typing import Annotated

from hermes_sessions.operations.documents.document import Document, Time, says

Clean = Annotated[bool, says("Nothing of it is readable in the store's file any more.")]
Reason = Annotated[str | None, says("Why not; the next run finishes.")]
Backups = Annotated[list[str], says("Files next to the store that still hold it.")]


class OrganisedJson(Document, frozen=True, kw_only=True):
    """What a change did."""

    action: str
    change: Annotated[int | None, says("Its number, for undo; null where nothing was different.")]
    conversations: Annotated[int, says("How many it changed; the trash takes whole families.")]
    unchanged: Annotated[int, says("How many were so already.")]
    held: Annotated[int, says("How many stay archived because their agent archived them.")]


class UndoneJson(Document, frozen=True, kw_only=True):
    """What undoing a change did."""

    change: int
    action: str
    restored: Annotated[int, says("Values that are again what they were.")]
    skipped: Annotated[int, says("Values that were changed again since; they stay.")]


class ChangeJson(Document, frozen=True, kw_only=True):
    """An entry of the journal."""

    id: int
    action: str
    created_at: float
    undone_at: Time
    conversations: Annotated[int, says("How many it changed; 0 for a saved search.")]


class ChangeListJson(Document, frozen=True, kw_only=True):
    """The newest changes."""

    changes: list[ChangeJson]


class SavedSearchJson(Document, frozen=True, kw_only=True):
    """A saved search."""

    name: str
    target: Annotated[str, says("Path and query string of a list or search page.")]


class SavedListJson(Document, frozen=True, kw_only=True):
    """The saved searches."""

    saved: list[SavedSearchJson]


class SavedChangeJson(Document, frozen=True, kw_only=True):
    """A search was saved or removed."""

    change: Annotated[int | None, says("Its number, for undo; null where nothing was different.")]


class SavedNameJson(Document, frozen=True, kw_only=True):
    """A search was saved or removed under a name."""

    name: str
    change: Annotated[int | None, says("Its number, for undo; null where nothing was different.")]


class NoteJson(Document, frozen=True, kw_only=True):
    """The note on a conversation."""

    id: str
    note: str | None


class FamilyJson(Document, frozen=True, kw_only=True):
    """A root with its continuations, branches and delegates."""

    id: Annotated[str, says("That of its topmost conversation.")]
    title: str | None
    source: str | None
    last_active_at: float
    conversations: int
    sessions: int
    messages: int
    bytes: Annotated[int, says("Text of its messages in UTF-8.")]


class PrunedJson(Document, frozen=True, kw_only=True):
    """What was moved to the trash."""

    families: int
    conversations: int
    changes: Annotated[list[int], says("Their numbers, for undo.")]


class PruneJson(Document, frozen=True, kw_only=True):
    """What meets the conditions, longest inactive first, and what became of it."""

    families: list[FamilyJson]
    pruned: Annotated[PrunedJson | None, says("Null without --yes.")]


class TrashJson(Document, frozen=True, kw_only=True):
    """The families in the trash."""

    families: list[FamilyJson]


class ForgottenJson(Document, frozen=True, kw_only=True):
    """What was erased for good."""

    conversations: int
    sessions: int
    messages: int
    relatives: Annotated[int, says("Branches and delegates that stay and may repeat it.")]
    clean: Clean
    reason: Reason
    backups: Backups


class RememberedJson(Document, frozen=True, kw_only=True):
    """Which sessions may come back."""

    remembered: Annotated[int, says("How many sessions the next sync may import again.")]
    forgotten: Annotated[int, says("How many are still forgotten.")]


class SecretPlaceJson(Document, frozen=True, kw_only=True):
    """A place that would be masked."""

    kind: str
    table: str
    row: int | str
    before: Annotated[str, says("The text before it; other secrets in it are masked.")]
    begins: Annotated[str, says("Its first characters, a quarter of it at most.")]
    chars: Annotated[int, says("How long it is.")]
    after: Annotated[str, says("The text after it; other secrets in it are masked.")]


class RedactedJson(Document, frozen=True, kw_only=True):
    """What was masked, or would be."""

    places: Annotated[dict[str, int], says("How many, by table.")]
    rows: Annotated[dict[str, int], says("How many rows had any, by table.")]
    dry_run: bool
    clean: Clean
    kinds: Annotated[dict[str, int], says("How many places, by kind of secret.")]
    examples: Annotated[list[SecretPlaceJson], says("A few places; in a dry run only.")]
    reason: Reason
    kept: Annotated[
        dict[str, int],
        says("Rows where it stays by intent (ids, labels, names), by table and column."),
    ]
    undoable: Annotated[bool, says("What was replaced is kept until the next import or scrub.")]
    unfinished: Annotated[bool, says("An earlier run is not done; `redact --resume` finishes it.")]
    backups: Backups
