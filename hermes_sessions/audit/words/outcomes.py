"""How people say that work is finished, unfinished, called off or replaced."""

import re
from typing import Final

from hermes_sessions.facts.speech.stops import SentenceCut
from hermes_sessions.facts.wording.heads import fold_case, is_in
from hermes_sessions.facts.wording.sieves import sieve
from hermes_sessions.late_patterns import late_pattern

FINISHED: Final = sieve(
    r"^\W*(?:i|we)(?:['’]ve| have)? (?:just |now |also )?(?!need|want|start|look|tri|fail|plan|ask|notic|attempt)\w{2,}ed\b|^\W*(?!need|fail|start|plan|attempt|block|stopp)\w{2,}ed[:.,]"
    r"|^\W*(?:i|we)(?:['’]ve| have) (?:just |now |also )?(?:re|over|un)?(?:written|built|made|sent|set|put|taken|found|drawn|run|cut|sold|bought|paid|laid|hung|swept|split|wound)\b"
    r"|^\W*(?:ya )?(?:he|hemos) (?!empezado|comenzado|intentado|podido|querido|tenido|sido|estado)(?:\w{2,}(?:ado|ido)|\w*(?:escrito|hecho|puesto|suelto|bierto))\b"
    r"|\b(?:is|are|was|were|has been|have been)(?: (?!not\b|still\b|being\b)\w+){0,3} (?!need|requir|block|plan|schedul|expect|stopp|fail|limit|suppos|delay|paus|start|reject|confus|us)\w{2,}ed\b"
    r"|\b(?:ist|sind|wurden?|habe|haben|hat)\b[^.!?\n]{1,80}?\b(?!begonnen|gestartet|geplant|angefangen|gescheitert)(?:\w{0,8}ge\w{2,}(?:t|en)|\w{3,}iert|(?:über|ver|er|be|ent)\w{3,}t)(?=[.!,;]|$| und\b)"
    r"|\b(?:a été|ont été|est|sont|j['’]ai)(?: \w+){0,2} (?!prév|bloqu|commenc)\w{2,}(?:ée?s?|ite?s?)\b|\bà jour\b"
    r"|\b(?:está|están|fue|fueron|ha sido|han sido|foi|foram)(?: \w+){0,2} (?!bloquead|previst|planead)\w{2,}(?:[ai]d[oa]s?|hech[oa]s?|escrit[oa]s?)\b"
    r"|\b\w{4,}(?:ено|ены|ена|ано|аны|ана|ён)\b|已(?!经?开始)[\u4e00-\u9fff]|(?<!始め)(?<!開始し)(?<!失敗し)ました(?:[。！]|$)"
    r"|\b(?:done|finished|completed?|fixed|deployed|sent|ready|shipped|merged|committed|pushed|pass(?:es|ed)?|green|resolved|implemented|created|written|updated|added|migrated|renamed|removed|deleted|published|booked|here (?:is|are|it is)|works (?:now|again)|closed|installed|translated|moved|upgraded|ordered|answered|reported|exists?|existiert|existieren|bestellt|beantwortet|commandée?s?|encargad[oa]|encomendad[oa])\b"
    r"|\b(?:erledigt|fertig|behoben|abgeschlossen|läuft wieder|funktioniert (?:jetzt|wieder)|umgestellt|gesendet|verschickt|erstellt|gebucht|bereit|repariert|korrigiert|übersetzt|hier ist|gelöscht|aktualisiert|veröffentlicht|geschrieben)\b"
    r"|\b(?:terminée?s?|finie?s?|c['’]est fait|fait|corrigée?s?|envoyée?s?|prête?s?|réservée?s?|déployée?s?|voici|résolue?s?|créée?s?|ajoutée?s?|migrée?s?)\b"
    r"|\b(?:listo|lista|hecho|terminad[oa]|completad[oa]|arreglad[oa]|corregid[oa]|enviad[oa]|pasa|pasan|desplegad[oa]|aquí (?:está|tienes)|migrad[oa]|resuelt[oa]|reservad[oa]|cread[oa])\b"
    r"|\b(?:pronto|pronta|feito|feita|concluíd[oa]|terminad[oa]|corrigid[oa]|enviad[oa]|resolvid[oa]|implantad[oa]|aqui está|criad[oa]|passa|passam)\b"
    r"|\b(?:fatt[oa]|finit[oa]|completat[oaie]|corrett[oaie]|inviat[oaie]|risolt[oaie]|creat[oaie]|aggiunt[oaie]|aggiornat[oaie]|rinominat[oaie]|spostat[oaie]|eliminat[oaie]|pubblicat[oaie]|prenotat[oaie]|sistemat[oaie]|tradott[oaie]|funziona (?:ora|adesso|di nuovo)|ecco)\b"
    r"|\b(?:готово|готов[аы]?|сделано|исправлен[оа]?|завершен[оа]?|завершён|отправлен[оа]?|выполнен[оа]?|закончил\w*|перенесен[аоы]?|перенесён|проход[ия]т|создан[аоы]?|заказан[аоы]?|обновлен[аоы]?|вот)\b"
    r"|已完成|完成了|已修复|修好了|好了|已部署|已发送|搞定|通过了?|已更新|已订购|已下单|已创建|已迁移|完了|できました|修正しました|送信しました|済みです|済ませ|通りま|注文しました|作成しました|移行しました|완료했|완료됐",
    re.I,
)
UNFINISHED: Final = sieve(
    r"\b(?:not (?:yet|done|finished|complete|working|ready|fixed)|n['’]t (?:work|pass|finish|complete)|still|partial(?:ly)?|half[- ]?(?:way|done)|blocked|remaining|remains?|left to do|almost|nearly|in progress|working on|started|next (?:comes?|is|are|up|step)|looking (?:for|into)|waiting|will (?:now|next|then|continue)|fails?|failing|failed|unable|could(?: not|n['’]t)|cannot|except|but)\b"
    r"|\b(?:noch nicht|noch offen|teilweise|zur Hälfte|fast|blockiert|fehlt|fehlen|schlägt fehl|schlagen fehl|arbeite an|begonnen|suche|warte|konnte nicht|aber)\b"
    r"|\b(?:pas encore|en cours|partiellement|presque|bloqué\w*|reste|restent|échou\w*|je cherche|j['’]ai commencé|mais)\b"
    r"|\b(?:todavía|aún|parcial\w*|casi|bloquead\w*|faltan?|fall[ao]n?|estoy|pero|ainda|quase|falta[m]?|estou|mas)\b"
    r"|\b(?:non ancora|ancora (?:no|da|manca\w*)|quasi|parzialmente|in parte|in corso|manca(?:no)?|bloccat[oaie]|fallisc\w+|sto|però|ma)\b"
    r"|\b(?:ещё не|еще не|пока|частично|почти|осталось|ищу|начал\w*|падает|не удалось|но)\b"
    r"|还没|尚未|未完|正在|部分|失败|还有|但|まだ|途中|一部|失敗|探しています|しています|ですが|が、",
    re.I,
)
"""Words that take back part of what FINISHED says."""

