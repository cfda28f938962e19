"""Names of several parts, as code and machines have them: `ledger-sync`, `tide_mapper`, `fix/vat`. Pure.

A part may hold the sign that joins parts; each name is read in one way alone, so that none is tried twice.
"""

import re
from typing import Final

JOINED_WORD: Final = re.compile(r"[A-Za-z](?=\w*[-_]\w)\w*(?:-\w+)*")
"""Parts joined by `-` or `_`."""
JOINED_NAME: Final = re.compile(r"[A-Za-z](?=\w*[-_/.]\w)\w*(?:[-/.]\w+)*")
"""Parts joined by `-`, `_`, `/` or `.`: paths and keys, too."""
