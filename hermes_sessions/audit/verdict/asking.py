"""How a question asks for a value, in the languages that are read."""

import re
from collections.abc import Mapping
from typing import Final

from hermes_sessions.late_patterns import late_pattern

QUESTION_TOOL: Final = late_pattern(
    r"(?:^|[._-])(?:ask[_-]?user\w*|ask[_-]?(?:follow[_-]?up[_-]?)?questions?|askuserquestion|request[_-]?user[_-]?input|clarif\w*|question|user[_-]?input)$",
    re.I,
)
"""Names of tools that put a question to the user."""

WANTED: Final = late_pattern(
    r"\b(?:(?:please|could you|can you|would you) (?:tell|give|remind|send|name) (?:me|us)|i (?:no longer|don['’]t|do not) (?:have|know|remember|see) (?:the|your|which|what)|i (?:still )?need (?:to know|you to tell me))\b"
    r"|\b(?:(?:nenn\w*|sag\w*|gib|schick\w*) mir bitte|bitte (?:nenn\w*|sag\w*|gib|schick\w*) mir|ich (?:weiß|kenne|habe) (?:\w+ ){1,4}nicht mehr)\b"
    r"|\b(?:(?:rappelle|donne|indique|redonne)[sz]?-moi|pouvez-vous me (?:rappeler|donner|redonner|indiquer))\b|\b(?:recuérdame|dime|indícame|recuérdeme|dígame)\b|\b(?:ricordami|dimmi|mi ricordi)\b|\b(?:lembre-me|diga-me|me diga|me lembre)\b"
    r"|(?:напомни|подскажи|назови|скажи)(?:те)?\b|请(?:再)?(?:告诉|提供|给我)|教えてください|알려 ?주세요",
    re.I,
)
"""A value asked for without a question mark."""

ASKING_WORDS: Final = late_pattern(
    r"\b(?:which|what(?:['’]s)?|who(?:m|se)?|when|where|why|how|much|many|long|is|are|was|were|do|does|did|should|shall|would|could|can|will|have|has|had|you|your|i|me|my|we|us|our|it|its|the|a|an|of|for|to|on|in|at|by|from|with|again|please|tell|give|remind|send|name|need|know|remember|said|say|mentioned|agreed|set|use|used|using|listen(?:s|ing)?|run(?:s|ning)?|go(?:es)?|call(?:ed)?|exact(?:ly)?|still|longer|now|right|be|that|this|there|want|wanted)\b"
    r"|\b(?:welche[rsmn]?|was|wer|wen|wem|wann|wo|wohin|wie|viele?|hoch|lange?|ist|sind|war|waren|soll(?:en|te)?|kann|könnt?e?n?|hat(?:te)?|haben|wird|du|sie|ihr|ich|wir|mir|uns|der|die|das|den|dem|des|ein(?:e[rsmn]?)?|von|vom|für|zu[mr]?|auf|in|im|am|an|bei|mit|nochmal|noch|einmal|bitte|genau|denn|sag\w*|nenn\w*|lausch\w*|läuft|hör(?:t|en)|heißt|gib|es|nicht|mehr|weiß)\b"
    r"|\b(?:quel(?:le)?s?|quoi|qui|quand|où|comment|combien|est|sont|était|doit|dois|peut|pouvez|as|avez|tu|vous|je|nous|me|moi|le|la|les|l|un|une|du|des|de|d|à|au|aux|sur|en|dans|pour|avec|ce|que|qu|il|elle|déjà|encore|écoute\w*|tourne|appelle|rappel\w*|faut|t|s|se|y)\b"
    r"|\b(?:cuál(?:es)?|qué|quién|cuándo|dónde|cómo|cuánt[oa]s?|es|son|era|está|debe|debo|puede[s]?|tiene[s]?|el|los|las|una|del|al|por|para|con|su|tu|se|me|escucha|corre|llama|usa|hay)\b"
    r"|\b(?:qual[ei]?|che|cosa|chi|quando|dove|come|quant[oaie]|è|sono|di|il|lo|gli|della?|dell|dei|nel(?:la)?|sul(?:la)?|per|ascolta|si|chiama|gira|deve)\b"
    r"|\b(?:quais|quem|onde|quanto|é|são|foi|os|as|um|uma|do|da|dos|das|no|na|em|que|fica|escuta|roda|chama)\b"
    r"|\b(?:как(?:ой|ая|ое|ие|ом|ую|их|ого)?|что|кто|кого|когда|где|куда|сколько|на|в|во|у|для|по|с|о|об|это|был[аои]?|мне|нам|вы|ты|я|мы|ваш\w*|ещё|еще|раз|слуша\w+|работа\w+|называ\w+|напомни\w*|подскажи\w*|скажи\w*|нужн\w+|должен|должна)\b"
    r"|哪(?:个|一个|些|天)?|什么|多少|几|谁|在哪里?|何时|怎么|是|的|了|吗|呢|请|再|告诉|我|你|您|用|使用|监听|运行|应该|どの|どこ|いつ|誰|何|いくら|いくつ|です|ます|か|は|が|を|に|で|の|教えて|ください",
    re.I,
)
"""What a question is made of, and not about."""

