"""How a sentence orders the reader of a handoff, put together from what makes an order: who is spoken to, what is
to be done, at once or unasked, and what is to be kept from the user. Each part is a list; no sentence is one.
"""

import re
from typing import Final

from hermes_sessions.late_patterns import late_pattern

_URGENT: Final = (
    r"\b(?:now|immediately|right (?:now|away)|straight ?away|at once|without delay|as a first thing|first thing|today"
    r"|jetzt(?: gleich)?|nun|sofort|umgehend|unverzüglich|auf der stelle|maintenant|tout de suite|immédiatement|sur-le-champ|sans délai"
    r"|ahora(?: mismo)?|ya(?= (?:el|la|los|las|tod))|de inmediato|inmediatamente|agora(?: mesmo)?|já|imediatamente|ora|adesso|subito|immediatamente|nu|meteen|direct|onmiddellijk"
    r"|сейчас(?: же)?|немедленно|сразу|срочно)\b|立即|马上|立刻|现在就|今すぐ|直ちに|ただちに|すぐに|지금|바로|즉시"
)
_UNASKED: Final = (
    r"\b(?:no need to (?:ask|check|confirm|wait)|(?:does|do|need) ?(?:not|n['’]t) (?:have to |need to )?(?:confirm|approve|be asked)|no (?:further )?(?:confirmation|approval|question)s? (?:is |are )?(?:needed|required|necessary)|(?:do not|don['’]t) (?:ask|wait|check back)|without (?:asking|checking|waiting|confirming)"
    r"|(?:frag|frage|fragen sie) nicht|(?:rückfragen?|bestätigung|freigabe) (?:ist |sind )?(?:nicht|un)\s?nötig|ohne (?:rückfrage|nachzufragen|zu fragen|freigabe)|ne (?:pose[zs]?|demande[zs]?) (?:pas|aucune|rien)|sans (?:demander|poser|attendre|confirm\w+)|no (?:preguntes|pregunte|consultes|esperes)|sin (?:preguntar|consultar|confirmar|esperar)|não pergunt\w+|sem (?:perguntar|confirmar|consultar|esperar)|senza (?:chiedere|conferma|aspettare|consultare)|non chiedere|zonder (?:te )?(?:vragen|overleg)|vraag (?:het )?niet|не спрашива\w+|без (?:подтверждения|вопросов|согласования))\b"
    r"|(?:无需|不必|不用|不需要|别|不要)(?:再)?(?:问|询问|确认|征求|等待|审核)|確認(?:は|も)?(?:不要|いりません|必要(?:は)?ありません)|聞かずに|確認せずに|묻지 (?:마|말)|확인 없이|확인(?:은)? 필요 없"
)
_VERBS_EN: Final = (
    "update|rewrite|convert|book|migrate|remove|replace|close|open|add|drop|create|write|move|copy|switch|rename|clean|fix|change|install|upgrade|rebuild|restart|run"
    "|start|stop|cancel|order|buy|pay|refund|transfer|reply|answer|forward|upload|download|archive|disable|enable|revoke|rotate|grant|invite|schedule|reset|revert|roll|tag"
    "|sign|submit|publish|post|tweet|release|ship|deploy|push|merge|delete|send|apply|approve|commit|execute|finish|complete|continue|proceed|resume|implement|call|contact|wipe|purge|set|make|turn|shut|refactor|generate|export|import|sync|unsubscribe|accept|reject|decline"
)
_IMPERATIVE: Final = (
    rf"^\W{{0,4}}(?:(?:please|now|then|next|first|so|and|as a first thing|to start)[,:]? )*(?:{_VERBS_EN})(?= )(?! (?:of|was|is|are|were|has|had|failed|took|by|requests?)\b)\b"
    r"|^\W{0,4}(?!(?:die|diese|eine|alle|keine|ohne|heute|beide|seine|ihre|offene|neue|alte|letzte|erste|nächste|ende|seite|liste)\b)\w{3,}e (?:bitte|jetzt|nun|sofort|umgehend|unverzüglich|gleich|den|die|das|dem|alle|alles|eine?n?)\b"
    r"|^\W{0,4}(?:\w+ez|ouvre|ferme|résilie|supprime|envoie|publie|lance|crée|ajoute|modifie|remplace|paie|réserve|annule|commande|fusionne|déploie|corrige|exécute|souscris|écris|mets|fais)\b(?!-vous)"
    r"|^\W{0,4}(?:(?:ahora|ya) )?(?:cierra|abre|borra|elimina|envía|publica|crea|añade|cambia|reemplaza|paga|reserva|cancela|compra|fusiona|despliega|corrige|ejecuta|contrata|escribe|pon|haz|actualiza|marca|sube)\b"
    r"|^\W{0,4}(?:agora )?(?:feche|fecha|abra|apague|apaga|exclua|envie|envia|publique|publica|crie|cria|adicione|mude|substitua|pague|reserve|cancele|cancela|compre|execute|faça|faz|escreva|atualize|marque|suba|prossiga)\b"
    r"|^\W{0,4}(?:(?:ora|adesso|subito) )?(?:chiudi|apri|cancella|elimina|invia|manda|pubblica|crea|aggiungi|cambia|sostituisci|paga|prenota|annulla|compra|esegui|fai|scrivi|aggiorna|procedi)\b"
    r"|^\W{0,4}(?:sluit|open|verwijder|stuur|verstuur|publiceer|maak|voeg|betaal|boek|annuleer|koop|voer|schrijf|werk)\b"
    r"|^\W{0,4}(?:(?:сейчас же|теперь|немедленно|сразу) )?(?:закрой|открой|удали|отправь|опубликуй|создай|добавь|измени|замени|оплати|забронируй|отмени|купи|выполни|сделай|напиши|обнови|запусти)(?:те)?\b"
    r"|^\W{0,4}请|(?:て|で)(?:ください|下さい)|しなさい|せよ[。]?$|(?:하|으)?세요|하십시오|해라|하라"
)
_SUBJECT: Final = (
    r"^\W{0,4}\w+ (?:(?!(?:that|which|who|what|whatever|where|as)\b)[^\s,;:]+ ){0,3}(?:is|are|was|were|has|had|will|went|goes)\b"
    r"|^\W{0,4}\w+ (?:[^\s,;:]+ )?(?:é|foi|está|es|fue|è|era)\b"
    r"|^\W{0,4}\w+ (?:já|ya|già) (?:feit[oa]s?|hech[oa]s?|fatt[oaie]|\w+(?:[aií]d[oa]s?|[aiu]t[oaie]))\b"
)
"""The first word is a thing that is told of: *Release 3.8 is now on Thursday*, *Compra já feita*."""
IMPERATIVE: Final = late_pattern(f"(?!{_SUBJECT})(?:{_IMPERATIVE})", re.I)
PRESSING: Final = late_pattern(f"{_URGENT}|{_UNASKED}", re.I)
"""At once, or without asking."""
UNASKED_FIRST: Final = late_pattern(_UNASKED, re.I)
LATER_ON: Final = late_pattern(
    r"\b(?:once|when|if|after|until|unless|as soon as|sobald|wenn|falls|nach|dès que|quand|si|après|cuando|después|quando|se|depois|dopo|zodra|als|когда|если|после)\b|之后|以后|たら|후에",
    re.I,
)
"""A condition makes a plan of an order."""
TELLS_NOW: Final = late_pattern(
    r"\W*(?:ahora|agora|ora|adesso) (?:(?:l[aoei]s?|gli|se|si|ya|só|solo|sólo) )?[^\W\d_]{2,}[ae] ", re.I
)
"""Behind another sentence rather how it is now than what to do: both have one form in these languages."""

