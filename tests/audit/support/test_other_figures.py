"""A figure of a handoff is held against the best place of another one: warned of, noted, or right."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import assistant, call, compacted, tool, user

MILL = (
    user("The sluice keeper is Agata Brzoza. Which pump feeds the upper basin, and how long may it run?"),
    assistant("The upper basin is fed by pump-west-3; it may run for 45 minutes before it has to rest."),
    assistant(
        "The inspection report of the eel ladder is due on 14 May. Silt measured behind the weir: 380 kg."
    ),
    user("The fishing club gets the key on 23 May. The gravel for the dam costs 1,640 €."),
    assistant("Silt measured behind the weir: 295 kg after the flush."),
    tool("c1", "turbine vibration 2.7 mm/s\nbearing temperature 61\ninspection of pump-east-9 on 2027-03-18"),
    assistant("The invoice over 2,915.40 € for the sluice gate has been paid, reference SG-4471."),
)
SURE = [
    ("The upper basin is fed by pump-east-9, which has to rest after 45 minutes.", "pump-west-3"),
    ("The inspection report of the eel ladder is due on 23 May.", "14 May"),
    ("The invoice for the sluice gate (SG-4471) was 1,640 € and has been paid.", "2,915.40"),
]
FAITHFUL = [
    "The upper basin is fed by pump-west-3, which has to rest after 45 minutes.",
    "The inspection report of the eel ladder is due on 14 May.",
    "The invoice for the sluice gate (SG-4471) was 2,915.40 € and has been paid.",
    "Silt behind the weir, measured after the flush: 295 kg.",
    "The club gets its key on 23 May; the gravel costs 1,640 €.",
    "pump-east-9 is inspected on 18 March.",
]


WAYS = {"of-another", "set-since", "stands-elsewhere", "stands-nearer", "replaced-since", "crosswise"}


def told(body, *rows):
    """What is said of the figures of *body*: the grade, the value and the source's."""
    found = compacted(rows, body=body).measured().deviations
    return {(one.grade, one.value, one.source) for one in found if one.rule in WAYS}


@pytest.mark.parametrize(("body", "source"), SURE)
def test_a_figure_of_something_else_is_warned_of(body, source):
    assert source in {there for grade, _, there in told(body, *MILL) if grade is Grade.CONTRADICTS}


@pytest.mark.parametrize("body", FAITHFUL)
def test_a_figure_at_its_place_is_right(body):
    assert told(body, *MILL) == set()


GREENHOUSE = (
    user("The heating mat of the greenhouse draws 340 watts, the fan in the gable 75."),
    assistant("Noted. The pump for the rain barrel needs 12 bar at most."),
    user("The awning motor?"),
    assistant("The awning motor of Brandt & Co takes 210."),
)


def test_where_the_source_stands_weakly_behind_a_figure_another_measure_notes_it():
    assert told("The fan in the gable takes 210.", *GREENHOUSE) == {(Grade.NOT_VERBATIM, "210", "75")}
    assert told("The fan in the gable draws 75 watts.", *GREENHOUSE) == set()


RETRIES = (
    assistant("In worker.toml it says RETRY_LIMIT = 4 and IDLE_SECONDS = 90."),
    user("That is too few, please change it."),
    assistant("", call("sh", command="sed -i 's/RETRY_LIMIT = 4/RETRY_LIMIT = 7/' worker.toml")),
    tool("c1", "ok"),
    assistant("Done; worker.toml is shared by 4 workers."),
)


def test_the_value_that_an_edit_set_counts():
    found = told("worker.toml: RETRY_LIMIT is 4.", *RETRIES)
    assert {(value, source) for grade, value, source in found if grade is Grade.CONTRADICTS} == {("4", "7")}
    assert told("worker.toml: RETRY_LIMIT is 7.", *RETRIES) == set()
    assert told("worker.toml: IDLE_SECONDS is 90.", *RETRIES) == set()


