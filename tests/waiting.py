"""How long a test waits for what another process or thread does.

The machine may be busy with other tests. Who waits goes on as soon as it has happened; only a
failure takes that long.
"""

import time
from collections.abc import Callable
from typing import Any, Final

PATIENCE_SECONDS: Final = 90.0


def until(condition: Callable[[], Any], seconds: float = PATIENCE_SECONDS, *, step: float = 0.02) -> Any:
    """Wait for something to be true; return it."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(step)
    return found
