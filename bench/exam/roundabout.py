"""Rules and decisions in words of their own, without never, must or decided; in five languages."""

import random
from typing import Final

from bench.exam.needles import Needle, NeedleMaker

_SAID: Final = {
    "en": (
        "{name} is somebody else's, so we keep our hands in our pockets there.",
        "If {name} needs a restart, that is Ines's call and hers alone.",
        "Whatever happens to {name} has to be signed by two of us.",
        "We want nothing of {name} to show up in the printed reports.",
        "Anyone who needs {name} opens a request and waits for the answer.",
        "Let sleeping dogs lie: {name} keeps running as it is until spring.",
        "As far as {name} is concerned, nights and weekends are taboo.",
        "{name} moves to the new cluster after all.",
        "Out of the three proposals the one for {name} won.",
        "So {name} it is; the other candidates are off the table.",
        "Then {name} gets its own queue from the next release on.",
        "We are better off with {name} in one piece than split in two.",
        "I thought about it once more: {name} goes first, the rest follows.",
    ),
    "de": (
        "{name} fassen wir bis auf Weiteres nicht mit der Kneifzange an.",
        "Wer an {name} etwas drehen will, klärt das mit Ines.",
        "Mit {name} ist am Wochenende Ruhe.",
        "{name} bleibt so, wie es ist, auch wenn es weh tut.",
        "Dann machen wir {name} doch zuerst und den Rest danach.",
        "Für {name} fällt die Wahl auf den zweiten Vorschlag.",
        "{name} zieht nun doch auf den neuen Cluster um.",
    ),
    "es": (
        "De {name} se encarga Inés y nadie más.",
        "{name} se queda como está hasta la primavera.",
        "Quien quiera cambiar algo en {name}, que lo hable con Inés.",
        "Al final {name} va primero y lo demás después.",
        "Para {name} nos quedamos con la segunda propuesta.",
    ),
    "fr": (
        "{name}, c'est l'affaire d'Inès et de personne d'autre.",
        "On laisse {name} tel quel jusqu'au printemps.",
        "Qui veut changer {name} en parle d'abord à Inès.",
        "Finalement {name} passe en premier, le reste suivra.",
        "Pour {name}, ce sera la deuxième proposition.",
    ),
    "zh": (
        "{name} 的事只归李娜管。",
        "{name} 在春天之前保持原样。",
        "谁想改 {name}，先跟李娜打招呼。",
        "{name} 最后还是先做，其余的往后放。",
        "{name} 就用第二个方案了。",
    ),
}  # fmt: skip


class RoundaboutMaker(NeedleMaker):
    """Makes rules and decisions that no list of wordings knows; none replaces another."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__(chance)
        self._rolls = chance

    def make(self, speaker: str, language: str) -> Needle:
        """Return what *speaker* lays down, in any of the languages."""
        number = len(self.made) + 1
        tongue = self._rolls.choice(tuple(_SAID))
        name = "".join(self._rolls.choice(part) for part in _NAMES).capitalize()
        sentence = self._rolls.choice(_SAID[tongue]).format(name=name)
        needle = Needle(
            key=f"s{number}", kind="rule", speaker=speaker, language=tongue, subject=name, value=name,
            sentence=sentence, question=f"laid down {name}",
        )  # fmt: skip
        self.made.append(needle)
        return needle


_NAMES: Final = (
    ("bel", "kor", "mar", "ost", "tal", "vin", "zem"),
    ("a", "e", "i", "o", "u"),
    ("dra", "lith", "mont", "nex", "phor", "ris", "tor"),
    ("", "is", "on", "um", "ys"),
)
