"""Words before what is announced, and how much of its own a sentence tells: names, codes, days. Pure."""

from functools import lru_cache
from typing import Final

from hermes_sessions.late_patterns import late_pattern

_ANNOUNCED: Final = late_pattern(
    r"(?i)^\W{0,3}(?:please (?:note|be advised|be aware|remember)(?: that)?|(?:kindly )?note(?: that)?|be advised(?: that)?|heads[- ]up|fyi|for your information|just so you know"
    r"|bitte beachten(?: sie)?(?:,? dass)?|bitte (?:denkt|denken sie) daran(?:,? dass)?|zur (?:info|kenntnis|erinnerung)|wir weisen darauf hin(?:,? dass)?"
    r"|(?:veuillez|merci de|prière de) noter(?: que| qu['’])?|à noter(?: que| qu['’])?|pour (?:info|information|rappel)|sachez que"
    r"|(?:por favor,? )?(?:tenga|ten|tengan) en cuenta que|se informa (?:de )?que|se ruega tomar nota de que|para (?:su|tu) información"
    r"|(?:por favor,? )?(?:note|notem|tenha em conta|saiba) que|informa-se que|para informação"
    r"|si (?:prega di notare|avvisa|informa) che|da notare che|per (?:informazione|conoscenza)"
    r"|let (?:er )?op(?: dat)?|ter (?:info|informatie)|houd er rekening mee dat|graag aandacht voor"
    r"|proszę (?:pamiętać|zwrócić uwagę|zauważyć),? że|informujemy,? że|dla informacji|uwaga"
    r"|обратите внимание,? что|(?:просьба|прошу) учесть,? что|сообщаем,? что|к сведению"
    r"|lütfen (?:unutmayın|dikkat)|bilginize)(?![\w-])[\s:：,，!-]{0,3}"
    r"|^\W{0,3}(?:请注意|请知悉|特此通知|谨此通知|温馨提示|なお|ご注意(?:ください)?|お知らせします|참고로)[\s:：,，]{0,3}"
)
_NAME: Final = late_pattern(
    r"(?<=[a-zà-ÿа-яё,;:] )[A-ZÀ-ÞА-ЯЁ][a-zà-ÿа-яё]+(?:[ -][A-ZÀ-ÞА-ЯЁ][a-zà-ÿа-яё]+){0,2}|^[A-ZÀ-Þ][a-zà-ÿ]+ [A-ZÀ-Þ][a-zà-ÿ]+"
    r"|(?<=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af、。，])\s?[A-Za-z][\w-]+(?: [A-Za-z][\w-]+)?|^[A-Za-z][\w-]+(?: [a-z][\w-]+)? ?(?=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])"
)
_FULL_NAME: Final = late_pattern(r"(?<![\w-])[A-ZÀ-ÞА-ЯЁ][a-zà-ÿа-яё]+ [A-ZÀ-ÞА-ЯЁ][a-zà-ÿа-яё]+(?![\w-])")
_CODE: Final = late_pattern(
    r"(?<![\w/.-])(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{4,24}|(?=[A-Z-]{0,8}\d)(?=\d{0,8}-?[A-ZА-Я])[A-ZА-Я0-9]{1,8}(?:[-/]?[A-ZА-Я0-9]{1,8}){0,3}|[0-9a-f]{7,40}|\d{4}-\d\d-\d\d|\d{1,2}:\d\d)(?![\w/-])"
)
_NUMBER: Final = late_pattern(
    r"(?<![\w.,:/-])\d[\d.,]*(?![\w:/-])|(?<=[\u3040-\u9fff])\d[\d.,]*|(?<![\w.])\d[\d.,]*(?=[\u3040-\u9fff])"
)
_GERMAN: Final = late_pattern(
    r"\b(?:der|die|das|dem|den|des|und|ist|sind|wird|wurde|für|von|vom|zum|zur|bei|mit|auf|aus|ein|eine|nicht|nur|ab|im|am)\b"
)


@lru_cache(maxsize=16_384)
def without_announcement(text: str) -> str:
    """Return a sentence without the words that only announce it."""
    found = _ANNOUNCED.match(text)
    return text[found.end() :] if found and len(text) - found.end() > len(text) // 3 else text


@lru_cache(maxsize=16_384)
def specifics(text: str) -> int:
    """Return how many names, codes, days and numbers a sentence tells, as far as its form shows it."""
    codes = set(_CODE.findall(text))
    rest = _CODE.sub(" ; ", text)
    names = set((_FULL_NAME if _GERMAN.search(rest) else _NAME).findall(rest))
    return len(codes) + len(names) + len(set(_NUMBER.findall(rest)))
