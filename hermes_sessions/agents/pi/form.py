"""How Pi writes its sessions: a `FileFormat`."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from hermes_sessions.agents.concluding.conclusions import FamilyConclusions
from hermes_sessions.agents.json_lines.file_state import WrittenState
from hermes_sessions.agents.parsed_values import text_of
from hermes_sessions.agents.pi.conclude import conclude_session
from hermes_sessions.agents.pi.entries import COMPACTION, HEADER, KINDS, MESSAGE, PiEntry, read_entries
from hermes_sessions.agents.pi.files import look_at_file, session_files
from hermes_sessions.agents.pi.said import said_of
from hermes_sessions.agents.pi.tree import CompactionTold, PiOutline
from hermes_sessions.agents.session_files.reading import HeardSession
from hermes_sessions.agents.session_files.survey import FiledFacts, Growth, SessionFile
from hermes_sessions.agents.session_files.told import FreshKeys, number_of
from hermes_sessions.agents.told_messages import Refuse, ToldMessage
from hermes_sessions.agents.unknown_kinds import counted, written_again

_CLAIMED: Final = ("details", "fromHook")


class PiForm:
    """A `FileFormat`."""

    source = "pi"

    def files(self, place: Path) -> Sequence[Path]:
        """Return the files of sessions below *place*."""
        return session_files(place)

    def look(self, path: Path, state: WrittenState, growth: Growth | None) -> FiledFacts | None:
        """Return what is known of a file before it is read."""
        return look_at_file(path, state, growth)

    def beside(self, path: Path) -> str:
        """Return nothing: a file says everything of its session."""
        return ""

    def outline(self) -> PiOutline:
        """Return an outline of a session of which nothing was read."""
        return PiOutline()

    def messages(self, file: SessionFile, outline: PiOutline, refuse: Refuse) -> Iterator[ToldMessage]:
        """Yield the messages of a file, in its order; each entry is taken once."""
        keys = FreshKeys()
        for entry in read_entries(file.path, 0, file.state.whole, refuse):
            outline.kinds[entry.kind] += 1
            if entry.id and entry.kind != HEADER and entry.id in outline.places:
                outline.replayed += 1
                continue
            key = keys.fresh(entry.id or f"line:{entry.digest.hex()}")
            said = said_of(entry, key)
            _note(outline, entry)
            if entry.kind != HEADER:
                parent, told = entry.parent, _compaction(entry, key)
                outline.add(entry.id, parent, entry.number, says=said is not None, told=told)
            if said is not None:
                yield said
        _tell(outline)

    def conclude(self, work: FamilyConclusions, heard: HeardSession[PiOutline]) -> None:
        """Conclude one session."""
        conclude_session(work, heard)

    def extra(self, heard: HeardSession[PiOutline]) -> Mapping[str, Any]:
        """Return nothing more."""
        return {}


def _note(outline: PiOutline, entry: PiEntry) -> None:
    value = entry.value
    if entry.kind not in KINDS:
        outline.unknown[entry.kind] += 1
    elif entry.kind == HEADER:
        outline.cwd = outline.cwd or text_of(value.get("cwd"))
        outline.model = outline.model or text_of(value.get("modelId"))
        if "version" in value and number_of(value["version"]) is not None:
            outline.facts.setdefault("version", value["version"])
    elif entry.kind == "model_change":
        outline.model = text_of(value.get("modelId")) or outline.model
    elif entry.kind == "thinking_level_change":
        outline.facts["thinking"] = text_of(value.get("thinkingLevel"))
    elif entry.kind == "session_info":
        outline.title = text_of(value.get("name"))


def _compaction(entry: PiEntry, key: str) -> CompactionTold | None:
    alone = entry.kind == MESSAGE and entry.message.get("role") == "compactionSummary"
    if entry.kind != COMPACTION and not alone:
        return None
    value = entry.message if alone else entry.value
    return CompactionTold(
        key=key,
        time=entry.time,
        summary=text_of(value.get("summary")),
        first_kept=text_of(value.get("firstKeptEntryId")),
        first_kept_number=number_of(value.get("firstKeptEntryIndex")),
        tokens=number_of(value.get("tokensBefore")),
        claim={name: value[name] for name in _CLAIMED if value.get(name) is not None},
    )


def _tell(outline: PiOutline) -> None:
    if outline.replayed:
        outline.notes.append(written_again(outline.replayed, "entry"))
    if outline.strays:
        many = outline.strays > 1
        told = f"{counted(outline.strays, 'entry')} {'follow' if many else 'follows'} one that is not there"
        outline.notes.append(f"{told}; {'each' if many else 'it'} follows the one before it")


FORM: Final = PiForm()
