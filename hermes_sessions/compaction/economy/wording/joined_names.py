"""Names of several parts, as code and machines have them: `ledger-sync`, `tide_mapper`, `fix/vat`. Pure.

A part may hold the sign that joins parts; each name is read in one way alone, so that none is tried twice.
"""

from typing import Final

from hermes_sessions.late_patterns import late_pattern

JOINED_WORD: Final = late_pattern(r"[A-Za-z](?=\w*[-_]\w)\w*(?:-\w+)*")
"""Parts joined by `-` or `_`."""
JOINED_NAME: Final = late_pattern(r"[A-Za-z](?=\w*[-_/.]\w)\w*(?:[-/.]\w+)*")
"""Parts joined by `-`, `_`, `/` or `.`: paths and keys, too."""
