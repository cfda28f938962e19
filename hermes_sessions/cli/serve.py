"""The viewer's server: `serve`. Finds a port, prints the address, ends cleanly on Ctrl-C."""

import errno
import logging
import secrets
import signal
import socket
import threading
import time
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from hermes_sessions.cli._logs import start_logging
from hermes_sessions.cli._options import open_store, store_option
from hermes_sessions.cli._output import complain, say
from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.settings import Settings

if TYPE_CHECKING:
    from flask import Flask

    from hermes_sessions.store.db import Database
    from hermes_sessions.store.readers import Readers
    from hermes_sessions.web.progress import SyncStatus

DEFAULT_PORT = 8765
PORTS_TO_TRY = 50
THREADS = 32


@click.command("serve")
@click.argument("paths", nargs=-1, type=click.Path(readable=False, path_type=Path))
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), help=f"Port.  [default: {DEFAULT_PORT} or the next free]"
)
@click.option("--no-sync", is_flag=True, help="Only show what the store holds.")
@click.option(
    "--poll",
    "polling",
    is_flag=True,
    help="Look for changes every 2 seconds, do not wait to be told of them.",
)
@click.option("--open", "open_browser", is_flag=True, help="Open the address in a browser.")
@click.option("--token", help="Require this token, also on loopback.  [default: $HERMES_SESSIONS_TOKEN]")
@click.option("--allow-host", multiple=True, metavar="NAME", help="Another host name it is reached by.")
@click.option("--read-only", is_flag=True, help="Show only: no pins, tags, notes or trash in the browser.")
@click.option("--behind-proxy", is_flag=True, help="Trust one reverse proxy's X-Forwarded-* headers.")
@click.option("--log", type=click.Choice(["text", "json"]), help="Log every request to standard error.")
@click.option(
    "--db-read",
    "replicas",
    multiple=True,
    metavar="URL",
    help="Read pages from this replica of the store (PostgreSQL); may be given again.",
)
@click.option(
    "--max-lag",
    type=click.FloatRange(min=0.1),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Do not read a replica that is further behind.",
)
@store_option
def serve_command(
    url: str,
    paths: tuple[Path, ...],
    no_sync: bool,
    polling: bool,
    log: str | None,
    replicas: tuple[str, ...],
    max_lag: float,
    **options: Any,
) -> None:
    """Read the given (or discovered) agent databases and show them in a browser.

    Keeps following them until Ctrl-C. Listens on this machine only, unless --host says
    otherwise; then a token is required (made up and printed where none is given).
    """
    from hermes_sessions.web.progress import SyncStatus
    from hermes_sessions.web.requests import request_id

    if log is not None:
        start_logging(log, request_id)
    status = SyncStatus(on_failure=complain)
    with (
        open_store(url, create=True) as database,
        _open_readers(database, url, replicas, max_lag) as readers,
        nullcontext() if no_sync else follow(database, paths, status, polling=polling),
    ):
        run_server(database, status, readers=readers, **options)


@contextmanager
def _open_readers(
    database: "Database", url: str, replicas: Sequence[str], max_lag_seconds: float
) -> Iterator["Readers | None"]:
    if not replicas:
        yield None
        return
    from hermes_sessions.store.readers import Readers

    with Readers.open(database, url, replicas, max_lag_seconds=max_lag_seconds) as readers:
        for notice in readers.notices:
            complain(notice)
        yield readers


def run_server(
    database: "Database",
    status: "SyncStatus",
    *,
    readers: "Readers | None" = None,
    host: str,
    port: int | None,
    open_browser: bool = False,
    token: str | None = None,
    allow_host: Sequence[str] = (),
    behind_proxy: bool = False,
    read_only: bool = False,
) -> None:
    """Serve the viewer until interrupted.

    Raises:
        HermesSessionsError: the port is taken, or the address is not this machine's.
    """
    from hermes_sessions.web import ViewerConfig, create_app
    from hermes_sessions.web.config import is_loopback
    from hermes_sessions.web.warm import warm_up

    token = token or Settings.from_environ().token
    made_up = None
    if token is None and not is_loopback(host):
        token = made_up = secrets.token_urlsafe(24)
    config = ViewerConfig(
        host=host,
        allowed_hosts=tuple(allow_host),
        token=token,
        behind_proxy=behind_proxy,
        read_only=read_only,
        max_streams=THREADS // 2,
    )
    listening = bind(host, port)
    address = _address(host, listening.getsockname()[1])
    _announce(address, made_up)
    if open_browser:
        threading.Timer(0.5, webbrowser.open, [address]).start()
    app = create_app(database, config=config, status=status, readers=readers)
    threading.Thread(target=warm_up, args=(app,), name="warm up", daemon=True).start()
    _serve(app, listening, behind_proxy=behind_proxy)


