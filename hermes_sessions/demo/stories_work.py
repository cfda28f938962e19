"""Conversations about code, with tools, and compacted into new sessions."""

from hermes_sessions.demo.agent_record import Ledger
from hermes_sessions.demo.handoffs import fallback_notes, notes
from hermes_sessions.demo.talk import StorySetting, Talk

_INVOICE_DIFF = """\
--- a/billing/rounding.py
+++ b/billing/rounding.py
@@ -12,7 +12,9 @@ def line_total(line: Line) -> Decimal:
-    return Decimal(line.quantity * line.unit_price).quantize(CENT)
+    exact = Decimal(line.quantity) * line.unit_price
+    # Half-even drifts over long invoices; the tax office wants half-up per line.
+    return exact.quantize(CENT, rounding=ROUND_HALF_UP)
"""

_PYTEST_RED = (
    "\x1b[1m============ test session starts ============\x1b[0m\n"
    "tests/test_rounding.py \x1b[32m....\x1b[0m\x1b[31mF\x1b[0m\x1b[32m..\x1b[0m\n\n"
    "\x1b[31m\x1b[1mE   AssertionError: Decimal('10.07') != Decimal('10.08')\x1b[0m\n"
    "\x1b[31m1 failed\x1b[0m, \x1b[32m6 passed\x1b[0m in 0.41s"
)
_PYTEST_GREEN = "\x1b[32m\x1b[1m7 passed\x1b[0m\x1b[32m in 0.38s\x1b[0m"


def _read(path: str, text: str) -> tuple[str, dict[str, object], str]:
    return "read_file", {"path": path, "offset": 1, "limit": 200}, text


def _run(command: str, output: str) -> tuple[str, dict[str, object], str]:
    return "terminal", {"command": command}, output


def _patch(path: str, diff: str) -> tuple[str, dict[str, object], str]:
    return "patch", {"path": path, "diff": diff}, f"Patched {path}"


def invoice_rounding(ledger: Ledger) -> None:
    """Three compactions: merged ahead of a reply, a row of its own, and a fallback."""
    setting = StorySetting(
        title="Invoice totals are off by one cent",
        days_ago=2.1,
        cwd="/home/mira/billing",
        model="claude-opus-4.5",
    )
    talk = Talk(ledger, setting)
    talk.user("Invoice 2291 shows 10.07 but the customer's sheet says 10.08. Can you find out who is right?")
    talk.tools(
        _run(
            "git log --oneline -5 -- billing/rounding.py", "9c1e4f2 Round per line\n77ab310 Add tax classes"
        ),
        _read("billing/rounding.py", "def line_total(line):\n    return Decimal(...).quantize(CENT)\n" * 12),
    )
    talk.agent(
        "The customer is right. `quantize` rounds half to even unless told otherwise, and line 3 of that"
        " invoice is exactly 3.365. I would round half up per line. Shall I change it?"
    )
    talk.user("Yes, and add a test with that very invoice.")
    talk.tools(_patch("billing/rounding.py", _INVOICE_DIFF), text="Changing the rounding first.")
    talk.tools(_run("pytest -q tests/test_rounding.py", _PYTEST_RED))
    talk.agent(
        "One test still expects the old cent. It was written from the wrong output, so I will correct it."
    )
    talk.tools(_run("pytest -q tests/test_rounding.py", _PYTEST_GREEN))
    talk.agent("All seven pass. Invoice 2291 now adds up to **10.08**, and the test is `test_invoice_2291`.")
    talk.rotate(
        notes(
            "Find out why invoice 2291 shows 10.07, fix the rounding, add a test.",
            ["READ billing/rounding.py - half-even by default", "PATCH it to half-up", "TEST 7 passed"],
            files=["billing/rounding.py", "tests/test_rounding.py"],
        ),
        shape="before",
        tail=1,
    )
    _invoice_export(talk)


def _invoice_export(talk: Talk) -> None:
    """How the invoice story goes on after its first compaction."""
    talk.user("Good. Does the PDF export use the same function?")
    talk.tools(
        (
            "search_files",
            {"pattern": "quantize", "path": "billing", "target": "content"},
            "billing/pdf.py:88: total.quantize(CENT)",
        )
    )
    talk.agent(
        "No: `billing/pdf.py` line 88 rounds the **sum** again, on its own. It should call `line_total`."
    )
    talk.user("Please do that.")
    talk.tools(_patch("billing/pdf.py", "-    total.quantize(CENT)\n+    sum(map(line_total, lines))\n"))
    talk.agent("Done. The export and the page now share one function.")
    talk.rotate(
        notes("Make the PDF export share the rounding.", ["PATCH billing/pdf.py"], files=["billing/pdf.py"])
    )
    talk.user("How many old invoices would have come out differently?")
    talk.tools(
        _run("python tools/recount.py --since 2025-01", "checked 18402\ndiffer 37\nlargest difference 0.02")
    )
    talk.agent("37 of 18,402, at most by two cents. I wrote their numbers to `recount.csv`.")
    talk.rotate(fallback_notes("Count the invoices that differ.", 9), tail=3, fallback_used=True)
    talk.user("Thanks. Write the two-line note for accounting.")
    talk.agent(
        "> Since today totals round half up on each line. 37 invoices since January 2025 differ,"
        " by 0.02 at most."
    )


