"""How people say decisions, open work and next steps, in the languages that are read."""

import re
from typing import Final

from hermes_sessions.facts.gates import gate
from hermes_sessions.facts.wording.necessary import needed_by
from hermes_sessions.facts.wording.sieves import Sieve
from hermes_sessions.late_patterns import late_pattern


def shape(*patterns: str) -> re.Pattern[str]:
    """Return one pattern out of many; letters of any case."""
    return late_pattern("|".join(patterns), re.I)


DECISION_WORDS: Final = gate(
    *"settled|resolution|resolved|i'll |i’ll |will |going to |postpone|went |gone |go for|go on|it is".split(
        "|"
    ),
    *"is, then|machen es|move to|entendu|le parti|escog|concordato|ことに決|決まりました|决议".split("|"),
    *(
        "change of plan",
        "changed",
        "second thought",
        "umentschieden",
        "planänderung",
        "changement de",
        "changé d",
        "cambio de p",
        "cambiado de",
        "mudança de p",
        "mudei de",
        "mudamos de",
        "cambio di p",
        "cambiato idea",
        "方針変更",
        "予定変更",
        "やっぱり",
        "계획 변경",
        "계획이 바",
        "план ",
        "планы ",
        "передумал",
        "改主意",
        "计划变更",
        "计划有变",
    ),
    *(
        "decid",
        "decision",
        "we'll ",
        "we will ",
        "we’ll ",
        "let's ",
        "let’s ",
        "going with",
        "go with",
        "agreed",
        "chose",
        "chosen",
        "settled on",
        "went with",
        "gone with",
        "picked",
        "go ahead with",
        "final answer",
        "wins",
        "in the end",
        "it is then",
        "scrap ",
        "drop the",
    ),
    *(
        "opted",
        "approved",
        "resolved:",
        "sticking with",
        "stick with",
        "instead of",
        "rather than",
        "signed off",
        "switch to",
        "going to use",
    ),
    *(
        "entschied",
        "beschlossen",
        "beschluss",
        "entscheidung",
        "geeinigt",
        "einigten",
        "wir nehmen",
        "wir bleiben",
        "wir verwenden",
        "wir setzen",
        "festgelegt",
        "en wir",
        "nehme ich",
        "setze ich",
        "ich nehme",
        "ich setze",
        "bleibt es ",
        "dann eben",
        "am ende ",
        "wahl ",
        "gewählt",
        "fiel auf",
        "fällt auf",
    ),
    *(
        "décid",
        "décision",
        "on part sur",
        "choisi",
        "on garde",
        "retenu",
        "convenu",
        "nous utiliserons",
        "on utilise",
        "opté",
        "reten",
        "retient",
        "tranché",
        "finalement",
        "on prend",
        "on passe ",
        "on reste sur",
        "choix",
        "acté",
    ),
    *(
        "decisión",
        "acord",
        "vamos a usar",
        "nos quedamos",
        "usaremos",
        "elegimos",
        "decisão",
        "vamos usar",
        "deciso",
        "scelto",
        "decidid",
        "opta",
        "optei",
        "eleg",
        "escolh",
        "al final",
        "alla fine",
        "no fim",
        "vamos con",
        "vamos com",
        "me quedo con",
        "me decanto",
        "apuesto por",
        "fico com",
        "ficamos com",
        "andiamo con",
    ),
    *(
        "决定",
        "確定",
        "确定",
        "选用",
        "改用",
        "采用",
        "敲定",
        "選定",
        "选择了",
        "選擇",
        "选了",
        "选定",
        "定下来",
        "就用",
        "换成",
        "定了",
        "決め",
        "決定",
        "採用",
        "ことにし",
        "ことにな",
        "合意",
    ),
    *(
        "решил",
        "решено",
        "решение",
        "договорились",
        "выбрали",
        "остановились",
        "утвердили",
        "будем использовать",
    ),
    *(
        "قرر",
        "قرار",
        "اتفقنا",
        "اخترنا",
        "الاتفاق",
        "سنستخدم",
        "اعتمدنا",
        "결정",
        "하기로",
        "karar",
        "तय किया",
        "निर्णय",
        "फैसला",
    ),
)
DECISION: Final = Sieve(
    shape(
        r"\b(?:change of plans?|plans? (?:have |has )?changed|on second thoughts?)\s?[:,;.–-]|\bchanged (?:my|our|their|his|her) minds?\b|\bumentschieden\b|\bplanänderung\s?[:,–-]|\bchangement de (?:plan|programme)\s?[:,–-]|\bchangé d['’]avis\b|\bcambio de plan(?:es)?\s?[:,–-]|\bcambiado de (?:idea|opinión|planes)\b|\bmudança de planos?\s?[:,–-]|\bmud(?:ei|amos) de (?:ideia|planos?)\b|\bcambio di (?:programma|piani?)\s?[:,–-]|\bcambiato idea\b|方針変更|予定変更|やっぱり.{1,60}(?:に(?:し|変更)|使)|계획 변경|계획이 바뀌|\bпланы? (?:из|по)менил\w*|\bпередумал[аи]?\b|改主意|计划(?:有变|变更)",
        r"\b(?:we|i|they|team|board|she|he|everyone|[A-Z]\w+)(?:'ve| have| has| all)? (?:finally |just |also )?(?:decided|agreed|chose|settled|opted|approved)\b",
        r"\bdecision(?: made| taken)?\s?[:：–-]|^\W{0,4}(?:decided|agreed|approved|resolved|resolution)\b|\b(?:was|is|were|been|it's|as) (?:also )?(?:decided|agreed|approved)\b|\bthe decision (?:is|was)\b|\bdecision is to\b",
        r"\b(?:we'll|we’ll|we will|we are going to|we're going to|let's|let’s|i'll|i will) (?:all )?(?:use|go with|keep|stick|switch|adopt|move to|drop|stay|ship|standardi[sz]e|postpone|do it|go for|make)\b",
        r"\b(?:going|go|sticking|stick) with\b(?! (?:the flow|it\b))|\bsettled on\b|\bopted (?:for|to)\b|\bsigned off on\b|\bchose (?:to|the)?",
        r"\b(?:i|we)(?:['’]ve| have)? (?:finally |just |now |also )?(?:(?:chosen|picked|opted|settled) (?:with|for|on)|(?:went|gone|go) with|(?:went|gone) for (?!an?\b|it\b|the (?:day|week|night)))\b|\b(?:i|we)(?:['’]ve| have) (?:finally |just |now |also )?(?:chosen|picked|settled)\b|\b(?:i|we) picked\b|\bgo ahead with\b|\bfinal answer\b|\bwins\b(?=[.,;!]|$)|\b(?:it is,? then|then it is)\b|(?:^|[.!?;,] )\W{0,3}(?:scrap|drop) the \w.{2,60}[,;]|\bin the end\b,? .{1,60}\b(?:uses?|goes|go|stays?|keeps?|runs?|gets?|(?:is|are|be) (?:built|based|kept|done))\b",
        r"\b(?:nehmen|bleiben|setzen|verwenden|machen) wir\b(?! (?:uns|mal|nicht|an\b|es uns))|\b(?:nehme|setze) ich\b(?! (?:mal|an\b))|\bich (?:nehme|setze) (?:\S+ ){0,4}?(?:auf|dafür|statt|stattdessen)\b|\bbleibt es (?:da)?bei\b|\bdann eben \w|\bam ende (?:nehmen|nutzen|verwenden|bleib\w{1,2}|setzen|wird es|ist es)\b|\bwahl (?:fiel|fällt|ist)\b|\b(?:habe|haben) (?:\S+ ){1,8}?gewählt\b",
        r"\bj['’]ai (?:finalement |donc )?(?:retenu|choisi|opté|tranché|pris le parti)\b|\b(?:on|nous) (?:a |avons )?(?:finalement )?(?:retenu|choisi|opté|tranché)\b|\bc['’]est (?:décidé|tranché|acté|entendu)\b|\bon (?:prend|passe (?:à|sur)|reste sur)\b|\bfinalement\b,? .{1,60}\b(?:sera|seront|repos\w+|utilis\w+|passe\w*|garde\w*|reste\w*|aura|fera)\b|\b(?:mon|notre|le) choix\b.{0,20}(?:est|porte|se porte|:)",
        r"\b(?:he|hemos) (?:optado|elegido|decidido|escogido)\b|\best[áa] decidid[oa]\b|\b(?:elegí|escogí|opté por|me quedo con|me decanto por|apuesto por)\b|\bvamos (?:con|com)\b|\b(?:optei|escolhi|escolhemos|fico com|ficamos com)\b|\b(?:ho|abbiamo) optato\b|\b(?:al final|alla fine|no fim),? (?:\S+ ){0,5}?(?:us\w+|va|vamos|vai|será|sarà|qued\w+|resta\w*|pasa\w*|tendr\w+|tiene)\b|\bho (?:scelto|deciso)\b|\bandiamo con\b",
        r"\b(?:use|using|keep|switch to|prefer|choose|adopt)\b.{1,80}\b(?:instead of|rather than)\b",
        r"\bentschieden\b|\bentschied(?:en)? (?:sich|uns)|\bbeschlossen\b|\b(?:Entscheidung|Beschluss)\s?:|\bgeeinigt\b|\beinigten\b|\bwir (?:nehmen|bleiben bei|verwenden|setzen auf|machen es)\b|\bfestgelegt\b",
        r"\bdécidé|\bdécision\s?:|\bon part sur\b|\bavons choisi\b|\bon garde\b|\ba été retenu|\bconvenu\b|\bnous utiliserons\b|\bavons opté\b|\b(?:nous|on) reten(?:ons|u)\b|\bon retient\b",
        r"\bdecidi(?:do|mos|ó)\b|\bhemos (?:decidido|acordado|elegido)|\bacordamos\b|\bse acord|\bdecis(?:ión|ão|ione)\s?:|\bvamos (?:a )?usar\b|\bnos quedamos con\b|\boptamos\b|\busaremos\b|\belegimos\b|\babbiamo (?:deciso|scelto|concordato)\b|\bsi è deciso\b|\bdecidemos\b|\bficou decidido\b",
        r"决定(?!是否|不了)|已?确定(?:使用|采用|用)|选用|改用|采用|敲定|定了用|选(?:择了|定|了)(?!吗)|選擇了|定下来|确定(?:了|用|改)|^\S{0,30}\s?\S{0,30}\s?就用|换成|決め(?:た|ま)|決定(?:し|です|:|：)|採用(?:し|する|を決)|ことに(?:し|な|決)|合意し|決まりました|决议",
        r"\bрешили\b|\bрешено\b|\bрешение\s?:|\bдоговорились\b|\bвыбрали\b|\bостановились на\b|\bутвердили\b|\bбудем использовать\b|\bрешил[аи]?\b",
        r"قررنا|تقرر|القرار\s?:|قرار\s?:|اتفقنا|اخترنا|تم الاتفاق|سنستخدم|اعتمدنا|قررت|결정(?:했|:)|하기로 (?:했|결정)|karar verdik|karar ver(?:il)?di|kararlaştır|तय किया|निर्णय (?:लिया|:)|फैसला किया",
    )
)
UNDECIDED: Final = Sieve(
    shape(
        r"\b(?:not|n't|never|un|yet to|to be|whether|how|who|if|before|once|until) ?(?:\w+ ){0,2}(?:decided?|agreed?|approved?)\b|\bundecided\b|\bneed(?:s)? to decide\b|\bto decide\b|noch nicht entschieden|nicht beschlossen|pas encore décidé|aún no|todavía no|未决定|还没决定|尚未|ещё не решили|не решили|決まっていません|未定|لم نقرر",
        r"\bshould we\b|\bcould go with\b|\bwould go with\b|\bmight\b",
    )
)

