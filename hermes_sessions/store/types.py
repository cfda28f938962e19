"""Recurring column types, as annotations for `Mapped[...]`."""

from typing import Annotated, Any

from sqlalchemy import JSON, BigInteger, Float, Integer, Text
from sqlalchemy.orm import mapped_column

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
json_object = Annotated[dict[str, Any], mapped_column(json_type)]
json_list = Annotated[list[Any], mapped_column(json_type)]
token_count = Annotated[int, mapped_column(big_integer)]
"""Tokens as counted by whoever recorded them; never an estimate."""

cost = Annotated[float, mapped_column(Float(53))]
"""US dollars."""

share = Annotated[float, mapped_column(Float(53))]
"""A part of a whole, 0 to 1."""
