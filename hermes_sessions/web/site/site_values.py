"""What every page receives: the frame around it, and links to neighbouring pages. Values only."""

from dataclasses import dataclass

from hermes_sessions.web.site.sync_status import OriginProgress


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """What the form that led to this page did."""

    text: str
    undo: int | None
    """Number of the change, where it can be taken back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What every page shows around its content."""

    signed_in: bool
    form_proof: str
    """Shows that a form was made by our own page."""
    may_write: bool
    """Whether forms that change something are shown."""
    here: str
    """The page itself, for a form to come back to."""
    news: News | None
    importing: tuple[OriginProgress, ...]
    lines: tuple[str, ...]
    """`importing` in words."""
    theme: str
    """`system`, `light` or `dark`."""
    themes: tuple[str, ...]
    json_twin: str | None
    """Where the same is answered as JSON, None where nothing is."""
    home: str
    """The first page of the viewer: of all stores, where it has several."""
    store: str | None
    """What the store is called where it is one of several."""
    merged: bool
    """Whether the page is about many stores."""


@dataclass(frozen=True, slots=True)
class Pager:
    """Links to the neighbouring pages; None where there is none."""

    previous: str | None
    next: str | None
