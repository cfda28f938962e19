"""Two things in an order: one before the other, one instead of the other, from one to the other, one more than the other."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.relations.statements import Statement, ToldSentences, contradiction
from hermes_sessions.audit.words.concepts import DEEDS, read_terms
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.facts.wording.sieves import Sieve, sieve
from hermes_sessions.late_patterns import late_pattern

_FIRST, _SECOND = False, True
_Shape = tuple[str, Sieve, bool]


def _shape(relation: str, words: str, flipped: bool) -> _Shape:
    return relation, sieve(words, re.I), flipped


_CONNECTORS: Final[tuple[_Shape, ...]] = (
    _shape("order", r"\b(?:before|prior to|ahead of|bevor|vor|ehe|avant(?: que| de| d['’])?|antes (?:de|que)|antes d[aoe]s?|prima (?:di|che|del\w*)|прежде чем|перед(?: тем,? как)?|до того,? как)\b|قبل", _FIRST),
    _shape("order", r"\b(?:(?:only |not until )?after(?! (?:that|this|which)\b)|following|nachdem|nach (?=(?:de[rmn]|eine[rm]|ihre[rm]|seine[rm]|unsere[rm]|Ihre[rm])\b)|après(?: que)?(?! (?:quoi|cela|ça)\b)|después de(?! (?:eso|esto|ello)\b)|tras|depois (?:de|que)|depois d[aoe]s?|após|dopo|после(?: того,? как)?(?! (?:этого|чего)\b))\b|بعد", _SECOND),
    _shape("order", r",?\s(?:and |und |et |y |e |и )?(?:then|afterwards|after (?:that|this|which)|dann|danach|anschließend|puis|ensuite|après (?:quoi|cela|ça)|luego|después(?: de (?:eso|esto|ello))?|depois(?: disso)?|poi|затем|потом|после (?:этого|чего))\b|，?(?:然后|之后再|再)|それから|その後|그다음|그 후", _FIRST),
    _shape("order", r"\b(?:earlier than|sooner than|früher als|eher als|plus tôt que|avant que|más temprano que|mais cedo que|eerder dan|vroeger dan|wcześniej niż|раньше(?:,? чем)?)\b|が先(?:で|、|,)|，后(?=[\u4e00-\u9fff]{2})", _FIRST),
    _shape("order", r"より(?:も)?(?:先に|前に|早く)|に先立って", _SECOND),
    _shape("order", r"之前|以前|前に(?:は)?|まえに|(?<=[하기]) ?전에", _SECOND),
    _shape("order", r"之后|以后|(?<=[\u3040-\u9fff])後に?|てから|한 (?:뒤|후)(?:에)?|(?<=[\uac00-\ud7a3]) (?:뒤|후)에", _FIRST),
    _shape("choice", r"\b(?:instead of|rather than|in place of|in lieu of|statt|anstatt|anstelle (?:von|der|des)|au lieu d[eu']?|plutôt que|à la place d[eu']?|en vez de|en lugar de|em vez d[eoa]|ao invés d[eoa]|no lugar d[eoa]|al posto d\w+|invece d\w+|anziché|вместо|zamiast|in plaats van)\b|而不是|而非|代替|取代", _FIRST),
    _shape("choice", r"\s(?:and|und|et|y|e|en|и|i|a) (?:not|nicht|pas|non|não|niet|nie|не)(?! (?:yet|only|nur|seulement|solo|só|ainda|encore|noch|tylko|alleen))\b", _FIRST),
    _shape("choice", r",\s(?:and |und |et |y |e |а )?(?:not|nicht|pas|no|não|non|не|do not|don['’]t|never)\b(?! (?:yet|only|nur|seulement|solo|só|todavía|encore|noch))", _FIRST),
    _shape("choice", r"ではなく|じゃなくて?|の代わりに|가 아니라|이 아니라|대신", _SECOND),
    _shape("change", r"\b(?:replaced|superseded|ersetzt|remplacé\w*|reemplazad\w+|sustituid\w+|substituíd\w+|sostituit\w+|замен[её]н\w*)\s(?:by|with|durch|par|por|da\w*|con|на)\b|\bdurch\b(?=.{2,60}\bersetzt\b)|改为|改成|换成|替换为", _FIRST),
    _shape("more", r"\b(?:than|als|que|che|чем)\b", _FIRST),
)  # fmt: skip
_ARROW = late_pattern(r"(?<=\w)\s?(?:->|→|=>)\s?(?=\w)")
_ARROWS: Final = ("->", "→", "=>")
_RELATIONS: Final = frozenset(relation for relation, _, _ in _CONNECTORS)
_NEGATED_FIRST = sieve(
    r"\b(?:not|nicht|kein\w*|pas|no|não|non|не)\s(?P<out>[^,.;]{2,60}),\s?(?:but|sondern|mais|sino|mas|e sim|ma|bensì|а)\s(?P<chosen>[^.;]{2,80})|不(?:是|用|要)(?P<out2>[^，。]{1,20})，?(?:而是|改用|要用|用)(?P<chosen2>[^，。]{1,20})",
    re.I,
)
_REPLACED = sieve(
    r"\b(?:replac(?:e|es|ing|ed)|swap\w*|switch(?:ed|ing)? from|mov(?:e|ed|ing) from|ersetz\w+|remplac\w+|reemplaz\w+|sustitu\w+|sostitu\w+|замен\w+)\s(?P<old>[^,.;]{2,60}?)\s(?:with|by|for|to|durch|par|por|con|на)\s(?P<new>[^,.;]{2,60})|(?P<old2>[\w\u3040-\u9fff]{1,20})を(?P<new2>[\w\u3040-\u9fff]{1,20})に(?:置き換|変更|差し替)",
    re.I,
)
_COMPARED = late_pattern(
    r"\b(\w{2,}er|more \w+|less \w+|mehr|weniger|besser|schlechter|größer|kleiner|(?:plus|moins|más|menos|mais|più|meno) \w+|mejor|peor|melhor|pior|maior|menor|\w+ее|больше|меньше|лучше|хуже)\s*,?$",
    re.I,
)
_EDGE = late_pattern(
    r"[,;:()（），；：、—]|\s[–-]\s|\b(?:and|but|und|aber|et|mais|pero|и|но|because|weil)\b", re.I
)
_FRONTED = late_pattern(
    r"[,，、]|(?<=\w)\s(?:muss|müssen|soll|sollen|wird|werden|kommt|darf|kann|machen|bitte)(?=\s)"
)
_NONE = late_pattern(
    r"\b(?:no|none|nobody|nothing|kein\w*|niemand|nichts|aucune?|personne|rien|ning[uú]n\w*|nadie|nada|nenhum\w*|ninguém|nessun\w*|niente|geen|niemand|niets|никак\w+|никто|ни одн\w+|нельзя)\b",
    re.I,
)
_AND_NOT: Final = late_pattern(
    r",?\s(?:and|und|et|y|e|en|и|i|a|а|not|nicht|pas|no|não|non|не|do|don|never)\b", re.I
)
_EACH_OTHER = late_pattern(
    r"\s?(?:the |de[mnr] |l['’]|el |la |o |a |d)?(?:other|another|anderen?|autre|otr[oa]|outr[oa]|altr[oa]|друг\w*)\b",
    re.I,
)
"""`One after the other` names no order of two things."""
_MAX_SIDE: Final = 90
_CLAUSE_SIGNS: Final = (";", ":", "；", "：", "—", "–", "(", "（")
"""Behind one of them a connector begins a clause of its own: `...; after the move it stays`."""


class _Pair(NamedTuple):
    """The two sides in their order, and the sentence."""

    relation: str
    first: frozenset[str]
    second: frozenset[str]
    said: Statement


def exchanged_pairs(claims: Sequence[Statement], told: ToldSentences) -> Iterator[Deviation]:
    """Yield each sentence of a handoff with two things in an order where everybody tells them the other way round."""
    asked = [pair for claim in claims if not claim.is_question for pair in _pairs(claim, _RELATIONS)]
    if not asked:
        return
    relations = {pair.relation for pair in asked}
    words = frozenset[str]().union(*(pair.first | pair.second for pair in asked))
    kinds = frozenset(one.partition(":")[0] for one in relations)
    known = [
        pair for said in told.sharing(words, 2) for pair in _pairs(said, kinds) if pair.relation in relations
    ]
    for pair in asked if known else ():
        alike = [other for other in known if other.relation == pair.relation]
        if any(_agree(pair, other) for other in alike):
            continue
        crossed = [other for other in alike if _cross(pair, other) and not other.said.is_question]
        if crossed:
            yield contradiction(pair.said, crossed[-1].said, "exchanged", "order")


def _agree(one: _Pair, other: _Pair) -> bool:
    """Whether the sides of both are the same as often as not: the order holds."""
    straight, crossed = _matches(one, other)
    return sum(straight) > sum(crossed) or (sum(straight) > 0 and not min(crossed))


def _cross(one: _Pair, other: _Pair) -> bool:
    straight, crossed = _matches(one, other)
    return min(crossed) > 0 and sum(crossed) >= sum(straight)


def _matches(one: _Pair, other: _Pair) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return how many words the same sides share, and how many the opposite ones; deeds tell nothing beside things."""
    sides = [one.first, one.second, other.first, other.second]
    things = [side - DEEDS for side in sides]
    a, b, c, d = things if all(things) else sides
    return (len(a & c), len(b & d)), (len(a & d), len(b & c))


