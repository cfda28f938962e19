"""What a server may read, as its user narrowed it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What a server may read: everything, unless it is narrowed.

    Attributes:
        only: ids of sessions; nothing but their conversations is read.
        origin: label of an origin; nothing but its conversations is read.
    """

    only: tuple[str, ...] = ()
    origin: str | None = None

    @property
    def narrowed(self) -> bool:
        """Whether anything is out of reach."""
        return bool(self.only) or self.origin is not None
