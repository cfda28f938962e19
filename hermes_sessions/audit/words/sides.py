"""Words that stand for one side of something with two sides or more, in the languages that are read. Values only."""

import re
from typing import Final

from hermes_sessions.facts.wording.sieves import sieve
from hermes_sessions.late_patterns import late_pattern

_SIDES: Final[dict[str, tuple[str, ...]]] = {
    "order": (
        r"\b(?:before|prior to|ahead of|earlier than|preced\w+|beforehand|vor|bevor|vorher|zuvor|avant|antes|prima|до|перед|прежде)\b|之前|以前|前に|前まで|이전|전에|قبل",
        r"\b(?:after|afterwards|following|followed|later than|once|nach|nachdem|danach|après|después|tras|depois|após|dopo|после)\b|之后|以后|後に|以降|이후|후에|بعد",
    ),
    "outcome": (
        r"\b(?:pass|passes|passed|passing|succeeds?|succeeded|green|erfolgreich|bestanden|réuss\w+|passent|pasan?|passam?|проход\w+|прош[её]л\w*|успешн\w+)\b|通过|成功|성공",
        r"\b(?:fail|fails|failed|failing|broken|red|fehlgeschlagen|schl[aä]g\w+ (?:[^\W\d_]+ ){0,5}fehl|scheiter\w*|échou\w+|fall[ao]n?|falharam|falhou|пада\w+|упал\w*|провал\w*)\b|失败|失敗|실패",
    ),
    "keeping": (
        r"\b(?:kept|keep|keeps|stays?|stayed|retain\w*|preserv\w+|behalten|bleib\w*|aufbewahrt|conserv\w+|gard\w+|mantien\w+|mantid\w+|mantém|conservat\w+|сохран\w+|оставл\w+)\b|保留|保持|残[しっすさ]|유지",
        r"\b(?:delet\w+|remov\w+|eras\w+|dropp?ed|purg\w+|gelöscht|entfernt|supprim\w+|effac\w+|borrad\w+|borró|eliminad\w+|apagad\w+|excluíd\w+|eliminat\w+|cancellat\w+|удал\w+|стёрт\w*)\b|删除|刪除|削除|삭제",
    ),
    "switch": (
        r"\b(?:enabl\w+|activ(?:e|ated|ates)|turned on|switched on|(?:is|are|stays?|remains?|left|kept|now) on(?=[.,;)]|$)|aktivier\w+|eingeschaltet|activé\w*|activad\w+|ativad\w+|attivat\w+|включ\w+)\b|启用|开启|有効|활성화",
        r"\b(?:disabl\w+|deactivat\w+|inactive|turned off|switched off|(?:is|are|stays?|remains?|left|kept|now|automation|it) off(?=[.,;)]|$)|deaktivier\w+|ausgeschaltet|abgeschaltet|désactivé\w*|desactivad\w+|desativad\w+|disattivat\w+|отключ\w+|выключ\w+)\b|禁用|关闭|無効|비활성화",
    ),
    "copy": (
        r"\b(?:primary|master|leader|primär\w*|principal|первичн\w+)\b|主库|主节点|プライマリ",
        r"\b(?:replicas?|secondary|standby|slave|follower|réplica|replik\w*|реплик\w+)\b|从库|副本|レプリカ|스탠바이",
    ),
    "room": (
        r"\b(?:staging|stage|testumgebung|preprod\w*|стейджинг\w*)\b|测试环境|预发|ステージング|스테이징",
        r"\b(?:production|prod|live|produktion|produktiv\w*|producción|produção|produzione|продакшен\w*|прод[еа]?)\b|生产|正式环境|本番|운영",
    ),
    "direction": (
        r"\b(?:rais\w+|increas\w+|rose|grew|gr[oe]wn?|higher|erhöh\w+|gestiegen|augment\w+|hauss\w+|aument\w+|subi[dóu]\w*|увелич\w+|выросл\w*|повыс\w+)\b|增加|提高|上升|上げ|増[やえ]|늘[리어렸]",
        r"\b(?:lower\w*|decreas\w+|reduc\w+|fell|dropped to|senk\w+|gesenkt|gesunken|verringer\w+|rédui\w+|baiss\w+|réduct\w*|redu[czj]\w+|baj[aóe]\w*|уменьш\w+|сниз\w+|снижен\w*)\b|减少|降低|下降|下げ|減[らっ]|줄[이어였]",
    ),
    "age": (
        r"\b(?:newer|younger|neuer|jünger(?:e[nmrs]?)?|plus récent\w*|più recent\w+|nieuwer\w*|nowsz\w+|más nuev\w+|mais nov\w+|новее)\b",
        r"\b(?:older|älter(?:e[nmrs]?)?|plus ancien\w*|più vecchi\w*|ouder\w*|starsz\w+|más antigu\w+|mais antig\w+|старше)\b",
    ),
    "bound": (
        r"\b(?:at least|minimum|no less than|mindestens|au moins|al menos|pelo menos|almeno|как минимум|не менее)\b|至少|少なくとも|적어도|최소",
        r"\b(?:at most|maximum|no more than|up to|höchstens|maximal|au plus|au maximum|como máximo|no máximo|al massimo|не более|максимум)\b|最多|多くとも|최대",
    ),
    "face": (
        r"\b(?:internal|private|intern|privé\w*|privad\w+|interne|внутренн\w+)\b|内部|社内",
        r"\b(?:external|public|extern|publi[cq]\w*|externe|внешн\w+|публичн\w+)\b|外部|公开|公開",
    ),
    "answer": (
        r"\b(?:accept\w*|approv\w+|agreed|angenommen|genehmigt|akzeptiert|accepté\w*|approuvé\w*|aceptad\w+|aprobad\w+|aceit\w+|aprovad\w+|принят\w*|одобр\w+)\b|批准|同意|接受|承認|승인",
        r"\b(?:reject\w*|declin\w+|refus\w+|turned down|abgelehnt|refusé\w*|rechaz\w+|rejeit\w+|recusad\w+|respint\w+|отклон\w+|отказ\w+)\b|拒绝|驳回|却下|拒否|거절",
    ),
    "door": (
        r"\b(?:opened|open|geöffnet|offen|ouvert\w*|abiert\w+|abert\w+|открыт\w*)\b|打开|开放",
        r"\b(?:closed|shut|geschlossen|fermé\w*|cerrad\w+|fechad\w+|закрыт\w*)\b|关闭|閉[じめ]",
    ),
}  # fmt: skip
SIDES: Final = {axis: tuple(late_pattern(shape, re.I) for shape in shapes) for axis, shapes in _SIDES.items()}
"""Each axis with the words of its sides."""

