"""How a summary says that something is kept, barred, limited or asked for first, in the languages that are read."""

import re
from typing import Final

from hermes_sessions.late_patterns import late_pattern

KEEPS: Final = late_pattern(
    r"\b(?:keep\w*|kept|stays?|remain\w*|preserv\w+|retain\w*|confidential|secret|private|exclu\w+|reserved|forbid\w*|forbidden|ban(?:ned|s)?|barred|withh\w+|must|ha(?:s|ve) to|needs?|go-ahead|sign-?offs?|approv\w+|(?:\w+[ -])?only|always|never|no|not to be|nobody|nothing|away from|internal|first|beforehand|off[- ]limits|not allowed|may not|until|unless|without)\b"
    r"|\b(?:bleib\w*|behalt\w*|behält|unangetastet|unverändert|vertraulich|geheim|tabu|\w*verbot\w*|untersagt|ausgeschlossen|voraus\w*|vorher|zuerst|gesperrt|brauch\w*|nötig|soll\w*|muss|müssen|darf|dürfen|nur|nie|niemals|immer|kein\w*|niemand|ohne|erst|ausschließlich|stets)\b"
    r"|\b(?:rest(?:e|ent|er)|gard\w+|conserv\w+|confidentiel\w*|exclu\w*|réserv\w+|interdi\w*|tenu\w*|approuv\w+|valid\w+|d['’]abord|préalable\w*|faut|doi(?:t|vent)|jamais|uniquement|seulement|aucun\w*|sans|toujours|ne (?:rien|pas) \w+r)\b"
    r"|\b(?:conserv\w+|mantene?r?|mantien\w+|guardar?|reserv\w+|confidencial\w*|exclu\w+|vedad\w+|sol[oa]|sólo|siempre|nunca|ning\w+|debe\w*|nada|prohib\w+|antes de|hasta|se queda\w*)\b"
    r"|\b(?:rest(?:a|ano|are)|riman\w+|tenut\w+|conservat\w+|riservat\w+|esclus\w+|vietat\w+|fuori|sempre|mai|nessun\w*|solo|dev\w+|può|senza|bisogna)\b|\b(?:guardad\w+|manter\w*|mantid\w+|fora|algum\w?|nenhum\w?|só|somente|apenas|dev\w+|nunca|proibid\w+|sem)\b"
    r"|\b(?:blijv?\w*|moet\w*|mag|mogen|geen|nooit|alleen|horen|hoort|verboden|vooraf|eerst|niets|zonder|altijd)\b|\b(?:сохран\w+|остав\w+|оста\w+ся|запре\w+|храни\w*|сначала|нельзя|никогда|только|всегда|нужно|без|должн\w+)\b"
    r"|\b(?:unchanged|untouched|intact|as (?:it|they) (?:is|are|was|were)|at most|no more than|maximum|max|limit\w*|cap(?:ped)?|höchstens|maximal|wie (?:es|sie|er) ist|inchangé\w*|intacte?s?|au (?:plus|maximum)|tel(?:le)?s? quel\w*|intact[oa]s?|sin cambios|como máximo|tal como está\w*|inalterad[oa]s?|no máximo|como está\w*|invariat[oaie]|al massimo|così com\w+|ongewijzigd|hoogstens|без изменений|не (?:более|больше))\b"
    r"|\b(?:requir\w*|demand\w*|insist\w*|rather than|instead of|verlang\w*|statt|exig\w*|plutôt|en vez|в?место|требу\w+|ник(?:ак|ом|то|уда|огда)\w*|ни одн\w+|nie|tylko|nigdy|bez|zawsze|musi|wymaga|asla|hiç|sadece|yalnızca)\b"
    r"|\b(?:still|continu\w+|ceiling|precis\w+|necesita\w*|requer\w*|richied\w*|nécessit\w+|weiterhin|nach wie vor|sigue\w*|ainda|ancora|nog steeds|по-прежнему|остаётся|остается)\b|仍|照旧|继续|引き続き|여전히"
    r"|不变|不动|最多|不超过|以内|そのまま|まで$|그대로|최대"
    r"|仅|只限|保留|保密|外传|须|不得|禁止|不要|不能|不可|必须|一律|之前|のみ|限り|保持|秘密|厳禁|残す|禁止|必ず|こと$|ない|금지|만|ممنوع|فقط|يجب",
    re.I,
)
"""Words of a sentence that may say a rule in other words."""

