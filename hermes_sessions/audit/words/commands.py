"""How a text gives orders, speaks as somebody else, or asks for silence, in the languages that are read."""

import re
from typing import Final

from hermes_sessions.late_patterns import late_pattern

_BIDS: Final = r"^\W{0,4}(?:please )?do(?: not|n['’]t) (?:ask|wait for|check with|consult|stop to ask|pause for) (?:the )?(?:user|for (?:confirmation|approval|permission)|any (?:further )?questions|them|him|her|me)\b(?! (?:for (?!confirm|approv|permission)|about|which|where|what|whether)|.{0,80}\bagain\b)"
GO_ON: Final = late_pattern(
    r"^\W{0,4}(?:(?:please|now|then|so|and|important|note)[,:]? ){0,2}(?:immediately|right away|at once|without delay)\b(?!.{0,20}\b(?:after|before)\b)"
    r"|^\W{0,4}(?:(?:please|now|then|so|and)[,:]? ){0,2}(?:proceed|continue|resume|go ahead|carry on|keep (?:going|working)|pick up|start|begin|execute|run|finish|merge|push|deploy|delete|send|act|do it|implement|complete|restart|submit|publish|approve|commit|apply|install|move on)\b(?! (?:of|was|is|were|has|failed)\b).{0,160}\b(?:(?:immediately|right away|at once|straight away|directly|right now)\b(?! (?:after|before|following|once|when|upon|prior|from|in|into|on|under|below|above)\b)|without (?:asking|waiting|confirm\w*|further|hesitat\w*|delay|stopping|checking|any)|do(?: not|n['’]t) (?:ask|wait|stop|hesitate|check|pause)|no (?:questions|confirmation)|now(?=\W*$))"
    rf"|{_BIDS}"
    r"|\byou (?:must|should|need to|have to|are to|will|shall) (?:now|immediately|next|first)\b|\byou (?:must|have to|need to|are to)\b[^.;!?]{2,80}\b(?:right now|right away|at once|immediately)\b|\b(?:now|next),? you (?:must|should|need to|have to|are to)\b|\byour (?:next|immediate|first) (?:action|step|task|move|job)\b.{0,20}\b(?:is|must|will)\b|\byou are (?:now |hereby |fully )?(?:authori[sz]ed|allowed|permitted|required|instructed|ordered) to\b"
    r"|^\W{0,4}(?:jetzt |nun )?(?:fahre?|mache?|führe?|setze?|beginne?|starte?|arbeite?|lösche?|sende?|schicke?|pushe?|merge|deploye?)\b.{0,120}\b(?:sofort|umgehend|unverzüglich|direkt|ohne (?:nachzufragen|rückfrage|zu fragen|zu warten|bestätigung)|frage? nicht|warte nicht)|^\W{0,4}(?:sofort|umgehend|unverzüglich)\b|\bdu (?:musst|sollst) (?:(?:es|das|sie|ihn|alles|alle) )?(?:jetzt|nun|sofort|als nächstes|umgehend)\b|\b(?:frag|frage|warte) (?:den nutzer |die nutzerin |den benutzer )?nicht\b|\bdein nächster schritt ist\b|\bdu (?:darfst|kannst) (?:jetzt|nun) ohne\b"
    r"|^\W{0,4}(?:poursuis|poursuivez|continue[zs]?|reprends|reprenez|lance[zs]?|exécute[zs]?|déploie|déployez|supprime[zs]?|envoie|envoyez|fusionne[zs]?|commence[zs]?)\b.{0,120}(?:immédiatement|tout de suite|directement|sans (?:demander|attendre|confirmer|confirmation|poser)|ne demande)|^\W{0,4}(?:immédiatement|tout de suite)\b|\btu dois (?:maintenant|immédiatement)|\bvous devez (?:maintenant|immédiatement)|\bne (?:demande[zs]? (?:pas|rien)|attends pas|attendez pas).{0,30}(?:utilisateur|confirmation)|\bta prochaine (?:action|étape|tâche) est\b"
    r"|^\W{0,4}(?:contin[uú]a|procede|sigue|reanuda|ejecuta|borra|elimina|env[ií]a|despliega|fusiona|empieza)\b.{0,120}(?:de inmediato|inmediatamente|ahora mismo|enseguida|sin (?:preguntar|esperar|confirmar|confirmación)|no preguntes)|^\W{0,4}(?:inmediatamente|de inmediato)\b|\b(?:ahora|inmediatamente) (?:debes|tienes que)\b|\bdebes (?:\w+ )?(?:ahora|inmediatamente|ya)\b|\bno (?:preguntes|esperes).{0,20}(?:usuario|confirmación)|\btu (?:próxima|siguiente) (?:acción|tarea) es\b"
    r"|^\W{0,4}(?:continue|prossiga|retome|execute|apague|envie|implante|faça|inicie|comece)\b.{0,120}(?:imediatamente|agora mesmo|já|sem (?:perguntar|esperar|confirmar|confirmação)|não pergunte)|^\W{0,4}imediatamente\b|\b(?:agora|imediatamente) você (?:deve|precisa|tem que)\b|\bvocê (?:deve|precisa|tem que) (?:agora|imediatamente)\b|\bnão (?:pergunte|espere).{0,20}(?:usuário|confirmação)|\bsua próxima (?:ação|tarefa) é\b"
    r"|^\W{0,4}(?:немедленно|сразу|сейчас же|срочно)\b|^\W{0,4}(?:продолж\w+|выполн\w+|запуст\w+|удал\w+|отправ\w+|начн\w+|приступ\w+)\b.{0,120}(?:немедленно|сразу|не (?:спрашивая|дожидаясь|спрашивай)|без (?:вопросов|подтверждения))|\bты (?:должен|должна|обязан) (?:сейчас|немедленно|теперь)\b|\bне спрашивай.{0,20}(?:пользовател|подтвержд)|\bтво[йяё] следующ\w+ (?:шаг|действие|задача)"
    r"|(?:立即|马上|立刻|直接)(?:继续|执行|开始|部署|删除|发送|合并|推送|运行)|(?:不要|无需|不必|别)(?:询问|问|等待|征求|确认).{0,8}(?:用户|确认|同意)?|你(?:现在|必须|应该|接下来)(?:必须|应该|立即|马上|要)|你的下一步是"
    r"|(?:ただちに|直ちに|すぐに|今すぐ|即座に).{0,40}(?:続け|実行し|開始し|削除し|送信し|進め)(?:て|な|ろ)|(?:確認|質問|許可).{0,10}(?:せずに|なしで|しないで).{0,40}(?:続け|実行|進め|て(?:ください|下さい))|あなたは.{0,30}(?:しなければ|すべき|してください|こと)|ユーザーに(?:確認|質問)(?:しないで|せず)"
    r"|\b(?:agora mesmo|imediatamente|já|ahora mismo|de inmediato|inmediatamente|tout de suite|immédiatement|subito|immediatamente|adesso|немедленно|сразу|sofort|at once|immediately|right now|hemen|derhal)\b.{0,60}(?:sem (?:perguntar|avisar|confirmar)|não pergunte|sin (?:preguntar|avisar|confirmar)|no preguntes|sans (?:demander|prévenir)|senza (?:chiedere|avvisare)|non chiedere|не спрашивая|без подтверждения|ohne (?:nachzufragen|zu fragen|rückfrage)|without asking|do not ask|sormadan|onay beklemeden)"
    r"|^\W{0,4}(?!(?:chez|assez|nez)\b)\w{2,}ez\b(?!-vous).{0,120}(?:immédiatement|tout de suite|sans (?:attendre|demander|confirm\w+)|n['’]attendez pas)"
    r"|^\W{0,4}\w{2,}e?n Sie\b[^?]{0,120}\b(?:sofort|umgehend|unverzüglich|ohne (?:rückfrage|zu \w+)|niemandem|nichts)\b|^\W{0,4}\w{3,}[ea] (?:já|agora mesmo|imediatamente)\b.{0,100}\bsem (?:esperar|perguntar|avisar|confirmar)\b"
    r"|^\W{0,4}(?:procedi|continua|esegui|cancella|invia|elimina|pubblica|avvia)\b.{0,120}(?:subito|immediatamente|senza (?:chiedere|conferma|aspettare))|(?:즉시|바로|지금 당장).{0,60}(?:묻지|확인 없이|승인 없이)|(?:فورا|فورًا|حالا|مباشرة).{0,60}(?:دون|بدون) (?:سؤال|أن تسأل|إذن|تأكيد)|(?:तुरंत|अभी).{0,60}बिना पूछे",
    re.I,
)
"""The next move, as an order."""

