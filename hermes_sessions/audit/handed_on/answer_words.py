"""How a user begins who answers what the agent said last, and how one ends who asks for no more. Patterns only."""

import re
from typing import Final

from hermes_sessions.late_patterns import late_pattern

AGREES: Final = late_pattern(
    r"^\W*(?:yes|yep|yeah|right|perfect|great|fine|parfait|perfekt|perfecto|perfeito|perfetto|отлично|ok(?:ay)?|sure|fine|agreed|go ahead|do (?:that|it|so)|please do|then|good|ja|jo|klar|gern\w*|einverstanden|in ordnung|mach das|dann|oui|d['’]accord|entendu|vas-y|alors"
    r"|s[íi]|vale|de acuerdo|hazlo|entonces|sim|está bem|pode ser|faz isso|então|sì|va bene|d['’]accordo|fallo|allora|akkoord|doe dat|dan|tak|dobrze|zgoda|zrób to|więc|evet|tamam|olur|öyleyse"
    r"|да|хорошо|ладно|согласен|согласна|подходит|давай\w*|тогда|jaha|javisst|okej|gör det|då)(?!\w)"
    r"|^\W*(?:好的?|可以|行|那就?|是的|はい|うん|了解|では|じゃあ|それで|네|예|좋아요?|그럼|그래요?|نعم|أجل|حسنا|موافق|तो|हाँ|हां|ठीक)",
    re.I,
)
"""A user who lets the agent do what it offered."""

DECIDES: Final = late_pattern(
    r"^\W*(?:(?:ok(?:ay)?|oh|ah|hm+|well|na|tja|bon|bueno|beh|nou|no cóż|ну)\W+)?"
    r"(?:whatever|either(?: is fine| way)?|(?:it |that )?(?:does ?n['’]?t|does not) matter|leave (?:it|them|that)(?: as (?:it is|they are))?\W*$|don['’]t know|not sure|no idea|egal|weiß nicht|lass (?:es|das|sie)\W*$|peu importe|je ne sais pas|laisse\W*$|da igual|no s[ée]|déjalo\W*$|tanto faz|não sei|deixa\W*$|non so|è uguale|lascia\W*$|maakt niet uit|weet ik niet|laat maar|wszystko jedno|nie wiem|zostaw\W*$|всё равно|не знаю|оставь\W*$|fark etmez|bilmiyorum|kalsın|no|nope|not (?:yet|now|today)|neither|never mind|exactly|right|correct|true|indeed|maybe|perhaps|later|we(?:['’]ll| will) see|let['’]s see|i(?:['’]ll| will) (?:ask|think|see|check|do|decide|look|talk|speak|consult|discuss|sleep)"
    r"|nein|nicht|noch nicht|genau|richtig|stimmt|vielleicht|später|mal sehen|wir sehen|ich (?:frage|überlege|kläre|mache)|non|pas encore|exact\w*|c['’]est ça|peut-être|plus tard|on verra|je (?:vais|verrai|demanderai)"
    r"|todavía no|aún no|exacto|correcto|cierto|quizás?|tal vez|luego|ya veremos|veremos|não|ainda não|exatamente|certo|talvez|depois|logo se vê|veremos|vou (?:ver|perguntar)|ancora no|esatto|giusto|forse|dopo|vediamo|vedremo|chiedo"
    r"|nee|nog niet|precies|klopt|juist|misschien|later|we zien wel|ik (?:vraag|overleg)|nie|jeszcze nie|dokładnie|zgadza się|może|później|zobaczymy|zapytam|hayır|henüz değil|aynen|doğru|belki|sonra|bakarız|soracağım"
    r"|нет|не надо|пока нет|ещё нет|верно|точно|именно|правильно|может|возможно|потом|позже|посмотрим|я (?:спрошу|решу)|nej|inte än|precis|stämmer|kanske|senare|vi får se|jag (?:frågar|tar|läser|gör))(?!\w)"
    r"|^\W*(?:不|没有|对|没错|正是|也许|可能|以后|再说|看情况|いいえ|いや|まだ|その通り|そうです|多分|たぶん|後で|아니|아직|맞아|맞습니다|아마|나중|두고|لا|ليس|بالضبط|صحيح|ربما|لاحقا|नहीं|अभी नहीं|सही|शायद|बाद में)",
    re.I,
)
"""A user who says how it is, or will be, and leaves the agent nothing to do by that."""

