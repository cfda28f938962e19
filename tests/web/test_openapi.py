"""The API is what its OpenAPI document says: every route, every answer."""

import json
import re
import zlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, assume, given, settings
from schemathesis import GenerationMode
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions import paths
from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.store.language.query_text import parse_query
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Finding, Message
from hermes_sessions.web import SyncStatus, create_app
from tests.builders import NOON
from tests.web import stories

DOCUMENT = json.loads((paths.static() / "openapi.json").read_text("utf-8"))
ENDLESS = "/api/events"
"""A stream has no end to wait for; tests/web/site/test_live.py reads it."""

READ = {path for path, operations in DOCUMENT["paths"].items() if "get" in operations}
PATHS = sorted(READ - {ENDLESS})
"""What changes something is called in tests/web/test_organise.py."""
BEFORE_AUTHENTICATION = "/healthz"
IDS = ("invoices-after", "family-2", "family-fork", "tool", "f", "long")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """A viewer of a store with one of everything."""
    path = tmp_path_factory.mktemp("openapi") / "store.db"
    status = SyncStatus()
    status.start("laptop", total=10, first=True)
    with Database.open(str(path)) as database:
        with OrmSession(database.engine.execution_options(write=True)) as db:
            fill(db)
            db.commit()
        yield create_app(database, status=status)


def fill(db: OrmSession) -> None:
    rows = stories.swallowed_reply(db)
    stories.tool_work(db)
    family = stories.family(db)
    stories.hostile(db)
    stories.long(db, 120)
    carrier = db.get_one(Message, rows["carrier"].id)
    db.add(
        Finding(
            rule="reply-lost", severity="error", rules_version="1", conversation_id=family.id,
            session_id=carrier.session_id, created_at=NOON, messages=[carrier.id], evidence={"text": "x"},
        )
    )  # fmt: skip


@pytest.fixture(scope="module")
def schema(app: Flask) -> Any:
    return schemathesis.openapi.from_wsgi("/api/openapi.json", app)


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("path", PATHS)
def test_answers_are_as_documented(schema: Any, path: str, mode: GenerationMode) -> None:
    operation = schema[path]["GET"]
    if mode is GenerationMode.NEGATIVE and not list(operation.iter_parameters()):
        return

    @given(operation.as_strategy(generation_mode=mode))
    @settings(max_examples=20, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    def ask(case: Any) -> None:
        if mode is GenerationMode.POSITIVE:
            case.path_parameters = {name: known(name, value) for name, value in case.path_parameters.items()}
        assume(is_sayable(case.query or {}))
        assume(mode is GenerationMode.NEGATIVE or is_answerable(case.query or {}))
        case.call_and_validate(headers={"Accept-Encoding": "identity"})  # the client unpacks nothing

    ask()


def is_sayable(query: Mapping[str, Any]) -> bool:
    """Whether a query string can say it: no empty values (they count as absent), no lists, one place."""
    plain = all(isinstance(value, str | int | float) and value != "" for value in query.values())
    return plain and len(query.keys() & {"at", "after", "before"}) < 2


def is_answerable(query: Mapping[str, Any]) -> bool:
    """Whether a search asks for something; what cannot be answered is explained with 400."""
    try:
        return "q" not in query or bool(parse_query(str(query["q"]), datetime.now().astimezone()))
    except InvalidQueryError:
        return False


def known(name: str, value: Any) -> Any:
    """Turn most made-up ids into ids of the store; the rest lead nowhere."""
    chance = zlib.crc32(repr(value).encode())
    if chance % 4 == 0 or not re.fullmatch(r"[\w.:@~-]+", str(value)):
        return value
    return IDS[chance % len(IDS)] if name == "id" else chance % 12


def routes(app: Flask) -> set[tuple[str, str]]:
    """(method, path) of every route that is part of the API."""
    found = set()
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith("/api/") or rule.rule == BEFORE_AUTHENTICATION:
            path = re.sub(r"<(?:[^:<>]+:)?([^<>]+)>", "{}", rule.rule)
            found |= {(method.lower(), path) for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}}
    return found


def test_every_route_is_documented_and_every_documented_route_is_there(app: Flask) -> None:
    document = app.test_client().get("/api/openapi.json").get_json()
    told = {
        (method, re.sub(r"\{[^{}]+\}", "{}", path))
        for path, operations in document["paths"].items()
        for method in operations
    }
    assert told == routes(app), "static/openapi.json and the routes differ (docs/api.md, The description)"


def test_every_reference_leads_somewhere(app: Flask) -> None:
    document = app.test_client().get("/api/openapi.json").get_json()
    for reference in set(re.findall(r'"\$ref": ?"#/([^"]+)"', json.dumps(document))):
        place = document
        for name in reference.split("/"):
            place = place[name]


def test_every_schema_is_used(app: Flask) -> None:
    """What no answer leads to is described for nobody."""
    document = app.test_client().get("/api/openapi.json").get_json()
    used = set(re.findall(r"#/components/schemas/(\w+)", json.dumps(document)))
    assert used == set(document["components"]["schemas"])
