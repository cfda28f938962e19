"""What a browser gets: bytes, requests, time to first content, and how heavy a page gets by scrolling.

    python -m bench.browser [--messages 20000] [--conversations 1000] [--rounds 5] [--no-scroll]

Chromium against `serve`'s own server on this machine, nothing slowed down. Every round opens
the page in a new window (nothing kept), then once more in the same one (files kept). Times
are the browser's own: first byte, first contentful paint, everything loaded. Bytes are as
sent, compressed; in brackets the page itself unpacked.

Then the long conversation is scrolled from its end to its very beginning: the most nodes the page had,
the most JavaScript heap (as it is, and after its garbage was collected), whether every message came
by once, and how long an anchor, a find and a message that arrives take afterwards.
"""

import argparse
import multiprocessing
import shutil
import socket
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from sqlalchemy import select

from bench.following import serve, wait_until_up
from bench.pages import fill
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Message, Session
from tests.builders import a_message

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
SCROLL_SECONDS = 900
AT_BEGINNING = "() => scrollY < 40 && !document.querySelector('.transcript > nav.more [data-more=previous]')"
WATCH_PLACES = """() => {
    window.placesSeen = new Set();
    const all = () => document.querySelectorAll(".transcript article");
    const look = () => all().forEach((one) => placesSeen.add(one.dataset.place));
    document.addEventListener("viewer:arrived", look);
    look();
}"""
NODES = """() => { let count = 0; const walk = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
    while (walk.nextNode()) count += 1; return count; }"""
PAINTED = """() => performance.getEntriesByName("first-contentful-paint").length > 0
    && performance.getEntriesByType("navigation")[0].loadEventEnd > 0"""


def main() -> None:
    """Make the store, open the pages, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--messages", type=int, default=20_000, help="of the long conversation")
    parser.add_argument("--conversations", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-scroll", action="store_true", help="leave out the scrolling")
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
            if not options.no_scroll:
                with Database.open(url) as database:
                    scroll(f"http://127.0.0.1:{port}", database, options.messages)
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
            ("its beginning", "/c/long?at=0.0"),
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


def scroll(address: str, database: Database, messages: int) -> None:
    """Scroll the long conversation from its end to its beginning and print what the page weighed."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        probe = page.context.new_cdp_session(page)
        page.goto(f"{address}/c/long")
        page.locator("article").last.wait_for()
        page.mouse.move(700, 450)
        weight = {"nodes": 0, "heap": 0.0, "heap_collected": 0.0}
        page.evaluate(WATCH_PLACES)
        began, step = time.perf_counter(), 0
        while not page.evaluate(AT_BEGINNING) and time.perf_counter() - began < SCROLL_SECONDS:
            page.mouse.wheel(0, -6_000)
            page.wait_for_timeout(15)
            step += 1
            weigh(page, probe, weight, collect=step % 50 == 0)
        seen = page.evaluate("() => placesSeen.size")
        print(f"\nscrolled {seen:,} of {messages:,} messages in {time.perf_counter() - began:.0f} s")
        print(f"most nodes {weight['nodes']:,}; most heap {weight['heap'] / 1e6:.1f} MB", end="")
        print(f" ({weight['heap_collected'] / 1e6:.1f} MB after its garbage was collected)")
        try_afterwards(page, address, database)
        browser.close()


def weigh(page: Any, probe: Any, weight: dict[str, float], *, collect: bool) -> None:
    """Raise the figures of *weight* to what the page weighs now."""
    weight["nodes"] = max(weight["nodes"], page.evaluate(NODES))
    weight["heap"] = max(weight["heap"], heap_of(probe))
    if collect:
        probe.send("HeapProfiler.collectGarbage")
        weight["heap_collected"] = max(weight["heap_collected"], heap_of(probe))


def heap_of(probe: Any) -> float:
    """Return the bytes of JavaScript heap that are in use."""
    return float(probe.send("Runtime.getHeapUsage")["usedSize"])


def try_afterwards(page: Any, address: str, database: Database) -> None:
    """Print how long an anchor far away, a find and a message that arrives take."""
    with database.read() as db:
        far = db.scalar(select(Message.id).join(Session).where(Session.public_id == "long").offset(777)) or 0
    for name, go, there in (
        ("an anchor", lambda: page.goto(f"{address}/c/long#m-{far}"), f"article#m-{far}.current"),
        ("a find", lambda: page.goto(f"{address}/c/long/find?q=ledger"), "mark.hit"),
        (
            "the end",
            lambda: page.goto(f"{address}/c/long?at=0.0#latest"),
            ".transcript:not(:has([data-more=next]))",
        ),
        ("a new message", lambda: arrive(database), "article:has-text('This one is new.')"),
    ):
        began = time.perf_counter()
        go()
        page.locator(there).first.wait_for(state="attached", timeout=60_000)
        print(f"{name:<16}{1_000 * (time.perf_counter() - began):>8.0f} ms")


def arrive(database: Database) -> None:
    """Add a message to the long conversation, as an agent does."""
    with database.write() as db:
        session = db.scalars(select(Session).where(Session.public_id == "long")).one()
        a_message(db, session, "This one is new.")


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
