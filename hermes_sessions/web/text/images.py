"""Images that came inside messages: data URLs only, of four raster types, up to a size."""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass

from hermes_sessions.messages import Block, image_url, is_image
from hermes_sessions.store.queries.transcript_rows import TranscriptRow, parse_blocks

_MAGIC = {
    "image/png": (b"\x89PNG\r\n\x1a\n",),
    "image/jpeg": (b"\xff\xd8\xff",),
    "image/gif": (b"GIF87a", b"GIF89a"),
    "image/webp": (b"RIFF",),
}


@dataclass(frozen=True, slots=True)
class Attachment:
    """A block that is not text: an image of ours to show, or only words about it.

    Attributes:
        index: which image of the row it is, from 0; None where nothing can be shown.
        label: what to say about it.
        size: bytes, as far as known.
    """

    index: int | None
    label: str
    size: int = 0


@dataclass(frozen=True, slots=True)
class Image:
    """The bytes of an image and the type they really have."""

    media_type: str
    content: bytes


def attachments(blocks: Sequence[Block], max_bytes: int, *, first: int = 0) -> tuple[Attachment, ...]:
    """Return what is to be said or shown of the blocks that are not text.

    Args:
        first: the number of the first image among them, within its row.
    """
    found = []
    for offset, source in enumerate(image_sources(blocks)):
        found.append(_attachment(source, first + offset, max_bytes))
    others = [kind for block in blocks if (kind := _other_kind(block))]
    return (*found, *(Attachment(None, f"{kind} block") for kind in others))


def image_sources(blocks: Sequence[Block]) -> list[str]:
    """Return the URL of every image block, in order; '' where a block has none."""
    return [image_url(block) for block in blocks if not isinstance(block, str) and is_image(block)]


def load_image(row: TranscriptRow, index: int, max_bytes: int) -> Image | None:
    """Return an image of a row, or None where it is not there, not one of ours, or too large."""
    sources = image_sources(parse_blocks(row.blocks) or ())
    if not 0 <= index < len(sources):
        return None
    return read_packed(sources[index], max_bytes)


def read_packed(source: str, max_bytes: int) -> Image | None:
    """Return the image in a data URL, or None where it is not one of ours, or too large."""
    media_type, packed = _split(source)
    if media_type not in _MAGIC or len(packed) * 3 // 4 > max_bytes:
        return None
    try:
        content = base64.b64decode(packed, validate=False)
    except (binascii.Error, ValueError):
        return None
    if not content.startswith(_MAGIC[media_type]):
        return None
    return Image(media_type, content)


def _attachment(source: str, index: int, max_bytes: int) -> Attachment:
    media_type, packed = _split(source)
    size = len(packed) * 3 // 4
    if media_type in _MAGIC:
        if size <= max_bytes:
            return Attachment(index, f"image {index + 1} of this message", size)
        return Attachment(None, f"image too large to show ({size // 1_000_000} MB)", size)
    if media_type:
        return Attachment(None, f"image of a type that is not shown ({media_type[:40]})", size)
    return Attachment(None, f"image not loaded: {source[:200]}" if source else "image that was not stored")


def _split(source: str) -> tuple[str, str]:
    """Return media type and base64 text of a data URL; ('', '') for anything else."""
    if not source.startswith("data:"):
        return "", ""
    head, _, packed = source.partition(",")
    media_type, _, encoding = head[5:].lower().partition(";")
    return (media_type, packed) if encoding.endswith("base64") else (media_type or "text/plain", "")


def _other_kind(block: Block) -> str | None:
    if isinstance(block, str) or isinstance(block.get("text"), str) or is_image(block):
        return None
    return str(block.get("type") or "unknown")[:40]
