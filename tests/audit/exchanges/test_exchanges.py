"""What a handoff exchanges: sides, people, days, units, parts and order, each with a hit and a near miss."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import assistant, compacted, tool, user


def accusations(body, *rows):
    """Return the rules and sources of what *body* says otherwise, other words left out."""
    told = compacted(rows, body=body).measured().deviations
    return [(one.rule, one.source) for one in told if one.grade is not Grade.NOT_VERBATIM]


def noticed(body, *rows):
    """Return the same with what is not certain enough to accuse anybody."""
    told = compacted(rows, body=body).measured().deviations
    return [(one.rule, one.source) for one in told if one.source]


ORDER = (user("The barrier opens only after the inspection on pier four."), assistant("Understood."))
BUILD = (
    user("The nightly build fails."),
    assistant("I pinned the compiler. The nightly build passes again."),
)
KEY = (user("The old certificate stays valid until noon."), assistant("Noted."))
PEOPLE = (
    user("Invite Solveig Aamodt. Dr. Petterson pays, Herr Lindqvist drives. Writes Bruno, not Clara."),
    assistant("Will do. Marguerite reviews the contract on pier four."),
)
DAY = (user("The crane comes on Thursday, with a check per week."), assistant("Noted: Thursday."))
UNIT = (user("Wait 40 ms between two pings."), assistant("40 ms, set."), tool("c1", "3 of 9 buoys answered"))
WAIT = (user("Ping them 40 ms apart."), assistant("Set."), tool("c1", "delayMs: 40"))
ENDS = (user("Speed it up."), assistant("Median went from 812 ms to 97 ms."))
LEFT = (user("Bitte die Tarife nicht anfassen."), assistant("Die Tarife habe ich nicht angefasst."))
DONE = (user("Delete archive/2019.zip."), assistant("Deleted archive/2019.zip."))
LIFTED = (
    user("Never edit harbour/rates.csv."),
    assistant("Understood."),
    user("The audit is over, you may edit harbour/rates.csv again from now on."),
)
JAPANESE = (user("資料は田村さんに送ってください。"), assistant("田村さんに送りました。"))
CHINESE = (user("这份报告等陈琳确认。"), assistant("还没有通知陈琳和王敏。"))
LINE = (user("See it."), tool("c1", "src/dock.ts(118,4): error TS2322"))

CRATES = (user("Count them."), assistant("2 of 64 crates were rejected by the harbour."))
LOCKER = (user("Replace the lamp."), assistant("Ragnhild has not emptied the locker yet."))

HITS = [
    ("The barrier opens only before the inspection on pier four.", ORDER, "other-side"),
    ("The nightly build still fails.", BUILD, "other-side"),
    ("The old certificate was deleted.", KEY, "other-side"),
    ("Invite Solveig Aasen.", PEOPLE, "name-changed"),
    ("Dr. Pettigrew pays.", PEOPLE, "name-changed"),
    ("Writes Clara, not Bruno.", PEOPLE, "name-changed"),
    ("Rosalind reviews the contract on pier four.", PEOPLE, "name-changed"),
    ("The crane comes on Tuesday.", DAY, "other-day"),
    ("The crane comes on Thursday, with a check per month.", DAY, "other-day"),
    ("Pings are 40 s apart.", WAIT, "other-unit"),
    ("5 of 9 buoys answered.", UNIT, "other-part"),
    ("The median went from 97 ms to 812 ms.", ENDS, "swapped-ends"),
    ("Die Tarife wurden geändert.", LEFT, "negation"),
    ("archive/2019.zip has not been deleted.", DONE, "done"),
    ("harbour/rates.csv must never be edited.", LIFTED, "lifted"),
    ("資料は中村さんに送る。", JAPANESE, "name-changed"),
    ("已通知陈琳和王敏。", CHINESE, "done"),
    ("The error is in dock.ts:181.", LINE, "other-line"),
]
NEAR = [
    ("The inspection on pier four comes before the barrier opens.", ORDER),
    ("The nightly build failed; it passes now.", BUILD),
    ("The old certificate must not be deleted.", KEY),
    ("Solveig Aamodt is invited, Dr. Petterson pays, Herr Lindqvist drives.", PEOPLE),
    ("Bruno writes, not Clara; the contract is Marguerite's to review.", PEOPLE),
    ("The crane comes next Thursday; one check weekly.", DAY),
    ("Two pings are 0.04 s apart; 6 of 9 buoys were silent.", UNIT),
    ("The median is 97 ms, down from 812 ms.", ENDS),
    ("Die Tarife blieben, wie sie waren.", LEFT),
    ("Die Tarife sollen nicht geändert werden.", LEFT),
    ("archive/2019.zip is gone.", DONE),
    ("harbour/rates.csv could not be edited until the audit was over; that is lifted.", LIFTED),
    ("資料は田村さんに送った。", JAPANESE),
    ("陈琳和王敏尚未通知。", CHINESE),
    ("The error is in dock.ts:118.", LINE),
    ("The harbour returned two crates, 62 accepted.", CRATES),
    ("Solveig Aasen came, Solveig paid. Solveig wrote, then Solveig left; Solveig is back.", PEOPLE),
    ("The lamp may be replaced once Ragnhild has emptied the locker.", LOCKER),
]


@pytest.mark.parametrize(("body", "rows", "rule"), HITS)
def test_what_is_exchanged_is_named_with_its_source(body, rows, rule):
    assert rule in [one for one, _ in noticed(body, *rows)]
    assert all(source for _, source in accusations(body, *rows))


@pytest.mark.parametrize(("body", "rows"), NEAR)
def test_the_same_in_other_words_is_not(body, rows):
    assert accusations(body, *rows) == []
