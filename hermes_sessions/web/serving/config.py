"""What the viewer needs to know about where it runs, as one frozen value."""

import hashlib
import hmac
import ipaddress
import secrets
from dataclasses import dataclass, field

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class TourStop:
    """A place that the first page leads to: what is there, in words, and its path."""

    words: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewerConfig:
    """Settings of one viewer process.

    Attributes:
        host: the address it listens on; its name is accepted in Host headers.
        allowed_hosts: further names it is reached by (a reverse proxy's public name).
        token: required to read anything when set; compared in constant time.
        behind_proxy: trust one proxy's X-Forwarded-Prefix, -Host and -Proto.
        max_image_bytes: larger images are not shown.
        max_streams: browsers that are told of changes at once; each keeps one of the server's threads.
        read_only: nothing can be changed through it, also where the store could be written.
        tour: places that the first page leads to.
        form_secret: what forms prove themselves with where there is no token; made up at start.
    """

    host: str = "127.0.0.1"
    allowed_hosts: tuple[str, ...] = ()
    token: str | None = None
    behind_proxy: bool = False
    max_image_bytes: int = 8_000_000
    max_streams: int = 16
    read_only: bool = False
    tour: tuple[TourStop, ...] = ()
    form_secret: str = field(default_factory=lambda: secrets.token_hex(32), repr=False)

    @property
    def names(self) -> frozenset[str]:
        """Return every host name that requests may ask for."""
        return LOOPBACK_NAMES | {self.host.lower()} | {name.lower() for name in self.allowed_hosts}

    @property
    def cookie_name(self) -> str:
        """Return what the cookie of this token is called: browsers send cookies to every port of a host."""
        return f"hermes_sessions_viewer_{self.derive('cookie name')[:8]}"

    def answers_to(self, name: str) -> bool:
        """Return whether requests may ask for this host name.

        Behind a token any address in digits will do: only names can be rebound.
        """
        return name in self.names or (self.token is not None and _is_address(name))

    def derive(self, purpose: str) -> str:
        """Return a secret for one purpose (the cookie, a form), made from the token or the form's secret."""
        key = (self.token or self.form_secret).encode()
        return hmac.new(key, f"hermes-sessions {purpose}".encode(), hashlib.sha256).hexdigest()


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach *host*."""
    return host.lower() in LOOPBACK_NAMES or host.startswith("127.")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