def test_a_figure_that_a_later_sentence_gives_without_its_name_is_right():
    rows = (
        assistant("The answer time of the atlas cluster is 640 ms after the first hour, too slow."),
        user("Keep watching."),
        assistant("After three hours: 410 ms."),
    )
    assert told("The answer time of the atlas cluster is 410 ms after three hours.", *rows) == set()


@pytest.mark.parametrize(
    ("altered", "faithful"),
    [
        ("Der Kahn nach Rabenau legt um 17:20 ab.", "Der Kahn nach Rabenau legt um 6:50 ab."),
        ("Rabenau : départ à 17:20.", "Rabenau : départ à 6:50."),
    ],
)
def test_of_two_figures_of_one_sentence_each_has_its_own_words(altered, faithful):
    rows = (user("The boat to Rabenau leaves at 6:50, the boat to Kolmitz at 17:20."),)
    assert told(altered, *rows)
    assert told(faithful, *rows) == set()


LEDGER = (
    user("The job hangs. `post_entry` writes each line twice, because it opens the journal in a loop."),
    assistant("I see; `close_month` only sums what is there, `read_ledger` parses the file."),
    tool("c1", "16:10 opening words, 17:25 choir of the tannery, 18:50 fireworks"),
)


@pytest.mark.parametrize(
    ("altered", "source", "faithful"),
    [
        (
            "Cause: `close_month` writes each line twice since it opens the journal in a loop.",
            "post_entry",
            "Cause: `post_entry` writes each line twice since it opens the journal in a loop.",
        ),
        ("Choir of the tannery: 18:50", "17:25", "Choir of the tannery: 17:25"),
    ],
)
def test_identifiers_and_entries_of_a_list_are_held_like_figures(altered, source, faithful):
    assert source in {there for _, _, there in told(altered, *LEDGER)}
    assert told(faithful, *LEDGER) == set()


def test_who_does_what_somebody_else_does_is_noticed():
    rows = (
        assistant("Rufus books the hall. Elsbeth was asked, Rufus has his phone off today."),
        user(
            "Thank Rufus for the hall. The deed of the ferry, for the notary at Kolmitz: Elsbeth brings it."
        ),
    )
    wrong = told("The deed of the ferry is brought to the notary at Kolmitz by Rufus.", *rows)
    assert ("Rufus", "Elsbeth") in {(value, source) for _, value, source in wrong}
    assert told("The deed of the ferry is brought to the notary at Kolmitz by Elsbeth.", *rows) == set()


def test_a_place_that_names_little_of_a_figure_is_not_enough_for_a_warning():
    rows = (
        tool("c1", "sample  mass_g  K4     wells\nQ1      1.2     0.991  3"),
        assistant("Well D7 of Q1 at 9 mM has a bubble, probably."),
    )
    body = "One well of Q1 (D7, 9 mM) is left out on account of a probable bubble."
    assert Grade.CONTRADICTS not in {grade for grade, _, _ in told(body, *rows)}


OFFERS = (
    user("Compare the two offers for the church roof."),
    assistant(
        "Kestler asks 48 euros a tile, guaranteed until 14 June. Brandl asks 52, guaranteed until 30 June."
    ),
    user("The heating pump in the crypt is limited to 38 degrees. There are 57 pews."),
)


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("Kestler is guaranteed until 30 June.", True),
        ("Kestler is guaranteed until 14 June.", False),
        ("Brandl: 52 euros, guaranteed until 30 June.", False),
        ("The heating pump in the crypt is limited to 57 degrees.", True),
        ("The heating pump in the crypt is limited to 38 degrees.", False),
    ],
)
def test_a_figure_of_what_is_told_beside_it_is_noted(body: str, noted: bool) -> None:
    found = compacted(OFFERS, body=body).measured().deviations
    assert any(one.value in ("30 June", "57 degrees", "57", "30") for one in found) is noted
