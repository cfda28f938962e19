"""What a handoff says that nobody said: words in the user's mouth, quotations, files and commits reported as done."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode, Passage
from hermes_sessions.audit.searchable_text import one_line
from hermes_sessions.audit.words.wording import DONE, MODAL, USER, is_open
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.late_patterns import late_pattern

USER_WORDS: Final = "user_words"
"""The kind of an invention that puts words into the user's mouth."""

_CLAIM = late_pattern(
    rf"(?i)(?:\b|(?<=\W))(?:{USER})(?:'s)?[ ]?(?:also |then |explicitly |again )?"
    r"(?:asked|asks?\b|said|says|requested|wrote|told|wants|wanted|instructed|replied|answered|confirmed|request(?: was|:)"
    r"|(?:还|又|也|曾|再次)?(?:要求|请求|询问|问|说|表示|希望|想|提出|指示)|(?:は|が|の依頼|の要求|の質問)|bat\b|fragte?|sagte?|schrieb|wollte|will\b|möchte|verlangte?"
    r"|a (?:demandé|dit|écrit)|demande|veut|pidió|pide|dijo|preguntó|quiere|solicitó|pediu|disse|quer|ha chiesto|ha detto|vuole|просит|просил\w*|сказал\w*|хочет|написал\w*|попросил\w*)"
)
_QUOTED = late_pattern(
    r"[\"“„«「『]([^\"“”„«»「」『』\n]{3,400})[\"”“»」』]|(?<!\w)'([^'\n]{12,400}?)'(?!\w)|‘([^‘\n]{12,400}?)’(?!\w)"
)
_UNQUOTED = late_pattern(r"[*_]{0,3}[:：][*_]{0,3} (\S[^\n]{0,400})")
_PERMITS: Final = late_pattern(
    r"\b(?:you (?:can|may|are (?:free|allowed|welcome) to)|feel free|go ahead|no need to ask|(?:can|may) be \w+(?:ed|en|t|id)|as (?:much|many|often) as you|du (?:kannst|darfst)|ihr (?:könnt|dürft)|Sie (?:können|dürfen)|kann ruhig|darf ruhig|tu peux|vous pouvez|peut être|peuvent être|puedes|podéis|puede[ns]?|pode[ms]?|podes|puoi|potete|può|можешь|можете|можно|разрешаю)\b|可以|随便|ても(?:いい|よい|構)|해도 (?:돼|됩|괜찮)|يمكنك",
    re.I,
)
"""Words that give leave: where the user never gives any, in whatever language, a quotation that does is nobody's."""
_JSON: Final = late_pattern(
    r"[{\[,]\s*\"[^\"\n]{0,80}\"\s*[:,\]]|^\s*\"[^\"\n]{0,80}\"\s*:|^\s*(?:- )?(?!user|quot|said|words|request)[a-z][\w.-]*: ?[\"'\[{]|^\s*\"[^\"\n]*\",\s*$"
)
"""Data: what stands in quotation marks there is a value, and nobody's words."""
_ITEM: Final = late_pattern(r"\W{0,8}(?:[\w .()/-]{1,40}[:：=] ?)?[\"“][^\"”\n]{3,400}[\"”][,;]?\s*")
_LETTERS: Final = late_pattern(r"[^\W\d_]{2,40}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CJK: Final = late_pattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_STEM: Final = 5
_TELLING: Final = 4
_SEVERAL: Final = 3
_MIN_WORDS: Final = 4
_KNOWN_SHARE: Final = 0.75
_NEARLY_NONE: Final = 1 / 3
_SMALL: Final = {
    "en": "a the and this that with what how you is of to on for not can are from when why should it be my please we have has in do does an or as at only",
    "de": "der die das und ist nicht ein eine ich du wir sie mit auf für von zu den dem im in bitte noch auch wie was wird soll",
    "fr": "le la les un une des et est pas je tu nous vous avec pour dans sur de du en que qui ne il elle",
    "es": "el la los las un una y es no yo tú con por para en de que se lo al del más su",
    "pt": "o a os as um uma e é não eu com por para em de que se do da no na mais",
    "it": "il lo la gli un una e è non io con per in di che si del della sul al",
    "ru": "и в не на я что с по для это как из к но он мы за от до",
}


def invented_words(
    passages: Sequence[Passage], requests: Sequence[str], everything: str
) -> Iterator[Deviation]:
    """Yield quotations that nobody said, and what is given as the user's words and shares none with them."""
    items = _quoted_items(passages)
    claimed = [one for one in passages if _QUOTED.search(one.text) or _CLAIM.search(one.text)]
    plain = _plain(everything) if claimed else ""
    folded = one_line(plain)
    lines = [line for one in plain.split("\n") if (line := one_line(one))]
    for passage in claimed:
        if passage.mode is Mode.OWN or _JSON.search(passage.text):
            continue
        claim = _CLAIM.search(passage.text)
        for match in _QUOTED.finditer(passage.text):
            quote = "".join(match.groups(""))
            owned = claim is not None and match.start() >= claim.end()
            if not owned and passage.start in items:
                continue
            if (owned or _is_spoken(quote)) and not _is_told(
                quote, folded, lines, requests if owned else None, passage.text
            ):
                kind = USER_WORDS if owned else "quotation"
                grade = Grade.NOT_VERBATIM if _are_known(quote, folded) else Grade.INVENTED
                yield Deviation(grade, kind, quote, passage.text.strip()[:400], "nobody-said")
        if claim is not None and not _QUOTED.search(passage.text, claim.end()):
            yield from _invented_claim(passage, claim.end(), folded, requests)


def _quoted_items(passages: Sequence[Passage]) -> frozenset[int]:
    """Return where the lines begin that are values in quotation marks, as YAML has them; there are several."""
    found = frozenset(one.start for one in passages if _ITEM.fullmatch(one.text))
    return found if len(found) >= _SEVERAL else frozenset()


def _invented_claim(passage: Passage, end: int, folded: str, requests: Sequence[str]) -> Iterator[Deviation]:
    said = _UNQUOTED.match(passage.text, end)
    words = _words(said[1]) if said else ()
    if said is None or len(words) < _MIN_WORDS or not is_one_language(said[1], requests):
        return
    if sum(word[:_STEM] in folded for word in words) / len(words) < _NEARLY_NONE:
        yield Deviation(Grade.INVENTED, USER_WORDS, said[1][:200], passage.text.strip()[:400], "nobody-said")


def _are_known(quote: str, folded: str) -> bool:
    """Whether most words of a quotation stand somewhere: it may be put together from what was said."""
    words = _words(quote)
    known = sum(word[:_STEM] in folded for word in words)
    return _PERMITS.search(quote) is None and known > len(words) * _KNOWN_SHARE


def _is_spoken(quote: str) -> bool:
    """Whether it is a sentence rather than a title, a message of a program or code."""
    return len(_LETTERS.findall(quote)) >= 6 and not re.search(r"[{}=<>\\]|\w\(|://", quote)


def _is_told(
    quote: str, folded: str, lines: Sequence[str], requests: Sequence[str] | None, around: str
) -> bool:
    """Return whether the words of *quote* were said; where *requests* are given, by the user."""
    text = fold(quote).rstrip("…. ")
    if all(part.strip(" .,") in folded for part in re.split(r"\s*(?:…|\.\.\.|\[[^\]]{0,40}\])\s*", text)):
        return True
    words = _words(quote)
    if requests is not None and _PERMITS.search(quote) and not any(map(_PERMITS.search, requests)):
        return False
    if not words or not is_one_language(quote, lines if requests is None else requests, around):
        return True
    known = max((sum(word[:_STEM] in line for word in words) for line in lines), default=0)
    whole = sum(word[:_STEM] in folded for word in words)
    return known >= len(words) * (0.6 if whole == len(words) else _KNOWN_SHARE)


def is_one_language(text: str, others: Sequence[str], around: str = "") -> bool:
    """Return whether *text* is, by its small words or its script, in the language of *others*.

    A quotation that was translated cannot be held against the words it translates. *around* is
    asked where *text* is too short to tell, and short requests are taken for English.
    """
    own = language_of(text) or language_of(around)
    theirs = {language_of(one[:2_000]) for one in others}
    return own in theirs if theirs - {""} else own == "en"


def language_of(text: str) -> str:
    """Return the language of *text* by its script or its small words, '' where they do not tell."""
    if not text.isascii() and len(_CJK.findall(text)) * 4 > len(text):
        return (
            "ja"
            if re.search(r"[\u3040-\u30ff]", text)
            else "ko"
            if re.search(r"[\uac00-\ud7af]", text)
            else "zh"
        )
    words = Counter(re.findall(r"[^\W\d_]+", text.casefold()))
    counts = {name: sum(words[word] for word in small & words.keys()) for name, small in _SETS.items()}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] else ""


