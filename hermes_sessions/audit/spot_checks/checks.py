"""All spot checks of a handoff."""

from collections.abc import Iterator, Sequence

from hermes_sessions.audit.alignment.align import Alignment
from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.outcomes.all_of_some import all_of_some
from hermes_sessions.audit.outcomes.crossed_words import crossed_words
from hermes_sessions.audit.outcomes.denied_deeds import denied_deeds
from hermes_sessions.audit.outcomes.opposite_forms import opposite_forms
from hermes_sessions.audit.outcomes.other_sides import other_sides
from hermes_sessions.audit.outcomes.refused_offers import refused_offers
from hermes_sessions.audit.outcomes.unheard_deeds import unheard_deeds
from hermes_sessions.audit.outcomes.unsaid_exceptions import unsaid_exceptions
from hermes_sessions.audit.relations.statements import ToldSentences
from hermes_sessions.audit.spot_checks.answers import answered_otherwise
from hermes_sessions.audit.spot_checks.asked_last import reported_though_asked_last
from hermes_sessions.audit.spot_checks.earlier_runs import results_of_earlier_runs
from hermes_sessions.audit.spot_checks.later_numbers import counts_given_later, numbers_given_later
from hermes_sessions.audit.spot_checks.leave import leave_given
from hermes_sessions.audit.spot_checks.lengths import lengths_with_other_units
from hermes_sessions.audit.spot_checks.measures import measures_with_other_units
from hermes_sessions.audit.spot_checks.named_settings import named_settings
from hermes_sessions.audit.spot_checks.parts_of_wholes import other_parts_of_wholes
from hermes_sessions.audit.spot_checks.set_aside_values import values_set_aside
from hermes_sessions.audit.spot_checks.turned_order import turned_orders
from hermes_sessions.audit.values import AuditMessage


def spot_checks(
    aligned: Alignment,
    told: ToldSentences,
    rows: Sequence[AuditMessage],
    texts: Sequence[tuple[int, str]],
) -> Iterator[Deviation]:
    """Yield what each check notes.

    Args:
        aligned: the clauses of the handoff, and those of its source.
        told: what was said.
        rows: the context before.
        texts: everything that was said, called and returned, each with its message.
    """
    claims, index = aligned.claims, aligned.bindings.index
    yield from measures_with_other_units(claims, texts)
    yield from lengths_with_other_units(claims, texts)
    yield from turned_orders(claims, texts)
    yield from other_parts_of_wholes(claims, texts)
    yield from results_of_earlier_runs(claims, told, rows)
    yield from values_set_aside(claims, told, texts)
    yield from numbers_given_later(claims, told)
    yield from counts_given_later(claims, told, texts)
    yield from leave_given(claims, index)
    yield from answered_otherwise(aligned.fine, index)
    yield from reported_though_asked_last(aligned.fine, index, rows)
    yield from unheard_deeds(aligned.fine, index, told)
    yield from opposite_forms(aligned.fine, texts)
    yield from all_of_some(claims, texts)
    yield from named_settings(claims, texts)
    yield from crossed_words(aligned.fine, index)
    yield from denied_deeds(aligned.fine, told, rows)
    yield from other_sides(aligned.fine, index)
    yield from refused_offers(aligned.fine, index, told)
    yield from unsaid_exceptions(aligned.fine, index, told)
