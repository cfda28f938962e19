"""The store as a file: its schema, its consistency, copies of it."""

from typing import Annotated, Any

from hermes_sessions.operations.documents.document import Document, says


class SchemaStateJson(Document, frozen=True, kw_only=True):
    """The revision of the store's schema."""

    path: Annotated[str, says("The file, or the URL without a password.")]
    revision: Annotated[str | None, says("Null where there is no schema.")]
    head: Annotated[str, says("The newest revision.")]
    pending: Annotated[list[str], says("What an upgrade would apply.")]


class UpgradedJson(Document, frozen=True, kw_only=True):
    """What an upgrade did."""

    path: str
    before: Annotated[str | None, says("The revision before; null where there was no schema.")]
    revision: str
    applied: list[str]
    backup: Annotated[str | None, says("Null where none was made.")]


class DisagreementJson(Document, frozen=True, kw_only=True):
    """A stored value that its base rows contradict."""

    table: Annotated[str, says("`(file)` for the file as a whole.")]
    id: int | None
    column: str
    stored: Any
    derived: Annotated[Any, says("What it should be; null for a row that should not be there.")]


class CheckedJson(Document, frozen=True, kw_only=True):
    """What disagrees in the store."""

    disagreements: list[DisagreementJson]
    left: Annotated[list[DisagreementJson], says("Those that are not repaired.")]
    backup: Annotated[str | None, says("Made before a repair.")]


class BackedUpJson(Document, frozen=True, kw_only=True):
    """A copy of the store was made."""

    path: str
    backup: str


class MovedJson(Document, frozen=True, kw_only=True):
    """The store was copied to another place."""

    source: str
    target: str
    rows: Annotated[dict[str, int], says("By table.")]
    resumed: Annotated[bool, says("It continued an earlier move.")]


class StoreJson(Document, frozen=True, kw_only=True):
    """A store that is a schema of a server's database."""

    store: Annotated[str, says("The schema.")]
    role: Annotated[str, says("Who owns it.")]
    revision: Annotated[str | None, says("Null where this user may not read it, or a move is filling it.")]
    readable: Annotated[bool, says("This user may read it.")]
    size_bytes: Annotated[int, says("What this server has of it.")]


class StoreListJson(Document, frozen=True, kw_only=True):
    """The stores of a database."""

    path: Annotated[str, says("The URL without a password.")]
    head: Annotated[str, says("The newest revision.")]
    stores: list[StoreJson]


class StoreMadeJson(Document, frozen=True, kw_only=True):
    """A store was made."""

    path: Annotated[str, says("Its URL, with its role and without a password.")]
    store: str
    role: str
    reader: Annotated[str | None, says("The role that may read it as well.")]
    password: Annotated[str | None, says("Made up with `--password`; it is shown nowhere else.")]


class StoreDroppedJson(Document, frozen=True, kw_only=True):
    """A store was dropped."""

    path: str
    store: str
    role_left: Annotated[str | None, says("Why its role stays; null where it was dropped as well.")]
