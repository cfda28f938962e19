"""The server of the Model Context Protocol: the official SDK on standard input and output."""

from functools import partial
from typing import Any, Final

import anyio
import anyio.to_thread
from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from hermes_sessions import __version__
from hermes_sessions.integrations.recall.program_texts import read_instructions
from hermes_sessions.integrations.recall.service import RecallService, Reply
from hermes_sessions.integrations.recall.tools import TOOLS

NAME: Final = "hermes-sessions"
CALL_SECONDS: Final = 45.0
"""How long a call may take; clients give up after a minute."""

AT_ONCE: Final = 4
_HINTS: Final = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def run_server(service: RecallService) -> None:
    """Serve until standard input ends."""
    try:
        anyio.run(_serve, service)
    finally:
        service.close()


async def _serve(service: RecallService) -> None:
    server = make_server(service)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def make_server(service: RecallService) -> Server[Any]:
    """Return the server of the tools; it may be run over any pair of streams."""
    limiter = anyio.CapacityLimiter(AT_ONCE)
    listed = types.ListToolsResult(
        tools=[
            types.Tool(
                name=tool.name,
                title=tool.title,
                description=tool.about,
                input_schema=tool.schema,
                annotations=_HINTS,
            )
            for tool in TOOLS.values()
        ]
    )

    async def list_tools(
        context: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return listed

    async def call_tool(
        context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        tool = TOOLS.get(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"there is no tool {params.name[:60]!r}: {', '.join(TOOLS)}")
        reply = Reply(f"{tool.name}: took longer than {CALL_SECONDS:.0f} s; ask for less", failed=True)
        with anyio.move_on_after(CALL_SECONDS):
            reply = await anyio.to_thread.run_sync(
                partial(service.reply, tool, params.arguments or {}),
                abandon_on_cancel=True,
                limiter=limiter,
            )
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=reply.text)], is_error=reply.failed
        )

    return Server(
        NAME,
        version=__version__,
        instructions=read_instructions(),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
