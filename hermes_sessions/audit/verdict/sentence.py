"""The one sentence of a verdict."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.measure import MeasuredCompaction, MeasuredSpan
from hermes_sessions.audit.values import CompactionCase, CompactionFacts, FindingValue
from hermes_sessions.audit.verdict.nouns import in_words, joined, noun
from hermes_sessions.audit.verdict.values import VerdictLine
from hermes_sessions.messages import CompactionMethod, CompactionStatus, Severity

_COUNTED: Final = ("constraint", "decision", "error", "file_changed")
"""Kinds that the sentence counts; the list below it has the others."""

_ALL: Final = 3
_SHORT: Final = 40
_OPPOSITE: Final = ("says the opposite of its source", "say the opposite of their sources")
_TURNED: Final[Mapping[str, tuple[str, str]]] = {
    "negation": _OPPOSITE,
    "opposite": _OPPOSITE,
    "done": ("reports as done what is not", "report as done what is not"),
    "order": ("joins or orders things otherwise than its source", "join or order things otherwise"),
    "who": ("names somebody else than its source", "name somebody else than their sources"),
}
"""What one sentence, and what several do, by the kind of what was noticed."""
_GRAVE: Final = frozenset({"empty-summary", "orphan-tool-pair", "secret-in-handoff", "cycle"})
"""Of what followed, what the sentence says first."""
_ERRORS: Final[Mapping[str, str]] = {
    "last-request-lost": "what you sent last is out of the agent's sight",
    "reply-swallowed": "the last answer is out of the agent's sight",
    "no-receipt": "messages left without a summary",
}
"""Errors that may come without a line of their own."""


ENCRYPTED: Final = "The summary was encrypted by the provider: what it holds cannot be read here."


CLOSED: Final = (
    "No session goes on from this compaction: nothing was summarised away, and the agent sees nothing of it"
    " until the closed session is resumed."
)
STALE: Final = (
    "Nobody said anything after this compaction: the conversation goes on from another continuation"
    " of the same session, and nothing in it is lost by this one."
)
_UNFINISHED: Final[Mapping[str, str]] = {
    CompactionStatus.INTERRUPTED: (
        "This compaction began and did not finish: nothing was summarised away,"
        " what was said before it still counts."
    ),
    CompactionStatus.ABORTED: (
        "This compaction was given up: nothing was summarised away, what was said before it still counts."
    ),
    CompactionStatus.UNDONE: "This compaction was undone: what was said before it counts again.",
}


def unfinished(facts: CompactionFacts) -> str:
    """Return what became of a compaction that was not committed."""
    return _UNFINISHED.get(facts.status, f"This compaction is {facts.status}: nothing goes on from it.")


def is_encrypted(case: CompactionCase) -> bool:
    """Whether a model wrote a summary of which nothing can be read."""
    return case.handoff is None and not case.body.strip() and case.facts.method == CompactionMethod.MODEL


def why_not_judged(measured: MeasuredSpan) -> str:
    """Return why nothing can be compared, '' where it can."""
    case = measured.case
    if case.facts.is_prune:
        count = len(case.span) or case.facts.span_messages or 0
        cleared = _counted(count) if count else "calls that are not stored"
        return f"The results of {cleared} were cleared; nothing was summarised."
    if not case.facts.is_committed:
        return unfinished(case.facts)
    if not case.facts.span_stored:
        return "The agent deleted what it summarised, so there is nothing to compare its summary with."
    if case.is_stale:
        return STALE
    if is_encrypted(case):
        return ENCRYPTED
    if not case.before:
        return "The context before this compaction is not stored, so nothing can be compared."
    return ""


def _counted(messages: int) -> str:
    return "one call" if messages == 1 else f"{messages:,} calls"


def say_sentence(
    measured: MeasuredCompaction,
    standing: Sequence[VerdictLine],
    departures: Sequence[Deviation],
    told: Sequence[VerdictLine],
    consequences: Sequence[VerdictLine],
    findings: Sequence[FindingValue] = (),
) -> str:
    """Return what happened in one sentence; one with an error in it never says that all is well.

    Args:
        standing: the last request and the last answer, and what vanished.
        told: a line for each of *departures*, in the same order; secrets masked.
        findings: what the rules found on it.
    """
    parts = [
        *_out_of_sight(standing),
        *_vanished(standing),
        *_gone(measured),
        *_doubtful(measured),
        *_wrong(departures, told),
        *(_consequence(one) for one in sorted(consequences, key=_is_mild)[:2]),
    ]
    figure = measured.retention.matter.in_words
    parts = parts or list(_error(findings))
    if not parts:
        return _all_well(measured, figure)
    if figure:
        parts.append(figure)
    return joined(parts)


def _all_well(measured: MeasuredCompaction, figure: str) -> str:
    share = measured.retention.matter
    if not share.total:
        return "Nothing that matters was summarised away."
    if not share.lost:
        return f"Everything that matters is still in the agent's sight: {figure}."
    return f"The last request and the last answer are safe; {figure}."


def _out_of_sight(standing: Sequence[VerdictLine]) -> Iterator[str]:
    names = {"request": "your last request", "answer": "the last answer"}
    gone = [names[line.kind] for line in standing if line.state == "gone" and line.kind in names]
    maybe = [names[line.kind] for line in standing if line.state == "perhaps gone" and line.kind in names]
    if gone:
        verb = "is" if len(gone) == 1 else "are"
        yield f"{' and '.join(gone)} {verb} out of the agent's sight"
    if maybe:
        where = "too" if gone else "out of the agent's sight"
        yield f"{' and '.join(maybe)} may be {where}: what the agent kept is not stored"
    if any(line.state == "perhaps answered" for line in standing):
        yield "your last request may still be open: what was said to it need not be an answer"


def _vanished(standing: Sequence[VerdictLine]) -> Iterator[str]:
    for line in standing:
        if line.kind == "messages":
            yield f"{line.source} left without a summary"


def _gone(measured: MeasuredCompaction) -> Iterator[str]:
    parts, several = [], False
    for kind in _COUNTED:
        facts = [fact for fact in measured.retention.facts if fact.kind == kind and fact.matters]
        lost = sum(fact.is_lost for fact in facts)
        if lost:
            parts.append(_share_in_words(kind, lost, len(facts)))
            several = several or lost > 1
    if parts:
        yield f"{_listed(parts)} {'are' if several or len(parts) > 1 else 'is'} gone"


def _doubtful(measured: MeasuredCompaction) -> Iterator[str]:
    """Yield what is no sure loss: how many rules, decisions and requests may be there in other words."""
    counts = Counter(
        fact.kind
        for fact in measured.retention.facts
        if fact.in_doubt and fact.matters and fact.kind in _COUNTED
    )
    if counts:
        parts = [f"{in_words(counts[kind])} {noun(kind, counts[kind])}" for kind in _COUNTED if counts[kind]]
        yield f"{_listed(parts)} may be in the summary in other words"


def _share_in_words(kind: str, lost: int, whole: int) -> str:
    if lost < whole:
        return f"{in_words(lost)} of {in_words(whole)} {noun(kind, whole)}"
    if whole < _ALL:
        return f"{'the' if whole == 1 else 'both'} {noun(kind, whole)}"
    return f"all {in_words(whole)} {noun(kind, whole)}"


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _wrong(departures: Sequence[Deviation], told: Sequence[VerdictLine]) -> Iterator[str]:
    """Yield how many values of the summary are wrong, a single one with both, and how sentences of it are."""
    wrong = [line for one, line in zip(departures, told, strict=True) if one.grade is Grade.CONTRADICTS]
    values = [line for line in wrong if line.kind not in _TURNED]
    if values:
        counts = Counter(line.kind for line in values)
        parts = [f"{in_words(count)} {noun(kind, count)}" for kind, count in counts.items()]
        verb = "is" if len(values) == 1 else "are"
        yield f"{_listed(parts)} {verb} wrong in the summary{_both(values[0]) if len(values) == 1 else ''}"
    for words, count in Counter(_TURNED[line.kind] for line in wrong if line.kind in _TURNED).items():
        if count == 1:
            yield f"one sentence of the summary {words[0]}"
        else:
            yield f"{in_words(count)} sentences of the summary {words[1]}"
    made_up = sum(one.grade is Grade.INVENTED for one in departures)
    if made_up:
        things = "one thing" if made_up == 1 else f"{in_words(made_up)} things"
        yield f"the summary says {things} that nobody said or did"


def _both(line: VerdictLine) -> str:
    if not line.source or max(len(line.handoff), len(line.source)) > _SHORT:
        return ""
    return f" (“{line.handoff}”, its source has “{line.source}”)"


def _is_mild(line: VerdictLine) -> bool:
    return line.kind not in _GRAVE


def _error(findings: Sequence[FindingValue]) -> Iterator[str]:
    """Yield the worst finding in a few words, where it is an error that nothing else tells."""
    worst = next((one.rule for one in findings if one.severity is Severity.ERROR), None)
    if worst is not None:
        yield _ERRORS.get(worst, f"an error was found: {worst.replace('-', ' ')}")


def _consequence(line: VerdictLine) -> str:
    return line.text.partition(":")[0]
