"""How many letters are wrong is told by what is left between the ends of two words."""

import random

import pytest

from hermes_sessions.audit.checking.contexts import edits, is_misread, is_misspelt


def plainly(one: str, other: str) -> int:
    """The whole table: letters changed, added, dropped, or swapped with the next one."""
    rows = [list(range(len(other) + 1))]
    for at, letter in enumerate(one, 1):
        rows.append([at])
        for place, wanted in enumerate(other, 1):
            costs = [
                rows[at - 1][place] + 1,
                rows[at][place - 1] + 1,
                rows[at - 1][place - 1] + (letter != wanted),
            ]
            if at > 1 and place > 1 and letter == other[place - 2] and one[at - 2] == wanted:
                costs.append(rows[at - 2][place - 2] + 1)
            rows[at].append(min(costs))
    return rows[-1][-1]


def altered(word: str, chance: random.Random) -> str:
    letters = list(word)
    for _ in range(chance.randint(0, 3)):
        at = chance.randint(0, len(letters))
        letters[at : at + chance.randint(0, 2)] = chance.choices("abc", k=chance.randint(0, 2))
    return "".join(letters)


@pytest.mark.parametrize("most", [1, 2])
def test_the_ends_that_both_words_have_change_nothing(most):
    chance = random.Random(most)
    for _ in range(5_000):
        one = "".join(chance.choices("abc", k=chance.randint(0, 9)))
        other = altered(one, chance)
        assert edits(one, other, most) == min(plainly(one, other), most + 1), (one, other)


def test_numbers_are_misread_by_one_digit_or_by_their_order():
    chance = random.Random(3)
    for _ in range(5_000):
        one = "".join(chance.choices("123", k=chance.randint(3, 7)))
        other = altered(one, chance).translate(str.maketrans("abc", "123"))
        alike = sorted(one) == sorted(other) or (len(other) >= 3 and plainly(one, other) == 1)
        assert is_misread(one, other) is (one != other and alike), (one, other)


@pytest.mark.parametrize(
    ("one", "other", "is_so"),
    [
        ("k8s-node-17", "K8S-node-71", True),
        ("search-stg.acme.io", "search-prd.acme.io", True),
        ("a1b2c3", "a1b2d4", False),
        ("a1b2c3d4", "a1b2d4d4", True),
        ("abc", "abd", False),
    ],
)
def test_a_word_is_misspelt_by_a_letter_or_two_or_by_a_part(one, other, is_so):
    assert is_misspelt(one, other) is is_so
