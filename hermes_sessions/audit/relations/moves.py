"""Where a number came from and went to, and which two belong together, turned round by a handoff."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.relations.statements import Statement, ToldSentences, contradiction
from hermes_sessions.audit.sources.loose_values import number_forms
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.facts.speech.stops import SentenceCut
from hermes_sessions.late_patterns import late_pattern

_A: Final = r"(?P<{0}>\d[\d.,]*\d|\d)"
_UNIT: Final = r"(?: ?(?:%|°C?|€|\$|£|[^\W\d_]{{1,12}}\.?)){{0,2}}"
_MEASURE: Final = late_pattern(r"\s?(%|°C?|€|\$|£|[^\W\d_]{1,12})")
_FROM_TO: Final = late_pattern(
    rf"\b(?:from|von|vom|de|du|da|desde|с|со|van|z) (?:the |den? |la |le |el )?[$€£]?{_A.format('old')}{_UNIT.format()} (?:to|auf|zu|à|a|al|para|до|на|do|naar) (?:the |den? |la |le |el )?[$€£]?{_A.format('new')}(?![\w:])",
    re.I,
)
_INSTEAD: Final = late_pattern(
    rf"{_A.format('new')}{_UNIT.format()},? (?:instead of|rather than|statt|anstatt|au lieu de|plutôt que|en vez de|en lugar de|em vez de|invece di|anziché|вместо|zamiast|in plaats van) {_A.format('old')}(?![\w:])",
    re.I,
)
_KEEPS: Final = late_pattern(
    r"\b(?:stays?|remains?|keeps?|still|bleib(?:t|en)|weiterhin|reste(?:nt)?|sigue[n]? en|se queda|continua|permanece|resta(?:no)?|rimane|оста[её]тся|по-прежнему|blijft|pozostaje|zostaje)\b[^\d.;!?]{0,30}?(?P<old>\d[\d.,]*\d|\d)(?![\w:])",
    re.I,
)
_DOWN: Final = late_pattern(
    r"\b(?:fell|falls?|dropped|drops?|decreased|sank|shrank|shrunk|lowered|reduced|went down|declined|gefallen|sank|sinkt|gesunken|gesenkt|verringert|tomb(?:e|é|ent|er|ait|a)\w{0,2}\b|baissé\w*|réduit\w*|diminu\w+|baj(?:ó|ado|aron)|disminuy\w+|redu(?:jo|cido|ziu|zid\w)|ca(?:iu|yó|lato|lata)|sceso|scesa|ridott\w|упал\w*|сниз\w+|уменьш\w+|spad\w+|gedaald|verlaagd)\b",
    re.I,
)
_UP: Final = late_pattern(
    r"\b(?:rose|rises?|risen|grew|grown|increased|raised|went up|climbed|doubled|tripled|stieg\w*|gestiegen|erhöht\w*|gewachsen|augment\w+|mont(?:é|e|ée)|doubl\w+|sub(?:ió|ido|ieron)|aument\w+|crec\w+|cresc\w+|salit\w|вырос\w*|увелич\w+|повыс\w+|поднял\w*|wzr[oó]s\w*|gestegen|verhoogd)\b",
    re.I,
)
_RANKED: Final = late_pattern(
    r"\b(?:rank|place|position|level|version|v\d|platz|stelle|rang|posto|puesto|posição|posizione|место|мест[ае])\b",
    re.I,
)
_OF: Final = late_pattern(
    r"(?<![\w.,])(?P<part>\d[\d.,]*\d|\d)(?: [^\W\d_]{1,12})? ?(?:of|/|von|de|di|из|van|z|out of|sur) ?(?:the |den |los |las |les |)(?P<whole>\d[\d.,]*\d|\d)(?![\w.,]?\d)",
    re.I,
)
_PIECE: Final = SentenceCut(r"[{}\n;]|(?<=[.!?])\s|\s\|\s")
_NUMBER: Final = late_pattern(r"(?<![\w.,])(?:\d[\d.,]*\d|\d)(?![\w.,]?\d)")
_LONGEST: Final = 400
_MOST_PIECES: Final = 4_000


_JOINING: Final = frozenset("to auf zu à au a al para до на do naar and in per por for with".split())


class _NumberMove(NamedTuple):
    old: str
    new: str


def turned_moves(claims: Sequence[Statement], told: ToldSentences) -> Iterator[Deviation]:
    """Yield sentences that lead from the new number to the old one, or that keep the old one.

    What fell from less to more, or rose from more to less, is turned whatever the source says.
    """
    wanted = [claim for claim in claims if _FROM_TO.search(claim.text) or _KEEPS.search(claim.text)]
    numbers = {one for claim in wanted for one in read_terms(claim.text).anchors if one[:1].isdigit()}
    moves = [(move, said) for said in told.sharing(numbers) for move in _moves(said.text)]
    for claim in wanted:
        own = _from_to(claim.text)
        turned = next((said for move, said in moves if _NumberMove(move.new, move.old) in own), None)
        if turned and not any(move in own for move, _ in moves):
            yield contradiction(claim, turned, "swapped-ends", "number")
            continue
        if any(_is_turned(claim.text, match) for match in _FROM_TO.finditer(claim.text)):
            yield _itself(claim)
            continue
        kept = set[str]()
        if not own:
            kept = {_plain(match["old"]) for match in _KEEPS.finditer(claim.text)}
        named = {_plain(one) for one in _NUMBER.findall(claim.text)}
        last = next(
            (
                said
                for move, said in reversed(moves)
                if move.old in kept and move.new not in named and _is_about(claim, said)
            ),
            None,
        )
        if last and not any(move.new in kept for move, _ in moves):
            yield contradiction(claim, last, "swapped-ends", "number")


def _moves(text: str) -> Iterator[_NumberMove]:
    if len(text) <= _LONGEST:
        for shape in (_FROM_TO, _INSTEAD):
            for match in shape.finditer(text):
                yield _NumberMove(_plain(match["old"]), _plain(match["new"]))


def _from_to(text: str) -> frozenset[_NumberMove]:
    return frozenset(_NumberMove(_plain(one["old"]), _plain(one["new"])) for one in _FROM_TO.finditer(text))


def _is_turned(text: str, match: re.Match[str]) -> bool:
    """Return whether a clause says that a number fell to a greater one, or rose to a smaller one."""
    clause = re.split(r"[,;]\s", text[: match.start()])[-1]
    if _RANKED.search(text) or len(clause) > _LONGEST:
        return False
    units = [_MEASURE.match(text, match.end(name)) for name in ("old", "new")]
    if len({one[1].casefold() for one in units if one} - _JOINING) > 1:
        return False  # `from 2.9 s to 640 ms`
    old, new = _value(match["old"]), _value(match["new"])
    falls, rises = _DOWN.search(clause) is not None, _UP.search(clause) is not None
    if old is None or new is None or falls == rises:
        return False
    return (falls and old < new) or (rises and old > new)


def _value(number: str) -> float | None:
    """Return a number; None where its sign may part thousands or decimals."""
    plain = number.replace(",", ".")
    if plain.count(".") > 1 or re.fullmatch(r"\d{1,3}\.\d{3}", plain):
        return None
    return float(plain)


def _itself(claim: Statement) -> Deviation:
    return Deviation(Grade.CONTRADICTS, "number", claim.text, claim.text, "swapped-ends", "", "", None)


def _is_about(claim: Statement, said: Statement) -> bool:
    """Return whether two sentences share a word, or are of languages that share none and a telling number."""
    own, other = claim.about, said.about
    shared = {one for one in own & other if not one[:1].isdigit()}
    return len(shared) >= _TWO or any(len(one) >= _TELLING and one[:1].isdigit() for one in own & other)


def crossed_shares(claims: Sequence[Statement], rows: Sequence[AuditMessage]) -> Iterator[Deviation]:
    """Yield sentences with two shares, `17 of 207` and `31 of 212`, where the source has each part beside the other whole."""
    for claim in claims:
        pairs = [(_plain(one["part"]), _plain(one["whole"])) for one in _OF.finditer(claim.text)]
        if len(pairs) != len(set(pairs)) or len(pairs) != _TWO:
            continue
        (first, one), (second, other) = pairs
        if len({first, one, second, other}) < _TWO * 2:
            continue
        pieces = [numbers for row in rows for numbers in _pieces(row.text, {one, other})][:_MOST_PIECES]
        if any({first, one} <= piece or {second, other} <= piece for piece in pieces):
            continue
        if any({first, other} <= piece for piece in pieces) and any(
            {second, one} <= piece for piece in pieces
        ):
            yield Deviation(
                Grade.CONTRADICTS,
                "number",
                claim.text,
                claim.text,
                "swapped-ends",
                f"{second} / {one}",
                "",
                None,
            )


_TWO: Final = 2
_TELLING: Final = 3
"""A number of so many signs, such as 3.2, is hardly said of two things."""


def _pieces(text: str, wanted: set[str]) -> Iterator[frozenset[str]]:
    for piece in _PIECE.split(text[: _LONGEST * 10]) if any(one in text for one in wanted) else ():
        if piece and len(piece) <= _LONGEST:
            numbers = frozenset(map(_plain, _NUMBER.findall(piece)))
            if len(numbers & wanted) == 1:
                yield numbers


def _plain(number: str) -> str:
    return max(number_forms(number))
