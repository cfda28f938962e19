"""Words that mean the same in several languages, and the words of a sentence with them.

A summary is often written in another language than the conversation. Deeds and things that
work is about have a name here; what has none stands for itself. A list of words, no
dictionary: what it does not know is compared by its letters.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from typing import Final

from hermes_sessions.late_patterns import late_pattern

_DEEDS: Final[Mapping[str, str]] = {
    "push": "push pusht gepusht pushen pousse poussez pousser empuja пуш запуш 推送 プッシュ",
    "merge": "merge merging zusammenführ fusionn fusion fundir mescl слива слить слит смерж мерж 合并 マージ",
    "deploy": "deploy publish veröffentlich publi rollout release releases roll-out ausroll deploie déploi déploy despleg despliegu implant публик выклад выкат разверт развёрт развёр развер релиз 部署 发布 上线 デプロイ リリース",
    "delete": "delet remov drop erase purge rm empty emptied wipe clear lösch gelösch entfern leere geleer supprim efface vide borr elimin apag exclu remova удал стер очист 删 清空 削除 消去",
    "cut": "cutt cut coup schneid kürz gekürz cort recort tagli rés обрез сокра 删减 剪 削る",
    "decide": "decis deciso chose choic choos 选定 决意 decid entscheid entschied entschei tranch décid escolh выбра решит реша 决定 決め",
    "review": "review relect relir proofread korrektur lektor revisión revisão вычит рецензи 审阅 校对 校閲 レビュー",
    "change": "rühr fass 碰 接触 chang modif edit touch alter rewrit updat änder geänder veränder anfass anrühr bearbeit touche modifi chang toque toca cambi alter mex перепис переписа трога тронь меня измен правь редакт 修改 更改 改动 动 触 変更 編集 修正",
    "restart": "restart reboot neu neustart redémarr relanc reinici перезапус перезагру 重启 再起動",
    "send": "send sent mail email e-mail post messag notif schick sende gesend versend verschick envoy envoi envia envie enví invia invio spedi mand отправ посла шли 发送 发邮件 发给 寄 再送 送信 送ら 送っ 送る",
    "disclose": "disclos reveal leaked leaking shar tell told expose give preisgeb weitergeb weitergegeb gib verrat mitteil divulgu révél partag revel compart divulg раскры сообща сообщи разгла 透露 泄露 告诉 公开 漏ら 公開",
    "run": "run execut launch start trigger ausführ laufen starte exécut lanc tourn ejecut execut rod запус выполн 运行 执行 启动 実行 起動",
    "use": "use using nutz benutz verwend utilis emploi usar usa use utiliz использ примен 使用 只用 用 使っ 使う",
    "install": "install instal installi установ 安装 インストール",
    "write": "write writ written schreib schrieb geschrieb protokoll écri enregistr escrib escrev запис пиш пис 写入 写 書",
    "read": "read reading lese lesen gelesen lectur lisez leer lectura ler leitura чита чтен прочт 只读 读 読",
    "commit": "commit commits einchecken valid 提交 коммит コミット",
    "pay": "pay paid refund transfer rückerstatt erstatt überweis zahl rembours pay pago reembols devol оплат возврат платеж 退款 付款 支払 返金",
    "answer": "answer reply replie antwort répon respon отвеч ответ 回复 回答 返信",
    "exceed": "exceed surpass overshoot überschreit dépass excéd super exced превыш 超过 超出 不超 超え 上回",
    "test": "test tests teste tests prueba pruebas teste тест 测试 テスト",
    "migrate": "migrat umstell umgestell umzieh migr migra перен мигр 迁移 移行",
    "fix": "fix fixing repair reparier behebe behoben corrig répar arregl reparar consert исправ почин чин 修复 修好 修正 直し 直す 直り 直っ",
    "book": "book reserv buch reservier réserv reserv заброн брон 预订 预定 予約",
    "translate": "translat übersetz tradui traduc traduz перевод перевед перевёд перевес 翻译 翻訳",
    "export": "export exportier 导出 エクスポート экспорт",
    "draft": "draft entwurf entwerf brouillon borrador rascunho черновик 草稿 起草 下書き",
    "plan": "plan plann planen planif planej план 计划 计画 計画",
    "document": "document dokument документ 文档 文書",
    "refactor": "refactor umbau refaktor рефактор 重构 リファクタ",
    "rename": "rename renam umbenenn umbenann renomm renombr renome переимен 重命名 改名",
    "verify": "verify verif check validat confirm prüf überprüf cite-check vérifi comprob revis провер 检查 验证 調べ",
    "order": "order bestell command encarg encomend pedir закаж 订购 下单 注文し",
    "profile": "profile profil 分析 プロファイル",
    "find": "find gesuch suchen suche cherch trouv busca buscar encontr procur найд найти ищи поищ 查找 寻找 探し 検索",
    "upgrade": "upgrad aktualisier mettr actualiz atualiz обнов 更新 升级 アップグレード",
}
"""Deed -> how words for it begin; what is not of letters is found anywhere."""

_THINGS: Final[Mapping[str, str]] = {
    "approval": "zgod zgodz akkoord toestemming approv freigib freigeb permission consent sign-off signoff agree ask asking freigab zustimm zugestimm einverstand genehmig rücksprach rückfrag erlaub accord autoris validation demand aprob permis autoriz permiss соглас разреш одобр 批准 同意 许可 询问 審核 审核 承認 許可 確認",
    "user": "user users nutzer anwender utilisateur usuario usuário пользов 用户 ユーザー me my mine mich mir mein mon moi meu mi моего моей моё мой мне",
    "customer": "customer client clients kunde kund client cliente клиент 客户 顧客",
    "production": "production prod produktion produktions producción produção производ прод 生产 本番",
    "database": "database db datenbank produktionsdatenbank base bdd basede баз 数据库 データベース",
    "table": "table tabelle tabla tabela таблиц 表",
    "file": "file datei fichier archivo arquivo файл 文件 ファイル",
    "folder": "folder director ordner verzeichnis dossier répertoire carpeta pasta папк каталог 目录 文件夹 フォルダ",
    "server": "server testserver servers serveur servidor сервер 服务器 サーバ",
    "gateway": "gateway 网关 шлюз passerelle ゲートウェイ",
    "dependency": "dependenc abhängigkeit dépendanc dependencia dependência зависим 依赖 依存",
    "branch": "branch zweig branche rama ramo ветк 分支 ブランチ",
    "backup": "backup sicherung sauvegard copia резерв бэкап 备份 バックアップ",
    "key": "key keys schlüssel clé clave chave ключ 密钥 キー",
    "code": "code kennwort passwort password mot contraseñ senha парол код 密码 パスワード",
    "price": "price preis prix precio preço цен 价格 価格",
    "guest": "guest gäste gast visitor visiteur invité huésped visita гост 访客 客人 来客",
    "ticket": "ticket tickets 工单 заяв チケット",
    "log": "log logs protokoll journal registro журнал лог 日志 ログ",
    "build": "build 构建 сборк ビルド",
    "friday": "friday freitag vendredi viernes sexta пятниц 周五 星期五 金曜",
    "monday": "monday montag lundi lunes segunda понедельник 周一 星期一 月曜",
    "march": "march märz mars marzo março март 3月",
    "english": "english englisch anglais inglés inglês английск 英文 英语 英語",
    "freeze": "freeze frozen gel congel замороз 冻结 凍結",
    "supplier": "supplier vendor lieferant fournisseur proveedor fornecedor поставщик 供应商 仕入先",
    "staging": "staging stage recette 预发 ステージング стейдж",
    "export-end": "finish end done fertig beendet terminé fin fim оконч заверш 完成 終わ",
    "team": "team outsider außenstehend externe équipe equipo equipe команд посторон 外部 チーム",
    "quer": "quer request abfrag anfrag requête consult запрос 查询 请求 クエリ",
    "parallel": "parallel concurren simultan gleichzeitig simultán параллел одноврем 并发 并行 並列 同時",
    "job": "job jobs task tasks auftrag aufträg tâche tarea tarefa задач 任务 タスク ジョブ",
    "attempt": "attempt tries retries versuch tentativ intento попыт 尝试 次数 試行",
    "budget": "budget бюджет 预算 予算 presupuest orçament",
    "hours": "hours business arbeitszeit heures horario рабоч 工作时间 営業時間",
    "money": "spend cost kosten dépens gasto расход 费用 支出 費用",
    "contract": "contract vertrag contrat contrato договор 合同 契約",
    "hotel": "hotel hôtel гостиниц 酒店 ホテル",
    "trip": "trip travel reise voyage viaje viagem поездк 旅行",
    "restaurant": "restaurant mesa 餐厅 レストラン ресторан",
    "login": "login sign-in connexion вход 登录 ログイン inicio",
    "order": "orders bestellung commandes pedidos заказ 订单 注文",
    "invoice": "invoice rechnung facture factura fatura счет счёт 发票 請求書",
}

_WORD = late_pattern(r"\d[\d.,]*\d(?![\w@/:+-])|[^\W_][\w.@/:+-]*[^\W_]|[^\W_]|/[\w./-]+")
_CJK = late_pattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_NOT_LATIN = late_pattern(r"[\u0400-\u052f\u0590-\u06ff\u0900-\u0dff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ENDING_SIGNS = late_pattern(r"[\u3040-\u309f]")
"""Hiragana are endings and particles for the most part."""

_EMPTY: Final = frozenset(
    "the a an to of in on at for and or is are was were be been it its this that we i you they he she our your must should would will may can could with by from as so then just please also any"
    " has have had not no never only always before after until without under inside during der die das den dem des ein eine einen einem und oder ist sind wird werden darf dürfen wir ich du sie zu am auf für mit von bei bis ins im am vom beim zum zur um stelle stell lege mache into onto bitte nicht nie niemals nur immer ohne keine kein erst vor nach unter"
    " le la les un une des de du et ou est sont nous je vous au aux en dans pour sur avec sans que qu ne pas jamais doit être il elle el los las una y es son yo con por para que se no nunca sin debe solo o os do da dos das um uma e não sem só"
    " и или в на с по для это мы я вы не к из до без только нельзя никогда за во".split()
)
_ENDINGS: Final = ("ungen", "ing", "ung", "ed", "es", "en", "er", "em", "s", "e", "t", "ами", "ями", "ого", "ому", "ом", "ем", "ой", "ам", "ах", "ов", "а", "ы", "и", "у", "е", "ь", "й")  # fmt: skip


def _tables() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return concept by beginning of a word, and by characters of a script without blanks."""
    begin: dict[str, str] = {}
    inside: dict[str, str] = {}
    for concept, words in {**_DEEDS, **_THINGS}.items():
        for word in words.split():
            (inside if _CJK.search(word) else begin)[word] = concept
    return begin, inside


