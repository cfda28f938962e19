"""The viewer's server: `serve`. Finds a port, prints the address, ends cleanly on Ctrl-C."""

import errno
import logging
import resource
import secrets
import signal
import socket
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from hermes_sessions.cli.terminal.logs import start_logging
from hermes_sessions.cli.terminal.options import chosen_jobs, default_url, open_store
from hermes_sessions.cli.terminal.output import complain, say
from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.settings import Settings

if TYPE_CHECKING:
    from flask import Flask

    from hermes_sessions.store.opening.database import Database
    from hermes_sessions.store.opening.readers import Readers
    from hermes_sessions.web.serving.config import TourStop, ViewerConfig
    from hermes_sessions.web.site.sync_status import SyncStatus

DEFAULT_PORT = 8765
PORTS_TO_TRY = 50
THREADS = 32
FILES_FOR_THE_STORE = 256
"""Files that connections to the store, the log and what is followed may take."""

FEWEST_CONNECTIONS = 64


@click.command("serve")
@click.argument("paths", nargs=-1, type=click.Path(readable=False, path_type=Path))
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), help=f"Port.  [default: {DEFAULT_PORT} or the next free]"
)
@click.option("--no-sync", is_flag=True, help="Show what the store holds; import nothing.")
@click.option(
    "--discover/--no-discover",
    "is_discovering",
    default=None,
    help="Also import what agents have in their usual places.  [default: unless the store is on a server]",
)
@click.option(
    "--poll",
    "polling",
    is_flag=True,
    help="Check for changes every 2 seconds instead of waiting for notifications.",
)
@click.option("--open", "open_browser", is_flag=True, help="Open the address in a browser.")
@click.option("--token", help="Require this token, even on loopback.  [default: $HERMES_SESSIONS_TOKEN]")
@click.option("--allow-host", multiple=True, metavar="NAME", help="Accept this host name as well.")
@click.option("--read-only", is_flag=True, help="Allow no pins, tags, notes or trash in the browser.")
@click.option("--behind-proxy", is_flag=True, help="Trust one reverse proxy's X-Forwarded-* headers.")
@click.option("--log", type=click.Choice(["text", "json"]), help="Log every request to standard error.")
@click.option(
    "--db-read",
    "replicas",
    multiple=True,
    metavar="URL",
    help="Read pages from this replica of the store (PostgreSQL); repeatable.",
)
@click.option(
    "--max-lag",
    type=click.FloatRange(min=0.1),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Do not read from a replica that lags further.",
)
@click.option(
    "--schemas",
    "patterns",
    multiple=True,
    metavar="PATTERN",
    help="Serve all stores of the database whose names are like this, such as team_%; repeatable.",
)
@click.option(
    "--db",
    "urls",
    multiple=True,
    metavar="URL",
    help="The store: a path or postgresql://USER@HOST/DATABASE; several are shown in one list."
    "  [default: $HERMES_SESSIONS_DB, else your data folder]",
)
def serve_command(
    urls: tuple[str, ...],
    patterns: tuple[str, ...],
    paths: tuple[Path, ...],
    no_sync: bool,
    is_discovering: bool | None,
    polling: bool,
    log: str | None,
    replicas: tuple[str, ...],
    max_lag: float,
    **options: Any,
) -> None:
    """Read the given (or discovered) agent databases and show them in a browser.

    Follows them until Ctrl-C. Listens on this machine only, unless --host is given; then
    a token is required, and one is generated and printed if none is given.
    """
    from hermes_sessions.cli.import_ import is_private
    from hermes_sessions.web.serving.requests import request_id
    from hermes_sessions.web.site.sync_status import SyncStatus

    if log is not None:
        start_logging(log, request_id)
    named = tuple(filter(None, urls)) or (default_url(),)
    if len(named) > 1 or patterns:
        if paths or replicas:
            raise click.UsageError("several stores are shown as they are: no PATHS, no --db-read")
        _serve_fleet(named, patterns, **options)
        return
    url = named[0]
    finds = is_private(url) if is_discovering is None else is_discovering
    status = SyncStatus(on_failure=complain)
    with (
        open_store(url, create=True) as database,
        _open_readers(database, url, replicas, max_lag) as readers,
        nullcontext() if no_sync else follow(database, paths, status, polling=polling, finds=finds),
    ):
        run_server(database, status, readers=readers, **options)


def _serve_fleet(urls: Sequence[str], patterns: Sequence[str], **options: Any) -> None:
    """Serve many stores until interrupted; nothing is imported."""
    from hermes_sessions.store.fleet.members import Fleet, expand_urls
    from hermes_sessions.web.fleet.front import create_fleet_app

    fleet = Fleet.open(expand_urls(urls, patterns))
    try:
        for one in fleet.states():
            if one.problem is not None:
                complain(f"{one.name} is left out: {one.problem}")
        _run(lambda config: create_fleet_app(fleet, config=config), **options)
    finally:
        fleet.close()


@contextmanager
def _open_readers(
    database: "Database", url: str, replicas: Sequence[str], max_lag_seconds: float
) -> Iterator["Readers | None"]:
    if not replicas:
        yield None
        return
    from hermes_sessions.store.opening.readers import Readers

    with Readers.open(database, url, replicas, max_lag_seconds=max_lag_seconds) as readers:
        for notice in readers.notices:
            complain(notice)
        yield readers


