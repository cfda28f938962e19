"""What a test does in a page, each step waiting for what the step before it started."""

import time
from typing import Any

from tests.waiting import PATIENCE_SECONDS


def follow(page: Any, link: Any) -> None:
    """Click a link and wait until the page it names is loaded, or the place in this page reached."""
    with page.expect_navigation(wait_until="load"):
        link.click()


def until(page: Any, condition: str) -> None:
    """Wait for a condition; the page's own policy forbids the browser library's way to do so."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not page.evaluate(condition):
        assert time.monotonic() < deadline, f"never came true: {condition}"
        page.wait_for_timeout(50)


def becomes_current(locator: Any) -> None:
    """Wait until an element is the one that keys and links have led to."""
    from playwright.sync_api import expect

    expect(locator).to_contain_class("current")
