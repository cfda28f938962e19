"""The parts of a handoff: what it says is active, pending or next, and what it says is history."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from hermes_sessions.late_patterns import late_pattern


class PartKind(StrEnum):
    """What the lines under a heading are about."""

    ACTIVE = "active"
    PENDING = "pending"
    NEXT = "next"
    DONE = "done"
    OTHER = "other"


class PartItem(NamedTuple):
    """One line of a handoff: its text without list signs, and what its heading says it is."""

    text: str
    kind: PartKind
    heading: str


_SHAPES: Final = (
    (PartKind.OTHER, late_pattern(r"question|frage|pregunta|pergunta|问题|疑问|質問|вопрос|decision|constraint|rule|file|error|blocker|user message|所有用户|context|environment|background|key technical", re.I)),
    (PartKind.OTHER, late_pattern(r"^(?!.*(?:task|work|aufgabe|tâche|tarea|tarefa|задач|任务|タスク)).*(?:\bstate\b|\bstatus\b|zustand|\bstand\b|\bétat\b|\bestado\b|\bstato\b|状态|状態|состояни|статус|상태)", re.I)),
    (PartKind.PENDING, late_pattern(r"unfinished|incomplete|not (?:yet )?(?:done|finished|completed)|unerledigt|noch nicht|inachev|incomplet|no (?:terminad|completad)|não (?:conclu|termin)|non (?:completat|finit|fatt)|未完成|未完了|未着手|незаверш|не (?:сделан|выполнен|законч)", re.I)),
    (PartKind.DONE, late_pattern(r"histor|\b(?:completed?|done|finished|resolved|closed|past|previous|earlier|archived?|cancel\w*|stopped|abandoned|dropped|superseded|accomplish\w*|progress so far)\b|erledigt|abgeschlossen|\bfertig|verlauf|bisher|verworfen|terminé|achevé|\bfaite?s?\b|historique|annulé|abandonné|completad|\bhech[oa]|terminad|cancelad|realizad|conclu[ií]d|\bfeit[oa]|\bfatt[oaei]\b|completat|conclus[oaie]|finit[oaie]|annullat|已完成|完成|历史|已取消|已结束|完了|履歴|済|中止|выполнен|готово|сделан|истори|заверш|отмен", re.I)),
    (PartKind.NEXT, late_pattern(r"\bnext\b|upcoming|nächst|als nächstes|prochain|suivant|próxim|prossim|successiv|siguient|a continuación|em seguida|下一步|后续|接下来|次の|次に|今後|следующ|дальше|далее|다음|^(?:la )?suite$|^ensuite$|\bvolgende\b|^(?:vervolg|verder)\b|następn|kolejn|^dalej$|ciąg dalszy|\bhärnäst\b|\bnästa\b|fortsättning|\bnæste\b|\bneste\b|\bsıradaki|\bsonraki", re.I)),
    (PartKind.PENDING, late_pattern(r"pending|\bopen\b|outstanding|to-?\s?do\b|\btodos?\b|remaining|\bleft\b|backlog|waiting|offen|ausstehend|noch zu|zu tun|zu erledigen|restant|à faire|en attente|en suspens|pendient|por hacer|pendent|a fazer|da fare|in sospeso|rimanent|in attesa|待办|待处理|待完成|剩余|残り|保留|未解決|やること|ожида|остал|открыт|предстоит|к выполнению|대기|남은|openstaand|nog te doen|do zrobienia|pozostał|att göra|återst[åo]|\bkvar\b|yapılacak|bekleyen", re.I)),
    (PartKind.ACTIVE, late_pattern(r"\bactive\b|\bcurrent(?:ly)?\b|in[- ]progress|ongoing|working on|task at hand|under way|aktuell|aktiv|laufend|in arbeit|derzeit|en cours|actuel|\bactual|en curso|in corso|attual|activa|em andamento|\bativa|\batual|em curso|当前|进行中|正在|目前|現在|進行中|作業中|текущ|активн|в работе|в процессе|진행|현재", re.I)),
)  # fmt: skip
_HEADING = late_pattern(
    r"^\s{0,3}(?:#{1,6}\s+(?P<hash>.+?)\s*#*|\*\*(?P<bold>[^*]{2,80}?)[:：]?\*\*[:：]?|(?:\d{1,2}[.)]\s+)?(?P<plain>[^\n:：]{2,60})[:：])\s*$"
)
_INLINE = late_pattern(
    r"^(?:[\s>*•–-]|\d{1,2}[.)]\s)*(?:(?:\*\*|__)?(?P<label>[^\n:：*_]{2,40}?)(?:\*\*|__)?[:：](?:\*\*|__)?|\*\*(?P<bold>[^\n.。*_]{2,40})[.。]?\*\*[.。]?)\s*(?P<text>\S.*)$"
)
"""A label before its line: `Next: ...`, `**Next.** ...`."""
_TELLS = late_pattern(
    r"(?<!what )(?<!that )(?<!which )\b(?:was|were|has|had|wurden?|war|waren|hat|était|étaient|avait|estaba|estaban|eran|foi|foram|estava|estavam|erano|aveva|был[аои]?|werd|werden|waren)\b",
    re.I,
)
"""A line that begins with a sentence about what was has no label."""
_BARE = late_pattern(
    r"^(?:\d{1,2}[.)]\s+)?(?P<hash>)(?P<bold>)(?P<plain>[^\W\d_][\w-]+(?: [\w-]+){0,3} ?)\s*$"
)
_LISTED = late_pattern(r"^[\s>]*(?:[-*•+]|\d{1,2}[.)]|\[[ xX]?\])\s")
_LEAD = late_pattern(r"^[\s>]*(?:(?:[-*•+–—]|\d{1,3}[.)]|\[[ xX~]?\])\s+)*")
_UNTICKED = late_pattern(r"^[\s>]*(?:(?:[-*•+]|\d{1,3}[.)])\s+)?\[ ?\]\s")
_TICKED = late_pattern(r"^[\s>]*(?:(?:[-*•+]|\d{1,3}[.)])\s+)?(?:\[[xX]\]|[✅✓✔☑]|~~)")
_MAX_ITEMS: Final = 2_000


def read_items(body: str) -> Iterator[PartItem]:
    """Yield the lines of a handoff with what their heading says they are; ticked ones are done."""
    kind, heading, level, fenced, count = PartKind.OTHER, "", 9, False, 0
    lines = body.splitlines()
    for place, line in enumerate(lines):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        if fenced or not line.strip():
            continue
        match = _HEADING.match(line) or _bare_heading(line, lines[place + 1 : place + 2])
        if match:
            title = match["hash"] or match["bold"] or match["plain"]
            depth = len(line) - len(line.lstrip("# ")) if match["hash"] else 8
            found = classify_heading(title)
            if found is not PartKind.OTHER or depth <= level:
                kind, heading, level = found, title, depth
            continue
        count += 1
        if count > _MAX_ITEMS:
            return
        yield _item(line, kind, heading)


def _bare_heading(line: str, behind: Sequence[str]) -> re.Match[str] | None:
    """A short line without a mark of its own that says what the list behind it is."""
    listed = behind and _LISTED.match(behind[0])
    deeper = listed and _depth(behind[0]) > _depth(line)
    match = _BARE.match(line) if listed and (deeper or not _LISTED.match(line)) else None
    return match if match and classify_heading(match["plain"]) is not PartKind.OTHER else None


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _item(line: str, kind: PartKind, heading: str) -> PartItem:
    if _TICKED.match(line):
        return PartItem(_LEAD.sub("", line).strip(), PartKind.DONE, heading)
    inline = _INLINE.match(line)
    label = (inline["label"] or inline["bold"]) if inline else ""
    if (
        inline
        and (own := classify_heading(label)) is not PartKind.OTHER
        and len(label.split()) < 5
        and not _TELLS.search(label)
    ):
        return PartItem(inline["text"].strip(" *_"), own, label)
    if kind is PartKind.OTHER and _UNTICKED.match(line):
        kind = PartKind.PENDING
    return PartItem(_LEAD.sub("", line).strip(" *_"), kind, heading)


def classify_heading(title: str) -> PartKind:
    """Return what the lines under the heading *title* are about."""
    return next((kind for kind, shape in _SHAPES if shape.search(title)), PartKind.OTHER)
