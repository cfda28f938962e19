"""What the folder of our own export gives to the rest of the program."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from hermes_sessions.agents.contract import RestoredRows, Restorer
from hermes_sessions.agents.export_file.source import export_token, is_export, open_export


class ExportRestorer:
    """A `Restorer` of the contract."""

    kind = "jsonl"
    older_kinds = ("hermes_jsonl",)

    def locate(self, path: Path) -> Path | None:
        """Return the file itself, links followed, where it begins like an export."""
        return path.resolve() if is_export(path) else None

    def token(self, path: Path) -> str:
        """Return the size and the time of the file."""
        return export_token(path)

    def restore(self, path: Path) -> AbstractContextManager[RestoredRows]:
        """Open an export; see `source.open_export`."""
        return open_export(path)


IMPORTER: Final[Restorer] = ExportRestorer()
