"""Values that somebody put in the place of others after the sentence that a finding names. Pure.

`cap = 45s` in a file, then *set that to 20s* or *20s is enough*: a handoff that says 20s is right.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from hermes_sessions.audit.alignment.items import plain_number
from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.relations.replacing import is_set_aside, replaces
from hermes_sessions.audit.relations.statements import Statement
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_NUMBER: Final = late_pattern(r"(?<![\w.,:/-])\d+(?:[.,:]\d+)*|(?<=[\u2e80-\ud7ff])\d+(?:[.,:]\d+)*")
_ANSWERS: Final = 2
"""So many messages behind a value the user's next number may be instead of it."""


def is_put_since(one: Deviation, told: Sequence[Statement], rows: Sequence[AuditMessage]) -> bool:
    """Return whether the value of a finding came after its source, in words or in a call that put it there."""
    number = _number_of(one.value)
    if one.message is None or not number or not _number_of(one.source):
        return False
    if any(_is_put(number, one.message, said) for said in told):
        return True
    return any(
        _holds_both(call.arguments, one.value, one.source)
        for row in rows
        if row.id > one.message
        for call in row.calls
    )


def _is_put(number: str, message: int, said: Statement) -> bool:
    """Return whether a sentence behind a message gives *number* as what counts from now on."""
    if said.message <= message or said.is_question or number not in numbers_of(said.text):
        return False
    if is_set_aside(number, said.text):
        return False
    return replaces(said.text) or (said.speaker == Role.USER and said.message - message <= _ANSWERS)


def _holds_both(arguments: str, value: str, source: str) -> bool:
    """Return whether a call names both values, the old one first: `s/45s/20s/`."""
    at = arguments.find(source)
    return 0 <= at < arguments.find(value, at + len(source))


def _number_of(value: str) -> str:
    found = _NUMBER.search(value) if value.isascii() else re.search(r"\d+(?:[.,:]\d+)*", value)
    return plain_number(found.group()) if found else ""


@lru_cache(maxsize=8_192)
def numbers_of(text: str) -> frozenset[str]:
    """Return the numbers of *text*, as they are written shortest."""
    return frozenset(map(plain_number, _NUMBER.findall(text)))
