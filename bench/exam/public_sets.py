"""Public sets, from the copy of whoever runs the exam: none is shipped."""

import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hermes_sessions import Store

AT: Final = 5
_COMMON: Final = re.compile(
    r"(?:an?|and|are|at|be|can|could|did|do|does|for|from|had|has|have|how|i|in|is|it|me|my|of|on|or|that|the"
    r"|this|to|was|we|were|what|when|where|which|who|why|will|with|would|you|your)"
)


@dataclass(frozen=True, slots=True)
class SearchQuestion:
    """A question over many sessions.

    Attributes:
        key: its id in the set.
        kind: what it tests.
        text: the question.
        sessions: (id, messages) of the history, oldest first.
        answers: ids of the sessions that hold the answer.
    """

    key: str
    kind: str
    text: str
    sessions: Sequence[tuple[str, Sequence[Mapping[str, Any]]]]
    answers: frozenset[str]


def longmemeval(path: Path) -> Iterator[SearchQuestion]:
    """Yield the questions of a file of LongMemEval (`longmemeval_s.json`) that have an answer.

    Raises:
        ValueError: the file is no such list; the text says which question is not.
    """
    try:
        listed = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: not JSON: {error}") from error
    if not isinstance(listed, list):
        raise ValueError(f"{path}: not a list of questions")
    for number, one in enumerate(listed):
        try:
            sessions = tuple(zip(one["haystack_session_ids"], one["haystack_sessions"], strict=True))
            found = SearchQuestion(
                str(one["question_id"]), str(one["question_type"]), str(one["question"]),
                sessions, frozenset(one["answer_session_ids"]),
            )  # fmt: skip
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path}: question {number} is not of LongMemEval's form: {error!r}") from error
        if not found.key.endswith("_abs"):
            yield found


def found_among_first(question: SearchQuestion) -> bool:
    """Return whether a search for the question's words finds the answer's session among the first five."""
    with tempfile.TemporaryDirectory() as folder, Store.open(f"{folder}/history.db") as store:
        names: dict[str, str] = {}
        for name, messages in question.sessions:
            session = store.create_session()
            names[session] = name
            kept = [
                {"role": one["role"], "content": one["content"]} for one in messages if one.get("content")
            ]
            store.append_many(session, kept)
        hits = store.search(_any_word(question.text), limit=AT * 4, order="relevance")["hits"]
        seen = dict.fromkeys(names.get(str(hit["session"]), "") for hit in hits)
    return bool(question.answers & set(list(seen)[:AT]))


def _any_word(question: str) -> str:
    words = dict.fromkeys(re.findall(r"\w+", question.lower()))
    return " OR ".join(word for word in words if not _COMMON.fullmatch(word))