TODO_WORDS: Final = gate(
    *"todo|to-do|fixme|[ ]|still to|still need|still missing|still open|still pending".split("|"),
    *"remaining|remains|not yet|action item|left to do|needs to be|need to|have to be".split("|"),
    *"remain to be|outstanding|has to be|to be done|follow up|follow-up|xxx:|has yet to|offen".split("|"),
    *"noch zu|muss noch|müssen noch|fehlt noch|fehlen noch|noch nicht|zu erledigen|aufgabe".split("|"),
    *"ausstehend|à faire|reste à|il reste|il faut encore|pas encore|en attente|pendiente".split("|"),
    *"por hacer|falta|queda|todavía hay que|pendente|da fare|待办|待處理|待处理|还需要|还需|尚未|还没|未完成|まだ|残り".split(
        "|"
    ),
    *"残って|未対応|やること|要対応|осталось|нужно ещё|ещё нужно|нужно|надо|не сделано|задача|сделать|متبقي".split(
        "|"
    ),
    *"يتبقى|لم يتم|المهام|ما زال|할 일|남은|to do|yapılacak|करना".split("|"),
)
TODO: Final = Sieve(
    shape(
        r"\bTO[- ]?DO\b\s?[:(\]-]|\bFIXME\b|\bXXX:|\baction items?\b\s?:|\bstill (?:to do|need(?:s|ed)? (?:to|a)?|missing|open|outstanding|pending)\b|\b(?:remaining|outstanding)(?: work| tasks?| items?| points?)?\s?:|\bremains? to be\b|\bleft to do\b|\b(?:is|are) not yet \w+|\bnot yet (?:done|implemented|migrated|tested|written|merged|deployed)|\bhas yet to\b|\bfollow[- ]up\s?:",
        r"\b(?:needs|need|has|have) to be (?!\w+ (?:a|an|the)\b)\w+(?:ed|n|t)\b|\bwe (?:still )?need to\b",
        r"\bmuss noch\b|\bmüssen noch\b|\bfehl(?:t|en) noch\b|\bnoch (?:zu (?:tun|erledigen|klären)|offen)\b|\boffen\s?:|\bzu erledigen\b|\bnoch nicht (?:erledigt|umgesetzt|getestet|fertig)|\bAufgaben?\s?:",
        r"\bà faire\b|\breste à\b|\bil reste (?:à|encore)\b|\bil faut encore\b|\bpas encore (?:fait|testé|migré|terminé)|\bpendientes?\s?:|\bpor hacer\b|\bfalta(?:n)? (?:por )?\w+|\bqueda(?:n)? (?:por|pendiente)|\bpendente|\btodavía hay que\b|\bda fare\b",
        r"待办|待处理|待處理|还需要?|尚未|还没有?|未完成|まだ.{1,40}(?:ない|いません|ません|必要)|残り(?:は|の|:|：)|残って|未対応|やること|要対応|(?-i:TODO)",
        r"\bосталось\b|\b(?:ещё|еще) нужно\b|\bнужно (?:ещё|еще|будет)\b|\bне сделано\b|\b(?:задача|сделать)\s?:|\bнужно \w+ть\b|\bнадо \w+ть\b|متبقي|يتبقى|لم يتم .{1,40} بعد|ما زال علينا|المهام\s?:|할 일|\bda fare\s?:|yapılacak|करना (?:है|बाकी)",
    )
)