HESITATES: Final = late_pattern(
    r"^\W*(?:(?:ok(?:ay)?|oh|ah|hm+|well|fine|good|gut|bon|bueno|bom|beh|dobrze|хорошо|tamam)\W+)?(?:let me (?:ask|think|check with|talk|speak|sleep|consult|discuss|get back)|(?:i(?:['’]d)? (?:have|need|must|want|like) to|i must|we (?:have|need) to) (?:ask|think|check with|talk|speak|sleep on|consult|discuss|decide)|give me (?:a (?:day|moment|minute|bit|while)|time|until)"
    r"|lass(?:en sie)? mich (?:erst |noch |mal |kurz |bitte )*(?:fragen|überlegen|nachdenken|drüber|darüber|mit)|(?:ich|wir) (?:muss|müssen|will|wollen|möchte)\b[^.?!]{0,40}\b(?:fragen|reden|sprechen|besprechen|überlegen|nachdenken|klären|schlafen)|gib mir (?:zeit|bis|einen tag)|laisse[zs]?-moi (?:demander|réfléchir|voir avec|en parler)|(?:je dois|il faut que j['’]?e?) ?(?:d['’]abord )?(?:demande[r]?|réfléchi\w+|en parle[r]?)|j['’]en parle|je (?:te|vous) (?:dis|redis|dirai)"
    r"|déja(?:me|d?nos) (?:preguntar|pensar\w*|hablar\w*|consultar\w*)|(?:lo|la) (?:pienso|hablo|consulto|pregunto)|tengo que (?:preguntar|pensar|hablar|consultar)\w*|te (?:digo|aviso|diré)|deix[ae](?:-me)? (?:perguntar|pensar|falar|ver com)|tenho (?:de|que) (?:perguntar|pensar|falar)|vou (?:pensar|falar)|(?:já )?te digo|fammi (?:chiedere|pensare|parlare|sentire)|(?:devo|dobbiamo) (?:chiedere|pensarci|parlar\w+|sentire)|ci penso|ne parlo|ti (?:dico|faccio sapere)"
    r"|laat me (?:even )?(?:vragen|nadenken|overleggen)|ik moet (?:dat |het |even |eerst |nog )*(?:vragen|nadenken|overleggen)|daj(?:cie)? mi (?:zapytać|pomyśleć|chwilę|czas)|muszę (?:zapytać|pomyśleć|przemyśleć|porozmawiać)|pomyślę|дай(?:те)? (?:мне )?(?:подумать|спросить|время)|(?:мне )?(?:надо|нужно) (?:подумать|спросить|посоветоваться)|подумаю|спрошу|посоветуюсь|(?:bir )?(?:düşüneyim|sorayım|danışayım|konuşayım)|(?:önce )?[\w'’]+ (?:sorayım|danışayım|konuşayım)|låt mig (?:fråga|tänka)|jag måste (?:fråga|tänka))(?!\w)"
    r"|^\W*(?:让我(?:想|问|考虑|商量)|我(?:先|再|得|要|去)*(?:想想|问问|考虑|商量|问一下|想一下)|(?:ちょっと)?考えさせて|考えてみ|(?:\w{1,8}に)?(?:聞いて|相談して)(?:み|から)|생각해 ?(?:볼|보)|(?:\w{1,8}에게 |\w{1,8}한테 )?물어 ?(?:볼|보)|دعني (?:أسأل|أفكر)|س(?:أسأل|أفكر)|मुझे (?:सोच|पूछ)|मैं (?:\S+ से )?(?:पूछ|सोच))",
    re.I,
)
"""A user who asks somebody else, or thinks it over, before anything is to be done."""

