"""Keys are said once: what the help page shows is what the script gets and can do."""

import json
import re

from flask.testing import FlaskClient

from hermes_sessions import paths
from hermes_sessions.web.site.keyboard import KEYS, actions
from tests.web.html import read


def test_pages_carry_every_key_for_the_script(client: FlaskClient) -> None:
    [body] = read(client.get("/").text).by_tag("body")
    assert json.loads(body.attributes["data-keys"]) == actions()


def test_the_help_page_explains_every_key(client: FlaskClient) -> None:
    found = read(client.get("/help").text)
    assert [one.text for one in found.by_tag("kbd")] == [one.key for one in KEYS]


def test_no_key_means_two_things() -> None:
    assert len({one.key for one in KEYS}) == len(KEYS)


def test_every_action_is_a_function_or_an_element() -> None:
    script = (paths.static() / "keys.js").read_text()
    table = script[script.index("const actions = {") : script.index("\n};")]
    known = set(re.findall(r"^  \"?([a-z-]+)\"?: ", table, re.MULTILINE))
    for template in paths.templates().rglob("*.html"):
        known |= set(re.findall(r'data-action="([a-z-]+)"', template.read_text()))
    assert set(actions().values()) <= known
