"""An error that somebody says is over, or whose command went through later, is no loss; an open one is."""

import pytest

from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.verdict.build import judge_compaction
from tests.audit.builders import assistant, call, compacted, findings, tool, user


def lost_errors(*rows: AuditMessage) -> int:
    told = compacted(
        [user("See to it."), *rows, user("Go on."), assistant("On it.")],
        keep=[len(rows) + 1, len(rows) + 2],
        body="The invoices of March were sorted.",
    )
    verdict = judge_compaction(told.measured(), findings(told))
    return sum(line.kind == "error" for line in (*verdict.lost, *verdict.maybe_lost))


def shown(error: str, retold: str, then: AuditMessage) -> list[AuditMessage]:
    return [
        assistant("", call("kubectl", "c1", args="describe")),
        tool("c1", error),
        assistant(retold),
        user("Who runs that?"),
        assistant("The team of the night shift."),
        user("I see."),
        then,
    ]


PROBE = "2m Warning Unhealthy pod/mailer-7f Liveness probe failed: connection refused"

OVER = [
    (PROBE, "Two mailer pods are unready.", assistant("All mailer pods are ready.")),
    (PROBE, "Two mailer pods are unready.", user("The mailer pods have been fixed by Ines.")),
    (PROBE, "Zwei Pods des Mailers sind krank.", assistant("Die Pods des Mailers sind wieder erreichbar.")),
    (PROBE, "Deux pods du mailer sont tombés.", assistant("Les pods du mailer sont de retour.")),
    (PROBE, "Dos pods del mailer han caído.", assistant("Los pods del mailer están listos.")),
    (PROBE, "Два пода mailer лежат.", assistant("Поды mailer снова доступны.")),
    (PROBE, "mailer のポッドが落ちています。", assistant("mailer が復旧しました。")),
    (PROBE, "Two mailer pods are unready.", assistant("Recovered at 14:41.")),
    (PROBE, "Two mailer pods are unready.", user("The incident is closed.")),
]

OPEN = [
    (PROBE, "Two mailer pods are unready.", assistant("All ledger services are ready.")),
    (PROBE, "Two mailer pods are unready.", assistant("The mailer pods are not ready.")),
    (PROBE, "Two mailer pods are unready.", assistant("The mailer pods will be restored tonight.")),
    (PROBE, "Two mailer pods are unready.", assistant("Are the mailer pods ready?")),
    (PROBE, "Two mailer pods are unready.", user("Tell me when the mailer pods are ready.")),
    (
        PROBE,
        "Zwei Pods des Mailers sind krank.",
        assistant("Die Pods des Mailers sind noch nicht erreichbar."),
    ),
    (PROBE, "Deux pods du mailer sont tombés.", assistant("Les pods du mailer ne sont pas prêts.")),
    (PROBE, "Два пода mailer лежат.", assistant("Поды mailer пока не восстановлены.")),
    (PROBE, "Two mailer pods are unready.", assistant("The backup of the ledger database was restored.")),
]


@pytest.mark.parametrize(("error", "retold", "then"), OVER)
def test_an_error_that_is_said_to_be_over_is_no_loss(error: str, retold: str, then: AuditMessage) -> None:
    assert not lost_errors(*shown(error, retold, then))


@pytest.mark.parametrize(("error", "retold", "then"), OPEN)
def test_an_error_that_is_open_is_lost(error: str, retold: str, then: AuditMessage) -> None:
    assert lost_errors(*shown(error, retold, then))


def restored(second: str, result: str) -> list[AuditMessage]:
    return [
        assistant("", call("terminal", "c1", command="pg_restore -j 4 -d till /srv/dump/till | tail -5")),
        tool("c1", 'pg_restore: error: could not execute query: ERROR:  role "till_app" does not exist'),
        assistant("It stopped."),
        user("Again, please."),
        assistant("", call("terminal", "c2", command=second)),
        tool("c2", result),
        assistant("See above."),
    ]


def test_the_same_program_went_through_later_with_the_same_objects() -> None:
    again = 'psql -c "create role till_app" && pg_restore -j 8 -d till /srv/dump/till; echo rc=$?'
    assert not lost_errors(*restored(again, "CREATE ROLE\nrc=0"))


@pytest.mark.parametrize(
    ("second", "result"),
    [
        ("pg_restore -j 8 -d till /srv/dump/till", "pg_restore: error: connection to server failed"),
        ("pg_restore -j 8 -d staging /srv/dump/staging", "rc=0"),
        ("pg_dump -d till -f /srv/dump/till", "rc=0"),
    ],
)
def test_another_program_or_another_object_ends_no_error(second: str, result: str) -> None:
    assert lost_errors(*restored(second, result))
