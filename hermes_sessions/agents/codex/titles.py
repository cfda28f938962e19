"""What the agent's own index calls its threads."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from hermes_sessions.agents.json_lines.lines import parse_line, read_lines
from hermes_sessions.agents.parsed_values import text_of

INDEX: Final = "session_index.jsonl"


def read_titles(home: Path) -> Mapping[str, str]:
    """Return titles by thread; the last line about one counts. Empty where there is no index."""
    found: dict[str, str] = {}
    path = home / INDEX
    try:
        if not path.is_file():  # a pipe would be waited for
            return found
        for line in read_lines(path, 0, path.stat().st_size):
            value = parse_line(line).value or {}
            thread, title = text_of(value.get("id")), text_of(value.get("thread_name"))
            if thread is not None and title is not None:
                found[thread] = title
    except OSError:
        return found
    return found
