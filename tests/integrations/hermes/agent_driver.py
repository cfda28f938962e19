"""Runs inside the agent's environment: plays turns with the real agent, prints what came of them as JSON.

Called as `python agent_driver.py PLAN`; the home folder is in HERMES_HOME. Only the
standard library and the agent.
"""

import inspect
import json
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    plan = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    from hermes_cli.plugins import discover_plugins, get_plugin_context_engine  # type: ignore[import-not-found]

    discover_plugins()
    from hermes_state import SessionDB  # type: ignore[import-not-found]
    from run_agent import AIAgent  # type: ignore[import-not-found]

    database = SessionDB()
    agent = AIAgent(
        base_url=plan["url"],
        api_key="none",
        provider="custom",
        model=plan["model"],
        max_iterations=400,
        tool_delay=0.0,
        enabled_toolsets=["scripted", "context_engine"],
        quiet_mode=True,
        skip_context_files=True,
        skip_memory=True,
        session_db=database,
        platform="cli",
    )
    first = agent.session_id
    history: list[Any] = []
    replies, sessions = [], []
    for request in plan["requests"]:
        answer = agent.run_conversation(request, conversation_history=history)
        history = answer["messages"]
        replies.append(answer.get("final_response"))
        sessions.append(agent.session_id)
    engine = agent.context_compressor
    registered = get_plugin_context_engine()
    said = {
        "engine": engine.name,
        "own_copy": registered is not None and engine is not registered,
        "compactions": engine.compression_count,
        "threshold": engine.threshold_tokens,
        "first": first,
        "sessions": sessions,
        "replies": replies,
        "tools": sorted(agent._context_engine_tool_names),
        "refused": signatures(engine),
    }
    if plan.get("recall"):
        said["recalled"] = {
            name: json.loads(engine.handle_tool_call(name, arguments, messages=history))
            for name, arguments in plan["recall"]
        }
    Path(plan["answer"]).write_text(json.dumps(said), "utf-8")


def signatures(engine: Any) -> list[str]:
    """Name each parameter of the agent's interface that the engine's method does not take."""
    from agent.context_engine import ContextEngine  # type: ignore[import-not-found]

    refused = []
    for name, method in inspect.getmembers(ContextEngine, inspect.isfunction):
        if name.startswith("_"):
            continue
        taken = inspect.signature(getattr(type(engine), name)).parameters
        any_keyword = any(one.kind is one.VAR_KEYWORD for one in taken.values())
        for wanted in inspect.signature(method).parameters.values():
            if wanted.kind is not wanted.VAR_KEYWORD and wanted.name not in taken and not any_keyword:
                refused.append(f"{name}({wanted.name})")
    return refused


main()
