"""What the wording of a handoff tells about its making, and its sections."""

from collections.abc import Mapping
from dataclasses import dataclass

from hermes_sessions.handoff.grammars.own import (
    CLOSING_WORDS,
    END_MARK,
    LEGACY,
    PRIOR_MARK,
    first_prefix,
    known_prefix,
    skip_prefixes,
    skip_unseen,
    strip_ends,
)
from hermes_sessions.late_patterns import late_pattern

_MARKERS = (
    late_pattern(r"Summary generation was unavailable\. (\d+) conversation turns were removed"),
    late_pattern(r"Summary generation was unavailable\. (\d+) message\(s\) were removed"),
    late_pattern(
        r"Previous conversation turns have been compressed(?: to save space)?\. The assistant performed"
    ),
)
_FALLBACKS = (
    "This fallback was generated locally without an LLM summary call.",
    "so this is a best-effort deterministic fallback for",
    "Recovered from a deterministic fallback because the LLM context summarizer was unavailable.",
    "Written without a model:",
)


@dataclass(frozen=True, slots=True)
class Section:
    """One `## ` section of a handoff; the part before the first heading has title ''."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class HandoffFacts:
    """What the wording of a handoff tells.

    Attributes:
        era: prefix that wrote it: P1..P10, legacy, own, or unknown.
        eras: the same for each prefix found one behind the other, the outermost first.
        marker: the body only says that turns were removed.
        fallback: the body was made by rules because no model answered.
        removed: how many messages a marker says it removed.
        nested: prefixes found one behind the other (1 is normal).
        has_end: an end marker follows the body.
        sections: the body by heading, for display.
    """

    era: str
    eras: tuple[str, ...]
    marker: bool
    fallback: bool
    removed: int | None
    nested: int
    has_end: bool
    sections: tuple[Section, ...]


def handoff_facts(raw: str) -> HandoffFacts:
    """Return what the wording of the handoff part *raw* tells about its making.

    Args:
        raw: the `raw` of a handoff part, as text.
    """
    start = first_prefix(raw)
    body_start, prefixes = skip_prefixes(raw, start, len(raw))
    body = raw[body_start:]
    marker = next((found for pattern in _MARKERS if (found := pattern.match(body.lstrip()))), None)
    return HandoffFacts(
        era=_era(raw, start),
        eras=tuple(_era(raw, at) for at in prefixes),
        marker=marker is not None,
        fallback=marker is None and any(sign in body for sign in _FALLBACKS),
        removed=int(marker.group(1)) if marker is not None and marker.groups() else None,
        nested=len(prefixes),
        has_end=END_MARK.search(raw, body_start) is not None,
        sections=handoff_sections(strip_ends(body)),
    )


def eras_from(text: str, start: int) -> Mapping[int, str]:
    """Return the era of each prefix from *start* on, one behind the other, by its place."""
    return {at: _era(text, at) for at in skip_prefixes(text, start, len(text))[1]}


def is_corroborated(text: str) -> bool:
    """Return whether more than a bracket says that *text*, which begins like a handoff, is one.

    A prefix that some release wrote, an end marker, a prior message put ahead, the words
    that close a prefix, a known body or a heading: people who quote the bracket, to ask
    what it is, write none of them.
    """
    facts = handoff_facts(text)
    if facts.era != "unknown" or facts.has_end or facts.marker or facts.fallback or facts.nested > 1:
        return True
    start = skip_unseen(text, 0)
    if PRIOR_MARK.match(text, start) or CLOSING_WORDS.match(text, start):
        return True
    return any(section.title for section in facts.sections)


def handoff_sections(body: str) -> tuple[Section, ...]:
    """Return the body of a handoff cut at its `## ` headings, code fences left whole."""
    sections: list[Section] = []
    lines: list[str] = []
    title = ""
    fenced = False
    for line in body.splitlines():
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        if line.startswith("## ") and not fenced:
            sections.append(Section(title, "\n".join(lines).strip()))
            title, lines = line[3:].strip(), []
        else:
            lines.append(line)
    sections.append(Section(title, "\n".join(lines).strip()))
    return tuple(section for section in sections if section.title or section.text)


def _era(text: str, start: int) -> str:
    if known := known_prefix(text, start):
        return known[0]
    return "legacy" if text.startswith(LEGACY, start) else "unknown"
