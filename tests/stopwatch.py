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


def _once(work: Callable[[], object]) -> float:
    started = time.thread_time()
    work()
    return time.thread_time() - started