LEFT_TO_OTHERS: Final = late_pattern(
    r"\b(?:will|would|has to|have to|must|should|can|is (?:for|up to))\b[^.?!]{0,40}\b(?:decid\w+|settle\w*|choos\w+|to say)\b|\bis up to\b"
    r"|\b(?:entscheide[nt]|entscheidet|décid(?:e|era|ent|eront)|decid(?:e|irá|en|irán|erà|eranno|ono)|beslist|beslissen|zdecyduj[eą]|решит|решат)\b|決め(?:る|ます)|由.{1,12}决定|정할",
    re.I,
)
"""A sentence that leaves it to somebody to decide."""

CLOSES: Final = late_pattern(
    r"\b(?:(?:that|this)(?:['’]s| is| was| will be)? (?:all|it|everything)(?: for (?:now|today))?|nothing (?:else|more)|good ?night|see you|until (?:tomorrow|monday|then)"
    r"|das (?:war['’]?s|war alles|ist alles|wär['’]?s)|mehr nicht|sonst nichts|bis (?:morgen|dann|später)|feierabend|c['’]est tout|rien d['’]autre|à demain|bonne (?:nuit|soirée)|(?:eso|esto|nada) (?:es todo|más)|hasta (?:mañana|luego)"
    r"|é (?:tudo|só isso)|por hoje é|mais nada|até (?:amanhã|logo)|(?:è|e) tutto|per oggi basta|nient['’]altro|a domani|dat (?:is|was) (?:alles|het)|verder niets|tot morgen|to (?:wszystko|tyle)|na (?:dziś|razie) (?:to )?(?:wszystko|tyle)|do jutra"
    r"|(?:hepsi|şimdilik|bugünlük) bu(?: kadar)?|bu kadar|yarın görüşürüz|(?:это |на сегодня |пока )(?:вс[её])|больше ничего|до завтра|det (?:var|är) allt|inget (?:mer|annat)|vi ses)(?!\w)"
    r"|就这样|就这些|就到这|没别的|明天见|以上です|今日はここまで|また明日|여기까지|이상입니다|그게 다|내일 (?:봐|뵙)|هذا كل شيء|إلى الغد|बस इतना|कल मिलते",
    re.I,
)
"""A user who asks for no more."""

STATES: Final = late_pattern(
    r"\b(?:is|are|was|were|has|have|had|will|can(?:no|['’])t|ist|sind|war|waren|hat|haben|wird|est|sont|était|a été|ont|sera|es|son|está|están|era|ha|han|será|é|são|foi|tem|será|è|sono|hanno|sarà|zijn|heeft|hebben|wordt|jest|są|był\w*|ma|mają|będzie|är|var|har|blir|быть|был\w*|будет|есть|нет)\b"
    r"|[\u0400-\u052f].*\b\w+(?:ет|ит|ут|ют|ат|ят)\b|\w+(?:yor|dır|dir|ecek|acak|mış|miş)\b|[是有在会]|(?:です|ます|した)\W*$|(?:습니다|니다|어요|아요)\W*$",
    re.I,
)
"""A sentence that says how something is."""

SUBJECT_FIRST: Final = late_pattern(
    r"^\W*(?:i|we|he|she|they|it|this|that|those|these|there|my|our|his|her|their|the|ich|wir|er|sie|es|der|die|das|mein\w*|unser\w*|je|j['’]|nous|il|elle|ils|elles|on|c['’]|ce|le|la|les|mon|ma|notre|yo|nosotros|él|ella|ellos|el|los|las|mi|nuestr\w+"
    r"|eu|nós|ele|ela|eles|o|a|os|as|meu|minha|nosso|io|noi|lui|lei|il|lo|gli|mio|mia|ik|wij|we|hij|zij|ze|de|het|mijn|ons|ja|my|on|ona|oni|mój|moja|ben|biz|onlar|bu|я|мы|он|она|они|это|мой|моя|наш\w*|jag|vi|han|hon|de|den|det|min|vår)(?!\w)"
    r"|^\W*[我他她它这那]|^\W*(?:私|彼|これ|それ|저는|제가|우리|그는|أنا|نحن|هو|هي|هذا|मैं|हम|वह|यह)",
    re.I,
)
"""A sentence whose first word says who, or what, it is about: no order."""