STILL_BROKEN: Final = late_pattern(
    r"^\W{0,3}(?:no\b|nope|wrong|that['’]s not|it (?:still|does ?n['’]t|is ?n['’]t|fails)|still\b|again\b|not (?:yet|quite|right)|nein\b|falsch|immer noch|noch nicht|geht nicht|non\b|faux|toujours pas|no,|sigue|todavía no|não\b|ainda não|нет\b|неверно|всё ещё|не работает|不对|还是|没有|いいえ|まだ|違)",
    re.I,
)
"""How a user begins who is not content with what was called finished."""

CANCELLED: Final = late_pattern(
    r"\b(?:forget(?: about)?|scratch (?:that|it|this)|cancel|never ?mind|drop|scrap|abandon|abort|skip|stop(?! by)(?: working on| the| doing)?|no longer need(?:ed)?|do(?: not|n['’]t) need|don['’]t (?:do|bother)|not needed any ?more|leave .{0,40} for now|discard|(?:decided?|voted) against|call off|put .{0,40} on hold|(?:is|are|was|were)(?: now)? (?:off|cancell?ed|called off|on hold|scrapped|dropped|postponed)|instead of|rather than)\b"
    r"|\b(?:vergiss|vergesst|abbrechen|brich|storniere?|streiche?|lass(?:en|t)? .{0,40}(?:sein|weg|bleiben)|nicht mehr (?:nötig|nötig|gebraucht)|brauchen? (?:wir |ich )?.{0,40} nicht mehr|brauchen? kein\w* .{1,40} mehr|kein\w* .{1,40} mehr (?:nötig|gebraucht)|(?:ist|sind|wird|wurden?) (?:gestrichen|abgesagt|abgeblasen|hinfällig)|hör auf|stopp\w*|verwirf|statt|anstatt|anstelle)\b"
    r"|\b(?:oublie[zs]?|annule[zs]?|laisse[zs]? tomber|abandonne[zs]?|arrête[zs]?|plus besoin|au lieu d[eu]|plutôt que)\b"
    r"|\b(?:olvida\w*|cancela\w*|anula|descarta|deja de|para de|ya no (?:necesit\w+|hace falta|\w{2,}(?:es|as)\b)|en (?:vez|lugar) del?|abandona)\b"
    r"|\b(?:esqueça|esquece|cancele|pare de|não preciso mais|não precisa mais|em vez d[aeo]s?|desista|abandone|descarte)\b"
    r"|\b(?:забудь\w*|отмен(?:и\w*|я\w*|ён\w*|ен\w*)|брось|прекрати\w*|останови\w*|больше не (?:нужн\w+|надо)|не нужн[оаы]? больше|вместо)\b"
    r"|取消|忘掉|忘了|算了|别再|停止|放弃|不用.{0,12}了|别[\u4e00-\u9fff]{2,12}了|先放下|搁置|不[\u4e00-\u9fff]{1,3}了|不需要.{0,12}了|不再需要|中止|やめて|キャンセル|取りやめ|忘れて|不要になり|もう必要な|代わりに|잊어|취소|그만",
    re.I,
)
"""Words that call work off; what is called off is in the same clause."""

