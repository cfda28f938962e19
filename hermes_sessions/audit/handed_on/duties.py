"""Who does what, as the user says it: `Farid drafts clause 18`; and whether a handoff tells it. Pure."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from hermes_sessions.audit.handed_on.claim_origins import named_in
from hermes_sessions.audit.handed_on.told_matters import Telling, numbers_of
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.headings import read_items
from hermes_sessions.audit.words.sentence_ends import SENTENCE_ENDS
from hermes_sessions.facts.values import Fact, FactKind
from hermes_sessions.facts.wording.units import MONTHS, WEEKDAYS
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_CAP: Final = r"[A-ZÀ-ÖØ-ÞА-ЯЁĞİŞŁŚŻČŠŽ][a-zà-öø-ÿа-яёğışçöüłśżčšžńę]{1,20}"
_TITLE: Final = r"(?:Herrn?|Frau|Mr|Mrs|Ms|Dr|Prof|Mme|Monsieur|Madame|Sra?|Sig|Sig\.ra|Pani?|г-н|г-жа)\.?\s"
_OWN_VERBS: Final = (
    r"does(?! not\b|n['’]t)|handles|covers|owns|closes|opens|prepares|organi[sz]es|takes|brings|calls|signs|approves|decides|looks after|is responsible|is in charge|keeps|collects|designs|maintains|drives|picks"
    r"|macht|übernimmt|prüft|schreibt|entwirft|verfasst|erstellt|kümmert|betreut|verantwortet|bringt|holt|unterschreibt|entscheidet|organisiert|schließt|liefert|bestellt|übersetzt|testet|ruft"
    r"|s['’]occupe|s['’]en charge|rédige|prépare|relit|valide|signe|envoie|apporte|gère|fait|vérifie|traduit|commande|ferme|appelle"
    r"|se encarga|se ocupa|redacta|prepara|revisa|firma|envía|trae|hace|gestiona|traduce|cierra|aprueba|llama|compra"
    r"|cuida|redige|revê|assina|envia|traz|faz|fecha|aprova|compra|trata|si occupa|rivede|invia|porta|fa|chiude|approva|gestisce"
    r"|regelt|zorgt|schrijft|maakt|doet|stuurt|tekent|controleert|belt|pisze|przygotowuje|sprawdza|podpisuje|wysyła|zajmuje się|robi"
    r"|готовит|пишет|проверяет|подписывает|отправляет|делает|занимается|закрывает|отвечает за|ведёт|переводит|yazıyor|hazırlıyor|yapıyor|gönderiyor|ilgileniyor"
)
_DUTY = late_pattern(
    rf"(?:^|[.!?;:,] |[-*•] |\b(?:and|und|et|y|e|i|и|a|а|en|ve|but|aber|mais|pero|ma|mas) )(?P<duty>(?:{_TITLE})?(?P<name>{_CAP})(?: {_CAP})?"
    rf" (?:(?P<own>{_OWN_VERBS})|(?P<verb>[a-z]{{2,14}}s)|will (?!not\b)(?P<later>[a-z]{{3,14}}))(?!\w)(?P<rest>(?:[^.!?;,\n]|[.,](?=\d)){{3,120}}))",
    re.M,
)
_SINO = late_pattern(r"(?P<duty>(?P<name>[\u4e00-\u9fff]{2,3})(?:来)?负责(?P<rest>[^。！？；,，\n]{2,40}))")
_JAPANESE = late_pattern(
    r"(?P<duty>(?P<name>[\u4e00-\u9fff\u30a0-\u30ff]{1,4})さん(?:が|は)(?P<rest>[^。！？、\n]{2,40}(?:担当|作成|確認|対応|送り|書き)[^。！？、\n]{0,8}))"
)
_KOREAN = late_pattern(
    r"(?P<duty>(?P<name>[가-힣]{2,3}) ?(?:씨|님|과장|대리|팀장)(?:가|이|은|는) (?P<rest>[^.!?\n]{2,40}(?:담당|작성|확인|맡)[^.!?\n]{0,8}))"
)
_NO_NAME: Final = frozenset(
    "this that it everything everybody everyone somebody someone nobody nothing what who which there here he she they we you i the a an if when then also please nobody das dies es er sie wer was jeder alles ce ça cela il elle on qui tout esto eso ello quien todo isso isto quem tutto chi это он она кто всё dit dat hij zij to ono kto bu o kim".split()
) | frozenset(map(str.casefold, (*WEEKDAYS, *MONTHS)))
_DIFFERENT: Final = frozenset({"use", "run", "change", "read", "find", "fix", "exceed", "delete"})
"""Deeds that programs do as often as people."""
_UNSURE = late_pattern(
    r"\b(?:if|when|whether|unless|once|wenn|falls|ob|si|quand|cuando|se|quando|если|когда|jeśli|als)\b[^.!?;,]*$",
    re.I,
)
_MAX_CHARS: Final = 6_000
_HALF: Final = 0.5
WEIGHT: Final = 7.0


@lru_cache(maxsize=4_096)
def read_duties(text: str) -> tuple[Fact, ...]:
    """Return who does what in a text of the user's: the clause as the value of a name, the person as its key."""
    return tuple(_duties(text[:_MAX_CHARS]))


def _duties(text: str) -> Iterator[Fact]:
    for sentence in SENTENCE_ENDS.split(text):
        if sentence.rstrip()[-1:] in "?？؟" or not sentence.strip():
            continue
        shapes = (_DUTY,) if sentence.isascii() else (_DUTY, _SINO, _JAPANESE, _KOREAN)
        for shape in shapes:
            for match in shape.finditer(sentence):
                if _is_duty(match, sentence):
                    value = match["duty"].strip()
                    yield Fact(
                        FactKind.NAME, match["name"], value, sentence.strip(), Role.USER, WEIGHT, (0, 0)
                    )


def _is_duty(match: re.Match[str], sentence: str) -> bool:
    groups = match.groupdict()
    if match["name"].casefold() in _NO_NAME or _UNSURE.search(sentence[: match.start("duty")]):
        return False
    verb = groups.get("verb") or groups.get("later")
    if verb and not (read_terms(verb).deeds - _DIFFERENT):
        return False
    return bool(named_in(match["rest"]))


def tells_duty(duty: Fact, bodies: Sequence[str]) -> Telling:
    """Return whether an item of a handoff has the person, and half of what there is to do with it."""
    name = duty.key.casefold()
    todo = _work_of(duty)
    best = Telling.NOT
    for body in bodies:
        for item in read_items(body):
            if not _names(name, item.text.casefold()):
                continue
            shared = len(todo & _words(f"{item.heading} {item.text}"))
            if shared >= len(todo) * _HALF:
                return Telling.YES
            best = Telling.PERHAPS if shared else best
    return best


def _work_of(duty: Fact) -> frozenset[str]:
    """Return what there is to do: what stands behind the verb, the verb too where that names nothing."""
    behind = duty.value.partition(duty.key)[2].strip()
    return _words(behind.partition(" ")[2]) or _words(behind)


def _words(text: str) -> frozenset[str]:
    return named_in(text) | numbers_of(text)


def _names(name: str, text: str) -> bool:
    if not name.isascii() and name[0] > "\u2e7f":
        return name in text
    return re.search(rf"(?<!\w){re.escape(name)}", text) is not None
