"""Render a conversation for reading elsewhere: the pieces of an HTML or Markdown document, as they come."""

import base64
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

import jinja2
from sqlalchemy import orm as sa_orm

from hermes_sessions import paths
from hermes_sessions.exporters.html import StyleSheet, inline_style
from hermes_sessions.exporters.markdown import mask_line, render_markdown
from hermes_sessions.exporters.masking import ExportMasker
from hermes_sessions.exporters.readable_entries import Entry, Heading, Picture
from hermes_sessions.operations.exports.export_entries import iter_entries, load_heading
from hermes_sessions.store.queries.conversations import ConversationRow
from hermes_sessions.web.text.filters import FILTERS
from hermes_sessions.web.text.images import read_packed
from hermes_sessions.web.text.tools import Arguments, Output, show_arguments, show_output

SHEETS: Final = ("style.css", "transcript.css", "code.css")
PAPER: Final = "print.css"
MAX_IMAGE_BYTES: Final = 50_000_000
PIECES_AT_ONCE: Final = 64


def document_pieces(
    db: sa_orm.Session, conversation: ConversationRow, form: str, masker: ExportMasker, *, now: float
) -> Iterator[str]:
    """Yield a conversation as `html` or `markdown`; reads the store while it is iterated.

    Args:
        masker: counts what it masks; complete when the last piece was given.
        now: when the document is written, epoch seconds.
    """
    heading, entries = load_heading(db, conversation), iter_entries(db, conversation)
    if form == "markdown":
        return render_markdown(heading, entries, masker)
    return render_html(heading, entries, masker, now=now)


def render_html(
    heading: Heading, entries: Iterable[Entry], masker: ExportMasker, *, now: float
) -> Iterator[str]:
    """Yield one HTML document that needs nothing besides itself."""
    stream = (
        _environment()
        .get_template("export/conversation.html")
        .stream(
            heading=masker.heading(heading),
            entries=masker.entries(entries),
            masker=masker,
            mask_line=mask_line,
            style=_style(),
            written_at=now,
        )
    )
    stream.enable_buffering(PIECES_AT_ONCE)
    return iter(stream)


@lru_cache(maxsize=1)
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(paths.templates()),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(FILTERS)
    environment.filters.update(arguments=_arguments, tool_output=_output, packed_image=packed_image)
    return environment


@lru_cache(maxsize=1)
def _style() -> StyleSheet:
    def read(name: str) -> str:
        return (paths.static() / name).read_text("utf-8")

    paper = f"@media print {{\n{read(PAPER)}\n}}"
    return inline_style([*(read(name) for name in SHEETS), paper, read("export.css")])


def _arguments(text: str) -> Arguments:
    return show_arguments(text, most=None)


def _output(text: str) -> Output:
    return show_output(text, most=None)


def packed_image(picture: Picture) -> str:
    """Return a data URL made anew of an image's bytes, '' where it is none that may be shown."""
    image = read_packed(picture.url, MAX_IMAGE_BYTES)
    if image is None:
        return ""
    return f"data:{image.media_type};base64,{base64.b64encode(image.content).decode('ascii')}"