def bind(host: str, port: int | None) -> socket.socket:
    """Return a listening socket: on *port*, or on the first free one from the default on.

    Raises:
        HermesSessionsError: an explicit port is taken, none is free, or the host is not ours.
    """
    tried = [port] if port is not None else range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TO_TRY)
    for number in tried:
        try:
            return _listen(host, number)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise HermesSessionsError(f"cannot listen on {host}:{number}: {error.strerror}") from error
    if port is not None:
        raise HermesSessionsError(f"port {port} is taken; choose another with --port, or leave it out")
    raise HermesSessionsError(f"no free port from {DEFAULT_PORT} on; choose one with --port")


def _listen(host: str, port: int) -> socket.socket:
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        # A port that was ours a moment ago is free; one that somebody listens on is not.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(128)
    except OSError:
        listening.close()
        raise
    return listening


def _serve(app: "Flask", listening: socket.socket, *, behind_proxy: bool) -> None:
    import waitress

    from hermes_sessions.web.live import hub_of

    # Requests that wait a moment for a thread are no news.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    # A process manager's SIGTERM ends as Ctrl-C does: requests finish, the store is closed.
    # Streams end first: the server waits for its threads.
    hub = hub_of(app)

    def end(number: int, frame: FrameType | None) -> None:
        hub.close()
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    server = waitress.create_server(
        app,
        sockets=[listening],
        threads=THREADS,
        ident="hermes-sessions",
        max_request_header_size=32_768,
        max_request_body_size=1_000_000,
        channel_timeout=60,
        channel_request_lookahead=1,  # so that it is noticed when the reader of a stream goes
        clear_untrusted_proxy_headers=not behind_proxy,
    )
    try:
        server.run()
    finally:
        hub.close()
        server.close()


def _announce(address: str, token: str | None) -> None:
    """Print the address, and a token that nobody else knows yet; one that was given is not repeated."""
    say(f"Serving on {address}  (Ctrl-C to stop)")
    if token is not None:
        say(f"Token: {token}")


def _address(host: str, port: int) -> str:
    name = "127.0.0.1" if host in ("0.0.0.0", "") else "[::1]" if host == "::" else host
    if ":" in name and not name.startswith("["):
        name = f"[{name}]"
    return f"http://{name}:{port}/"


@contextmanager
def follow(
    database: "Database", paths: Sequence[Path], status: "SyncStatus", *, polling: bool = False
) -> Iterator[None]:
    """Keep databases imported while the context is open.

    Args:
        database: the store they go into.
        paths: what to follow; none means what is discovered, now or later, and what was imported before.
        status: told how far each one is.
        polling: look for changes every two seconds, do not wait to be told.

    Raises:
        SourceError: a given path cannot be read at all.
    """
    from hermes_sessions.importers.discover import discover_databases, discovery_folders
    from hermes_sessions.importers.sqlite_file import locate_database
    from hermes_sessions.operations.follow import Follower, Sources
    from hermes_sessions.operations.sync import origin_paths

    settings = Settings.from_environ()
    polling = polling or settings.polling
    if paths:
        sources = Sources(paths=[locate_database(path) for path in paths], polling=polling)
    else:
        homes = (Path.home(), settings.hermes_home)
        sources = Sources(
            discover=lambda: [*(each.path for each in discover_databases(*homes)), *origin_paths(database)],
            folders=lambda: discovery_folders(*homes),
            polling=polling,
        )
        if not sources.discover():
            complain(f"no state.db in {settings.hermes_home} yet; name one: hermes-sessions serve PATH")
    follower = Follower(database, sources, status, time.time)
    follower.start()
    try:
        yield
    finally:
        follower.stop()
