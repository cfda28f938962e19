"""One raw row of a foreign database, cell by cell: what a cell is not, it is kept raw and told."""

import base64
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hermes_sessions.storable_text import is_storable, storable

EARLIEST: Final = 631152000.0
LATEST: Final = 4102444800.0
"""1990 to 2100: a time outside is kept raw and treated as unknown."""

MOST: Final = 2**48
"""A count beyond is kept raw: sums over a conversation must fit."""

Warn = Callable[[str, str, str], None]
"""Called with (row id, column, reason)."""


@dataclass(slots=True)
class Cells:
    """One raw row while it is decoded; collects what must be kept raw."""

    index: Mapping[str, int]
    row: Sequence[Any]
    warn: Warn
    extra: dict[str, Any] | None = None

    def value(self, name: str) -> Any:
        """Return a cell as it is; None also where there is no such column."""
        at = self.index.get(name)
        return None if at is None else self.row[at]

    def has(self, name: str) -> bool:
        """Return whether there is such a column."""
        return name in self.index

    def keep(self, name: str, value: Any) -> None:
        """Keep *value* raw under the name of its column."""
        if self.extra is None:
            self.extra = {}
        self.extra[name] = raw_value(value)

    def complain(self, name: str, reason: str) -> None:
        """Keep a cell raw, and tell why it is not taken as it is."""
        self.keep(name, self.value(name))
        self.warn(str(self.value("id")), name, reason)

    def text(self, name: str) -> str | None:
        """Return a text that every engine can store."""
        value = self.value(name)
        if value is None or (type(value) is str and "\0" not in value):
            return value
        return self.odd_text(name, value)

    def odd_text(self, name: str, value: Any) -> str:
        """Return something readable for a text that cannot be stored as it is."""
        if isinstance(value, str):
            self.complain(name, _why_odd(value))
            return storable(value)
        if isinstance(value, bytes):
            self.complain(name, "is not UTF-8 text; shown with \ufffd")
            return value.decode("utf-8", "replace").replace("\0", "\ufffd")
        self.complain(name, f"is {type(value).__name__}, not text")
        return storable(str(value))

    def epoch(self, name: str) -> float | None:
        """Return a time in epoch seconds, None where it is none between 1990 and 2100."""
        value = self.value(name)
        if value is None:
            return None
        if isinstance(value, int | float) and EARLIEST <= value <= LATEST:
            return float(value)
        self.complain(name, f"is not a time between 1990 and 2100: {str(value)[:40]!r}")
        return None

    def integer(self, name: str) -> int | None:
        """Return a whole number, None where it is none or too large to be summed."""
        value = self.value(name)
        if value is None:
            return None
        if isinstance(value, int | float) and abs(value) < MOST and value == int(value):
            return int(value)
        self.complain(name, f"is not a whole number: {str(value)[:40]!r}")
        return None

    def real(self, name: str) -> float | None:
        """Return a finite number, None where it is none."""
        value = self.value(name)
        if value is None:
            return None
        if isinstance(value, int | float) and math.isfinite(value):
            return float(value)
        self.complain(name, f"is not a number: {str(value)[:40]!r}")
        return None


def raw_value(value: Any) -> Any:
    """Return *value* as JSON can hold it exactly; what JSON cannot hold goes into `{"$b64": ...}`."""
    if isinstance(value, bytes):
        kind = "$b64" if type(value) is bytes else "$text_b64"
        return {kind: base64.b64encode(value).decode("ascii")}
    if isinstance(value, str) and not is_storable(value):
        return {"$text_b64": base64.b64encode(value.encode("utf-8", "surrogatepass")).decode("ascii")}
    if isinstance(value, float) and not math.isfinite(value):
        return {"$real": str(value)}
    return value


def _why_odd(text: str) -> str:
    if text.endswith("\0" * 4):
        return "ends in NUL characters, as a lost page reads; shown as \ufffd"
    if "\0" in text:
        return "holds a NUL character; shown as \ufffd"
    return "holds half of a character; shown as ?"
