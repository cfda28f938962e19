"""How what a source has in no form becomes an accusation: once for a place, with what is known of it."""

from collections.abc import Sequence
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation, Grade

_KNOW_SOURCE: Final = frozenset(
    {"misspelt", "same-line", "same-sentence", "same-slot", "same-key", "same-name", "same-folder"}
)
"""Ways of noticing that know which value of the source another one is in the place of."""
_TELLING: Final = 60
"""So many characters of a line tell which it is: a long one may be cut off."""


def are_of_one_line(one: str, other: str) -> bool:
    """Return whether two lines of a handoff are one: a finding may have a clause of it, or its beginning."""
    return one[:_TELLING] in other or other[:_TELLING] in one


def accuse(found: Sequence[Deviation], kind: str, value: str, line: str) -> list[Deviation]:
    """Return *found* with the accusation that a source has *value* nowhere, in place of the notes about it.

    It names what the source has instead where one of these knows.
    """
    known = [one for one in found if one.value == value and one.grade is Grade.NOT_VERBATIM]
    tied = next((one for one in known if one.rule in _KNOW_SOURCE and one.source), None)
    named = (
        Deviation(Grade.INVENTED, kind, value, line, "said-nowhere")
        if tied is None
        else tied._replace(grade=Grade.CONTRADICTS)
    )
    return [*(one for one in found if one not in known), named]
