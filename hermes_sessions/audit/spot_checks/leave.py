"""Clauses of a handoff that give leave without what the source makes it depend on: `even without his approval`."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.alignment.clause_index import ClauseIndex
from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import is_heading
from hermes_sessions.audit.notices.polarity import YES, denial
from hermes_sessions.audit.notices.support import Support
from hermes_sessions.audit.relations.statements import Statement
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_MOST: Final = 5
_LEAST: Final = 1.0
_EVEN_WITHOUT: Final = late_pattern(
    r"\b(?:even without|also without|no need (?:to ask|for (?:his|her|their|any|the) \w+)|without (?:asking|waiting)|auch ohne|ohne (?:zu fragen|rückfrage|nachfrage)"
    r"|même sans|sans (?:demander|attendre)|incluso sin|aun sin|también sin|sin (?:preguntar|esperar)|mesmo sem|também sem|sem (?:perguntar|esperar)"
    r"|anche senza|senza (?:chiedere|aspettare)|ook zonder|zonder te (?:vragen|wachten)|даже без|и без|не спрашивая|nawet bez|także bez|bez pytania)\b"
    r"|即使没有|无需|不用问|なくても|聞かずに|없이도",
    re.I,
)


def leave_given(claims: Sequence[Statement], index: ClauseIndex) -> Iterator[Deviation]:
    """Yield sentences that do without something, where the one nearest to them bars, limits or waits."""
    for claim in claims:
        if _EVEN_WITHOUT.search(claim.text) is None or is_heading(claim.text):
            continue
        near = (
            one
            for one in Support(read_items(claim.text).all, index).best(_MOST)
            if index.said(one.place).speaker in (Role.USER, Role.ASSISTANT)
        )
        best = next(near, None)
        if best is None or best.score < _LEAST:
            continue
        said = index.said(best.place)
        if _EVEN_WITHOUT.search(said.text) is None and denial(said.text) != YES:
            yield Deviation(
                Grade.NOT_VERBATIM, "negation", claim.text, claim.text, "leave", said.text, said.text, said.message or None
            )  # fmt: skip
