"""What the first page of a process would wait for, made ready beforehand."""

from flask import Flask
from jinja2 import meta

from hermes_sessions.web.text.filters import code, markdown

PAGES = ("conversations/index.html", "conversations/show.html")
SAMPLE = "Some *text*, a `name` and a table:\n\n|a|b|\n|-|-|\n|1|2|\n\n```python\nprint(1)\n```\n"


def warm_up(app: Flask) -> None:
    """Compile the templates of the usual pages, load what renders messages; the store is not asked."""
    environment = app.jinja_env
    assert environment.loader is not None
    pending, done = list(PAGES), set[str]()
    while pending:
        name = pending.pop()
        if name in done:
            continue
        done.add(name)
        environment.get_template(name)
        source = environment.loader.get_source(environment, name)[0]
        pending += [found for found in meta.find_referenced_templates(environment.parse(source)) if found]
    markdown(SAMPLE)
    code('{"a": 1}', "json")
