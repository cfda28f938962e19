"""How often, and for how long, a transaction is tried again. Reads a clock, touches no store."""

import random
import time
from typing import Final

CONFLICTS: Final = 12
"""How often a transaction gives way to others."""
SERVER_SECONDS: Final = 15.0
"""How long a server that went away is waited for, its restart included."""
_FIRST_SECONDS: Final = 0.005
_LONGEST_SECONDS: Final = 0.5


class Tries:
    """Counts the tries of one transaction, and pauses between them."""

    def __init__(self) -> None:
        self._conflicts = 0
        self._pauses = 0
        self._deadline: float | None = None

    def may_go_on(self) -> bool:
        """Return whether to try again after a conflict, having waited for a moment."""
        self._conflicts += 1
        return self._conflicts < CONFLICTS and self._pause()

    def may_wait_for_server(self) -> bool:
        """Return whether to try again after the server went away, having waited for a moment."""
        now = time.monotonic()
        if self._deadline is None:
            self._deadline = now + SERVER_SECONDS
        return now < self._deadline and self._pause()

    @property
    def seconds_left(self) -> float:
        """How long the server is still waited for."""
        return SERVER_SECONDS if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def _pause(self) -> bool:
        longest = min(_FIRST_SECONDS * 2**self._pauses, _LONGEST_SECONDS)
        self._pauses += 1
        # By chance: two that met once do not meet again.
        time.sleep(random.uniform(longest / 2, longest))
        return True
