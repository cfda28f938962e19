"""Conversations of ten compactions with rules planted in them, and what must become of each rule.

`rules.txt` has the rules in eight languages; here they are said by whoever sets them, carried
by handoffs in several frames, and dropped from one compaction on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hermes_sessions.audit.spans import cut_conversation
from hermes_sessions.audit.values import AuditedSession, AuditMessage, CompactionFacts, ConversationCase
from hermes_sessions.handoff import render_handoff

COMPACTIONS = 10
PER_CHAIN = 5
_DATA = Path(__file__).parent
_NOISE: dict[str, Sequence[str]] = {
    "en": (
        "How far is the importer?",
        "The importer reads 1,204 rows; two of them were never used.",
        "Thanks, next file.",
    ),
    "de": (
        "Wie weit ist der Import?",
        "Der Import liest 1.204 Zeilen, zwei davon waren leer.",
        "Danke, nächste Datei.",
    ),
    "fr": (
        "Où en est l'import ?",
        "L'import lit 1 204 lignes, deux étaient vides.",
        "Merci, fichier suivant.",
    ),
    "zh": ("导入进行到哪里了？", "已读取 1204 行，其中两行为空。", "谢谢，下一个文件。"),
    "es": ("¿Cómo va la importación?", "La importación lee 1.204 filas.", "Gracias, siguiente."),
    "ja": ("インポートはどこまで進みましたか？", "1204行を読み込みました。", "ありがとう、次へ。"),
    "pt": ("Como vai a importação?", "A importação lê 1.204 linhas.", "Obrigado, próximo arquivo."),
    "ru": ("Как идёт импорт?", "Прочитано 1204 строки, две из них пустые.", "Спасибо, следующий файл."),
}
_LOG = "2026-03-01 10:00:01 WARN pool exhausted, must not happen\n2026-03-01 10:00:02 INFO retry 1"
_CODE = (
    "def close(self):\n    # never call this twice\n    if self.done:\n        raise Failed('only once')\n"
)
_FRAMES = (
    render_handoff,
    lambda body: f"Notes of the work so far.\n\n{body}",
    lambda body: f"<summary>\n{body}\n</summary>",
    lambda body: f"# Handoff\n\n{body}\n\nEnd of notes.",
)


@dataclass(frozen=True)
class PlantedRule:
    """A rule, who says it, how handoffs tell it, and the compaction (from 1) that drops it, 0 for none."""

    language: str
    speaker: str
    text: str
    told: str
    lost_by: int


def planted_rules() -> list[PlantedRule]:
    lines = [line for line in (_DATA / "rules.txt").read_text("utf-8").splitlines() if line[:1] != "#"]
    found = []
    for number, line in enumerate(lines):
        language, speaker, text, told = line.split("|")
        lost_by = (number * 7) % (COMPACTIONS + 3)
        found.append(PlantedRule(language, speaker, text, told, lost_by if lost_by <= COMPACTIONS else 0))
    return found


def chains() -> Iterator[tuple[Sequence[PlantedRule], ConversationCase]]:
    rules = planted_rules()
    for start in range(0, len(rules), PER_CHAIN):
        chosen = rules[start : start + PER_CHAIN]
        yield chosen, a_chain(chosen, frame=start // PER_CHAIN % len(_FRAMES))


def a_chain(rules: Sequence[PlantedRule], frame: int = 0) -> ConversationCase:
    """Return a conversation of eleven sessions, the rules said in its first."""
    counter = iter(range(1, 10_000))
    sessions, compactions = [], []
    noise = _NOISE[rules[0].language]
    rows = [row for rule in rules for row in _said(rule, noise)]
    for ordinal in range(1, COMPACTIONS + 2):
        placed = [
            replace(row, id=key, original=row.original or key) for row in rows if (key := next(counter))
        ]
        if ordinal <= COMPACTIONS:
            last = placed[-1].id
            placed = [replace(row, archived_by=None if row.id == last else ordinal) for row in placed]
        sessions.append(_session(ordinal, placed))
        if ordinal > COMPACTIONS:
            break
        body = _body(rules, ordinal, noise)
        raw = _FRAMES[frame](body)
        handoff = AuditMessage(
            id=next(counter), position=0, original=0, role="user", kind="handoff", handoff=raw
        )
        handoff = replace(handoff, original=handoff.id)
        kept = replace(placed[-1], archived_by=None)
        rows = [handoff, replace(kept, id=0), *_talk(noise)]
        compactions.append(
            CompactionFacts(
                id=ordinal,
                ordinal=ordinal,
                realisation="rotation",
                status="committed",
                session=ordinal + 1,
                parent=ordinal,
                child=ordinal + 1,
                method="model",
                handoff=handoff.id,
                summary=body,
            )
        )
        # the handoff keeps the id that its compaction names
        counter = iter((handoff.id, *range(handoff.id + 1, 10_000)))
    return cut_conversation(sessions, compactions)


def _said(rule: PlantedRule, noise: Sequence[str]) -> Iterator[AuditMessage]:
    if rule.speaker == "tool":
        yield _row("user", noise[0])
        yield _row("tool", rule.text)
    elif rule.speaker == "system":
        yield _row("user", noise[0])
        yield _row("system", rule.text)
    elif rule.speaker == "assistant":
        yield _row("user", noise[0])
        yield _row("assistant", f"{noise[1]} {rule.text}")
    else:
        yield _row("user", f"{noise[2]} {rule.text}")
    yield from _talk(noise)


def _talk(noise: Sequence[str]) -> Iterator[AuditMessage]:
    yield _row("user", noise[0])
    yield _row("tool", _LOG)
    yield _row("tool", _CODE)
    yield _row("assistant", noise[1])


def _body(rules: Sequence[PlantedRule], ordinal: int, noise: Sequence[str]) -> str:
    kept = [rule.told or rule.text for rule in rules if not rule.lost_by or ordinal < rule.lost_by]
    lines = "\n".join(f"- {one}" for one in kept) or "- none"
    return f"## Progress\n{noise[1]}\n\n## Constraints\n{lines}\n\n## Files\nsrc/importer.py was read."


def _row(role: str, text: str) -> AuditMessage:
    return AuditMessage(id=0, position=0, original=0, role=role, text=text)


def _session(key: int, rows: Sequence[AuditMessage]) -> AuditedSession:
    placed = [replace(row, position=at) for at, row in enumerate(rows)]
    parent = key - 1 or None
    return AuditedSession(key=key, foreign_id=f"session-{key}", parent=parent, rows=placed)
