"""How people say that what failed is over. Values only."""

import re
from typing import Final

from hermes_sessions.facts.wording.sieves import sieve

BARE_CODE: Final = re.compile(
    r"\W*(?:process |command |program )?(?:(?:exited|finished|ended|failed)(?: with)?(?: (?:exit|status|return))*(?: (?:code|status))?"
    r"|(?:exit|return|status)[ _-]?(?:code|status|value)?|returncode|rc)\W{0,4}-?\d{1,3}\W*",
    re.I,
)
"""A bare code of a program, without what it was of."""

LET_PASS: Final = sieve(
    r"\bxfail|\bmark\.skip|@(?:unittest\.)?skip|\bit\.skip\(|\bexpected failure|#\[ignore\]", re.I
)
"""A test that is expected to fail, or left out."""

WORKS: Final = sieve(
    r"\b(?:works|runs|passes|builds|starts|is (?:back )?up|is green|are green|all green) (?:now|again|fine)?"
    r"|\b(?:läuft|laufen|funktioniert|geht|gehen) (?:jetzt|wieder|nun)\b|\b(?:marche|fonctionne|passe|passent)(?:nt)? (?:maintenant|de nouveau|à nouveau)"
    r"|\b(?:ya |ahora |agora |já )(?:funciona\w*|pasa\w*|passa\w*|arranca)|\bora (?:funziona|passa)\w*"
    r"|\b(?:теперь|снова) (?:работает|проход\w+)|(?:能|可以)(?:运行|用)了|恢复正常|通过了|動くように|動きま",
    re.I,
)
"""What failed works again."""