def flaky_upload(ledger: Ledger) -> None:
    """Six compactions in a row."""
    talk = Talk(
        ledger, StorySetting(title="The upload test fails on Tuesdays", days_ago=6.3, cwd="/home/mira/shop")
    )
    talk.user("tests/test_upload.py fails about once a week in CI. Always on Tuesdays, I swear.")
    suspects = [
        ("the clock", "freezegun is not used in it", "grep -n freeze tests/test_upload.py"),
        ("the disk", "the runner has 40 GB free", "df -h /tmp"),
        ("the port", "it binds port 0, so no clash", "grep -n bind tests/conftest.py"),
        ("the order", "it passes alone and in any order", "pytest -p random_order tests/test_upload.py"),
        ("the fixture", "it waits for a file that another job deletes", "grep -rn 'uploads/' .ci"),
        ("the weekly job", "`clean-tmp` runs on Tuesdays at 04:00", "cat .ci/clean-tmp.yml"),
    ]
    found: list[str] = []
    for number, (suspect, finding, command) in enumerate(suspects, start=1):
        talk.tools(_run(command, f"# {finding}\nexit 0"), text=f"Looking at {suspect}.")
        talk.agent(f"Suspect {number}, {suspect}: {finding}.")
        found.append(f"CHECK {suspect} - {finding}")
        talk.user("Go on." if number < len(suspects) else "Ha! So it was Tuesdays.")
        talk.rotate(notes("Find out why test_upload fails once a week.", list(found)), tail=2)
    talk.agent(
        "It was. The job empties `/tmp/uploads` while the test runs; I moved the test to its own folder."
    )


def dark_mode(ledger: Ledger) -> None:
    """A handoff behind the reply that was being read."""
    talk = Talk(
        ledger, StorySetting(title="Dark mode for the settings page", days_ago=0.4, cwd="/home/mira/web")
    )
    talk.tell("""
» The settings page blinds me at night. What would dark mode take?
Less than you fear: the page uses 14 colours, 9 of them in one file. I would name them first and then
give the names a second set of values.
» Do it.
""")
    talk.tools(
        _read("static/settings.css", ".card { background: #fff; color: #222 }\n" * 9),
        _run("grep -c '#' static/settings.css", "14"),
    )
    talk.tools(
        _patch("static/settings.css", "-.card { background: #fff }\n+.card { background: var(--card) }\n")
    )
    talk.agent(
        "It is in. What changed:\n\n| Name | Light | Dark |\n|---|---|---|\n"
        "| `--card` | `#ffffff` | `#1c1f24` |\n"
        "| `--text` | `#222222` | `#e6e6e6` |\n| `--line` | `#dddddd` | `#343a40` |\n\n"
        "The contrast of `--text` on `--card` is about **13 : 1**. One thing I could not check: the charts"
        " are pictures and stay light."
    )
    talk.rotate(
        notes(
            "Give the settings page a dark mode.",
            ["READ static/settings.css - 14 colours", "PATCH named them and gave dark values"],
            pending="The charts stay light.",
            files=["static/settings.css"],
        ),
        shape="after",
        tail=1,
    )
    talk.user("Lovely. Can the charts follow?")
    talk.agent("Yes, if they are drawn as SVG instead. That is half a day; shall I?")


def swallowed_reply(ledger: Ledger) -> None:
    """The answer the user was reading was folded into the notes."""
    talk = Talk(
        ledger, StorySetting(title="Move the job queue to streams", days_ago=3.2, cwd="/home/mira/queue")
    )
    talk.user("Compare lists and streams for our job queue, then recommend one.")
    talk.tools(
        _run("redis-cli info memory", "used_memory_human:412M"),
        _read("queue/worker.py", "while True: ...\n" * 40),
    )
    talk.agent(
        "Streams. A worker that dies leaves its job *pending* instead of lost, and you can see who has what."
        " The price is 20 % more memory and a consumer group to look after."
    )
    talk.user("And what happens to the 3,000 jobs that are waiting right now?")
    talk.rotate(notes("Recommend a queue.", ["COMPARE lists and streams - streams recommended"]), tail=1)
    talk.agent("They can stay: the worker reads the old list until it is empty, then the stream.")


