"""What it adds to a line how it sounds: what was laid down, found out or only asked. Pure."""

from typing import Final

from hermes_sessions.compaction.economy.certain_rules import is_vague, loss_of_manual, speaks_of_somebody
from hermes_sessions.compaction.economy.fact_lines import STATEMENT, WHOLE_KINDS, FactLine
from hermes_sessions.compaction.economy.printed_rows import is_prose
from hermes_sessions.compaction.economy.standing import MARK
from hermes_sessions.compaction.economy.statements import TALK_KINDS
from hermes_sessions.compaction.economy.wording.announced import specifics
from hermes_sessions.compaction.economy.wording.asking import asks
from hermes_sessions.compaction.economy.wording.assigned_words import assigned
from hermes_sessions.compaction.economy.wording.binding_words import RETOLD, binding, sound_of, telling
from hermes_sessions.compaction.economy.wording.named_things import names_a_thing
from hermes_sessions.facts.values import FactKind, weigh
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_ASKED_LOSS: Final = 5.0
"""Of what stands in a sentence of the user's that only asked for something."""

_ASKED_OF_A_THING_LOSS: Final = 2.5
_THING_GAIN: Final = 1.0
"""Of a sentence that names a thing of the work by a name of its own."""

_NAMELESS_LOSS: Final = 1.5
"""Of a sentence of an assistant or a tool that names none."""

_ASSIGNED_GAIN: Final = 1.5
"""Of a sentence that gives an attribute of such a thing a value."""

_VAGUE_LOSS: Final = 2.0
"""Of a sentence that names nothing and nobody, where the user did not say it."""

_BARE_NUMBER_LOSS: Final = 1.0
_PLAIN_LOSS: Final = 2.0
"""Of a sentence that is no fact, before its words are weighed."""

_NUMBER_GAIN: Final = 0.5
_TOLD_PATH_GAIN: Final = 2.5
"""Of a path in a sentence, which somebody names because it matters."""

_LABEL_GAIN: Final = 2.0
_LABEL = late_pattern(r"[^\W\d_][^\s:：]{1,19}(?: [^\s:：]{1,14}){0,3}[:：] ?\S")
"""What stands under a label of its own was meant to be remembered."""

_NAMED_GAIN: Final = 0.75
"""Of a sentence of the user's that tells nothing of the past and names somebody or something."""

_QUOTED_LOSS: Final = 1.0
"""Of the user's, which stand among the user's words as long as these fit."""

_BINDING_GAIN: Final = 0.25
"""Of a fact in a sentence that binds; a statement has the whole of it."""

_SPECIFIC_GAIN, _MOST_SPECIFIC_GAIN = 1.0, 3.0
"""Of each name, code, day or number that a tool's sentence tells, where it tells more than one."""
_VALUE_SHARE: Final = 0.5
"""How much of that a value has that stands in such a sentence."""

_ASKED_KINDS: Final = TALK_KINDS | {FactKind.PATH}


def worth_of_sound(line: FactLine) -> float:
    """What it adds how a line sounds: to a statement much, to a value in its sentence a little."""
    if line.kind in _ASKED_KINDS and line.speaker == Role.USER and " " in line.text and asks(line.text):
        return -_ASKED_LOSS if not names_a_thing(line.text) else -_ASKED_OF_A_THING_LOSS
    if line.kind == STATEMENT:
        told = binding(line.text) + telling(line.text) + _labelled(line.text)
        counted = _NUMBER_GAIN if any(fact.kind == FactKind.NUMBER for fact in line.slots) else 0.0
        own = _of_its_own(line)
        return told + counted - _PLAIN_LOSS + _by_speaker(line) + _of_a_thing(line.text) + own
    if line.kind == FactKind.PATH and " " in line.text and line.speaker != Role.TOOL:
        return _TOLD_PATH_GAIN + _BINDING_GAIN * binding(line.text)
    if line.kind in TALK_KINDS and not any(fact.key for fact in line.slots):
        plain = weigh(STATEMENT, line.speaker) - line.weight - _PLAIN_LOSS + _NUMBER_GAIN
        own = -_BARE_NUMBER_LOSS if line.kind == FactKind.NUMBER else 0.0
        told = binding(line.text) + telling(line.text) + _labelled(line.text)
        told += _of_a_thing(line.text)
        told -= loss_of_manual(line.text) if line.speaker != Role.USER else 0.0
        return max(plain + told, own) if " " in line.text else own
    if " " not in line.text or line.kind in WHOLE_KINDS:
        return 0.0
    return _BINDING_GAIN * binding(line.text) + _VALUE_SHARE * _of_its_own(line)


def _of_its_own(line: FactLine) -> float:
    """What it adds to what a tool put out in words to name people, codes and days: nobody says it again."""
    if line.speaker != Role.TOOL or not is_prose(line):
        return 0.0
    told = specifics(line.text)
    return min(told * _SPECIFIC_GAIN, _MOST_SPECIFIC_GAIN) if told > 1 else 0.0


def _of_a_thing(text: str) -> float:
    if not names_a_thing(text):
        return 0.0
    return _THING_GAIN + (_ASSIGNED_GAIN if assigned(text) is not None else 0.0)


def _by_speaker(line: FactLine) -> float:
    """What it adds to a statement of the user's to name something, and takes from others' that do not."""
    if line.speaker != Role.USER:
        named = names_a_thing(line.text) or speaks_of_somebody(line.text) or specifics(line.text) > 1
        nameless = 0.0 if named or MARK.search(line.text) else _NAMELESS_LOSS
        return -(_VAGUE_LOSS if is_vague(line.text) else nameless) - loss_of_manual(line.text)
    told = not is_vague(line.text) and not sound_of(line.text) & RETOLD
    return (_NAMED_GAIN if told else 0.0) - _QUOTED_LOSS


def _labelled(text: str) -> float:
    return _LABEL_GAIN if _LABEL.match(text) else 0.0
