"""The table of rooms in `docs/architecture.md`: each package and the rule that its `__init__` states."""

import ast
from pathlib import Path
from typing import Final

import hermes_sessions

PACKAGE: Final = Path(hermes_sessions.__file__).parent
BEGIN: Final = "<!-- rooms: written by `python -m bench.diagrams` -->"
END: Final = "<!-- end of rooms -->"


def with_room_table(text: str) -> str:
    """Return a document with its table of rooms made anew.

    Raises:
        ValueError: the document has no place for it.
    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"no place for the rooms: {BEGIN} and {END} are missing")
    lines = [f"| `{name}/` | {rule} |" for name, rule in room_rules().items()]
    table = "\n".join(["| room | rule |", "|---|---|", *lines])
    return f"{before}{begin}\n{table}\n{end}{after}"


def room_rules() -> dict[str, str]:
    """Return the first line of each package's docstring, by its path in the package."""
    return {
        str(path.parent.relative_to(PACKAGE)): first_line(path)
        for path in sorted(PACKAGE.rglob("__init__.py"))
        if path.parent != PACKAGE
    }


def first_line(path: Path) -> str:
    """Return the first line of a module's docstring; "" where it has none."""
    return (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").partition("\n")[0]
