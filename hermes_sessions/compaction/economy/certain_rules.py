"""Which sentences with a rule's words surely are rules of who says them, and which are read from code.

A docstring says *must* of its arguments, a comment *never* of a value; an agent that explains code repeats
them. None of it was set for the work in hand, and none may take the place of what was.
"""

import re
from functools import lru_cache
from typing import Final

from hermes_sessions.compaction.economy.fact_lines import STATEMENT, FactLine
from hermes_sessions.compaction.economy.notices import LISTED
from hermes_sessions.compaction.economy.wording.binding_words import CHOICE, CONSENT, OWNED, sound_of
from hermes_sessions.compaction.economy.wording.joined_names import JOINED_WORD
from hermes_sessions.compaction.economy.wording.named_things import names_a_thing
from hermes_sessions.facts.clauses.taken_up import ACKNOWLEDGED
from hermes_sessions.facts.slots import tells_of_lifting
from hermes_sessions.facts.unwrap import Unwrapped
from hermes_sessions.facts.values import Fact, FactKind
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_CODE_LINES: Final = 2
"""A text with fewer lines of code is no listing of a source."""

_CODE = late_pattern(
    r"(?m)^[ \t]*(?:(?:async )?def \w+\(|class \w+.{0,80}[:{]$|(?:from [\w.]+ )?import [\w.{*\"']|return\b"
    r"|raise \w|throw |elif |else:$|try:$|except\b|(?:if|for|while|with) .{1,120}[:{]$"
    r"|(?:export|public|private|static|const|let|var|func|fn|pub|struct|impl) |#include|package \w"
    r"|\"{3}|'{3}|/\*|//|@\w+|[\w.\[\]\"']+ [-+|]?:?= \S|self\.\w|[\w.]+\(.{0,120}\)[;,]?$|[})\]]+[;,]?$)"
)
_FOUND_LINE = late_pattern(r"[^\s:]{1,200}[./][^\s:]{1,60}[:-]\d{1,7}[:-]|\W{0,3}\d{1,7}[|→]")
"""A line of a search or of a listing: its file and number come first."""

_LABEL = late_pattern(
    r"[\[(*]{0,3}[^\W\d_a-z]{4,20}(?:[ -][^\W\d_a-z]{2,20}){0,3}"
    r"(?: (?:for|to|an|für|pour|aux?|para|per)(?: [^\W\d_]{2,20}){1,3})?[\])*]{0,3} ?[:：—-]"
)
_COMMENTED = late_pattern(r"\s*(?:#|//|/\*|\*|--|;|%|<!--|\"{3}|'{3})|\s{2,}\S|.*(?:\"{3}|'{3}|\*/)\s*$")
_CODED = late_pattern(r"\w\(|\)\.|[{};=<>\\`]|\"{3}|'{3}|^(?:raise|throw|return|assert)\b")
_FROM_TO = late_pattern(r"(?<=\d )[-=]>(?= \d)")
"""Between two versions or numbers, of which the second one is new."""

_COMMENT_SIGNS: Final = "#/*;-% "
_SETTING = late_pattern(r"[\w. -]{1,60} = [^,;(\[{'\"`]{1,200}")
_CUT_OFF = late_pattern(r"[.!?。！？…)\"”»]\s*$")

