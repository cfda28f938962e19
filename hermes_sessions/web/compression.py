"""Answers compressed with gzip, where the asker takes it and it pays.

Streams go out as they are. Compression can betray a secret that stands in one body
with text of an attacker's choice (BREACH), so the one secret that pages carry, the proof
in their forms, is written another way each time (`masked`). The token is on no page.
"""

import gzip
import secrets
from collections import OrderedDict
from typing import Final

from flask import Flask, Response, request

MIN_BYTES: Final = 800
LEVEL: Final = 5
KEPT_FILES: Final = 32
_KINDS: Final = ("text/", "application/json", "application/problem+json", "image/svg+xml")
_SCRIPTS: Final = ("application/javascript", "text/javascript")


def register(app: Flask) -> None:
    """Compress what the application answers; register it first, so that it comes last."""
    files: OrderedDict[str, bytes] = OrderedDict()

    @app.after_request
    def compress(response: Response) -> Response:
        if not _worth_it(response):
            return response
        response.vary.add("Accept-Encoding")
        if not request.accept_encodings.quality("gzip"):
            return response
        packed = _packed(response, files)
        response.direct_passthrough = False
        response.set_data(packed)
        response.headers["Content-Encoding"] = "gzip"
        tag, weak = response.get_etag()
        if tag is not None and not weak:
            response.set_etag(tag, weak=True)
        return response


def masked(secret: str) -> str:
    """Return *secret* (hex) in a form that is another one each time."""
    pad = secrets.token_bytes(len(secret) // 2)
    mixed = bytes(left ^ right for left, right in zip(pad, bytes.fromhex(secret), strict=True))
    return pad.hex() + mixed.hex()


def unmasked(text: str) -> str:
    """Return the secret behind what `masked` made; "" for anything else."""
    try:
        raw = bytes.fromhex(text)
    except ValueError:
        return ""
    half = len(raw) // 2
    if not half or len(raw) % 2:
        return ""
    return bytes(left ^ right for left, right in zip(raw[:half], raw[half:], strict=True)).hex()


def _worth_it(response: Response) -> bool:
    if response.status_code in (204, 206, 304) or "Content-Encoding" in response.headers:
        return False
    static = request.endpoint == "static"
    if response.mimetype == "text/event-stream" or (response.is_streamed and not static):
        return False
    size = response.content_length if static else response.calculate_content_length()
    return (response.mimetype or "").startswith((*_KINDS, *_SCRIPTS)) and (size or 0) >= MIN_BYTES


def _packed(response: Response, files: "OrderedDict[str, bytes]") -> bytes:
    """Return the compressed body; files are compressed once."""
    key = f"{request.path} {response.get_etag()[0]}" if request.endpoint == "static" else None
    if key is not None and key in files:
        response.close()
        return files[key]
    response.direct_passthrough = False
    packed = gzip.compress(response.get_data(), LEVEL, mtime=0)
    if key is not None:
        response.close()
        files[key] = packed
        while len(files) > KEPT_FILES:
            files.popitem(last=False)
    return packed
