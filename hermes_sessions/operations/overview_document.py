"""The JSON document of an overview: its shape, and nothing else."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date, timedelta
from typing import Any

from hermes_sessions.store.queries.overview import Group, Leader, Overview

Document = dict[str, Any]
_EPOCH = date(1970, 1, 1)


def overview_document(found: Overview, first: date, last: date) -> Document:
    """Return `{first, last, days, compactions, retained, sources, models, biggest, most_compacted, store}`.

    Days on which nothing happened are left out. Of compactions, `told` says how many carry their
    agent's own sizes and `measured` of how many the audit estimated both.
    """
    return {
        "first": first.isoformat(),
        "last": last.isoformat(),
        "days": [
            {
                "day": _iso(one.day),
                "kind": one.kind,
                "conversations": one.conversations,
                "messages": one.messages,
            }
            for one in found.days
        ],
        "compactions": [{**asdict(one), "day": _iso(one.day)} for one in found.compactions],
        "retained": found.retained,
        "sources": _groups(found.sources),
        "models": _groups(found.models),
        "biggest": _leaders(found.biggest),
        "most_compacted": _leaders(found.most_compacted),
        "store": asdict(found.size),
    }


def _groups(groups: Sequence[Group]) -> list[Document]:
    return [asdict(group) for group in groups]


def _leaders(leaders: Sequence[Leader]) -> list[Document]:
    return [
        {
            "id": one.public_id,
            "title": one.title,
            "preview": one.preview,
            "source": one.source,
            "messages": one.message_count,
            "compactions": one.compaction_count,
            "last_active_at": one.last_active_at,
        }
        for one in leaders
    ]


def _iso(day: int) -> str:
    return (_EPOCH + timedelta(days=day)).isoformat()
