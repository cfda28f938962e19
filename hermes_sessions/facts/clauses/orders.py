"""Orders not to do a thing, by the form of the verb, wherever in a sentence they begin."""

from typing import Final

from hermes_sessions.facts.gates import gated

_AT: Final = r"(?:^\W{0,3}|[,;:–—] |\b%s )"
_EN: Final = _AT % "(?:and|but|so|just|please)"
_DE: Final = _AT % "(?:und|aber|bitte)"
_NL: Final = _AT % "(?:en|maar)"
_FR: Final = _AT % "(?:et|mais)"
_ES: Final = _AT % "(?:y|e|pero)"
_PT: Final = _AT % "(?:e|mas)"
_IT: Final = _AT % "(?:e|ma|ed)"
_PL: Final = _AT % "(?:i|a|ale|lecz)"
_RU: Final = _AT % "(?:и|а|но|только)"

_MINDS: Final = (
    "(?:worry|mind|know|think|see|have|want|need|forget|hesitate|remember|believe|understand|care|sweat)"
)

_ORDERS: Final = r"^\W{0,3}(?!(?:the|an?|it|its|this|that|these|those|my|our|your|his|her|their|we|i|you|he|she|they|there|all|some|most|many|is|are|yes|no|not|only|every\w*|nothing|what|why|how|when|if|das|es|er|sie|ich|wir|ja|nein|le|la|les|l|un|une|il|elle|on|nous|je|ça|c|el|los|las|lo|yo|sí|o|os|as|um|uma|eu|sim|gli|i|lei|lui|io|sì|de|het|een|ik|ze|hij|to|ten|ta|on|ona|ja|это|он|она|я|мы|да|нет)\b)"
"""A sentence begins with a word that may be a verb."""

