"""Lines under a heading of open work that set no task: what is reported as done, and what somebody else will do."""

import re
from typing import Final

from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.outcomes import UNFINISHED
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.facts.wording.sieves import sieve
from hermes_sessions.late_patterns import late_pattern

_MAX_CHARS: Final = 400
_WANTS: Final = late_pattern(
    r"^\W{0,3}(?:(?:the )?user (?:now |also |still )?(?:want|ask(?:ed|s)? (?!(?-i:[A-Z]))|need|request|would like|expect|wish)"
    r"|(?:der|die) nutzer(?:in)? (?:möchte|will\b|bittet|braucht|verlangt|wünscht)|l['’]utilisat(?:eur|rice) (?:veut|demande\b|souhaite|attend)"
    r"|(?:el|la) usuari[oa] (?:quiere|pid|necesita|desea)|[oa] usuári[oa] (?:quer\b|ped|precisa|deseja)|l['’]utente (?:vuole|chiede|ha chiesto|desidera)"
    r"|de gebruiker (?:wil\b|vraagt)|użytkownik (?:chce|prosi)|kullanıcı .{0,60}istiyor|пользователь (?:хочет|просит|попросил)|用户(?:要求|希望|需要|想|要)|ユーザーは?.{0,60}(?:求め|希望|依頼))",
    re.I,
)
"""The user wants something of the agent."""
_AGENT: Final = late_pattern(
    r"\b(?:i|we|agent|assistant|ich|wir|assistent|je|nous|on|yo|nosotros|eu|nós|io|noi|ik|я|мы|ассистент|агент)\b|[我您]|助手",
    re.I,
)
_NEEDED: Final = sieve(
    r"\b(?:must|should|shall|needs?|has to|have to|to be|next|now|then|todo|please|let['’]?s|continue|being|make sure|ensure|verify|check (?:that|whether|if)|confirm (?:that|whether)"
    r"|muss|müssen|soll\w*|noch zu|bitte|weiter\w*|als nächstes|jetzt|nun|dann|doit|doivent|il faut|à faire|ensuite|maintenant|debe\w*|hay que|por hacer|ahora|luego|deve\w*|precisa\w*|agora|depois"
    r"|da fare|bisogna|adesso|poi|moet\w*|trzeba|należy|teraz|нужно|надо|долж\w+|необходимо|теперь|затем|сейчас)\b|需要|必须|应该|接下来|现在|正在|まだ|必要|해야",
    re.I,
)
_RELATIVE: Final = late_pattern(
    r"^(?:\W+|\W*(?:\w+\W+){1,9})(?:that|which|who|whether|if|once|when|until|after|before|what|why|how|sobald|wenn|ob|nachdem|bis|bevor|dass|warum|que|qui|dès|quand|si|cuando|hasta|quando|se|che|если|когда|что|пока)\b"
    r"|^\W*(?:once|when|if|after|until|as soon as|sobald|wenn|falls|nachdem|dès que|quand|si|cuando|en cuanto|quando|se|если|когда|после)\b",
    re.I,
)
_IS_DONE: Final = sieve(
    r"\b(?:is|are|was|were|has been|have been|['’]s been|is already|are already)(?: (?!not\b|still\b|being\b|to\b)\w+){0,3} (?!need|requir|suppos|expect|schedul|plan|us|limit|block|bas)(?:\w{2,}ed|done|sent|built|made|written|paid|bought|put|set|met|found|left|cut|drawn|kept|held|booked)\b"
    r"|\b(?:ist|sind|wurden?|hat|haben)\b[^.!?\n]{1,120}?\b(?:\w{0,8}ge\w{2,}(?:t|en)|\w{3,}iert|(?:über|ver|er|be|ent)\w{3,}(?:t|en)|erledigt|fertig)(?=[.!,;]|$| und\b| als\b| am\b| auf\b)"
    r"|\b(?:a été|ont été|est|sont)(?: \w+){0,2} \w{2,}(?:ée?s?|ite?s?|ise?s?|ue?s?)\b|\b(?:está|están|fue|fueron|ha sido|han sido|foi|foram|já está|già|è stat[oa]|sono stat[ei]|è|sono)(?: \w+){0,2} \w{2,}(?:[aiu][dt][oaie]s?|hech[oa]s?|escrit[oa]s?|feit[oa]s?)\b"
    r"|\b\w{4,}(?:ено|ены|ена|ён|ано|аны|ана|ята|ято|яты)\b|\b(?:został[aoy]?|jest|są)(?: \w+){0,2} \w{3,}(?:n[yaei]|t[yaei])\b|\b(?:is|zijn|werd|werden)(?: \w+){0,6} ge\w+(?:d|t|en)\b|已经?[\u4e00-\u9fff]|(?:ました|済み|完了)",
    re.I,
)
_WILL: Final = sieve(
    r"(?<=\w )(?:will(?! be \w+(?:ed|en|t)\b)|is going to|are going to)\b"
    r"|^[^\w'’-]*(?:[\w'’-]+[^\w'’-]+){0,6}?[\w'’-]+,? (?:goes|comes|picks|drops|hands|prepares|visits|confirms|brings|takes|pays|calls|signs|sends|decides|picks|opens|looks|answers|asks|meets|arrives|delivers|moves|leads|moderates|handles|drives|checks|collects|writes|speaks|tells)\b(?= \w)"
    r"|(?<=\w )(?:(?:wird|werden)(?![^.]*\bge\w+\W*$)(?=[^.]*\w{3,}en\W*$)|kommt|kommen|bringt|bringen|holt|holen|zahlt|bezahlt|ruft|schickt|sendet|gibt|geben|geht|gehen|macht|machen|übernimmt|unterschreibt|entscheidet|prüft|klärt|meldet|liefert|liefern|nimmt|fährt|redet|spricht|trifft|öffnet|bessert|baut|schreibt|fragt)\b"
    r"|\b\w{2,}(?:era|ira|dra|tra|eront|iront|dront|ront)\b|\b(?:vient|viennent|passe|apporte|amène|s['’]occupe|paie|appelle|envoie|signe|décide|livre|va|vont)\b"
    r"|\b\w{2,}(?:rá|rán)\b|\b(?:va a|van a|viene|vienen|trae|lleva|paga|llama|manda|firma|decide|entrega|pasa|recoge)\b|\b\w{2,}(?:rá|rão)\b|\b(?:vai|vão|vem|vêm|traz|leva|liga|assina|entrega|passa)\b"
    r"|\b\w{2,}(?:rà|ranno)\b|\b(?:viene|vengono|porta|paga|chiama|manda|firma|passa|consegna|ritira|spedisce)\b|(?<=\w )(?:zal|zullen|gaat|gaan|komt|komen|brengt|betaalt|belt|stuurt|tekent|haalt|levert)\b"
    r"|(?<=\w )(?:przyjdzie|przyjedzie|zapłaci|zadzwoni|przyniesie|wyśle|podpisze|odbierze|zajmie)\b|(?<=\w )(?:при[дв]\w{1,4}т|приедет|привез\w+т|принес\w+т|заплатит|оплатит|позвонит|отправит|подпишет|заберёт|заберет|решит|ответит|прим\w+т|сдела\w+т|переда\w+т|рассматрива\w+т|рассмотрит|будет|будут)\b"
    r"|\w{2,}(?:ecek|acak|ecekler|acaklar)\b|(?:(?<![社开大])会(?![员议计话费场长客])|将(?!来)|负责|自己去?)[\u4e00-\u9fff]|(?:する|来る|行く|払う)(?:予定|こと)|(?:が|は)[^。]{1,20}(?:ます|する予定)",
    re.I,
)
_INFINITIVE: Final = late_pattern(
    r"(?:.*\b\w{2,}(?:ть|ться|ти|чь)\b|\W*\w{3,}(?:ir|re|ar)\b|\W*\w{3,}er (?:l[ae]s?|une?|des|du|à|aux?|l['’]|s(?:on|a|es))\b)",
    re.I,
)

