"""How Gemini CLI writes its sessions: a `FileFormat`."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from hermes_sessions.agents.concluding.conclusions import FamilyConclusions
from hermes_sessions.agents.gemini.conclude import GeminiOutline, conclude_session
from hermes_sessions.agents.gemini.files import chat_files, look_at_file, root_file
from hermes_sessions.agents.gemini.ledger import WrittenAt
from hermes_sessions.agents.gemini.records import SUFFIX, GeminiRecord, read_records, record_of
from hermes_sessions.agents.gemini.said import messages_of
from hermes_sessions.agents.json_lines.file_state import WrittenState, stat_text
from hermes_sessions.agents.json_lines.lines import read_lines
from hermes_sessions.agents.parsed_values import text_of
from hermes_sessions.agents.session_files.json_document import read_document
from hermes_sessions.agents.session_files.reading import HeardSession
from hermes_sessions.agents.session_files.survey import FiledFacts, Growth, SessionFile
from hermes_sessions.agents.told_messages import Refuse, ToldMessage
from hermes_sessions.errors import SourceChangedError, SourceError


class GeminiForm:
    """A `FileFormat`."""

    source = "gemini"

    def files(self, place: Path) -> Sequence[Path]:
        """Return the files of sessions below *place*."""
        return chat_files(place)

    def look(self, path: Path, state: WrittenState, growth: Growth | None) -> FiledFacts | None:
        """Return what is known of a file before it is read."""
        return look_at_file(path, state, growth)

    def beside(self, path: Path) -> str:
        """Return what changes when the folder of the project does."""
        return stat_text([root_file(path)])

    def outline(self) -> GeminiOutline:
        """Return an outline of a session of which nothing was read."""
        return GeminiOutline()

    def messages(self, file: SessionFile, outline: GeminiOutline, refuse: Refuse) -> Iterator[ToldMessage]:
        """Yield the messages of a file, each where it was written first, as it was written last.

        Raises:
            SourceChangedError: the file, which is one object, is another by now.
        """
        ledger = outline.ledger
        try:
            for header in ledger.read(read_records(file.path, file.state.whole, refuse)):
                outline.title = text_of(header.value.get("summary")) or outline.title
            document = read_document(file.path, "messages") if file.path.suffix == SUFFIX else None
        except SourceError as error:
            raise SourceChangedError(f"{file.path}: {error}") from error
        if document is not None:
            outline.title = text_of(document.head.get("summary"))
        outline.title = text_of(ledger.set_to.get("summary")) or outline.title
        outline.cwd = text_of(file.facts.told.get("cwd"))
        outline.kinds, outline.unknown = ledger.kinds, ledger.unknown
        ledger.begins_with_summary()
        lines = _Lines(file.path, None if document is None else {one.offset: one for one in document.items})
        yield from _told(outline, lines)

    def conclude(self, work: FamilyConclusions, heard: HeardSession[GeminiOutline]) -> None:
        """Conclude one session."""
        conclude_session(work, heard)

    def extra(self, heard: HeardSession[GeminiOutline]) -> Mapping[str, Any]:
        """Return nothing more."""
        return {}


class _Lines:
    """The lines of a file, to be read once more; the last list is remembered."""

    def __init__(self, path: Path, items: Mapping[int, Any] | None) -> None:
        self._path = path
        self._items = items
        self._at: int | None = None
        self._list: GeminiRecord | None = None

    def message(self, at: WrittenAt) -> tuple[GeminiRecord, Mapping[str, Any]] | None:
        """Return the line and the message at a place; None where it is another by now."""
        if at.place >= 0 and self._at == at.line.offset and self._list is not None:
            found: GeminiRecord | str = self._list
        else:
            found = self._read(at)
        if isinstance(found, str):
            return None
        if at.place < 0:
            return found, found.value
        self._at, self._list = at.line.offset, found
        listed = found.listed or []
        return (found, listed[at.place]) if at.place < len(listed) else None

    def _read(self, at: WrittenAt) -> GeminiRecord | str:
        if self._items is not None:
            line = self._items.get(at.line.offset)
        else:
            line = next(read_lines(self._path, at.line.offset, at.line.end), None)
        return record_of(line) if line is not None else "gone"


def _told(outline: GeminiOutline, lines: _Lines) -> Iterator[ToldMessage]:
    place = 0
    for name, known in outline.ledger.messages.items():
        found = lines.message(known.at)
        begins = place
        if found is not None:
            record, value = found
            for one in messages_of(value, name, place, record.digest, summary=known.summary, note=known.note):
                if known.summary and place == begins:
                    outline.summaries[name] = one.text
                elif place > begins:
                    outline.results[name, one.key.removeprefix(f"{name}/")] = place
                if record.exact is not None:
                    one = one._replace(extra={**(one.extra or {}), "lines_b64": [record.exact]})
                yield one
                place += 1
        outline.rows[name] = range(begins, place)


FORM: Final = GeminiForm()
