"""Who holds a lease: this host, this process, this piece of work; and whether that is over."""

import os
import secrets
import socket
from pathlib import Path


def make_holder() -> str:
    """Return a name for a piece of work of this process; every call gives another one."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(6)}"


def is_over(holder: str) -> bool:
    """Return whether *holder* certainly works no more: a process of this host that is gone.

    Of another host nothing is known; its leases run out.
    """
    host, _, rest = holder.rpartition(":")[0].rpartition(":")
    if host != socket.gethostname() or not rest.isdigit():
        return False
    try:
        os.kill(int(rest), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return _is_zombie(int(rest))


def _is_zombie(pid: int) -> bool:
    """A killed process whose parent never asked for it keeps its number (told on Linux only)."""
    try:
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return False
    return state[:1] == [b"Z"]
