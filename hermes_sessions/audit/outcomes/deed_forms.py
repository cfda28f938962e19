"""How a clause reports a deed as done: the verb in its past form, by the language of the text. Pure."""

from collections.abc import Iterator
from typing import Final

from hermes_sessions.audit.checking.inventions import language_of
from hermes_sessions.late_patterns import late_pattern

_BEFORE_ENGLISH: Final = (
    r"(?:I|we|he|she|they|who|was|were|is|are|has|have|had|been|be|and|it|[A-Z]\w+)"
    r"(?: (?:also|then|already|now|just|all|been|has|have|had|was|were|even|once|later)){0,3}"
)
_IRREGULAR_ENGLISH: Final = (
    "sent|built|written|wrote|made|paid|bought|sold|ran|run|found|told|taken|took|gave|given|held|kept|put|set"
    "|read|proofread|drawn|drew|met|won|lost|chosen|chose|begun|began|left|got|brought|spoke|spoken|saw|seen"
    "|heard|went|gone|came|done|did"
)
_FORMS: Final = {
    "en": rf"\b{_BEFORE_ENGLISH} (\w{{2,}}ed|{_IRREGULAR_ENGLISH})\b",
    "de": r"\b((?:\w{0,8}ge[a-zäöüß]{2,}(?:t|en)|\w{3,}iert"
    r"|(?:über|ver|er|be|ent|zer|wider|unter)[a-zäöüß]{3,}(?:t|en)))\b",
    "fr": r"\b(?:j['’]ai|a|ont|as|avons|avez|été|est|sont|suis)"
    r"(?: (?:aussi|déjà|ensuite|bien|tout|été|également|encore)){0,3}"
    r" (\w{2,}(?:ée?s?|ie?|ue?s?)|faite?s?|mise?s?|écrite?s?|prise?s?)\b",
    "es": r"\b(?:he|ha|han|hemos|fue|fueron|sido|está|están|quedó)(?: (?:ya|también|luego|sido|además)){0,3}"
    r" (\w{2,}[ai]d[oa]s?|hech[oa]s?|escrit[oa]s?|puest[oa]s?|abiert[oa]s?|vist[oa]s?)\b"
    r"|\b(\w{3,}(?:é|ó|aron|ieron))\b",
    "pt": r"\b(?:foi|foram|está|sido|tinha|tenho)(?: (?:já|também|depois)){0,3}"
    r" (\w{2,}[ai]d[oa]s?|feit[oa]s?|escrit[oa]s?)\b|\b(\w{3,}(?:ei|ou|eu|iu|aram|eram|iram))\b",
    "it": r"\b(?:ho|ha|hanno|abbiamo|è|sono|stat[oaie])(?: (?:già|anche|poi|stat[oaie]|inoltre|subito)){0,3}"
    r" (\w{2,}[aui]t[oaie]|fatt[oaie]|scritt[oaie]|mess[oaie]|pres[oaie]|chius[oaie])\b",
    "nl": r"\b((?:\w{0,6}ge[a-z]{2,}(?:d|t|en)|(?:ver|be|her|ont)[a-z]{3,}(?:d|t|en)))\b",
    "pl": r"\b(\w{2,}(?:ano|ono|ęto|ato|łem|łam|ła?|li|ły|an[ya]|on[ya]))\b",
    "ru": r"\b(\w{2,}(?:[еа]н[аоы]?|ён|ят[ао]?|[иае]л[аи]?|[аи]л[аи]?сь))\b",
    "zh": r"已经?([\u4e00-\u9fff]{2})",
    "ja": r"([\u4e00-\u9fff]{2})(?:した|しました|済み|された)",
}
PAST_DEEDS: Final = {language: late_pattern(shape) for language, shape in _FORMS.items()}
"""Language -> a form whose first group that is there is the verb."""


_AHEAD_FORMS: Final = {
    "en": r"\b(?:will|shall|(?:is|are) going to)(?: (?:also|then|now|be|have)){0,2} ([a-z]{3,})\b",
    "de": r"\b(?:wird|werden)\b[^.;,\n]{0,60}?\b([a-zäöüß]{3,}e?n)(?=[\s.,;]|$)",
    "fr": r"\b([^\W\d_]{3,}(?:era|eront|ira|iront|dra|dront))\b",
    "es": r"\b([^\W\d_]{2,}(?:ará|erá|irá|drá|arán|erán|irán|drán))\b",
    "pt": r"\b([^\W\d_]{2,}(?:ará|erá|irá|arão|erão|irão))\b",
    "it": r"\b([^\W\d_]{2,}(?:erà|irà|arà|drà|eranno|iranno|aranno))\b",
    "nl": r"\b(?:zal|zullen)\b[^.;,\n]{0,60}?\b([a-z]{3,}en)(?=[\s.,;]|$)",
    "pl": r"\b(?:będzie|będą) ([^\W\d_]{3,}(?:ać|ić|yć|eć|ał[ay]?|ił[ay]?))\b",
    "ru": r"\b(?:будет|будут) ([^\W\d_]{3,}(?:ть|ться))\b",
}
_TO_COME: Final = {language: late_pattern(shape) for language, shape in _AHEAD_FORMS.items()}


def deeds_to_come(text: str, language: str) -> Iterator[str]:
    """Yield the verbs of *text* that say what will be; none in a language that is not read."""
    shape = _TO_COME.get(language)
    for match in shape.finditer(text) if shape else ():
        yield match[1]


def past_deeds(text: str, language: str) -> Iterator[str]:
    """Yield the verbs of *text* that report something as done; none in a language that is not read."""
    shape = PAST_DEEDS.get(language)
    for match in shape.finditer(text) if shape else ():
        yield next(one for one in match.groups() if one)


_SMALL: Final = {
    name: frozenset(words.split())
    for name, words in (
        ("nl", "het een niet wordt werd naar zijn maar ook voor door nog"),
        ("pl", "się jest nie dla oraz przez został została zostało tylko już jeszcze"),
    )
}
_LEAST: Final = 3


def language_of_deeds(text: str) -> str:
    """Return the language of *text*, of two more than are told apart by their small words elsewhere."""
    words = set(text.casefold().split())
    own = next((name for name, small in _SMALL.items() if len(words & small) >= _LEAST), "")
    return own or language_of(text)
