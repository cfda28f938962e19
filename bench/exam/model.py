"""The optional arm with a model: it is given a compacted context and a question, and nothing else."""

from bench.exam.needles import Needle
from hermes_sessions.errors import SummaryFailedError
from hermes_sessions.messages import Summarize, SummaryRequest

_INSTRUCTIONS = (
    "Answer the question from the context alone, in one line that names the subject and the value to the"
    " letter. If the context does not say it, answer: unknown."
)
_ANSWER_TOKENS = 200


def answer(ask: Summarize, context: str, needle: Needle) -> str:
    """Return what a model answers to a needle's question; '' where it gave no answer.

    Args:
        ask: a client of a server, as summaries are asked for.
        context: what is left of the transcript.
    """
    prompt = f"CONTEXT:\n{context}\n\nQUESTION: {needle.question}"
    try:
        return ask(
            SummaryRequest(
                instructions=_INSTRUCTIONS,
                prompt=prompt,
                entries=(),
                facts=(),
                previous="",
                focus="",
                max_tokens=_ANSWER_TOKENS,
            )
        )
    except SummaryFailedError:
        return ""
