"""What was done to the world, run as a command or told in words: what its line is worth more, or less. Pure.

To push, to scale or to delete has an effect that nobody can read again; to list or to test has none. The same
holds where somebody tells it: *ich habe ledger-sync neu gestartet*. Who says what he looks at next tells nothing.
"""

import re
from functools import lru_cache
from typing import Final

from hermes_sessions.compaction.economy.fact_lines import PATH_KINDS, STATEMENT, WHOLE_KINDS, FactLine
from hermes_sessions.facts.effects.command_lines import read_command
from hermes_sessions.facts.effects.values import LASTING, OUTWARD, Effect
from hermes_sessions.facts.values import FactKind
from hermes_sessions.facts.wording.change_shapes import NOT_CHANGED
from hermes_sessions.facts.wording.sieves import sieve
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_LASTING_GAIN: Final = 2.0
_OUTWARD_GAIN: Final = 2.5
_READING_LOSS: Final = 4.0
_CHECKING_LOSS: Final = 2.5
_TOLD_GAIN: Final = 2.5
_TOLD_VALUE_GAIN: Final = 1.0
"""Of a value in a sentence that tells of an effect: the value has a weight of its own."""

_REMEMBERED: Final = 65_536
_TOLD: Final = sieve(
    r"(?:\b(?:i|we)(?:['’]ve| have| had)?|^\W{0,3}(?:done[:,.] )?|[;,.] (?:and )?)(?: ?\b(?:also|now|then|just|already|manually|finally))? ?\b(?:restarted|rebooted|deployed|redeployed|rolled|pinned|filed|tagged|pushed|merged|published|released|reverted|scaled|dropped|migrated|triggered|promoted|rotated|revoked|disabled|enabled|killed|installed|upgraded|downgraded|uploaded|emailed|notified|booked|cancelled|locked|unlocked|restored|provisioned|drained|paused|resumed|applied)\b"
    r"|\b(?:i|we)(?:['’]ve| have)? (?:also |now |then |just |already )?(?:opened|raised|created|logged|closed) (?:\S+ ){0,4}(?:[A-Z]{2,}-\d|#\d|tickets?\b|issues?\b|incidents?\b|cases?\b|pr\b|pull request|merge request)"
    r"|\b(?:has|have) (?:now |just |already )?been (?:restarted|deployed|rolled (?:back|out)|pinned|published|released|reverted|scaled|dropped|migrated|promoted|rotated|revoked|disabled|installed|upgraded|restored)\b"
    r"|\b(?:ich habe|habe ich|wir haben|haben wir|(?:ist|sind|wurde|wurden)\b)(?: \S+){0,8}? (?:neu ?gestartet|hochgefahren|heruntergefahren|ausgerollt|deployt|veröffentlicht|zurückgerollt|zurückgesetzt|eingespielt|ausgeführt|angelegt|eröffnet|gestoppt|skaliert|hochgeladen|verschickt|migriert|festgesetzt|festgenagelt|gepinnt|gemergt|getaggt|gepusht|installiert|abgeschaltet|gesperrt|freigegeben|wiederhergestellt)\b"
    r"|\b(?:ya )?(?:desplegu|reinici|relanc|lanc|ejecut|publiqu|cre|borr|elimin|fij|escal|instal|migr|apliqu|envi|restaur|actualic|desactiv|activ|etiquet)é\b|\bya (?:desplegu|reinici|relanc|lanc|ejecut|publiqu|apliqu|migr|instal|restaur)e\b|\b(?:revertí|abrí|subí)\b|\b(?:he|hemos) (?:desplegado|reiniciado|relanzado|lanzado|ejecutado|publicado|fijado|escalado|instalado|migrado|aplicado|enviado|restaurado|revertido|abierto|subido|detenido)\b"
    r"|\b(?:j['’]ai|nous avons|on a) (?:\S+ )?(?:relanc|lanc|déploy|redéploy|démarr|redémarr|publi|appliqu|exécut|fig|épingl|annul|restaur|migr|pouss|fusionn|envoy|arrêt|désactiv|activ|install|promu|ouver)[ée]?\w{0,2}\b"
    r"|\b(?:reiniciei|implantei|publiquei|executei|apliquei|fixei|instalei|migrei|reverti|enviei|abri o|subi)\b|\b(?:ho|abbiamo) (?:\S+ )?(?:riavviato|distribuito|pubblicato|eseguito|applicato|fissato|installato|migrato|ripristinato|inviato|aperto|rilasciato|fermato)\b"
    r"|(?:已|我)(?:经)?(?:手动)?(?:将.{1,30})?(?:执行|部署|重启|发布|回滚|合并|推送|开通|上线|扩容|缩容|停用|启用|锁定|升级|降级|迁移|恢复)|(?:重启|部署|发布|回滚|上线|扩容|迁移)了"
    r"|(?:再起動|デプロイ|実行|リリース|ロールバック|適用|マージ|プッシュ|停止|起動|固定|移行)し(?:ました|た|済)"
    r"|(?:재시작|배포|실행|릴리스|롤백|적용|병합|푸시|중지|고정|이전)(?:했|하였|완료)"
    r"|\b(?:перезапустил|развернул|выкатил|запустил|применил|откатил|влил|запушил|завёл|завел|остановил|зафиксировал|закрепил|опубликовал|отправил|перен[её]с)(?:а|и)?\b"
    r"|أعدت تشغيل|نشرت|شغلت|نفذت|तैनात किया|चलाया|शुरू किया|\b(?:yeniden başlattım|dağıttım|yayınladım|çalıştırdım|geri aldım|sabitledim)\b",
    re.I,
)  # fmt: skip
_COMPOSE: Final = late_pattern(r"\bdocker compose (?:-\S+ \S+ )?(?=[a-z])")
"""Its `logs` and `ps` look as those of the program itself do."""

