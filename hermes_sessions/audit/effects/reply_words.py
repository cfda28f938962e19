"""How an agent says that it will do, or could not do, what was asked, or only took a look at it. Patterns only."""

import re
from typing import Final

from hermes_sessions.late_patterns import late_pattern

COURTESY: Final = late_pattern(
    r"^\W*(?:(?:absolutely|certainly|definitely|of course|sure(?: thing)?|great|thanks|thank you|yes|yep|hi|hello|ok(?:ay)?|alright|all right|got it|understood|noted|good (?:idea|question|point)|no problem|sorry|natürlich|gerne?|selbstverständlich|ja|kein problem|mach ich gern|danke|hallo|entschuldigung"
    r"|bien sûr|avec plaisir|volontiers|oui|pas de problème|merci|bonjour|désolée?|por supuesto|claro(?: que sí)?|con gusto|sí|sin problema|gracias|hola|perfecto|certamente|volentieri|sì|nessun problema|grazie|ciao|perfetto|com certeza|com prazer|sim|sem problema|obrigad[oa]|olá|perfeito"
    r"|natuurlijk|graag|zeker|geen probleem|dank je|oké|oczywiście|jasne|dobrze|pewnie|nie ma sprawy|dziękuję|rozumiem|tak|självklart|visst|gärna|javisst|okej|inga problem|tack|förstått|jaha|конечно|разумеется|да|без проблем|спасибо|извините|elbette|tabii(?: ki)?|peki|memnuniyetle|evet|sorun değil|teşekkürler)(?=\s*[:,.;!–—-]|\s*$)\s*[:,.;!–—-]*\s*)+"
    r"|^\W*(?:(?:当然|没问题|好的?|嗯|可以|明白了?|もちろん(?:です)?|はい|了解(?:です|しました)?|わかりました|承知(?:しました|いたしました)|かしこまりました|물론(?:입니다|이죠)?|네|알겠습니다|그럼요)[，,、。！!.\s]*)+",
    re.I,
)
"""Words that only take what was said."""

NOTED: Final = late_pattern(
    r"^\W*(?:(?:that['’]s |it['’]s |i['’]ve |i have )?(?:noted|agreed|understood|acknowledged|recorded|remembered)|got it|ok(?:ay)?|sure|will do|right|fine|of course"
    r"|(?:ist |habe ich )?(?:notiert|vermerkt|verstanden|gemerkt|abgemacht|einverstanden|vorgemerkt)|alles klar|klar|gut|in ordnung"
    r"|(?:c['’]est )?(?:bien )?(?:noté|entendu|compris|enregistré|reçu|convenu)|d['’]accord|très bien"
    r"|(?:queda |lo he |tomo |tomada )?(?:anotad[oa]|apuntad[oa]|entendido|registrad[oa]|nota)|de acuerdo|vale|muy bien|bien|claro"
    r"|(?:fica |está )?(?:anotad[oa]|combinado|registad[oa])|certo|tudo bem|(?:ho )?(?:annotato|capito|preso nota|segnato|inteso)|va bene|d['’]accordo|certamente"
    r"|genoteerd|begrepen|afgesproken|prima|notert|noterat|not alındı|anlaşıldı|tamam"
    r"|(?:понятно|принято|записал[аи]?|запомнил[аи]?|договорились|хорошо|ясно|учт[её]но))(?=\s*[:,.;!–—-]|\s*$)\s*[:,.;!–—-]*\s*"
    r"|^\W*(?:好的?|明白了?|收到|记下了?|已记下|记住了?|了解(?:了|しました)?|没问题|承知(?:しました|いたしました)|わかりました|かしこまりました|メモしました|알겠습니다|기록했습니다)[，,。：:！!\s]*",
    re.I,
)
"""How a reply takes note, or agrees."""

_LEAD: Final = (
    r"^\W*(?:(?:and|but|so|then|now|next|first|also|after that|before that|as a next step)[, ]+){0,2}"
)

