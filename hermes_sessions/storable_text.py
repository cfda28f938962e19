"""Text that every engine can hold: no NUL, which PostgreSQL refuses, and no half of a character."""


def is_storable(text: str) -> bool:
    """Return whether engines can hold *text*, or be asked about it."""
    return "\0" not in text and (text.isascii() or _is_encodable(text))


def storable(text: str) -> str:
    """Return *text* as engines can hold it, what they cannot hold replaced."""
    return text if is_storable(text) else text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
