"""Labelled texts: `cases/secrets/*.txt`, one a line, a label and a tab before it.

`«…»` stands around the secret, `⏎` for a new line. `⟨a36⟩` stands for 36 random characters, the same
ones each time: no scanner of secrets takes these files for a leak. The letter says which characters.
"""

import random
import re
import string
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent / "cases" / "secrets"
_ALPHABETS: Final = {
    "a": string.ascii_letters + string.digits,
    "b": string.ascii_letters + string.digits + "+/",
    "c": string.ascii_letters,
    "d": string.digits,
    "h": "0123456789abcdef",
    "l": string.ascii_lowercase + string.digits,
    "u": string.ascii_uppercase + string.digits,
    "w": string.ascii_letters + string.digits + "-_",
}


@dataclass(frozen=True, slots=True)
class Case:
    """One text; `start` and `end` are those of its secret, both 0 where it holds none."""

    label: str
    text: str
    start: int
    end: int

    @property
    def secret(self) -> str:
        """Return what is to be masked."""
        return self.text[self.start : self.end]


def load_cases(name: str) -> list[Case]:
    """Return the cases of one file, in its order."""
    lines = (_FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [_case(line) for line in lines if line]


def _case(line: str) -> Case:
    label, _, written = line.partition("\t")
    dice = random.Random(line)
    text = re.sub(r"⟨([a-z])(\d+)⟩", lambda blank: _fill(blank, dice), written.replace("⏎", "\n"))
    before, mark, rest = text.partition("«")
    if not mark:
        return Case(label, text, 0, 0)
    secret, _, after = rest.partition("»")
    return Case(label, before + secret + after, len(before), len(before) + len(secret))


def _fill(blank: re.Match[str], dice: random.Random) -> str:
    """Return random characters; none of the signs stands at an end, where a text would not have it."""
    alphabet, length = _ALPHABETS[blank[1]], int(blank[2])
    ends = [char for char in alphabet if char.isalnum()]
    middle = dice.choices(alphabet, k=max(0, length - 2))
    return "".join([dice.choice(ends), *middle, dice.choice(ends)][:length])
