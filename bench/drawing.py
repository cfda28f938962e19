"""Boxes, words and arrows as SVG text, in colours for light and dark. Used by the generated diagrams."""

from collections.abc import Iterable
from html import escape

STYLE = """
  svg { --ground: #faf9f5; --box: #fff; --line: #8a8577; --ink: #1e1d1a; --quiet: #5b574e;
    --accent: #205080 }
  @media (prefers-color-scheme: dark) {
    svg { --ground: #1b1a18; --box: #262522; --line: #7d786c; --ink: #eceae3; --quiet: #b3aea2;
      --accent: #8ab8e6 }
  }
  .ground { fill: var(--ground) } .box { fill: var(--box); stroke: var(--line) }
  .ink { fill: var(--ink) } .quiet { fill: var(--quiet) } .name { fill: var(--ink); font-weight: 600 }
  .link { fill: none; stroke: var(--accent); stroke-width: 1.3; marker-end: url(#tip) }
  .tip { fill: var(--accent) }
"""
TIP = (
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"'
    ' orient="auto"><path class="tip" d="M0 0l8 4-8 4z"/></marker></defs>'
)


def document(width: int, height: int, title: str, desc: str, parts: Iterable[str]) -> str:
    """Return a whole drawing; *desc* says the same to those who do not see it."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" aria-labelledby="t d" font-family="system-ui, sans-serif"'
        f' font-size="13">\n<title id="t">{escape(title)}</title>\n<desc id="d">{escape(desc)}</desc>\n'
        f'<style>{STYLE}</style>\n{TIP}\n<rect class="ground" width="{width}" height="{height}"/>\n'
    )
    return head + "\n".join(parts) + "\n</svg>\n"


def box(x: int, y: int, width: int, height: int) -> str:
    """Return a box with round corners."""
    return f'<rect class="box" x="{x}" y="{y}" width="{width}" height="{height}" rx="7"/>'


def words(x: int, y: int, text: str, kind: str = "ink") -> str:
    """Return one line of text that begins at a place; *kind* is ink, quiet or name."""
    return f'<text class="{kind}" x="{x}" y="{y}">{escape(text)}</text>'


def arrow(path: str) -> str:
    """Return a line along *path* with a tip at its end."""
    return f'<path class="link" d="{path}"/>'
