"""Which sentences only ask: questions, and what is to be done now; which ask for later. Pure."""

from functools import lru_cache
from typing import Final

from hermes_sessions.compaction.economy.wording.announced import without_announcement
from hermes_sessions.compaction.economy.wording.binding_words import may_bind
from hermes_sessions.facts.wording.request_shapes import IMPERATIVE, POLITE
from hermes_sessions.late_patterns import late_pattern

QUESTION_MARKS: Final = "?？؟"
_LATER: Final = late_pattern(
    r"(?i)\b(?:remind (?:me|us)|(?:don['’]t|do not) (?:let (?:me|us) )?forget|remember to|make a note to"
    r"|erinner\w* (?:mich|uns)|(?:vergiss|vergesst) nicht|merk dir|denk(?:t)? (?:bitte )?dran"
    r"|rappelle[sz]?[- ](?:moi|nous)|n['’]oublie[sz]? pas|pense[sz]? à"
    r"|recu[ée]rda(?:me|nos)|no (?:te )?olvides|acu[ée]rdate|lembra-me|lembre-me|não (?:te )?esque\w+"
    r"|ricorda(?:mi|ci)|non dimenticare)\b"
    r"|提醒我|别忘|不要忘|記得|记得|忘れずに|思い出させ|잊지 마|напомни|не забудь"
)


def asks(text: str) -> bool:
    """Return whether a sentence only asks: a question, or something to do now."""
    text = without_announcement(text)
    if text.rstrip()[-1:] in QUESTION_MARKS or POLITE.match(text):
        return True
    return IMPERATIVE.match(text) is not None and not may_bind(text)


@lru_cache(maxsize=16_384)
def is_for_later(text: str) -> bool:
    """Return whether somebody asks to be reminded: that the work went on does not say it was done."""
    return _LATER.search(text) is not None