_KINDS: Final[Mapping[str, str]] = {
    "port": r"\b(?:ports?|puertos?|portas?|porta)\b|\bпорт\w{0,3}\b|端口|ポート|포트",
    "host": r"\b(?:host(?:name)?s?|servers?|machines?|rechner|serveurs?|servidor(?:es)?)\b|\b(?:хост|сервер)\w{0,3}\b|主机|服务器|ホスト|サーバー?",
    "ip": r"\b(?:ip(?:[- ]?(?:address|adresse|addr))?|dirección ip|adresse ip|indirizzo ip)\b|\bip-адрес\w*|IP ?地址",
    "branch": r"\b(?:branch|zweig|branche|rama|ramo)\b|\bветк\w{1,3}\b|分支|ブランチ",
    "version": r"\b(?:versions?|versión|versão|versione|release)\b|\bверси\w{1,2}\b|版本|バージョン",
    "url": r"\b(?:url|link|web ?address|adresse|endpoint|enlace|lien|indirizzo|endereço)\b|\b(?:ссылк|адрес)\w{0,3}\b|网址|链接|地址|リンク",
    "email": r"\b(?:e-?mails?|mail(?:adresse)?|address|correo|courriel|adresse|indirizzo|endereço)\b|\b(?:почт|адрес)\w{0,3}\b|邮箱|邮件地址|メール",
    "money": r"\b(?:how much|price|cost|costs|amount|budget|fee|sum|deposit|rent|wie ?viel|preis|betrag|kostet|kosten|summe|budget|miete|kaution|combien|prix|montant|somme|loyer|cuánto|precio|importe|monto|presupuesto|quanto|prezzo|importo|preço|valor)\b|\b(?:сколько|цен|сумм|стоимост|бюджет)\w{0,3}\b|多少钱|价格|金额|预算|いくら|金額|予算",
    "date": r"\b(?:when|which (?:date|day)|what (?:date|day)|date|day|deadline|wann|datum|termin|tag|frist|quand|date|jour|échéance|cuándo|fecha|día|plazo|quando|data|giorno|scadenza|dia|prazo)\b|\b(?:когда|дат|срок|день|числ)\w{0,3}\b|什么时候|何时|哪天|哪一天|几号|日期|いつ|日付|期限",
    "time": r"\b(?:when|what time|which time|hour|wann|uhrzeit|um wie ?viel uhr|quand|heure|cuándo|hora|quando|ora|orario)\b|\b(?:когда|котор\w+ час\w*|врем)\w{0,3}\b|几点|什么时候|何時|いつ",
    "duration": r"\b(?:how long|how often|timeout|interval|wie lange|wie oft|combien de temps|cuánto tiempo|quanto tempo)\b|\bкак долго\b|多久|多长时间|どのくらい",
    "number": r"\b(?:how many|number|count|limit|wie ?viele|anzahl|zahl|combien|nombre|cuánt[oa]s|número|quant[ie]|quant[oa]s|numero)\b|\bсколько\b|\b(?:числ|количеств)\w{0,3}\b|多少|几个|いくつ",
    "percentage": r"\b(?:how much|percent(?:age)?|rate|discount|wie ?viel|prozent\w*|anteil|rabatt|combien|pourcentage|taux|remise|porcentaje|tasa|descuento|percentuale|sconto|percentagem|desconto)\b|\b(?:процент|скидк)\w{0,3}\b|百分|比例|折扣",
    "name": r"\b(?:who(?:m|se)?|names?|contact|wer|wen|wem|namen?|heißt|ansprechpartner\w*|qui|nom|s['’]appelle|quién|nombre|llama|chi|nome|chiama|quem|contato)\b|\b(?:кто|кого|кому|им[яе]|имени|зовут)\b|谁|名字|姓名|叫什么|誰|名前",
    "file_changed": r"\b(?:files?|paths?|where|datei\w*|pfad|wo|fichiers?|chemin|où|archivos?|ruta|dónde|file|percorso|dove|arquivos?|caminho|onde|ficheiro)\b|\b(?:файл|пут|где)\w{0,3}\b|文件|路径|在哪|ファイル|パス|どこ",
    "file_read": "",
    "path": "",
    "hash": r"\b(?:commit|hash|sha|checksum|prüfsumme|revision)\b|\bкоммит\w*|提交|コミット",
    "id": r"\b(?:id|ids|identifier|ticket|number|nummer|kennung|numéro|número|numero|order|case)\b|\b(?:номер|идентификатор)\w{0,3}\b|编号|工单|订单号|番号",
    "image": r"\b(?:images?|container|docker)\b|镜像|イメージ",
    "command": r"\b(?:commands?|befehl\w*|commande|comando)\b|\bкоманд\w{1,3}\b|命令|コマンド",
}
ASKED_KINDS: Final[Mapping[str, re.Pattern[str]]] = {
    kind: late_pattern(shape or _KINDS["file_changed"], re.I) for kind, shape in _KINDS.items()
}
"""Kinds of fact -> the words that ask for one."""
