"""Answers compressed by Flask-Compress, where the client accepts it and it saves something.

Left to this module: what goes out as it is (streams, parts of files, answers to clients that refuse an
encoding by name). Compression can betray a secret that shares a body with text of an attacker's choice
(BREACH), so the one secret that pages carry, the proof in their forms, is written another way each time
(`masked`). The token is on no page.
"""

import secrets
from typing import Final

from flask import Flask, Response, request
from flask_compress import Compress

MIN_BYTES: Final = 800
_ALGORITHMS: Final = ["zstd", "br", "gzip"]
"""In the order of preference: the first is the fastest by far, and as small as the second."""
_KINDS: Final = [
    "text/html", "text/css", "text/plain", "text/markdown", "text/javascript", "application/javascript",
    "application/json", "image/svg+xml",
]  # fmt: skip


def register(app: Flask) -> None:
    """Compress what the application answers; register it first, so that it comes last."""
    app.config.update(
        COMPRESS_REGISTER=False,
        COMPRESS_ALGORITHM=_ALGORITHMS,
        COMPRESS_MIMETYPES=_KINDS,
        COMPRESS_MIN_SIZE=MIN_BYTES,
        COMPRESS_STREAMS=False,
    )
    library = Compress()
    library.init_app(app)

    @app.after_request
    def compress(response: Response) -> Response:
        if _goes_out_as_it_is(response):
            response.vary.add("Accept-Encoding")
            return response
        if request.endpoint == "static":
            response.direct_passthrough = False
            response.make_sequence()
        return library.after_request(response)


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


def _goes_out_as_it_is(response: Response) -> bool:
    if response.status_code != 200 or (response.is_streamed and request.endpoint != "static"):
        return True
    # The library takes a single encoding with q=0 for one that is wanted.
    return any(not quality and name in _ALGORITHMS for name, quality in request.accept_encodings)
