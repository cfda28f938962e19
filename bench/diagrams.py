"""Draw `docs/images/tables.svg` and `rooms.svg`, and write the table of rooms in `docs/architecture.md`.

python -m bench.diagrams
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from bench.room_diagram import draw_rooms
from bench.room_table import with_room_table
from bench.table_diagram import draw_tables

DOCS = Path(__file__).parent.parent / "docs"
DRAWINGS: Mapping[str, Callable[[], str]] = {"rooms.svg": draw_rooms, "tables.svg": draw_tables}


def main() -> None:
    """Make all of them anew."""
    for name, draw in DRAWINGS.items():
        (DOCS / "images" / name).write_text(draw(), "utf-8")
    architecture = DOCS / "architecture.md"
    architecture.write_text(with_room_table(architecture.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
