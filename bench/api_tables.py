"""Write the tables of `docs/api.md` from the API's description and the documents' structs.

python -m bench.api_tables
"""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any

from bench.diagrams import DOCS
from hermes_sessions.operations.documents.schemas import ANSWERS, COMMANDS, document_schemas
from hermes_sessions.web.serving.description import api_description

PAGE = DOCS / "api.md"
_METHODS = ("get", "post")
_KINDS = {
    "string": "text",
    "integer": "integer",
    "number": "number",
    "boolean": "true or false",
    "null": "null",
}


def addresses() -> Iterator[str]:
    """Yield the table of the addresses: method, parameters, answer, meaning."""
    description = api_description()
    yield from ("| address | parameters | answer | |", "|---|---|---|---|")
    for path, operations in description["paths"].items():
        for method in _METHODS:
            if method in operations:
                one = operations[method]
                given = ", ".join(chain(_parameters(one, description), _body(one)))
                yield f"| {method.upper()} `{path}` | {given} | {_answer(one)} | {one['summary']} |"


def commands() -> Iterator[str]:
    """Yield the table of the commands and what each prints with `--json`."""
    yield from ("| command | answer |", "|---|---|")
    for command, document in COMMANDS.items():
        yield f"| `{command}` | {_link(document.__name__.removesuffix('Json'))} |"


def documents() -> Iterator[str]:
    """Yield a table of fields for each document and each part of one, in alphabetical order."""
    for name, schema in sorted(document_schemas([*ANSWERS, *COMMANDS.values()]).items()):
        yield from (
            "",
            f"### {_words(name)}",
            "",
            schema["description"],
            "",
            "| field | type | |",
            "|---|---|---|",
        )
        for field, one in schema["properties"].items():
            absent = "" if field in schema["required"] else ", or left out"
            yield f"| `{field}` | {_kind(one)}{absent} | {one.get('description', '')} |".replace(
                "|  |", "| |"
            )


TABLES: Mapping[str, Callable[[], Iterator[str]]] = {
    "addresses": addresses,
    "commands": commands,
    "documents": documents,
}


def with_tables(text: str) -> str:
    """Return the page with the tables as they are now."""
    for name, table in TABLES.items():
        begin = f"<!-- {name}: written by `python -m bench.api_tables` -->\n"
        head, found, rest = text.partition(begin)
        _, end, tail = rest.partition(f"<!-- end of {name} -->")
        assert found, f"docs/api.md has no place for the {name}"
        assert end, f"docs/api.md has no end of the {name}"
        text = head + begin + "\n".join(table()) + "\n" + end + tail
    return text


def _parameters(operation: Mapping[str, Any], description: Mapping[str, Any]) -> Iterator[str]:
    for one in operation.get("parameters", ()):
        if "$ref" in one:
            one = description["components"]["parameters"][one["$ref"].rpartition("/")[2]]
        if one["in"] == "query":
            yield f"`{one['name']}`"


def _body(operation: Mapping[str, Any]) -> Iterator[str]:
    content = operation.get("requestBody", {}).get("content", {})
    for name in content.get("application/json", {}).get("schema", {}).get("properties", {}):
        yield f"`{name}`"


def _answer(operation: Mapping[str, Any]) -> str:
    content = operation["responses"]["200"]["content"]
    schema = content.get("application/json", {}).get("schema", {})
    return _kind(schema) if "$ref" in schema else "OpenAPI 3.1" if schema else ", ".join(content)


def _kind(schema: Mapping[str, Any]) -> str:
    """Return a type in words."""
    if "$ref" in schema:
        return _link(schema["$ref"].rpartition("/")[2])
    if "enum" in schema:
        return ", ".join("null" if one is None else f"`{one}`" for one in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(map(_kind, schema["anyOf"]))
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}"
    if schema.get("type") == "object":
        within = schema.get("additionalProperties")
        return f"{_kind(within)} by name" if isinstance(within, Mapping) else "object"
    return _KINDS.get(schema.get("type", ""), "any")


def _link(name: str) -> str:
    words = _words(name).lower()
    return f"[{words}](#{words.replace(' ', '-')})"


def _words(name: str) -> str:
    """Return the name of a struct as a heading: `ActiveDay` is `Active day`."""
    return re.sub("(?<!^)(?=[A-Z])", " ", name).capitalize()


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text("utf-8")), "utf-8")
