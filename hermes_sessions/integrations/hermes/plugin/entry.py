"""What the agent calls when it loads the plugin."""

import time
from typing import Any, Final

from hermes_sessions.integrations.hermes.plugin import host
from hermes_sessions.integrations.hermes.plugin.engine import make_engine
from hermes_sessions.integrations.hermes.plugin.journal import append_line
from hermes_sessions.integrations.hermes.plugin.notes import account_line

ACCOUNT_HOOK: Final = "post_compaction"
"""By it newer builds tell plugins what a compaction of any engine did."""


def register(ctx: Any) -> None:
    """Offer the engine; where the agent gives accounts of compactions, keep them."""
    engine = make_engine()
    for problem in engine.settings.problems:
        host.LOG.warning("plugins.entries.%s.settings: %s", host.NAME, problem)
    ctx.register_context_engine(engine)
    if engine.settings.journal and host.knows_hook(ACCOUNT_HOOK):
        ctx.register_hook(ACCOUNT_HOOK, keep_account)


def keep_account(**said: Any) -> None:
    """Write the agent's own account of a compaction into the journal."""
    try:
        line = account_line(said, time.time())
        if line is not None:
            append_line(host.home_folder(), line)
    except Exception as error:  # nothing of ours may stop the agent
        host.LOG.warning("the journal cannot be written: %s", error)