PROMISES: Final = late_pattern(
    rf"{_LEAD}(?:(?:i|we)(?:['’]ll| will| shall)\b|(?:i['’]?m|i am|we['’]re|we are) (?:going to|about to|on it|(?:now |just |currently |still )*(?!missing|asking|suggesting|proposing|assuming|seeing|getting|thinking)\w{{3,}}ing)\b|i (?:plan|intend|need|have|want) (?:first )?to\b|i (?:can|could) (?:do (?:it|that|this)|start|begin)\b|i['’]d (?:like to|first)\b|let me\b(?! know)|let['’]s\b|on it\b|will do\b|working on (?:it|that)\b|right away\b|coming (?:right )?up\b|(?:one|just a) (?:moment|second|sec|minute)\b|give me (?:a|one)\b|hold on\b|hang on\b|stand by\b)"
    r"|^\W*(?:now |first |currently |still )?(?:look|check|work|read|start|begin|open|translat|add|writ|updat|fix|search|investigat|prepar|review)ing\b(?:(?!\b(?:is|are|was|were|gives?|gave|shows?|showed|takes?|took|fails?|failed|works?)\b)[^.!?\d]){0,80}(?:[.!…]|$)"
    r"|^\W*(?:(?:und|dann|also|aber) )?(?:ich werde|werde ich|mache? ich\b|wird (?:gemacht|erledigt)|bin (?:schon )?dran|ich (?:kümmere mich|fange|beginne|bin (?:gerade )?dabei|mache mich)\b|lass(?:en sie)? mich\b(?! wissen)|(?:einen |kleinen )?(?:moment|augenblick)\b|(?:als n(?:ä|ae)chstes|gleich|jetzt|nun|sofort|zuerst|zunächst|danach|anschließend|im nächsten schritt) \w+e ich\b)"
    r"|^\W*ich (?!habe|hatte|bin|war|würde|kann|konnte)\w+e\b[^.!?\n]{0,90}\b(?:jetzt|gleich|sofort|als n(?:ä|ae)chstes|zuerst|zunächst|erst(?: ?mal)?|danach|nun|anschließend|später|morgen|demnächst)\b"
    r"|^\W*(?:(?:d['’]abord|ensuite|maintenant|puis|alors)[, ]+)?(?:je vais\b(?! bien)|je (?:l[ea]s? |l['’]|m['’]en |m['’]y |m['’]|me |te |vous |en |y )?\w+rai\b|je (?:m['’]en (?:occupe|charge)|m['’]y mets|commence|suis en train)\b|laisse[zs]?-moi\b(?! savoir)|un (?:instant|moment)\b|tout de suite\b|c['’]est parti\b)|^\W*(?:d['’]abord|ensuite|maintenant)[, ]+je \w+|^\W*je (?!suis|ai)\w+[^.!?\n]{0,80}\b(?:d['’]abord|ensuite|tout de suite|maintenant|juste après)\b"
    r"|^\W*(?:(?:primero|luego|después|ahora|entonces)[, ]+)?(?:(?:voy|vamos) a\b|(?:l[oae]s? |me |te |se l[oa] )?(?!prep|comp|sep|rep|decl|acl|mir|ret|adm|gir|tir|asp|insp)\w+(?:aré|eré|iré|dré|haré)\b|haré\b|lo hago\b|déja(?:me|nos)\b(?! saber)|permíteme\b|enseguida\b|ahora mismo\b|un (?:momento|segundo)\b|me pongo\b|empiezo\b|en ello\b|est(?:oy|amos) (?:ahora )?\w+ndo\w*)|^\W*(?:primero|luego|después|ahora)[, ]+(?:l[oa] )?\w{3,}o\b"
    r"|^\W*(?:(?:prima|poi|ora|adesso|dopo|quindi)[, ]+)?(?:(?:l[oaie] |l['’]|ne |ci |mi |te l[oa] )?(?!però)\w+(?:erò|irò|arò|rrò|drò)\b|farò\b|sto (?:per|\w+ndo)\b|lo faccio\b|ci penso io\b|mi (?:metto|occupo)\b|(?:comincio|inizio|procedo)\b|lasciami\b|fammi (?!sapere)\w+|un (?:attimo|momento|secondo)\b|subito\b)|^\W*(?:prima|poi|ora|adesso|dopo)[, ]+(?:l[oa] )?\w{3,}o\b"
    r"|^\W*(?:(?:primeiro|depois|agora|em seguida|então)[, ]+)?(?:(?:eu )?(?:vou|vamos|irei)\b(?! bem)|(?:eu )?(?:[oa] )?\w+(?:arei|erei|irei)\b|farei\b|deixa(?:-me)?\b(?! saber)|deixe-me\b|(?:só )?um (?:momento|instante|segundo)\b|já (?:trato|faço|vou)\b|é para já\b|estou (?:agora )?(?:\w+ndo|a \w+r)\b)|^\W*(?:primeiro|depois|agora|em seguida)[, ]+\w{3,}o\b"
    r"|^\W*(?:ik (?:ga|zal)\b|ik (?!heb|had|ben|was|kon|kan|denk|vond|vind|zag)\w+\b[^.!?\n]{0,80}\b(?:eerst|nu|zo|straks|daarna|meteen|direct|hierna|vervolgens)\b|(?:eerst|nu|daarna|straks|vervolgens|dan) \w+ ik\b|ik begin\b|laat me\b(?! weten)|(?:een )?moment(?:je)?\b|komt (?:eraan|voor elkaar)|doe ik\b|ben ermee bezig)"
    r"|^\W*(?:(?:najpierw|teraz|zaraz|potem|następnie|już|za chwilę) )?(?:(?:się tym |to |tym )?(?!widzę|myślę|sądzę|proszę|wolę|radzę|\w+uję\b)\w{3,}ę\b|dodam\b|zacznę\b|będę\b|zajmę się\b|pozwól\w* mi\b|daj(?:cie)? mi chwilę|chwil[aęk]\w*|robi się|już się (?:biorę|robi))|^\W*(?:najpierw|teraz|zaraz|potem|następnie) \w{3,}(?:ę|am|em)\b"
    r"|^\W*(?:jag (?:ska|kommer att|tänker)\b|jag \w+r\b[^.!?\n]{0,80}\b(?:först|nu|sedan|strax|härnäst|direkt|genast|därefter|sen)\b|(?:först|sedan|nu|därefter|sen) \w+ jag\b|låt mig\b(?! veta)|ett ögonblick|det fixar jag|jag (?:fixar det|börjar|tar tag)\b|ska bli\b|det gör jag)"
    r"|^\W*(?:(?:сначала|сейчас|потом|затем|теперь|далее|сразу)[, ]+)?(?:я )?(?:сейчас |сразу |потом |сначала |его |её |это )*(?:буду \w+ть|займусь|начну|начинаю|приступ\w+ю|сделаю|переведу|посмотрю|проверю|гляну|взгляну|прочту|прочитаю|открою|добавлю|напишу|исправлю|обновлю|подготовлю|уже (?:делаю|работаю)|делаю|перевожу|дайте? мне|минутк\w|секунд\w|один момент)\b|^\W*(?:сначала|сейчас|потом|затем|теперь) (?:я )?\w{3,}(?:ю|у)\b|^\W*я (?:сейчас |сначала |потом )?(?!вижу|думаю|считаю|советую|рекомендую|предлагаю|могу|хочу|понимаю|знаю)\w{3,}(?:ю|у)(?:сь)?\b"
    r"|\b(?!\w*(?:mayaca|meyece))\w+(?:acağım|eceğim|acağız|eceğiz)\W*$|^\W*(?:şimdi|önce|sonra|hemen|birazdan)\b[^.!?\n]{0,90}\w+(?:yorum|eyim|ayım)\W*$|^\W*bir (?:dakika|saniye)|^\W*hemen\W*$"
    r"|^\W*(?:那)?(?:让我(?!知道)|接下来|下一步|马上|稍等|请稍(?:等|候)|正在|我(?:们)?(?:这就|马上|现在就?|先|会|来|去|将|要先|准备|打算|接下来|稍后|随后|接着|再)|(?:首先|先|然后|现在)我)(?!\S*[了过]$)"
    r"|^\W*(?:これから|今から|次に|まずは?|すぐに?|さっそく|後で|のちほど|では)[^。！？\n]*(?:ます|ましょう)(?:ね)?[。！!]?$|(?:翻訳|確認|対応|実施|修正|追加|作成|作業|着手|開始|調査|変更|更新|実行|検討|チェック)を?(?:いた)?します(?:ね)?[。！!]?$|(?:見て|やって)みます|やります|取りかかります|始めます|進めます|お待ちください|させてください|(?:翻訳|確認|対応|修正|追加|作成|作業|調査|更新)(?:して(?:い|お)ります|しています|中です)"
    r"|(?:겠습니다|(?:할|볼|둘|낼|줄|쓸|올릴|고칠|만들|시작할)게요?|할 예정입니다|하려고 합니다)[.!]*$|잠시만|조금만 기다|하고 있습니다|하는 중입니다",
    re.I,
)
"""What is only to be done, or under way, in one sentence."""

