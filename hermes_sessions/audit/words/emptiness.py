"""How a summary says nothing: a refusal, a template left unfilled, its own instructions."""

import re
from collections.abc import Sequence
from typing import Final

from hermes_sessions.late_patterns import late_pattern

_MAX_REFUSAL_CLAIMS: Final = 5
_REFUSAL: Final = late_pattern(
    r"^\W{0,4}(?:i['’]?m (?:very )?sorry|i am sorry|sorry,|i apologi[sz]e|unfortunately,? i|i(?: can(?:not|['’]?t)|['’]m (?:unable|not able)| am (?:unable|not able)|['’]m afraid| won['’]t| must decline| do(?: not|n['’]t) have (?:access|enough|any)) |as an ai\b|there is (?:no|nothing|not enough) (?:conversation|content|transcript|text|messages|to summari[sz]e)|(?:please|kindly) (?:provide|share|paste|send) (?:me )?(?:the|your|a) (?:conversation|transcript|text|messages|content)|no (?:conversation|content|transcript|messages) (?:was|were|has been|to))"
    r"|^\W{0,4}(?:es tut mir leid|tut mir leid|entschuldigung|leider kann ich|ich kann (?:das|diese|dir|ihnen|keine|nicht)|als ki\b|bitte (?:stelle?n?|gib|geben|teile?n?) .{0,40}(?:gespräch|unterhaltung|text|verlauf))"
    r"|^\W{0,4}(?:(?:je suis )?désolée?|je ne (?:peux|suis)|en tant qu['’]ia|malheureusement,? je|veuillez fournir)|^\W{0,4}(?:lo siento|lamento|no puedo|como (?:una )?ia\b|por favor,? (?:proporcion|compart|envía)\w*)|^\W{0,4}(?:desculpe|lamento|sinto muito|não posso|como (?:uma )?ia\b|por favor,? forneça)"
    r"|^\W{0,4}(?:извините|простите|к сожалению,? я|я не могу|как ии\b|пожалуйста,? предоставьте)|^\W{0,4}(?:抱歉|对不起|很抱歉|我无法|我不能|作为(?:一个)?(?:ai|人工智能)|请提供)|^\W{0,4}(?:申し訳|すみません|ごめんなさい|対応できません|要約できません|会話を提供)|^\W{0,4}(?:죄송|저는 .{0,10}수 없)|^\W{0,4}(?:عذر|آسف|لا أستطيع|لا يمكنني)",
    re.I,
)
_PLACEHOLDER: Final = late_pattern(
    r"^\W{0,3}(?:\[(?!redacted|#|x\]|\d)[^\[\]]{2,300}\]|<(?!https?:|/)[^<>]{2,300}>|\{\{?[^{}]{2,300}\}\}?|\((?:to be|tbd|fill|insert|describe|list|add|none yet)[^()]{0,300}\)|_{3,}|\.{3,}|…+|x{3,}"
    r"|(?:tbd|tba|to be (?:filled|completed|determined|added|done)|fill (?:this )?in|insert .{0,60} here|placeholder|lorem ipsum.*|noch auszufüllen|auszufüllen|wird ergänzt|à (?:compléter|remplir)|por (?:completar|rellenar)|a (?:preencher|completar)|待填写|待补充|待完善|未記入|記入してください|заполнить|будет заполнено))\W{0,3}$",
    re.I,
)
_LABEL: Final = late_pattern(r"^[\w /&'-]{2,40}[:：]\s*")
_INSTRUCTION: Final = late_pattern(
    r"\byou are (?:a|an|the) (?:\w+ ){0,4}(?:summari[sz]\w+|assistant|agent)\b|\byour task is to (?:create|write|produce|summari[sz]e)|\b(?:create|write|produce|provide|generate|include) (?:a|an|only|the) (?:\w+ ){0,5}(?:summary|handoff|section|headings?)\b|\bsummari[sz]e the (?:conversation|following|messages|transcript)\b|\buse (?:this|the following) (?:exact )?(?:structure|format|template|sections|headings)\b|\bdo not (?:respond to|answer|include|call|use) (?:any )?(?:questions|requests|preamble|tools?|instructions)\b|\b(?:output|return|respond with|write) only the (?:summary|body)\b|\bbe (?:concise|specific|thorough|detailed)\b|\btarget (?:about |around |~)?\d[\d,]* (?:words|tokens)\b"
    r"|\b(?:instructions?|prompt|system message|guidelines?|task) (?:\w+ ){0,3}(?:asks?|says?|requires?|is|are|tells?|specif\w+) (?:\w+ ){0,4}(?:summary|summari[sz]e|handoff|conversation)\b|\b(?:assistant|model|agent|i) (?:was|were|am|is) (?:asked|instructed|told) to (?:\w+ ){0,3}(?:summari[sz]e|compact|condense|write a (?:summary|handoff))"
    r"|\bfasse? (?:das gespräch|die unterhaltung|den verlauf) zusammen\b|\berstelle? eine (?:\w+ )?zusammenfassung\b|\brésume[zs]? la conversation\b|\bresume la conversación\b|\bresuma a conversa\b|总结(?:以下|这段|上述)?(?:对话|会话)|会話を要約し(?:て|なさい)|(?:кратко )?изложи\w* (?:разговор|беседу)|составь\w* (?:краткое )?(?:резюме|сводку)",
    re.I,
)
_CONCRETE: Final = late_pattern(r"`|[\w-]/[\w-]|\w\.[a-z]{1,4}\b(?!\.)")
"""A claim that names a file or a command says something."""

_HALF: Final = 0.5


def why_summary_is_empty(claims: Sequence[str]) -> str:
    """Return why a summary of these claims says nothing, '' where it says something.

    `nothing`, `refusal`, `template` or `instructions`.
    """
    if not claims:
        return "nothing"
    if all(is_placeholder(one) for one in claims):
        return "template"
    if any(_CONCRETE.search(one) for one in claims):
        return ""
    if len(claims) <= _MAX_REFUSAL_CLAIMS and _REFUSAL.search(claims[0]):
        return "refusal"
    told = sum(_INSTRUCTION.search(one) is not None for one in claims)
    if told == len(claims) or (told >= 2 and told / len(claims) >= _HALF):
        return "instructions"
    return ""


def is_placeholder(claim: str) -> bool:
    """Return whether a claim is what a template has for somebody to fill in."""
    bare = claim.strip(" *_`")
    return (
        _PLACEHOLDER.match(bare) is not None or _PLACEHOLDER.match(_LABEL.sub("", bare, count=1)) is not None
    )