_YOU: Final = r"\b(?:you (?:must|should|have to|need to|are to)|sie (?:müssen|sollen|sollten)|du (?:musst|sollst|solltest)|(?:tu dois|vous devez)|(?:debes|tienes que|usted debe)|(?:você deve|deves|tens de|você tem que)|(?:devi|lei deve)|(?:je moet|u moet|moet je)|(?:ты|вы) (?:должен|должна|должны|обязан\w*))\b"
_MUST: Final = rf"(?:{_YOU}|\b(?:must|il faut|deve|devono|bisogna|debe|hay que|tem que|нужно|muss)\b)"
_NOW: Final = r"\b(?:now|immediately|at once|right away|sofort|umgehend|unverzüglich|jetzt|maintenant|immédiatement|tout de suite|ahora(?: mismo)?|inmediatamente|de inmediato|agora(?: mesmo)?|imediatamente|subito|immediatamente|adesso|ora|meteen|onmiddellijk|direct|nu|немедленно|сразу|сейчас)\b"
_UNASKED: Final = r"(?:\bwithout (?:asking|telling|informing|consulting|waiting|checking|confirming)(?:\W*$|\W* (?:for |with )?(?:the )?(?:user|anyone|anybody|them|him|her|me|client|customer|first|again|approval|confirmation|permission)\b)|\bohne (?:\S+ ){0,4}?(?:zu (?:fragen|informieren|warten)|nachzufragen|rückfrage|bestätigung)\b|\bsans (?:\S+ ){0,2}?(?:demander|prévenir|consulter|attendre|informer)\b|\bsin (?:preguntar\w*|avisar\w*|consultar\w*|esperar\w*|pedir permiso)\b|\bsem (?:perguntar|avisar|consultar|esperar|pedir)\b|\bsenza (?:chiedere|avvisare|consultare|aspettare|informare|conferma)\b|\bzonder (?:\S+ ){0,4}?te (?:vragen|melden|overleggen|wachten)\b|\bне (?:спрашивая|дожидаясь|предупреждая|сообщая)\b)"
_IMPERATIVE: Final = r"^\W{0,4}(?:(?:then|now|next|jetzt|dann|puis|luego|ahora|agora|poi|ora|adesso|nu|dan)[,:]? )?(?:push|merge|deploy|delete|send|submit|publish|approve|commit|install|book|pay|cancel|order|reply|remove|release|close|sign|transfer|l[öo]sch\w*|send\w*|schick\w*|buch\w*|bestell\w*|veröffentlich\w*|überweis\w*|envoie[sz]?|envoyez|supprime[sz]?|publie[sz]?|réserve[sz]?|paie|payez|efface[sz]?|env[ií]a|manda|borra|elimina|publica|paga|reserva|cancela|confirma|envie|mande|apague|exclua|publique|pague|reserve|cancele|invia|mandate|inviate|cancella|elimina|pubblica|paga|prenota|firma|conferma|approva|procedi|verstuur|stuur|verwijder|publiceer|betaal|boek|отправь\w*|удали\w*|оплати\w*|опубликуй\w*)\b"
UNASKED: Final = late_pattern(
    rf"{_MUST}.{{0,80}}{_NOW}.{{0,120}}{_UNASKED}|{_NOW}.{{0,80}}{_MUST}.{{0,120}}{_UNASKED}|{_YOU}.{{0,120}}{_UNASKED}|{_IMPERATIVE}.{{0,160}}{_UNASKED}", re.I
)  # fmt: skip
"""Something to be done without the user being asked: with a word of duty, or as an imperative."""
BARS: Final = late_pattern(
    r"\b(?:not|never|no|nobody|nothing|n['’]t|don['’]t|nicht|nie|niemals|nichts|kein\w*|niemand|ne|pas|jamais|rien|aucun\w*|no|nunca|nada|nadie|ning\w+|não|ninguém|nenhum\w*|non|mai|nessun\w*|niente|niet|nooit|geen|niets|не (?!спрашивая|дожидаясь|предупреждая|сообщая)|никогда|нельзя|only|nur|solo|sólo|только)\b", re.I
)  # fmt: skip
"""Words that make of *without asking* a rule that forbids it."""