NOT_TO_DO: Final = gated(
    (("do not ", "don't ", "don’t ", "never "), rf"{_EN}(?:please |just |ever )?(?:(?:do not|don['’]t)(?: you dare| ever)?|never) (?!{_MINDS}\b|\w+ed\b|been\b|had\b|was\b|were\b|got\b|saw\b|came\b|went\b)\w+"),
    (("nicht", "kein", "nie"), rf"{_DE}(?!(?:leider|aber|doch|noch|auch|nur|schon|dann|dort|hier|jetzt|heute|bisher|sonst|sogar|zwar|trotz|trotzdem|weil|wenn|dass|mit|ohne|nach|vor|für|die|der|das|dem|den|des|ein|eine|einen|es|er|sie|ich|wir|was|wer|wie|wo|man|mir|uns|war|hat|ist|sind|kann|muss|soll|will|darf|wird|hatte|wurde|im|in|am|an|auf|aus|bei|zu|zum|zur|von|um|als|ob|so|da)\b)(?-i:[a-zäöü]{{2,}})(?<!t)(?<!en) (?:(?:dabei|bitte|mir|uns|ja|bloß|aber) )?(?:die|den|das|dem|der|ihn|sie|es|daran|damit|davon|an|auf|keine?\w*|nicht|nichts|nie|niemals|(?-i:[A-ZÄÖÜ])\w+)\b(?: \S+){{0,8}}? ?(?:(?<!\w)(?:nicht|nichts|nie|niemals|kein\w*)|(?<=nicht)|(?<=nichts))\b"),
    (("nicht", "kein", "nie"), r"^\W{0,3}(?:bitte )?(?-i:[A-ZÄÖÜ][a-zäöü]{2,}e) (?:(?:bitte|mir|uns|auch|dabei) )?(?:in|an|auf|bei|mit|vor|nach|aus|unter|über|für|zu|im|am|beim|zum|zur|ohne) (?:\S+ ){1,6}?(?:nicht|nichts|nie|niemals|kein\w*)\b"),
    (("niet", "geen", "nooit", "niks"), rf"{_NL}(?!(?:de|het|een|die|dat|dit|er|ik|we|wij|ze|zij|hij|je|jij|maar|ook|nog|dan|daar|hier|nu|toch|helaas|want|als|omdat|met|voor|van|op|in|aan|bij|uit|tot|te|wat|wie|hoe|is|was|had|heeft|kan|moet|mag|wil|zal|zou|werd|wordt|om|zo|na)\b)[a-z]{{2,}}(?<!t) (?:(?:vooral|alsjeblieft|mij|ons) )?(?:de|het|die|dat|deze|er|mij|ons|niets|niet|niks|geen|nooit)\b(?: \S+){{0,8}}? ?(?:(?<!\w)(?:niet|niets|niks|geen|nooit)|(?<=niet)|(?<=niets)|(?<=geen))\b"),
    (("ne ", "n'", "n’"), rf"{_FR}(?:surtout,? )?(?:ne |n['’])(?:l[ae]s? |l['’]|y |en |me |lui |leur |te |vous )?(?!est\b|sont\b|a\b|ai\b|as\b|ont\b|était\b|avait\b|peut\b|sais\b|vois\b|faut\b|existe\b|oublie|hésite)\w+(?:-\w+)? (?:surtout )?(?:pas|jamais|rien|plus|aucun\w*|personne)\b"),
    (("no ", "ni "), rf"{_ES}(?:por favor,? )?(?:no|nunca) (?:(?:me|lo|la|los|las|le|les|se) ){{0,2}}(?!tienes\b|puedes\b|debes\b|sabes\b|quieres\b|eres\b|estás\b|más\b|antes\b|es\b|olvides\b|dudes\b|te\b|preocupes\b|menos\b|todas\b|las\b)\w{{2,}}(?:es|as)\b(?!\?)"),
    (("ni ",), r"\bni \w{2,}[aei]r(?:l[oa]s?|se)\b"),
    (("только",), r"(?<![\w-])\w{3,}(?:ем|им) только(?![\w-])(?! что)"),
    (("não ", "nunca "), rf"{_PT}(?:por favor,? )?(?:não|nunca) (?:(?:me|o|a|os|as|lhe|se|te) )?(?!tens\b|podes\b|deves\b|sabes\b|queres\b|mais\b|antes\b|depois\b|és\b|estás\b|preocupes\b|esqueças\b|hesites\b|menos\b|todas\b|as\b|pretendes\b)\w{{2,}}(?:es|as)\b"),
    (("non ",), rf"{_IT}(?:per favore,? )?(?:non|mai) (?:(?:mi|lo|la|li|le|gli|ci|ne) )?(?!temere\b|sapere\b|essere\b|avere\b)\w{{2,}}(?:are|ere|ire|arre|orre|urre|ar|er|ir|ate|ete|ite)(?:l[oaie]|mi|ci|ne|gli|si|vi)?\b"),
    (("nie ",), rf"(?:{_PL}(?:\S+ ){{0,4}}?)nie (?!martw\b|wiem\b|daj się\b|bój\b)\w{{2,}}(?:aj|uj|ej|ij|yj|ąj|dź|ń|ól|eź|aź|iesz|isz|zwól|pisz|ób)(?:cie|my)?\b(?! (?:się o to|nic))"),
    (("не ", "ни "), rf"(?:{_RU}(?:\S+ ){{0,4}}?)(?<!если )(?<!или )не (?!(?:или|при|почти|эти|такой|любой|каждый|самый|первый|второй|другой|новый|старый|мой|твой|свой|очень|есть|здесь|весь|ночь|день|часть|просто|бой(?:ся|тесь)|волнуй\w*|забудь\w*|переживай\w*)\b)\w{{2,}}(?:ай|яй|уй|юй|ей|ой|ий|и|ь)(?:те)?(?:сь|ся)?(?![\w-])"),
    (("but not ", "just not ", "only not "), rf"{_ORDERS}[a-z]{{2,}}(?<!s)(?<!ed) [^.;!?]{{2,90}},? (?:but|just|only) (?:please )?not (?:through|via|on|in|with|for|to|by|at|from|before|after|near|over|under|during|the|a|any|my|our)\b"),
    (("aber nicht ", "nur nicht ", "bloß nicht ", "bitte nicht "), rf"{_ORDERS}[a-zäöüß]{{2,}}(?<!t) (?:die|den|das|dem|der|mir|uns|eine?n?|alle|ihn|sie|es|bitte) [^.;!?]{{2,90}},? (?:aber|nur|bloß)(?: bitte)? nicht (?:über|durch|mit|an|auf|in|im|am|vor|nach|bei|für|zu|zum|zur|unter|von|vom|ohne|per|die|den|das)\b"),
    (("mais pas ", "mais surtout pas "), rf"{_ORDERS}\w{{2,}} [^.;!?]{{2,90}},? mais (?:surtout )?pas (?:par|avec|sur|dans|pour|à|au|aux|avant|après|chez|via|pendant|le|la|les|l['’])"),
    (("pero no ", "mas não ", "ma non ", "maar niet "), rf"{_ORDERS}\w{{2,}} [^.;!?]{{2,90}},? (?:pero no|mas não|ma non|maar niet) (?:por|con|en|para|a|al|antes|durante|desde|com|pel[oa]s?|em|n[oa]s?|ao|per|tramite|su|sul\w*|in|nel\w*|prima|via|met|op|voor|aan|bij|door|naar)\b"),
    (("ale nie ", "но не "), rf"{_ORDERS}\w{{2,}} [^.;!?]{{2,90}}, (?:ale nie (?:przez|z|ze|na|w|do|przed|po|dla|u)|но не (?:через|с|на|в|до|перед|для|у|по|из)) \w"),
    (("但别", "但不要", "不过别", "就是别", "只是别"), r"[，,](?:但|不过|就是|只是)(?:请)?(?:别|不要)"),
)  # fmt: skip
"""A verb in the imperative or the infinitive, with its negation."""

