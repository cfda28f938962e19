"""Where conversations came from: origins, how their syncs go, what an import did."""

from typing import Annotated, Any

from hermes_sessions.operations.documents.document import Document, Time, says


class OriginJson(Document, frozen=True, kw_only=True):
    """A database that conversations came from, as the viewer follows it."""

    id: Annotated[int | None, says("Null where it could not be read yet: nothing of it is stored.")]
    label: str
    kind: str | None
    location: str | None
    schema_version: str | None
    conversations: int
    paused: bool
    last_synced_at: Time
    last_error: str | None
    phase: Annotated[
        str | None,
        says(
            "What the sync of this viewer is doing with it; null where it does not follow it.",
            one_of=("waiting", "importing", "following", "failed"),
            or_null=True,
        ),
    ]


class ReplicaJson(Document, frozen=True, kw_only=True):
    """A copy of the store that pages are read from."""

    replica: Annotated[str, says("Its address, without a password.")]
    in_use: bool
    problem: Annotated[str | None, says("Why it is not read.")]
    lag_seconds: Annotated[float | None, says("Since when it lacks something; 0: nothing.")]
    lag_bytes: Annotated[int | None, says("How much of the primary's log it lacks.")]


class OriginListJson(Document, frozen=True, kw_only=True):
    """Every origin; databases that could not be read yet come last."""

    origins: list[OriginJson]
    replicas: list[ReplicaJson]
    primary_up: Annotated[
        bool | None, says("Whether the primary answers; null where there is nothing but it.")
    ]


class OriginSyncJson(Document, frozen=True, kw_only=True):
    """How far an origin's sync is."""

    origin: Annotated[str, says("Its label.")]
    phase: Annotated[str, says("", one_of=("waiting", "importing", "following", "failed"))]
    done: Annotated[int, says("Rows.")]
    total: Annotated[int | None, says("Rows; null while it is not known.")]
    first: Annotated[bool, says("It was never imported before.")]
    last_sync_at: Time
    last_error: str | None


class SyncJson(Document, frozen=True, kw_only=True):
    """How far each origin's sync is, and each replica's replay."""

    origins: list[OriginSyncJson]
    replicas: list[ReplicaJson]


class OriginSummaryJson(Document, frozen=True, kw_only=True):
    """An origin as it is stored."""

    id: int
    label: str
    kind: str
    location: str | None
    schema_version: str | None
    paused: bool
    last_synced_at: Time
    last_error: str | None
    sessions: int
    conversations: int


class OriginSummaryListJson(Document, frozen=True, kw_only=True):
    """Every origin in the store."""

    origins: list[OriginSummaryJson]


class OriginRenamedJson(Document, frozen=True, kw_only=True):
    """An origin has another label."""

    origin: str
    was: str


class OriginMovedJson(Document, frozen=True, kw_only=True):
    """An origin's database is at another place."""

    origin: str
    location: str


class OriginPausedJson(Document, frozen=True, kw_only=True):
    """Syncs skip an origin, or include it again."""

    origin: str
    paused: bool


class OriginRemovedJson(Document, frozen=True, kw_only=True):
    """An origin and everything imported from it are gone from the store."""

    origin: str
    sessions: Annotated[int, says("How many sessions were removed.")]


class RejectedJson(Document, frozen=True, kw_only=True):
    """A row that is not stored."""

    table: str
    id: Annotated[Any, says("As the file has it.")]
    reason: str


class ImportWarningJson(Document, frozen=True, kw_only=True):
    """A value that is kept as it is, or something else to know."""

    table: str
    id: Annotated[Any, says("As the file has it.")]
    column: str | None
    reason: str


class ImportJson(Document, frozen=True, kw_only=True):
    """What an import did; counts are of the file's rows that are in the store now."""

    origin: Annotated[str, says("Its label.")]
    location: str
    schema_version: str
    sessions: int
    messages: Annotated[int, says("Copies included.")]
    conversations: int
    compactions: Annotated[dict[str, int], says("By realisation, or interrupted; every kind that occurs.")]
    prunes: Annotated[int, says("How often results of tools were cleared, and nothing summarised.")]
    copies: Annotated[int, says("Messages that repeat an earlier one.")]
    rejected: list[RejectedJson]
    warnings: Annotated[list[ImportWarningJson], says("At most 1,000 of each sort.")]
    damage: Annotated[list[str], says("What of the file cannot be read.")]
    unchanged: Annotated[bool, says("The store was up to date already.")]
    copy: Annotated[bool, says("The file is a copy of a database that is still where it was.")]
    reread: Annotated[bool, says("All of it was read: an older release had read it in another way.")]
    forgotten: Annotated[int, says("Sessions that were forgotten here, and not taken.")]
    unscrubbed: Annotated[
        str | None, says("Why text that was masked or erased is still in the store's file.")
    ]
    seconds: float


class ImportListJson(Document, frozen=True, kw_only=True):
    """Several imports."""

    imports: list[ImportJson]
