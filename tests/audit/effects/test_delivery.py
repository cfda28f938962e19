"""What a reply gives of a request: a promise, a look, a question back and a failure leave it open."""

import pytest

from hermes_sessions.audit.effects.delivery import Delivery, read_delivery
from hermes_sessions.messages import Severity
from tests.audit.builders import assistant, call, compacted, hits, tool, user

TASK = "Translate the README to French."
OPEN = {
    "Translate the README to French.": [
        "Sure, I will translate the README to French next.",
        "Let me look at the README first.",
        "Should I keep the code blocks untranslated?",
        "I could not open README.md: permission denied.",
        "I will do it now.",
        "On it.",
        "Will do.",
        "I'm working on it.",
        "I read README.md; I will translate it next.",
        "Looking at the README now...",
        "Sorry, I can't do that.",
        "Okay! One moment.",
        "Which dialect do you want, Canadian or European?",
        "I am translating it now.",
        "I read the README and will translate it next.",
    ],
    "Übersetze die README ins Französische.": [
        "Klar, ich übersetze die README als Nächstes.",
        "Ich schaue mir zuerst die README an.",
        "Soll ich die Codeblöcke unübersetzt lassen?",
        "Ich konnte README.md nicht öffnen: Zugriff verweigert.",
        "Ich werde das jetzt machen.",
        "Mache ich gleich.",
        "Als Nächstes übersetze ich die README.",
        "Ich kümmere mich darum.",
    ],
    "Traduis le README en anglais.": [
        "Bien sûr, je vais traduire le README ensuite.",
        "Je regarde d'abord le README.",
        "Dois-je garder les blocs de code ?",
        "Je n'ai pas pu ouvrir README.md : permission refusée.",
        "Je le ferai tout de suite.",
        "Je m'en occupe.",
    ],
    "Traduce el README al francés.": [
        "Claro, voy a traducir el README ahora.",
        "Déjame ver primero el README.",
        "¿Dejo los bloques de código sin traducir?",
        "No pude abrir README.md: permiso denegado.",
        "Lo haré ahora.",
        "Enseguida.",
    ],
    "Traduci il README in francese.": [
        "Certo, tradurrò il README adesso.",
        "Fammi prima guardare il README.",
        "Devo lasciare i blocchi di codice?",
        "Non sono riuscito ad aprire README.md: permesso negato.",
        "Lo faccio subito.",
    ],
    "Traduza o README para francês.": [
        "Claro, vou traduzir o README a seguir.",
        "Deixe-me ver primeiro o README.",
        "Devo manter os blocos de código?",
        "Não consegui abrir README.md: permissão negada.",
        "Farei isso agora.",
    ],
    "Vertaal de README naar het Frans.": [
        "Natuurlijk, ik ga de README nu vertalen.",
        "Laat me eerst naar de README kijken.",
        "Moet ik de codeblokken laten staan?",
        "Ik kon README.md niet openen: toegang geweigerd.",
        "Ik doe het nu.",
        "Ik bekijk eerst de README.",
    ],
    "Przetłumacz README na francuski.": [
        "Jasne, zaraz przetłumaczę README.",
        "Najpierw obejrzę README.",
        "Czy zostawić bloki kodu?",
        "Nie udało mi się otworzyć README.md: odmowa dostępu.",
        "Zrobię to teraz.",
        "Zajmę się tym.",
    ],
    "Översätt README till franska.": [
        "Visst, jag ska översätta README härnäst.",
        "Låt mig titta på README först.",
        "Ska jag behålla kodblocken?",
        "Jag kunde inte öppna README.md: åtkomst nekad.",
        "Jag gör det nu.",
    ],
    "Переведи README на французский.": [
        "Конечно, сейчас переведу README.",
        "Сначала посмотрю README.",
        "Оставить блоки кода без перевода?",
        "Не удалось открыть README.md: нет доступа.",
        "Я сделаю это сейчас.",
        "Хорошо, займусь этим.",
    ],
    "README dosyasını Fransızcaya çevir.": [
        "Elbette, şimdi README'yi çevireceğim.",
        "Önce README'ye bakıyorum.",
        "Kod bloklarını çevirmeden bırakayım mı?",
        "README.md dosyasını açamadım: erişim reddedildi.",
        "Bunu hemen yapacağım.",
    ],
    "请把README翻译成法语。": [
        "好的，我会翻译README。",
        "让我先看看README。",
        "代码块要保留原文吗？",
        "无法打开README.md：权限不足。",
        "我现在就做。",
        "接下来我会把README翻译成法语。",
    ],
    "READMEをフランス語に翻訳してください。": [
        "承知しました。次にREADMEを翻訳します。",
        "まずREADMEを見てみます。",
        "コードブロックはそのままにしますか？",
        "README.mdを開けませんでした。権限がありません。",
        "今からやります。",
    ],
    "README를 프랑스어로 번역해 주세요.": [
        "네, README를 번역하겠습니다.",
        "먼저 README를 살펴보겠습니다.",
        "코드 블록은 그대로 둘까요?",
        "README.md를 열 수 없습니다. 권한이 없습니다.",
        "지금 할게요.",
    ],
}