@lru_cache(maxsize=8_192)
def _pairs(said: Statement, kinds: frozenset[str]) -> tuple[_Pair, ...]:
    return tuple(_read_pairs(said, kinds))


def _read_pairs(said: Statement, kinds: frozenset[str]) -> Iterator[_Pair]:
    """Yield the pairs of a sentence that are of one of *kinds*."""
    text = said.text
    found = [
        (relation, turn, one)
        for relation, shape, turn in _CONNECTORS
        if relation in kinds
        for one in shape.finditer(text)
    ]
    if "change" in kinds and any(arrow in text for arrow in _ARROWS):
        found += [("change", _FIRST, one) for one in _ARROW.finditer(text)]
    counts = Counter(relation for relation, _, _ in found)
    for relation, is_flipped, match in found:
        if _EACH_OTHER.match(text, match.end()):
            continue
        sides = (
            _sides(text, match) if counts[relation] == 1 else None
        )  # of two it is not clear what each joins
        if sides is None or (relation == "more" and not _COMPARED.search(sides[0])):
            continue
        if relation == "choice" and _AND_NOT.match(match.group()) and is_negated(sides[0]):
            continue  # `do not read and do not delete` chooses neither
        name, left, right = _compared(*sides) if relation == "more" else (relation, *sides)
        is_turned = is_flipped != (relation == "order" and _is_denied(left))  # not before is after
        yield from _pair(name, *((right, left) if is_turned else (left, right)), said)
    for match in _NEGATED_FIRST.finditer(text) if "choice" in kinds else ():
        yield from _pair("choice", match["chosen"] or match["chosen2"], match["out"] or match["out2"], said)
    for match in _REPLACED.finditer(text) if "change" in kinds else ():
        yield from _pair("change", match["old"] or match["old2"], match["new"] or match["new2"], said)