_SOMEBODY = late_pattern(
    r"\b(?:i|we|you|me|us|my|our|your|user|team|ich|wir|du|sie|mir|uns|dich|mein\w*|unser\w*|dein\w*|je|tu|nous|vous|moi|mon|notre|votre|yo|nosotros|usted|nuestr\w+"
    r"|io|noi|tu|voi|nostr\w|eu|nós|você|nosso|nossa|ik|wij|we|ons|onze|jij|я|мы|ты|вы|нас|нам|мне)\b|[我们你您私僕]|나|우리|저는|당신|मैं|हम|आप|أنا|نحن|أنت",
    re.I,
)
_CONCRETE = late_pattern(r"\d|\w/\w|\w\.\w{2,5}\b|[\"“„«「`]|(?<=[^\W_] )[A-ZÀ-ÞА-Я]\w|[^\W\d_]-[^\W\d_]")
_FORMULA: Final = late_pattern(r"\w[*+]\w|\*\w+\*|\w\.\w+\(")
_CODE_NAME: Final = late_pattern(r"`[^`]{1,80}`|\b\w*[a-z][A-Z]\w*\b|\b[a-z]+(?:-[a-z]+)+\b")
_PROMISED: Final = late_pattern(
    r"(?i)\W{0,3}(?:(?:ok(?:ay)?|understood|noted|got it|will do|agreed)\b\W{1,3})?(?:i|we)\b"
)
_RULE: Final = late_pattern(
    r"(?i)\b(?:the|our|your|my|a|one) (?:\w+ ){0,2}(?:rule|policy|convention)\b(?: \S+){0,6} is\b.{3}"
    r"|\b(?:die|unsere|eine) (?:\w+ ){0,2}regel\b.{0,40}\b(?:ist|lautet)\b|\b(?:la|notre|une) (?:\w+ )?(?:règle|consigne)\b.{0,40}\best\b|\b(?:la|nuestra|una) (?:\w+ )?(?:regla|norma)\b.{0,40}\bes\b"
    r"|\bno se (?!\w+ó\b)\w{3,}n?\b.{1,80}\bsin (?:mi|su|nuestr\w|el|la|un|previ\w|permiso|autori\w+)\b"
    r"|\b(?:is|are) (?:limited|restricted|confined) to\b|\b(?:is|are|stays?|remains?) (?:frozen|locked|off[- ]limits|closed)\b.{0,30}\b(?:until|till|for)\b"
    r"|\b(?:is|are|stays?) read[- ]only for\b|\basks? that (?:nobody|no one)\b|\b(?:nobody|no one) (?:may|should|is to|touches|changes|merges|deploys|restarts|force-pushes)\b"
    r"|^\W{0,3}(?:(?:never|no) more than|at most|höchstens|nicht mehr als|niemals mehr als|pas plus de|au plus|no más de|como máximo)\b.{3,80}\b(?:at (?:any|a|one) time|at once|on|in|per|pro|auf|in|sur|dans|par|en|por|a la vez)\b|最多(?:只能|允许)|不得超过"
    r"|^(?:requests?|calls?|changes?|every \w+|all \w+|anyone|whoever)\b.{1,60}\b(?:have|has) to \w|\bbefore (?:any|every|each) \w+.{1,60}\b(?:always|first|due|mandatory)\b"
    r"|\bnur (?:lesbar|lesend)\b|\bvor jede[rms] \w+.{1,60}\b(?:immer|erst|stets|fällig|nötig|pflicht)\b|\bniemand (?:darf|fasst|ändert|startet)\b"
    r"|\bavant tou(?:t|te|tes|s) \w+.{1,60}\b(?:toujours|d['’]abord|obligatoire)\b|\ben lecture seule pour\b|\bpersonne ne (?:doit|touche|peut|modifie)\b"
    r"|\bantes de \w+.{1,60}\b(?:hay que|siempre)\b|\bde s[oó]lo lectura para\b|^nunca \w+[ae]s\b|\bnada se \w+.{1,60}\bsin (?:mi|su|nuestro|el)\b|\bnadie (?:debe|puede|toca|cambia)\b"
    r"|(?:对|給|给)我们.{0,12}只读|只读.{0,6}(?:对|给)我们|(?:每次|任何).{1,30}(?:之前|前).{0,6}(?:都要|必须|一律|总要|先)|未经.{1,12}(?:同意|批准|许可)"
)
"""Rules without a word that every rule has: what is limited, frozen or asked of all, before every change."""

_RULE_CHARS: Final = 200
_MANUAL_LOSS: Final = 4.0
_MANUAL_WORDS: Final = 2
_MANUAL: Final = late_pattern(
    r"(?i)\b(?:arguments?|parameters?|objects?|strings?|instances?|methods?|functions?|modules?|exceptions?|iterables?"
    r"|attributes?|callables?|subclass(?:es)?|docstrings?|keywords?|optional|optionally|tuples?|sequences?|integers?|headers?"
    r"|class(?:es)?|types?|raised?|raises|returns?|returned|defaults?|characters?|bytes?|encoding|mapping|decoding"
    r"|None|True|False|\w+Error|stderr|stdout|elements?|node|read|called|given|specified|implementation)\b"
)
"""What explains how code is used speaks of such, and names no thing of the work."""

