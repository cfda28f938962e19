"""The hits of a search inside a conversation: what is marked, which come before and behind."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from flask import url_for
from sqlalchemy import orm as sa_orm

from hermes_sessions.errors import AmbiguousIdError, InvalidQueryError
from hermes_sessions.operations.search import highlighter_of
from hermes_sessions.store.language.highlight import Highlighter
from hermes_sessions.store.language.query_text import parse_query
from hermes_sessions.store.searching.message_hits import MAX_LIMIT, HitPage, Search, find_hits, load_places
from hermes_sessions.web.searching.search_values import HitsBar


def read_highlighter(args: Mapping[str, str]) -> Highlighter:
    """Return what marks the words of the query that led to a page; nothing where there is none."""
    if not args.get("q"):
        return Highlighter.of(())
    try:
        return highlighter_of(parse_query(args.get("q", ""), datetime.now().astimezone()))
    except InvalidQueryError:
        return Highlighter.of(())


def load_hits_bar(db: sa_orm.Session, public_id: str, args: Mapping[str, str]) -> HitsBar | None:
    """Return the hits of the page's query in one conversation; None where there is no query."""
    typed = args.get("q", "")
    if not typed.strip():
        return None
    try:
        query = parse_query(typed, datetime.now().astimezone())
        inside = replace(query.scope, conversations=(public_id,), titles=False)
        search = Search(query=replace(query, scope=inside), limit=MAX_LIMIT)
        found = find_hits(db, search)
    except (InvalidQueryError, AmbiguousIdError):
        return None
    ids = load_places(db, found.hits)
    return _bar(typed, ids, args.get("hit", ""), found, public_id)


def _bar(typed: str, ids: Sequence[int], hit: str, found: HitPage, public_id: str) -> HitsBar:
    at = next((index for index, one in enumerate(ids) if str(one) == hit), None)

    def link(index: int) -> str | None:
        if not 0 <= index < len(ids):
            return None
        return url_for("messages.locate", message_id=ids[index], q=typed)

    return HitsBar(
        typed=typed,
        ids=tuple(ids),
        at=at,
        more=found.next is not None,
        previous=None if at is None else link(at - 1),
        next=link(0 if at is None else at + 1),
        whole=None if at is None else url_for("messages.show", message_id=ids[at], q=typed),
        close=url_for("conversations.show", public_id=public_id),
        search=url_for("search.index", q=f"{typed} conv:{quoted(public_id)}"),
    )


def quoted(value: str) -> str:
    """Return a filter's value as it has to be typed."""
    plain = value and not any(one.isspace() or one == '"' for one in value)
    return value if plain else '"' + value.replace('"', "") + '"'