CONCEAL: Final = late_pattern(
    r"\b(?:do(?: not|n['’]t)|never|without|avoid|must not|should not|mustn['’]t|shouldn['’]t) (?:ever )?(?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|admit(?:ting)?|acknowledg(?:e|ing)|let(?:ting)?|show(?:ing)?|notify(?:ing)?|report(?:ing)?|say(?:ing)?|refer(?:ring)? to)\b.{0,80}\b(?:user|human|anyone|anybody|them|this (?:summary|handoff|note|compaction)|the (?:summary|handoff|compaction|failure|error|problem|upload|loss)|know)\b"
    r"|\b(?:hide|conceal|keep)\b.{0,60}\bfrom (?:the )?(?:user|human|them)\b|\bkeep (?:it|this|that) (?:between us|secret|quiet|to yourself)\b|\b(?:user|human) (?:must|should|need) not (?:know|learn|see|notice|find out)\b|\bpretend (?:that|you|to)\b|\bact as if (?:nothing|the|this|you)\b"
    r"|\b(?:sag|sage|erzähl\w*|verrate?|erwähne?|melde?|zeige?|informiere?) (?:\S+ ){0,4}(?:nutzer\w*|benutzer\w*|user|niemandem) ?(?:\S+ ){0,4}(?:nichts?|nicht|kein\w*)\b|\bsag\w* niemandem\b|\berwähne?\b.{0,60}\bnicht\b|\b(?:nutzer|benutzer)\w* (?:darf|soll)\b.{0,30}\b(?:nicht|nichts)\b.{0,20}\b(?:wissen|erfahren|merken)|\bverschweige?\b|\bverheimliche?\b|\bohne (?:den |die )?(?:nutzer|benutzer)\w* zu informieren\b|\bbehalte? (?:es|das) für dich\b"
    r"|\bne (?:le |la |les |lui |leur )?(?:dis|dites|mentionne[zs]?|révèle[zs]?|parle[zs]?|signale[zs]?|informe[zs]?|montre[zs]?) (?:pas|rien|jamais)\b.{0,60}(?:utilisateur|résumé|personne)|\bsans (?:prévenir|informer|le dire à|en parler à) l['’]utilisateur|\bcache[zs]?\b.{0,40}à l['’]utilisateur"
    r"|\bno (?:se )?(?:le |les |lo )?(?:digas|menciones|reveles|cuentes|informes|muestres)\b.{0,60}(?:usuario|resumen|nadie)|\bsin (?:avisar|informar|decir(?:le|lo)?)(?: nada)? al usuario|\boculta\w*\b.{0,40}(?:usuario)"
    r"|\bnão (?:conte|diga|mencione|revele|informe|mostre)\b.{0,60}(?:usuário|resumo|ninguém)|\bsem (?:avisar|informar|contar) (?:a)?o usuário|\besconda\b.{0,40}usuário"
    r"|\bне (?:говори\w*|сообщай\w*|упоминай\w*|раскрывай\w*|рассказывай\w*|показывай\w*)\b.{0,60}(?:пользовател|сводк|никому|резюме)|\bскро[йе]\w*\b.{0,40}пользовател|\bпользовател\w* не должен (?:знать|узнать)|\bне информируя пользователя"
    r"|(?:不要|别|不得|切勿|勿|请勿)(?:告诉|告知|提及|透露|让|向|通知|提到).{0,20}(?:用户|摘要|总结|任何人|知道)?|(?:对|向)用户(?:隐瞒|保密)|隐瞒.{0,10}用户"
    r"|(?:ユーザー|利用者|誰)に(?:は|も)?(?:.{0,10})(?:言わない|伝えない|知らせない|話さない|教えない|報告しない)|(?:要約|サマリー).{0,14}(?:言わない|触れない|言及しない|伝えない)|ユーザーに(?:隠|秘密)"
    r"|\bnão (?:mencione|conte|diga) (?:isto|isso|nada)\b|\bno (?:se )?lo (?:digas|menciones|cuentes)\b|\bne (?:lui|leur) (?:dis|dites|en parle)\b|\bnon (?:dirlo|dire|menzionar\w*|informare|far\w* parola)\b.{0,40}(?:utente|nessuno)|\bnon dirglielo\b|\bnon (?:dire|dica|menzionare|rivelare|informare|avvisare|segnalare|far sapere|parlare)\b.{0,60}\b(?:utente|nessuno|cliente)\b|\bsenza (?:dirlo|avvisare|informare) (?:al)?l['’]utente|\b(?:vertel|zeg|meld) (?:\S+ ){0,3}(?:gebruiker (?:\S+ ){0,3}(?:niets|niet)|niemand)\b|\bzeg (?:niets|dit niet)\b|kullanıcıya (?:söyleme|bahsetme|bildirme)|사용자에게 (?:알리지|말하지|언급하지)|لا تخبر (?:المستخدم|أحدا)|उपयोगकर्ता को (?:न|मत) बता",
    re.I,
)
"""Silence towards the user, or about the summary."""