INSTEAD: Final = late_pattern(
    r"instead of|rather than|\b(?:statt|anstatt|anstelle)|au lieu d|plutôt que|en (?:vez|lugar) del?|em vez d[aeo]s?|invece d\w+|вместо|代わりに",
    re.I,
)
JOINED: Final = late_pattern(r"\s(?:and|und|et|y|e|и|а)\s", re.I)
"""Where a clause may go on with something else to do."""

NEEDED: Final = late_pattern(
    r"\b(?:no longer|any ?more|needs?|needed|brauchen?|gebraucht|mehr|nötig|plus|besoin|necesit\w+|hace falta|precis\w+|mais|нужн\w+|надо|больше)\b|不再|需要|不用|不需要|もう|必要",
    re.I,
)
"""What surrounds the object of `we do not need X any more`."""

FILLER: Final = late_pattern(
    r",? \b(?:(?:that|which) )?(?:i|we) (?:mentioned|asked (?:for|about)|wanted|talked about|spoke (?:of|about)|had in mind)(?: \w+){0,3}|\b(?:after all|any ?more|any longer|for now|right now|at all|today|(?:this|next) (?:year|month|week|time)|doch|dieses Jahr|erst mal|finalement|cette année|al final|este año|este ano|por ahora|por enquanto|afinal|пока|в этом году)\b",
    re.I,
)
"""What ends a clause that calls something off, and names nothing."""

RATHER: Final = late_pattern(
    r"\b(?:haremos|hacemos|pondremos|usaremos|vamos a|faremos|fazemos|vamos|facciamo|faremo|prendiamo|on (?:fait|prend|fera)|faisons|machen wir|nehmen wir|we(?:['’]ll| will) (?:do|make|build|have)|lieber|besser|bitte|please|rather|better|just|then|instead|now|dann|jetzt|puis|luego|ahora|depois|agora|потом|теперь|mejor|melhor|plutôt|mieux|лучше|давай)\b",
    re.I,
)
"""Where what takes the place of the other begins."""

CLAUSE: Final = SentenceCut(r"(?<=[.!?;,:])\s+|\s[–—-]\s|[。！？；，、]|\n")
NOTHING: Final = late_pattern(
    r"^\W*(?:none|nothing|n/?a|no (?:active|pending|open|current)\b.*|keine?r?|nichts|aucune?|rien|ninguna?|nada|nenhum\w*|无|没有|なし|ありません|нет|ничего)(?:\W*$|\s?[;,.:；，。（(–—])",
    re.I,
)
CLOSED_ITEM: Final = late_pattern(
    r"\b(?:was|were|has been|have been|already) (?:\w+ )?(?!need|request|ask|plan|schedul|expect)\w{3,}ed\b|\b(?:was|were|has been|have been|is|are|already|now) (?:\w+ )?(?:done|finished|completed?|fixed|deployed|sent|stopped|cancell?ed|dropped|abandoned|superseded|replaced|merged|migrated)\b|\((?:done|completed?|cancell?ed|dropped)\)|\b(?:wurde|ist|sind) .{0,40}(?:erledigt|abgeschlossen|abgebrochen|verworfen|fertig|gestoppt)\b|\b(?:annulé|terminé|abandonné)e?s?\b|\b(?:cancelad|terminad|completad|concluíd)[oa]s?\b|отмен[её]н|выполнен|готово|已完成|已取消|已停止|完了|中止|取り消",
    re.I,
)
"""An item that says itself that it is over."""

AGAIN: Final = late_pattern(
    r"\b(?:again|once more|redo|retry|repeat|resend|re-?run|nochmal|noch einmal|erneut|wiederhol\w*|encore|à nouveau|refai\w*|otra vez|de nuevo|repite|novamente|outra vez|repita|снова|ещё раз|еще раз|повтори\w*)\b|再|重新|もう一度|再度|다시",
    re.I,
)
"""The user wants it done once more."""

_FAILED_FIELD = late_pattern(
    r'"(?:exit_code|exitCode|returncode)"\s*:\s*(?:[1-9]|-)|"(?:success|ok)"\s*:\s*false|"(?:is_)?error"\s*:\s*(?:true|"[^"]+|\{)|"status"\s*:\s*"(?:error|failed)"',
    re.I,
)
_FAILED_LINE = late_pattern(
    r"^\W{0,3}(?:error|fatal|failed|permission denied|traceback|exception)\b", re.I | re.M
)
_FAILED_HEADS: Final = ("error", "fatal", "failed", "permission denied", "traceback", "exception")
"""One of them is in everything that `_FAILED_LINE` matches."""
_FAILED_WORDS = late_pattern(
    r"\b(?:exit code|exited with(?: code)?|returned) [1-9]|\brejected\b|command not found|timed out|could not|unable to|denied",
    re.I,
)


def has_failed(result: str) -> bool:
    """Return whether a tool's result says that nothing came of the call."""
    if _FAILED_FIELD.search(result):
        return True
    folded = fold_case(result)
    if is_in(_FAILED_WORDS, result, folded):
        return True
    return any(one in folded for one in _FAILED_HEADS) and _FAILED_LINE.search(result) is not None
