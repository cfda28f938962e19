"""Where people are named without a title or a form of address: by what stands before and behind a name."""

import re
from collections.abc import Iterator
from typing import Final

_CAP: Final = r"[A-ZÀ-ÖØ-ÞА-ЯЁĞİŞŁŚŻČŠŽ][a-zà-öø-ÿа-яёğışçöüłśżčšžńę]{1,20}"
_DOES: Final = (
    r"(?:wants?|wanted|asks|asked|flagged|finds|found|reports|reported|approves|approved|owns|reviews|reviewed|signs|signed|decides|decided|says|said|confirms|confirmed|joins|joined|insists|insisted|prefers|preferred|proposed|suggested|chose|picked|promised|refunds|refunded|switches|checks|checked|handles|handled|takes|took|sends|sent|writes|wrote|merges|merged|looks|brings|pays|paid|calls|called|will|would|found|noticed|offered|agreed|objected|volunteered|leads|led|credits|drives|tests|tested|runs|rejects|rejected|overruled"
    r"|s['’]occupe|s['’]en|règle|envoie|relit|valide|paie|signe|veut|demande|prépare|fait|prend|doit|apporte|vérifie|préfère|propose|décide|dit"
    r"|se encarga|paga|manda|firma|revisa|quiere|prefiere|propone|decide|dice|lleva|debe|hace|prepara|aprueba|avisa|envía|pide|trae"
    r"|cuida|aprova|quer|prefere|propõe|diz|leva|deve|faz|envia|pede|traz|assina|revê"
    r"|si occupa|vuole|preferisce|dice|porta|deve|fa|invia|chiede|firma|rivede|approva"
    r"|regelt|zorgt|wil|vindt|betaalt|stuurt|doet|zegt"
    r"|смотрит|посмотрит|проверит|проверяет|подпишет|решил\w?|предложил\w?|хочет|просит|займ[её]тся|отвечает|сказал\w?|отправит|согласовал\w?"
    r"|yapacak|istiyor|gönderecek|onayladı|bakacak|hazırlayacak"
    r"|chce|sprawdzi|zatwierdził\w?|wyśle|podpisze|prosi)"
)
_DOER = re.compile(
    rf"(?<![\w./@#-])(?P<name>{_CAP})(?:,? (?:who|qui|que|quien|che|которы\w)[^,.;]{{0,3}})?,? {_DOES}(?!\w)"
)
_GERMAN_DOER = re.compile(
    rf"(?:^|[.,;:!?] |[-*•] |\b(?:und|aber|dass|weil|wenn|ob|macht|von) )(?P<name>{_CAP}) (?:bringt|macht|prüft|übernimmt|schickt|will|möchte|fragt|sagt|zahlt|schreibt|unterschreibt|entscheidet|bestellt|holt|kümmert|findet|meint|soll|wollte|hat|testet|regelt|ruft|kommt)(?!\w)"
)
_SINO_FAMILY: Final = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范廖贾夏韦邹孟熊秦邱尹薛闫段雷侯陶黎贺顾郝龚邵钱严覃戴孔汤"
_SINO = re.compile(
    rf"(?:(?<=[由让请找等给和跟与叫被])|(?<![\u4e00-\u9fff]))(?P<name>[{_SINO_FAMILY}][\u4e00-\u9fff]{{1,2}}?)"
    r"(?=负责|来|会|说|不|处理|检查|上线|审|确认|批准|决定|提|要|想|参加|改|做|写|看|测|部署|安排|接|先|已|明天|今天|下周|在|$|[\s,，。、；;（）()的])"
)
_KOREAN = re.compile(
    r"(?<![가-힣])(?P<name>[김이박최정강조윤장임한오서신권황안송류홍전고문손양배백허남심노하곽성차주우구][가-힣]{2})(?=\s?(?:씨|님|입니다|이며|이고|에게|과장|팀장|대리|부장))"
)


def read_doers(text: str) -> Iterator[str]:
    """Yield the names of those who do something in *text*, as they are written."""
    if text.isascii():
        shapes: tuple[re.Pattern[str], ...] = (_DOER, _GERMAN_DOER)
    else:
        shapes = (_DOER, _GERMAN_DOER, _SINO, _KOREAN)
    for shape in shapes:
        for match in shape.finditer(text):
            yield match["name"]
