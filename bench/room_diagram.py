"""The layers of the package, the rooms in them, and which layer imports which: read from the imports."""

import ast
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import hermes_sessions
from bench.drawing import arrow, box, document, words

PACKAGE: Final = Path(hermes_sessions.__file__).parent
WIDTH: Final = 150
LINE: Final = 18
GAP: Final = 18
ROW_GAP: Final = 62
VALUES: Final = (
    "errors", "messages", "call_names", "json_text", "storable_text", "facts", "tokens", "redact", "handoff",
    "lineage", "titles", "typed_values",
)  # fmt: skip
"""The values that every layer may import: one box, no arrows."""
LEFT_OUT: Final = {"__init__", "__main__", "__version__", "_vocab", "paths", *VALUES}
"""Also the package's own face and its data."""


def draw_rooms() -> str:
    """Return the drawing: importers above, what they import below; arrows that others imply are left out."""
    imports = _layer_imports()
    rows = _rows(imports)
    rooms = {name: _rooms(name) for row in rows for name in row}
    width = max(len(row) for row in rows) * (WIDTH + GAP) - GAP + 60
    places: dict[str, tuple[int, int]] = {}
    y = 30
    for row in rows:
        start = (width - len(row) * (WIDTH + GAP) + GAP) // 2
        places |= {name: (start + number * (WIDTH + GAP), y) for number, name in enumerate(row)}
        y += max(_height(rooms[name]) for name in row) + ROW_GAP
    arrows = [(name, to) for name, reached in _direct(imports).items() for to in sorted(reached)]
    links = [_link(places[name], places[to], _height(rooms[name])) for name, to in arrows]
    boxes = [part for name, place in places.items() for part in _layer(name, rooms[name], *place)]
    told = "; ".join(f"{name} imports {', '.join(sorted(to))}" for name, to in sorted(imports.items()) if to)
    parts = [*links, *boxes, *_values(y - ROW_GAP + 26, width)]
    return document(width, y + 40, "Layers and rooms of the package", f"{told}. All import values.", parts)


def _values(y: int, width: int) -> list[str]:
    names = ", ".join(VALUES)
    return [
        box(30, y, width - 60, 54),
        words(42, y + 21, "values", "name"),
        words(42, y + 42, f"{names}: imported by all of the above", "quiet"),
    ]


def _names(path: Path) -> Iterable[tuple[str, ...]]:
    """Yield what a module imports of the package, as the parts of dotted names."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == PACKAGE.name:
            yield from ((*str(node.module).split("."), alias.name)[1:] for alias in node.names)


def _layer_imports() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if own not in LEFT_OUT:
            found.setdefault(own, set()).update({name[0] for name in _names(path)} - LEFT_OUT - {own})
    return found


def _rows(imports: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the layers from the top: each as low as its importers allow, by how far down it reaches."""
    depth: dict[str, int] = {}

    def measure(name: str) -> int:
        if name not in depth:
            depth[name] = 1 + max((measure(one) for one in imports[name]), default=-1)
        return depth[name]

    for name in imports:
        measure(name)
    return [
        sorted(one for one in depth if depth[one] == level) for level in sorted(set(depth.values()))[::-1]
    ]


def _direct(imports: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return the arrows that no longer way makes needless."""

    def below(name: str) -> set[str]:
        return imports[name].union(*(below(one) for one in imports[name])) if imports[name] else set()

    return {
        name: {one for one in to if not any(one in below(two) for two in to)} for name, to in imports.items()
    }


def _rooms(layer: str) -> list[str]:
    """Return the folders of a layer, each above those it imports from."""
    folder = PACKAGE / layer
    if not folder.is_dir():
        return []
    rooms = sorted(one.name for one in folder.iterdir() if (one / "__init__.py").exists())
    reached = {
        room: {
            name[1]
            for path in (folder / room).rglob("*.py")
            for name in _names(path)
            if name[0] == layer and len(name) > 2 and name[1] != room
        }
        for room in rooms
    }
    ordered: list[str] = []
    while len(ordered) < len(rooms):
        left = [room for room in rooms if room not in ordered]
        ordered.append(next(room for room in left if not any(room in reached[one] for one in left)))
    return ordered


def _height(rooms: list[str]) -> int:
    return 32 + LINE * len(rooms)


def _layer(name: str, rooms: list[str], x: int, y: int) -> list[str]:
    lines = [words(x + 12, y + 40 + LINE * number, room, "quiet") for number, room in enumerate(rooms)]
    return [box(x, y, WIDTH, _height(rooms)), words(x + 12, y + 21, name, "name"), *lines]


def _link(start: tuple[int, int], end: tuple[int, int], height: int) -> str:
    x, y = start[0] + WIDTH // 2, start[1] + height
    to_x, to_y = end[0] + WIDTH // 2, end[1] - 1
    if to_y - y < 2 * ROW_GAP:  # the next row
        bend = (to_y - y) // 2
        return arrow(f"M{x} {y}C{x} {y + bend} {to_x} {to_y - bend} {to_x} {to_y}")
    side, middle = (start[0] if to_x < x else start[0] + WIDTH), start[1] + height // 2
    return arrow(
        f"M{side} {middle}H{to_x + 12 * (1 if to_x < x else -1)}Q{to_x} {middle} {to_x} {middle + 12}V{to_y}"
    )
