"""What a reading process sends in one piece is bounded by its texts, not by its rows alone."""

from hermes_sessions.operations.imports.parallel.family_frames import SentRows, listed

BATCHES = [SentRows("a", [(number, "x" * 400, None), (number, "y" * 100, None)]) for number in range(10)]


def test_a_family_with_short_texts_is_sent_as_it_is():
    assert listed(BATCHES, 5_000) == BATCHES


def test_of_a_family_with_long_texts_no_more_is_read_than_shows_it():
    left = iter(BATCHES)
    assert listed(left, 999) is None
    assert len(list(left)) == 8
