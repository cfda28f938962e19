"""Bounds that every reader of whole transcript files keeps. Names no agent."""

from typing import Final

from hermes_sessions.agents.values import Rejected

KEPT_BYTES: Final = 24_000_000
"""A family whose files are larger is not held in memory but read twice."""
FIRST_SESSIONS: Final = 20
"""How many sessions a source says the beginnings of, to be known again elsewhere."""
ROOM: Final = 1 << 40
"""Numbers of one session's messages begin at a multiple of it."""


def unheard(told: Rejected) -> None:
    """Pass over what was reported before."""