_OWN: Final = late_pattern(
    r"\b(?:i|we|me|us|agent|assistant|ich|wir|mir|assistent|nous|moi|yo|nosotros|eu|nós|ik|wij|я|мы|нами?|мной|ассистент\w*|агент\w*)\b|[我您]|助手",
    re.I,
)
_DECIDES: Final = sieve(
    r"\b(?:is|are|was|it['’]s) (?:still |now )?(?:up to|for|with|down to) (?!the (?:agent|assistant)\b)(?:the |her |his |their )?[^\W\d][\w.'’-]*(?: [A-Z][\w.'’-]*)?(?: to (?:decide|say|settle))?(?=[.,;:)]|$)|\b(?:has|have) the (?:final|last) (?:say|word)\b"
    r"|(?<=\w )(?:decides|is deciding|has to decide|will decide|is to decide|(?:has|have) (?:yet )?to decide|['’]s (?:call|decision))\b|\b(?:kept|stays?|remains?|left)\b[^.;]{0,40}\b(?:until then|for now|for the time being|until [^.;]{1,40} (?:decides?|decided|says?|agrees?|answers?))\b"
    r"|\b(?:entscheidet|entscheiden (?:muss|soll|wird)|(?:entscheidung )?liegt bei|hat das letzte wort|bleibt (?:bis dahin|vorerst|vorläufig|solange))\b|\b(?:c['’]est à [^.;]{1,30} de (?:décider|trancher)|décide(?:ra)?|tranche(?:ra)?|dépend d|a le dernier mot|reste (?:en attendant|pour l['’]instant|d['’]ici là))"
    r"|\b(?:depende de|lo decide|(?<=\w )(?<!to )decide|decidirá|tiene la última palabra|mientras tanto se (?:queda|mantiene|deja)|cabe a|quem decide é|tem a última palavra|até lá fica|spetta a|ha l['’]ultima parola|nel frattempo resta)\b"
    r"|\b(?:beslist|is aan|heeft het laatste woord|blijft (?:tot dan|voorlopig))\b|\b(?:decyduje|zdecyduje|do decyzji|do tego czasu (?:zostaje|pozostaje))\b|\b(?:решает|решит|решать|зависит от|за [^.;]{1,20} последнее слово|до тех пор (?:оста|не))|\bkarar(?:ı)? (?:verecek|veriyor|\w+'[ıiuü]n)\b"
    r"|由[^。；]{1,12}(?:决定|定夺)|等[^。；]{1,12}决定|(?:が|に)(?:決め|判断|委ね)|(?:가|이) (?:결정|정)",
    re.I,
)
"""Who decides, and what stays as it is until then: nothing for the agent to do."""

