"""A real browser in front of a real server; tests here carry the mark `browser`."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from flask import Flask
from werkzeug.serving import make_server

from hermes_sessions.store.opening.database import Database
from hermes_sessions.web import SyncStatus, create_app
from hermes_sessions.web.site.live import end_streams, hub_of
from tests.waiting import PATIENCE_SECONDS, until

Open = Callable[..., Any]
STARTING_SECONDS = 180
"""A browser that starts beside all the other tests on a cold machine takes its time."""


@pytest.fixture(scope="session")
def browser(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Chromium, started once for all tests."""
    from playwright.sync_api import expect, sync_playwright

    from tests.conftest import find_chromium

    expect.set_options(timeout=1000 * PATIENCE_SECONDS)  # its own patience is five seconds
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox"], timeout=1000 * STARTING_SECONDS
        )
        yield started
        started.close()


@pytest.fixture
def status() -> SyncStatus:
    """The progress that the served pages show."""
    return SyncStatus()


@pytest.fixture
def app(database: Database, status: SyncStatus) -> Iterator[Flask]:
    """The viewer of the test's store."""
    made = create_app(database, status=status)
    yield made
    hub_of(made).close()


def nothing() -> None:
    """What is left to do for an answer without a body."""


def closing(app: Flask) -> Callable[..., Iterator[bytes]]:
    """Return *app* with answers that close what they read from, also where the browser hangs up."""

    def answer(environ: Any, start_response: Any) -> Iterator[bytes]:
        parts: Any = app(environ, start_response)
        try:
            yield from parts
        finally:
            getattr(parts, "close", nothing)()

    return answer


class Answers:
    """Counts the answers that are being given, as nobody joins the threads that give them."""

    def __init__(self, answer: Callable[..., Iterator[bytes]]) -> None:
        self._answer = answer
        self._lock = threading.Lock()
        self._number = 0

    def __call__(self, environ: Any, start_response: Any) -> Iterator[bytes]:
        self._count(1)
        try:
            yield from self._answer(environ, start_response)
        finally:
            self._count(-1)

    def all_given(self) -> bool:
        """Whether no answer is being given."""
        with self._lock:
            return self._number == 0

    def _count(self, more: int) -> None:
        with self._lock:
            self._number += more


@contextmanager
def serving(app: Flask) -> Iterator[str]:
    """Serve *app* for a while; gives its address. At the end no answer is under way any more."""
    answers = Answers(closing(app))
    server = make_server("127.0.0.1", 0, answers, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    end_streams(app)
    server.shutdown()
    thread.join()
    server.server_close()
    until(answers.all_given)


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    """Where the viewer of the test's store answers."""
    with serving(app) as where:
        yield where


@pytest.fixture
def open_page(browser: Any, address: str) -> Iterator[Open]:
    """Opens a path in a window of its own and fails on any script error or foreign request.

    Keyword arguments go to the browser's context (color_scheme, viewport, java_script_enabled).
    """
    trouble: list[str] = []
    with ExitStack() as stack:

        def open_(path: str, **context: Any) -> Any:
            window = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **context})
            stack.callback(window.close)
            window.set_default_timeout(1000 * PATIENCE_SECONDS)
            page = window.new_page()
            page.on("pageerror", lambda error: trouble.append(f"script error: {error}"))
            page.on(
                "request",
                lambda one: None if one.url.startswith((address, "data:")) else trouble.append(one.url),
            )
            page.on("dialog", lambda dialog: trouble.append("a dialog opened"))
            page.goto(address + path)
            return page

        yield open_
    assert trouble == []
