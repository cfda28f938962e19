"""Recurring column types, as annotations for `Mapped[...]`."""

import os
from typing import Annotated, Any, Final
from urllib.parse import quote_from_bytes, unquote_to_bytes

from sqlalchemy import JSON, BigInteger, Dialect, Float, Integer, Text
from sqlalchemy.orm import mapped_column
from sqlalchemy.types import TypeDecorator

_URI: Final = "file://"


class PathText(TypeDecorator[str]):
    """A path as text, also one whose name is no UTF-8: no engine stores that, so it is kept as a `file:` URI.

    Python reads such a name with lone surrogates; no absolute path begins like a URI.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Return what is stored."""
        if value is None or _is_text(value):
            return value
        return _URI + quote_from_bytes(os.fsencode(value))

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        """Return the path as `os` knows it."""
        if value is None or not value.startswith(_URI):
            return value
        return os.fsdecode(unquote_to_bytes(value.removeprefix(_URI)))


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


big_integer = BigInteger().with_variant(Integer(), "sqlite")
json_type = JSON(none_as_null=True)
# Ids are found by ranges of their beginnings, and lists sort alike on every engine.
text_type = Text().with_variant(Text(collation="C"), "postgresql")

key = Annotated[int, mapped_column(big_integer, primary_key=True)]
"""Surrogate key; SQLite gives out rowids."""

big = Annotated[int, mapped_column(big_integer)]
epoch = Annotated[float, mapped_column(Float(53))]
"""Seconds since 1970, UTC, as the agents write them."""

text = Annotated[str, mapped_column(text_type)]
path = Annotated[str, mapped_column(PathText())]
"""A path of the file system, as `os` knows it."""

json_object = Annotated[dict[str, Any], mapped_column(json_type)]
json_list = Annotated[list[Any], mapped_column(json_type)]
token_count = Annotated[int, mapped_column(big_integer)]
"""Tokens as counted by whoever recorded them; never an estimate."""

cost = Annotated[float, mapped_column(Float(53))]
"""US dollars."""

share = Annotated[float, mapped_column(Float(53))]
"""A part of a whole, 0 to 1."""
