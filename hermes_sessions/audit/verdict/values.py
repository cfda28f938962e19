"""The verdict on a compaction as values: plain text, secrets masked."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictLine:
    """One line of a verdict.

    Attributes:
        kind: of the fact, or `request` and `answer` in what is in sight; of the rule in a consequence.
        text: the words of it, quoted from the source where it has any.
        message: where the original is, None where that is unknown.
        state: of a request or an answer: `in sight`, `in the summary`, `perhaps in the summary`, `answered`,
            `perhaps answered`, `gone`, `perhaps gone` where what the agent kept is not stored. Of a lost
            value: `ruled out` where it was only forbidden or denied, `asked` where somebody only asked about
            it. Else ''.
        handoff: what the handoff says, where it says otherwise.
        source: what the source says, where the handoff says otherwise.
        advice: what to do.
        subject: what a value is the value of, where the handoff says another.
    """

    kind: str
    text: str
    message: int | None = None
    state: str = ""
    handoff: str = ""
    source: str = ""
    advice: str = ""
    subject: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionVerdict:
    """What a compaction did.

    Attributes:
        sentence: never empty.
        standing: the last request and the last answer, and what is safe to ignore.
        lost: facts that matter and are surely out of sight, the worst first.
        maybe_lost: those that the handoff may say in words that cannot be compared.
        contradicted: what the handoff says otherwise, or made up.
        consequences: what the agent did since because of it.
        tell: a block to copy for the agent; '' where there is nothing to say.
        left_out: how many lost facts are not listed.
    """

    sentence: str
    standing: tuple[VerdictLine, ...] = ()
    lost: tuple[VerdictLine, ...] = ()
    maybe_lost: tuple[VerdictLine, ...] = ()
    contradicted: tuple[VerdictLine, ...] = ()
    consequences: tuple[VerdictLine, ...] = ()
    tell: str = ""
    left_out: int = 0