_BEGIN, _INSIDE = _tables()
_INSIDE_SHAPE: Final = late_pattern("|".join(sorted(map(re.escape, _INSIDE), key=len, reverse=True)))
_LONGEST: Final = max(map(len, _BEGIN))
DEEDS: Final = frozenset(_DEEDS)
"""The concepts that name a deed."""


class SentenceTerms:
    """What a sentence is about; each of these sets is made when it is first asked for.

    Attributes:
        deeds: what is done, by concept.
        things: what it is done to, by concept.
        anchors: names, paths, codes and numbers: the same in every language.
        words: all other words, without endings.
        spelled: every word of Latin letters and digits as it is written, in small letters.
        all: deeds, things, anchors and words: everything the sentence names.
    """

    def __init__(self, found: Sequence["_ReadWord"]) -> None:
        """Take each word of the sentence as it was read; what is empty counts for nothing."""
        self._found = found

    @cached_property
    def deeds(self) -> frozenset[str]:
        """What is done."""
        return self._of(_DEED)

    @cached_property
    def things(self) -> frozenset[str]:
        """What it is done to."""
        return self._of(_THING)

    @cached_property
    def anchors(self) -> frozenset[str]:
        """Names, paths, codes and numbers."""
        return self._of(_ANCHOR)

    @cached_property
    def words(self) -> frozenset[str]:
        """All other words."""
        return self._of(_PLAIN_WORD)

    @cached_property
    def spelled(self) -> frozenset[str]:
        """Every word of Latin letters and digits."""
        return frozenset(spelled for kind, _, spelled in self._found if kind >= 0 and spelled is not None)

    @cached_property
    def all(self) -> frozenset[str]:
        """Everything the sentence names."""
        return frozenset(term for kind, term, _ in self._found if kind >= 0)

    @property
    def concepts(self) -> frozenset[str]:
        """Deeds and things."""
        return self.deeds | self.things

    def _of(self, wanted: int) -> frozenset[str]:
        return frozenset(term for kind, term, _ in self._found if kind == wanted)