_TITLED: Final = late_pattern(
    r"^[^\n]{0,60}?\b(?i:mr|mrs|ms|dr|prof|herr|frau|fräulein|m|mme|mlle|monsieur|madame|señora?|sra?|dona|sig|sig\.ra|signora?|dottoressa|dottore|meneer|mevrouw|dhr|mevr|pani?|herr|fru|г-н|г-жа)\.? (?:[A-ZÀ-ÖØ-ÞĀ-Ž]\w+[ -]?){1,3}(?<=[\w ])(?<= )(?!(?i:will|wants?|asks?|asked|needs?|möchte|bittet|wünscht|braucht|veut|souhaite|demande|quiere|pide|quer|pede|vuole|chiede|wil|vraagt|chce|prosi|vill|ber|has|hat|a|ha|heeft|ma|har|is|ist|est|es|è|é|jest|är|über|about|per|für|for|pour|para|voor|dla|för|and|und|et|y|e|en|i|och)\b)[a-zß-ÿ]{3,}(?<!en)(?!\w)",
)
"""Somebody with a title, and a verb: `Herr Brunn schließt auf`."""


def sets_no_task(text: str) -> bool:
    """Return whether a line says how things are, or what somebody else will do, and asks nothing of the agent."""
    text = text[:_MAX_CHARS]
    if _DECIDES.search(text) and _OWN.search(text) is None:
        return True
    if _NEEDED.search(text) or _RELATIVE.search(text) or text.rstrip().endswith(("?", "？")):
        return False
    return _is_report(text) or _is_of_others(text)


def _is_report(text: str) -> bool:
    """`Everything is committed as 4f2a on main`: nothing of it is left, or denied."""
    return _IS_DONE.search(text) is not None and UNFINISHED.search(text) is None and not is_negated(text)


def _is_of_others(text: str) -> bool:
    """`The user will ask Omar to sign`, `Der Elektriker kommt am Mittwoch`."""
    return (
        _WANTS.match(text) is None
        and _AGENT.search(text) is None
        and _INFINITIVE.match(text) is None
        and not read_terms(" ".join(text.split()[:1])).deeds
        and (_WILL.search(text) is not None or _TITLED.match(text) is not None)
    )
