"""Whose database a foreign file is to be. Values only."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedTables:
    """What makes a database one of a certain agent.

    Attributes:
        agent: its name, as a person writes it.
        file_name: the database in a folder that is named instead of it.
        needs: tables and columns without which it is a database of something else.
        checked: tables by whose soundness a log of another database is told.
    """

    agent: str
    file_name: str
    needs: Mapping[str, Collection[str]]
    checked: Collection[str]