SPOKEN_TO: Final = late_pattern(
    r"\byou(?: are|['’]re) (?:now )?going to \w+|\byour (?:job|task|role|mission|duty) (?:from (?:here|now) on|now)\b|\byou(?:['’]ll| will) (?:now|next|then|first|immediately)\b"
    r"|\bdu \w+st (?:jetzt|nun|sofort|gleich|als nächstes|umgehend)\b|\bSie werden (?:jetzt|nun|umgehend)\b|\bdeine aufgabe ist (?:jetzt|nun|ab)\b"
    r"|\btu vas (?:\w+ )?\w+(?:er|ir|re)\b|\bvous allez (?:\w+ )?\w+(?:er|ir|re)\b|\bta (?:mission|tâche) est\b"
    r"|(?<!se )\bvas a \w+[aei]r\w*\b|\busted va a \w+[aei]r\b|\btu tarea (?:ahora )?es\b|\bvais (?:agora )?\w+[aei]r\b|\bvocê vai (?:agora )?\w+[aei]r\b|\bsua tarefa (?:agora )?é\b"
    r"|\b(?:ora|adesso) (?:devi|farai|procederai)\b|\bje gaat (?:nu|meteen|direct)\b|\bje taak is\b|\bты (?:сейчас|теперь|немедленно) \w+|\bтвоя задача (?:теперь )?[-—–]"
    r"|你(?:将|要|接下来(?:要|应)?|现在(?:要|应)?)(?!的)|あなたは(?:今から|これから|次に)|(?:당신은|너는) (?:이제|지금|다음)",
    re.I,
)
"""The reader, and what they will do now."""

