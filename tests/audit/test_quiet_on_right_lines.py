"""Right lines in forms that look like another thing: nobody is warned of them."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import assistant, compacted, tool, user

RIGHT = {
    "a difference in brackets, after the word that compares": (
        (
            assistant("Straw 12.00, hay 360.00, oats 16.20: total 388.20 euros."),
            user("Ten per cent more of the hay, please."),
            assistant("Then hay 24.75 kg, 396 euros; in all 424.20 euros."),
        ),
        "straw, hay 24.75 kg, with 10 % more (36 euros), oats. In all 424.20 euros.",
    ),
    "no failures, where the last run counts none": (
        (
            tool("c1", "2 failed, 133 passed in 17.90s"),
            assistant("Two are left."),
            tool("c2", "135 passed in 18.05s"),
        ),
        "Tests: first 2 failures, at the end 0 failures and 135 passed.",
    ),
    "by the month and by the year": (
        (
            user("Growing the cellar costs 70 EUR a month more and hides the damp."),
            assistant("Noted: no growing."),
        ),
        "The larger cellar was refused over 70 EUR more each month (840 EUR a year): it hides the damp.",
    ),
    "a figure that a tool shows without its unit": (
        (
            tool("c1", "time   temp  humidity\n07:00  38.6  12.0\n07:20  36.2  15.0\n"),
            assistant("Two readings above 33 °C, with humidity of 12 to 15 %. The logger lay in the sun."),
        ),
        "- Two hot readings in that bay (36.2 to 38.6 °C) come from the logger lying in the sun.",
    ),
    "words between strokes that are no file": (
        (
            user("Limits by tier: partner 120 a minute, free 60, internal none."),
            assistant("limit.py has them, as a sliding window now."),
        ),
        "- limit.py: rewritten as a sliding window, tiers partner/free/internal.",
    ),
    "a question in bold letters, and its answer": (
        (
            user("Can the choir use hall K4?"),
            tool("c1", '[{"hall": "K4", "note": "K4: floor varnishing announced for week of 3 May"}]'),
        ),
        "**Why not K4?** A floor varnishing is announced for that week.",
    ),
    "a value that somebody says will change": (
        (
            assistant("The upload server takes 40 MB a request, and 12 files."),
            user("The host says the limit of 40 MB will rise to 90 MB in June, don't count on it."),
        ),
        "Limit of the server: 40 MB and 12 files a request.",
    ),
    "one version that becomes another": (
        (
            user("Move the ledger from PG 12 to PG 15."),
            assistant("15 is rehearsed on the copy. Going back to 12 hasn't been rehearsed."),
        ),
        "ledger, PG 12 -> 15, rehearsed on the copy only.",
    ),
    "what *but* joins": (
        (
            tool("c1", "bus 311 arrives 08:17 breakdown"),
            assistant(
                "Bus 311 broke down, the boy was seated for paper 1 at 08:24, before its start at 08:30."
            ),
        ),
        "It had broken down and got in at 08:17, but the boy was seated six minutes before the first paper.",
    ),
    "one of ten": (
        (assistant("Ten photos of the drone come to some 68 MB; the limit is 50 MB."),),
        "Only the drone is concerned (average 6.8 MB per photo).",
    ),
    "labels in a row of a tool": (
        (tool("c1", "batches 31    split: 0    network retries: 17"),),
        "17 network retries, no batch split.",
    ),
    "two words that a denial shares with another sentence": (
        (
            user("Get the papers of Nakano and Ruiz."),
            tool("c1", "Nakano 2019: abstract only, mail to the authors unanswered"),
            assistant("I fetch the 16 full texts."),
        ),
        "Nakano: no full text, the authors don't reply.",
    ),
    "an entry of a list": (
        (user("Don't touch the November run, it is already locked."),),
        "## Locked, hands off\n- November run.\n",
    ),
    "the figure of one thing, and of all together": (
        (
            tool("c1", "relname size\nharvest 212 GB\nweather 491 GB\ndump 61 GB"),
            assistant("Together the databases occupy about 703 GB on the old machine."),
        ),
        "The dump came to 61 GB, less than a third of the 212 GB the database occupies on the old machine.",
    ),
    "a ban in the form of a noun and a verb": (
        (user("古い棚を勝手に処分しないで、写真を撮って一覧にしてください。"), assistant("わかりました。")),
        "古い棚を勝手に処分せず、写真を撮って一覧にする。",
    ),
    "a word that begins like another for falling": (
        (user("Die Tombola brachte nicht 1240, sondern 1420 Euro."), assistant("Berichtigt.")),
        "Einnahmen berichtigt, Tombola von 1240 auf 1420 Euro.",
    ),
    "days before a deadline": (
        (user("Le dossier : dépôt avant le 15 décembre, 17 h, en ligne. Je le dépose le 10 décembre."),),
        "- Déposer le dossier le 10 décembre, cinq jours avant l'échéance.",
    ),
    "two numbers of one sentence and why": (
        (assistant("Room 4.08 is taken on the 17th in the evening by a fire drill, 4.11 would be free."),),
        "Room 4.11 had to do for 4.08 in the evening because of a fire drill.",
    ),
    "what was planned, beside what holds": (
        (
            user("Wir ziehen die Kasse um. Geplant ist Kassensoft 9."),
            assistant("Notiert: Kassensoft 9."),
            user("Herr Okan sagt, wir nehmen doch Kassensoft 8, die 9 ist nicht freigegeben."),
            assistant("Verstanden: Kassensoft 8."),
        ),
        "- **Entscheidung:** Ziel ist Kassensoft 8, nicht wie geplant 9; die 9 ist nicht freigegeben.",
    ),
    "what could be done was done": (
        (
            tool("c1", "rows 88, harbour set 61, left 27"),
            assistant("Of the 88 rows without a harbour 61 could be filled from the log, 27 are left."),
        ),
        "The script ran: 61 harbours filled in, 27 rows left.",
    ),
    "half of a sentence that says it": (
        (assistant("The parcel sticker failed: the sticker service answers with 503."),),
        "Creating the parcel sticker failed with a 503 from the sticker service.",
    ),
    "two things that are both forbidden": (
        (user("Правило: тетради учеников не выбрасывать и не исправлять."), assistant("Понял.")),
        "- тетради не исправлять и не выбрасывать;",
    ),
    "what was asked for, and turned out otherwise": (
        (
            user("Dana Ruiz on day one, Piet Haan on day two."),
            tool("c1", "desk: Ms Ruiz only on the 9th. Mr Haan either day."),
            assistant(
                "Ruiz can only come on the 9th. So swap: Haan opens on the 8th, Ruiz speaks on the 9th."
            ),
        ),
        "Conférences : Piet Haan ouvre le 8, Dana Ruiz parle le 9.",
    ),
    "a value and its correction": (
        (
            user("Don't run the payroll yet. The rate: use 1.0842 USD per EUR. Correction: 1.0867."),
            assistant("Noted."),
        ),
        "The rate is 1.0867 USD per EUR.",
    ),
}


@pytest.mark.parametrize(("rows", "body"), RIGHT.values(), ids=RIGHT)
def test_a_right_line_is_no_accusation(rows, body):
    found = compacted(rows, body=body).measured().deviations
    assert [(one.rule, one.value, one.source) for one in found if one.grade is not Grade.NOT_VERBATIM] == []


@pytest.mark.parametrize(
    ("rows", "body"),
    [
        (RIGHT["one of ten"][0], "The limit is 5.0 MB for photos of the drone."),
        (
            (user("Do not touch the November run of the payroll, it is already locked."),),
            "The November run of the payroll may be touched, it is already locked.",
        ),
        (
            (assistant("Room 4.08 has 31 seats and a screen, 4.11 has 12 and a sink."),),
            "Room 4.08 has 12 seats and a sink, 4.11 has 31 and a screen.",
        ),
    ],
)
def test_its_wrong_neighbour_is_one(rows, body):
    found = compacted(rows, body=body).measured().deviations
    assert [one for one in found if one.grade is not Grade.NOT_VERBATIM]
