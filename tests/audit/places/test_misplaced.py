"""Names, numbers and values of settings that the source has with something else."""

import pytest

from hermes_sessions.audit.alignment.align import align
from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.check import index_source
from hermes_sessions.audit.checking.asked_values import read_values
from hermes_sessions.audit.checking.deviation import Grade
from hermes_sessions.audit.checking.passages import read_passages
from hermes_sessions.audit.places.misplaced import misplaced_values
from hermes_sessions.audit.places.near_words import TextSpan, near_words
from hermes_sessions.audit.relations.statements import read_transcript
from hermes_sessions.audit.retention import read_message
from tests.audit.builders import assistant, call, compacted, tool, user


def notes_of(talk, body):
    """Return the notes on misplaced values alone: others may notice the same."""
    case = compacted(talk, body=body).conversation().compactions[0].judged
    passages = read_passages(case.body)
    source = index_source(case, lambda row: read_message(row)[0])
    aligned = align(case, passages, read_transcript(case))
    return [*misplaced_values(aligned, tuple(read_values(passages)), source)]


def found(talk, body):
    return {(one.rule, one.value, one.source) for one in notes_of(talk, body)}


HOSTS = (
    user("Set up the radio for the harbour master."),
    assistant("", call("read", path="/etc/radio.ini")),
    tool(
        "c1",
        "[main]\nurl = icecast://quay-1.hafenfunk.example:8000/day\n"
        "[spare]\nurl = hls://spare.hafenfunk.example:9100/live\nfolder = /srv/radio/takes/raw",
    ),
    assistant("", call("shell", "c2", command="cp /srv/radio/mix/evening.wav /srv/radio/takes/aired/")),
    tool("c2", "copied"),
)


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        (
            "The HLS relay at quay-1.hafenfunk.example was left alone.",
            {("beside-another", "quay-1.hafenfunk.example", "spare.hafenfunk.example")},
        ),
        ("The HLS relay at spare.hafenfunk.example was left alone.", set()),
        ("The HLS relay is no longer at quay-1.hafenfunk.example but at spare.hafenfunk.example.", set()),
        (
            "evening.wav was put into /srv/radio/takes/raw for the harbour master.",
            {("beside-another", "/srv/radio/takes/raw", "/srv/radio/takes/aired/")},
        ),
        ("evening.wav was put into /srv/radio/takes/aired for the harbour master.", set()),
        (
            "Icecast runs on spare.hafenfunk.example, and HLS on quay-1.hafenfunk.example.",
            {
                ("beside-another", "spare.hafenfunk.example", "quay-1.hafenfunk.example"),
                ("beside-another", "quay-1.hafenfunk.example", "spare.hafenfunk.example"),
            },
        ),
        ("Icecast runs on quay-1.hafenfunk.example, and HLS on spare.hafenfunk.example.", set()),
    ],
)
def test_a_name_is_noted_where_another_one_has_the_words_beside_it(body, noted):
    assert found(HOSTS, body) == noted


def test_a_note_says_where_the_source_has_the_other_name():
    (one,) = notes_of(HOSTS, "The HLS relay at quay-1.hafenfunk.example was left alone.")
    assert one.grade is Grade.NOT_VERBATIM
    assert one.source_line == "url = hls://spare.hafenfunk.example:9100/live"
    assert one.message == 3


SETTINGS = (
    user("The kiln runs too hot."),
    assistant("", call("read", path="kiln.yaml")),
    tool("c1", "ramp: 9.0e-3\nsoak: 45\nGLAZE_CHECK=WARN"),
    assistant("With twice the load I would take ramp halved (4.5e-3)."),
    user("No, leave ramp at 9e-3. And the check has to be strict."),
    assistant("", call("sql", "c2", query="update settings set value='BLOCK' where name='GLAZE_CHECK'")),
    tool("c2", "GLAZE_CHECK: WARN -> BLOCK"),
)


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("Kiln: ramp 4.5e-3.", {("given-last", "4.5e-3", "9e-3")}),
        ("Kiln: ramp 9.0e-3, soak 45.", set()),
        ("Kiln: ramp 0.009.", set()),
        ("GLAZE_CHECK is now WARN.", {("given-last", "WARN", "BLOCK")}),
        ("GLAZE_CHECK is now BLOCK.", set()),
        ("GLAZE_CHECK: WARN -> BLOCK.", set()),
        ("GLAZE_CHECK is BLOCK instead of WARN.", set()),
    ],
)
def test_a_value_is_noted_that_a_setting_does_not_have_any_more(body, noted):
    assert {one for one in found(SETTINGS, body) if one[0] == "given-last"} == noted


def test_a_value_that_comes_again_later_is_not_noted():
    talk = (*SETTINGS, user("On second thoughts 4.5e-3 for the ramp."))
    assert not found(talk, "Kiln: ramp 4.5e-3.")


MODES = (
    user("Which mode for the reader?"),
    assistant("", call("probe")),
    tool("c1", "mode 41: 0 ok (no PARITY offered)\nmode 63: PARITY ok"),
    assistant("I take 63."),
)


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("The reader has mode 41 with PARITY.", {("denied-of-it", "41", "63")}),
        ("The reader has mode 63 with PARITY.", set()),
        ("Mode 41 has no PARITY.", set()),
        ("The reader has mode 41.", set()),
    ],
)
def test_a_value_is_noted_beside_what_the_source_denies_of_it(body, noted):
    assert {one for one in found(MODES, body) if one[0] == "denied-of-it"} == noted


COUNTS = (
    user("How many answered?"),
    assistant("Of 1,240 answers 730 came from new clients and 510 from old ones."),
    assistant("The line does 94 down and 41 up."),
)


@pytest.mark.parametrize(
    ("body", "is_noted"),
    [
        ("Answers: 510 new, 730 old.", True),
        ("Answers: 730 new, 510 old.", False),
        ("The line: 41 down, 94 up.", True),
        ("The line: 94 down, 41 up.", False),
        ("Answers: 730 and 510.", False),
        ("Answers: 510 from clients, 730 from new clients, 510 from old ones.", False),
    ],
)
def test_numbers_are_noted_that_the_source_has_crosswise(body, is_noted):
    assert any(rule == "figures-swapped" for rule, *_ in found(COUNTS, body)) is is_noted


def test_words_without_a_ligature_are_the_same_words():
    assert read_items("bœuf, cæsar").words == read_items("boeuf, caesar").words


def test_what_is_farther_away_or_nearer_to_another_value_counts_less():
    text = "north 41 bar, south 63 bar. " + "x " * 40 + "west"
    found = near_words(text, TextSpan(6, 8), [TextSpan(20, 22)])
    assert found["north"] == 1.0
    assert found["north"] > found["south"] > 0
    assert "west" not in {name for name, part in found.items() if part}
