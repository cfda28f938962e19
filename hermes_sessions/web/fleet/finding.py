"""The merged search page."""

from dataclasses import replace
from datetime import datetime
from typing import Final

from flask import Blueprint, render_template, request, url_for
from sqlalchemy import orm as sa_orm

from hermes_sessions.errors import AmbiguousIdError, InvalidQueryError
from hermes_sessions.operations.search import (
    FoundMessage,
    highlighter_of,
    load_conversations,
    load_messages,
)
from hermes_sessions.store.fleet.merged_search import HitPlace, StoreHit, search_merged
from hermes_sessions.store.fleet.reading import in_each
from hermes_sessions.store.searching.message_hits import Search
from hermes_sessions.web.fleet.lists import after_asking, fleet, load_frame, stores_of
from hermes_sessions.web.fleet.values import FleetHits, FleetSearch
from hermes_sessions.web.searching.hit_lines import readable

search = Blueprint("search", __name__)
BLUEPRINTS = (search,)
HITS: Final = 60
"""How many hits, newest first, one page looks at to fill its groups."""
GROUPS: Final = 12
HITS_PER_GROUP: Final = 3


@search.get("/search")
def index() -> str | tuple[str, int]:
    """Show the search box, and what its query finds in all stores."""
    typed = request.args.get("q", "")
    blank = FleetSearch(frame=load_frame(), typed=typed)
    if not typed.strip():
        return render_template("fleet/search.html", page=blank)
    try:
        page = _answer(blank)
    except (InvalidQueryError, AmbiguousIdError) as error:
        page = replace(blank, problem=str(error).removeprefix("search: "))
        return render_template("fleet/search.html", page=page), 400
    return render_template("fleet/search.html", page=page)


def _answer(blank: FleetSearch) -> FleetSearch:
    after = request.args.get("after")
    wanted = Search.of(blank.typed, datetime.now().astimezone(), limit=HITS)
    found = search_merged(
        fleet(), wanted, stores=stores_of(blank.frame), after=HitPlace.parse(after) if after else None
    )
    groups: dict[tuple[str, int], list[StoreHit]] = {}
    last = found.next
    for one in found.hits:
        key = (one.place.store, one.hit.conversation_id)
        if key not in groups and len(groups) == GROUPS:
            break
        groups.setdefault(key, []).append(one)
        last = one.place if one is not found.hits[-1] else found.next
    titles = url_for("conversations.index", title=blank.typed.removeprefix("in:title").strip(), kind="all")
    loaded = _loaded(wanted, groups)
    return replace(
        blank,
        frame=after_asking(blank.frame),
        groups=loaded,
        notes=found.notes,
        first_page=after is None,
        next=_link(blank, last) if last is not None else None,
        titles=titles,
    )


def _loaded(wanted: Search, groups: dict[tuple[str, int], list[StoreHit]]) -> tuple[FleetHits, ...]:
    """Return the groups with their first hits, loaded store by store."""
    highlighter = highlighter_of(wanted.query)

    def load(db: sa_orm.Session, name: str) -> dict[int, FleetHits]:
        own = {key: hits for (store, key), hits in groups.items() if store == name}
        conversations = load_conversations(db, own)
        shown = [one.hit for hits in own.values() for one in hits[:HITS_PER_GROUP]]
        messages: list[FoundMessage] = list(load_messages(db, shown, conversations, highlighter))
        return {
            key: FleetHits(
                store=name,
                conversation=conversations[key],
                hits=tuple(readable(one, highlighter) for one in messages if one.conversation.id == key),
                count=len(hits),
            )
            for key, hits in own.items()
            if key in conversations
        }

    found = in_each(fleet(), sorted({store for store, _ in groups}), load)
    return tuple(found[store][key] for store, key in groups if key in found.get(store, {}))


def _link(blank: FleetSearch, last: HitPlace) -> str:
    return url_for("search.index", q=blank.typed, store=blank.frame.chosen, after=str(last))