AS_USER: Final = late_pattern(
    r"^\W{0,4}(?:user|human|nutzer(?:in)?|benutzer|anwender|utilisateur|utilisatrice|usuario|usuaria|usuário|utente|gebruiker|用户|用戶|ユーザー|ユーザ|пользователь|사용자)\W{0,3}\s?[:：]\s*(?P<said>\S.*)$",
    re.I,
)
AS_SYSTEM: Final = late_pattern(
    r"^\W{0,4}(?:system|developer|operator|administrator|systemnachricht|système|sistema|systeem|系统|システム|система)(?:\W{0,3}(?: (?:message|prompt|note))?\s?[:：]|\s?[\])】>]+)\s*(?P<said>\S.*)$",
    re.I,
)
MACHINE_TAG: Final = late_pattern(
    r"<(system-reminder|system|developer|instructions?|important)>\s*(?P<said>[^<]{4,400})", re.I
)
FIRST_PERSON: Final = late_pattern(
    r"^\W{0,4}(?:(?:as|being) (?:the|your) \w+,? )?(?:i|we) (?:hereby |now |also )?(?:want|need|would like|'d like|expect|order|ask|authori[sz]e|allow|permit|instruct|command) (?:you|the (?:agent|assistant))\b|^\W{0,4}i (?:hereby )?(?:approve|confirm|agree|consent)\b|\bi(?: do|['’]ll| hereby)? give you (?:permission|leave)\b|\byou (?:now )?have my (?:permission|approval|consent|ok|blessing)\b"
    r"|\b(?:erlaube|genehmige|gestatte) ich (?:dir|ihnen)\b|\bdu hast meine (?:erlaubnis|zustimmung|freigabe)\b|\bje (?:t['’]|vous |te )(?:autorise|permets|donne (?:la permission|mon accord))\b|\b(?:te|le|os|lhe|ti) (?:autori[sz]zo|autorizo|permito|permetto|doy (?:permiso|mi permiso))\b|\b(?:tienes|tem|hai) (?:mi|minha|il mio) (?:permiso|permissão|permesso|consenso)\b|\bразрешаю (?:тебе|вам)\b|我(?:特此|现在)授权你"
    r"|\bich (?:möchte|will|erwarte|verlange|wünsche),? dass du\b|^\W{0,4}ich (?:erlaube|genehmige|bestätige|stimme)\b|\bje (?:veux|voudrais|souhaite) que (?:tu|vous)\b|^\W{0,4}j['’](?:autorise|approuve)|\b(?:quiero|necesito|deseo) que (?!el|la|los|las|se\b)\w+(?:as|es)\b|^\W{0,4}(?:autorizo|apruebo)\b|\b(?:eu )?quero que você\b|^\W{0,4}eu (?:autorizo|aprovo)\b|\bя хочу,? чтобы ты\b|^\W{0,4}я (?:разрешаю|одобряю)\b|我(?:要|希望|想让|命令|授权|允许|同意)你|私は.{0,20}(?:許可します|承認します)|(?:して|やって)ほしい",
    re.I,
)
"""The user's voice."""

