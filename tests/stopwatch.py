"""How much of the processor a piece of work takes, whatever else the machine does."""

import gc
import time
from collections.abc import Callable

TRIES = 3


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the seconds of this thread that *work* takes, the fastest of a few tries, nothing collected."""
    gc.collect()
    gc.disable()
    try:
        return min(_once(work) for _ in range(TRIES))
    finally:
        gc.enable()


def assert_growth(
    small: Callable[[], object], large: Callable[[], object], factor: float, *, little: float = 0.0
) -> None:
    """Assert that *large* takes less than *factor* times as long as *small*, and *little* seconds.

    What shares a core slows either down by half; work that grows too fast does so every time.
    """
    for _ in range(TRIES):
        gc.collect()
        gc.disable()
        try:
            took, at_most = _once(large), little + factor * _once(small)
        finally:
            gc.enable()
        if took < at_most:
            return
    assert took < at_most


def _once(work: Callable[[], object]) -> float:
    started = time.thread_time()
    work()
    return time.thread_time() - started
