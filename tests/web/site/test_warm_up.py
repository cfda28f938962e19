"""What the first page would wait for is there before it."""

import pytest
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.opening.database import Database
from hermes_sessions.web import create_app
from hermes_sessions.web.site.warm_up import warm_up
from tests.web import stories


@pytest.mark.sqlite_only
def test_what_is_warmed_up_is_what_pages_are_made_of(database: Database, db: OrmSession) -> None:
    stories.tool_work(db)
    stories.family(db)
    db.commit()
    app = create_app(database)
    warm_up(app)
    cache = app.jinja_env.cache
    assert cache is not None
    ready = set(cache.keys())
    assert len(ready) > 5
    client = app.test_client()
    for url in ("/", "/c/tool-work", "/c/family"):
        assert client.get(url).status_code == 200
    assert set(cache.keys()) == ready
