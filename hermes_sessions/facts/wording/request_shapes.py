"""How people ask for something to be done, in the languages that are read."""

import re
from typing import Final

from hermes_sessions.facts.gates import gated
from hermes_sessions.facts.wording.rule_shapes import TURKISH
from hermes_sessions.late_patterns import late_pattern

_LEAD: Final = (
    r"^\W{0,3}(?:(?:ok(?:ay)?|hi|hey|hello|so|now|then|also|and|but|first|next|finally|great|perfect|thanks|yes|instead|afterwards|again|just|und|dann|jetzt|noch|puis|ensuite|et|luego|y|ahora"
    r"|also please|и|теперь|потом)[,:!.]? ){0,3}(?:(?:when|once|if|after|before|as soon as|wenn|sobald|falls|quand|une fois|si|cuando|quando|se) [^.!?\n]{2,80}?(?:,| done| ready| finished| fertig)[,]? (?:then |please )?)?"
)
_VERBS: Final = "|".join(
    (
        "add adjust analy[sz]e answer apply arrange ask backfill book build buy bump calculate call cancel change check clean clear clone close collect combine commit compare compile compute"
        " configure convert copy correct count create debug delete deploy describe design disable document download draft drop edit enable ensure estimate evaluate examine execute explain"
        " export extend extract fetch figure fill find finish fix format generate get give go grep handle help hide implement import improve include increase inspect install integrate"
        " investigate launch let limit link list load locate log look lower make measure merge migrate mock move name notify open optimi[sz]e order organi[sz]e paginate parse patch pick pin"
        " plan port prepare print process profile propose provide publish pull push put raise read rebase recommend redo reduce refactor remind remove rename reorder repeat replace reply report reproduce reschedule research"
        " reserve reset resolve respond restart restore resume retry return revert review revise rewrite roll rotate run save schedule scan search see send separate set set up setup share show simplify skip"
        " solve sort split squash start stop store submit suggest summari[sz]e switch take tell test track translate transfer trace trigger try turn undo unlock update upgrade upload use validate verify wait wire wrap write",
        "erstelle?|füge?|ändere?|prüfe?|schreibe?|mache?|lösche?|aktualisiere?|behebe?|finde?|zeige?|erkläre?|nutze?|verwende?|setze?|stelle?|plane?|buche?|schicke?|sende?|suche?|baue?|teste?|starte?|führe?|lies|gib|nimm|korrigiere?|ersetze?|entferne?|verschiebe?|benenne?|bestelle?|übersetze?|vergleiche?|berechne?|rufe?|lege?|richte?|installiere?|fasse?|schau|sorge?|bringe?|hole?|kopiere?|öffne?|sag|sage?",
        "ajoute[zs]?|crée[zs]?|corrige[zs]?|modifie[zs]?|supprime[zs]?|vérifie[zs]?|lance[zs]?|exécute[zs]?|montre[zs]?|explique[zs]?|remplace[zs]?|déplace[zs]?|envoie|envoyez|écris|écrivez|fais|faites|mets|mettez|commande[zs]?|réserve[zs]?|cherche[zs]?|trouve[zs]?|prépare[zs]?|traduis|traduisez|compare[zs]?|calcule[zs]?|renomme[zs]?|relance[zs]?|teste[zs]?|utilise[zs]?|installe[zs]?|achète[zs]?|rappelle|donne[zs]?|passe[zs]?|change[zs]?|regarde[zs]?|analyse[zs]?|résume[zs]?",
        "añade|agrega|crea|corrige|modifica|borra|elimina|verifica|revisa|comprueba|ejecuta|lanza|muestra|explica|reemplaza|cambia|mueve|envía|envia|manda|escribe|haz|pon|reserva|busca|encuentra|prepara|traduce|compara|calcula|renombra|prueba|usa|utiliza|instala|compra|dame|dime|actualiza|configura|genera|analiza|resume|abre|cierra|despliega|pide|recuérdame|llama",
        "adicione|adiciona|crie|cria|corrija|corrige|modifique|altere|remova|apague|verifique|execute|rode|mostre|explique|substitua|mude|mova|envie|mande|escreva|faça|coloque|reserve|busque|procure|encontre|prepare|traduza|compare|calcule|renomeie|teste|use|instale|compre|responda|atualize|configure|gere|analise|resuma|agende|cancele|lembre|confira|marque",
        "aggiungi|crea|correggi|modifica|elimina|cancella|rimuovi|verifica|controlla|esegui|lancia|mostra|mostrami|spiega|spiegami|sostituisci|cambia|sposta|invia|manda|scrivi|fai|metti|prenota|cerca|trova|prepara|traduci|confronta|calcola|rinomina|prova|usa|installa|compra|dimmi|rispondi|aggiorna|configura|genera|analizza|riassumi|ordina|ricordami",
        "сделай|создай|обнови|исправь|проверь|удали|добавь|запусти|перенеси|переведи|напиши|найди|посмотри|покажи|объясни|измени|замени|отправь|настрой|установи|перепиши|собери|сравни|посчитай|закажи|купи|забронируй|напомни|подготовь|убери|верни|подключи|отключи|включи|выключи|составь|пришли|скажи|дай|возьми|используй|сохрани|открой|закрой|прочитай|разбери|поправь|переименуй|[а-яё]{3,16}(?:йте|ите|ьте)",
        "احجز|ذك[ّ]?رني|أضف|اكتب|أنشئ|عد[ّ]?ل|احذف|أ?رسل|ارسل|ابحث|حد[ّ]?ث|شغ[ّ]?ل|غي[ّ]?ر|أصلح|راجع|اشرح|قم|اطلب|انقل|تحقق|افحص|ترجم|لخص|استخدم|اجعل|أعد|جهز|اختبر|اشتر|أرني|أخبرني",
    )
).replace(" ", "|")
IMPERATIVE: Final = late_pattern(
    rf"{_LEAD}(?:please |bitte |por favor,? |per favore,? )?(?:{_VERBS})(?![\w’'/.=(:]|-\w)(?! (?:is|was|are|were|ist|est|es)\b)",
    re.I,
)
WISH: Final = gated(
    (("please", "kindly", "need", "want", "like", "love", "let's", "let’s", "let us", "your task", "your job"), r"\bplease\b|\bkindly\b|^\W{0,3}(?:(?:so|now|then|ok),? )?(?:i|we)(?:'d| would| do)? (?:need|want|like|love) (?!(?:it|that|this) (?:is|was)\b)|^\W{0,3}let(?:'s|’s| us)\b|\byour (?:task|job) is\b"),
    (("bitte", "brauche", "möchte", "will", "hätte gern", "wollen", "plaît", "plait", "merci de", "besoin", "voudrais", "voudrait", "voudrions", "veux", "aimerais", "il faut"), r"\bbitte\b|\b(?:ich|wir) (?:brauche|möchte|will|hätte gern|brauchen|möchten|wollen)\w*\b|\bs['’]il (?:te|vous) pla[iî]t\b|\bmerci de\b|\bj['’]ai besoin\b|\b(?:je|on|nous) (?:voudrais|veux|voudrait|voudrions|aimerais)\b|^il faut\b"),
    (("por favor", "necesito", "necesitamos", "quisiera", "quiero que", "queremos que", "me gustaría", "preciso", "precisamos", "quero que", "gostaria", "per favore", "ho bisogno", "vorrei", "voglio che"), r"\bpor favor\b|\bnecesito\b|\bnecesitamos\b|\bquisiera\b|\b(?:quiero|queremos) que\b|\bme gustaría\b|\bpreciso (?:de|que)\b|\bprecisamos\b|\bquero que\b|\bgostaria\b|\bper favore\b|\bho bisogno\b|\bvorrei\b|\bvoglio che\b"),
    (("请", "請", "麻烦", "帮", "幫我", "给我", "把", "我要", "想要", "需要", "ください", "下さい", "お願い", "ほしい", "欲しい", "もらいたい", "いただきたい"), r"^(?:请|請|麻烦|帮我|帮忙|幫我|给我|把|我要|我想要|我需要|我们需要|需要)|[,，]请|てください|でください|下さい|お願いします|お願いいたします|(?:て|で)(?:ほしい|欲しい|もらいたい|いただきたい)"),
    (("пожалуйста", "прошу", "нужно", "надо", "нужен", "нужна", "нужны", "хочу", "хотелось", "أرجو", "من فضلك", "رجاء", "أريد", "أحتاج", "نريد", "نحتاج"), r"пожалуйста|\bпрошу\b|^(?:мне |нам )?(?:нужно|надо|нужен|нужна|нужны)\b|\bхочу\b|\bхотелось бы\b|أرجو|من فضلك|رجاء|^أريد|^أحتاج|^نريد|^نحتاج"),
    (("주세요", "주십시오", "부탁", "줘", "십시오", "कृपया", "ें", "िए", "िये", "इए", "ाएं", "ाएँ", "ाओ", "कर दो", "दीजिए", "चाहिए", "lütfen", "istiyor"), r"주세요|주십시오|부탁(?:합|드|해)|(?:해|아|어|려) ?줘|(?:하|으)십시오|कृपया|(?:ें|िए|िये|इए|ाएं|ाएँ|ाओ|कर दो|दीजिए)[।.!]?$|चाहिए[।.!]?$|\blütfen\b|istiyor(?:um|uz)"),
    (TURKISH, r"^(?=.*(?:[ğş]|\b(?:bir|için|bana|olan|önce|sonra)\b)).*\b(?:et|yap|ekle|sil|gönder|değiştir|güncelle|oluştur|düzelt|çalıştır|bul|yaz|ver|al|söyle|hazırla|ayarla|taşı|başlat|göster|kaydet|kaldır|aç|kapat|hatırlat|çevir|incele)(?:in|ın|un|ün|iniz|ınız)?[.!]?$"),
)  # fmt: skip
"""Words of asking and wishing; the first person wants something."""
POLITE: Final = late_pattern(
    r"(?:hi|hello|hey|ok|okay|and|also|so|then|und|et|y)?[, ]{0,2}(?:can|could|would|will) (?:you|we)\b|(?:kannst|könntest|würdest) du\b|(?:können|könnten|würden) sie\b|(?:peux|pouvez|pourrais|pourriez)[ -](?:tu|vous)\b|¿? ?(?:puedes|podrías|podría|puede)\b|(?:você )?(?:pode|poderia)\b|(?:puoi|potresti|può)\b|(?:можешь|можете|не мог)|please|bitte|s'il|por favor|هل يمكنك|请(?!问)|能不能|可以.{0,12}吗|.{0,40}(?:てください|てくれ|もらえ|いただけ|くれます)"
    r"|.{0,40}(?:해 주시겠|해 줄 수|주실 수)|.{0,60}(?:misin|mısın|musun|müsün|misiniz|mısınız)\b",
    re.I,
)
"""A question that asks for a deed."""
