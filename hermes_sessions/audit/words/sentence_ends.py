"""Where sentences end, and how much of a text is read for them. Values only."""

import re
from typing import Final

SENTENCE_ENDS: Final = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])|\n")
MAX_READ_CHARS: Final = 4_000
"""Of a message, as much is read for what it asks, allows or takes back."""
