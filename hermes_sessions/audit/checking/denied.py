"""What the negations of a sentence are about, and whether another sentence denies or limits the same."""

import re
from typing import Final

from hermes_sessions.audit.words.telling import telling_words
from hermes_sessions.audit.words.wording import RESTRICTS
from hermes_sessions.facts.polarity import NEGATION, is_negated
from hermes_sessions.facts.wording.sieves import sieve
from hermes_sessions.late_patterns import late_pattern

_CLAUSE = late_pattern(
    r"[,;:](?!\d)\s?|[，、；：—]\s?|\s(?:because|since|denn|weil|parce que|porque|perché|потому)\s"
)
_ENDS_CLAUSE = late_pattern(r"nicht|keine?[nmrs]?|ない|ません|なし|禁|않|지 ?말", re.I)
"""Negations before which the deed may stand."""
_WITHOUT = late_pattern(r"\b(?:without|ohne|sans|sin|sem|senza|без)\s+[\w.-]*\w", re.I)
_NO_COUNT = late_pattern(
    r"(?<![\w.,:/#-])0(?![\w:/-]|[.,]\d)|\b(?:zero|null|zéro|cero|ноль|ноля)\b|零|ゼロ|없음", re.I
)
"""A count of none: `0 errors` for `no errors`."""
_FREE_OF = sieve(
    r"\b(?:(?:free|clear|devoid|void|bare) (?:of|from)|frei von|exempt\w* d|dépourvu\w* d|libres? de|exent[oa]s? de|livres? d[eao]s?|isent[oa]s? d|priv[oaie] d|liber[oaie] da|esent[ei] da|vrij van|woln\w+ od|pozbawion\w+|свобод\w+ от|лиш[её]н\w*"
    r"|niet|geen|nooit|zonder|niets|nigdy|nikt|ani|żad\w+|neither|nor|weder|nobody|impossible|unmöglich|imposible|impossível|impossibile|onmogelijk|niemożliw\w+|невозможн\w+)\b|不可能",
    re.I,
)
"""What denies without a word of `NEGATION`: what something is free of, and words of Dutch and Polish."""
_STOPS: Final = late_pattern(r"[.!?;]\s|[。！？；]")
_LIST_CUT: Final = late_pattern(r"[,，、]\s?")
_OR: Final = late_pattern(
    r"\b(?:or|nor|oder|noch|ou|ni|o|né|ofwel|или|ни|либо|lub|ani|czy|albo|veya|ya da)\b|または|あるいは|[或や]|또는|(?<!\w)أو(?!\w)",
    re.I,
)
_REMINDS = sieve(
    r"\b(?:do not|don['’]t|never|not|nicht|ne|n['’]|no|non|não|nunca|не)\b(?: (?:te|se|me|ti|lo|pas|jamais))*\s?(?:forget\w*|fail to|vergess\w*|oubli\w*|olvid\w*|dimentic\w*|esque[cç]\w*|забу\w*|забы\w*)\b(?: (?:pas|jamais)\b)?|\bvergiss\b(?: \w+)? nicht\b|(?:别|不要|勿|不)忘|忘れ(?:ない|ず|ません)|잊지",
    re.I,
)
"""`Don't forget to lock it` asks for it."""
_NOW = late_pattern(
    r"\b(?:now|again|since then|works|jetzt|nun|wieder|inzwischen|seither|maintenant|désormais|de nouveau|ahora|ya|de nuevo|agora|já|de novo|adesso|ora|ormai|di nuovo|теперь|уже|снова)\b|现在|已经|终于|可以了|今は|再び|直りました|直った|治りました|解决了|修好了|ようになり|이제|다시",
    re.I,
)
_LIMITS = sieve(
    r"\b(?:not?|nicht|pas|no|non|não|не)\b (?:un|any |schon )?(?:before|until|till|earlier|sooner|later|after|vor|bis|früher|später|nach|avant|après|antes|hasta|después|prima|dopo|fino|depois|até|раньше|до|позже|позднее)\b",
    re.I,
)
"""`Not before ten` says when."""
_INSTEAD = late_pattern(r"\s(?:but|sondern|mais|sino|ma|mas|bensì|а|но)\s", re.I)
_FEW: Final = 3
_ENOUGH: Final = 0.66
_NOTHING = late_pattern(
    r"\b(?:no|nothing|nobody|none|never|kein\w*|nichts|niemand|nie|aucun\w*|rien|personne|jamais|nadie|nada|ning[uú]n\w*|nenhum\w*|ninguém|nunca|nessun\w*|niente|mai|никто|ничего|ничто|никогда)\b",
    re.I,
)
_DEMANDS = late_pattern(
    r"\b(?:needs?|requires?|required|must|has to|have to|braucht|brauchen|erforder\w*|muss|müssen|exige\w*|nécessit\w*|doit|doivent|il faut|necesita\w*|requiere\w*|debe\w*|exig\w*|precisa\w*|requer\w*|deve\w*|serve|servono|richied\w*|нуж\w+|обязат\w+|требу\w+)\b",
    re.I,
)