STILL: Final = sieve(
    r"\b(?:still|now|currently|again|noch|immer noch|jetzt|weiterhin|encore|toujours|maintenant|todavía|aún|sigue|ahora|ainda|agora|ancora|adesso|всё ещё|все еще|по-прежнему|теперь|сейчас)\b|仍|现在|目前|まだ|今[はも]|아직|지금",
    re.I,
)
"""Words that say how things are now."""

PERIODS: Final[tuple[re.Pattern[str], ...]] = tuple(
    late_pattern(shape, re.I)
    for shape in (
        r"\b(?:hourly|per hour|every hour|each hour|an hour|stündlich|pro stunde|toutes les heures|par heure|cada hora|por hora|ежечасно|в час)\b|每小时|毎時|매시간",
        r"\b(?:daily|per day|every day|each day|a day|nightly|every night|each night|täglich|pro tag|jeden tag|quotidien\w*|par jour|chaque jour|diari\w+|al día|cada día|todos los días|por dia|ogni giorno|al giorno|per dag|elke dag|dagelijks\w*|dziennie|codziennie|ежедневн\w+|каждый день|в день)\b|每天|每日|毎日|매일|يومي",
        r"\b(?:weekly|per week|every week|each week|a week|wöchentlich|pro woche|jede woche|hebdomadaire\w*|par semaine|chaque semaine|semanal\w*|por semana|cada semana|a la semana|alla settimana|ogni settimana|per week|elke week|wekelijks\w*|tygodniowo|co tydzień|settimanal\w+|еженедельн\w+|каждую неделю|в неделю)\b|每周|毎週|매주|أسبوعي",
        r"\b(?:monthly|per month|every month|each month|a month|monatlich|pro monat|jeden monat|im monat|mensuel\w*|par mois|chaque mois|mensual\w*|al mes|por mes|cada mes|mensa[il]\w*|por mês|al mese|ogni mese|per maand|elke maand|maandelijks\w*|miesięczn\w+|co miesiąc|ежемесячн\w+|каждый месяц|в месяц)\b|每月|毎月|매월|شهري",
        r"\b(?:yearly|annual\w*|per year|every year|each year|a year|/yr|/year|p\.a|jährlich|pro jahr|jedes jahr|im jahr(?! \d)|annuel\w*|par an|chaque année|anual\w*|al año|por año|cada año|por ano|ogni anno|all['’]anno|per jaar|elk jaar|jaarlijks\w*|roczn\w+|co roku|annu\w+|ежегодн\w+|в год)\b|每年|毎年|年間|매년|سنوي",
    )
)  # fmt: skip
"""How often: by the hour, the day, the week, the month, the year."""