KEEPS: Final = late_pattern(
    r"\b(?:will|['’]ll|shall) (?:keep (?:it|that|this|to)\b|keep\b.{0,40}\bin mind|bear|remember|note\b|respect|follow|stick|honou?r|avoid|not\b|never\b|always\b|only\b|use\b|comply|refrain|be careful|take care|stop|wait|adhere|stay)|\bfrom now on\b|\bgoing forward\b"
    r"|\bich werde (?:mich daran|mir (?:das |es )?merken|(?:das |es |dies )?(?:beachten|berücksichtigen|nicht|nie|nutzen|verwenden)|darauf achten|daran denken|warten)|\bich (?:merke mir|achte darauf|halte mich|warte)\b|\bab (?:jetzt|sofort)\b|\bkünftig\b"
    r"|\b(?:tiendrai compte|respecterai|garderai|retiendrai|éviterai|souviendrai|utiliserai|suivrai|ferai attention|attendrai)\b|\bn(?:e |['’])\w+rai (?:pas|plus|jamais|rien)\b|\bdésormais\b|\bdorénavant\b"
    r"|\b(?:tendré|recordaré|respetaré|evitaré|usaré|seguiré|esperaré)\b|\bno (?:lo |la )?\w+ré\b|\ba partir de ahora\b|\b(?:terrò|ricorderò|rispetterò|eviterò|userò|seguirò|aspetterò|starò)\b|\bnon (?:lo |la )?\w+rò\b|\bd['’]ora in (?:poi|avanti)\b"
    r"|\b(?:terei|levarei|lembrarei|respeitarei|evitarei|usarei|seguirei|esperarei|vou (?:ter|usar|lembrar|respeitar|evitar|esperar|seguir))\b|\bnão (?:vou|\w+rei)\b|\ba partir de agora\b|\bik zal (?:er |daar |me |het |dat )*(?:rekening|onthouden|aan houden|niet|nooit|gebruiken|wachten|vermijden)|\bvoortaan\b"
    r"|\b(?:będę (?:pamiętać|pamiętał\w*|unikać|używać)|uwzględnię|nie będę|zastosuję|zapamiętam|użyję|poczekam|od teraz)\b|\bjag ska (?:komma ihåg|tänka på|inte|aldrig|hålla|använda|respektera|undvika|vänta)|\bhädanefter\b"
    r"|\b(?:учту|запомню|подожду|не буду|буду (?:учитывать|помнить|иметь|соблюдать|использовать|избегать)|впредь|отныне)\b|(?:dikkate alaca|aklımda tutaca|hatırlayaca|unutmayaca|uyaca|kullanaca|bekleyece|kaçınaca)\w*|\bbundan sonra\b"
    r"|我(?:们)?(?:会|将)?(?:记住|记下|注意|遵守|牢记|留意|避免|不会?|只|使用|用|按|等)|从现在(?:起|开始)|(?:気をつけ|守り|覚えておき|注意し|使い|従い|避け|お待ちし)ます|今後は?|(?:명심|기억|준수|주의|사용|유의)하겠|지키겠|따르겠|않겠|기다리겠|앞으로",
    re.I,
)
"""What is kept to from then on, or waited for: a rule is answered by that."""

