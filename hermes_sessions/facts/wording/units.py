"""Words after a number, by what they make of it, in the languages that are read."""

from typing import Final


def _words(kind: str, text: str) -> dict[str, str]:
    return dict.fromkeys(text.split(), kind)


UNITS: Final[dict[str, str]] = {
    **_words(
        "duration",
        "ns µs us ms msec s sec secs second seconds min mins minute minutes h hr hrs hour hours day days week weeks month"
        " months year years yr yrs fortnight quarters business-days workdays sprints"
        " sek sekunde sekunden minuten stunde stunden std tag tage tagen woche wochen monat monate monaten jahr jahre jahren"
        " millisekunden werktage werktagen"
        " seconde secondes heure heures jour jours semaine semaines mois an ans année années millisecondes"
        " segundo segundos minuto minutos hora horas día días dia dias semana semanas mes meses año años milisegundos"
        " secondo secondi minuti ora ore giorno giorni settimana settimane mese mesi anno anni"
        " meis mês ano anos"
        " мс с сек секунд секунды секунду секунда мин минут минуты минуту минута ч час часа часов день дня дней неделя недели"
        " недель неделю месяц месяца месяцев год года лет сутки суток миллисекунд"
        " 초 분 시간 일 주 개월 년 सेकंड मिनट घंटे घंटा दिन सप्ताह महीने साल ثانية ثواني ثوان دقيقة دقائق ساعة ساعات يوم أيام يوما يومًا أسبوع أسابيع شهر أشهر شهرا شهور سنة سنوات عام أعوام"
        " saniye dakika saat gün hafta ay yıl",
    ),
    **_words(
        "number",
        "b kb mb gb tb pb kib mib gib tib bytes byte bit bits kbit mbit gbit kbit/s mbit/s gbit/s mbps gbps kb/s mb/s gb/s"
        " mib/s kib/s gib/s hz khz mhz ghz km m cm mm µm nm kg g mg lb lbs oz t l ml w kw mw kwh mwh wh v mv a ma mah °c °f °"
        " px em rem pt dpi fps rpm qps rps tps iops ops/s req/s rows/s msg/s x k vcpu vcpus cpu cpus core cores db dbm lux bar"
        " pa kpa hpa psi nm ppm mol j kj kcal cal sqm m² m³ km² km/h m/s mph ha"
        " октет байт байта килобайт мегабайт гигабайт мб гб кб тб кг км м см мм г л вт квт"
        " liter liters litre litres litro litros litri litrów литр литра литров gram grams gramm gramme grammes gramo gramos grama gramas grammi gramów"
        " грамм граммов kilo kilos kilogram kilograms kilogramm kilogrammes kilogramos килограмм килограмма килограммов meter meters metre metres"
        " mètre mètres metro metros metri metrów метр метра метров ton tons tonne tonnes tonnen tonelada toneladas tonnellate тонна тонны тонн"
        " gallon gallons feet ft inch inches yard yards mile miles acre acres hektar hectare hectares hectáreas"
        " octets octet mo go ko ميغابايت جيجابايت كيلوبايت بايت كيلومتر متر كيلوغرام",
    ),
    **_words(
        "percentage",
        "% ‰ ％ ٪ फ़ीसदी प्रतिशत 퍼센트 percent pct percentage prozent prozentpunkte процент процента процентов бит% بالمائة بالمئة pp",
    ),
    **_words(
        "money",
        "€ $ £ ¥ ₽ ₹ ₩ ₺ usd eur gbp jpy cny rmb chf cad aud inr rub krw sek nok dkk pln brl mxn czk huf try aed sar egp"
        " dollar dollars euro euros pounds yen yuan cents cent pesos rubles franken francs franc rupees dólares dólar"
        " tl lira riyal riyals shekel zł kč kr won rupia ₪ руб рубль рубля рублей доллар доллара долларов евро юаней دولار دولارا دولارًا يورو ريال درهم جنيه",
    ),
}
"""Lower-case word to kind; a word of two letters or more may begin with a capital."""

CASED: Final[dict[str, str]] = {
    "s": "duration", "h": "duration", "d": "duration", "m": "", "M": "", "K": "number", "B": "number", "t": "", "a": "",
    "A": "number", "V": "number", "W": "number", "g": "number", "l": "number", "L": "number", "x": "number", "X": "", "b": "",
    "k": "number", "T": "", "G": "", "J": "", "C": "", "S": "", "H": "", "w": "duration", "y": "", "с": "", "ч": "duration",
}  # fmt: skip
"""Units of one letter are written in one case; '' where the letter alone is not sure."""

COUNTERS: Final[tuple[tuple[str, str], ...]] = (
    *((one, "duration") for one in "毫秒 ミリ秒 マイクロ秒 초간 초 분간 시간 일간 주일 주 개월 년간 분 秒钟 秒鐘 秒間 秒 分钟 分鐘 分間 小时 小時 時間 个小时 天 日間 日间 周 週間 星期 个月 個月 か月 ヶ月 ヵ月 カ月 个工作日 年間 年间 年半".split()),
    *((one, "money") for one in "만원 억원 천원 원 달러 유로 엔 万元 萬元 亿元 千元 美元 欧元 歐元 日元 人民币 元 万円 億円 千円 円 圓 块钱 块 ドル ユーロ ウォン 港币".split()),
    *((one, "percentage") for one in "퍼센트 ％ パーセント ポイント 个百分点".split()),
    *((one, "number") for one in (
        "개 명 건 대 번 회 행 줄 장 권 쪽 박 유저 流明 인치 메가바이트 기가바이트 킬로미터 种语言 个 個 件 台 人 次 条 條 行 回 本 名 页 頁 ページ 章 篇 家 位 项 項 种 種 份 张 張 枚 つ 杯 匹 社 店 倍 字节 字節 字 句 段 层 層 階 号 號 箱 组 組"
        " 套 支 只 批 步 笔 筆 度 米 公里 千克 公斤 吨 トン キロ メートル バイト 文字 ファイル テスト 票 世代 通 万人 万行 万条 万次 万件 万 核 节点 副本 线程"
    ).split()),
)  # fmt: skip
"""Words of scripts without blanks, right after the number; the longest that fits counts."""