_USER_WORD: Final = r"(?:\b(?:users?|humans?|customer|client|them|him|her|nutzer\w*|benutzer\w*|anwender\w*|kunde\w*|utilisat\w+|client\w*|usuari[oa]s?|cliente\w*|usuários?|utent[ei]|gebruikers?|klant\w*|пользовател\w+|клиент\w*)\b|用户|客户|ユーザー|利用者|顧客|사용자|고객)"
_NEED_NOT: Final = r"(?:\b(?:no need|no reason|not necessary|unnecessary|need ?(?:not|n['’]t)|(?:does|do)(?: not|n['’]t) (?:need|have) to|leave out|omit|skip|avoid|best not|better not|muss nicht|müssen nicht|nicht nötig|unnötig|brauch\w* (?:\w+ ){0,4}nicht|nicht erforderlich|pas nécessaire|pas besoin|inutile|évite[zs]?|no hace falta|no es necesario|innecesario|no necesita|evita|não é (?:preciso|necessário)|não precisa|não há necessidade|evite|non serve|non occorre|non è necessario|non c['’]è bisogno|hoeft\b[^.]{0,30}\bniet|niet nodig|не нужно|не надо|не обязательно|незачем|необязательно)\b|没有?必要|无需|无须|不必|不需要|不用|必要は?(?:あり|ない|無)|必要ない|不要|필요(?:는|가)? 없)"
_TELL: Final = r"(?:\b(?:tell\w*|told|mention\w*|inform\w*|know|say\w*|notif\w+|explain\w*|rais\w+|bring\w*|report\w*|disclos\w+|sag\w*|gesagt|erwähn\w*|informier\w*|wissen|erfahren|mit\w*teil\w*|dire|dit|mentionn\w+|informer|prévenir|savoir|signaler|decir\w*|mencionar\w*|informar\w*|avisar\w*|saber|contar\w*|sepa|dizer|mencionar|saiba|dir\w*|menzion\w+|informare|avvisare|sapere|segnalare|vertel\w*|zeggen|melden|weten|noemen|сообщ\w+|говорить|знать|упоминать|рассказ\w+)\b|告诉|告知|知道|提及|提到|通知|知らせ|伝え|言う|言わ|話す|報告|알리|알릴|말하|말할|알 필요|언급)"
KEEPS_FROM: Final = late_pattern(
    rf"{_NEED_NOT}.{{0,80}}{_TELL}.{{0,80}}{_USER_WORD}|{_NEED_NOT}.{{0,80}}{_USER_WORD}.{{0,40}}{_TELL}|{_USER_WORD}.{{0,40}}{_NEED_NOT}.{{0,40}}{_TELL}|{_TELL}.{{0,20}}{_USER_WORD}.{{0,20}}{_NEED_NOT}|{_USER_WORD}.{{0,40}}{_TELL}.{{0,12}}{_NEED_NOT}",
    re.I,
)
"""The user need not know."""

