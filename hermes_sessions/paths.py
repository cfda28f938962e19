"""Where templates, static files and migrations are: in a wheel, or in a checkout. And what the code is."""

import hashlib
import sys
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def asset_root() -> Path:
    """Return the folder that holds `templates/`, `static/` and `migrations/`.

    A wheel carries them inside the package; a checkout has them beside it.
    """
    carried = _PACKAGE / "_assets"
    return carried if carried.is_dir() else _PACKAGE.parent


def templates() -> Path:
    """Return the folder of Jinja templates."""
    return asset_root() / "templates"


def static() -> Path:
    """Return the folder of style sheets and scripts."""
    return asset_root() / "static"


def migrations() -> Path:
    """Return the folder of Alembic's env.py and revisions."""
    return asset_root() / "migrations"


def source_digest(*names: str) -> str:
    """Return a text that changes with the code of these modules and folders of the package.

    With the version of Python, too: what letters and digits are is its word.
    """
    digest = hashlib.blake2b(repr(sys.version_info[:2]).encode(), digest_size=12)
    for name in names:
        place = _PACKAGE / name
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            digest.update(f"{path.relative_to(_PACKAGE)}\n".encode() + path.read_bytes())
    return digest.hexdigest()
