"""The viewer's HTTP server: waitress, made to outlast clients that never finish.

waitress reads and writes all connections from one thread and hands whole requests to its
workers, so a slow client takes no worker. This adds, through the classes and methods that
it leaves open for that: deadlines that count from the beginning of a request and not from
its last byte, a cap for each address, and answers of its own with our headers. A connection
beyond a cap is not the one refused: the one that has waited longest for its client is closed
in its place, so that whoever asks at once is always answered.
"""

import logging
import socket
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, ThreadedTaskDispatcher

from hermes_sessions.web.serving.login_throttle import network_of
from hermes_sessions.web.serving.security import HEADERS

MAX_HEAD_BYTES: Final = 32_768
MAX_BODY_BYTES: Final = 128_000
"""Beyond it nothing is read; the application refuses less, with a page."""

ACCEPTED_AT_ONCE: Final = 16
LOOK_SECONDS: Final = 1
"""How often deadlines are looked at."""

NOTICE_SECONDS: Final = 60.0
"""How often the log says that connections were closed to make room."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much clients may hold, and for how long.

    Attributes:
        connections: open at a time.
        per_address: of these, from one address (IPv6: one /64); None where all come through a proxy.
        head_seconds: from a request's first byte to the end of its head, however steadily bytes come;
            a new connection has as long for its first byte.
        request_seconds: from a request's first byte to its last.
        idle_seconds: between an answer and the next request.
        stalled_seconds: while an answer waits to be sent and the client takes nothing of it.
    """

    connections: int = 1_000
    per_address: int | None = 250
    head_seconds: float = 20.0
    request_seconds: float = 60.0
    idle_seconds: float = 60.0
    stalled_seconds: float = 60.0


class Request(HTTPRequestParser):
    """A request as it arrives; one whose length could be read in two ways is refused."""

    def __init__(self, adj: Adjustments) -> None:
        super().__init__(adj)
        self.began = time.monotonic()

    def parse_header(self, header_plus: bytes) -> None:
        """Read the head.

        Raises:
            ParsingError: it has a Transfer-Encoding beside a Content-Length, more than one, or in HTTP/1.0.
        """
        first, *lines = header_plus.split(b"\r\n")
        fields = [(name.lower(), value) for name, _, value in (line.partition(b":") for line in lines)]
        codings = [value for name, value in fields if name == b"transfer-encoding"]
        lengths = [value for name, value in fields if name == b"content-length"]
        once = len(codings) == 1 and b"," not in codings[0]
        if codings and (not once or lengths or not first.endswith(b"HTTP/1.1")):
            raise ParsingError("Transfer-Encoding is for HTTP/1.1, once, and without a Content-Length")
        super().parse_header(header_plus)


class Refusal(ErrorTask):
    """The server's own answer to what is not a request; it carries what every answer does."""

    def execute(self) -> None:
        """Answer."""
        self.response_headers.extend((*HEADERS.items(), ("Cache-Control", "no-store")))
        super().execute()


class Connection(HTTPChannel):
    """One client's connection, which knows how long it has waited for that client."""

    parser_class = Request
    error_task_class = Refusal

    def __init__(
        self, server: "ViewerServer", sock: socket.socket, addr: Any, adj: Adjustments, map: Any = None
    ) -> None:
        self.network = network_of(addr[0])
        self.waiting_since = time.monotonic()
        self._answered = False
        self._progress = (0.0, self.waiting_since)
        super().__init__(server, sock, addr, adj, map=map)

    @property
    def awaits_client(self) -> bool:
        """Whether nothing is being made for the client: it has yet to ask, or to take its answer."""
        return not self.requests

    def service(self) -> None:
        """Answer a request, in a worker; time does not count against the client meanwhile."""
        self.waiting_since = float("inf")
        try:
            super().service()
        finally:
            self._answered = True
            self.waiting_since = time.monotonic()

    def is_overdue(self, now: float, limits: Limits) -> bool:
        """Return whether the client has had all its time; *now* is `time.monotonic()`."""
        if self._progress[0] != self.last_activity:
            self._progress = (self.last_activity, now)
        if self.total_outbufs_len:
            return now - self._progress[1] > limits.stalled_seconds
        if self.requests:
            return False
        waited = now - self.waiting_since
        if self.request is None:
            return waited > (limits.idle_seconds if self._answered else limits.head_seconds)
        took = now - self.request.began
        return (
            took > (limits.request_seconds if self.request.headers_finished else limits.head_seconds)
            # Empty lines before a request begin it anew, as often as they are sent.
            or waited > limits.idle_seconds + limits.request_seconds
        )

    def readable(self) -> bool:
        """Return whether to read; a connection that was closed a moment ago is not even looked at."""
        return bool(self.connected and super().readable())

    def writable(self) -> bool:
        """Return whether to write."""
        return bool(self.connected and super().writable())

    def handle_expt(self) -> None:
        """Close on urgent data, which nobody sends to a web server for good, and which never goes away."""
        self.handle_close()