GIVEN = [
    ("Translate the README to French.", "Done."),
    ("Translate the README to French.", "README.fr.md is written."),
    ("Translate the README to French.", "The README is translated. Shall I also push it?"),
    (
        "Translate the README to French.",
        "I translated the README; it is in README.fr.md. I will push it next.",
    ),
    ("Translate the README to French.", "Done, shall I push it?"),
    ("Translate the README to French.", "I've translated it."),
    ("Translate the README to French.", "I will translate it now:\n\n# Bonjour\n\nCeci est le projet.\n"),
    ("Translate the README to French.", "It's translated now. Let me know if you need anything else."),
    ("Which port is free?", "Port 8080 is free."),
    ("Is it red?", "No."),
    ("Which port is free?", "8080. I will note that."),
    ("Never use port 8002.", "I will keep that in mind."),
    ("Never use port 8002.", "Will do."),
    ("Always answer in French.", "I will."),
    ("From now on write short commit messages.", "I will do that."),
    ("The budget is 4,500 euros.", "I will use that."),
    ("Use port 8080 for the service.", "Understood, 8080."),
    ("Run the tests.", "Two tests fail: test_login and test_logout."),
    ("What is next?", "Next is the test run."),
    ("Propose-moi un nom.", "Je propose Alpha."),
    ("Zaproponuj nazwę.", "Proponuję Alfa."),
    ("Предложи имя.", "Предлагаю Альфа."),
    ("Übersetze die README.", "Erledigt."),
    ("Traduis le README.", "C'est fait, le README est traduit."),
    ("Traduce el README.", "Listo, traducido."),
    ("请翻译README。", "已完成。"),
    ("请翻译README。", "我已经把README翻译好了。"),
    ("READMEを翻訳してください。", "翻訳しました。"),
    ("README를 번역해 주세요.", "번역했습니다."),
    ("Przetłumacz README.", "Przetłumaczyłem README."),
    ("Översätt README.", "Jag har översatt README."),
    ("Vertaal de README.", "Ik heb de README vertaald."),
    ("Переведи README.", "Готово, перевёл."),
    ("README'yi çevir.", "README'yi çevirdim."),
    ("Traduza o README.", "Traduzi o README."),
    ("Traduci il README.", "Ho tradotto il README."),
    ("Commit the fix.", "Committed on branch fix-7."),
    ("Explain why it fails.", "The server cannot reach the database."),
    ("Wait until I am back.", "I'll wait."),
    ("Summarise README.md.", "It says that the tool needs Python 3.11 and how to install it."),
    ("Draft the offer.", "The offer is drafted at 4,200 euros."),
    ("Fix the login bug.", "The login bug came from a stale token; the check now renews it."),
    ("Explique le cache.", "Le cache garde les pages une heure."),
    ("Thanks!", "You are welcome. I will be here."),
    ("Schlag einen Namen vor.", "Ich schlage Alpha vor."),
]


@pytest.mark.parametrize(("request_", "reply"), [(one, text) for one, all_ in OPEN.items() for text in all_])
def test_what_only_promises_looks_asks_or_fails_leaves_a_request_open(request_, reply):
    assert read_delivery(request_, [assistant(reply)]) is Delivery.OPEN


@pytest.mark.parametrize(("request_", "reply"), GIVEN)
def test_what_says_or_reports_something_answers(request_, reply):
    is_rule = request_.startswith(("Never", "Always", "From now"))
    kinds = {"constraint"} if is_rule else {"request"}
    assert read_delivery(request_, [assistant(reply)], kinds) is Delivery.GIVEN


@pytest.mark.parametrize(
    ("request_", "reply"),
    [
        ("Tell me a riddle.", "What has keys but cannot open locks?"),
        ("Find the bug in export.py.", "I could not find any bug."),
        ("Can you open README.md?", "I could not open it: permission denied."),
        ("What is next?", "I will run the tests next."),
        (TASK, "The README has three parts. I will translate it next."),
        (TASK, "There are two files of that name. Which one do you mean?"),
        (TASK, "Okay."),
    ],
)
def test_in_doubt_a_request_is_perhaps_answered(request_, reply):
    assert read_delivery(request_, [assistant(reply)]) is Delivery.PERHAPS


def test_a_promise_after_which_something_was_written_is_perhaps_kept():
    rows = [
        assistant("I will do it now."),
        assistant("", call("write_file", path="README.fr.md")),
        tool("c1"),
    ]
    assert read_delivery(TASK, rows) is Delivery.PERHAPS
    assert (
        read_delivery(TASK, [rows[0], assistant("", call("read_file", path="README.md")), tool("c1")])
        is Delivery.OPEN
    )


def talk(reply):
    return [user("Fix the typo."), assistant("Fixed."), user(TASK), assistant(reply)]


def test_a_promised_request_that_the_summary_leaves_out_is_lost():
    told = compacted(talk("Sure, I will translate the README to French next."), body="Typo fixed.", keep=[3])
    [found] = hits(told, "last-request-lost")
    assert (found.severity, found.messages) == (Severity.ERROR, (3,))


def test_a_promised_request_that_the_summary_names_is_not():
    body = "Typo fixed. Open: translate the README to French."
    told = compacted(talk("Sure, I will translate the README to French next."), body=body, keep=[3])
    assert all(one.severity is Severity.INFO for one in hits(told, "last-request-lost"))


def test_a_request_that_is_perhaps_answered_is_a_note():
    told = compacted(talk("It has three parts. I will translate it next."), body="Typo fixed.", keep=[3])
    [found] = hits(told, "last-request-lost")
    assert (found.severity, found.evidence) == (Severity.INFO, {"in_handoff": False, "answered": "perhaps"})
