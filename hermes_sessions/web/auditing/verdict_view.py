"""A verdict on a compaction to what its page shows first. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from hermes_sessions.audit.checking.deviation import SECRET
from hermes_sessions.audit.verdict.nouns import noun
from hermes_sessions.audit.verdict.values import CompactionVerdict, VerdictLine
from hermes_sessions.web.text.filters import gist

WORST: Final = 3
"""So many losses are shown at once, the others on demand."""

_STANDING: Final = {"request": "Your last request", "answer": "The last answer"}

_GONE: Final = {
    "gone": "out of sight",
    "perhaps gone": "perhaps out of sight: what the agent kept is not stored",
    "perhaps answered": "perhaps still open",
}
"""States that are no good news, as the page names them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictEntry:
    """One thing that is gone, wrong or safe.

    Attributes:
        label: what it is, in words: "The last answer", "Decision".
        state: what became of it: "out of sight", "perhaps out of sight", "wrong in the summary".
        tone: class of its mark: `gone`, `wrong`, `safe`.
        quote: its words.
        instead: what the handoff says instead, '' where it says nothing.
        message: where the original is, None where that is unknown.
    """

    label: str
    state: str
    tone: str
    quote: str
    instead: str = ""
    message: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictView:
    """The first part of `audit/compaction.html`.

    Attributes:
        worst: the losses that matter most; `more` are the others, `left_out` says how many are not listed.
        followed: what the agent did because of it.
        doubtful: what the summary may say in other words.
        safe: request and answer where they are still there; `ignore`: what need not be looked at.
        tell: a block to copy for the agent, '' where there is nothing to say.
        compared: whether there was anything to judge by.
    """

    sentence: str
    worst: tuple[VerdictEntry, ...]
    more: tuple[VerdictEntry, ...]
    left_out: int
    doubtful: tuple[VerdictEntry, ...]
    followed: tuple[VerdictLine, ...]
    safe: tuple[VerdictEntry, ...]
    ignore: tuple[str, ...]
    tell: str
    compared: bool


def verdict_view(verdict: CompactionVerdict, *, compared: bool) -> VerdictView:
    """Return a verdict as its page shows it: what is out of sight, altered, lost, made up.

    Args:
        compared: whether there was anything to judge by; without, no loss is no good news.
    """
    standing = [line for line in verdict.standing if line.kind in _STANDING]
    losses = tuple(_losses(verdict, standing))
    return VerdictView(
        sentence=verdict.sentence,
        worst=losses[:WORST],
        more=losses[WORST:],
        left_out=verdict.left_out,
        doubtful=tuple(map(_doubtful, verdict.maybe_lost)),
        followed=verdict.consequences,
        safe=tuple(_standing(standing, gone=False)),
        ignore=tuple(line.text for line in verdict.standing if line.kind not in _STANDING),
        tell=verdict.tell,
        compared=compared,
    )


# -- inside ----------------------------------------------------------------------------------------


def _losses(verdict: CompactionVerdict, standing: Iterable[VerdictLine]) -> Iterator[VerdictEntry]:
    gone = list(_standing(standing, gone=True))
    told = {entry.message for entry in gone}
    yield from gone
    yield from (_contradicted(line) for line in verdict.contradicted if line.source)
    for line in verdict.lost:
        if not (line.kind == "request" and line.message in told):
            yield VerdictEntry(
                label=_capital(noun(line.kind)),
                state="out of sight",
                tone="gone",
                quote=line.text,
                message=line.message,
            )
    yield from (_contradicted(line) for line in verdict.contradicted if not line.source)


def _doubtful(line: VerdictLine) -> VerdictEntry:
    return VerdictEntry(
        label=_capital(noun(line.kind)),
        state="perhaps in other words",
        tone="safe",
        quote=line.text,
        message=line.message,
    )


def _standing(lines: Iterable[VerdictLine], *, gone: bool) -> Iterator[VerdictEntry]:
    """Yield the last request and answer: those that are gone, or may be, or those that are safe."""
    for line in lines:
        if (line.state in _GONE) == gone:
            yield VerdictEntry(
                label=_STANDING[line.kind],
                state=_GONE.get(line.state, line.state),
                tone="gone" if line.state == "gone" else "safe",
                quote=gist(line.text, len(line.text)),
                message=line.message,
            )


def _contradicted(line: VerdictLine) -> VerdictEntry:
    if line.kind == SECRET and line.message is not None:
        return VerdictEntry(
            label=_capital(noun(line.kind)),
            state="not the one that was given",
            tone="wrong",
            quote="",
            instead=line.subject.strip("“”"),
            message=line.message,
        )
    if not line.source:
        state = "nobody said or did this"
        return VerdictEntry(
            label=_capital(noun(line.kind)), state=state, tone="wrong", quote="", instead=line.handoff
        )
    return VerdictEntry(
        label=_capital(noun(line.kind)),
        state="wrong in the summary",
        tone="wrong",
        quote=line.source,
        instead=line.handoff,
        message=line.message,
    )


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
