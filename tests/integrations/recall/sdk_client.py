"""A client of the official SDK, 1.26 or 2.x: lists the tools of a server and makes the calls it is given.

Run by any Python that has the SDK: `sdk_client.py WAY CALLS COMMAND...`, where CALLS is a JSON list of
[tool, arguments]. Prints one JSON object: the tools, and what each call returned.
"""

import json
import sys
from importlib.metadata import version
from typing import Any

import anyio
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


def dumped(value: Any) -> dict[str, Any]:
    found: dict[str, Any] = value.model_dump(by_alias=True, mode="json", exclude_none=True)
    return found


async def heard(session: Any, calls: list[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    tools = dumped(await session.list_tools())["tools"]
    answers = []
    for name, arguments in calls:
        try:
            answers.append(dumped(await session.call_tool(name, arguments)))
        except Exception as error:  # the protocol's own refusal
            answers.append({"refused": str(error)})
    return {"sdk": version("mcp"), "tools": tools, "answers": answers}


async def talk(calls: list[tuple[str, dict[str, Any]]], command: list[str]) -> dict[str, Any]:
    """Greet the server as every version does, then call."""
    server = StdioServerParameters(command=command[0], args=command[1:])
    async with stdio_client(server) as streams, ClientSession(streams[0], streams[1]) as session:
        started = dumped(await session.initialize())
        return {"started": started, **await heard(session, calls)}


async def talk_at_once(calls: list[tuple[str, dict[str, Any]]], command: list[str]) -> dict[str, Any]:
    """Call without a greeting, as the protocol of 2026 allows; the SDK's first generation cannot."""
    from mcp import Client

    async with Client(StdioServerParameters(command=command[0], args=command[1:])) as session:
        return await heard(session, calls)


if __name__ == "__main__":
    way = {"greet": talk, "at-once": talk_at_once}[sys.argv[1]]
    print(json.dumps(anyio.run(way, json.loads(sys.argv[2]), sys.argv[3:])))
