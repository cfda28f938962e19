"""Hold one handoff against all that stood before it."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import repeat
from typing import Final

from hermes_sessions.audit.alignment.align import align, misaligned_clauses
from hermes_sessions.audit.checking.altered_values import altered_values
from hermes_sessions.audit.checking.asked_values import read_values
from hermes_sessions.audit.checking.attribution import changed_names, moved_decisions
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.inventions import invented_words, invented_work
from hermes_sessions.audit.checking.passages import Passage, read_passages
from hermes_sessions.audit.checking.sentences import (
    Phrase,
    Spoken,
    changed_counts,
    cut_sentences,
    read_phrases,
    turned_sentences,
)
from hermes_sessions.audit.exchanges.denials import changed_after_all, lifted_rules, undone_after_all
from hermes_sessions.audit.exchanges.measures import other_lines, other_parts, other_units
from hermes_sessions.audit.exchanges.opposites import opposite_sides, other_days, swapped_ends
from hermes_sessions.audit.exchanges.people import exchanged_people
from hermes_sessions.audit.figures.told_figures import ToldFigures
from hermes_sessions.audit.figures.worked_out import eased
from hermes_sessions.audit.notices.certainty import decided, eased_by_results, stands_since
from hermes_sessions.audit.notices.notices import is_of_the_form, noticed, notices
from hermes_sessions.audit.notices.outdated import outdated_values
from hermes_sessions.audit.owners.other_people import other_people
from hermes_sessions.audit.places.misplaced import misplaced_values
from hermes_sessions.audit.relations.all_passed import passed_after_all
from hermes_sessions.audit.relations.bans import freed_bans, gained_bans
from hermes_sessions.audit.relations.completion import done_deeds, undone_deeds
from hermes_sessions.audit.relations.conditions import freed_conditions
from hermes_sessions.audit.relations.holders import exchanged_holders
from hermes_sessions.audit.relations.holds import exchanged_holds
from hermes_sessions.audit.relations.moves import crossed_shares, turned_moves
from hermes_sessions.audit.relations.name_shapes import is_german
from hermes_sessions.audit.relations.named_instead import chosen_instead, exchanged_parts
from hermes_sessions.audit.relations.ordered_pairs import exchanged_pairs
from hermes_sessions.audit.relations.replaced_values import replaced_values
from hermes_sessions.audit.relations.statements import ToldSentences, read_handoff, read_transcript
from hermes_sessions.audit.relations.untouchables import changed_untouchables, dropped_negations
from hermes_sessions.audit.relations.withheld import reported_withheld
from hermes_sessions.audit.sources.loose_values import is_loosely_said
from hermes_sessions.audit.sources.source_index import SourceIndex, TextReader
from hermes_sessions.audit.sources.written_text import Told
from hermes_sessions.audit.spot_checks.checks import spot_checks
from hermes_sessions.audit.support.demanded import Demands
from hermes_sessions.audit.support.doubted import softly
from hermes_sessions.audit.support.nearly_alike import weighed
from hermes_sessions.audit.support.other_figures import hold_figures
from hermes_sessions.audit.support.said_otherwise import is_told_otherwise, softened, without_repeated
from hermes_sessions.audit.support.told_whole import told_once, told_whole
from hermes_sessions.audit.support.two_readings import confirmed
from hermes_sessions.audit.unheard.unheard_days import unheard_days
from hermes_sessions.audit.unheard.unheard_figures import unheard
from hermes_sessions.audit.unheard.unheard_names import unheard_names
from hermes_sessions.audit.values import AuditMessage, CompactionCase
from hermes_sessions.audit.words.telling import telling_words
from hermes_sessions.facts.extract import extract_text_facts
from hermes_sessions.facts.values import Fact
from hermes_sessions.messages import Role

FactReader = Callable[[AuditMessage], Sequence[Fact]]
"""Returns the facts of a message; one that remembers them makes long chains fast."""

_MAX_SPOKEN_CHARS: Final = 4_000
_MAX_SENTENCE: Final = 400
_MOST_EXCHANGED: Final = 400
"""So many sentences of a handoff are held against everything that was said, one by one."""
_OWN_DIGITS: Final = 4
"""A number of so many digits that stands in the source is what it is there: a process, a port, an amount."""
_SPEAKERS: Final = frozenset({Role.USER, Role.ASSISTANT, Role.SYSTEM})


def check_handoff(
    case: CompactionCase,
    read: FactReader,
    handoff: SourceIndex,
    tell: TextReader = extract_text_facts,
) -> tuple[Deviation, ...]:
    """Return where the handoff departs from its source; nothing where that is not stored or only counts."""
    marker = case.wording is not None and case.wording.marker
    if not case.before or not case.body.strip() or marker:
        return ()
    case = case.judged
    passages = read_passages(case.body)
    source = index_source(case, read, tell)
    figures = ToldFigures(source.texts, case.body)
    phrases = read_phrases(passages)
    spoken = tuple(_spoken(case))
    told = read_transcript(case)
    aligned = align(case, passages, told)
    judged = tuple(read_values(passages))
    held = hold_figures(aligned, figures)
    values = list(altered_values(judged, source, handoff))
    lines = {(one.value, one.line) for one in values}
    found = [
        *_with_work(values, source),
        *turned_sentences(phrases, spoken),
        *(
            one
            for one in changed_counts(phrases, spoken, case.body, partial(_is_meant_too, source))
            if (one.value, one.line) not in lines
        ),
        *moved_decisions(phrases, spoken),
        *(() if is_german(case.body) else changed_names(phrases, source, handoff, spoken)),
        *invented_words(passages, case.known_requests, source.raw),
        *_exchanged(case, phrases, spoken, source, handoff),
        *_related(case, passages, told),
        *misaligned_clauses(aligned, told),
        *outdated_values(aligned),
        *(one for one in held.found if one.grade is not Grade.NOT_VERBATIM),
    ]
    found = [
        decided(one, told, case.before)
        for one in found
        if one.grade is not Grade.NOT_VERBATIM or not is_of_the_form(one)
        if not stands_since(one, told, case.before)
    ]
    found = [one for one in without_repeated(found) if not is_told_otherwise(one, figures)]
    found += other_people(aligned, told, case.before)
    spotted = spot_checks(aligned, told, case.before, source.texts)
    noted = [*noticed(passages, judged, aligned, source, told, case.before, held), *spotted]
    noted += misplaced_values(aligned, judged, source)
    lasting = (one for one in noted if not is_told_otherwise(one, figures))
    given = weighed([*found, *notices(found, lasting, source)])
    found = softly(confirmed(given, (*found, *noted), told), figures)
    found = eased_by_results(found, case.before)
    found = [softened(one, figures) for one in found if not is_told_otherwise(one, figures)]
    found = [eased(one, figures, source, handoff) for one in unheard(found, judged, source, figures)]
    found = unheard_names(unheard_days(found, judged, source, case.before), judged, source)
    demands = Demands(told, source, handoff, read_handoff(passages))
    return _each_once(told_once([told_whole(demands.corrected(one), source) for one in found]))


def _with_work(values: Sequence[Deviation], source: SourceIndex) -> list[Deviation]:
    """Return *values* with those of work that nobody did accused of that."""
    unsaid = [one for one in values if one.grade is Grade.NOT_VERBATIM]
    work = list(invented_work(unsaid, source.knows_word, source.texts))
    places = {(one.kind, one.value) for one in work}
    return [*(one for one in values if (one.kind, one.value) not in places), *work]


def _each_once(found: Sequence[Deviation]) -> tuple[Deviation, ...]:
    """Return what differs in grade, value or source, the first of each, in their order."""
    return tuple({(one.grade, one.value, one.source): one for one in reversed(found)}.values())[::-1]


def _exchanged(
    case: CompactionCase,
    phrases: Sequence[Phrase],
    spoken: Sequence[Spoken],
    source: SourceIndex,
    handoff: SourceIndex,
) -> Iterator[Deviation]:
    """Yield what stands in the place of something else: another side, person, day, unit or part."""
    phrases = phrases[:_MOST_EXCHANGED]
    yield from opposite_sides(phrases, spoken)
    yield from other_days(phrases, source.texts, case.body)
    yield from swapped_ends(case.body, source.texts)
    lines = [Phrase(one.text, frozenset(), one.mode) for one in read_passages(case.body)][:_MOST_EXCHANGED]
    yield from exchanged_people(lines, phrases, spoken, source, handoff)
    yield from other_units(phrases, source.texts, case.body)
    yield from other_parts(phrases, source.texts, case.body)
    yield from other_lines(lines, source.raw, case.body)
    yield from changed_after_all(phrases, spoken)
    yield from undone_after_all(phrases, spoken)
    yield from lifted_rules(phrases, spoken, case.body)


def _related(case: CompactionCase, passages: Sequence[Passage], told: ToldSentences) -> Iterator[Deviation]:
    """Yield sentences whose things stand to each other otherwise than everybody says."""
    claims = read_handoff(passages)[:_MOST_EXCHANGED]
    yield from exchanged_pairs(claims, told)
    yield from freed_conditions(claims, told)
    yield from freed_bans(claims, told)
    yield from gained_bans(claims, told)
    yield from undone_deeds(claims, told, case.before)
    yield from done_deeds(claims, told)
    yield from exchanged_holders(claims, told)
    yield from exchanged_holds(claims, told)
    yield from changed_untouchables(claims, told)
    yield from dropped_negations(claims, told)
    yield from passed_after_all(claims, told, case.before)
    yield from replaced_values(claims, told, case.before)
    yield from reported_withheld(claims, told)
    yield from turned_moves(claims, told)
    yield from crossed_shares(claims, case.before)
    yield from chosen_instead(claims, told)
    yield from exchanged_parts(claims, told)


def _is_meant_too(source: SourceIndex, value: str, other: str, line: str) -> bool:
    """Whether a text of the source holds both numbers, or the source *value*, more exactly or as it is."""
    if len(value) >= _OWN_DIGITS and source.holds_number(value):
        return True
    fact = Fact("number", "", value, line, Role.ASSISTANT, 0.0, (0, 0))
    return source.are_together(value, other) or is_loosely_said(fact, source.loose)


_as_told: Final[Callable[[tuple[object, ...]], Told]] = partial(tuple.__new__, Told)


def index_source(
    case: CompactionCase, read: FactReader, tell: TextReader = extract_text_facts
) -> SourceIndex:
    """Return everything that the model could know when the compaction began."""
    texts = [(0, text) for text in (case.prompt, *case.previous_handoffs, *_earlier(case))]
    told = [Told(fact, 0) for fact in extract_text_facts(case.prompt, Role.SYSTEM)]
    for text in (*case.previous_handoffs, *_earlier(case)):
        told += [Told(fact, 0) for fact in tell(text)]
    for row in case.before:
        texts.append((row.id, _unescaped(row.text) if row.role == Role.TOOL else row.text))
        texts += [(row.id, f"{call.name} {_unescaped(call.arguments)}") for call in row.calls]
        told += map(_as_told, zip(read(row), repeat(row.id), strict=False))
    return SourceIndex(texts, told)


def _earlier(case: CompactionCase) -> Sequence[str]:
    here = {row.text for row in case.before}
    return [text for text in case.known_requests if text not in here][-50:]


def _unescaped(arguments: str) -> str:
    return arguments.replace("\\n", "\n").replace('\\"', '"').replace("\\/", "/")


def _spoken(case: CompactionCase) -> Iterator[Spoken]:
    """Yield the sentences that people and the agent said, oldest first."""
    yield from _sentences(case.prompt[:_MAX_SPOKEN_CHARS], 0, Role.SYSTEM)
    for row in case.before:
        if row.role in _SPEAKERS and row.text:
            yield from _sentences(row.text[:_MAX_SPOKEN_CHARS], row.id, row.role)


def _sentences(text: str, message: int, speaker: str) -> Iterator[Spoken]:
    for sentence in cut_sentences(text):
        sentence = sentence[:_MAX_SENTENCE]
        if words := telling_words(sentence):
            yield Spoken(sentence, words, message, speaker)