NOT_DOING: Final = gated(
    (("won't ", "won’t ", "will not ", "shall not "), r"\bi (?:won['’]t|will not|shall not) (?!be able|need|have|know|bore|lie)\w+"),
    (("werde ", "rühre ", "fasse "), r"\b(?:werde ich|ich werde) (?:\S+ ){0,8}?(?:nicht|nichts|kein\w*|nie\w*)\b|\bich (?:rühre|fasse) (?:\S+ ){0,6}?(?:nicht|nichts|kein\w*) an\b"),
    (("zal ik", "ik zal"), r"\b(?:zal ik|ik zal) (?:\S+ ){0,8}?(?:niet|niets|geen|nooit)\b"),
    (("rai ",), r"\bje (?:ne |n['’])(?:(?:l[ae]s?|y|en|lui|leur|l['’]) ?)?(?:\w+ )?\w+rai (?:pas|plus|rien|jamais|aucun\w*|personne)\b"),
    (("no ", "nada"), r"\bno (?:(?:lo|la|los|las|le|les) )?(?!sé\b|podré|sabré)\w{2,}ré\b"),
    (("não ",), r"\bnão (?:(?:o|a|os|as|lhe) )?(?!sei\b|poderei|saberei|terei)\w{2,}rei\b"),
    (("non ",), r"\bnon (?:(?:lo|la|li|le|gli|ci|ne) )?(?!potrò|saprò|avrò|sarò)\w{2,}rò\b"),
    (("nie będę", "nie "), r"\bnie będę \w+|\bnie (?!wiem|mogę|umiem|widzę|mam|jestem|znam|rozumiem|myślę|sądzę)\w{3,}ę\b"),
    (("не буду", "не стану"), r"\bне (?:буду|стану) \w+"),
)  # fmt: skip
"""What somebody says he will not do: a rule where he takes up what he was told."""