_OF_A_VALUE: Final = late_pattern(
    r"(?i)(?:at least |exactly |only )?(?:one|\w+)(?: \w+){0,3} must (?:not )?be (?:present|omitted|given|specified|provided"
    r"|supplied|non-\w+|empty|positive|unique|hashable|sorted|in(?: the)? range)\W*|must be omitted\W*"
    r"|(?:append|assign|sett|delet|nest|mix|subclass|slic|index|iterat|pickl|seek|compar|resiz|rebind|overrid|concatenat)ing"
    r"(?: \w+){0,2} is not (?:allowed|permitted|supported)\W*"
)
"""A whole sentence of what a value of a function must be; it names nothing of the work."""

_COMPARED: Final = late_pattern(
    r"(?i)\b(?:only|just|nur|bloß|seule?s?|solo|sólo|solamente|soltanto|só|apenas|alleen) "
    r"(?!(?:when|if|once|after|until|wenn|falls|sobald|nach|si|quand|après|cuando|tras|se|quando|dopo|após|als)\b)"
    r"(?:\S+ ){1,4}?(?:is|are|looks?|ist|sind|est|sont|es|son|está|están|è|sono|é|são)(?: \S+)? "
    r"(?:(?:more|less) \S+ than|\w+er than|\w+er als|(?:más|menos|plus|moins|più|meno|mais) \w+)\b"
)
"""What is more so than others, or than it has to be: *only the parser is slower than before* limits nothing."""

_BINDS_ELSEWHERE: Final = late_pattern(
    r"(?i)\b(?:never|must|not|always|nobody|without|until|nie|niemals|nicht|kein\w*|darf|dürfen|muss|ohne|jamais|ne|sans"
    r"|doit|doivent|nunca|jamás|no|sin|debe|deben|mai|non|senza|deve|não|sem)\b"
)
_BANNED = late_pattern(
    r"\b(?:never|must not|mustn['’]t|may not|not allowed|forbidden|do not|always|nobody|no one|nothing"
    r"|without|until|before|only (?:after|with))\b",
    re.I,
)


