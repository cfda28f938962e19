"""How Roo Code writes its tasks: a `FileFormat`."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from hermes_sessions.agents.concluding.conclusions import FamilyConclusions
from hermes_sessions.agents.json_lines.file_state import WrittenState, stat_text
from hermes_sessions.agents.json_lines.lines import parse_line
from hermes_sessions.agents.parsed_values import dict_of, text_of
from hermes_sessions.agents.roo.beside import files_beside, read_beside
from hermes_sessions.agents.roo.conclude import HistoryItem, RooOutline, conclude_session
from hermes_sessions.agents.roo.files import histories, look_at_file
from hermes_sessions.agents.roo.items import is_marker, is_summary, key_of, messages_of
from hermes_sessions.agents.session_files.json_document import read_document
from hermes_sessions.agents.session_files.reading import HeardSession
from hermes_sessions.agents.session_files.survey import FiledFacts, Growth, SessionFile
from hermes_sessions.agents.session_files.told import FreshKeys, epoch_of_ms
from hermes_sessions.agents.told_messages import Refuse, ToldMessage
from hermes_sessions.agents.values import Rejected
from hermes_sessions.errors import SourceChangedError, SourceError
from hermes_sessions.handoff.grammars.roo import GRAMMAR

_PARENTS: Final = ("condenseParent", "truncationParent")


class RooForm:
    """A `FileFormat`."""

    source = "roo"

    def files(self, place: Path) -> Sequence[Path]:
        """Return the histories of tasks below *place*."""
        return histories(place)

    def look(self, path: Path, state: WrittenState, growth: Growth | None) -> FiledFacts | None:
        """Return what is known of a task before it is read."""
        return look_at_file(path, state)

    def beside(self, path: Path) -> str:
        """Return what changes when the screen's messages or the list's item of a task do."""
        return stat_text(files_beside(path))

    def outline(self) -> RooOutline:
        """Return an outline of a task of which nothing was read."""
        return RooOutline()

    def messages(self, file: SessionFile, outline: RooOutline, refuse: Refuse) -> Iterator[ToldMessage]:
        """Yield the messages of a task, in its order.

        Raises:
            SourceChangedError: the file is no list any more.
        """
        try:
            items = read_document(file.path).items
        except SourceError as error:
            raise SourceChangedError(f"{file.path}: {error}") from error
        outline.cwd = text_of(file.facts.told.get("cwd"))
        outline.beside = read_beside(file.path)
        outline.whole = outline.beside.usage
        if outline.beside.wrong:
            outline.notes.append(outline.beside.wrong)
        keys = FreshKeys()
        place = 0
        for line in items:
            parsed = parse_line(line)
            if parsed.value is None or not isinstance(parsed.value.get("role"), str):
                why = parsed.reason or "it has no role"
                refuse(Rejected("messages", f"{file.facts.session}:{line.offset}", why))
                continue
            begins, text = place, ""
            key = keys.fresh(key_of(parsed.value))
            for one in messages_of(parsed.value, key, begins, parsed.exact):
                text = text or one.text
                yield one
                place += 1
            outline.items.append(_item(parsed.value, key, range(begins, place), text))
            outline.kinds[str(parsed.value["role"])[:80]] += 1

    def conclude(self, work: FamilyConclusions, heard: HeardSession[RooOutline]) -> None:
        """Conclude one task."""
        conclude_session(work, heard)

    def extra(self, heard: HeardSession[RooOutline]) -> Mapping[str, Any]:
        """Return the mode in which the task was begun."""
        return dict_of(heard.session.file.facts.told.get("extra"))


def _item(value: Mapping[str, Any], key: str, rows: range, text: str) -> HistoryItem:
    summary = is_summary(value)
    named = text_of(value.get("truncationId")) if is_marker(value) else None
    found = GRAMMAR.spans(text) if summary else ()
    return HistoryItem(
        rows=rows,
        time=epoch_of_ms(value.get("ts")),
        hides=key if summary else (named or key) if is_marker(value) else "",
        hidden_by=tuple(one for name in _PARENTS if (one := text_of(value.get(name))) is not None),
        summary=text[found[0].body_start : found[0].body_end] if found else None,
    )


FORM: Final = RooForm()
