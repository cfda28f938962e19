"""Every error this package raises on purpose.

Each is named for the wrong thing and carries its evidence in attributes. The
first argument is one line that names the file, row or option and what to do;
the command line prints it as it is.
"""

from collections.abc import Sequence


class HermesSessionsError(Exception):
    """Base of all errors raised on purpose; its text is one line for the user."""


# -- store -----------------------------------------------------------------------------------------


class StoreError(HermesSessionsError):
    """The store cannot be opened or used."""


class NotAStoreError(StoreError):
    """The file is not a database, or a database of something else."""


class StoreMissingError(StoreError):
    """There is no store at the place that was named."""

    @classmethod
    def at(cls, place: str) -> "StoreMissingError":
        """Return the error that names *place* and what makes a store there."""
        return cls(f"{place}: there is no store yet; `hermes-sessions import` makes one")


class StoreOutdatedError(StoreError):
    """The store's schema is older than this version."""


class StoreTooNewError(StoreError):
    """A newer version wrote the store."""


class StoreDamagedError(StoreError):
    """The store's file is damaged."""


class StoreBusyError(StoreError):
    """Another process kept the store's write lock for too long."""


class StoreConflictError(StoreBusyError):
    """Another writer changed the same rows; nothing was stored, and trying again may go well."""


class StoreUnavailableError(StoreError):
    """The store's server does not answer, or its file was taken away."""


class QueryTimeoutError(StoreError):
    """A question took longer than a reader may ask."""


class NotEnoughSpaceError(HermesSessionsError):
    """The disk cannot hold what was about to be written."""


class NotFoundError(HermesSessionsError):
    """No session, conversation, compaction, message or origin has this id."""


class AmbiguousIdError(HermesSessionsError):
    """A prefix matches more than one id; `candidates` lists some of them."""

    def __init__(self, message: str, candidates: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.candidates = tuple(candidates)


class InvalidQueryError(HermesSessionsError):
    """A filter, cursor or option has a value that cannot be used."""


# -- agents' files --------------------------------------------------------------------------------


class SourceError(HermesSessionsError):
    """A foreign file cannot be read at all; nothing was imported from it."""


class SourceChangedError(SourceError):
    """A foreign file changed while it was being copied or read."""


class SourceDamagedError(SourceError):
    """Damage was met where none had shown; the file can still be read around it."""


class OriginBusyError(HermesSessionsError):
    """Another process is importing this origin."""


# -- exporters -------------------------------------------------------------------------------------


class ExportError(HermesSessionsError):
    """An export cannot be written where, or the way, it was asked for."""


# -- lineage ---------------------------------------------------------------------------------------


class CycleError(HermesSessionsError):
    """Parent links form a circle; `members` are the ids in it, in link order."""

    def __init__(self, members: Sequence[str]) -> None:
        super().__init__(f"sessions are each other's parents: {', '.join(members)}")
        self.members = tuple(members)


# -- compaction ------------------------------------------------------------------------------------


class PolicyError(HermesSessionsError):
    """A compaction policy asks for something impossible; the text names the field."""


class TranscriptError(HermesSessionsError):
    """A transcript holds something that is not a message; the text names its index."""


class CompactionBusyError(HermesSessionsError):
    """Another process is compacting this session."""


class CompactionRefusedError(HermesSessionsError):
    """A session cannot be compacted, or a compaction not undone, the way it was asked for."""


class StaleTranscriptError(HermesSessionsError):
    """A session's rows were changed while its summary was written."""


class InvariantError(HermesSessionsError):
    """The engine's own check failed; the compaction was not applied."""


class SummaryFailedError(HermesSessionsError):
    """A summariser gave no usable summary.

    `kind` is one of auth, connection, timeout, empty, malformed, refused, other.
    """

    def __init__(self, message: str, kind: str = "other") -> None:
        super().__init__(message)
        self.kind = kind
