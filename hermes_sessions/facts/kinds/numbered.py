"""Numbers that the word right before them names: `PostgreSQL 16`, `order 10482`, `user_id=4711`."""

from collections.abc import Iterator
from typing import Final

from hermes_sessions.facts.gates import gate
from hermes_sessions.facts.page import Mark, TextPage, hits
from hermes_sessions.late_patterns import late_pattern

_PRODUCTS: Final = frozenset(
    (
        "postgresql postgres python node.js node nodejs java ruby golang go php mysql mariadb redis ubuntu debian fedora alpine centos django"
        " react angular vue rust kotlin swift ios android macos windows kubernetes k8s docker nginx elasticsearch typescript sqlalchemy"
        " flask fastapi next.js .net openssl terraform kafka rabbitmq sqlite mongodb pip npm pnpm yarn pytest chrome firefox jdk openjdk"
        " webpack vite rails laravel spring helm ansible gcc clang numpy pandas pydantic celery gunicorn uvicorn tailwind svelte deno bun"
        " git cuda pytorch tensorflow opensearch grafana prometheus clickhouse cassandra keycloak electron flutter gradle maven"
    ).split()
)
_ID_WORDS: Final = frozenset(
    (
        "order issue ticket invoice customer user account pr pull-request mr build run job pid case request transaction contract"
        " bestellung rechnung kunde auftrag vorgang ticketnummer bestellnummer rechnungsnummer kundennummer commande facture pedido factura"
        " заказ заказа счет счёт тикет задача 订单号 订单 工单 注文番号 注文 チケット 請求書番号 الطلب طلب deployment revision incident session booking reservation localizador reserva pnr locator tracking sendung buchung réservation prenotazione ordine pedido"
    ).split()
)
_CJK_WORDS: Final = tuple(word for word in _ID_WORDS if word[0] > "\u2e80")
_NUMBER = late_pattern(r"\d++(?:\.(?:\d|x\b)+){0,3}(?:[-.]?(?:rc|beta|alpha)\.?\d{0,3})?")
_ID = late_pattern(r"[\dA-Za-z-]{2,40}+(?![\w%]|[.:,]\d)")
_LINKS: Final = frozenset("id no no. number nr nr. n° # № numéro número is".split())
_YEARLY = late_pattern(r"\d{4}-\d\d-\d\d.*|\d+(?:ms|s|k|th|st|nd|rd|px|MB|GB|h|m|d|x)")
_ID_SIGNS: Final = gate("id=", "id: ", 'id":', "id:", "uuid=", "uuid: ")
_ID_FIELD = late_pattern(
    r"([A-Za-z_][\w.]{0,40}?_?(?:id|ID|Id|uuid|sha|token_id|request_id))[\"']?[ ]?[=:][ ]?[\"']?([A-Za-z0-9][\w-]{1,63})(?![\w.(\[])"
)


def numbered_marks(page: TextPage) -> Iterator[Mark]:
    """Yield versions of products and numbers of orders, tickets and the like."""
    text, lower = page.text, page.lower
    code = page.looks == "code"
    for match in _NUMBER.finditer(page.bare):
        start = match.start()
        before = text[start - 1 : start]
        if before not in _BEFORE:
            continue
        head = lower[max(0, start - 28) : start]
        last = head.rsplit(None, 1)[-1:]
        if not last or head[-1] == "\n" or _names_nothing(last[0]):
            continue
        words = head.rsplit(None, 3)[-3:]
        if (mark := _product(text, start, match.end(), head, words)) or (
            not code and match.end() - start >= 2 and (mark := _numbered(text, start, head, words))
        ):
            yield mark
    if not code:
        yield from _fields(page)


def _names_nothing(word: str) -> bool:
    """Return whether no product and no kind of number stands right before a number, nor what may join them."""
    bare = word.strip("(`*\"'[#:=")
    return word.isascii() and bare != "" and bare not in _NAMING and word.lstrip("(`*\"'[") not in _NAMING


_BEFORE: Final = frozenset(' v#№:=号："')


def _product(text: str, start: int, end: int, head: str, words: list[str] | tuple[str, ...]) -> Mark | None:
    """`Python 3.12.1` is the version of Python; `PostgreSQL 16` is one as a whole."""
    last = words[-1]
    if last in ("v", "version", "v.") and len(words) > 1 and head[-1:] in " v":
        last = words[-2]
    elif not head.endswith((" ", " v")):
        return None
    elif last in _RAISED and len(words) > 1:
        last = words[-2]
    last = _ascii_tail(last.lstrip("(`*\"'["))
    if (
        last not in _PRODUCTS
        or text[end : end + 1].isalnum()
        or (text[end : end + 1] in ("%", ":", ",") and text[end + 1 : end + 2].isdigit())
    ):
        return None
    first = start - len(head) + head.rfind(last)
    if (
        text[first + len(last) : start].strip(" vV")
        and words[-1] not in _RAISED
        and words[-1] not in ("v", "version", "v.")
    ):
        return None
    if start - first - len(last) > 12 or text[first - 1 : first] == "(":
        return None
    name = text[first : first + len(last)]
    if last == "go" and (
        text[max(0, first - 2) : first].strip()[-1:].isdigit()
        or words[-1] in _RAISED
        or text[start : start + 2] != "1."
    ):
        return None  # gigaoctets in French, and a verb
    if len(last) <= 2 and not name[0].isupper():
        return None
    return Mark("version", first if text.count(".", start, end) < 2 else start, end, name)


_RAISED: Final = frozenset("to auf na на à a от".split())
_NAMING: Final = _PRODUCTS | _ID_WORDS | _LINKS | _RAISED | {"v", "v.", "version"}


def _ascii_tail(word: str) -> str:
    """Prose without blanks may stand right before a name: `使用PostgreSQL 16`."""
    return word if word.isascii() else word.lstrip("".join(sign for sign in word if sign > "\u2e80"))


def _numbered(text: str, start: int, head: str, words: list[str] | tuple[str, ...]) -> Mark | None:
    last = words[-1].strip("(`*\"'[#№:：=")
    if last not in _ID_WORDS and last not in _LINKS and last.isascii() and last:
        return None
    tail = head.rstrip(" #№:：=\"'`*")
    parts = tail.rsplit(None, 2)[-2:]
    if not parts:
        return None
    word = parts[-1].lstrip("(`*\"'[")
    if word in _LINKS and len(parts) > 1:
        word = parts[0].lstrip("(`*\"'[")
    if word not in _ID_WORDS and not (word[-1:] > "\u2e80" and word.endswith(_CJK_WORDS)):
        return None
    first = start - 1 if text[start - 1 : start] in "#" else start
    match = _ID.match(text, start)
    if not match or len(tail) < len(head.rstrip()) - 4:
        return None
    value = match.group()
    if (
        sum(map(str.isdigit, value)) < 3
        or (len(value) == 4 and value[:2] in ("19", "20"))
        or _YEARLY.fullmatch(value)
    ):
        return None
    return Mark("id", first, match.end() - (len(value) - len(value.rstrip("-"))), word)


def _fields(page: TextPage) -> Iterator[Mark]:
    text = page.text
    for place, _ in hits(page, _ID_SIGNS):
        head = text[max(0, place - 40) : place]
        begin = place - len(head) + len(head.rstrip(_NAME_CHARS))
        match = _ID_FIELD.match(text, begin)
        if match and any(map(str.isdigit, match[2])) and match.end(1) <= place + 4:
            yield Mark("id", match.start(2), match.end(2), match[1])


_NAME_CHARS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"
