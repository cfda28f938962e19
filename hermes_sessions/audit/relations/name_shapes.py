"""Where people are named without a title or a form of address: by what stands before and behind a name."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from hermes_sessions.audit.words.small_words import SMALL_WORDS
from hermes_sessions.facts.wording.units import MONTHS, WEEKDAYS
from hermes_sessions.late_patterns import late_pattern

_CAP: Final = r"[A-ZÀ-ÖØ-ÞА-ЯЁĞİŞŁŚŻČŠŽ][a-zà-öø-ÿа-яёğışçöüłśżčšžńę]{1,20}"
_DOES: Final = (
    r"(?:wants?|wanted|asks|asked|flagged|finds|found|reports|reported|approves|approved|owns|reviews|reviewed|signs|signed|decides|decided|says|said|confirms|confirmed|joins|joined|insists|insisted|prefers|preferred|proposed|suggested|chose|picked|promised|refunds|refunded|switches|checks|checked|handles|handled|takes|took|sends|sent|writes|wrote|merges|merged|looks|brings|pays|paid|calls|called|will|would|found|noticed|offered|agreed|objected|volunteered|leads|led|credits|drives|tests|tested|runs|rejects|rejected|overruled"
    r"|s['’]occupe|s['’]en|règle|envoie|relit|valide|paie|signe|veut|demande|prépare|fait|prend|doit|apporte|vérifie|préfère|propose|décide|dit"
    r"|se encarga|paga|manda|firma|revisa|quiere|prefiere|propone|decide|dice|lleva|debe|hace|prepara|aprueba|avisa|envía|pide|trae"
    r"|cuida|aprova|quer|prefere|propõe|diz|leva|deve|faz|envia|pede|traz|assina|revê"
    r"|si occupa|vuole|preferisce|dice|porta|deve|fa|invia|chiede|firma|rivede|approva"
    r"|regelt|zorgt|wil|vindt|betaalt|stuurt|doet|zegt"
    r"|смотрит|посмотрит|проверит|проверяет|подпишет|решил\w?|предложил\w?|хочет|просит|займ[её]тся|отвечает|сказал\w?|отправит|согласовал\w?"
    r"|yapacak|istiyor|gönderecek|onayladı|bakacak|hazırlayacak"
    r"|chce|sprawdzi|zatwierdził\w?|wyśle|podpisze|prosi)"
)
_DOER = late_pattern(
    rf"(?<![\w./@#-])(?P<name>{_CAP})(?:,? (?:who|qui|que|quien|che|которы\w)[^,.;]{{0,3}})?,? {_DOES}(?!\w)"
)
_GERMAN_DOER = late_pattern(
    rf"(?:^|[.,;:!?] |[-*•] |\b(?:und|aber|dass|weil|wenn|ob|macht|von) )(?P<name>{_CAP}) (?:bringt|macht|prüft|übernimmt|schickt|will|möchte|fragt|sagt|zahlt|schreibt|unterschreibt|entscheidet|bestellt|holt|kümmert|findet|meint|soll|wollte|hat|testet|regelt|ruft|kommt)(?!\w)"
)
_SINO_FAMILY: Final = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范廖贾夏韦邹孟熊秦邱尹薛闫段雷侯陶黎贺顾郝龚邵钱严覃戴孔汤"
_SINO = late_pattern(
    rf"(?:(?<=[由让请找等给和跟与叫被])|(?<![\u4e00-\u9fff]))(?P<name>[{_SINO_FAMILY}][\u4e00-\u9fff]{{1,2}}?)"
    r"(?=负责|来|会|说|不|处理|检查|上线|审|确认|批准|决定|提|要|想|参加|改|做|写|看|测|部署|安排|接|先|已|明天|今天|下周|在|$|[\s,，。、；;（）()的])"
)
_KOREAN = late_pattern(
    r"(?<![가-힣])(?P<name>[김이박최정강조윤장임한오서신권황안송류홍전고문손양배백허남심노하곽성차주우구][가-힣]{2})(?=\s?(?:씨|님|입니다|이며|이고|에게|과장|팀장|대리|부장))"
)


def read_doers(text: str) -> Iterator[str]:
    """Yield the names of those who do something in *text*, as they are written."""
    if text.isascii():
        shapes: tuple[re.Pattern[str], ...] = (_DOER, _GERMAN_DOER)
    else:
        shapes = (_DOER, _GERMAN_DOER, _SINO, _KOREAN)
    for shape in shapes:
        for match in shape.finditer(text):
            yield match["name"]


_NAME: Final = r"[^\W\d_a-zß-ÿа-яё][^\W\d_A-ZÀ-ÞА-ЯЁ]{2,20}(?:-[^\W\d_a-z][^\W\d_A-Z]{2,20})?"
_ANY_NAME: Final = late_pattern(rf"(?<![\w./@#'’-])({_NAME})(?![\w/@-]|\.\w)")
_INNER: Final = late_pattern(rf"(?:(?<=[\w,;)] )|(?<=[^\W\d_] \())(?<![.!?:;] )({_NAME})(?![\w/@-]|\.\w)")
_SMALL_WORD: Final = late_pattern(r"[^\W\dA-ZÀ-ÞА-ЯЁ_](?<![\w./@-].)\w+(?![\w.-]*@)")
"""A word written small; that of a mail address is none."""
_MAIL: Final = late_pattern(r"(?<![\w.@/-])([^\W\d_][\w.-]{2,40})@\w")
_DETERMINED: Final = late_pattern(
    rf"\b(?:d(?:er|ie|as|en|em|es)|(?:[dms]?ein|kein|ihr|unser|euer)(?:e[mnrs]?)?|im|am|zum|zur|vom|beim|ins|ans|jede[mnrs]?|diese[mnrs]?|welche[mnrs]?|alle[mnrs]?|ohne|pro|viele?|mehr|\d+) (?:[a-zäöüß]{{3,}}(?:e[mnrs]?) )?({_NAME})"
)
_ACTS: Final = r"(?:[a-zäöüß]{2,}t|will|soll|kann|muss|darf|mag|lässt|wollte|hatte|sollte|wird|\w{2,}te)"
_ACTING: Final = (
    late_pattern(
        rf"(?:^|[.,;:!?] |[-*•] |\b(?:und|aber|dass|weil|wenn|ob|dann|denn) )({_NAME}) {_ACTS}\b", re.M
    ),
    late_pattern(
        rf"\b{_ACTS} ({_NAME})(?= (?:ab|bis|bitte|noch|schon|nicht|auch|nur|d(?:er|ie|as|en|em)|eine?[nmr]?|es|sie|ihn)\b|[.,;!?]|$)",
        re.M,
    ),
    late_pattern(
        rf"\b(?:von|an|mit|bei|für|durch) ({_NAME})(?= (?:ist|sind|wird|war|hat|statt)\b|[.,;:!?)]|$)", re.M
    ),
)
"""Where German, whose nouns all have capitals, has a name: without an article, before or behind a verb."""
_IS_GERMAN: Final = late_pattern(
    r"\b(?:der|das|dem|den|und|ist|nicht|muss|eine?[mnrs]?|für|mit|keine?|wird|vor|vom|zum|bitte)\b"
)
_PLACE: Final = late_pattern(
    rf"\b(?:in|at|near|from|into|nach|aus|en|dans|vers|em|hacia|desde|naar|uit|w|z|we|ze|в|во|из|near|[Ss]t\.?) ({_NAME})(?: (?:to|nach|à|a|para|do|на|naar) ({_NAME}))?"
)
"""What something is in, comes from or goes to is no person."""
_NOUN: Final = late_pattern(r"\w{3,}(?:ung|heit|keit|schaft|tion|tät|nis|ment|chen|lein|ungen|tionen|ieren)")
_NO_NAMES: Final = (
    frozenset(WEEKDAYS)
    | frozenset(MONTHS)
    | frozenset(f"{one}s" for one in WEEKDAYS)
    | {"herr", "herrn", "frau"}
)
_GERMAN_SHARE: Final = 0.004


def names_by_shape(texts: Sequence[str], claims: Sequence[str] = ()) -> frozenset[str]:
    """Return the words that have a capital where only names have one, and are nowhere written small; in small letters.

    In German a name stands without an article beside a verb, or behind a preposition. A name that has its capital
    only in *claims* in such a place counts where *texts* have it, too, unless one of these is German.
    """
    names = _by_shape(texts)
    told = "\n".join(claims)
    if not told or any(map(is_german, (told, *texts))) or not (more := _by_shape((told,)) - names):
        return names
    small = {one for text in texts for one in _SMALL_WORD.findall(text)}
    return names | ((more - small) & {one.casefold() for text in texts for one in _ANY_NAME.findall(text)})


def _by_shape(texts: Sequence[str]) -> frozenset[str]:
    small = {one for text in texts for one in _SMALL_WORD.findall(text)}
    german = [text for text in texts if is_german(text)]
    if len(german) * 2 > len(texts):
        german = list(texts)
    found = set(_inner(set(texts).difference(german))) if len(german) < len(texts) else set()
    if german:
        determined = {one for text in german for one in _DETERMINED.findall(text)}
        found |= {
            one
            for text in german
            for shape in _ACTING
            for one in shape.findall(text)
            if one not in determined and _NOUN.fullmatch(one) is None
        }
    names = frozenset(one.casefold() for one in found)
    return names - small - SMALL_WORDS - _NO_NAMES


def names_by_mail(texts: Sequence[str]) -> frozenset[str]:
    """Return the words that are written as names and that a mail address begins with, in small letters."""
    found = {
        part.casefold() for text in texts for one in _MAIL.findall(text) for part in re.split(r"[._-]", one)
    }
    if not found:
        return frozenset()
    return frozenset(name.casefold() for text in texts for name in _ANY_NAME.findall(text)) & found


def names_of_places(texts: Sequence[str]) -> frozenset[str]:
    """Return the names that something is in, comes from or goes to, in small letters."""
    return frozenset(
        one.casefold() for text in texts for found in _PLACE.findall(text) for one in found if one
    )


def _inner(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from _INNER.findall(text)


@lru_cache(maxsize=8_192)
def is_german(text: str) -> bool:
    """Return whether *text* has words of the language in which all nouns have capitals."""
    return len(_IS_GERMAN.findall(text)) >= max(1.0, len(text) * _GERMAN_SHARE)
