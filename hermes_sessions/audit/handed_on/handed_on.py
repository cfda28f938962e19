"""Whether the handoffs in sight tell a fact that they do not hold word for word. Pure."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Final

from hermes_sessions.audit.handed_on.claim_origins import ClaimOrigins
from hermes_sessions.audit.handed_on.duties import tells_duty
from hermes_sessions.audit.handed_on.error_names import error_names
from hermes_sessions.audit.handed_on.matter import matter_of
from hermes_sessions.audit.handed_on.open_work import OpenWork
from hermes_sessions.audit.handed_on.told_amounts import ToldAmounts
from hermes_sessions.audit.handed_on.told_matters import Telling, ToldMatters, numbers_of, read_matters
from hermes_sessions.audit.handed_on.tongues import is_in_other_tongue
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.sentence_ends import MAX_READ_CHARS, SENTENCE_ENDS
from hermes_sessions.facts.equivalence import expand_braces, outcome
from hermes_sessions.facts.values import Fact
from hermes_sessions.late_patterns import late_pattern

_SENTENCES: Final = frozenset({"decision", "todo", "next_step", "question"})
_AMOUNTS: Final = frozenset({"duration", "money", "number", "percentage", "date", "config"})
_FEW_WORDS: Final = 2
_SAID: Final = _SENTENCES | {"request", "error"}
_MEASURED: Final = frozenset({"duration", "money", "number", "percentage", "date", "time"})

_COMMON_NAMES: Final = frozenset(
    "__init__.py index.ts index.js index.html main.py mod.rs readme.md package.json conftest.py setup.py config.py makefile dockerfile".split()
)
_COUNT = late_pattern(r"\d{1,6}")
_COUNTED = late_pattern(r"(?<![\d.,])(\d{1,6})\s?(?:[^\W\d_]{1,12}\s)?([^\W\d_]{2,20})")


class HandedOn:
    """The handoffs that a compaction left in the context, and what was said before it."""

    def __init__(self, bodies: Sequence[str], before: Sequence[AuditMessage]) -> None:
        """Take the handoffs without what frames them."""
        self._bodies = bodies
        self._before = before

    def of(self, fact: Fact, rows: Sequence[int]) -> Telling:
        """Return whether a handoff tells *fact*, said in these rows; rules are for the ledger to judge."""
        if not any(self._bodies):
            return Telling.NOT
        found = self._of(fact, rows)
        return found if found is Telling.YES else max(found, self._by_origin(fact, rows))

    def stems_from(self, text: str, rows: Sequence[int]) -> Telling:
        """Return whether a clause of a handoff most likely stems from *text*, said in these rows."""
        return self._origins.of(text, rows) if any(self._bodies) else Telling.NOT

    def _by_origin(self, fact: Fact, rows: Sequence[int]) -> Telling:
        if fact.kind in _SAID and not (fact.kind == "request" and rows[-1] == self._last_request):
            return self._origins.of(fact.value, rows)
        if fact.kind in _MEASURED and (numbers := numbers_of(fact.value)):
            said = next((one for one in SENTENCE_ENDS.split(fact.text) if fact.value in one), "")
            return self._origins.of(said, rows, numbers) if said else Telling.NOT
        return Telling.NOT

    def _of(self, fact: Fact, rows: Sequence[int]) -> Telling:
        if fact.kind == "request":
            return self._of_request(fact, rows)
        if fact.kind in _SENTENCES:
            found = self._matters.of_sentence(fact.value)
            foreign = found is Telling.NOT and self.is_foreign(fact.value, rows)
            return Telling.PERHAPS if foreign else found
        if fact.kind == "error":
            return self._of_error(fact, rows)
        if fact.kind == "file_changed":
            return Telling.YES if self._names_file(fact.value) else Telling.NOT
        if fact.kind == "test_result":
            return Telling.YES if self._tells_result(fact.value) else Telling.NOT
        if fact.kind in _AMOUNTS and self._amounts.tells(fact):
            return Telling.YES
        return Telling.NOT

    def of_duty(self, duty: Fact, rows: Sequence[int]) -> Telling:
        """Return whether a handoff tells who does what."""
        found = tells_duty(duty, self._bodies)
        foreign = found is Telling.NOT and any(self._bodies) and self.is_foreign(duty.value, rows)
        return Telling.PERHAPS if foreign else found

    def of_rule(self, rule: Fact) -> Telling:
        """Return whether a line has what *rule* is about, and its bar or its value."""
        return self._matters.of_rule(rule.value) if any(self._bodies) else Telling.NOT

    def is_foreign(self, text: str, rows: Sequence[int]) -> bool:
        """Return whether no line of the handoffs is in the language in which *text* was said."""
        places = {at for one in rows if (at := self._places.get(one)) is not None}
        near = [self._before[at].text for at in sorted(places)]
        return is_in_other_tongue(text, (*near, *self._requests), self._lines)

    def _of_request(self, fact: Fact, rows: Sequence[int]) -> Telling:
        message = rows[-1]
        foreign = self.is_foreign(fact.value, rows)
        if self._open_work.names(self._text_of(message) or fact.value, message, foreign):
            return Telling.YES
        if message == self._last_request:
            asked = (self._text_of(message), *self._offers(message))
            work = self._open_work
            may_mean = any(map(work.may_name, asked)) or any(work.may_tell(one, message) for one in asked)
            may_mean = may_mean or work.may_stem(message, foreign)
            return Telling.PERHAPS if may_mean else Telling.NOT
        found = self._matters.of_sentence(fact.value)
        return Telling.PERHAPS if foreign and found is Telling.NOT else found

    def _offers(self, message: int) -> Sequence[str]:
        """Return the agent's words before a request that has hardly any of its own: *yes, do that*."""
        if len(matter_of(self._text_of(message))) > _FEW_WORDS:
            return ()
        before = [row for row in self._before if row.id < message and row.is_reply and row.text.strip()]
        offer = before[-1].text[-MAX_READ_CHARS:] if before else ""
        return [one for one in SENTENCE_ENDS.split(offer) if one.strip()]

    def _of_error(self, fact: Fact, rows: Sequence[int]) -> Telling:
        names = error_names(fact.value) or error_names(fact.text)
        if any(one in self._folded for one in names):
            return Telling.YES
        found = self._matters.of_sentence(fact.value)
        if found is Telling.NOT and not names and self.is_foreign(fact.value, rows):
            return Telling.PERHAPS
        return found

    def _tells_result(self, value: str) -> bool:
        """`18 tests pass` is told by `18/18`, and by `18 passed`."""
        count = _COUNT.search(value)
        if count is None:
            return False
        whole = outcome(value) == "passed" and f"{count.group()}/{count.group()}" in self._folded
        return whole or any(
            number == count.group() and outcome(word) == outcome(value)
            for number, word in _COUNTED.findall(self._folded)
        )

    def _names_file(self, path: str) -> bool:
        """By the end of its path, or by its name where that is no common one."""
        name = path.replace("\\", "/").rpartition("/")[2]
        if not name or name.casefold() in _COMMON_NAMES or name not in self._opened:
            return False
        return re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-]|\.\w)", self._opened) is not None

    def _text_of(self, message: int) -> str:
        at = self._places.get(message)
        return "" if at is None else self._before[at].text

    @cached_property
    def _places(self) -> dict[int, int]:
        return {row.id: at for at, row in enumerate(self._before)}

    @cached_property
    def _last_request(self) -> int | None:
        return next((row.id for row in reversed(self._before) if row.is_request), None)

    @cached_property
    def _requests(self) -> tuple[str, ...]:
        return tuple(row.text for row in reversed(self._before) if row.is_request and row.text.strip())[:8]

    @cached_property
    def _lines(self) -> tuple[str, ...]:
        return tuple(line for body in self._bodies for line in body.splitlines() if line.strip())

    @cached_property
    def _folded(self) -> str:
        return "\n".join(self._bodies)

    @cached_property
    def _opened(self) -> str:
        return f"{self._folded}\n{expand_braces(self._folded)}"

    @cached_property
    def _matters(self) -> ToldMatters:
        return read_matters(tuple(self._bodies))

    @cached_property
    def _origins(self) -> ClaimOrigins:
        return ClaimOrigins(self._bodies, self._before)

    @cached_property
    def _amounts(self) -> ToldAmounts:
        return ToldAmounts(self._bodies)

    @cached_property
    def _open_work(self) -> OpenWork:
        said = [(row.id, row.text) for row in self._before if row.kind != "handoff" and row.text.strip()]
        return OpenWork(self._bodies, said)