def forked_report(ledger: Ledger) -> None:
    """Two continuations of one session; only one went on."""
    talk = Talk(
        ledger, StorySetting(title="Speed up the nightly report", days_ago=8.7, cwd="/home/mira/reports")
    )
    talk.user("The nightly report takes 50 minutes. Where does the time go?")
    talk.tools(
        _run("py-spy top --pid 3391 --duration 20", "71.2% fetch_rows\n 9.8% render\n 4.0% json.dumps")
    )
    talk.agent("Seven tenths go into `fetch_rows`: it asks the database once per customer.")
    body = notes("Speed up the nightly report.", ["PROFILE - fetch_rows takes 71 %"])
    talk.rotate(body, tail=3)
    talk.stale_sibling(body)
    talk.user("One query for all of them, then.")
    talk.agent("With one query it takes 6 minutes 40. The rest is rendering.")


def search_libraries(ledger: Ledger) -> None:
    """Three subagents, named by the call that started them, and a compaction."""
    talk = Talk(ledger, StorySetting(title="Which search library?", days_ago=5.5, cwd="/home/mira/site"))
    talk.user("Which full-text search should the site use? Let three helpers look at one each.")
    for name, verdict in (
        ("SQLite FTS5", "no server, 4 ms a query, needs our own word cutting for Chinese"),
        ("Tantivy", "fastest, but a Rust build in the pipeline"),
        ("Meilisearch", "typo tolerance for free, one more service to run"),
    ):
        goal = f"Find out whether {name} fits a site with 80,000 pages. Say what it costs to run."
        helper = talk.delegate(goal)
        helper.tools(("web_search", {"query": f"{name} 80k documents memory"}, f"3 results about {name}"))
        helper.agent(f"{name}: {verdict}.")
        helper.end("agent_close")
        talk.clock = helper.clock
        talk.tools(
            ("delegate_task", {"goal": goal, "session_id": helper.session["id"]}, f"{name}: {verdict}.")
        )
    talk.agent(
        "FTS5: it is the only one that adds nothing to run. I would take Tantivy above a million pages."
    )
    talk.rotate(notes("Choose a search library.", ["DELEGATE three comparisons", "RECOMMEND FTS5"]), tail=1)
    talk.user("FTS5 it is.")
    talk.agent("Then I will start with the word cutting, since that decides the schema.")


def plugin_names(ledger: Ledger) -> None:
    """A line that was left by /branch, and the branch."""
    talk = Talk(ledger, StorySetting(title="Rename the plugin API", days_ago=11.4, cwd="/home/mira/editor"))
    talk.tell("""
» `registerThing` is a bad name for what plugins call. Ideas?
`addCommand`, since a command is what it adds. It is called in 31 places.
» Hm. Let me try it with an adapter first, without touching the 31.
""")
    branch = talk.branch("Rename the plugin API: with an adapter")
    branch.agent("An adapter is nine lines: `registerThing` warns once and calls `addCommand`.")
    branch.user("Keep that. The old name goes in the next major.")
    branch.agent("Noted in the changelog under *Deprecated*.")


def kitchen_timer(ledger: Ledger) -> None:
    """A head that is copied into each continuation, old notes included."""
    setting = StorySetting(
        title="Kitchen timer firmware", days_ago=14.2, cwd="/home/mira/timer", columns={"git_branch": "beep"}
    )
    talk = Talk(ledger, setting)
    talk.user("The timer beeps late when the display is on. Please find out why.")
    talk.agent("The display driver blocks interrupts for 18 ms on each refresh; the beep waits for it.")
    talk.tools(_run("make size", "text 11204  data 96  bss 512"))
    talk.agent("There is room for a second buffer.")
    talk.rotate(notes("The timer beeps late.", ["MEASURE refresh blocks 18 ms"]), head=1, tail=1)
    for step in ("Buffer added; the block is 2 ms now.", "The beep is on time in 500 of 500 runs."):
        talk.user("Next step?")
        talk.agent(step)
        talk.rotate(notes("The timer beeps late.", [f"REPORT {step}"]), head=2, tail=1)
    talk.user("Ship it.")
    talk.agent("Tagged `v1.4.1`.")


def router_notes(ledger: Ledger) -> None:
    """A compaction that began and never ended."""
    talk = Talk(ledger, StorySetting(title="Router firmware notes", days_ago=1.2))
    talk.user("Read the changelog of the router firmware and tell me what can break.")
    talk.tools(
        (
            "web_extract",
            {"urls": ["https://router.example/changelog"]},
            "23.05.3: DNS over TLS on by default\n" * 30,
        )
    )
    talk.agent("Two things: DNS over TLS is on by default now, and the old VPN client is gone.")
    talk.break_off()


STORIES = (
    invoice_rounding,
    flaky_upload,
    dark_mode,
    swallowed_reply,
    forked_report,
    search_libraries,
    plugin_names,
    kitchen_timer,
    router_notes,
)
