"""Denials lost and gained in other words: what was left alone reported as changed, what was done as not done."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode
from hermes_sessions.audit.checking.sentences import Phrase, Spoken
from hermes_sessions.audit.words.telling import telling_words
from hermes_sessions.audit.words.wording import DONE, FORBIDS, MODAL, NOT_YET, RESTRICTS
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.facts.slots import is_lifted, tells_of_lifting
from hermes_sessions.facts.values import Fact
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_CHANGED = late_pattern(
    r"\b(?:changed|modified|altered|touched|edited|geändert|verändert|angefasst|angerührt|modifié\w*|changé\w*|touché\w*|modificad\w+|cambiad\w+|tocad\w+|(?:se )?(?:tocaron|tocó|cambiaron|cambió|modificaron|modificó)|alterad\w+|mexid\w+|modificat\w+|toccat\w+|cambiat\w+|измен[её]н\w*|изменил\w*|затронут\w*|трогал\w*|менял\w*)\b|已?(?:修改|更改|改动|变更)了?|変更(?:した|しました|済み)|変えました|변경(?:했|됐|되었|함)",
    re.I,
)
_LEFT_ALONE = late_pattern(
    r"\b(?:unchanged|untouched|left alone|as (?:it is|they are|before)|unverändert|unberührt|wie (?:sie sind|es ist)|inchangé\w*|intact\w*|sin cambios|inalterad\w+|intocad\w+|invariat\w+|immutat\w+|без изменений|прежн\w+|не (?:измен\w+|трога\w+|меня\w+|трону\w+))\b"
    r"|\b(?:not|n['’]t|never|no|nicht|keine?n?|niemals|ne|pas|não|non|не)\b[^.;!?\n]{0,30}\b(?:chang\w*|modif\w*|alter\w*|touch\w*|edit\w*|geändert|ändern|verändern|angefasst|anfassen|anrühren|toques?|toc\w+|cambi\w+|mex[ae]\w*|mexi\w*|touche\w*)\b|(?:不要|没有?|未|别|不)(?:修改|更改|改动|变更|改|动)|変更(?:して(?:い(?:ない|ません)|おりません)|しないで|せず|なし)|변경하지",
    re.I,
)
_COMMA = late_pattern(r"[,;，；、]\s?")
_SMALL: Final = frozenset(
    ["also", "auch", "aussi", "también", "também", "anche", "ebenfalls", "today", "both", "heute"]
)
_GENERAL: Final = frozenset(["config", "settin", "einst", "option", "value", "werte", "files", "datei"])
_NOT_DONE = late_pattern(
    r"\b(?:not|n['’]t|never|nicht|noch nicht|pas|no|não|non|не)\b(?: (?:yet|been|be|ha[ns]?|sido|été|foi|è|stat[oaie]|ancora|encore|todavía|ainda|was|were|noch))*\s(\w{4,})",
    re.I,
)
_ENOUGH: Final = 0.66


def changed_after_all(phrases: Sequence[Phrase], spoken: Sequence[Spoken]) -> Iterator[Deviation]:
    """Yield what the handoff reports as changed and everybody says was to be, or was, left alone."""
    for phrase in phrases:
        if phrase.mode is not Mode.STATED or _is_denied(phrase):
            continue
        for clause in _COMMA.split(phrase.text):
            is_report = _CHANGED.search(clause) and not (_LEFT_ALONE.search(clause) or MODAL.search(clause))
            if not is_report:
                continue
            if said := _left_alone(clause, spoken):
                yield _turned(phrase, said, "negation")
                break


def _left_alone(clause: str, spoken: Sequence[Spoken]) -> Spoken | None:
    """Return who says that what *clause* is about was left alone, where nobody says that it was changed."""
    deed = telling_words(" ".join(match.group() for match in _CHANGED.finditer(clause)))
    things = telling_words(clause) - deed - _SMALL - _GENERAL
    for said in spoken:
        shared = things & said.words
        if shared and len(shared) >= len(things) * 0.5 and _LEFT_ALONE.search(said.text):
            changed = (
                one for one in spoken if _CHANGED.search(one.text) and not _LEFT_ALONE.search(one.text)
            )
            return None if any(shared & one.words for one in changed) else said
    return None


def undone_after_all(phrases: Sequence[Phrase], spoken: Sequence[Spoken]) -> Iterator[Deviation]:
    """Yield what the handoff says was not done, where the agent said that it was, and nobody denied it."""
    for phrase in phrases:
        match = _NOT_DONE.search(phrase.text)
        if match is None or phrase.mode is not Mode.STATED or phrase.text.endswith("?"):
            continue
        deed = telling_words(match[1])
        things = phrase.words - deed
        if not deed or len(things) < 1:
            continue
        if any(_is_about(one, deed, things) and _is_undone(one) for one in spoken):
            continue
        for said in reversed(spoken):
            if said.speaker != Role.ASSISTANT or not deed <= said.words or not _names(things, said):
                continue
            if not _is_undone(said) and _reports(said, deed):
                yield _turned(phrase, said, "done")
                break


def _is_about(said: Spoken, deed: frozenset[str], things: frozenset[str]) -> bool:
    shared = things & said.words
    return len(shared) > 1 or (bool(shared) and not deed.isdisjoint(said.words))


def _is_undone(said: Spoken) -> bool:
    return is_negated(said.text) or NOT_YET.search(said.text) is not None


def _names(things: frozenset[str], said: Spoken) -> bool:
    shared = things & said.words
    return len(shared) >= max(1, len(things) * _ENOUGH) and any(len(word) > 3 for word in shared)


def _reports(said: Spoken, deed: frozenset[str]) -> bool:
    """Whether *said* begins with the deed as done, or says `was removed`."""
    first = telling_words(" ".join(said.text.split()[:1]))
    return bool(first & deed and re.match(r"\w+(?:ed|t)\b", said.text)) or (
        DONE.search(said.text) is not None
        and not re.search(r"\b(?:will|would|can|could|if|wird|werde|si|если)\b", said.text)
    )


def lifted_rules(phrases: Sequence[Phrase], spoken: Sequence[Spoken], body: str) -> Iterator[Deviation]:
    """Yield rules that the handoff gives as in force and that the user took back."""
    lifting = [
        (at, one) for at, one in enumerate(spoken) if one.speaker == Role.USER and tells_of_lifting(one.text)
    ]
    for at, rule in enumerate(spoken[: lifting[-1][0]] if lifting else ()):
        if rule.speaker != Role.USER or not (is_negated(rule.text) or FORBIDS.search(rule.text)):
            continue
        fact = Fact("constraint", "", rule.text, rule.text, rule.speaker, 0.0, (0, 0))
        freed = next(
            (one for place, one in lifting if place > at and is_lifted(fact, one.text, one.speaker)), None
        )
        if freed is None or any(
            is_negated(one.text) and len(one.words & rule.words) >= len(rule.words) * _ENOUGH
            for one in spoken[spoken.index(freed) + 1 :]
        ):
            continue
        anchors = {word for word in rule.words & freed.words}
        for phrase in phrases:
            forbids = is_negated(phrase.text) or FORBIDS.search(phrase.text)
            shared = len(phrase.words & rule.words)
            about = anchors & phrase.words and (shared >= min(2, len(rule.words)) or len(phrase.words) <= 3)
            if forbids and about and not _LIFTED.search(body) and not RESTRICTS.search(phrase.text):
                yield _turned(phrase, freed, "lifted")


_LIFTED = late_pattern(
    r"\b(?:lift\w*|again|no longer|any ?more|was|were|until|had|revoked|allowed|may|free|over|aufgehoben|nicht mehr|wieder|bis|darf|durfte|war|levé\w*|n['’]est plus|de nouveau|levantad\w+|ya no|de nuevo|снят\w*|больше не|снова|можно)\b|不再|解除|取消|可以|もう|해제|다시|رفع",
    re.I,
)


def _is_denied(phrase: Phrase) -> bool:
    return is_negated(phrase.text) or bool(
        NOT_YET.search(phrase.text) or FORBIDS.search(phrase.text) or RESTRICTS.search(phrase.text)
    )


def _turned(phrase: Phrase, said: Spoken, rule: str) -> Deviation:
    grave = rule == "negation" and said.speaker in (Role.USER, Role.SYSTEM)
    return Deviation(
        Grade.CONTRADICTS, rule, phrase.text[:400], phrase.text[:400], rule, said.text[:400], said.text[:400],
        said.message or None, grave,
    )  # fmt: skip