_ReadWord = tuple[int, str, str | None]
"""What a word is to a sentence, the term it stands for, and how it is spelled where it is of Latin letters."""


@lru_cache(maxsize=20_000)
def read_terms(text: str) -> SentenceTerms:
    """Return what the sentence *text* is about, endings, articles and modal words left out."""
    if text.isascii():
        return SentenceTerms([_read_word(written, False) for written in _WORD.findall(text)])
    found: list[_ReadWord] = []
    foreign = _NOT_LATIN.search(text) is not None
    for run in _CJK.findall(text):
        rest = run
        for match in _INSIDE_SHAPE.finditer(run):
            concept = _INSIDE[match.group()]
            found.append((_DEED if concept in DEEDS else _THING, concept, None))
            rest = rest.replace(match.group(), " ")
        pairs = (rest[at : at + 2] for at in range(len(rest) - 1))
        found += (
            (_PLAIN_WORD, pair, None) for pair in pairs if " " not in pair and not _ENDING_SIGNS.search(pair)
        )
    found += (_read_word(written, foreign) for written in _WORD.findall(_CJK.sub(" ", text)))
    return SentenceTerms(found)


def is_of_signs(text: str) -> bool:
    """Return whether *text* has words that are not of Latin letters: they are read together."""
    return not text.isascii() and (_NOT_LATIN.search(text) or _CJK.search(text)) is not None


