"""How people say that what failed is over. Values only."""

import re
from typing import Final

from hermes_sessions.facts.wording.sieves import any_sieve, sieve
from hermes_sessions.late_patterns import late_pattern

BARE_CODE: Final = late_pattern(
    r"\W*(?:process |command |program )?(?:(?:exited|finished|ended|failed)(?: with)?(?: (?:exit|status|return))*(?: (?:code|status))?"
    r"|(?:exit|return|status)[ _-]?(?:code|status|value)?|returncode|rc)\W{0,4}-?\d{1,3}\W*",
    re.I,
)
"""A bare code of a program, without what it was of."""

LET_PASS: Final = sieve(
    r"\bxfail|\bmark\.skip|@(?:unittest\.)?skip|\bit\.skip\(|\bexpected failure|#\[ignore\]", re.I
)
"""A test that is expected to fail, or left out."""

WORKS: Final = sieve(
    r"\b(?:works|runs|passes|builds|starts|is (?:back )?up|is green|are green|all green) (?:now|again|fine)?"
    r"|\b(?:läuft|laufen|funktioniert|geht|gehen) (?:jetzt|wieder|nun)\b|\b(?:marche|fonctionne|passe|passent)(?:nt)? (?:maintenant|de nouveau|à nouveau)"
    r"|\b(?:ya |ahora |agora |já )(?:funciona\w*|pasa\w*|passa\w*|arranca)|\bora (?:funziona|passa)\w*"
    r"|\b(?:теперь|снова) (?:работает|проход\w+)|(?:能|可以)(?:运行|用)了|恢复正常|通过了|動くように|動きま",
    re.I,
)
"""What failed works again."""

_SLOT: Final = r"(?:(?!(?:not|never|still|barely|nicht|nie|noch|kaum|pas|jamais|no|nunca|aún|todavía|não|ainda|non|ancora|не|ещё)\b)\w+ )?"
RECOVERED: Final = any_sieve(
    r"\b(?:recovered|restored|resolved|ran through|went through|succeeded|cleared up|healthy again|back (?:up|online|to normal)|no longer (?:fails?|occurs?|happens?)|(?:no|without)(?: any| more| further)? (?:errors?|failures?)"
    rf"|(?:is|are|was|were|has been|have been|now) {_SLOT}(?:ready|healthy|fixed|closed|created|up again|back|online|reachable|available|in place))\b",
    rf"\b(?:wiederhergestellt|behoben|fehlerfrei|erfolgreich|durchgelaufen|ohne (?:einen |weitere )?Fehler|keine Fehler(?: mehr)?|(?:ist|sind|wurden?|jetzt|nun) {_SLOT}(?:bereit|erreichbar|verfügbar|geschlossen|angelegt|erstellt|da))\b",
    rf"\b(?:rétablie?s?|résolue?s?|corrigée?s?|sans (?:aucune )?erreurs?|plus d['’]erreurs?|(?:est|sont|a été|ont été|maintenant) {_SLOT}(?:prête?s?|disponibles?|de retour|créée?s?|joignables?|fermée?s?|en ligne))\b",
    rf"\b(?:restablecid[oa]s?|recuperad[oa]s?|resuelt[oa]s?|resolvid[oa]s?|restaurad[oa]s?|restabelecid[oa]s?|sin (?:ningún )?errore?s?|sem (?:nenhum )?erros?|ya no (?:falla|ocurre|da error)|(?:está|están|fue|fueron|ha sido|estão|foi|foram) {_SLOT}(?:list[oa]s?|pront[oa]s?|disponibles?|disponíve(?:l|is)|cread[oa]s?|criad[oa]s?|cerrad[oa]s?|fechad[oa]s?|en línea|no ar))\b",
    rf"\b(?:ripristinat[oaie]|risolt[oaie]|senza (?:alcun )?error[ei]|nessun errore|(?:è|sono|è stat[oa]|sono stat[ie]) {_SLOT}(?:pront[oaie]|disponibil[ei]|creat[oaie]|chius[oaie]|raggiungibil[ei]))\b",
    r"\b(?:восстанов(?:лен\w*|ил\w*)|исправлен\w*|устранен\w*|устранён\w*|реш[её]н[аоы]?|без ошибок|ошибок (?:больше )?нет|снова (?:доступ\w+|в строю)|больше не (?:падает|возникает)|создан[аоы]?|готов[аоы]?)\b",
    r"\b(?:przywrócon\w+|naprawion\w+|rozwiązan\w+|bez błęd\w+|utworzon\w+|gotow[eaiy]|hersteld|opgelost|zonder fouten|aangemaakt|beschikbaar|düzeldi|çözüldü|giderildi|hatasız|oluşturuldu)\b",
    r"已?恢复(?:了|正常)|已(?:经)?(?:解决|修复|创建|就绪|关闭)|(?:没有|不)再?(?:报错|出错)|无(?:错误|报错)|正常了|復旧し|解消(?:し|され)|解決し|エラー(?:なし|は出なく|はなく|なく)|作成(?:し|され)ました|복구(?:됐|했|되었|완료)|해결(?:됐|했|되었)|오류 없이|정상화|생성(?:됐|했|되었)|تم (?:إصلاح|حل|إنشاء|استعادة)|بدون أخطاء",
    flags=re.I,
)
"""What failed is well again, or what was missing is there."""

