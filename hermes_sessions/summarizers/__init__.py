"""Summarisers: callables from a `SummaryRequest` to text. One file each.

`OpenAICompatible` needs the extra `model` (httpx) and is the only network client of the
package; it is imported from its module, so that nobody else pays for it.
"""

from hermes_sessions.summarizers.extractive import ExtractiveSummarizer

__all__ = ["ExtractiveSummarizer"]
