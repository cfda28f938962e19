"""What a browser gets: bytes, requests, time to first content, for the list and a long conversation.

    python -m bench.browser [--messages 5000] [--conversations 1000] [--rounds 5]

Chromium against `serve`'s own server on this machine, nothing slowed down. Every round opens
the page in a new window (nothing kept), then once more in the same one (files kept). Times
are the browser's own: first byte, first contentful paint, everything loaded. Bytes are as
sent, compressed; in brackets the page itself unpacked.
"""

import argparse
import multiprocessing
import shutil
import socket
import statistics
import tempfile
from pathlib import Path
from typing import Any

from bench.following import serve, wait_until_up
from bench.pages import fill
from hermes_sessions.store.opening.database import Database

FIGURES = """() => {
    const [page] = performance.getEntriesByType("navigation");
    const files = performance.getEntriesByType("resource").filter((one) => !one.name.includes("/api/"));
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    return {
        requests: 1 + files.filter((one) => one.transferSize > 0).length,
        sent: page.transferSize + files.reduce((sum, one) => sum + one.transferSize, 0),
        page: page.decodedBodySize,
        first_byte: page.responseStart,
        paint: paint ? paint.startTime : NaN,
        loaded: page.loadEventEnd,
    };
}"""
PAINTED = """() => performance.getEntriesByName("first-contentful-paint").length > 0
    && performance.getEntriesByType("navigation")[0].loadEventEnd > 0"""


def main() -> None:
    """Make the store, open the pages, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--messages", type=int, default=5_000, help="of the long conversation")
    parser.add_argument("--conversations", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = str(Path(folder) / "store.db")
        with Database.open(url) as database:
            fill(database, options.conversations, options.messages)
        with socket.create_server(("127.0.0.1", 0)) as listening:
            port = listening.getsockname()[1]
        server = multiprocessing.get_context("spawn").Process(target=serve, args=(url, port, 16))
        server.start()
        try:
            wait_until_up(port)
            measure(f"http://127.0.0.1:{port}", options.rounds)
        finally:
            server.terminate()
            server.join()


def measure(address: str, rounds: int) -> None:
    """Open each page a few times and print its medians."""
    from playwright.sync_api import sync_playwright

    head = ("requests", "KB sent", "(page)", "first byte", "first paint", "loaded")
    print(f"{'page':<26}" + "".join(f"{name:>12}" for name in head))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, path in (
            ("list", "/"),
            ("long conversation", "/c/long"),
            ("its end", "/c/long?before=9.0"),
        ):
            first, again = [], []
            for _ in range(rounds):
                window = browser.new_context(viewport={"width": 1280, "height": 900})
                page = window.new_page()
                first.append(look(page, address + path))
                page.goto("about:blank")
                again.append(look(page, address + path))
                window.close()
            tell(name, first)
            tell(f"{name}, again", again)
        browser.close()


def look(page: Any, url: str) -> dict[str, float]:
    """Open a page and return the browser's figures."""
    page.goto(url, wait_until="load")
    for _ in range(200):
        if page.evaluate(PAINTED):
            break
        page.wait_for_timeout(20)
    found: dict[str, float] = page.evaluate(FIGURES)
    return found


def tell(name: str, found: list[dict[str, float]]) -> None:
    """Print the medians of one page."""
    value = {key: statistics.median(one[key] for one in found) for key in found[0]}
    print(
        f"{name:<26}{value['requests']:>12.0f}{value['sent'] / 1000:>12.1f}{value['page'] / 1000:>12.1f}"
        f"{value['first_byte']:>9.0f} ms{value['paint']:>9.0f} ms{value['loaded']:>9.0f} ms"
    )


if __name__ == "__main__":
    main()