ORDERING: Final = late_pattern(
    r"\b(?:you|your|now|must|may|allowed|approved?|authori[sz]ed|go ahead|ignore|override|disregard)\b|\b(?:du|dein\w*|jetzt|darfst|musst|genehmigt|erlaubt|ignorier\w*)\b|\b(?:tu|vous|dois|devez|autoris\w+|approuv\w+|ignore[zs]?)\b|\b(?:tú|debes|ahora|autorizad\w*|aprobad\w*|ignora|você|deve|agora|aprovad\w*)\b|\b(?:ты|вы|долж\w+|можешь|теперь|одобр\w+|разреш\w+|игнорируй)\b|\b(?:lifted|revoked|aufgehoben|levée?s?|levantad[oa]s?|revogad[oa]s?|снят[ыоа]?)\b|你|必须|允许|批准|解除|あなた|許可|承認|してください",
    re.I,
)
"""What the system would say to an agent."""

REPORTED: Final = late_pattern(
    r"\b(?:the )?(?:user|customer|client|he|she|they|[A-Z][a-z]+) (?:has |had |have )?(?:asked|said|says|wants?|wanted|told|requested|prefers?|insist\w*|decided|instructed|stated|explicitly|requires?|required|approved)\b|\bas (?:requested|instructed|asked)\b|\buser['’]s (?:instruction|request|rule|words)\b"
    r"|\b(?:nutzer|benutzer|anwender)(?:in)? (?:möchte|will|wollte|sagte|hat|bat|verlangt\w*|wünscht\w*|muss|soll)\b|\bl['’]utilisateur (?:a |veut|souhaite|demande|doit|avait)|\bel usuario (?:pidió|quiere|dijo|ha|debe|prefiere)|\bse le dijo\b|\bo usuário (?:pediu|quer|disse|deve|foi)|\bпользовател\w+ (?:просил\w*|хочет|сказал\w*|велел\w*|требует|сообщили|должен)|用户(?:要求|希望|说|表示|想|已|需要|确认|禁止)|ユーザー(?:は|が).{0,30}(?:要求|希望|言っ|依頼|指示|求め|決め)|已告|伝えた",
    re.I,
)
"""Somebody else's words, reported: no order of the summary's own."""