def without_code(unwrapped: Unwrapped, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Return *facts*, those of a tool's output, without rules of a source or a search of one."""
    if not any(fact.kind == FactKind.CONSTRAINT for fact in facts):
        return facts
    whole = unwrapped.text
    source = sum(1 for _, _ in zip(_CODE.finditer(whole), range(_CODE_LINES), strict=False)) >= _CODE_LINES
    # What stands behind a text in a tool's JSON does not go on with its last line.
    texts = [piece.text for piece in unwrapped.pieces]
    return tuple(
        fact
        for fact in facts
        if fact.kind != FactKind.CONSTRAINT
        or not _is_of_code(next((one for one in texts if fact.value in one), whole), fact, source)
    )


def _is_of_code(text: str, fact: Fact, source: bool) -> bool:
    at = max(0, text.find(fact.value.partition("\n")[0]))
    first, last = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    line = text[first : len(text) if last < 0 else last]
    if _LABEL.match(line.strip().lstrip(_COMMENT_SIGNS)):
        return False
    if _FOUND_LINE.match(line) or _CODED.search(line.strip()):
        return True
    return source and (_COMMENTED.match(line) is not None or not _stands_alone(text, first, last))


def _stands_alone(text: str, first: int, last: int) -> bool:
    """Return whether neither line beside text[first:last] goes on with its prose."""
    above = text[text.rfind("\n", 0, max(0, first - 1)) + 1 : max(0, first - 1)]
    below = text[last + 1 :].partition("\n")[0] if last >= 0 else ""
    return not any(
        line.strip()
        and not _CODE.match(line)
        and not _FOUND_LINE.match(line)
        and not line.startswith((" ", "\t"))
        for line in (above, below)
    )


@lru_cache(maxsize=65_536)
def loss_of_manual(text: str) -> float:
    """Return what it takes from a sentence that it explains how code is used, as documentation does."""
    found = {word.lower().rstrip("s") for word in _MANUAL.findall(text)}
    return _MANUAL_LOSS if len(found) >= _MANUAL_WORDS + (len(text) > 160) else 0.0


@lru_cache(maxsize=65_536)
def tells_a_rule(text: str) -> bool:
    """Return whether a sentence lays down a rule in words that few rules have; what explains code does not."""
    if len(text) > _RULE_CHARS or text.rstrip()[-1:] in "?？؟" or "=" in text:
        return False
    if _RULE.search(text) is None or tells_of_lifting(text):
        return False
    return not loss_of_manual(text) or JOINED_WORD.search(text) is not None


def is_certain(line: FactLine) -> bool:
    """Return whether *line*, which reads like a rule, is one of its speaker's.

    What a user or the system says is. A tool's is a whole sentence without code, or has a label; an
    assistant's speaks of somebody, names something or bans it: else it may tell how code works.
    """
    if _COMPARED.search(line.text) and _BINDS_ELSEWHERE.search(line.text) is None:
        return False
    if line.speaker in (Role.USER, Role.SYSTEM) or not line.text.isascii() or _LABEL.match(line.text):
        return True
    if line.speaker == Role.TOOL and _FOUND_LINE.match(line.text):
        return False
    if _OF_A_VALUE.fullmatch(line.text) and JOINED_WORD.search(line.text) is None:
        return False
    if tells_a_rule(line.text) or (line.speaker == Role.ASSISTANT and ACKNOWLEDGED.match(line.text)):
        return True
    if loss_of_manual(line.text) and JOINED_WORD.search(line.text) is None:
        return False
    if line.speaker == Role.TOOL:
        whole = line.text[:1].isupper() and _CUT_OFF.search(line.text) is not None
        return whole and _CODED.search(line.text) is None
    if names_a_thing(line.text):
        return True
    if _CODED.search(line.text) or _FORMULA.search(line.text):
        return _PROMISED.match(line.text) is not None
    bare = _CODE_NAME.sub(" ", line.text)
    return any(shape.search(bare) for shape in (_SOMEBODY, _CONCRETE, _BANNED))


def as_said(line: FactLine) -> FactLine:
    """Return *line*, as a statement where it reads like a rule and may be none.

    What a tool put out and an earlier handoff held as a rule was certain when it was found.
    """
    held = line.at < 0 and line.speaker == Role.TOOL
    if line.kind != FactKind.CONSTRAINT or held or _is_listed(line) or is_certain(line):
        return line
    return line._replace(kind=STATEMENT)


def _is_listed(line: FactLine) -> bool:
    return any(fact.kind == FactKind.CONSTRAINT and fact.key == LISTED for fact in line.slots)


@lru_cache(maxsize=65_536)  # a line is looked at again in every round
def is_code(text: str) -> bool:
    """Return whether a line of a tool's output is code, a comment or what a search found in them."""
    if _LABEL.match(text) or text.startswith("{") or _SETTING.fullmatch(text):
        return False
    return (
        any(shape.match(text) for shape in (_FOUND_LINE, _CODE, _COMMENTED))
        or _CODED.search(_FROM_TO.sub(" ", text)) is not None
    )


def speaks_of_somebody(text: str) -> bool:
    """Return whether a sentence speaks of who says it, who reads it or somebody else."""
    return _SOMEBODY.search(text) is not None


def names_something(text: str) -> bool:
    """Return whether a sentence names a thing, a place or a person of its own, or speaks of somebody."""
    return any(shape.search(text) is not None for shape in (_CONCRETE, _SOMEBODY, JOINED_WORD))


def is_vague(text: str) -> bool:
    """Return whether a sentence names nothing, speaks of nobody and chooses nothing, as explanations do."""
    if not text.isascii() or sound_of(text) & (CHOICE | CONSENT | OWNED):
        return False
    return _CONCRETE.search(text) is None and _SOMEBODY.search(text) is None
