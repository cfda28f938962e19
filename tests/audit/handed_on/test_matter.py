"""What a text is about is the same, however its words are cut."""

from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_sessions.audit.handed_on.matter import AskedMatter, matter_of
from hermes_sessions.facts.polarity import content_words

PARTS = (
    "src/gate.py",
    "it's",
    "GATEWAY_PORT=8123",
    "`run`",
    "a.b.",
    "::x",
    "-v",
    "daily",
    "never",
    "user@host",
    "1,048",
)
TEXTS = st.lists(st.sampled_from(PARTS) | st.text("aB1_./:@+-'`, \n\x1c", max_size=8), max_size=8).map(
    " ".join
)


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_a_text_of_ascii_is_cut_as_any_other(text: str) -> None:
    assert matter_of(f"{text} é") == matter_of(text) | matter_of("é")


@settings(max_examples=200, deadline=None)
@given(TEXTS, TEXTS)
def test_words_of_two_texts_are_those_of_each(one: str, other: str) -> None:
    assert content_words(f"{one}\n{other}") == content_words(one) | content_words(other)


@settings(max_examples=300, deadline=None)
@given(TEXTS, TEXTS)
def test_what_is_asked_for_is_found_wherever_it_stands(asked: str, text: str) -> None:
    wanted = matter_of(asked)
    assert AskedMatter(wanted).in_text(text) == matter_of(text) & wanted
    assert AskedMatter(matter_of(text)).in_text(text) == matter_of(text)