class ViewerServer(TcpWSGIServer):
    """Serves one application on one listening socket.

    Args:
        application: the WSGI application.
        listening: a socket that listens; it is closed with the server.
        limits: what clients may hold.
        threads: requests answered at a time.
        behind_proxy: keep the headers with which a proxy says who asked.
    """

    channel_class = Connection

    def __init__(
        self,
        application: Any,
        listening: socket.socket,
        *,
        limits: Limits,
        threads: int,
        behind_proxy: bool = False,
    ) -> None:
        # Requests that wait a moment for a worker are not news.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        self._limits = limits
        self._noticed_at = float("-inf")
        settings = Adjustments(
            sockets=[listening],
            ident="hermes-sessions",
            threads=threads,
            # Never reached: room is made here, where waitress would stop listening.
            connection_limit=limits.connections + 2 * ACCEPTED_AT_ONCE,
            asyncore_use_poll=True,  # select() knows 1,024 files
            cleanup_interval=LOOK_SECONDS,
            max_request_header_size=MAX_HEAD_BYTES,
            max_request_body_size=MAX_BODY_BYTES,
            channel_request_lookahead=1,  # so that it is noticed when the reader of a stream goes
            clear_untrusted_proxy_headers=not behind_proxy,
        )
        workers = ThreadedTaskDispatcher()
        workers.set_thread_count(threads)
        place = (listening.family, listening.type, listening.proto, listening.getsockname())
        super().__init__(
            application, {}, True, listening, workers, adj=settings, sockinfo=place, bind_socket=False
        )

    def handle_accept(self) -> None:
        """Take what connects, then make room for it; closed files' numbers are not used again before."""
        for _ in range(ACCEPTED_AT_ONCE):
            before = len(self.active_channels)
            super().handle_accept()
            if len(self.active_channels) == before:
                break
        self._make_room()

    def maintenance(self, now: float) -> None:
        """Close connections whose clients have had all their time."""
        moment = time.monotonic()  # *now* may be set back
        for connection in self._connections():
            if connection.is_overdue(moment, self._limits):
                connection.handle_close()

    def _connections(self) -> list[Connection]:
        return list(self.active_channels.values())

    def _make_room(self) -> None:
        by_network: defaultdict[str, list[Connection]] = defaultdict(list)
        for connection in self._connections():
            by_network[connection.network].append(connection)
        if self._limits.per_address is not None:
            for those in by_network.values():
                self._close_oldest(those, len(those) - self._limits.per_address)
        # Beyond the total, those give way of which an address has most.
        everybody = sorted(by_network.values(), key=len, reverse=True)
        for those in everybody:
            self._close_oldest(
                [one for one in those if one.connected], len(self.active_channels) - self._limits.connections
            )

    def _close_oldest(self, connections: Iterable[Connection], surplus: int) -> None:
        if surplus <= 0:
            return
        waiting = sorted((one for one in connections if one.awaits_client), key=lambda one: one.waiting_since)
        for connection in waiting[:surplus]:
            connection.handle_close()
        moment = time.monotonic()
        if waiting and moment - self._noticed_at > NOTICE_SECONDS:
            self._noticed_at = moment
            logger.warning(
                "too many connections from %s; those that waited longest are closed", waiting[0].network
            )
