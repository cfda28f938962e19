"""Tasks that were over before the compaction, and that the handoff gives as still to do."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.audit.directives.closed_work import ClosedWork, is_left_open
from hermes_sessions.audit.directives.conditions import is_condition
from hermes_sessions.audit.directives.doubtful_lines import is_doubtful, is_set_apart
from hermes_sessions.audit.directives.finished_turns import FinishedTurns
from hermes_sessions.audit.directives.follow_ups import LATER
from hermes_sessions.audit.directives.statements_of_fact import sets_no_task
from hermes_sessions.audit.directives.taken_on import is_announced, without_assent
from hermes_sessions.audit.directives.tied_lines import is_tied
from hermes_sessions.audit.directives.told_done import ToldWork, is_told_as_done, last_reply, read_work
from hermes_sessions.audit.values import AuditMessage, CompactionCase
from hermes_sessions.audit.words.concepts import SentenceTerms, read_terms
from hermes_sessions.audit.words.headings import PartItem, PartKind, read_items
from hermes_sessions.audit.words.outcomes import (
    AGAIN,
    CANCELLED,
    CLAUSE,
    CLOSED_ITEM,
    FILLER,
    FINISHED,
    INSTEAD,
    JOINED,
    NEEDED,
    NOTHING,
    RATHER,
    STILL_BROKEN,
    UNFINISHED,
)
from hermes_sessions.audit.words.sentence_ends import MAX_READ_CHARS, SENTENCE_ENDS
from hermes_sessions.handoff.frames import without_frame
from hermes_sessions.handoff.own_lines import without_own_lines

_OPEN_KINDS: Final = frozenset({PartKind.ACTIVE, PartKind.PENDING, PartKind.NEXT})
_MOST: Final = 0.75
_NEARLY: Final = 0.6
_HALF: Final = 0.5
_MANY: Final = 4
_STEM: Final = 6
_SHORT: Final = 4
_ENDING: Final = 2
_REPLY: Final = 600
_LIST: Final = 3
"""Of so many deeds asked for at once, a reply that names one has finished that one."""
_BARE: Final = frozenset(["stop", "halt", "wait", "abort", "that", "it", "this", "cancel", "mind"])


class StaleTask(NamedTuple):
    """A line of the handoff, why it is stale (`finished` or `cancelled`), and the message that says so.

    `is_sure`: the line has hardly a reading in which it sets no task, or another one.
    """

    text: str
    why: str
    message: int
    is_sure: bool = True


@dataclass(slots=True)
class _Task:
    """A sentence in which the user asked for something."""

    terms: SentenceTerms
    message: int
    over: str = ""
    by: int = 0
    told: frozenset[str] = frozenset()
    """What the reply names that says it is done."""

    def holds(self, word: str) -> bool:
        """Return whether *word* is one of the task, in its form or bent."""
        alike = (
            len(one) >= _STEM and (word.startswith(one) or one.startswith(word)) for one in self.terms.all
        )
        return word in self.terms.all or (len(word) >= _STEM and any(alike))


def find_stale_tasks(case: CompactionCase) -> tuple[StaleTask, ...]:
    """Return the lines under headings of open work that name a task which was over before."""
    body = without_frame(without_own_lines(case.body))
    lines = list(read_items(body))
    items = [
        one
        for line in lines
        for one in _parts(line)
        if one.kind in _OPEN_KINDS
        and not (
            NOTHING.match(one.text)
            or CLOSED_ITEM.search(one.text)
            or is_condition(one.text)
            or sets_no_task(one.text)
        )
    ]
    if not items:
        return ()
    unsure: list[StaleTask] = []
    for known in _looked_up(items, lines, case.before):
        if sure := [one for one in known if one.is_sure]:
            return tuple(dict.fromkeys(sure))
        unsure += known
    return tuple(dict.fromkeys(unsure))


def _looked_up(
    items: Sequence[PartItem], lines: Sequence[PartItem], rows: Sequence[AuditMessage]
) -> Iterator[list[StaleTask]]:
    """Yield what is over by what was asked and answered, then by all that was said, then by the handoff itself."""
    tasks, called_off = _read_tasks(rows)
    talk = ClosedWork(rows)
    known = [one for item in items if (one := _stale(item, tasks, called_off)) is not None]
    known = known or list(_done_in_a_turn(items, rows))
    kept = [one for one in known if one.why == "cancelled" or not talk.is_elsewhere(one.text)]
    yield _weighed(kept, rows)
    yield _weighed(_closed(items, talk), rows)
    work = read_work([one.text for one in lines if one.kind not in _OPEN_KINDS])
    yield _weighed(_told_as_done(items, work, rows), rows)


def _weighed(found: Iterable[StaleTask], rows: Sequence[AuditMessage]) -> list[StaleTask]:
    """Return what is found, each with whether it is sure."""
    return [one._replace(is_sure=_is_sure(one, rows)) for one in found]


def _is_sure(one: StaleTask, rows: Sequence[AuditMessage]) -> bool:
    is_cancelled = one.why == "cancelled"
    if is_doubtful(one.text, is_cancelled=is_cancelled) or (
        not is_cancelled and (AGAIN.search(one.text) or LATER.search(one.text))
    ):
        return False
    return is_tied(one.text, one.message, rows, is_cancelled=is_cancelled)


def _parts(item: PartItem) -> Iterator[PartItem]:
    """Yield a line; where it has several sentences, each of the others, too."""
    yield item
    if item.kind in _OPEN_KINDS and not NOTHING.match(item.text):
        for sentence in SENTENCE_ENDS.split(item.text[:1_000])[1:]:
            if sentence.strip() and not _is_detail(sentence):
                yield item._replace(text=sentence.strip())


def _is_detail(sentence: str) -> bool:
    """Return whether a sentence behind another one only says how many, or when: `2 with oat milk, 1 without`."""
    terms = read_terms(sentence)
    counted = sum(one[:1].isdigit() for one in terms.all)
    return not terms.deeds and counted >= len(terms.all) * _HALF


def _closed(items: Sequence[PartItem], talk: ClosedWork) -> Iterator[StaleTask]:
    """Yield what the talk shows as over, in whatever turn."""
    for item in items:
        if (by := talk.closed_by(item.text)) is not None:
            yield StaleTask(item.text, "finished", by)


def _told_as_done(
    items: Sequence[PartItem], work: ToldWork, rows: Sequence[AuditMessage]
) -> Iterator[StaleTask]:
    for item in items:
        if is_told_as_done(item.text, work) and (by := last_reply(item.text, rows)) is not None:
            yield StaleTask(item.text, "finished", by)


def _done_in_a_turn(items: Sequence[PartItem], rows: Sequence[AuditMessage]) -> Iterator[StaleTask]:
    """Yield active tasks that an earlier turn did, in whatever words, where none is the last request."""
    turns = FinishedTurns(rows, [one.text for one in items])
    active = [one.text for one in items if one.kind is PartKind.ACTIVE]
    if active and turns.goes_on(active):
        return
    for item in items:
        if turns.goes_on([item.text]):
            continue
        if (by := turns.finisher(item.text, is_active=item.kind is PartKind.ACTIVE)) is not None:
            yield StaleTask(item.text, "finished", by)


def _stale(item: PartItem, tasks: Sequence[_Task], called_off: Sequence[_Task]) -> StaleTask | None:
    terms = read_terms(item.text[:1_000])
    for task in reversed(called_off):
        later = [one for one in tasks if one.message >= task.message and not one.over]
        if _names(terms, task.terms) and not _is_still_wanted(terms, task, later):
            return StaleTask(item.text, "cancelled", task.message)
    still = [one for one in tasks if not one.over]
    for task in reversed([one for one in tasks if one.over]):
        if _is_other_part(terms, task):
            continue
        if (_is_task(terms, task.terms) or _is_task_as_told(terms, task)) and not _is_still_wanted(
            terms, task, still
        ):
            return StaleTask(item.text, task.over, task.by)
    return None


def _is_other_part(item: SentenceTerms, over: _Task) -> bool:
    """Return whether the reply that ends a task names some of it, and nothing of the part that the line names."""
    return bool(over.told & over.terms.all) and not over.told & item.all


def _is_still_wanted(item: SentenceTerms, over: _Task, wanted: Sequence[_Task]) -> bool:
    """Return whether something that is still open explains the line as well as what is over."""
    known = len(item.all & over.terms.all)
    more = item.all - over.terms.all
    if any(more & one.terms.all for one in wanted if one.message > over.message):
        return True  # it names what came up later
    return any(_is_about(item, one.terms) and len(item.all & one.terms.all) >= known for one in wanted)


class _Item(NamedTuple):
    """What is left of a line of a handoff: all it names, and what of that is done."""

    all: frozenset[str]
    deeds: frozenset[str]


def _is_task(item: SentenceTerms | _Item, task: SentenceTerms) -> bool:
    """Return whether a line of a handoff names a task: the same deed to the same things, and little else."""
    if len(item.all) < 2 or len(task.all) < 2 or (item.deeds - task.deeds and task.deeds):
        return False
    words = _bent_alike(item.all, task.all)
    shared = len(words & task.all)
    if words - task.all and task.all - words and shared < _MANY:
        return False  # each names something that the other does not: another object
    own, other = shared / len(words), shared / len(task.all)
    return shared >= 2 and (own >= _MOST or (other >= _MOST and own >= _NEARLY))


def _is_task_as_told(item: SentenceTerms, task: _Task) -> bool:
    """Return whether a line names a task, what it adds being what the reply said was done with it."""
    words = _bent_alike(item.all, task.told | task.terms.all)
    added = (words & task.told) - task.terms.all
    rest = _Item(words - added, item.deeds - added)
    return bool(added) and rest.all <= task.terms.all and _is_task(rest, task.terms)


def _bent_alike(words: frozenset[str], known: frozenset[str]) -> frozenset[str]:
    """Return *words*, those of them that are a word of *known* with another ending as they are there."""
    missing = sorted(known - words)
    found = {word: next((one for one in missing if _is_bent(word, one)), word) for word in words - known}
    return frozenset(found.get(word, word) for word in words)


def _is_bent(one: str, other: str) -> bool:
    """`moving` is `move`, `buscar` is `busca`, `rinominare` is `rinomina`; of short words an ending is half the word."""
    shorter, longer = sorted((one, other), key=len)
    if longer.removesuffix("ing") == shorter.removesuffix("e") or longer == f"{shorter}re":
        return len(shorter) >= _SHORT
    pairs = zip(one, other, strict=False)
    same = next((at for at, (a, b) in enumerate(pairs) if a != b), len(shorter))
    return same >= _SHORT and len(longer) - same < _ENDING


def _names(item: SentenceTerms, called_off: SentenceTerms) -> bool:
    """Return whether a line of a handoff names what was called off."""
    shared = len(item.all & called_off.all)
    if not item.all or not called_off.all:
        return False
    whole = shared / len(called_off.all)
    return (shared >= 2 and whole >= _NEARLY and shared / len(item.all) >= _HALF - 0.1) or (
        shared >= 1 and whole >= _MOST and shared / len(item.all) >= _HALF - 0.2 and len(called_off.all) <= 2
    )


def _is_about(item: SentenceTerms, task: SentenceTerms) -> bool:
    shared = len(item.all & task.all)
    return bool(task.all) and shared / len(task.all) >= _HALF and (shared >= 2 or len(task.all) == 1)


def _read_tasks(rows: Sequence[AuditMessage]) -> tuple[list[_Task], list[_Task]]:
    """Return what the user asked for, each with how it ended, and what the user called off."""
    tasks: list[_Task] = []
    called_off: list[_Task] = []
    waiting: list[_Task] = []
    for row in rows:
        if row.is_request:
            if STILL_BROKEN.search(row.text):
                _reopen(waiting)
            waiting = []
            for clause, cancels in _clauses(row.text):
                terms = read_terms(clause)
                if cancels:
                    _call_off(tasks, terms, row.id, alone=not read_terms(CANCELLED.sub(" ", clause)).all)
                if cancels or not is_set_apart(clause):
                    (called_off if cancels else waiting).append(_Task(terms, row.id))
            tasks += waiting
        elif row.is_reply and not row.calls:
            _end(waiting, row)
    return tasks, called_off


def _end(waiting: Sequence[_Task], reply: AuditMessage) -> None:
    """Say of the tasks that a reply reports as done that they are over, but for what it leaves open."""
    if reply.text.rstrip()[-1:] in ("?", "？") or not _is_finished(reply.text):
        return
    told, left = read_terms(reply.text[:_REPLY]), _left_open(reply.text)
    names_some = any(told.all & task.terms.all for task in waiting)
    for task in waiting:
        if names_some and not told.all & task.terms.all:
            continue  # it says that something else is done
        is_one_of_many = len(task.terms.deeds) >= _LIST and len(task.terms.deeds & told.deeds) == 1
        if not (is_one_of_many or task.terms.all & left - _BARE):
            task.over, task.by, task.told = "finished", reply.id, told.all


def _call_off(tasks: Sequence[_Task], terms: SentenceTerms, message: int, *, alone: bool) -> None:
    """`Forget the reminder` and `Stop`: the last task of which it is said is over."""
    bare = alone or not terms.all - _BARE
    for task in reversed(tasks):
        named = terms.all - _BARE and all(map(task.holds, terms.all - _BARE))
        if not task.over and (named or (bare and task.message == tasks[-1].message)):
            task.over, task.by = "cancelled", message
            return


def _reopen(last: Sequence[_Task]) -> None:
    """What the user is not content with is not over."""
    for task in last:
        task.over = ""


def _left_open(reply: str) -> frozenset[str]:
    """Return what a reply names that is not done yet."""
    left = (one for one in SENTENCE_ENDS.split(reply[:MAX_READ_CHARS]) if is_left_open(one))
    return frozenset().union(*(read_terms(one).all for one in left))


@lru_cache(maxsize=4_096)  # a reply of a tail stands before the next compaction, too
def _is_finished(reply: str) -> bool:
    told = (one for one in SENTENCE_ENDS.split(reply[:600])[:3] if not is_announced(one))
    head = " ".join(map(without_assent, told))
    return FINISHED.search(head) is not None and UNFINISHED.search(head) is None


def _clauses(text: str) -> Iterator[tuple[str, bool]]:
    """Yield each sentence that asks, and each clause that calls something off."""
    for sentence in SENTENCE_ENDS.split(text[:MAX_READ_CHARS]):
        if not sentence.strip():
            continue
        if CANCELLED.search(sentence) is None:
            yield sentence, False
            continue
        for clause in CLAUSE.split(sentence):
            if clause and clause.strip():
                yield from _cut(clause)


def _cut(clause: str) -> Iterator[tuple[str, bool]]:
    """Take a clause apart where only one end of it is called off: `X instead of Y`."""
    match = CANCELLED.search(clause)
    if match is None:
        yield clause, False
        return
    before, after = clause[: match.start()], FILLER.sub(" ", clause[match.end() :])
    if INSTEAD.search(match.group()) and (rather := RATHER.search(after)):
        yield after[rather.end() :], False
        after = after[: rather.start()]
    if not read_terms(after).all:  # the verb is last, or holds its object
        yield (before if read_terms(before).all else NEEDED.sub(" ", clause)), True
        return
    if len(read_terms(before).all) >= 2:
        yield before, False
    if (joined := JOINED.search(after)) and _is_deed(after[joined.end() :]):
        yield after[joined.end() :], False
        after = after[: joined.start()]
    yield after, True


def _is_deed(text: str) -> bool:
    """Return whether *text* begins with something to do, and not with one thing more."""
    first = " ".join(text.split()[:2])
    return RATHER.match(first.lstrip()) is not None or bool(read_terms(first).deeds)
