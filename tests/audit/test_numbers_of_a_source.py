"""Which numbers stand in a source by themselves, whether all of them were read before or not."""

import pytest

from hermes_sessions.audit.sources.written_text import WrittenText


@pytest.mark.parametrize(
    ("text", "number", "is_held"),
    [
        pytest.param("it took 4815 ms", "4815", True, id="alone"),
        pytest.param("it took 4,815 ms", "4815", True, id="grouped"),
        pytest.param("rows 7 4815 22", "4815", True, id="in a row of numbers"),
        pytest.param("id 4815_16", "4815", False, id="joined to another one"),
        pytest.param("4815'162 and 4815", "4815", True, id="joined first, then alone"),
        pytest.param("build-4815a", "4815", True, id="begins within a name"),
        pytest.param("4815" + " 1" * 200, "4815", True, id="before many others"),
        pytest.param("ratio 4815.5", "4815", True, id="before a point"),
        pytest.param("nothing of the kind", "4815", False, id="nowhere"),
    ],
)
def test_a_number_is_held(text: str, number: str, is_held: bool) -> None:
    source = WrittenText([(1, text)])
    assert source.holds_number(number) is is_held
    assert source.holds_number("99") is False  # all numbers are read now
    assert source.holds_number(number) is is_held