ONE_STEP: Final = late_pattern(
    r"\b(?:not yet|yet|for now|right now|this time|today|tonight|tomorrow|in this (?:commit|draft|version|pass)|in the meantime|meanwhile)\b|\b(?:noch nicht|vorerst|diesmal|heute|morgen früh|heute abend|zwischenzeitlich)\b|\b(?:pas encore|pour l['’]instant|cette fois|aujourd['’]hui|ce soir)\b|\b(?:todavía no|aún no|por ahora|esta vez|hoy|esta noche|mientras tanto)\b"
    r"|\b(?:ainda não|por enquanto|desta vez|hoje|hoje à noite)\b|\b(?:non ancora|per ora|questa volta|oggi|stasera)\b|\b(?:nog niet|voorlopig|deze keer|vandaag|vanavond)\b|\b(?:пока не|в этот раз|сегодня)\b|先不|(?:改成|改为|换成|改用)[^。]*(?:不要|别|不用)[^。]*了|暂时|今天|这次|まだ|今回|今日",
    re.I,
)
"""What holds for this step only."""

NOT_YET: Final = late_pattern(
    r"\b(?:yet|for now|for the moment|right now|noch (?:nicht|nichts|kein\w*)|vorerst|erst mal|erstmal|fürs erste|pas encore|encore rien|rien encore|pour (?:l['’]instant|le moment)|todavía|aún|por (?:ahora|el momento)|ainda|por (?:enquanto|agora)|non ancora|ancora (?:niente|nulla)|niente ancora|per (?:ora|adesso)|nog (?:niet|niets|geen)|voorlopig|jeszcze nie|na razie|пока|ещё не|еще не|henüz|şimdilik)\b|先(?:不|别)|暂时|まだ|今は|아직|지금은|ليس بعد",
    re.I,
)
"""What is barred for now, until its time comes."""

