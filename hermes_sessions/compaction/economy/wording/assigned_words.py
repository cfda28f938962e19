"""Which word a sentence gives to which attribute of which thing, where the word is of no kind of value. Pure.

*The codec of ingest-api is zstd*, later *the codec of ingest-api is gzip now*: no rule knows a codec, but both
name the thing and the attribute, and an attribute that *is* something has one value. So has what a
sentence gives up by name: *gzip instead of zstd*.
"""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.compaction.economy.wording.joined_names import JOINED_NAME
from hermes_sessions.late_patterns import late_pattern

_WORD: Final = late_pattern(r"\w[\w+#.,-]*\w|\w")
_HAN: Final = late_pattern(r"[\u3040-\u30ff\u3400-\u9fff]")
_VALUE: Final = r"(?P<value>[`\"'«“]?[\w+#./-]{1,40}(?: [\w+#./-]{1,20})?[`\"'»”]?)"
_NOW: Final = r"(?:(?:now|currently|from now on|instead|jetzt|nun|ab sofort|ahora|désormais|maintenant|ora|agora|теперь|现在)[ ,:]?\s?)?"
_IS: Final = late_pattern(
    r"^(?P<before>[^.;!?。]{3,120}?)"
    rf"(?:\s(?:is|becomes|stays|remains|ist|wird|bleibt|est|sera|devient|es|será|è|sarà|é|será|=|→|->)\s|\s?[:：=]\s|(?:是|为|改为|改成|改用|は)\s?)\s?{_NOW}"
    rf"{_VALUE}(?P<rest>[^.;!?。]{{0,40}})[.!。]?$",
    re.I,
)
_TO: Final = late_pattern(
    r"^\W{0,3}(?:please |bitte |now )?(?P<before>(?:set|change|switch|move|make|put|stell\w{0,2}|setz\w{0,2}|änder\w{0,2}|mets|passe|change|cambia|pon|把|将)[^.;!?。]{3,100}?)"
    rf"(?:\sfrom\s\S{{1,40}})?(?:\s(?:to|auf|à|a|en)\s|(?:改为|改成|设为)\s?){_VALUE}(?P<rest>[^.;!?。]{{0,30}})[.!。]?$",
    re.I,
)
_LABEL: Final = late_pattern(
    r"^\W{0,3}[^\W\d_]{2,20}(?: [^\W\d_]{2,12})?\s?[:：] ?(?=.{0,80}[-_/.].{0,60}(?:[:：= ]))"
)
"""*Update:*, *Decision:* before the sentence itself."""

_OPEN: Final = late_pattern(
    r"(?i)\b(?:a|an|one|some|another|also|too|an?other|first|second|next|ein|eine[nrms]?|auch|noch|un|une|uno|una|aussi|también|anche|também)\b|也|还|一个"
)
"""A word with which an attribute may have several values."""

_ARTICLE: Final = late_pattern(
    r"(?i)^(?:the|a|an|this|that|not|no|der|die|das|den|dem|ein\w{0,2}|kein\w{0,2}|nicht|le|la|les|l['’]|un|une|pas|el|los|las|una|no|il|lo|gli|o|os|as|in|on|at|im|am|from|by|for|von|to|done|ready|fixed|broken|true|false)\b"
)
_GIVEN_UP: Final = late_pattern(
    r"(?i)(?:\b(?:instead of|rather than|in place of|no longer|not|replac(?:es|ing|ed)|statt|anstelle von|anstatt|nicht mehr|nicht|kein\w{0,2}|ersetzt|n['’]est plus|au lieu d[eu]|à la place d[eu]|remplace|plus de|en vez de|en lugar de|ya no|reemplaza|sustituye a|invece di|al posto di|em vez de|вместо|не)"
    r"|而不是|不再是|不再用|不用|取代|代替|の代わり)\s?(?:the |the old |das |den |die |le |la |el )?[`\"'«“]?(?P<old>[A-Za-z][\w+#.-]{1,40}|\d[\d.,]{0,20})"
)
_MOVED: Final = late_pattern(
    r"(?i)\b(?:from|von|de|da) (?P<old>\d[\d.,]{0,20}|[A-Za-z][\w+#.-]{1,40}) (?:to|auf|à|a|para) \S"
)
"""*I moved the limit from 30 to 40.*"""

_SMALL: Final = frozenset(
    "the our its of for to in on at and is are set change switch move make put please now use uses"
    " der die das den dem des von vom für auf im am und ist bitte jetzt stell stelle setz setze ändere"
    " le la les l du de des d pour sur en est mets passe el los del para es pon cambia il lo di per a da do"
    " decision outcome update correction entscheidung décision decisión".split()
)
_NO_VALUES: Final = _SMALL | frozenset(
    "what that this all any only just yet be been have has do does was were can will so as if more less much"
    " was ganz nur mehr alles ce que tout plus lo que todo".split()
)


class Assigned(NamedTuple):
    """What a sentence sets: an attribute of things that it names, to a word."""

    names: frozenset[str]
    attribute: frozenset[str]
    value: str


@lru_cache(maxsize=65_536)
def assigned(text: str) -> Assigned | None:
    """Return what a sentence sets; None where it does not say so plainly, or of nothing that it names."""
    if not JOINED_NAME.search(text):
        return None
    text = _LABEL.sub("", text)
    found = _IS.match(text) or _TO.match(text)
    if found is None or _OPEN.search(found["before"]) or _ARTICLE.match(found["value"]):
        return None
    names = frozenset(name.lower() for name in JOINED_NAME.findall(found["before"]))
    attribute = _words(JOINED_NAME.sub(" ", found["before"]))
    value = found["value"].strip("`\"'«»“”").split()[0].lower()
    if not names or not 0 < len(attribute) <= 4 or value in names:
        return None
    return Assigned(names, attribute, value)


@lru_cache(maxsize=65_536)
def gives_up(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the things that a sentence names, and the words that it gives up for another."""
    if not JOINED_NAME.search(text):
        return frozenset(), frozenset()
    old = (
        frozenset(
            found["old"].lower().rstrip(".,")
            for shape in (_GIVEN_UP, _MOVED)
            for found in shape.finditer(text)
        )
        - _NO_VALUES
    )
    return (
        (frozenset(name.lower() for name in JOINED_NAME.findall(text)) - old, old)
        if old
        else (frozenset(), old)
    )


@lru_cache(maxsize=65_536)
def told_words(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the things that a sentence names, and its other words."""
    return frozenset(name.lower() for name in JOINED_NAME.findall(text)), _words(JOINED_NAME.sub(" ", text))


def _words(text: str) -> frozenset[str]:
    lowered = text.lower()
    return frozenset((*_WORD.findall(_HAN.sub(" ", lowered)), *_HAN.findall(lowered))) - _SMALL