NEXT_WORDS: Final = gate(
    *(
        "next",
        "then i'll",
        "then we",
        "now we",
        "now i will",
        "then i will",
        "i'll now",
        "i will now",
        "now i'll",
        "afterwards",
        "als nächstes",
        "nächste",
        "danach",
    ),
    *(
        "prochaine",
        "ensuite",
        "étape suivante",
        "próximo",
        "siguiente",
        "a continuación",
        "próxima",
        "prossim",
        "下一步",
        "接下来",
        "接下來",
    ),
    *(
        "次のステップ",
        "次に",
        "次は",
        "следующи",
        "далее",
        "дальше",
        "затем",
        "الخطوة التالية",
        "الخطوات التالية",
        "بعد ذلك",
        "다음",
        "sonraki",
        "अगला",
        "i'll ",
        "i’ll ",
        "i will ",
    ),
)
NEXT: Final = Sieve(
    shape(
        r"\bnext (?:steps?|up|action)\b|^\W{0,4}next\s?[:,–-]|\bnext,? (?:i|we|i'll|we'll|i’ll|let me|let's)\b|\b(?:then|now) (?:i'll|i will|we'll|we will)\b|\bi(?:'ll| will) now\b",
        r"\bals nächstes\b|\bnächste[rn]? Schritte?\b|\bdanach (?:werde|werden|prüfe|mache)",
        r"\bprochaines? étapes?\b|\bétape suivante\b|^\W{0,4}ensuite\b|\b(?:próximos?|siguientes?) pasos?\b|\ba continuación\b|\bpróximos? passos?\b|\bprossim\w passi?\b",
        r"下一步|接下[来來]|次のステップ|^\W{0,4}次に|^\W{0,4}次は|\bследующ(?:ий|ие|им) шаг\w*|^\W{0,4}(?:далее|дальше|затем)\b|الخطو(?:ة|ات) التالية|다음 단계|\bsonraki adım|अगला कदम|^\W{0,4}(?:ok(?:ay)?[,.]? |now |then )?i(?:'ll|’ll| will) (?:now |then |next )?(?!(?:be|need|let|wait|assume|keep|not|also)\b)",
    )
)
MARKER: Final = late_pattern(
    r"^(?:\W{0,4}(?:TO[- ]?DO|FIXME|XXX|Action items?|Decision|Decided|Agreed|Resolved|Next steps?|Next|Remaining|Open|Offen|Entscheidung|Beschluss|Nächster Schritt|Aufgabe|Décision|À faire|Prochaine étape|Decisión|Pendientes?"
    r"|Próximo paso|Siguiente paso|Решение|Задача|Следующий шаг|Сделать|决定|待办|下一步|決定|決定事項|次のステップ|القرار|قرار|الخطوة التالية|المهام|Da fare|Decisione|Decisão|Próximo passo|Prossimo passo|Pendente|Pendências|A fazer|Sonraki adım|Yapılacak(?:lar)?|Karar|अगला कदम|निर्णय|कार्य|다음 단계|할 일|결정|질문|質問|问题|Pregunta abierta|Question ouverte|Domanda aperta|Открытый вопрос|Вопрос|Rule|Regel|Constraint|Note|Important|Wichtig|Open question|Question|Offene Frage|Frage)"
    r"(?:\([^)]{1,40}\))?\W{0,2}[:：]\W{0,3})", re.I
)  # fmt: skip
HEADINGS: Final = {
    "todo": shape(
        r"\b(?:to[- ]?dos?|plan(?: for \w.*)?$|action items?|open (?:points|items|tasks)|remaining(?: work| tasks)?|outstanding|tasks|follow-?ups?|pending)\b|offene punkte|aufgaben|à faire|actions?$|tâches|pendientes|tareas|acciones|pendências|待办|任务|行动项|やること|アクション|残タスク|タスク|задачи|осталось|что сделать|المهام|الإجراءات|da fare|yapılacak|할 일|कार्य"
    ),
    "next_step": shape(
        r"\bnext(?: steps?)?$|\bnext steps?\b|nächste schritte|prochaines étapes|próximos pasos|siguientes pasos|下一步|接下来|次のステップ|今後|следующий шаг|следующие шаги|الخطو(?:ة|ات) التالية|sonraki adım|अगला कदम|다음 단계|próximo passo|prossim\w pass"
    ),
    "decision": shape(
        r"\bdecisions?\b|\bagreed\b|entscheidungen|beschlüsse|décisions|decisiones|acuerdos|decisões|决定|决议|決定事項|решени[ея]|القرار|beschluss|entscheidung|décision|decisión|decisione|karar|निर्णय|결정"
    ),
    "question": shape(
        r"\bquestions?\b|offene fragen|questions ouvertes|preguntas|问题|質問|未解決|вопросы|أسئلة"
    ),
    "constraint": shape(
        r"\b(?:rules|constraints|ground rules|guardrails|(?:our|project|team|coding|house|code|naming|style|git|commit) conventions|guidelines|policies|boundaries|house (?:rules|style)|(?:do['’]?s and )?don['’]?t['’]?s|working agreements?|(?:how|the way) we (?:work|do things)|ways of working|off[- ]limits)\b|^conventions$|^(?:please )?(?:do not|don['’]t|never|always|must|must not)$"
        r"|regeln|vorgaben|konventionen|richtlinien|verbote$|so arbeiten wir|zusammenarbeit$|règles|contraintes|nos conventions|consignes|interdits|comment (?:nous|on) travaill|reglas|restricciones|convenciones|normas|prohibiciones|cómo trabajamos|regras|convenções|diretrizes|como trabalhamos|regole|convenzioni|linee guida|divieti|come lavoriamo"
        r"|规则|約定|约定|规范|约束|禁止事项|注意事项|ルール|制約|規約|決まりごと|禁止事項|правила|ограничения|запреты|соглашения|как мы работаем|zasady|konwencje|zakazy|jak pracujemy|kurallar|yasaklar|nasıl çalışıyoruz|규칙|원칙|नियम|القواعد"
    ),
    "": shape(r"."),
}
"""What the items of a list under such a heading are; the last one is any other heading."""

_NOTED: Final = (MARKER, *(HEADINGS[kind] for kind in ("todo", "next_step", "decision", "question")))
NOTED_WORDS: Final = gate(
    *sorted({one.letters for noted in _NOTED for one in needed_by(noted) or ()} - {"to"}),
    *("todo", "to-do", "to do", "yapılacak"),
)
"""One of them is in everything that marks a note, and in every heading but that of rules."""
