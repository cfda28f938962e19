"""Names that are only copied and stand nowhere are accusations; parts of names and patterns are none."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import assistant, call, compacted, tool, user

WORK = (
    user("Tune the mailer of shop. Staging is mail-2.kesto.example, ask jonna@kesto.example if unsure."),
    assistant("", call("terminal", command="cd shop && grep -rn 'MAX_RETRY' src/mailer/")),
    tool("c1", "src/mailer/queue.py:14:MAX_RETRY = 3\nsrc/mailer/smtp_client.py:88: if tries > MAX_RETRY:"),
    assistant(
        "MAX_RETRY is in src/mailer/queue.py; the library is aiosmtp 2.4.1, commit 5d20c9e7, on 10.4.0.17."
    ),
    user("Fine. The function send_with_retry stays as it is, the relay listens on 2525, the ticket is #418."),
)


def accusations(body, rows=WORK):
    told = compacted(rows, body=body).measured().deviations
    return [one.value for one in told if one.grade is not Grade.NOT_VERBATIM]


@pytest.mark.parametrize(
    ("body", "accused"),
    [
        ("The retries are counted in src/mailer/backoff.py.", ["src/mailer/backoff.py"]),
        ("What matters is under /etc/kesto/relay.conf.", ["/etc/kesto/relay.conf"]),
        ("Somebody put all of it on mail-3.kesto.example.", ["mail-3.kesto.example"]),
        ("Write to tuula@kesto.example if unsure.", ["tuula@kesto.example"]),
        ("It has aiosmtp 3.1.0 since then.", ["3.1.0"]),
        ("It is called by flush_outbox_now, which stays.", ["flush_outbox_now"]),
        ("The ticket for the rest is #977.", ["#977"]),
    ],
)
def test_a_name_that_nobody_wrote(body, accused):
    assert accusations(body) == accused


@pytest.mark.parametrize(
    "body",
    [
        "The retries are counted in mailer/queue.py, the client is in smtp_client.py.",
        "Read: src/mailer/{queue,smtp_client}.py and src/mailer/*.py.",
        "aiosmtp 2.4, commit 5d20c9e, server 10.4.0.17, relay on 2525, ticket #418.",
        "MAX_RETRY of mailer.queue is 3; send_with_retry stays.",
        "Staging is mail-2, and Jonna (jonna@kesto.example) may be asked and/or told.",
        "## Next steps\n- Add tests/test_backoff.py and release 2.5.0.",
        "max_tries: 3\nretry_owner: Jonna",
        "<done_so_far>MAX_RETRY found.</done_so_far>",
        "A test may be added as tests/test_backoff.py.",
        "docs/relay.md was not written.",
        "Relay on 2525, as of Fri 10.10.25.",
    ],
)
def test_a_name_that_may_be_copied(body):
    assert accusations(body) == []