DAYS: Final[tuple[re.Pattern[str], ...]] = tuple(
    late_pattern(shape, re.I)
    for shape in (
        r"\b(?:mondays?|montags?|lundis?|lunes|segunda(?:-feira)?|lunedì|понедельник\w*)\b|周一|星期一|礼拜一|月曜|월요일|الاثنين|الإثنين",
        r"\b(?:tuesdays?|dienstags?|mardis?|martes|terça(?:-feira)?|martedì|вторник\w*)\b|周二|星期二|礼拜二|火曜|화요일|الثلاثاء",
        r"\b(?:wednesdays?|mittwochs?|mercredis?|miércoles|quarta(?:-feira)?|mercoledì|сред[ауеы])\b|周三|星期三|礼拜三|水曜|수요일|الأربعاء",
        r"\b(?:thursdays?|donnerstags?|jeudis?|jueves|quinta(?:-feira)?|giovedì|четверг\w*)\b|周四|星期四|礼拜四|木曜|목요일|الخميس",
        r"\b(?:fridays?|freitags?|vendredis?|viernes|sexta(?:-feira)?|venerdì|пятниц\w+)\b|周五|星期五|礼拜五|金曜|금요일|الجمعة",
        r"\b(?:saturdays?|samstags?|sonnabends?|samedis?|sábados?|sabato|суббот\w+)\b|周六|星期六|礼拜六|土曜|토요일|السبت",
        r"\b(?:sundays?|sonntags?|dimanches?|domingos?|domenica|воскресень\w+)\b|周日|星期日|星期天|礼拜天|日曜|일요일|الأحد",
    )
)  # fmt: skip
"""Days of the week, Monday first."""

RELATIVE: Final = late_pattern(
    r"\b(?:today|tomorrow|tonight|yesterday|weekend|the (?:day|evening|night) (?:before|after)|(?:next|previous|following) day|eve of|heute|morgen|gestern|übermorgen|vortag|tag (?:davor|danach|zuvor)|am abend (?:davor|zuvor)|aujourd|demain|hier|la veille|le lendemain"
    r"|hoy|mañana|ayer|víspera|el día (?:anterior|siguiente)|hoje|amanhã|ontem|véspera|no dia (?:anterior|seguinte)|oggi|domani|ieri|vigilia|giorno (?:prima|dopo)|сегодня|завтра|вчера|накануне|на следующий день|bugün|yarın|dün|bir gün önce|ertesi gün)\b"
    r"|今天|明天|昨天|后天|前一天|第二天|次日|今日|明日|昨日|前日|翌日|来週|오늘|내일|어제|전날|다음 ?날|اليوم|غدا|أمس",
    re.I,
)
"""Words that name a day by another one."""
