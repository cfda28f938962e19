"""Tasks that the handoff itself reports as done, or that the user was content with, are no open work."""

import pytest

from hermes_sessions.audit.directives.stale_tasks import find_stale_tasks
from tests.audit.builders import assistant, call, compacted, tool, user

TALK = (
    user("Who started the clone on pg-east? The replica lags."),
    assistant("Let me look.", call("terminal", key="c1", command="ps aux | grep clone")),
    tool("c1", "deniz 20817 pg_basebackup"),
    assistant("Deniz's cron did. Shall I add retries to the mail client, too?"),
    user("Yes, do that."),
    assistant("", call("write_file", key="c2", path="mail/client.py", content="retries = 4")),
    tool("c2", '{"success": true}'),
    assistant("Four retries are in."),
    user("Nice. Now plan the lunch with Ana."),
    assistant("Planned for Friday."),
)
BODY = "The clone on pg-east-2 was launched by Deniz's cron. The report has not been sent to Ana yet.\n\n"


def stale(text: str) -> bool:
    told = compacted(TALK, body=BODY + text).conversation().compactions[0]
    return bool(find_stale_tasks(told))


@pytest.mark.parametrize(
    "text",
    [
        "## Active Task\nLaunch the clone on pg-east-2.",
        "## Pending\n- Add retries to the mail client",
    ],
)
def test_what_is_over_is_stale(text):
    assert stale(text)


@pytest.mark.parametrize(
    "text",
    [
        "## Pending\n- Send the report to Ana",
        "## Pending\n- Add retries to the web client of the shop",
        "## Active Task\nPlan the lunch with Ana.",
        "## Active Task\nLaunch the clone on pg-east-2 again.",
        "## Active Task\nNone; Deniz looks at the clone on pg-east-2.",
        "## Active State\nThe clone was started on pg-east-2 by Deniz.",
    ],
)
def test_what_is_open_is_not(text):
    assert not stale(text)