def cut_words(text: str) -> Sequence[str]:
    """Return the words of *text*, of Latin letters, each of which `read_terms` reads for itself."""
    return _WORD.findall(text)


def read_word(word: str) -> tuple[str, bool]:
    """Return the term that a word of `cut_words` stands for, `''` where it is empty, and whether it is an anchor."""
    kind, term, _ = _read_word(word, False)
    return term, kind == _ANCHOR


_EMPTY_WORD, _DEED, _THING, _ANCHOR, _PLAIN_WORD = -1, 0, 1, 2, 3
"""What a word is to a sentence."""


@lru_cache(maxsize=50_000)
def _read_word(written: str, foreign: bool) -> _ReadWord:
    """Return what a word is, the term it stands for, and how it is spelled."""
    word = written.strip(".:-")
    folded = word.casefold()
    if not word or folded in _EMPTY:
        return _EMPTY_WORD, "", ""
    plain = _plain_number(folded)
    if _is_anchor(word, foreign):
        return _ANCHOR, plain, plain
    if known := _concept(folded):
        return (_DEED if known in DEEDS else _THING), known, plain
    return _PLAIN_WORD, _stem(folded), plain


def _concept(word: str) -> str | None:
    """Return the concept that *word* names: it begins like one of its words, and is not much longer.

    `abschicken` is to send: a German verb may have a particle before it.
    """
    return _begins(word) or ((rest := _PARTICLE.match(word)) and _begins(word[rest.end() :])) or None


_PARTICLE = late_pattern(
    r"(?:ab|an|auf|aus|ein|heraus|hin|los|nach|um|weg|weiter|zurück)(?:ge|zu)?(?=[a-zäöü]{5})|ge(?=[a-zäöü]{4,}t$)"
)


PARTICLE_HEADS: Final = frozenset({"ab", "an", "au", "ei", "he", "hi", "lo", "na", "um", "we", "zu", "ge"})
"""How a word begins of which the rest, not its beginning, may say what it is."""


def beginnings_of(terms: Collection[str]) -> frozenset[str]:
    """Return how the words begin that name a concept of *terms*."""
    return frozenset(begin for begin, concept in _BEGIN.items() if concept in terms)


def beginnings_of_forms(forms: Collection[str], form_of: Callable[[str], str]) -> frozenset[str]:
    """Return how the words begin that name a concept of which *forms* has what *form_of* makes of it."""
    return beginnings_of({one for one in {**_DEEDS, **_THINGS} if form_of(one) in forms})


def names_nothing(word: str) -> bool:
    """Return whether a word of `cut_words` is empty, or only joins others."""
    bare = word.strip(".:-")
    return not bare or bare.casefold() in _EMPTY


def may_name(concept: str, text: str) -> bool:
    """Return whether a word that names *concept* may be in *text*."""
    folded = text.casefold()
    return any(one in folded for one in _words_of(concept))


@cache
def _words_of(concept: str) -> Sequence[str]:
    return [word for words in (_BEGIN, _INSIDE) for word, named in words.items() if named == concept]


def _begins(word: str) -> str | None:
    for size in range(min(len(word), _LONGEST), 1, -1):
        if (found := _BEGIN.get(word[:size])) and len(word) - size <= (7 if size > 3 else 2):
            return found
    return None


def _is_anchor(word: str, foreign: bool) -> bool:
    """Return whether *word* is a name, a path, a code or a number, the same in every language."""
    if any(map(str.isdigit, word)) or any(sign in word for sign in "/_@:"):
        return True
    if "." in word or ("-" in word and word.isascii() and not word.islower()):
        return True
    inner = any(char.isupper() for char in word[1:])
    return (inner and len(word) > 1) or (
        foreign and word.isascii() and len(word) > 1 and _concept(word.casefold()) is None
    )


def _plain_number(word: str) -> str:
    """`1.200`, `1,200` and `1200` are one number."""
    bare = word.replace(".", "").replace(",", "")
    return bare if bare.isdigit() else word.strip("`'\"")


def _stem(word: str) -> str:
    if _PARTICIPLE.fullmatch(word):
        word = word[2:]  # `gefüttert` is of `füttern`
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 3:
            word = word[: -len(ending)]
            break
    return word[:_STEM]


_STEM: Final = 6
_PARTICIPLE = late_pattern(r"ge[a-zäöüß]{4,}(?:t|en)(?:e[mnrs]?)?")