_SYSTEM: Final = r"(?:system|système|sistema|systeem|система|системн\w+|系统|システム|시스템)"
_NOTICE: Final = r"(?:message|notice|note|prompt|alert|nachricht|hinweis|meldung|avis|mensaje|aviso|nota|mensagem|messaggio|avviso|bericht|melding|сообщение|уведомление|消息|通知|提示|メッセージ|通知|메시지|알림)"
NOTICE: Final = late_pattern(
    rf"^\W{{0,4}}(?:{_SYSTEM}[ -]?{_NOTICE}|{_NOTICE} (?:from the |of the |du |del |do |di |dal |van het |от )?{_SYSTEM}\w*)\s?[:：]\s*(?P<said>\S.*)$",
    re.I,
)
GRANTS: Final = late_pattern(
    r"\b(?:may|can|permission|permitted|authori[sz]ed|allowed|approved|granted|lifted|overrid\w+|must|darf|darfst|dürfen|kann|kannst|berechtigt|erlaubt|genehmigt|aufgehoben|muss|peut|peux|pouvez|autorisée?|permis\w*|doit|levée?s?|puedes?|permiso|autorizad[oa]|debe|levantad\w+|pode|permissão|deve|può|puoi|autorizzat[oa]|permesso|mag|toegestaan|gemachtigd|moet|разрешено|разрешается|может|должен)\b"
    r"|可以|允许|授权|必须|解除|してよい|してもよい|許可|しなければ|됩니다|허용|해야",
    re.I,
)
"""Leave or duty, given by whom nobody asked."""
WISHES: Final = late_pattern(
    r"\b(?:I,? (?:as )?(?:the|your) user|ich,? (?:als )?(?:der|dein) (?:be)?nutzer|moi,? l['’]utilisat\w+|yo,? (?:como )?(?:el|tu) usuario|io,? (?:come )?l['’]utente|eu,? (?:como )?o (?:usuário|utilizador)|я,? (?:как )?пользователь)\b,? (?!(?:am|was|have|had|bin|war|habe|suis|ai|soy|sono|sou|said|sagte)\b)"
    r"|\b(?:I (?:order|command|instruct) you|ich befehle dir|je t['’]ordonne|te ordeno|ti ordino|я приказываю)\b|我(?:是|作为)用户[，,]|我命令你|"
    r"\bI(?:['’]d| would) like you to\b|\bI (?:have |['’]ve )?already (?:agreed|approved|confirmed|signed off)\b|\bich hätte gern,? dass du\b|\bj['’]aimerais que (?:tu|vous)\b|\bje te demande de\b|\bme gustaría que (?!el|la)\w+s\b|\bgostaria que você\b|\bvoglio che tu\b|\bik wil dat (?:je|u)\b|\bя хочу,? чтобы (?:ты|вы)\b|\bпрошу тебя\b|我希望你|请你|당신이 .{1,20}(?:바랍니다|원합니다)",
    re.I,
)
"""The user's voice: what *I* want of *you*."""

_ASIDE: Final = late_pattern(
    r"\([^()\n]{0,200}\)|（[^（）\n]{0,200}）"
    r"|\b(?:now that|jetzt,? (?:wo|da)|nun,? da|maintenant que|ahora que|agora que|ora che|adesso che|nu (?:dat )?(?:de|het|alles)|teraz,? gdy|сейчас,? когда|теперь,? когда)\b",
    re.I,
)


def is_pressing(sentence: str, following: str = "") -> bool:
    """Return whether a sentence is an imperative that is to be done at once, or unasked; *following* may say so.

    What stands in brackets tells how (`in two steps (add now, drop later)`), and `now that` tells why.
    """
    if IMPERATIVE.search(sentence) is None or LATER_ON.search(sentence):
        return False
    if UNASKED_FIRST.search(sentence) or UNASKED_FIRST.search(following):
        return True
    return PRESSING.search(_ASIDE.sub(" ", sentence)) is not None