_SETS: Final = {name: frozenset(words.split()) for name, words in _SMALL.items()}


def _words(text: str) -> list[str]:
    return [word for word in _LETTERS.findall(text.casefold()) if len(word) >= _TELLING or _CJK.match(word)]


def fold(text: str) -> str:
    """Return *text* in small letters, blanks and quotation marks made the same."""
    return one_line(_plain(text))


def _plain(text: str) -> str:
    text = text.casefold()
    for sign in _QUOTES:
        text = text.replace(sign, "'")
    return text


_QUOTES: Final = '"“”„«»‘’‚「」『』`*_'


def invented_work(
    unsaid: Sequence[Deviation], is_word: Callable[[str], bool], texts: Sequence[tuple[int, str]] = ()
) -> Iterator[Deviation]:
    """Yield files and commits that stand nowhere in the source and that the handoff reports as done.

    Args:
        is_word: whether the source has a word; `partner/free/internal` are three of them, and no file.
        texts: the texts of the source; a message that names a folder and a file may mean that one.
    """
    for one in unsaid:
        text = one.line
        if is_negated(text) or is_open(text) or MODAL.search(text):
            continue
        if "/" in one.value and all(part.isalpha() and is_word(part) for part in one.value.split("/")):
            continue
        commit = one.kind == "hash" and re.search(r"(?i)commit|push|merge|提交|コミット|коммит", text)
        file = one.kind in ("file_changed", "file_read") or (
            one.kind == "path" and DONE.search(text) and "." in one.value.rpartition("/")[2]
        )
        if (commit or file) and not (file and _is_named_apart(one.value, texts)):
            yield one._replace(grade=Grade.INVENTED, rule="exists-nowhere")


def _is_named_apart(path: str, texts: Sequence[tuple[int, str]]) -> bool:
    """Return whether a message names the folder of a path, and it or the next ones the file: `cd notes && cat day.csv`."""
    folder, _, name = path.rpartition("/")
    if not folder or not name:
        return False
    shape = re.compile(rf"(?<![\w.-]){re.escape(folder)}(?![\w-])")
    named = [message for message, text in texts if shape.search(text)]
    holding = [
        message for message, text in texts if re.search(rf"(?<![\w./-]){re.escape(name)}(?![\w-])", text)
    ]
    return any(0 <= held - one <= _NEXT for one in named for held in holding)


_NEXT: Final = 2
"""A result follows its call within so many messages."""
