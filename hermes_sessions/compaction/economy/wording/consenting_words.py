"""Sentences that tell that all agree, or nobody is against it: what stands before them was decided. Pure."""

from itertools import pairwise
from typing import Final

from hermes_sessions.facts.speech.stops import SentenceCut
from hermes_sessions.late_patterns import late_pattern

_ENDS: Final = SentenceCut(r"(?<=[.!?…])\s+|(?<=[。！？])\s*")
_CONSENTS: Final = late_pattern(
    r"(?i)^(?:and |so |und |et |y |e |i |и )?(?:"
    r"(?:everyone|everybody|all of us|we all|they all|the (?:whole )?(?:team|board|group|committee|room))(?: (?!not\b)[\w'’]{1,14}){0,5} (?:was|were|is|are|seemed) (?:(?:fine|happy|ok(?:ay)?|good|content)(?: (?:with|about|by) (?:it|that|this|the \w+))?|on board|in agreement|agreed)\W*$"
    r"|(?:everyone|everybody|all of us|we all|they all|the (?:whole )?(?:team|board|group|committee|room))(?: (?!not\b)[\w'’]{1,14}){0,4} (?:agree[sd]?(?: (?:to|on|with) (?:it|that|this))?|signed (?:it )?off|said yes|nodded|approved(?: (?:it|that|this))?)\W*$"
    r"|(?:nobody|no one|none of us)(?: (?!has to|must)[\w'’]{1,14}){0,4} (?:object(?:s|ed)?|minded|disagree[sd]?|was against|had (?:any(?:thing)? )?(?:objections?|against))\b|no objections\b"
    r"|(?:alle|das (?:ganze )?team|der vorstand)(?: [\w-]{1,14}){0,4} (?:einverstanden|zugestimmt|dafür|einig)\b|(?:niemand|keiner)(?: [\w-]{1,14}){0,3} (?:dagegen|einwände?|widersprochen|widersprach)\b|keine einwände\b"
    r"|(?:tout le monde|tous|l['’]équipe)(?: [\w'’-]{1,14}){0,4} d['’]accord\b|personne n(?:e|['’])\s?(?:[\w'’-]{1,14} ){0,3}(?:oppos\w+|objecté\w*|objection|contre)\b|aucune objection\b"
    r"|(?:todos|todo el mundo|el equipo)(?: [\w-]{1,14}){0,4} (?:de acuerdo|conformes?)\b|nadie (?:[\w-]{1,14} ){0,3}(?:opuso|objetó|en contra|inconveniente)\b|sin objeciones\b"
    r"|(?:todos|toda a gente|a equipa|a equipe)(?: [\w-]{1,14}){0,4} (?:de acordo|concord\w+)\b|todos concord\w+|ninguém (?:[\w-]{1,14} ){0,3}(?:opôs|objetou|contra)\b|sem objeções\b"
    r"|(?:tutti|la squadra|il gruppo)(?: [\w'’-]{1,14}){0,4} d['’]accordo\b|nessuno (?:[\w'’-]{1,14} ){0,3}(?:oppost[oa]|obiettato|contrario|contro)\b|nessuna obiezione\b"
    r"|(?:iedereen|allen|het team)(?: [\w-]{1,14}){0,4} (?:akkoord|eens|mee in)\b|niemand (?:[\w-]{1,14} ){0,3}(?:bezwaar|tegen)\b|geen bezwa(?:ar|ren)\b"
    r"|(?:wszyscy|cały zespół)(?: [\w-]{1,14}){0,4} (?:zgodzili|zgadzają|zgodni|za)\b|wszyscy się zgodzili|nikt (?:[\w-]{1,14} ){0,4}(?:przeciwko?|sprzeciwił|zastrzeżeń)\b|bez sprzeciwu\b"
    r"|(?:все|вся команда)(?: [\w-]{1,14}){0,4} (?:согласн\w+|за|не против)(?![\w-])|никто (?:[\w-]{1,14} ){0,3}(?:возража\w+|против)(?![\w-])|возражений (?:нет|не было)"
    r"|(?:大家|所有人|全体)[^。！？]{0,12}(?:同意|没意见|沒意見|赞成|贊成)|(?:没有?人|沒有?人|无人)[^。！？]{0,8}(?:反对|反對|异议)|(?:全員|みんな|皆)[^。！？]{0,12}(?:賛成|同意|了承|納得)|(?:誰も|異論)[^。！？]{0,8}(?:反対し(?:なかった|ませんでした)|な(?:し|かった)|ありませんでした)"
    r")"
)
_STEMS: Final = tuple(
    [
        "agree",
        "object",
        "fine",
        "happy",
        "nobody",
        "minded",
        "signed",
        "okay",
        "everyone",
        "einverst",
        "zugest",
        "einig",
        "dagegen",
        "einw",
        "accord",
        "oppos",
        "objec",
        "acuerdo",
        "opuso",
        "contra",
        "acordo",
        "concord",
        "opôs",
        "accordo",
        "obie",
        "akkoord",
        "bezwaar",
        "eens",
        "zgod",
        "przeciw",
        "zastrz",
        "соглас",
        "возраж",
        "против",
        "同意",
        "意见",
        "意見",
        "赞成",
        "反对",
        "贊成",
        "反對",
        "异议",
        "賛成",
        "了承",
        "納得",
        "反対",
        "異論",
    ]
)
_LEAST_WORDS: Final = 3
_LEAST_SIGNS: Final = 6


def consented(text: str) -> tuple[str, ...]:
    """Return what was decided in *text*, each with the sentence behind it that tells that all agree."""
    lowered = text.lower()
    if not any(stem in lowered for stem in _STEMS):
        return ()
    found = []
    for line in text.split("\n"):
        pieces = [one for one in _ENDS.split(line) if one and one.strip()]
        for said, behind in pairwise(pieces):
            if said.rstrip().endswith(("?", "？")) or not _CONSENTS.match(behind):
                continue
            if len(said.split()) >= _LEAST_WORDS or (not said.isascii() and len(said) >= _LEAST_SIGNS):
                gap = " " if said.isascii() or " " in said else ""
                found.append(f"{said.strip()}{gap}{behind.strip()}")
    return tuple(found)
