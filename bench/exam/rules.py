"""Planted rules: said once, by anybody, in five languages, and looked for after every compaction."""

import random
from typing import Final

from bench.exam.needles import Needle, NeedleMaker

_OBJECTS: Final = (
    "billing table",
    "vault code",
    "staging cluster",
    "release branch",
    "audit log",
    "mail queue",
)
_RULES: Final = {
    "en": (
        "Never disclose the {object} {name} to anybody outside the team.",
        "Do not touch the {object} {name} without explicit approval.",
        "The {object} {name} is read-only until Friday.",
        "The {object} {name} must not be deployed before the freeze ends.",
    ),
    "de": (
        "Den Eintrag {name} ({object}) niemals ohne Freigabe ändern.",
        "{name} ({object}) darf nur nach Rücksprache gelöscht werden.",
    ),
    "es": (
        "No borres nunca {name} ({object}) sin permiso.",
        "Está prohibido publicar {name} ({object}) antes del viernes.",
    ),
    "fr": (
        "Ne modifie jamais {name} ({object}) sans accord écrit.",
        "Il est interdit de publier {name} ({object}) avant vendredi.",
    ),
    "zh": ("绝不要删除 {name}（{object}）。", "未经批准不得修改 {name}（{object}）。"),
}


class RuleMaker(NeedleMaker):
    """Makes rules only; none replaces another."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__(chance)
        self._rolls = chance

    def make(self, speaker: str, language: str) -> Needle:
        """Return a rule that *speaker* sets, in any of the languages."""
        number = len(self.made) + 1
        tongue = self._rolls.choice(tuple(_RULES))
        name = f"{self._rolls.choice('BCDFGHKLMNPRSTVW')}{self._rolls.randint(1_000, 9_999)}-{number}"
        sentence = self._rolls.choice(_RULES[tongue]).format(name=name, object=self._rolls.choice(_OBJECTS))
        rule = Needle(
            key=f"r{number}", kind="rule", speaker=speaker, language=tongue, subject=name, value=name,
            sentence=sentence, question=f"rule {name}",
        )  # fmt: skip
        self.made.append(rule)
        return rule
