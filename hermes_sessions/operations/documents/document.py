"""What every document is: a frozen struct whose fields say what they mean.

The name of a struct, without `Json`, is the name of its schema in `/api/openapi.json`; its docstring
and what its fields say are the descriptions there and in `docs/api.md`. Fields may be added;
the ones here stay.
"""

from collections.abc import Iterable
from typing import Annotated, TypeVar

from msgspec import Meta, Struct

from hermes_sessions.typed_values import read_as

Shape = TypeVar("Shape")


class Document(Struct, frozen=True, kw_only=True):
    """An answer, or a part of one. A field that is UNSET is left out."""


def says(text: str, *, one_of: Iterable[str] = (), or_null: bool = False, format: str | None = None) -> Meta:
    """Return what a field's annotation says besides its type.

    Args:
        text: what the field means; may be empty.
        one_of: the only values there are.
        or_null: null is one of them.
        format: the format of a text, as JSON Schema names it.
    """
    more: dict[str, object] = {"format": format} if format else {}
    values: list[str | None] = [str(one) for one in one_of]
    if values:
        more["enum"] = [*values, None] if or_null else values
    return Meta(description=text or None, extra_json_schema=more or None)


def shaped(value: object, shape: type[Shape]) -> Shape:
    """Return what a document shows of a value: its attributes, or a mapping's values, of the same names.

    Raises:
        ValidationError: one of them is missing, or of another type.
    """
    return read_as(value, shape, from_attributes=True)


Time = Annotated[float | None, says("Epoch seconds, UTC.")]
