"""Relations that a handoff states and nobody told in words that can be compared: ways, decisions, demands."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import ceil
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.relations.statements import Statement, ToldSentences

_BEHIND: Final = 60
_WAYS: Final = tuple(
    re.compile(shape, re.I)
    for shape in (
        r"\bfrom\b(?P<a>[^.;\n]{2,70}?)\b(?:to|into|onto)\b(?P<b>[^.;\n]{2,60})",
        r"\b(?:von|vom|aus)\b(?P<a>[^.;\n]{2,70}?)\b(?:auf|nach|zum|zur|zu|in|ins)\b(?P<b>[^.;\n]{2,60})",
        r"\b(?:de|du|des|desde|del|da|do|dal|dalla|d)\b(?P<a>[^.;\n]{2,70}?)\b(?:vers|à|au|para|hacia|al?|ao|alla)\b(?P<b>[^.;\n]{2,60})",
        r"\b(?:с|со|из|от|z|ze|od|van)\b(?P<a>[^.;\n]{2,70}?)\b(?:на|в|к|до|na|do|naar)\b(?P<b>[^.;\n]{2,60})",
        r"(?P<a>[^.;\n]{2,60}?)(?:->|→|⇒|=>|➜)(?P<b>[^.;\n]{2,60})",
        r"[从由](?P<a>[^。；\n]{1,40}?)[到至成往](?P<b>[^。；\n]{1,40})",
        r"(?P<a>[^。\n]{1,40}?)から(?P<b>[^。\n]{1,40}?)(?:へ|に)",
        r"(?P<a>[^.\n]{1,50}?)에서\s(?P<b>[^.\n]{1,50}?)(?:으로|로)",
    )
)
_DECIDES: Final = re.compile(
    r"\b(?:went with|go with|chose|chosen|choose|picked|opted|settled on|decided|decision|approved|agreed|prefers?|preferred|favou?rs?|entschied\w*|entscheid\w*|gewählt|wählte|nimmt|genommen|choisi\w*|décid\w*|préfèr\w*|eligi\w+|elegid\w+|decidi\w+|prefier\w+|escolh\w+|prefer\w+|scelt\w+|sceglie\w*|deciso|выбра\w+|решил\w*|решен\w*|wybra\w+|zdecydowa\w+|seçti|seçild\w*|karar)\b|决定|选|決め|選|にする|결정|선택|قرر|اختار",
    re.I,
)
_DEMANDS: Final = re.compile(
    r"\b(?:asked|asks|wants?|wanted|requested|insist\w*|must|may|allowed|needs?|has to|have to|should|bat|will|wollte|soll\w*|muss|müssen|darf|dürfen|veut|demand\w+|doit|doivent|quiere|pidió|debe\w*|puede\w*|quer|pediu|deve\w*|pode\w*|vuole|chiest\w+|può|хочет|просит|просил\w*|нужно|должн?\w*|можно|chce|musi|może|istiyor|gerek\w*)\b|要求|必须|可以|应|てください|べき|해야|يجب",
    re.I,
)
_LEAST: Final = 0.4
_SHARED: Final = 2
_MOST: Final = 200
"""So many of the sentences that share words with a claim are asked, the newest."""


class _GoneWay(NamedTuple):
    start: frozenset[str]
    end: frozenset[str]


def unconfirmed_directions(claims: Sequence[Statement], told: ToldSentences) -> Iterator[Statement]:
    """Yield sentences that go from one thing to another where no sentence names the one before the other so."""
    for claim in claims:
        for way in _ways(claim.text)[:1]:
            known = (one for said in told.sharing(claim.about, _SHARED)[-_MOST:] for one in _ways(said.text))
            if way.start and way.end and not any(_goes_alike(way, one) for one in known):
                yield claim


def _goes_alike(way: _GoneWay, other: _GoneWay) -> bool:
    straight = len(way.start & other.start), len(way.end & other.end)
    return min(straight) > 0 and sum(straight) > len(way.start & other.end) + len(way.end & other.start)


def unconfirmed_demands(claims: Sequence[Statement], told: ToldSentences) -> Iterator[Statement]:
    """Yield sentences that say who chose or demanded something where no such sentence has nearly half of their words."""
    for claim in claims:
        for shape in (_DECIDES, _DEMANDS):
            if shape.search(claim.text) is None:
                continue
            about = claim.about
            least = max(1.0, len(about) * _LEAST)
            near = told.sharing(about, ceil(least))[-_MOST:]
            if not any(shape.search(said.text) for said in near):
                yield claim
                break


@lru_cache(maxsize=20_000)
def _ways(text: str) -> tuple[_GoneWay, ...]:
    found = []
    for shape in _WAYS:
        for match in shape.finditer(text):
            start, end = read_items(match["a"]).all, read_items(match["b"]).all
            found.append(_GoneWay(start - end, end - start))
    return tuple(found)
