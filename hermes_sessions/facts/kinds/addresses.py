"""URLs and e-mail addresses: found by `://` and `@`, read both ways from there."""

import re
from collections.abc import Iterator
from typing import Final

from hermes_sessions.facts.page import Mark, TextPage

_SCHEME_CHARS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-"
_LOCAL_CHARS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+-"
# Ends a URL: quotes, brackets, punctuation beyond ASCII and letters of scripts without blanks between words.
_NO_URL: Final = (
    r"\s<>\"'`{}|\\^\[\]«»\u0e00-\u0eff\u1000-\u11ff\u1780-\u17ff\u2000-\u206f\u2e80-\ud7ff\uf900-\ufaff"
    r"\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff"
)
_REST = re.compile(rf"[^{_NO_URL}]{{1,380}}+")
_DOMAIN = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})\.){1,6}[A-Za-z]{2,20}(?![A-Za-z0-9-])")
_HANDLE = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,38}(?![\w./@-])")
_SCP = re.compile(r":[\w./~-]{3,200}")
_NO_HANDLES: Final = frozenset(
    "app pytest staticmethod classmethod property dataclass override param return returns returns throws deprecated media import"
    " types babel angular vue tailwind apply include extend charset font-face keyframes test latest next types".split()
)


def address_marks(page: TextPage) -> Iterator[Mark]:
    """Yield URLs, e-mail addresses and, in speech, `@names`."""
    text = page.text
    place = text.find("://")
    while place >= 0:
        head = text[max(0, place - 20) : place]
        start = place - len(head) + len(head.rstrip(_SCHEME_CHARS))
        rest = _REST.match(text, place + 3)
        if rest and place - start >= 2:
            yield Mark("url", start, _url_end(text, place + 3, rest.end()))
        place = text.find("://", rest.end() if rest else place + 3)
    yield from _at_signs(page)


def _url_end(text: str, start: int, end: int) -> int:
    """Take off what the sentence or the Markdown around a URL adds."""
    while end > start and (text[end - 1] in ".,:;!?*_~" or _is_unpaired(text, start, end)):
        end -= 1
    return end


def _is_unpaired(text: str, start: int, end: int) -> bool:
    return text[end - 1] == ")" and text.count("(", start, end) < text.count(")", start, end)


def _at_signs(page: TextPage) -> Iterator[Mark]:
    text = page.text
    place = text.find("@")
    while place >= 0:
        head = text[max(0, place - 64) : place]
        start = place - len(head) + len(head.rstrip(_LOCAL_CHARS))
        domain = _DOMAIN.match(text, place + 1)
        if domain and start < place:
            end = domain.end()
            if scp := _SCP.match(text, end) if text[start:place] == "git" else None:
                yield Mark("url", start, scp.end())
            else:
                first = start + len(text[start:place]) - len(text[start:place].lstrip(".-+"))
                yield Mark("email", first, end)
        elif (
            page.is_speech
            and (place == 0 or text[place - 1] in " \n(,")
            and (name := _HANDLE.match(text, place + 1))
        ) and name.group() not in _NO_HANDLES:
            yield Mark("name", place, name.end())
        place = text.find("@", place + 1)
