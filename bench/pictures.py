"""Take the screenshots of the documentation anew: two pictures and the tour of the README.

    .venv/bin/pip install pillow    # for the tour alone; nothing else needs it
    python -m bench.pictures

Runs `hermes-sessions demo` as a user does, follows the links of its first page in Chromium and writes
`docs/images/conversation.png`, `compaction.png` and `tour.png` (an animated PNG).
"""

import io
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bench.diagrams import DOCS

IMAGES = DOCS / "images"
SIZE = {"width": 1180, "height": 820}
FRAME = {"width": 1180, "height": 640}
FRAME_MS = 3_200
COMPACTED = "Invoice totals are off by one cent"
STOPS = (
    ("/", "The list says it: an answer was summarised away."),
    ("li:nth-child(1) a", "The answer as you read it. The summary that took its place is set apart."),
    ("li:nth-child(3) a", "What the model still saw when it went on: the answer is not there."),
    ("li:nth-child(4) a", "What was lost, quoted, and what to tell the agent."),
)
CAPTION = """(words) => {
    const bar = document.createElement("p");
    bar.textContent = words;
    Object.assign(bar.style, {position: "fixed", inset: "auto 0 0 0", margin: 0, padding: "14px 32px",
        zIndex: 9, background: "#24577f", color: "#fff", fontWeight: 600, fontSize: "19px"});
    document.body.append(bar);
}"""


def main() -> None:
    """Run the demo and write the pictures."""
    from playwright.sync_api import sync_playwright

    with served() as address, sync_playwright() as playwright:
        browser: Any = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_context(viewport=SIZE, color_scheme="light").new_page()
        page.goto(address)
        (IMAGES / "conversation.png").write_bytes(conversation(page))
        page.set_viewport_size(FRAME)
        page.goto(address)
        page.locator(".tour").locator(STOPS[-1][0]).click()
        page.locator(".verdict").wait_for()
        (IMAGES / "compaction.png").write_bytes(page.screenshot())
        write_tour([frame(page, address, where, words) for where, words in STOPS])
        browser.close()


@contextmanager
def served() -> Iterator[str]:
    """Run the demo on a free port; gives its address."""
    command = [sys.executable, "-m", "hermes_sessions", "demo", "--port", "0"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert running.stdout is not None
    try:
        lines = (re.search(r"http://\S+/", line) for line in running.stdout)
        yield next(found[0] for found in lines if found)
    finally:
        running.send_signal(signal.SIGTERM)
        running.wait(30)


def conversation(page: Any) -> bytes:
    """Return a picture of a conversation at its first compaction."""
    page.get_by_role("link", name=COMPACTED).first.click()
    page.locator(".separator").first.wait_for()
    page.evaluate(
        """() => { const at = document.querySelector(".separator").getBoundingClientRect().top;
        scrollBy({ top: at - 440, behavior: "instant" }); }"""
    )
    page.wait_for_timeout(500)
    return bytes(page.screenshot())


def frame(page: Any, address: str, where: str, words: str) -> bytes:
    """Return a picture of one stop of the tour with its words beneath."""
    page.set_viewport_size(FRAME)
    page.goto(address)
    if where != "/":
        page.locator(".tour").locator(where).click()
        page.wait_for_load_state()
        page.wait_for_timeout(600)
    page.evaluate(CAPTION, words)
    return bytes(page.screenshot())


def write_tour(frames: list[bytes]) -> None:
    """Write the frames as one animated PNG with a shared palette."""
    from PIL import Image

    pictures = [Image.open(io.BytesIO(one)).convert("RGB").quantize(128) for one in frames]
    pictures[0].save(
        IMAGES / "tour.png",
        save_all=True,
        append_images=pictures[1:],
        duration=FRAME_MS,
        loop=0,
        optimize=True,
    )


if __name__ == "__main__":
    main()
