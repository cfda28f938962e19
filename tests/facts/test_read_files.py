"""What stands in a file that was read is no error that happened; in a log it is one."""

import json

import pytest

from hermes_sessions.facts.extract import extract_facts


def errors(content: str) -> list[str]:
    found = extract_facts({"role": "tool", "content": content})
    return [fact.value for fact in found if fact.kind == "error"]


def numbered(*lines: str, sign: str = "|") -> str:
    return "\n".join(f"{at:>6}{sign}{line}" for at, line in enumerate(lines, start=11))


READ = [
    pytest.param(numbered("Invoices depth.", "Failed invoice entry."), id="prose"),
    pytest.param(
        numbered("messages:", "  error: the file could not be opened", sign="→"), id="words to show"
    ),
    pytest.param(numbered("def parse(row):", "    raise ValueError: bad row", sign="\t"), id="code"),
    pytest.param("    12→error: no such file or directory", id="one line"),
    pytest.param(
        json.dumps({"content": numbered("Ledger.", "Failed logs keys."), "total_lines": 2}), id="JSON"
    ),
]


@pytest.mark.parametrize("content", READ)
def test_lines_of_a_read_file_did_not_happen(content):
    assert errors(content) == []


LOGS = [
    pytest.param(
        ("2026-03-04 10:11:12 INFO up", "2026-03-04 10:11:13 ERROR disk full on db-2"),
        "2026-03-04 10:11:13 ERROR disk full on db-2",
        id="stamps",
    ),
    pytest.param(("[INFO] compiling", "[ERROR] symbol not found"), "[ERROR] symbol not found", id="levels"),
    pytest.param(
        ("Traceback (most recent call last):", '  File "a.py", line 3, in run', "ValueError: bad row"),
        "ValueError: bad row",
        id="traceback",
    ),
    pytest.param(
        ("TypeError: x is not a function", "    at run (/srv/a.js:3:14)"),
        "TypeError: x is not a function",
        id="frames",
    ),
    pytest.param(
        ("npm ERR! code ERESOLVE", "npm ERR! could not resolve"),
        "npm ERR! code ERESOLVE",
        id="a tool's report",
    ),
    pytest.param(
        ("cc -c a.c", "a.c:3:1: error: expected ';'"), "a.c:3:1: error: expected ';'", id="compiler"
    ),
]


@pytest.mark.parametrize(("lines", "error"), LOGS)
@pytest.mark.parametrize("sign", ["|", "→", "\t"])
def test_errors_of_a_log_that_was_read_happened(lines, error, sign):
    assert error in errors(numbered(*lines, sign=sign))


def test_what_a_tool_says_beside_a_file_happened():
    content = json.dumps(
        {"content": numbered("Ledger.", "Failed keys."), "error": "permission denied: b.txt"}
    )
    assert errors(content) == ["error: permission denied: b.txt"]


def test_a_numbered_list_is_no_file():
    assert errors("1: connected\n2: failed to open b.txt\n3: closed") == ["failed to open b.txt"]