FAILS: Final = late_pattern(
    r"\b(?:i|we)(?: still| unfortunately| also)? (?:could ?n['’]?t|could not|can['’]?t|can ?not|was ?n['’]t able|(?:was|am|were) not able|(?:was|am|were) unable|failed to|do ?n['’]t have (?:any )?(?:access|permission)|do not have (?:any )?(?:access|permission)|have no (?:access|permission)|am not (?:allowed|permitted)|ran into|hit an? (?:error|problem|limit))\b|\bi['’]m (?:not able|unable|not allowed)\b|\b(?:could not|couldn['’]t|cannot|can['’]t) be \w+(?:ed|en|d|t)\b|\b(?:permission|access) (?:was |is )?(?:denied|refused)\b|^\W*(?:it|this|that) (?:failed|did ?n['’]t work)\b"
    r"|\b(?:ich (?:konnte|kann|darf)|konnte ich|kann ich|(?:ließ|lässt) sich)\b[^.!?\n]{0,80}\b(?:nicht|kein\w*)\b|\bzugriff (?:wurde )?verweigert|\bkeine (?:berechtigung|rechte)\b|\bkeinen zugriff\b|\bist mir nicht gelungen|\bhat nicht (?:geklappt|funktioniert)|\bkonnten? nicht ge\w+ werden"
    r"|\bje (?:n['’]ai pas (?:pu|réussi|accès|le droit)|ne peux pas|n['’]arrive pas)\b|\bimpossible d(?:e |['’])|\baccès refusé|\bpermission (?:refusée|non accordée)"
    r"|\bno (?:pude|puedo|he podido|pudimos|logré|tengo (?:acceso|permiso))\b|\b(?:permiso|acceso) denegado|\bnon (?:ho potuto|posso|sono riuscit\w|riesco|ho (?:accesso|il permesso))\b|\b(?:permesso|accesso) negato|\bimpossibile \w+(?:re|rlo|rla)\b"
    r"|\bnão (?:pude|posso|consegui|consigo|foi possível|tenho (?:acesso|permissão))\b|\b(?:permissão|acesso) negad[ao]|\bik (?:kon|kan|mag|kreeg)\b[^.!?\n]{0,80}\b(?:niet|geen)\b|\bniet gelukt\b|\btoegang geweigerd|\bgeen (?:toegang|rechten)\b"
    r"|\bnie (?:mogłem|mogłam|mogę|udało (?:mi )?się|mam (?:dostępu|uprawnień)|jestem w stanie)\b|\bodmowa dostępu|\bbrak (?:dostępu|uprawnień)|\bjag (?:kunde|kan|får|lyckades)\b[^.!?\n]{0,80}\binte\b|\bdet gick inte\b|\båtkomst nekad|\bbehörighet saknas"
    r"|\bне (?:смогла?|могу|удалось|уда[её]тся|получилось|получается)\b|\bнет (?:доступа|прав)\b|доступ запрещ|отказано в доступе|\b\w+(?:amadım|emedim|amıyorum|emiyorum|amadık|emedik)\b|erişim (?:reddedildi|engellendi)|(?:erişim )?izn(?:im|i) (?:yok|reddedildi)"
    r"|无法|没能|未能|没有权限|权限(?:不足|被拒)|拒绝访问|打不开|读不到|(?:開け|読め|でき|アクセスでき)ません(?:でした)?|権限がありません|拒否され|수 없(?:습니다|었습니다|어요)|못했습니다|못 했습니다|권한이 없|거부되",
    re.I,
)
"""What could not be done."""

