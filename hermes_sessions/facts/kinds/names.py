"""Names of people, only where a form says that it is one."""

import re
from collections.abc import Iterator
from typing import Final

from hermes_sessions.facts.gates import GatedShape, gate
from hermes_sessions.facts.page import Mark, TextPage
from hermes_sessions.late_patterns import late_pattern

_CAPITAL: Final = r"[A-ZÀ-ÖØ-Þ\u0400-\u042f][\w'’\u00c0-\u024f-]{1,30}"
_PERSON: Final = rf"{_CAPITAL}(?: (?:von|van|de|der|da|di|del|la|el|bin) )?(?: (?:{_CAPITAL}|[A-Z]\.)){{0,3}}"
_DEGREES: Final = r"(?:(?:Dr|Prof|PD|Mag|Dipl\.-Ing|Ing|med|jur|rer|nat|phil|h\. ?c|Dra|Lic)\.? )*"
_TITLE = late_pattern(
    rf"\b(?:Mr|Mrs|Ms|Dr|Prof|Herrn?|Frau|Mme|Monsieur|Madame|Señora?|Sra?|Dra?|Г-н|Г-жа|Господин)\.? {_DEGREES}(?P<name>{_PERSON})"
)
_HEADER = late_pattern(
    rf"^(?:From|To|Cc|Author|Committer|Reviewed-by|Signed-off-by|Co-authored-by|Von|An|De|À|Para|От|Кому)\s?: ?\"?(?P<name>{_PERSON})\"? ?<",
    re.M,
)
_ROLE = late_pattern(
    rf"\b(?:Owner|Assignee|Assigned to|Reviewer|Author|Approver|Manager|Lead|Contact|Host|Organi[sz]er|Customer|Client|Name|Verantwortlich|Zuständig|Ansprechpartner(?:in)?|Autor(?:in)?|Responsable|Propietario|Ответственный|Исполнитель|Автор|Kunde|Bill to|Attn)\**\s?: ?\**(?P<name>{_PERSON})(?=$|[\n,;.(<*|]| [-–(])",
    re.M,
)
_LIST = late_pattern(
    r"^[\W_]{0,6}(?:Attendees|Participants|Present|Teilnehmer(?:innen|:innen)?|Anwesend|Participants|Présents|Asistentes|Participantes|Участники|Присутствовали|参加者|出席者|参会人员|与会人员|出席|الحضور)\**\s?[:：] ?\**([^\n]{2,300})$",
    re.M | re.I,
)
_LISTED = late_pattern(r"[^,;、，/|&()（）]+")
_SELF = late_pattern(
    rf"\b(?:my name is|I am called|mein Name ist|ich heiße|je m'appelle|me llamo|mi nombre es|меня зовут) (?P<name>{_PERSON})"
)
_SIGNED = late_pattern(
    rf"(?:^|\n)(?:Best|Best regards|Kind regards|Regards|Thanks|Thank you|Cheers|Sincerely|Viele Grüße|Mit freundlichen Grüßen|Beste Grüße|LG|Gruß|Cordialement|Bien à vous|Saludos|Un saludo|Atentamente|С уважением|Спасибо)[,!]?\n{{1,2}}(?P<name>{_PERSON})(?=\n|$)"
)
_HONORIFIC = late_pattern(
    r"(?P<name>[\u4e00-\u9fff\u30a0-\u30ff]{1,4})(?:さん|様|氏|先生|君|经理|總監|总监|女士|工程师|主任)"
)
_DEAR = late_pattern(
    rf"^(?:Hi|Hello|Dear|Hey|Hallo|Liebe[r]?|Bonjour|Hola|Привет|Estimad[oa])(?: (?:Frau|Herr|Mr\.?|Ms\.?|Dr\.?))? (?P<name>{_CAPITAL}(?: {_CAPITAL})?),?\n",
    re.M,
)
_OWNED = late_pattern(
    rf"^[ \t]{{0,8}}[-*•] (?:\[[ x]\] )?(?:\*\*)?(?P<name>{_CAPITAL})(?:\*\*)?(?: \((?:by|bis|due)[^)]{{1,30}}\))?: [a-zà-ÿ]",
    re.M,
)
_NOBODY: Final = frozenset(
    "All Team Everyone Note Next Todo Decision Action Owner Name None Error Warning The This Total Input Output Status Result Fix Fixed Added Changed Test Tests Step User Assistant System Response Request Example Usage Yes No There Support Customer Guest Today Date Time Hi Hello And Again Who Nobody Somebody Someone We They He She You Wer Wir Er Sie Niemand Jemand Man Qui Nous Il Elle On Quién Nadie Él Ella Me Us Them Him Her".split()
)


