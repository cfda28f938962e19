"""Directives of a server's configuration: `listen 8443 ssl;`, `client_max_body_size 32m;`."""

import re
from collections.abc import Iterator
from typing import Final

from hermes_sessions.facts.gates import gate
from hermes_sessions.facts.page import Mark, TextPage
from hermes_sessions.late_patterns import late_pattern

_WORDS: Final = gate("server_name", "proxy_", "listen ", "client_max", "keepalive_", "worker_connections")
_LINE = late_pattern(
    r"^[+ \t]{0,16}(listen|root|server_name|[a-z]{2,20}(?:_[a-z]{1,20}){1,5})[ \t]{1,20}([^\s;{}()=][^;{}()=\n]{0,100});[ \t]*$", re.M
)  # fmt: skip
_PORT = late_pattern(r"(?:\S{1,60}:)?(\d{2,5})(?![\w.])")
_VALUE = late_pattern(r"[\d/\"']|on\b|off\b|\S{1,60}\.\w")


def directive_marks(page: TextPage) -> Iterator[Mark]:
    """Yield the values of directives with their names; of `listen` the port, of `server_name` the host."""
    if page.is_speech or _WORDS not in page.opened:
        return
    for match in _LINE.finditer(page.text):
        name, start, end = match[1], match.start(2), match.end(2)
        if name.endswith("_t") or not _VALUE.match(match[2]):
            continue
        if name == "listen" and (port := _PORT.match(page.text, start)):
            yield Mark("port", port.start(1), port.end(1), name)
        elif name == "server_name":
            yield Mark("host", start, start + len(match[2].split()[0]), name)
        elif not match[2].startswith(("/", "http")):
            yield Mark("config", start, end, name)
