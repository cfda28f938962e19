"""Messages as the agent keeps them: a request, many calls with their results, a reply; several times."""

import json
from typing import Any


def talk(turns: int = 3, calls: int = 7, lines: int = 40) -> list[dict[str, Any]]:
    """A long conversation in the agent's form, its marks included, without a system prompt."""
    said: list[dict[str, Any]] = []
    for turn in range(turns):
        said.append(
            {"role": "user", "content": f"Request {turn}: port {8000 + turn}.", "_db_persisted": True}
        )
        for number in range(calls):
            call = {"name": "read_file", "arguments": json.dumps({"path": f"/srv/{turn}/{number}.py"})}
            made = [{"id": f"c{turn}-{number}", "type": "function", "function": call}]
            said.append({"role": "assistant", "content": "", "tool_calls": made, "_db_persisted": True})
            text = "\n".join(f"line {line} of {turn}-{number} lorem ipsum dolor" for line in range(lines))
            said.append({"role": "tool", "tool_call_id": f"c{turn}-{number}", "content": text})
        said.append({"role": "assistant", "content": f"Done with {turn}.", "_db_persisted": True})
    said.append({"role": "user", "content": "And now the last one."})
    return said
