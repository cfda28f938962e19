"""How what a source has in no form becomes an accusation: once for a place, with what is known of it."""

from collections.abc import Iterable, Sequence
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation, Grade

_KNOW_SOURCE: Final = frozenset(
    {"misspelt", "same-line", "same-sentence", "same-slot", "same-key", "same-name", "same-folder"}
)
"""Ways of noticing that know which value of the source another one is in the place of."""
_MOST: Final = 500
"""So many values of a handoff are accused."""
_TELLING: Final = 60
"""So many characters of a line tell which it is: a long one may be cut off."""


def are_of_one_line(one: str, other: str) -> bool:
    """Return whether two lines of a handoff are one: a finding may have a clause of it, or its beginning."""
    return one[:_TELLING] in other or other[:_TELLING] in one


def accuse(found: Sequence[Deviation], unheard: Iterable[tuple[str, str, str]]) -> list[Deviation]:
    """Return *found* with the accusations that a source has values nowhere, in place of the notes about them.

    Each value is accused once, and not where its line was accused of it already. The accusation names what
    the source has instead where a note knows; of very many only the first are made.

    Args:
        unheard: kind, value and line of each; asked for no longer than needed.
    """
    accused = [one for one in found if one.grade is not Grade.NOT_VERBATIM]
    new: dict[str, Deviation] = {}
    for kind, value, line in unheard:
        if value not in new and not any(
            value in one.value and are_of_one_line(one.line, line) for one in accused
        ):
            new[value] = Deviation(Grade.INVENTED, kind, value, line, "said-nowhere")
            if len(new) == _MOST:
                break
    kept: list[Deviation] = []
    for one in found:
        if one.value not in new or one.grade is not Grade.NOT_VERBATIM:
            kept.append(one)
        elif one.rule in _KNOW_SOURCE and one.source and not new[one.value].source:
            new[one.value] = one._replace(grade=Grade.CONTRADICTS)
    return [*kept, *new.values()]
