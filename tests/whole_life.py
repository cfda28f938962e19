"""One store's life by commands: everything that writes to it or asks it, in an order that works."""

from pathlib import Path

from click.testing import CliRunner

from hermes_sessions.cli import main
from tests.agents.hermes.hermes_builder import row, session, state_db

HANDOFF = "[CONTEXT COMPACTION] Earlier turns were compacted.\n## Goal\nPort the gateway to 8123."


def live(url: str, folder: Path) -> None:
    """Import, search, audit, organise, compact, export, take back, mask, prune, forget, check."""
    folder.mkdir()
    for number, rows in enumerate((8, 14)):
        agent = _agent(folder, rows)
        run(url, "import", str(agent), "--label", "desk")
        assert "session" in run(url, "list", "--json"), number
    assert "gateway" in run(url, "search", "gateway")
    run(url, "search", "source:cli gateway", "--order", "relevance")
    run(url, "audit")
    run(url, "audit", "b", "--json")
    run(url, "compactions")
    run(url, "lineage", "a")
    run(url, "show", "a")
    for command in ("pin", "archive"):
        run(url, command, "a")
    run(url, "tag", "--add", "work", "a")
    run(url, "note", "a", "look again")
    run(url, "undo")
    run(url, "saved", "add", "mine", "/?kind=all")
    sizes = ("context_window=4000", "tail_tokens=300", "min_tail_messages=2", "head_messages=1")
    policy = [part for size in sizes for part in ("--policy", size)]
    made = run(url, "compact", "long", *policy, "--json", codes=(0, 1))
    assert '"status": "committed"' in made, made
    copy = folder / "copy.jsonl"
    run(url, "export", "long", "--format", "jsonl", "-o", str(copy))
    run(url, "export", "a", "--format", "html", "-o", str(folder / "a.html"))
    run(url, "import", str(copy), codes=(0, 1))
    run(url, "redact", "--stdin", "--yes", typed="hunter-secret-4711\n")
    run(url, "prune", "--older-than", "1d", "--source", "cron", "--yes")
    run(url, "trash", "empty", "--yes")
    run(url, "forget", "a", "--yes")
    run(url, "origins", "rename", "desk", "table")
    run(url, "sync", codes=(0, 1))
    assert run(url, "db", "check") == "everything agrees\n"


def run(url: str, *words: str, typed: str | None = None, codes: tuple[int, ...] = (0,)) -> str:
    """Run a command on the store at *url* and return what it printed."""
    done = CliRunner().invoke(main, ["--db", url, *words], input=typed)
    assert done.exit_code in codes, (words, done.output)
    return done.stdout


def _agent(folder: Path, rows: int) -> Path:
    path = folder / "state.db"
    path.unlink(missing_ok=True)
    text = "The gateway listens on port 8123; read the next line and say what it means. " * 12
    talk = [
        row("long", "user" if at % 2 == 0 else "assistant", f"{at}: {text} hunter-secret-4711")
        for at in range(rows)
    ]
    return state_db(
        path,
        sessions=[
            session("a", end_reason="compression", title="Gateway"),
            session("b", parent="a"),
            session("long"),
            session("nightly", source="cron"),
        ],
        messages=[
            row("a", "user", "Move the gateway to port 8123 and never touch production."),
            row("a", "assistant", "The gateway is moved to port 8123."),
            row("b", "user", HANDOFF),
            row("b", "assistant", "On it."),
            row("nightly", "user", "Back up."),
            row("nightly", "assistant", "Done."),
            *talk,
        ],
    )