WHOLE: Final = sieve(
    r"\b(?:recovered|all clear|(?:incident|outage) (?:is |was )?(?:now )?(?:closed|over|resolved)|(?:störung|vorfall|ausfall)\b.{0,20}(?:behoben|vorbei|geschlossen)|(?:incident|panne)\b.{0,12}(?:clos|résolue?|terminée?)|(?:incidente|avería|falha)\b.{0,12}(?:cerrad[oa]|resuelt[oa]|resolvid[oa]|encerrad[oa])|(?:incidente|guasto)\b.{0,12}(?:chius[oa]|risolt[oa])|инцидент\b.{0,12}(?:закрыт|исчерпан)|(?:incydent|awaria)\b.{0,12}(?:zamknięt[ya]|usunięt[ya]))\b"
    r"|(?:故障|事故)(?:已经?)?(?:恢复|解除|解决)|(?:障害|インシデント)(?:は|が)?(?:復旧|解消|終了|クローズ)|장애(?:가|는)? ?(?:복구|해소|종료)",
    re.I,
)
"""The trouble as a whole is over."""

NOT_YET: Final = late_pattern(
    r"\b(?:will|would|should|could|can|may|must|shall|once|until|unless|if|when|whether|hopefully|(?<!due )to be|needs?|wait\w*|not|never|n['’]t|hardly|only some|partly)\b|n['’]t\b"
    r"|\b(?:wird|werden|würden?|sollten?|soll|kann|könnte|muss|wenn|sobald|bis|falls|ob|nicht|nie|erst|teils)\b|\b(?:sera|seront|serait|doit|devrait|peut|quand|dès que|lorsque|pas|jamais)\b"
    r"|\b(?:será[n]?|sería|debe\w*|puede\w*|pode\w*|cuando|hasta|quando|até|cuando|tan pronto|assim que|todavía|aún|ainda|não|non|sarà|saranno|dovrebbe|deve|appena)\b|\b(?:буд(?:ет|ут)|должн\w+|если|когда|пока|не)\b|\b(?:będzie|będą|jeśli|gdy|kiedy|nie|zal|wanneer|als|zodra|niet|olacak|eğer)\b"
    r"|还没|尚未|没有(?!再|报错|出错)|未能|如果|等|将|会|应该|まだ|ていない|たら|れば|予定|しないと|아직|않|면 |예정|لم |سوف|إذا",
    re.I,
)
"""What takes back, or puts off, that something is well again."""
