"""The words of a sentence that say what it is about, without their endings."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import Final

from hermes_sessions.facts.polarity import content_word
from hermes_sessions.late_patterns import late_pattern

WORD = late_pattern(r"[\w.@/:-](?<![\w.@/:-].)[\w.@/:-]*(?<=\w)|[\u2e80-\ud7ff]")
_SIGNS = late_pattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_HAN = late_pattern(r"[\u3400-\u9fff]")
_HANGUL = late_pattern(r"[\uac00-\ud7a3]")
_WEAK_HANGUL: Final = frozenset(
    "아직 않았 않음 않습 않은 않고 있습 있음 합니 했습 했다 입니 완료 이미 해야 하세 주세 그리 하지".split()
)
_RUN = late_pattern(r"[\u3400-\u9fff]+|[\u30a0-\u30ff]{2,}|[\uac00-\ud7a3]+|[A-Za-z0-9_./:-]*[A-Za-z0-9_]")
_WEAK: Final = frozenset(
    "but und aber mais pero however though time today tonight anyth everyth someth noth befor aft don doesn didn isn aren wasn weren won couldn shouldn wouldn hasn haven hadn mustn yet now still also already again first then next all any anything everything something nothing one ones it them there here here's ever while when until before after only it's i've i'm noch dabei surtout encore"
    " user agent assistant customer can could may might not very much more".split()
)


@lru_cache(maxsize=8_192)  # a sentence, and its parts, are asked for by many rules
def telling_words(text: str) -> frozenset[str]:
    """Return the words of *text* that say what it is about, without their endings."""
    return frozenset(chain.from_iterable(map(telling_parts, set(WORD.findall(text)))))


@lru_cache(maxsize=65_536)
def telling_parts(word: str) -> tuple[str, ...]:
    """Return what one word of a text tells: of a run of signs its pairs."""
    if _SIGNS.search(word):
        return tuple(_of_signs(word))
    one = content_word(word)
    return (_shortened(one),) if one and one not in _WEAK and (len(one) > 1 or one > "\u303f") else ()


def _of_signs(word: str) -> Iterator[str]:
    """Yield what a run without blanks holds: every two signs side by side, names in kana, numbers, words."""
    for run in _RUN.findall(word):
        if _HAN.match(run) and len(run) > 2:
            yield from (run[at : at + 2] for at in range(len(run) - 1))
        elif _HANGUL.match(run):
            if len(run) > 1 and run[:2] not in _WEAK_HANGUL:
                yield run[:2]
        else:
            yield run.lower()


def _shortened(word: str) -> str:
    if not word.isalpha():
        return word
    stem = word[:4] if "\u0400" <= word[0] <= "\u052f" else word[:5]
    return f"{stem[:-1]}i" if stem.endswith("y") else stem