def _is_denied(left: str) -> bool:
    """Return whether nothing comes before: `no mail before the 28th` is `send none before it`."""
    return is_negated(left) or _NONE.search(left) is not None


def _compared(left: str, right: str) -> tuple[str, str, str]:
    """`the pier is cheaper` than: the degree is part of the relation, not of its side."""
    degree = _COMPARED.search(left)
    return (
        ("more", left, right)
        if degree is None
        else (f"more:{degree[1].casefold()}", left[: degree.start()], right)
    )


def _pair(relation: str, left: str, right: str, said: Statement) -> Iterator[_Pair]:
    first, second = _meaning(left), _meaning(right)
    if first - second and second - first:
        yield _Pair(relation, first - second, second - first, said)


def _sides(text: str, match: re.Match[str]) -> tuple[str, str] | None:
    """Return what stands on both sides; `Before B, A` has both behind its connector."""
    left, right = text[: match.start()], text[match.end() :]
    if not re.search(r"\w", left) or left.rstrip().endswith(_CLAUSE_SIGNS):
        right, mark, left = right.partition(cut[0]) if (cut := _FRONTED.search(right)) else (right, "", "")
        if not mark:
            return None
        left = _EDGE.split(left.strip())[0]
    else:
        left = _last_part(left)
    right = next((one for one in _EDGE.split(right) if one.strip()), "")
    return (left[-_MAX_SIDE:], right[:_MAX_SIDE]) if left and right else None


def _last_part(text: str) -> str:
    return next((one for one in reversed(_EDGE.split(text)) if one.strip()), "")


def _meaning(text: str) -> frozenset[str]:
    return read_terms(text.strip()).all - _SMALL


_SMALL: Final = frozenset(["one", "ones", "else"])
