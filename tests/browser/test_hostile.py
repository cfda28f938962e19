"""Attacks in everything that can be stored, on every address there is: nothing of them runs.

A column that is added later is filled too, and an address that is added later is opened,
unless it is named here with the reason.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from flask import Flask
from jinja2 import Template
from sqlalchemy import JSON, Text, select, update
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.operations.organising.organise import Action, organise
from hermes_sessions.operations.organising.saved_searches import save_search
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Base
from tests.builders import NOON
from tests.web import stories
from tests.web.auditing.audit_story import audited, store_findings

pytestmark = [pytest.mark.browser, pytest.mark.sqlite_only]
Open = Callable[..., Any]
ATTACK = (
    "\"'`--></title></style></textarea></script><img src=x onerror=window.fired=1>"
    "<script>window.fired=1;alert(1)</script><svg/onload=window.fired=1>"
    "<a href=javascript:window.fired=1>j</a><iframe srcdoc='<script>top.fired=1</script>'>"
    "<base href=//elsewhere.example/><img src=//elsewhere.example/i>"
    "<div style=background:url(//elsewhere.example/b)>[j](javascript:window.fired=1)"
    "[d](data:text/html,<script>top.fired=1</script>) ![i](http://elsewhere.example/m)"
    " {{7777777*1000003}} javascript:window.fired=1"
    " \x1b[31m\x1b]8;;javascript:window.fired=1\x07go\x1b]8;;\x07\u202e"
)
EVALUATED = "7777800333331"
"""What the braces of the attack come to: too long to stand in a page by chance."""
SPARED = {
    "changes": {"action"},
    "change_items": {"field", "before", "after"},
    "compactions": {"realisation", "status", "method", "origin_key", "tokens_method"},
    "conversations": {"kind", "worst_finding", "audit_mark", "public_id"},
    "findings": {"severity", "rule", "rules_version"},
    "messages": {"kind", "state", "text", "blocks", "tool_calls"},
    "saved_searches": {"target"},
    "sessions": {
        "relation",
        "system_prompt_hash",
        "origin_mark",
        "public_id",
        "foreign_id",
        "parent_session_id",
    },
    "system_prompts": {"hash"},
}
"""Words of our own, keys and hashes; ids and messages, which the story fills, each form in its own way."""
OURS_ALONE = {"leases", "settings", "masks", "forgotten"}
"""Tables whose texts no page shows and nobody else writes."""
NOT_OPENED = {"live.events", "static"}
"""An endless stream; files of ours."""
VIEWS = ("session", "model", "talk")
FINDERS = ("q", "source", "model", "tag", "origin", "text", "kind", "before", "at", "next", "find", "view")
WATCH = "window.refused = []; addEventListener('securitypolicyviolation', e => refused.push(e.blockedURI));"


@pytest.fixture
def poisoned(database: Database, db: OrmSession) -> Database:
    """A store in which every text that somebody else may have written is an attack."""
    conversation = stories.hostile(db)
    audited(db)
    stories.family(db)
    db.commit()
    organise(database, [conversation.public_id, "audited"], Action.TAG, "one two", now=NOON)
    organise(database, [conversation.public_id, "audited"], Action.NOTE, ATTACK, now=NOON)
    organise(database, ["family-delegate"], Action.TRASH, now=NOON)
    save_search(database, "mine", "/?q=" + quote(ATTACK), now=NOON)
    store_findings(database)
    for table in Base.metadata.sorted_tables:
        if table.name in OURS_ALONE:
            continue
        keys = list(table.primary_key.columns)
        for column in table.columns:
            if not isinstance(column.type, Text | JSON) or column.name in SPARED.get(table.name, ()):
                continue
            for number, row in enumerate(db.execute(select(column, *keys)).all()):
                mine = ATTACK + str(number)
                empty = row[0] is None and isinstance(column.type, JSON)
                value = {mine: [mine]} if empty else attacked(row[0], mine)
                here = [key == given for key, given in zip(keys, row[1:], strict=True)]
                db.execute(update(table).where(*here).values({column.name: value}))
    db.commit()
    return database


def attacked(value: Any, attack: str) -> Any:
    """Return *value* with an attack for every text in it, keys of JSON left as they are."""
    if isinstance(value, dict):
        return {key: attacked(one, attack) for key, one in value.items()}
    if isinstance(value, list):
        return [attacked(one, attack) for one in value]
    return attack if value is None or isinstance(value, str) else value


@pytest.fixture
def watched(poisoned: Database, open_page: Open) -> Iterator[Any]:
    """A page that tells of whatever an attack may cause."""
    page = open_page("/help")
    page.add_init_script(WATCH)
    said: list[str] = []
    page.on("console", lambda line: said.append(f"{page.url}: {line.text}") if is_trouble(line) else 0)
    yield page
    assert said == []


def is_trouble(line: Any) -> bool:
    """Return whether a line of the console is more than the page's own status."""
    status = "the server responded with a status of 4" in line.text
    return line.type in ("error", "warning") and not status


