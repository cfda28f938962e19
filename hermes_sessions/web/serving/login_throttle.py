"""Wrong tokens are counted by where they came from; after too many, none is taken from there for a while.

A token that was made up here cannot be guessed anyway. One that somebody chose might be.
"""

import ipaddress
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final

MOST: Final = 10
SECONDS: Final = 60.0
KEPT: Final = 4_096
"""Networks remembered; the one that was quiet longest is forgotten first."""


class Guesses:
    """Wrong guesses of the last minute, by network; safe to use from any thread.

    Args:
        clock: returns seconds that never go back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def seconds_to_wait(self, address: str | None) -> float:
        """Return how long nothing is taken from *address*; 0 when it may try."""
        with self._lock:
            times = self._times.get(network_of(address))
            if times is None or len(times) < MOST:
                return 0.0
            return max(0.0, times[0] + SECONDS - self._clock())

    def note(self, address: str | None) -> None:
        """Count a wrong guess."""
        network = network_of(address)
        with self._lock:
            self._times.setdefault(network, deque(maxlen=MOST)).append(self._clock())
            self._times.move_to_end(network)
            if len(self._times) > KEPT:
                self._times.popitem(last=False)


def network_of(address: str | None) -> str:
    """Return whose address it is: with IPv6 one customer has 2**64 of them."""
    try:
        found = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return address or ""
    if found.version == 4:
        return str(found)
    return str(ipaddress.ip_network((found, 64), strict=False))
