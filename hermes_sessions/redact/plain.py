"""What is no secret, though it stands where one could: words, code, places to fill in."""

import re
from typing import Final

from hermes_sessions.late_patterns import late_pattern

_WORDY: Final = late_pattern(
    r"(?:[A-Z]?[a-z]{0,24}|[A-Z]{1,24})\d{0,4}|v?\d{1,8}[a-z]?|[A-Z]?[a-z]{1,24}(?:[A-Z][a-z]{1,24}){1,5}\d{0,2}"
)
_BREAKS: Final = late_pattern(r"[-_./:@\\ ]")
_TO_FILL_IN: Final = late_pattern(
    r"(?i)[$<]|%[a-z(%]|\{|\[redacted|.{0,40}(?:\*{3}|\.\.\.|…|x{6}|\$\{|\{\{|<[a-z]|•{3})"
    r"|.{0,12}(?:your|my|the|some|insert|enter|paste|add)[-_ ](?:[A-Za-z]{1,20}[-_ ]){0,3}"
    r"(?:key|token|secret|pass(?:word|wd)?|pwd|here)\b|.{0,20}(?:placeholder|redacted|_here\b|-here\b)"
)
_NAME_OF_NOTHING: Final = late_pattern(
    r"(?i)[\"']*(?:none|null|nil|true|false|undefined|empty|unset|missing|required|optional|password|passwd|pass|pwd"
    r"|secret|token|string|str|text|bytes|bool|int|number|hidden|changed|unchanged)[\"']*\Z"
)
_CODE: Final = late_pattern(
    r"(?:await\s|new\s|f?[\"'`]|&?(?:self|this|os|process|env|config|settings|secrets|args|request|req|ctx|props"
    r"|options|opts|params|data|vars?|local|module|import|System|Environment)(?:\.|->|::|\?\.|\[))"
)
_PATH: Final = late_pattern(
    r"(?:~|\.{1,2}|[A-Za-z]:)?[/\\](?:[\w.@ +-]{1,60}[/\\]){0,20}[\w.@ +-]{0,60}\Z|[a-z][a-z0-9+.-]{1,12}://"
)


def is_random(text: str) -> bool:
    """Return whether *text* is mixed like a key: words and plain hashes are not."""
    digits = sum(char.isdigit() for char in text)
    return (
        digits >= 3 and len(set(text)) >= 14 and any(char not in "0123456789abcdef" for char in text.lower())
    )


def is_wordy(text: str) -> bool:
    """Return whether *text* is made of words and short numbers: `next_token_2`, `web-7`, `a/b.py`."""
    return all(_WORDY.fullmatch(part) for part in _BREAKS.split(text))


def is_to_fill_in(text: str) -> bool:
    """Return whether *text* stands for a secret: `$TOKEN`, `<your key>`, `****`, `None`."""
    return bool(_TO_FILL_IN.match(text)) or bool(_NAME_OF_NOTHING.match(text)) or len(set(text)) < 4


def is_code(text: str, after: str) -> bool:
    """Return whether *text*, with *after* next to it, is an expression: a call, an index, a field."""
    if after[:1] in ("(", "[") or after[:2] in ("::", "->", "?."):
        return bool(re.fullmatch(r"[\w.$:>&*!?-]{1,200}", text))
    return bool(_CODE.match(text)) or (
        "." in text and "-" not in text and bool(text[0].isalpha() and is_wordy(text))
    )


def is_path(text: str) -> bool:
    """Return whether *text* is the path of a file, or an address."""
    return bool(_PATH.match(text))
