"""Which names in a sentence are of things of the work: services, hosts, jobs, tickets. Pure.

*ledger-sync* and *tide_mapper* are; *multi-line* and *well-known* are words, and a name in backticks that
a language could have is one of code: a sentence about it can be had again by reading that code.
"""

import re
from functools import lru_cache
from typing import Final

from hermes_sessions.late_patterns import late_pattern

_NAME: Final = late_pattern(r"(?<![\w./-])[A-Za-z](?:(?=\w*_\w)\w*(?:-\w+)*|\w*(?:-\w+)+)(?![\w/]|\.\w|\()")
_QUOTED_CODE: Final = late_pattern(r"`[^`\s-]{1,80}`|\b\w*__\w*\b")
_COMPOUND: Final = late_pattern(
    r"(?:a|all|anti|auto|back|best|bi|built|by|case|co|counter|cross|de|double|dry|end|ever|ex|first|five|follow|four|free|full|half|hard"
    r"|high|hyper|in|inner|inter|intra|is|last|late|least|left|like|long|low|macro|mal|max|mega|micro|mid|min|mini|mono|more|most|multi|nano"
    r"|near|new|non|not|off|old|on|one|open|out|outer|over|per|poly|post|pre|pro|pseudo|quasi|re|read|real|right|round|run|second|self|semi"
    r"|set|seven|short|side|single|six|so|some|stand|start|step|sub|super|ten|third|three|time|to|top|trade|trans|tri|triple|two|ultra|un|under|up"
    r"|upper|us|used|vice|warm|well|wide|word|work|write|wrong|zero)-\w+(?:-\w+)*"
    r"|\w+(?:-\w+)*-(?:\w{2,}(?:ed|ing|able|ible)|a|and|as|aware|based|by|case|check|down|end|free|friendly|in|independent|left|length|less|level|like|line"
    r"|long|only|off|on|of|old|or|oriented|out|over|place|point|proof|ready|right|round|safe|side|sided|size|specific|style|the|through|time|to"
    r"|up|wide|wise|word|words|world|year|years|day|days|minute|hour|byte|bit|bits|bytes|digit|char|character|element|way)",
    re.I,
)


@lru_cache(maxsize=65_536)
def names_a_thing(text: str) -> bool:
    """Return whether a text names a thing of the work."""
    bare = _QUOTED_CODE.sub(" ", text)
    return any(_COMPOUND.fullmatch(name) is None for name in _NAME.findall(bare))
