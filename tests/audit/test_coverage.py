"""How much of a sentence another one holds."""

import pytest

from hermes_sessions.audit.words.coverage import bent_form, covered


@pytest.mark.parametrize(
    ("words", "by", "share"),
    [
        ({"orchard", "ladder"}, {"orchards", "gate"}, 0.5),
        ({"orchard", "ladder"}, {"ladders", "orchardist"}, 1.0),
        ({"path"}, {"paths"}, 0.0),  # a short word is itself alone
        ({"paths"}, {"path"}, 0.0),
        ({"harbo"}, {"harbour"}, 1.0),
        ({"port8"}, {"port80"}, 0.0),  # a code is no bent word
        ({"8123"}, {"8123", "gate"}, 1.0),
        (set(), {"gate"}, 0.0),
    ],
)
def test_a_bent_word_is_covered_and_a_code_is_not(words: set[str], by: set[str], share: float) -> None:
    assert covered(frozenset(words), frozenset(by)) == share


def test_words_of_one_form_cover_each_other() -> None:
    words = ("orchard", "orchards", "path", "paths", "harbo", "port8", "port80", "落地窗户前", "落地窗户后")
    for one in words:
        for other in words:
            assert (covered(frozenset([one]), {other}) == 1.0) == (bent_form(one) == bent_form(other))
