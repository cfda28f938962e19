"""A tour of what this viewer is for: one answer that was summarised away, in four places."""

from sqlalchemy import orm as sa_orm

from hermes_sessions.store.queries.compactions import find_compaction
from hermes_sessions.store.queries.findings import FindingQuery, find_reply_after, list_finding_lines
from hermes_sessions.web.serving.config import TourStop

SWALLOWED = "reply-swallowed"


def plan_tour(db: sa_orm.Session) -> tuple[str | None, tuple[TourStop, ...]]:
    """Return the conversation of the newest answer that was swallowed, and the stops: none where none was."""
    lines = list_finding_lines(db, FindingQuery(rule=SWALLOWED, limit=1)).items
    if not lines or lines[0].compaction is None or not lines[0].messages:
        return None, ()
    reply, compaction = lines[0].messages[0], find_compaction(db, lines[0].compaction)
    if compaction is None or compaction.handoff_id is None:
        return None, ()
    later = find_reply_after(db, compaction.handoff_id)
    stops = (
        TourStop("the answer, as you read it", f"/m/{reply}"),
        TourStop("the summary that took its place", f"/m/{compaction.handoff_id}"),
        *([TourStop("what the model saw when it went on", f"/m/{later}/seen")] if later else []),
        TourStop("what was lost, and what to tell the agent", f"/compactions/{compaction.id}"),
    )
    return lines[0].conversation, stops