LASTING: Final = late_pattern(
    r"\b(?:never|ever|always|nobody|no[ -]one|nothing (?:may|must|shall|gets|goes|is|leaves)|every\b|each|forbidden|prohibited|off[- ]limits|not allowed|must(?:n['’]t| not)|may (?:not|only|never)|may\b.{0,40}\bonly|not to be|under no circumstances|hands off|read-only|(?:without|before|needs?|requires?)\b.{0,60}\b(?:approval|permission|consent|sign-?off|review|asking|ok(?:ay)?)|only (?:after|when|if|with|use|via|through|by)|is only|are only|no more than|at most|exceed|keep \w+.{2,40} (?:under|below|within)|confidential|no new|you (?:can|must|have to|should) (?:only|never|always))\b"
    r"|\b(?:nie|niemals|immer|niemand\w*|jede[rsnm]?|verboten|untersagt|tabu|keinesfalls|auf keinen fall|(?:darf|dürfen)\b.{0,80}\b(?:nicht|nichts|kein\w*|nur|niemand|erst|nirgend\w*)|nur (?:nach|mit|über|wenn|noch)|erst (?:nach|wenn|nachdem)|ohne\b.{0,60}\b(?:freigabe|zustimmung|genehmigung|rücksprache|rückfrage|erlaubnis|absprache|ok)|höchstens|maximal|schreibgeschützt|ausschließlich|nirgend\w*|überhaupt nicht)\b"
    r"|\b(?:jamais|toujours|personne|chaque|interdit\w*|défense|ne (?:doi(?:t|vent)|peu(?:t|vent)) (?:pas|jamais|rien|être)|aucun\w*|(?:sans|avant)\b.{0,40}\b(?:accord|autorisation|validation|approbation)|uniquement|seule?s? .{1,40}(?:peut|doit)|lecture seule|pas plus de|au maximum|tout(?:e)? .{2,60} doit)\b"
    r"|\b(?:nunca|jamás|siempre|nadie|cada|prohib\w+|ning[uú]n\w*|no (?:se )?(?:debe|puede|permite)\w*|(?:sin|hasta|antes)\b.{0,40}\b(?:permiso|aprobación|autorización|confirmación|consultar|avisar)|solo lectura|únicamente|como máximo)\b"
    r"|\b(?:sempre|ninguém|nenhum\w*|proibi\w+|não (?:deve|pode)\w*|(?:sem)\b.{0,40}\b(?:aprovação|autorização|permissão|consultar|falar)|só (?:pode|depois)\w*|somente|no máximo|qualquer)\b"
    r"|\b(?:mai|nessun\w*|ogni|vietat\w+|non (?:deve|devono|può|possono|bisogna|si deve|si può)|senza\b.{0,40}\b(?:permesso|approvazione|autorizzazione|consenso|chiedere)|(?:può|possono|deve|devono)\b.{0,20}\bsolo|solo (?:dopo|se|con))\b"
    r"|\b(?:nooit|altijd|niemand|elke?|verboden|(?:mag|mogen)\b.{0,60}\b(?:niet|geen|niets|alleen|nooit)|zonder\b.{0,40}\b(?:toestemming|overleg\w*|akkoord|goedkeuring))\b"
    r"|\b(?:никогда|всегда|никто|никому|каждый|кажд\w+|запре\w+|нельзя|только (?:после|с|по|через)|без\b.{0,40}(?:подпис\w*|согласи\w*|разрешени\w*|одобрени\w*))"
    r"|绝不|绝对|永远|一律|禁止|不得|严禁|不许|不准|必须|任何|每次|每个|未经|总是|所有|只能|决不|都要|不要(?!了)|切勿|絶対|決して|必ず|常に|禁止|厳禁|一切|いかなる|ないでください|てはいけ|てはなら|毎回|すべて|절대|항상|반드시|금지|모든|दिन|कभी|हमेशा|ممنوع|أبدا|دائما|يجب|kesinlikle|asla|her zaman|her\b|يمنع|मत ",
    re.I,
)
"""Words of a rule that holds for all that follows."""

BANS_FIRST: Final = late_pattern(
    r"^(?:\W{0,3}(?:(?:please|also|and|but|bitte|und|auch|por favor|per favore|s['’]il (?:te|vous) pla[iî]t|important|note|remember|reminder|by the way|ok|пожалуйста)[,:]? ){0,3})(?:do(?: not|n['’]t)|avoid|stop \w+ing|no \w+|keine?|ne (?!pas encore)\w+(?:e|es|s|ez) (?:pas|rien|plus)|n['’]\w+ (?:pas|rien)|no (?!le |la |lo |les )\w+(?:es|as|en|an)|não \w{3,}(?:e|em)|non \w{3,}(?:re|te)|не \w+(?:ть|й|йте)|be careful not|(?:\w+e?) (?:\S+ ){0,5}(?:nichts?|nie|kein\w*)\b)",
    re.I,
)
"""A ban that stands by itself, not at the end of something to do."""

REJECTS: Final = late_pattern(
    r"\b(?:reject\w*|declin\w+|ruled out|turned down|discard\w+|verworfen|verwirft|abgelehnt|lehnt|refus\w+|écart\w+|rejet\w+|rechaz\w+|descart\w+|recus\w+|rejeit\w+|rifiut\w+|scart\w+|respint\w+|afgewezen|geweigerd|odrzuc\w+|отклон\w+|отказ\w+|відхил\w+|reddet\w+|avvis\w+|afvist\w*)\b|否决|拒绝|却下|거부",
    re.I,
)
"""Words of a sentence that says what was not taken."""
