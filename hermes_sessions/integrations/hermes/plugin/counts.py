"""What the agent's requests cost, as the agent reads it from its engine and as providers count it.

Not here: what a compaction does, and whether one is due.
"""

from collections.abc import Mapping
from typing import Any

from hermes_sessions.integrations.hermes.plugin.settings import threshold_tokens
from hermes_sessions.integrations.hermes.plugin.usage import RequestSizes, positive


class HostCounts:
    """The counts of an engine; its public attributes are read and written by the agent.

    Args:
        share: of a model's window at which a compaction is due.
    """

    def __init__(self, share: float) -> None:
        self.context_length = 0
        self.threshold_percent = share
        self.threshold_tokens = 0
        self.model = self.provider = self.base_url = self.api_key = self.api_mode = ""
        self._forget_usage()

    def update_model(
        self,
        model: str,
        context_length: int,
        base_url: str = "",
        api_key: str = "",
        provider: str = "",
        api_mode: str = "",
        **more: Any,
    ) -> None:
        """Take another model; what was learnt of the last one's counts is forgotten."""
        self.model, self.base_url, self.api_key = model, base_url, api_key
        self.provider, self.api_mode = provider, api_mode
        self.context_length = positive(context_length)
        self.threshold_tokens = threshold_tokens(self.context_length, self.threshold_percent)
        self.last_prompt_tokens = self.last_real_prompt_tokens = 0
        self.awaiting_real_usage_after_compression = False
        self._sizes.forget()

    def update_from_response(self, usage: Mapping[str, Any] | None = None, **more: Any) -> None:
        """Take the provider's count of a request."""
        counted: Mapping[str, Any] = usage if isinstance(usage, Mapping) else {}
        self.last_prompt_tokens = positive(counted.get("prompt_tokens"))
        self.last_completion_tokens = positive(counted.get("completion_tokens"))
        total = positive(counted.get("total_tokens"))
        self.last_total_tokens = total or self.last_prompt_tokens + self.last_completion_tokens
        if self.last_prompt_tokens:
            self.last_real_prompt_tokens = self.last_prompt_tokens
            self._sizes.count(self.last_prompt_tokens)
        self.awaiting_real_usage_after_compression = False

    def should_defer_preflight_to_real_usage(self, rough_tokens: int, **more: Any) -> bool:
        """Return whether a guess of the host says less than the provider's last counts."""
        guessed = positive(rough_tokens)
        self._sizes.guess(guessed)
        if guessed < self.threshold_tokens:
            return False
        if self.awaiting_real_usage_after_compression:
            return True
        fitted = 0 < self.last_real_prompt_tokens < self.threshold_tokens
        return fitted and self._sizes.corrected(guessed) < self.threshold_tokens

    def get_status(self) -> dict[str, Any]:
        """Return what the agent shows of its context."""
        prompt = max(0, self.last_prompt_tokens)
        share = min(100.0, prompt / self.context_length * 100) if self.context_length else 0
        return {
            "last_prompt_tokens": prompt,
            "threshold_tokens": self.threshold_tokens,
            "context_length": self.context_length,
            "usage_percent": share,
            "compression_count": self.compression_count,
        }

    def _forget_usage(self) -> None:
        self.last_prompt_tokens = self.last_completion_tokens = self.last_total_tokens = 0
        self.last_real_prompt_tokens = self.last_compression_rough_tokens = 0
        self.compression_count = 0
        self.awaiting_real_usage_after_compression = False
        self._sizes = RequestSizes()