def addresses(app: Flask, db: OrmSession) -> Iterator[str]:
    """Yield every address of the application, with the ids that are stored, and with attacks."""
    tables = Base.metadata.tables
    ids = {
        "public_id": [*db.scalars(select(tables["conversations"].c.public_id).limit(2)), ATTACK],
        "message_id": db.scalars(select(tables["messages"].c.id).limit(9)).all(),
        "compaction_id": db.scalars(select(tables["compactions"].c.id).limit(3)).all(),
        "index": [0],
        "kind": ["html"],
    }
    asked: list[dict[str, str]] = [{}, dict.fromkeys(FINDERS, ATTACK), *({"view": view} for view in VIEWS)]
    with app.test_request_context():
        for rule in app.url_map.iter_rules():
            if rule.endpoint in NOT_OPENED or "GET" not in (rule.methods or ()):
                continue
            choices: list[dict[str, Any]] = [{}]
            for name in sorted(rule.arguments):
                choices = [{**one, name: value} for one in choices for value in ids[name]]
            for number, values in enumerate(choices):
                path = app.url_for(rule.endpoint, **values)
                yield from (path + "?" + urlencode(one) for one in (asked if number == 0 else asked[:1]))


def test_nothing_that_is_stored_runs_anywhere(app: Flask, db: OrmSession, watched: Any, address: str) -> None:
    assert EVALUATED in Template(ATTACK).render()
    client = app.test_client()
    opened = 0
    for path in addresses(app, db):
        answer = client.get(path)
        assert answer.status_code < 500, path
        assert EVALUATED not in answer.get_data(as_text=True), path
        if answer.mimetype == "text/html" and "Content-Disposition" not in answer.headers:
            watched.goto(address + path)
            provoke(watched)
            opened += 1
    assert opened > 40


@pytest.mark.parametrize("path", ["export?format=html", "report"])
def test_nothing_runs_in_what_is_saved_and_opened_from_disk(
    poisoned: Database, db: OrmSession, app: Flask, browser: Any, tmp_path: Path, path: str
) -> None:
    trouble: list[str] = []
    client = app.test_client()
    tables = Base.metadata.tables
    if path == "report":
        links = [f"/compactions/{key}/report.html" for key in db.scalars(select(tables["compactions"].c.id))]
    else:
        found = db.scalars(select(tables["conversations"].c.public_id)).all()
        with app.test_request_context():
            links = [app.url_for("exports.export", public_id=one, format="html") for one in found]
    for number, link in enumerate(links):
        answer = client.get(link)
        if answer.status_code == 404:
            continue  # nothing is said about this compaction
        assert answer.status_code == 200, link
        file = tmp_path / f"{number}.html"
        file.write_bytes(answer.data)
        page = browser.new_page()
        page.add_init_script(WATCH)
        page.on("dialog", lambda dialog: trouble.append("a dialog opened"))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("request", lambda one: trouble.append(one.url) if "elsewhere" in one.url else None)
        page.goto(file.as_uri())
        provoke(page)
        page.close()
    assert links
    assert trouble == []


def provoke(page: Any) -> None:
    """Open, hover, focus and touch everything on a page; then look whether anything ran."""
    page.evaluate(
        """() => {
            document.querySelectorAll('details').forEach(one => one.open = true);
            for (const one of document.querySelectorAll('body *')) {
                for (const kind of ['mouseover', 'mouseenter', 'pointerover', 'touchstart', 'error', 'load'])
                    one.dispatchEvent(new Event(kind));
                if (one.tabIndex >= 0) one.focus();
            }
        }"""
    )
    page.mouse.move(300, 300)
    page.mouse.move(500, 400)
    assert page.evaluate("window.fired") is None, page.url
    assert page.evaluate("window.refused") == [], page.url
    links = page.eval_on_selector_all("a[href]", "all => all.map(one => one.protocol)")
    assert set(links) <= {"http:", "https:", "mailto:", "file:"}, page.url
    made = "main script, main iframe, main object, main style, main base, main [onerror], main [onload]"
    assert page.locator(made).count() == 0, page.url
