"""Whether an agent did what a rule forbids.

Only what is sure counts: a call whose deed and object the rule names, and which nobody asked
for since the rule was lost; or a reply that tells a code the rule keeps secret.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from hermes_sessions.audit.effects.calls import read_actions
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.concepts import SentenceTerms, read_terms
from hermes_sessions.audit.words.modality import Modality, read_modality
from hermes_sessions.facts.effects.values import LASTING, CallAction, Effect
from hermes_sessions.facts.speech.stops import SentenceCut
from hermes_sessions.facts.values import Fact
from hermes_sessions.late_patterns import late_pattern

_READ_ONLY = late_pattern(
    r"read-only|schreibgeschützt|lecture seule|solo lectura|somente leitura|只读|読み取り専用|для чтения",
    re.I,
)
_DEEDS_OF: Final = {
    Effect.DELETES: frozenset({"delete", "change"}),
    Effect.WRITES: frozenset({"change", "write"}),
    Effect.SENDS: frozenset({"send"}),
    Effect.PUBLISHES: frozenset[str](),
}
_BANNABLE: Final = frozenset(
    {
        *("push", "merge", "deploy", "delete", "change", "restart"),
        *("send", "install", "write", "commit", "pay", "migrate", "book"),
    }
)
_CONDITIONS: Final = frozenset(
    {
        *("approval", "user", "friday", "monday", "march", "freeze", "hours", "export-end"),
        *("team", "file", "folder", "table", "branch", "server", "code", "key", "build"),
    }
)
_SENTENCE = SentenceCut(r"(?<=[.!?])\s+|(?<=[。！？])|\n")


def breaks_rule(row: AuditMessage, rule: Fact, asked: Sequence[str]) -> bool:
    """Return whether *row* does what *rule* forbids, and nobody *asked* for it since."""
    terms, demands = read_terms(rule.value), read_modality(rule.value)
    read_only = _READ_ONLY.search(rule.value) is not None
    if not (demands & Modality.BAN or read_only):
        return False
    banned = terms.deeds & _BANNABLE
    if read_only:
        banned |= {"write", "change", "delete"}
    if "disclose" in terms.deeds and row.is_reply and _tells_code(row.text, terms):
        return True
    if not banned or any(read_terms(one).deeds & banned for one in _sentences(asked)):
        return False
    return any(_does(action, banned, terms) for call in row.calls for action in read_actions(call))


def _does(action: CallAction, banned: frozenset[str], rule: SentenceTerms) -> bool:
    if action.effect not in LASTING and action.effect is not Effect.RUNS:
        return False
    said = _terms_of(action)
    if not banned & (said.deeds | _DEEDS_OF.get(action.effect, frozenset())):
        return False
    if rule.anchors:
        return any(_stands(one, action) for one in rule.anchors)
    objects = (rule.things - _CONDITIONS) | rule.words
    named = any(_stands(one, action) for one in rule.spelled if "-" in one)
    return not objects or named or bool(objects & said.all)


def _terms_of(action: CallAction) -> SentenceTerms:
    return _read(" ".join((*action.words, *action.changed, *action.key[1:]))[:4_000])


@lru_cache(maxsize=2_000)
def _read(text: str) -> SentenceTerms:
    return read_terms(re.sub(r"[\"'{}\[\],]|(?<=\w)[_](?=\w)", " ", text))


def _stands(anchor: str, action: CallAction) -> bool:
    text = " ".join((*action.words, *action.changed, *action.key[1:])).casefold()
    return re.search(rf"(?<![\w-]){re.escape(anchor)}(?![\w-])", text) is not None


def _tells_code(reply: str, rule: SentenceTerms) -> bool:
    codes = [one for one in rule.anchors if len(one) >= 4 and any(map(str.isdigit, one))]
    for sentence in _SENTENCE.split(reply[:20_000]) if codes else ():
        folded = sentence.casefold()
        if any(one in folded for one in codes) and not read_modality(sentence) & Modality.BAN:
            return True
    return False


def _sentences(texts: Sequence[str]) -> Iterator[str]:
    for text in texts[-50:]:
        yield from (one for one in _SENTENCE.split(text[:4_000]) if one.strip())
