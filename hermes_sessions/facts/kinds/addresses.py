"""URLs and e-mail addresses: found by `://` and `@`, read both ways from there."""

from collections.abc import Iterator
from typing import Final

from hermes_sessions.facts.page import Mark, TextPage
from hermes_sessions.late_patterns import late_pattern

_SCHEME_CHARS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-"
_LOCAL_CHARS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+-"
# Ends a URL: quotes, brackets, punctuation beyond ASCII and letters of scripts without blanks between words.
_NO_URL: Final = (
    r"\s<>\"'`{}|\\^\[\]«»\u0e00-\u0eff\u1000-\u11ff\u1780-\u17ff\u2000-\u206f\u2e80-\ud7ff\uf900-\ufaff"
    r"\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff"
)
_REST = late_pattern(rf"[^{_NO_URL}]{{1,380}}+")
_DOMAIN = late_pattern(r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})\.){1,6}[A-Za-z]{2,20}(?![A-Za-z0-9-])")
_SERVICE = late_pattern(
    r"(?<![A-Za-z0-9+.-])([a-zA-Z][a-zA-Z0-9+]{1,20})://(?:[^\s/@:\"'`<>]{0,80}(?::[^\s/@\"'`<>]{0,80})?@)?([A-Za-z0-9](?:[A-Za-z0-9-]{0,62}\.){0,6}[A-Za-z0-9-]{0,62}[A-Za-z0-9])(?::(\d{2,5})(?!\d))?"
)
_PAGES: Final = frozenset(
    "http https file s3 gs data javascript mailto app chrome about docker oci arn res ftp".split()
)
"""Schemes whose address is a page, a file or a bucket: the whole is what is meant."""
_GIT = late_pattern(r"(?<![\w.-])git@((?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})\.){1,6}[A-Za-z]{2,20}):")
_HANDLE = late_pattern(r"[A-Za-z][A-Za-z0-9_-]{1,38}(?![\w./@-])")
_SCP = late_pattern(r":[\w./~-]{3,200}")
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


def url_part_marks(page: TextPage) -> Iterator[Mark]:
    """Yield host and port of addresses that are no pages: `redis://cache-2.corp.example:6379/0`, `git@host:path`."""
    text = page.text
    if page.looks == "code":
        return
    for match in _SERVICE.finditer(text) if "://" in text else ():
        if match[1].lower() not in _PAGES:
            yield Mark("host", *match.span(2))
        if match[3] and match[1].lower() not in ("http", "https"):
            yield Mark("port", *match.span(3), match[2])
    for match in _GIT.finditer(text) if "git@" in text else ():
        yield Mark("host", *match.span(1))


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
