"""What the user set for the engine in the agent's configuration, and the policy that follows. Pure.

Read are `plugins.entries.hermes-sessions.settings` and, where that says nothing of it,
the agent's own `compression.threshold`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from hermes_sessions.compaction import CompactionPolicy
from hermes_sessions.errors import PolicyError

DEFAULT_THRESHOLD: Final = 0.5
LEAST_THRESHOLD_TOKENS: Final = 64_000
"""The agent's own engine does not compact below this either, unless the window is hardly larger."""
_SMALL_WINDOW_SHARE: Final = 0.85
_MOST_OVERHEAD_SHARE: Final = 0.4
_POLICY: Final = (
    "tail_tokens",
    "soft_ceiling",
    "min_tail_messages",
    "handoff_tokens",
    "summary_tokens",
    "request_tokens",
    "user_words_chars",
    "facts_chars",
    "verbatim_tail_chars",
    "min_saving",
    "abort_on_summary_failure",
)
"""Fields of `CompactionPolicy` that may be set; the others follow from the model and the host."""
_OWN: Final = ("threshold", "summarizer", "summary_seconds", "journal", "tools")


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSettings:
    """How the engine is to work.

    Attributes:
        threshold: share of the window at which a compaction is due.
        summarizer: `model` asks the agent's auxiliary model, `rule` asks none.
        summary_seconds: how long to wait for a summary; None: as long as the agent waits.
        journal: whether compactions are written to the journal.
        tools: whether the recall tools are offered.
        policy: fields of `CompactionPolicy`.
        problems: what was set and cannot be used, a line each.
    """

    threshold: float = DEFAULT_THRESHOLD
    summarizer: str = "model"
    summary_seconds: float | None = None
    journal: bool = True
    tools: bool = True
    policy: Mapping[str, Any] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    @classmethod
    def from_config(cls, config: Mapping[str, Any], name: str) -> "EngineSettings":
        """Read the settings of the plugin *name*; what cannot be used is left out and named."""
        given = _mapping(config, "plugins", "entries", name, "settings")
        problems = [f"{key}: is not a setting" for key in given if key not in (*_POLICY, *_OWN)]
        values: dict[str, Any] = {}
        theirs = _mapping(config, "compression").get("threshold")
        wanted = given.get("threshold", theirs)
        if _is_share(wanted):
            values["threshold"] = float(wanted)
        elif "threshold" in given:
            problems.append("threshold: must be above 0 and below 1")
        if given.get("summarizer", "model") in ("model", "rule"):
            values["summarizer"] = given.get("summarizer", "model")
        else:
            problems.append("summarizer: must be model or rule")
        seconds: Any = given.get("summary_seconds")
        if _is_number(seconds) and seconds > 0:
            values["summary_seconds"] = float(seconds)
        elif seconds is not None:
            problems.append("summary_seconds: must be above 0")
        for key in ("journal", "tools"):
            if isinstance(given.get(key, True), bool):
                values[key] = given.get(key, True)
            else:
                problems.append(f"{key}: must be true or false")
        policy, refused = _usable({key: given[key] for key in _POLICY if key in given})
        return cls(**values, policy=policy, problems=(*problems, *refused))


def threshold_tokens(window: int, share: float) -> int:
    """Return at how many tokens of a request a compaction is due, as the agent's own engine decides it.

    Source: `_compute_threshold_tokens` of Hermes 0.19, without the room for the answer.
    """
    wanted = max(int(window * share), LEAST_THRESHOLD_TOKENS)
    return wanted if wanted < window else max(1, int(window * _SMALL_WINDOW_SHARE))


def policy_for(settings: EngineSettings, *, window: int, threshold: int, overhead: int) -> CompactionPolicy:
    """Return the policy for a model, without the user's fields where they do not fit its window.

    Args:
        settings: what the user set.
        window: tokens that the model takes.
        threshold: tokens at which a compaction is due; the host may have lowered it.
        overhead: what the host sends beside the messages.
    """
    window = max(1, window)
    fixed: dict[str, Any] = {
        "threshold": min(1.0, max(1, threshold) / window),
        "overhead_tokens": max(0, min(overhead, int(window * _MOST_OVERHEAD_SHARE))),
        # The host tells a request from a handoff by its first words.
        "merge": False,
    }
    try:
        return CompactionPolicy(window, **fixed, **settings.policy)
    except PolicyError:
        return CompactionPolicy(window, **fixed)


def _usable(given: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    kept: dict[str, Any] = {}
    refused = []
    for key, value in given.items():
        try:
            CompactionPolicy(1_000_000, **{key: value})
        except PolicyError as error:
            refused.append(str(error).removeprefix("compaction policy: "))
        else:
            kept[key] = value
    return kept, refused


def _mapping(config: Mapping[str, Any], *path: str) -> Mapping[str, Any]:
    found: Any = config
    for key in path:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _is_share(value: Any) -> bool:
    return _is_number(value) and 0 < value < 1


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