def denies_alike(said: str, phrase: str) -> bool:
    """Whether both leave out the same (`without N4`), or *phrase* demands what nothing goes without in *said*."""
    left_out = [match.group().casefold() for match in _WITHOUT.finditer(said)]
    if not left_out:
        return False
    if len(NEGATION.findall(said)) == len(left_out) and all(one in phrase.casefold() for one in left_out):
        return True
    return bool(_NOTHING.search(said) and _DEMANDS.search(phrase) and not _WITHOUT.search(phrase))


def denied_deeds(text: str) -> frozenset[str]:
    """Return the words that the negations of *text* are about: what follows each, or leads to it at the end."""
    found: set[str] = set()
    for clause in _CLAUSE.split(text):
        for match in NEGATION.finditer(clause):
            behind = next(
                (words for word in clause[match.end() :].split() if (words := telling_words(word))), ()
            )
            found.update(behind)
            if not behind or _ENDS_CLAUSE.fullmatch(match.group()):
                before = clause[: match.start()].split()
                found.update(next((words for word in reversed(before) if (words := telling_words(word))), ()))
                found.update(next((words for word in before if (words := telling_words(word))), ()))
    return frozenset(found)


def limits_otherwise(window: str, said: str) -> bool:
    """Whether *window* has a limiting word that *said* has not: `before` is in `don't push before` too."""
    known = {match.group().casefold() for match in RESTRICTS.finditer(said)}
    return any(match.group().casefold() not in known for match in RESTRICTS.finditer(window))


def is_denied(text: str) -> bool:
    """Return whether *text* denies, counts none, or says what something is to be free of."""
    return is_negated(text) or any(shape.search(text) for shape in (_NO_COUNT, _FREE_OF))


def denied_list(text: str) -> str:
    """Return what of *text* a denial before it reaches: the parts of a list that `or` closes.

    `May not book, confirm or pay` denies all three.
    """
    found: list[str] = []
    for sentence in _STOPS.split(text):
        parts = _LIST_CUT.split(sentence)
        denied = next((at for at, part in enumerate(parts) if is_denied(part)), len(parts))
        closed = max((at for at, part in enumerate(parts) if _OR.search(part)), default=-1)
        found += parts[denied + 1 : closed + 1]
    return "\n".join(found)


def names_what_is_denied(said: str, phrase: str, words: frozenset[str]) -> bool:
    """Return whether *words* of *phrase* name what a clause of *said* denies: all of few words, most of more.

    What stands behind the negation must be side by side in the phrase: `no fish for Ana` is not denied by
    `fish for all, for Ana something else`.
    """
    beside = [telling_words(one) for one in _CLAUSE.split(phrase)]
    for clause in _CLAUSE.split(said):
        if not is_negated(clause) or not _are_most(telling_words(clause), words):
            continue
        denied = _behind_negation(_INSTEAD.split(clause, maxsplit=1)[0])
        if not denied or any(_are_most(denied, one) for one in beside):
            return True
    return False


def _are_most(wanted: frozenset[str], words: frozenset[str]) -> bool:
    enough = len(wanted) if len(wanted) <= _FEW else len(wanted) * _ENOUGH
    return bool(wanted) and len(wanted & words) >= enough


def _behind_negation(clause: str) -> frozenset[str]:
    last = max((match.end() for match in NEGATION.finditer(clause)), default=len(clause))
    return telling_words(clause[last:])


def is_denial(text: str) -> bool:
    """Return whether *text* denies or forbids, and does not ask, remind or say when."""
    return not text.endswith(("?", "？")) and is_negated(without_reminders(text))


def denies_a_thing_alone(text: str) -> bool:
    """Return whether *text* only denies what a thing has: `of the rows without a region 781 could be filled`."""
    return is_denied(text) and not is_denied(_WITHOUT.sub(" ", text))


def without_reminders(text: str) -> str:
    """Return *text* without what reminds or says when: `don't forget to`, `not before ten`."""
    return _LIMITS.sub(" ", _REMINDS.sub(" ", text))


def is_over_since(text: str) -> bool:
    """Return whether what a report denies has changed by its end: `it did not print, now it does`."""
    clauses = _CLAUSE.split(text)
    denied = [at for at, clause in enumerate(clauses) if is_negated(clause)]
    return bool(denied) and any(_NOW.search(clause) for clause in clauses[denied[-1] + 1 :])


def says_since(denied: frozenset[str], later: str, words: frozenset[str]) -> bool:
    """Return whether a later sentence says that the deed *denied* is so now: `and now it loads`."""
    return bool(denied & words) and _NOW.search(later) is not None
