"""Words for how a compaction came about, for documents and pages alike."""

from hermes_sessions.messages import CompactionMethod, Realisation

_REALISATIONS: dict[str, str] = {
    Realisation.IN_PLACE: "in place",
    Realisation.ROTATION: "into a new session",
    Realisation.NATIVE: "by the agent itself",
}
_METHODS: dict[str, str] = {
    CompactionMethod.EXTRACTIVE: "extracted without a model",
    CompactionMethod.FALLBACK: "summary written by rules, no model answered",
    CompactionMethod.MARKER: "only a note that messages were removed",
    CompactionMethod.NONE: "no summary stored",
    CompactionMethod.PRUNE: "results of tools cleared, nothing summarised",
}
_LEFT_OUT = ("message", "left out without a summary")
_SPANS: dict[str, tuple[str, str]] = {
    CompactionMethod.PRUNE: ("result", "cleared"),
    CompactionMethod.MARKER: _LEFT_OUT,
    CompactionMethod.NONE: _LEFT_OUT,
}
"""What a span consists of, and what became of it, where it was not summarised."""


def realisation_words(realisation: str) -> str:
    """Return where the summary went: "into a new session"."""
    return _REALISATIONS.get(realisation, realisation)


def span_words(messages: int, method: str, shown: str = "") -> str:
    """Return what became of the span: "12 messages summarised", "9 messages left out without a summary".

    Args:
        shown: the number as it is to be written; "" writes it as it is.
    """
    if not messages and method == CompactionMethod.PRUNE:
        return "results that are not stored cleared"
    what, done = _SPANS.get(method, ("message", "summarised"))
    return f"{shown or messages} {what}{'' if messages == 1 else 's'} {done}"


def compaction_noun(method: str) -> str:
    """Return what a compaction of that method is called: "Prune", "Compaction"."""
    return "Prune" if method == CompactionMethod.PRUNE else "Compaction"


def compaction_name(method: str, number: int, total: int | None = None) -> str:
    """Return what a reader calls it: "Compaction 3", "Prune 2 of 6".

    Args:
        total: how many its conversation has of its kind; None leaves it out.
    """
    name = f"{compaction_noun(method)} {number}"
    return name if total is None else f"{name} of {max(total, number)}"


def method_words(method: str) -> str | None:
    """Return where the summary came from; None for the usual case, a model, and where it is not known."""
    return _METHODS.get(method)