NOUNS: Final = frozenset(
    # what agents and people count
    "row rows line lines file files test tests message messages request requests session sessions commit commits error errors"
    " failure failures warning warnings user users time times token tokens item items record records entry entries event events"
    " job jobs task tasks worker workers thread threads process processes connection connections replica replicas pod pods node"
    " nodes container containers instance instances server servers service services table tables column columns field fields"
    " index indexes page pages word words character characters chars char byte bytes step steps attempt attempts retry retries"
    " issue issues ticket tickets bug bugs package packages module modules dependency dependencies vulnerability vulnerabilities"
    " change changes insertion insertions deletion deletions branch branches customer customers order orders invoice invoices"
    " product products account accounts people person persons engineer engineers developer developers seat seats unit units piece"
    " pieces query queries call calls call hit hits miss misses duplicate duplicates match matches result results document documents"
    " image images video videos sample samples batch batches epoch epochs partition partitions shard shards layer layers point"
    " points chapter chapters section sections question questions comment comments review reviews vote votes view views visitor"
    " visitors download downloads employee employees participant participants attendee attendees license licenses device devices"
    " key keys value values object objects function functions class classes method methods endpoint endpoints route routes"
    " migration migrations suite suites spec specs snapshot snapshots assertion assertions scenario scenarios"
    # de
    " zeile zeilen datei dateien nachricht nachrichten anfrage anfragen sitzung sitzungen fehler nutzer benutzer versuch versuche"
    " kunde kunden bestellung bestellungen rechnung rechnungen datensatz datensätze seite seiten wort wörter zeichen mal stück"
    " personen mitarbeiter plätze lizenzen verbindungen tabellen spalten einträge aufgaben schritte prozesse dienste instanzen"
    # fr
    " ligne lignes fichier fichiers requête requêtes utilisateur utilisateurs erreur erreurs essai essais tentative tentatives"
    " client clients commande commandes facture factures enregistrement enregistrements fois personne personnes tâches étapes"
    " connexions serveurs licences postes articles"
    # es, pt, it
    " fila filas línea líneas archivo archivos solicitud solicitudes usuario usuarios error errores intento intentos cliente"
    " clientes pedido pedidos factura facturas registro registros vez veces persona personas prueba pruebas mensaje mensajes"
    " página páginas tarea tareas conexiones servidores licencias linhas arquivos usuários righe utenti tentativi réplicas".split()
)
"""Nouns that make a number a fact wherever it stands."""

NOT_NOUNS: Final = frozenset(
    "is was has this does plus minus as its his hers yes always perhaps across towards besides unless thus vs versus says"
    " means makes needs gets goes uses gives takes looks seems works comes keeps sits hours the and or of in on at to for from"
    " with by but if then than that which who when where while after before until more less other others per each every all"
    " both few some any no not also only just even still yet already times-out fails passes runs shows returns und oder für von"
    " bis mit auf aus bei nach the der die das des den dem ist sind war et ou de des du le la les dans pour par sur sont est"
    " que y o en el los las por para con del es und não para com mais plus moins très pas и или для из от до на по при не что"
    " это как так же уже еще ещё из-за من في على إلى و أو عن مع هو هي كان لا ما أن إن".split()
)

WEEKDAYS: Final = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag"
    " lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo"
    " segunda-feira terça quarta quinta sexta lunedì martedì mercoledì giovedì venerdì sabato domenica"
    " понедельник вторник среда среду четверг пятница пятницу суббота субботу воскресенье"
    " понеділок вівторок середа середу четвер п'ятниця п'ятницю субота суботу неділя неділю maandag dinsdag woensdag donderdag vrijdag"
    " zaterdag zondag poniedziałek wtorek środa środę czwartek piątek sobota sobotę niedziela niedzielę pazartesi salı çarşamba perşembe"
    " cuma cumartesi pazar måndag tisdag onsdag torsdag fredag lördag söndag mandag tirsdag lørdag søndag".split()
)
"""Names of days in lower case."""

MONTHS: Final = {
    word: index % 12 + 1
    for names in (
        "january february march april may june july august september october november december",
        "jan feb mar apr may jun jul aug sep oct nov dec",
        "januar februar märz april mai juni juli august september oktober november dezember",
        "jänner feber mrz apr mai jun jul aug sept okt nov dez",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "janv févr mars avr mai juin juil août sept oct nov déc",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "ene feb mar abr may jun jul ago sep oct nov dic",
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
        "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
        "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
        "januari februari maart april mei juni juli augustus september oktober november december",
        "जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
        "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
        "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
        "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
        "януари февруари март април май юни юли август септември октомври ноември декември",
        "ledna února března dubna května června července srpna září října listopadu prosince",
        "januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra",
        "januari februari mars april maj juni juli augusti september oktober november december",
        "januar februar marts april maj juni juli august september oktober november desember",
        "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta",
        "január február március április május június július augusztus szeptember október november december",
        "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
        "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
        "januari februari maret april mei juni juli agustus september oktober november desember",
        "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου",
    )
    for index, word in enumerate(names.split())
}
"""Names of months in lower case to their number."""
