"""Numbers and kinds of fact in words, for sentences."""

from typing import Final

from hermes_sessions.audit.ledger.numbered import nth

_NUMBERS: Final = tuple(
    "no one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
)
_ORDINALS: Final = tuple(
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()  # noqa: SIM905
)
_NOUNS: Final = {
    "constraint": ("rule", "rules"),
    "decision": ("decision", "decisions"),
    "request": ("request", "requests"),
    "error": ("error", "errors"),
    "test_result": ("test result", "test results"),
    "file_changed": ("changed file", "changed files"),
    "file_read": ("file", "files"),
    "todo": ("open point", "open points"),
    "next_step": ("next step", "next steps"),
    "config": ("setting", "settings"),
    "url": ("address", "addresses"),
    "email": ("e-mail address", "e-mail addresses"),
    "ip": ("IP address", "IP addresses"),
    "money": ("amount", "amounts"),
    "hash": ("commit or hash", "commits or hashes"),
    "branch": ("branch", "branches"),
    "user_words": ("quotation of you", "quotations of you"),
    "negation": ("statement", "statements"),
    "opposite": ("statement", "statements"),
    "order": ("order or pairing", "orders or pairings"),
    "done": ("statement of what is done", "statements of what is done"),
    "secret": ("secret", "secrets"),
    "messages": ("part of the conversation", "parts of the conversation"),
    "exchange": ("said there", "said there"),
    "number": ("number", "numbers"),
    "id": ("id", "ids"),
    "who": ("decision's owner", "decisions' owners"),
}


def in_words(number: int) -> str:
    """Return a small number as a word."""
    return _NUMBERS[number] if number < len(_NUMBERS) else f"{number:,}"


def ordinal(number: int) -> str:
    """Return which one in a row a number is: a word for a small one, else with its ending."""
    return _ORDINALS[number] if number < len(_ORDINALS) else nth(number)


def noun(kind: str, count: int = 1) -> str:
    """Return the word for a kind of fact, in the plural for another count than one."""
    one, many = _NOUNS.get(kind, (kind.replace("_", " "), f"{kind.replace('_', ' ')}s"))
    return one if count == 1 else many


def joined(parts: list[str]) -> str:
    """Return *parts* as a sentence: separated by semicolons, a capital first, a full stop last."""
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."
