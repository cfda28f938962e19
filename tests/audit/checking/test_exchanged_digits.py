"""A number with two digits exchanged is the source's one, where the words beside it agree."""

import pytest

from hermes_sessions.audit.checking.contexts import has_two_exchanged
from tests.audit.builders import assistant, user
from tests.audit.relations.test_relations import accusations

RUN = (
    user("How many rows were kept?"),
    assistant("Cursor.java:141 logs it: 306,831 rows kept, 214 dropped."),
)


@pytest.mark.parametrize(
    ("one", "other", "is_so"),
    [
        ("4471", "4417", True),
        ("308,631", "306,831", True),
        ("12", "21", False),
        ("4471", "4471", False),
        ("4471", "1447", False),
        ("4471", "44710", False),
    ],
)
def test_two_digits_stand_in_each_others_place(one, other, is_so):
    assert has_two_exchanged(one, other) is is_so


@pytest.mark.parametrize(("summary", "accused"), [("308,631 rows kept.", True), ("306,831 rows kept.", False),
    ("124 rows dropped.", True), ("Ana counted 12 birds.", False)])  # fmt: skip
def test_a_number_with_two_digits_exchanged_is_an_accusation(summary, accused):
    assert bool(accusations(summary, *RUN)) is accused
