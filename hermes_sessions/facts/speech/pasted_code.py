"""Where source code stands in a text without a fence around it."""

import re
from typing import Final

from hermes_sessions.late_patterns import late_pattern

_CODE: Final = late_pattern(
    r"^(?:\d{1,6}[|:\t] ?)?[ \t]*(?:(?:async )?def \w+\(|class \w+[(:]|(?:from [\w.]+ )?import [\w.*{]|return\b(?! to\b| the\b| a\b)|raise \w+|except\b.*:\s*$|try:|(?:if|elif|while|for|with) .+:\s*$|else:\s*$|@\w[\w.]*(?:\(|$)|self\.\w|\w[\w.\[\]]* [-+*/|]?= \S|[\w.]+\(.*\)[;,]?\s*$|[})\]]+[;,]?\s*$"
    r"|(?:export |public |private |static |pub )*(?:function|func|fn|const|let|var|interface|struct|enum|impl|void|int)\b.{0,80}[({;=]|#include\b|package \w+;?$|use [\w:]+;|\"\"\"|'''|/\*|\*/)",
    re.M,
)
_ENOUGH: Final = 4
_SHARE: Final = 0.12
_MAX_CHARS: Final = 200_000


def find_code(text: str) -> tuple[int, int]:
    """Return where code begins and ends in *text*; (0, 0) where there is little of it."""
    if len(text) > _MAX_CHARS:
        return (0, 0)
    found = [match.start() for match in _CODE.finditer(text)]
    if len(found) < _ENOUGH:
        return (0, 0)
    end = text.find("\n", found[-1])
    stop = len(text) if end < 0 else end
    lines = text.count("\n", found[0], stop) + 1
    return (found[0], stop) if len(found) / lines >= _SHARE else (0, 0)
