"""Where templates, static files and migrations are: in a wheel, or in a checkout."""

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