_FAILED: Final = sieve(
    r"\b(?:failed|fails|broke off|broke down|aborted|crashed|stopped|gave up|died)\b[^.!?]{0,40}?\b(?:with|at|on|code|status|signal|error)\b[^.!?]{0,20}?\d"
    r"|\b(?:fehlgeschlagen|abgebrochen|abgestürzt|gescheitert|brach|scheiterte|schlug)\b[^.!?]{0,60}?\d"
    r"|\b(?:fall[óo]|abort[óo]|se cay[óo]|échoué|planté|interrompu|fallito|interrotto|falhou|abortou)\b[^.!?]{0,60}?\d"
    r"|(?:失败|出错|中断|崩溃|失敗|エラー|실패|오류)[^。！？]{0,20}?\d",
    re.I,
)
"""A failure with its code, in words that are no line of a log."""

_NAMED: Final = late_pattern(r"\w[-_./:@]\w|\d|[\"'`«「“„]|[A-Z]{2,}")


_NARRATION: Final = late_pattern(
    r"(?i)\W{0,3}(?:ok(?:ay)?|now|first|next|then|so|well|good)?[, ]{0,2}(?:let me|let['’]s|i['’]ll|i will|i['’]m going to|i) (?:now |just |also |first )?"
    r"(?:look|check|search|open|read|compare|walk|go|see|inspect|scan|trace|follow|browse|have a look|take a look)\b"
    r"|\W{0,3}(?:ok(?:ay)?|gut|jetzt|nun|zuerst|erst|dann|als nächstes)?[, ]{0,2}(?:ich )?(?:sehe|schaue|prüfe|öffne|suche|lese|vergleiche|gehe|durchsuche)\b(?: ich)?"
    r"|\W{0,3}(?:bon|ok|maintenant|d['’]abord|ensuite|puis)?[, ]{0,2}(?:je vais|je) (?:regarde|vérifie|ouvr|parcour|cherche|lis|lire|compare|explor)\w*"
    r"|\W{0,3}(?:bien|ok|ahora|primero|luego|después)?[, ]{0,2}(?:voy a )?(?:mir|revis|abr|busc|le|compar|recorr|explor)(?:o|ar|ir|er)\b"
    r"|\W{0,3}(?:好的?|先|现在|接下来|然后|下面)[，, ]?(?:我)?(?:先|来|再|要|去)?(?:看|查|打开|读|比较|搜索|检查|浏览)"
)


def worth_of_effect(line: FactLine) -> float:
    """Return what it adds to a line that it did something to the world, or takes that it only looked."""
    if line.kind == FactKind.COMMAND:
        return _worth_of_command(line.text)
    wordless = " " not in line.text and line.text.isascii()
    if line.speaker == Role.TOOL or wordless or line.kind in PATH_KINDS:
        return 0.0
    if line.kind in WHOLE_KINDS and line.kind != STATEMENT:
        return 0.0
    if not tells_an_effect(line.text) and not (line.kind == STATEMENT and _FAILED.search(line.text)):
        return 0.0
    return _TOLD_GAIN if line.kind == STATEMENT else _TOLD_VALUE_GAIN


@lru_cache(maxsize=_REMEMBERED)
def _worth_of_command(text: str) -> float:
    effects = {step.effect for step in read_command(_COMPOSE.sub("docker ", text))}
    if effects & OUTWARD:
        return _OUTWARD_GAIN
    if effects & LASTING:
        return _LASTING_GAIN
    if effects and effects <= {Effect.READS}:
        return -_READING_LOSS
    return -_CHECKING_LOSS if Effect.CHECKS in effects else 0.0


@lru_cache(maxsize=_REMEMBERED)
def tells_an_effect(text: str) -> bool:
    """Return whether a sentence tells that something named was started, shipped, changed or opened."""
    if not _NAMED.search(text):
        return False
    found = _TOLD.search(text)
    if found is None:
        return False
    return text.rstrip()[-1:] not in "?？؟" and not NOT_CHANGED.search(text[: found.end()])


@lru_cache(maxsize=65_536)
def narrates(text: str) -> bool:
    """Return whether a sentence only tells what its speaker looks at next."""
    return _NARRATION.match(text) is not None
