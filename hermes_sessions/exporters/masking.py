"""Clean and mask what a readable export shows, and count what was masked.

Terminal sequences and characters that nobody sees go first: a secret must not pass
because a colour code stands in the middle of it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from hermes_sessions.exporters.readable_entries import (
    CompactionLine,
    Entry,
    ExportedCall,
    ExportedHandoff,
    Heading,
    Note,
    Picture,
    Speech,
    ToolOutput,
)
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.redact import Redacted, redact, redact_arguments

_TERMINAL = late_pattern(
    r"\x1b(?:\[[0-?]{0,32}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|[@-Z\\-_])"
)
_UNSEEN = late_pattern("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e]")
_SURROGATE = late_pattern("[\ud800-\udfff]")


def plain_text(text: str) -> str:
    """Return *text* without terminal sequences, control and direction-override characters."""
    clean = _UNSEEN.sub("", _TERMINAL.sub("", text))
    return clean if clean.isascii() else _SURROGATE.sub("\ufffd", clean)


@dataclass(slots=True)
class ExportMasker:
    """Cleans values and, where `active`, masks their secrets; `counts` grows while it is used."""

    active: bool = True
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        """How many secrets were masked so far."""
        return self.counts.total()

    def text(self, text: str) -> str:
        """Return a text as it may be shown."""
        return self._masked(text, redact)

    def maybe(self, text: str | None) -> str | None:
        """Return a text as it may be shown; None stays None."""
        return None if text is None else self.text(text)

    def json(self, text: str) -> str:
        """Return arguments or a result, which may be JSON, as they may be shown."""
        return self._masked(text, redact_arguments)

    def _masked(self, text: str, mask: Callable[[str], Redacted]) -> str:
        clean = plain_text(text)
        if not self.active:
            return clean
        found = mask(clean)
        self.counts.update(found.counts)
        return found.text

    def heading(self, heading: Heading) -> Heading:
        """Return a heading as it may be shown."""
        return replace(
            heading,
            id=plain_text(heading.id),
            title=self.maybe(heading.title),
            preview=None if heading.title else self.maybe(heading.preview),
            source=self.maybe(heading.source),
            model=self.maybe(heading.model),
            parent=None if heading.parent is None else plain_text(heading.parent),
        )

    def entries(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Yield entries as they may be shown."""
        for entry in entries:
            yield self.entry(entry)

    def entry(self, entry: Entry) -> Entry:
        """Return an entry as it may be shown."""
        match entry:
            case Speech():
                return self._speech(entry)
            case ExportedHandoff():
                return replace(entry, text=self.text(entry.text), pictures=self._pictures(entry.pictures))
            case ToolOutput():
                return replace(entry, name=self.text(entry.name), text=self.json(entry.text))
            case CompactionLine():
                return replace(entry, error=self.maybe(entry.error), summary=self.maybe(entry.summary))
            case Note():
                return replace(entry, text=plain_text(entry.text))

    def _speech(self, entry: Speech) -> Speech:
        return replace(
            entry,
            role=plain_text(entry.role),
            text=self.text(entry.text),
            reasoning=self.maybe(entry.reasoning),
            pictures=self._pictures(entry.pictures),
            calls=tuple(self._call(call) for call in entry.calls),
            broken_calls=None if entry.broken_calls is None else self.json(entry.broken_calls),
        )

    def _call(self, call: ExportedCall) -> ExportedCall:
        return replace(
            call,
            name=self.text(call.name),
            arguments=self.json(call.arguments),
            result=None if call.result is None else self.json(call.result),
        )

    def _pictures(self, pictures: tuple[Picture, ...]) -> tuple[Picture, ...]:
        # The packed bytes of an image are no text; anything else of a URL is.
        return tuple(
            one if one.url.startswith(_PACKED) else replace(one, url=self.text(one.url)) for one in pictures
        )


_PACKED: Final = ("data:image/",)
