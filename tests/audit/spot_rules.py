"""The rules that the spot checks alone notice something by."""

from hermes_sessions.audit.alignment.align import align
from hermes_sessions.audit.checking.passages import read_passages
from hermes_sessions.audit.relations.statements import read_transcript
from hermes_sessions.audit.spot_checks.checks import spot_checks
from tests.audit.builders import compacted


def spot_rules_of(talk, body):
    """Return the rules of the spot checks alone: others may notice the same."""
    case = compacted(talk, body=body).conversation().compactions[0].judged
    passages, told = read_passages(case.body), read_transcript(case)
    texts = [(row.id, row.text.replace("\\n", "\n")) for row in case.before]
    texts += [(row.id, each.arguments.replace("\\n", "\n")) for row in case.before for each in row.calls]
    aligned = align(case, passages, told)
    return {one.rule for one in spot_checks(aligned, told, case.before, texts)}