LOOKED: Final = late_pattern(
    r"^\W*(?:i|we)(?:['’]ve| have)? (?:just |now |already |first )?(?:read|looked|opened|checked|found|seen|saw|reviewed|started|begun|began)\b"
    r"|^\W*ich habe\b[^.!?\n]{0,60}\b(?:gelesen|angesehen|angeschaut|geöffnet|gefunden|angefangen|begonnen)\b|^\W*j['’]ai (?:lu|regardé|ouvert|vu|trouvé|parcouru|commencé)\b|^\W*(?:ya )?(?:he )?(?:leí|leído|visto|abierto|abrí|mirado|miré|revisado|revisé|empezado)\b"
    r"|^\W*ho (?:letto|guardato|aperto|visto|trovato|iniziato)\b|^\W*(?:já )?(?:li|abri|vi|olhei|comecei)\b|^\W*ik heb\b[^.!?\n]{0,60}\b(?:gelezen|bekeken|geopend|gevonden|begonnen)\b|^\W*(?:przeczytał[ea]m|otworzył[ea]m|obejrzał[ea]m|zacz[ąę]ł[ea]m)\b|^\W*jag har (?:läst|tittat|öppnat|sett|hittat|börjat)\b"
    r"|^\W*(?:я )?(?:прочитала?|посмотрела?|открыла?|нашла|наш[её]л|начала?)\b|\b(?:okudum|baktım|açtım|buldum|başladım)\W*$|^\W*我(?:已经?)?(?:读了|看了|打开了|查看了|看过)|(?:読みました|見ました|開きました)[。！]?$|(?:읽었습니다|봤습니다|열었습니다|확인했습니다)[.!]*$",
    re.I,
)
"""A first look at what the work is about."""