_ACTS: Final = (
    r"(?:signs? off|signed off|is on call|approve[sd]|reviewed|will review|owns|confirmed|is demoing"
    r"|lo revisará|revisará|wartet auf|übernimmt|prüft|a validé|validera)"
)
_ACTING = late_pattern(
    rf"(?:^|[.!?,;:(] |\b(?:and|und|et|y) )(?P<name>{_CAPITAL}(?: {_CAPITAL})?) {_ACTS}\b", re.M
)
_ASKED = late_pattern(
    rf"\b(?:[Aa]sk|[Tt]ell|[Pp]ing|[Nn]otify|[Ff]rag) (?P<name>{_CAPITAL}(?: {_CAPITAL})?)"
    r"(?= (?:before|first|about|if|when|to|for|bevor)\b|[,.])"
)
_FORMS: Final = (
    GatedShape(gate("from", "to", "cc", "author", "committer", "-by", "von", "an", "de", "à", "para", "от", "кому"), _HEADER),
    GatedShape(gate("owner", "assigned", "assignee", "reviewer", "author", "approver", "manager", "lead", "contact", "host", "organi", "customer", "client", "name", "verantwortlich", "zuständig", "ansprechpartner", "autor", "responsable", "propietario", "ответственный", "исполнитель", "автор", "kunde", "bill to", "attn"), _ROLE),
)  # fmt: skip
_LISTS: Final = gate("attendees", "participants", "present", "teilnehmer", "anwesend", "présents", "asistentes", "participantes", "участники", "присутствовали", "参加者", "出席", "参会人员", "与会人员", "الحضور")  # fmt: skip
_HONOURS: Final = gate("さん", "様", "氏", "先生", "君", "经理", "總監", "总监", "女士", "工程师", "主任")
_GATED: Final = (
    GatedShape(gate("mr", "ms", "dr", "prof", "herr", "frau", "mme", "mons", "madame", "señor", "sr", "г-", "господин"), _TITLE),
    GatedShape(gate("my name is", "i am called", "name ist", "ich heiße", "m'appelle", "me llamo", "nombre es", "зовут"), _SELF),
    GatedShape(gate("egards", "thank", "cheers", "incerely", "grüße", "lg", "gruß", "cordialement", "bien à", "saludos", "saludo", "atentamente", "уважением", "спасибо", "best"), _SIGNED),
    GatedShape(gate("hi", "hello", "dear", "hey", "hallo", "lieb", "bonjour", "hola", "привет", "estimad"), _DEAR),
    GatedShape(gate("- ", "* ", "• "), _OWNED),
    GatedShape(gate("sign", "is on call", "approve", "review", "owns", "confirmed", "is demoing", "revisará", "wartet auf", "übernimmt", "prüft", "valid"), _ACTING),
    GatedShape(gate("ask", "tell", "ping", "notify", "frag"), _ASKED),
)  # fmt: skip


_WRITTEN: Final[dict[re.Pattern[str], tuple[str, ...]]] = {
    _HEADER: ("<",),
    _ROLE: ("Bill to", *"Owner Assign Reviewer Author Approver Manager Lead Contact Host Organi Customer Client Name Verantwortlich Zuständig Ansprechpartner Autor Responsable Propietario Ответственный Исполнитель Автор Kunde Attn".split()),
    _TITLE: tuple("Mr Ms Dr Prof Herr Frau Mme Monsieur Madame Señor Sr Г-н Г-жа Господин".split()),
    _DEAR: tuple("Hi Hello Dear Hey Hallo Liebe Bonjour Hola Привет Estimad".split()),
    _ACTING: ("sign", "is on call", "approve", "review", "owns", "confirmed", "is demoing", "revisará", "wartet auf", "übernimmt", "prüft", "a validé", "validera"),
}  # fmt: skip
"""Words one of which is in all that a shape finds, as they are written; gates do not tell `Hi` from `this`."""


def name_marks(page: TextPage) -> Iterator[Mark]:
    """Yield names: after titles, in headers of mails and commits, of owners and attendees."""
    if page.looks in ("code", "log", "ini"):
        return
    text = page.text
    given = _FORMS if ":" in text else ()
    if page.is_speech or page.looks in ("mail", ""):
        given = (*given, *_GATED)
    yield from _found(text, [shape for words, shape in given if words in page.opened])
    if _LISTS in page.opened:
        yield from _listed(text)
    if _HONOURS in page.opened:
        for match in _HONORIFIC.finditer(text):
            yield Mark("name", *match.span("name"))


def _found(text: str, shapes: list[re.Pattern[str]]) -> Iterator[Mark]:
    for shape in shapes:
        words = _WRITTEN.get(shape)
        if words and not any(word in text for word in words):
            continue
        for match in shape.finditer(text):
            if match["name"].split()[0] not in _NOBODY:
                yield Mark("name", *match.span("name"))


def _listed(text: str) -> Iterator[Mark]:
    for match in _LIST.finditer(text):
        for one in _LISTED.finditer(match[1]):
            name = one.group().strip(" .*-\t")
            if 1 < len(name) < 40 and not name.islower() and not any(map(str.isdigit, name)):
                start = match.start(1) + one.start() + one.group().find(name)
                yield Mark("name", start, start + len(name))