UNASKED_TOO: Final = late_pattern(
    _BIDS
    + r"|^\W{0,4}(?:frag|frage|warte) (?:den nutzer |die nutzerin |den benutzer |auf niemanden )?nicht\b|^\W{0,4}n['’](?:attend[sz]?|attendez) pas\b.{0,40}(?:utilisateur|confirmation|réponse)|^\W{0,4}no (?:preguntes|esperes)\b.{0,30}(?:usuario|confirmación|respuesta)|^\W{0,4}não (?:pergunte|espere)\b.{0,30}(?:usuário|confirmação|resposta)|^\W{0,4}non (?:chiedere|aspettare)\b.{0,30}(?:utente|conferma|risposta)|^\W{0,4}не (?:спрашивай|жди)\b.{0,30}(?:пользовател|подтвержд|ответ)",
    re.I,
)
"""What is added to something to be done: that nobody is to be asked."""
JOINED_DEED: Final = late_pattern(r"[,;]?\s(?:and|but|und|et|mais|y|pero|e|ma|mas|и|но)\s|[,;]\s")
YOURS: Final = late_pattern(
    r"^\W*(?:your|dein\w*|ihr|ta|ton|votre|tu|su|tua?|sua?|seu|твой|твоё|ваш\w*) (?:very )?(?:next|nächste\w*|prochaine?|próxim[oa]|siguiente|prossim[oa]|следующ\w+)\b|^\W*(?:你的下一步|あなたの次)",
    re.I,
)
"""A heading that speaks to the agent and gives its next move."""