def run_server(
    database: "Database", status: "SyncStatus", *, readers: "Readers | None" = None, **options: Any
) -> None:
    """Serve the viewer of one store until interrupted.

    Args:
        options: of `serve`, and `tour`: places that the first page leads to, in their order.

    Raises:
        HermesSessionsError: the port is taken, or the address is not this machine's.
    """
    from hermes_sessions.web import create_app

    database.tell_outages(logging.getLogger("hermes_sessions.store").error)
    status.tell_imports(say)
    _run(lambda config: create_app(database, config=config, status=status, readers=readers), **options)


def _run(
    make: "Callable[[ViewerConfig], Flask]",
    *,
    host: str,
    port: int | None,
    open_browser: bool = False,
    token: str | None = None,
    allow_host: Sequence[str] = (),
    behind_proxy: bool = False,
    read_only: bool = False,
    tour: Sequence["TourStop"] = (),
) -> None:
    from hermes_sessions.web import ViewerConfig
    from hermes_sessions.web.serving.config import is_loopback
    from hermes_sessions.web.site.warm_up import warm_up

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
        tour=tuple(tour),
    )
    listening = bind(host, port)
    address = _address(host, listening.getsockname()[1])
    app = make(config)
    _end_on_signals(app)
    _announce(address, made_up)
    if open_browser:
        threading.Timer(0.5, webbrowser.open, [address]).start()
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


def _end_on_signals(app: "Flask") -> None:
    """Have a process manager's SIGTERM end as Ctrl-C does: requests finish, the store is closed.

    Streams end first: the server waits for its threads.
    """
    from hermes_sessions.web.site.live import end_streams

    def end(number: int, frame: FrameType | None) -> None:
        end_streams(app)
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)


def _serve(app: "Flask", listening: socket.socket, *, behind_proxy: bool) -> None:
    from hermes_sessions.web.serving.http_server import Limits, ViewerServer
    from hermes_sessions.web.site.live import end_streams

    connections = _room_for(Limits().connections)
    limits = Limits(
        connections=connections,
        per_address=None if behind_proxy else min(connections, Limits().per_address or connections),
    )
    server = ViewerServer(app, listening, limits=limits, threads=THREADS, behind_proxy=behind_proxy)
    try:
        server.run()
    finally:
        end_streams(app)
        server.close()


def _room_for(connections: int) -> int:
    """Return how many connections may be open, and have the system allow as many files as that takes."""
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + FILES_FOR_THE_STORE
    if allowed != resource.RLIM_INFINITY and allowed < wanted:
        raised = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (raised, most))
            allowed = raised
    if allowed == resource.RLIM_INFINITY:
        return connections
    return max(FEWEST_CONNECTIONS, min(connections, allowed - FILES_FOR_THE_STORE))


def _announce(address: str, token: str | None) -> None:
    """Print the address, and a token that nobody else knows yet; one that was given is not repeated."""
    say(f"Serving on {address}  (Ctrl-C to stop)")
    if token is not None:
        say(f"Token: {token}")


def _address(host: str, port: int) -> str:
    name = _own_name() if host in ("0.0.0.0", "::", "") else host
    if ":" in name and not name.startswith("["):
        name = f"[{name}]"
    return f"http://{name}:{port}/"


def _own_name() -> str:
    """Return an address by which other machines reach this one, its name where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # documentation's own network: nothing is sent, a route is chosen
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])


@contextmanager
def follow(
    database: "Database",
    paths: Sequence[Path],
    status: "SyncStatus",
    *,
    polling: bool = False,
    finds: bool = True,
) -> Iterator[None]:
    """Keep databases imported while the context is open.

    Args:
        database: the store they go into.
        paths: what to follow; none means what is discovered, now or later, and what was imported before.
        status: told how far each one is.
        finds: agents are looked for in their usual places.
        polling: look for changes every two seconds, do not wait to be told.

    Raises:
        SourceError: a given path cannot be read at all.
    """
    from hermes_sessions.agents.registry import discover, discovery_folders
    from hermes_sessions.cli.import_ import nothing_found, watched_places
    from hermes_sessions.operations.imports.follow import Follower, Sources
    from hermes_sessions.operations.imports.locate_origin import locate_followed
    from hermes_sessions.operations.imports.sync import followed_origins, switched_on

    settings = Settings.from_environ()
    polling, jobs = polling or settings.polling, chosen_jobs()
    if paths:
        sources = Sources(paths=[locate_followed(path) for path in paths], polling=polling, jobs=jobs)
    else:
        places = (settings.home, settings.variables)
        sources = Sources(
            discover=lambda: [
                *(switched_on(database, discover(*places)) if finds else ()),
                *followed_origins(database),
            ],
            folders=lambda: discovery_folders(*places) if finds else [],
            polling=polling,
            jobs=jobs,
        )
        if not sources.discover():
            why = f"{nothing_found(settings)} yet" if finds else "nothing was imported into this store yet"
            more = "" if finds else ", or find agents with --discover"
            complain(f"{why}; name one: hermes-sessions serve PATH{more}")
    status.watched = tuple(map(str, paths or (watched_places(settings) if finds else ())))
    follower = Follower(database, sources, status, time.time)
    follower.start()
    try:
        yield
    finally:
        follower.stop()
