"""What an agent writes beside its summaries: rows that nobody said, and what pruning leaves. Pure."""

from dataclasses import dataclass

from hermes_sessions.handoff.grammars.own import LEFT_OUT, OWN_NOTE


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """Texts by which rows of an agent are known; our engine's own are always among them.

    Attributes:
        inserted: how rows begin that are put beside a handoff.
        answers: an inserted row answers the handoff at once, before what is kept word for word.
        pruned: what is in a text that pruning left.
        removed: what is left, alone, of a row that is pruned whole.
        flattened: a line that stands for something that is not text.
        keeps_tail: the newest messages go on word for word beside the summary.
        unstored: what the agent sends with a summary that its files do not have, in words.
    """

    inserted: tuple[str, ...] = ()
    answers: bool = False
    pruned: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    flattened: tuple[str, ...] = ()
    keeps_tail: bool = True
    unstored: str = ""

    def is_inserted(self, text: str) -> bool:
        """Return whether *text* is something written beside a handoff, not a message."""
        return text.startswith((OWN_NOTE, *self.inserted))

    def is_pruned(self, text: str) -> bool:
        """Return whether *text* is a placeholder that pruning left behind."""
        if text in self.removed:
            return True
        if "[" not in text:
            return False
        lines = text.splitlines() if self.flattened else ()
        return (
            text == LEFT_OUT
            or any(sign in text for sign in self.pruned)
            or any(sign in lines for sign in self.flattened)
        )