THEN: Final = late_pattern(
    r"(?:,|\band\b|\bbut\b|\bund\b|\baber\b|\bet\b|\bmais\b|\by\b|\be\b|\bma\b|\bmas\b|\ben\b|\bmaar\b|\bi\b|\bale\b|\boch\b|\bmen\b|\bи\b|\bно\b|[，、])\s*",
    re.I,
)
"""Where the second half of a sentence begins."""

ASKING_BACK: Final = late_pattern(
    r"[?？؟]\W*$|(?:ですか|ますか|でしょうか)[。]?$|(?:까요|나요|습니까)[.]?$|[吗呢][。]?$"
)

LOOKS: Final = late_pattern(
    r"\b(?:read|open|look|check|find|search|investigate|inspect|see|review|verify|examine|analy[sz]e|debug|test|try|run|lies|lesen|schau\w*|prüf\w*|such\w*|finde\w*|teste?\w*|untersuch\w*|lis|lisez|regarde\w*|vérifie\w*|cherche\w*|trouve\w*|examine\w*|lee|mira\w*|revisa\w*|comprueba\w*|busca\w*|verifica\w*|encuentra\w*|leggi|guarda\w*|controlla\w*|cerca\w*|trova\w*|leia|olha\w*|procura\w*|encontr\w+"
    r"|lees|kijk\w*|controleer|zoek\w*|przeczytaj|sprawdź|znajdź|zobacz|poszukaj|läs|titta|kolla|kontrollera|sök|hitta|прочит\w*|прочти|посмотр\w*|провер\w*|найди\w*|поищи\w*|oku\w*|bak|kontrol|bul|ara)\b|读|看|查|找|检查|読ん|見て|確認|調べ|探し|읽|확인|찾|봐",
    re.I,
)
"""A request to look at something: what was seen answers it."""

ASKS_TO_ASK: Final = late_pattern(
    r"\b(?:ask|questions?|quiz|riddle|interview|frag\w*|rätsel|pose|questions|pregunt\w*|adivinanza|domand\w*|indovinello|pergunt\w*|adivinha|vra(?:ag|gen)|pyta\w*|zagadk\w*|fråg\w*|gåta|вопрос\w*|спроси\w*|загадк\w*|sor|soru\w*|bilmece)\b|问|猜|質問|聞い|クイズ|질문|물어|퀴즈",
    re.I,
)
"""A request that a question answers."""

ORDERS: Final = late_pattern(
    r"^\W*(?:(?:alsjeblieft|graag|proszę|snälla|nu|en|och|i|teraz) )?(?:vertaal|voeg|schrijf|maak|repareer|herstel|controleer|verwijder|zet|zoek|test|voer|stuur|werk|lees|geef|pas|hernoem|bouw|start|plan|boek|bestel|vergelijk|bereken|toon|laat"
    r"|przetłumacz|dodaj|napisz|zrób|napraw|popraw|sprawdź|usuń|ustaw|znajdź|przetestuj|uruchom|wyślij|zaktualizuj|przeczytaj|zmień|zbuduj|zaplanuj|zarezerwuj|zamów|porównaj|policz|oblicz|pokaż|wyjaśnij|stwórz|utwórz|przygotuj"
    r"|översätt|lägg|skriv|gör|fixa|laga|kontrollera|ta bort|sätt|sök|hitta|testa|kör|skicka|uppdatera|läs|byt|bygg|starta|planera|boka|beställ|jämför|räkna|visa|förklara|skapa|rätta|ändra)\b"
    r"|\b(?:çevir|ekle|sil|gönder|değiştir|güncelle|oluştur|düzelt|çalıştır|bul|yaz|hazırla|kaldır|göster|incele|(?:kontrol|test|tercüme) et)(?:in|ın|un|ün|iniz|ınız)?[.!]?$|^\W*(?:翻译|把|将|修复|添加|写|更新|删除|创建)",
    re.I,
)
"""Orders in languages whose requests are read as a whole."""
