"""The parts of a self-contained HTML document that need no template: its style and its policy.

The policy lets the document show its own style and packed images, and nothing else:
no script, no request, no form.
"""

import base64
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from hermes_sessions.late_patterns import late_pattern

_COMMENT = late_pattern(r"/\*.*?\*/", re.DOTALL)
_SPACE = late_pattern(r"\s*\n\s*")


@dataclass(frozen=True, slots=True)
class StyleSheet:
    """A style sheet to stand inside a document, and the policy that allows it alone."""

    css: str
    policy: str


def inline_style(sheets: Iterable[str]) -> StyleSheet:
    """Join style sheets into one without comments, and name it in a Content-Security-Policy.

    Raises:
        ValueError: a sheet loads something, or would end the element it stands in.
    """
    css = _SPACE.sub("\n", _COMMENT.sub("", "\n".join(sheets))).strip()
    if re.search(r"</|@import|url\(", css, re.IGNORECASE):
        raise ValueError("a style sheet that stands inside a document loads nothing and closes nothing")
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode("ascii")
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    return StyleSheet(css, policy)
