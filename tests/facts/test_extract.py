"""Facts of a message: each kind with the texts it stands in, and what only looks like one."""

import json

import pytest

import hermes_sessions
from hermes_sessions.facts.extract import extract_facts
from hermes_sessions.facts.values import MAX_FACT_CHARS, FactKind
from tests.facts.hostile import hostile_texts
from tests.stopwatch import cpu_seconds


def found(text: str, role: str = "tool") -> set[tuple[str, str]]:
    return {(fact.kind, fact.value) for fact in extract_facts({"role": role, "content": text})}


def keyed(text: str, role: str = "user") -> set[tuple[str, str, str]]:
    return {(fact.kind, fact.key, fact.value) for fact in extract_facts({"role": role, "content": text})}


VALUES = [
    ("path", "src/auth/session.py", "see {}, please"),
    ("path", "src/app.py:12", "at {}: bad"),
    ("path", "C:\\Users\\ada\\x.txt", "in {} it is"),
    ("url", "https://ex.org/a_(b)", "(see {}), then"),
    ("email", "jane.doe@ex.com", "write to {}."),
    ("ip", "10.0.3.17", "from {}:6379 on"),
    ("host", "db.internal", "on {}, again"),
    ("hash", "9fceb02", "commit {} is it"),
    ("id", "INV-2026-0042", "send {}."),
    ("id", "api-7d9f8b6c5-x2k4p", "pod {} died"),
    ("version", "v1.8.2-rc.1", "tag {}, then"),
    ("version", "PostgreSQL 16", "we run {}."),
    ("image", "ghcr.io/acme/api:1.4.2", "pull {} first"),
    ("branch", "feature/login-2", "on branch {}."),
    ("number", "1 048 576 rows", "it has {}."),
    ("number", "12 Dateien", "es sind {}."),
    ("money", "1.234,50 €", "es kostet {}."),
    ("money", "$1.2M", "about {}, so"),
    ("percentage", "71.2 %", "it is {}."),
    ("duration", "2h 30m", "took {}."),
    ("duration", "90 s", "after {}, again"),
    ("date", "4. März 2026", "am {} um"),
    ("date", "2026-03-04", "on {}."),
    ("date", "March 4, 2026", "on {} we"),
    ("time", "10:30 CET", "at {}, then"),
    ("identifier", "load_rows()", "call {} now"),
    ("identifier", "UserRepository.find_by_email", "in {}, twice"),
]


@pytest.mark.parametrize(("kind", "value", "frame"), VALUES, ids=[value for _, value, _ in VALUES])
@pytest.mark.parametrize("role", ["user", "assistant"])
def test_a_value_is_found_whole_and_clean(kind: str, value: str, frame: str, role: str) -> None:
    assert (kind, value) in found(frame.replace("{}", value), role)


SCRIPTS = [
    ("30秒", "duration", "超时设为30秒，请改"),
    ("3000元", "money", "共3000元。"),
    ("7月20日", "date", "请在7月20日前完成"),
    ("8123", "port", "端口改成8123。"),
    ("50万円", "money", "予算は50万円です。"),
    ("下午3点", "time", "会议下午3点开始"),
    ("٢٠ دقيقة", "duration", "المهلة ٢٠ دقيقة فقط"),
    ("5 مايو 2026", "date", "الموعد 5 مايو 2026"),
    ("250 000 рублей", "money", "бюджет 250 000 рублей."),
    ("15 марта 2026", "date", "встреча 15 марта 2026 в офисе"),
    ("5 de mayo de 2026", "date", "el 5 de mayo de 2026, creo"),
    ("15 pour cent", "percentage", "soit 15 pour cent."),
    ("14 Uhr", "time", "um 14 Uhr."),
]


@pytest.mark.parametrize(("value", "kind", "text"), SCRIPTS, ids=[value for value, _, _ in SCRIPTS])
def test_units_dates_and_money_are_read_in_every_script(value: str, kind: str, text: str) -> None:
    assert (kind, value) in found(text, "user")


RULES = [
    "Never push to main without my approval",
    "The production database is read-only until Friday",
    "Niemals ohne Freigabe deployen",
    "Il ne faut jamais supprimer les sauvegardes",
    "Nunca borres la tabla usuarios",
    "不要删除生产数据库",
    "本番環境には絶対にデプロイしないでください",
    "Нельзя менять схему таблицы orders",
    "لا تحذف قاعدة بيانات الإنتاج",
]


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_a_constraint_in_every_language(rule: str) -> None:
    assert ("constraint", rule) in found(f"{rule}.", "user")


DECISIONS = [
    "We decided to use PostgreSQL 16",
    "Wir haben beschlossen, Redis 7 zu verwenden",
    "On a décidé d'utiliser Kafka",
    "Hemos decidido usar Redis 7",
    "我们决定使用Kafka",
    "Redisを使うことに決めました",
    "Мы решили использовать Redis 7",
    "قررنا استخدام Redis 7",
    "I went with Redis 7 because it is small",
    "Dafür nehmen wir jetzt Redis 7",
    "J'ai retenu Redis 7 pour la file",
    "He optado por Redis 7 para la cola",
    "队列我选择了 Redis 7",
]


@pytest.mark.parametrize("decision", DECISIONS)
def test_a_decision_is_one_in_every_language(decision: str) -> None:
    assert ("decision", decision) in found(f"{decision}.", "user")


@pytest.mark.parametrize(
    "text", ["Todo parece normal por aquí.", "I went for a walk.", "Then machen wir uns auf."]
)
def test_what_sounds_like_a_marker_or_a_choice_is_none(text: str) -> None:
    assert not {"todo", "decision"} & {kind for kind, _ in found(text, "assistant")}


def test_what_holds_from_now_on_is_a_rule_of_the_user() -> None:
    rule = "From now on every change needs a changelog entry"
    assert ("constraint", rule) in found(f"{rule}.", "user")


SPOKEN = [
    ("todo", "write the changelog", "- [ ] write the changelog\n- [x] bump"),
    ("todo", "remove the shim", "TODO: remove the shim"),
    ("todo", "rotate the keys", "Remaining work:\n- rotate the keys"),
    ("next_step", "deploy to staging", "Next step: deploy to staging."),
    ("question", "Should we drop Python 3.9?", "Done. Should we drop Python 3.9?"),
    ("decision", "Use Kafka for events", "## Decisions\n- Use Kafka for events"),
    ("error", "TypeError: x is not a function", "It says `TypeError: x is not a function` at once."),
    ("test_result", "48 tests passed", "All good: 48 tests passed."),
    ("file_changed", "src/a/b.py", "I've updated `src/a/b.py` now."),
    ("command", "git push origin main", "Then run `git push origin main`."),
]


@pytest.mark.parametrize(("kind", "value", "text"), SPOKEN)
def test_what_is_said_about_the_work_is_found(kind: str, value: str, text: str) -> None:
    assert (kind, value) in found(text, "assistant")


SHOWN = [
    ("error", "ValueError: bad", 'Traceback (most recent call last):\n  File "/a", line 3\nValueError: bad'),
    ("error", "FAILED tests/t.py::test_a - assert 1 == 2", "FAILED tests/t.py::test_a - assert 1 == 2"),
    ("error", "--- FAIL: TestParse (0.00s)", "--- FAIL: TestParse (0.00s)\nFAIL"),
    ("error", "error[E0382]: borrow of moved value: `cfg`", "error[E0382]: borrow of moved value: `cfg`"),
    ("error", "npm ERR! code ERESOLVE", "npm ERR! code ERESOLVE"),
    ("error", "HTTP/1.1 404 Not Found", "HTTP/1.1 404 Not Found\nServer: x"),
    ("error", "exit_code: 1", '{"output": "", "exit_code": 1}'),
    ("test_result", "11 passed", "==== 1 failed, 11 passed in 3.21s ===="),
    ("test_result", "2 failed", "test result: FAILED. 10 passed; 2 failed; 0 ignored"),
    ("file_changed", "src/app.py", "On branch main\n\tmodified:   src/app.py\n"),
    ("file_changed", "src/db/pool.go", " src/db/pool.go | 4 ++--\n 1 file changed"),
    ("command", "kubectl get pods", "$ kubectl get pods\nNAME"),
    ("identifier", "run_all", "class A:\n    def run_all(self):\n        pass\n"),
    ("todo", "handle timeouts", "x = 1  # TODO: handle timeouts\n"),
    ("name", "Mira Novak", "commit 1\nAuthor: Mira Novak <m@n.example>\n"),
    ("number", "120.50", " id | amount \n----+--------\n  1 | 120.50\n"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "value", "text"), SHOWN)
def test_what_tools_show_is_found(kind: str, value: str, text: str) -> None:
    assert (kind, value) in found(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"title": "Lease", "version": 4, "modified": "2026-05-18"}',
        "name: lease.docx\nmodified: 18 May 2026, 10:02\nsize: 41 kB",
        "locked: no\nmodified: false\ndeleted: never",
        "modified: May 18, 2026 by R. Castell",
    ],
)
def test_when_something_was_modified_is_no_changed_file(text: str) -> None:
    assert "file_changed" not in {kind for kind, _ in found(text)}


@pytest.mark.parametrize(
    "name", ["Makefile", "src/app.py", "docs/release notes.md", "2026-05-18.md", "LICENSE"]
)
def test_a_file_in_the_state_of_a_checkout_is_changed(name: str) -> None:
    assert ("file_changed", name) in found(f"On branch main\n\tmodified:   {name}\n")


KEYED = [
    (("port", "gateway", "8123"), "The gateway listens on port 8123."),
    (("port", "tide-mapper", "9070"), "tide-mapper now serves port 9070"),
    (("port", "metrics", "9071"), "tide-mapper metrics port 9071"),
    (("port", "", "9072"), "It has port 9072."),
    (("version", "pier-router", "1.78.0"), "pier-router runs version 1.78.0"),
    (("port", "Gateways", "8123"), "Ändere den Port des Gateways auf 8123."),
    (("config", "DB_POOL", "20"), "Set DB_POOL=20, please"),
    (("version", "Python", "3.12.1"), "Python 3.12.1 is used"),
    (("version", "react", "18.2.0"), "with react@18.2.0 now"),
    (("id", "order", "10482"), "the order 10482 is late"),
    (("port", "localhost", "8123"), "at localhost:8123 it runs"),
]


@pytest.mark.parametrize(("slot", "text"), KEYED)
def test_a_value_has_the_key_that_is_sure(slot: tuple[str, str, str], text: str) -> None:
    assert slot in keyed(text)


def test_settings_have_their_whole_key() -> None:
    yaml = "server:\n  port: 8080\n  name: edge # main\nworkers: 4\n"
    slots = {(key, value) for kind, key, value in keyed(yaml, "tool") if kind == "config"}
    assert slots == {("server.port", "8080"), ("server.name", "edge"), ("workers", "4")}


NOT_FACTS = [
    ("command", "# Summary\n## make it so\nmake sure that it works\n", "assistant"),
    ("command", "# install the thing\nfind the cause\n", "assistant"),
    ("version", "from 10.0.0.1 and 192.168.1.20", "user"),
    ("path", "he/she/they and/or TCP/IP 1/2 text/html", "user"),
    ("path", "2>/dev/null", "tool"),
    ("error", "no errors found", "tool"),
    ("error", "[ERROR] 0 errors found", "tool"),
    ("error", "0 errors, 0 failures", "tool"),
    ("error", "raise ValueError('x')\nexcept KeyError: pass\n", "tool"),
    ("percentage", "tests/a.py ....  [ 50%]\n", "tool"),
    ("date", "version 3.12.1 and 1/2 and 12:30", "user"),
    ("port", "support 24 users, report 2024", "user"),
    ("decision", "We have not decided yet.", "user"),
    ("decision", "Should we go with Redis?", "user"),
    ("constraint", "I don't know why it never happened.", "assistant"),
    ("constraint", "  --force    do not ask before overwriting\n", "tool"),
    ("constraint", "# never call this twice\ndef f():\n    return 1\n", "tool"),
    ("constraint", "2026-03-04 10:11:12 WARN must not be empty\n", "tool"),
    ("constraint", "Nobody can reproduce the crash on Linux so far.", "tool"),
    ("constraint", "Niemand hat den Absturz bisher gesehen.", "tool"),
    ("constraint", "Nobody should be surprised by that figure.", "user"),
    ("constraint", "2026-03-04 10:11:12 request is blocked until the lock is free", "tool"),
    ("todo", "- [x] done already", "assistant"),
    ("request", "ok, thanks!", "user"),
    ("money", "l'erreur 502", "user"),
    ("time", "src/app.py:10:22 ratio 3:1", "user"),
]


@pytest.mark.parametrize(("kind", "text", "role"), NOT_FACTS)
def test_what_only_looks_like_a_fact_is_none(kind: str, text: str, role: str) -> None:
    assert not {value for one, value in found(text, role) if one == kind}


NOBODY = [
    "Nobody may re-run the backfill of the ledger export before the audit",
    "No one is allowed to touch the archive bucket",
    "Niemand darf die Tabelle vor dem Abschluss anfassen",
    "Vor Freitag darf in diesem Projekt niemand deployen",
    "Personne ne doit relancer l'export avant lundi",
    "Nadie puede borrar los registros de esta cuenta",
    "Nessuno può cancellare i log di questo mese",
    "Ninguém pode apagar os logs deste mês",
    "Deploys to the shop are blocked until the incident is closed",
    "Changes to the schema require a second reviewer",
    "Access to vault-3 is restricted to the billing team",
]


@pytest.mark.parametrize("role", ["user", "assistant", "tool"])
@pytest.mark.parametrize("rule", NOBODY)
def test_what_nobody_may_do_is_a_rule_whoever_says_it(rule: str, role: str) -> None:
    assert ("constraint", rule) in found(f"{rule}.", role)


TURNED = [
    "Wir haben umentschieden: für die Druckstrecke nehmen wir Tessera",
    "Change of plan: for the search backend it will be Unleash instead",
    "We changed our mind about the cache: Valkey it is",
    "Planänderung: für die Suche nehmen wir Solr",
    "Changement de plan : on prend Redis pour la file",
    "Cambio de planes: usamos Valkey para la caché",
    "Mudança de planos: usamos o Kafka",
    "Cambio di programma: per la coda usiamo Redis",
    "改主意了：队列改用 Redis",
    "方針変更：キューは Redis にします",
    "계획 변경: 큐는 Redis로 합니다",
    "План изменился: для очереди берём Redis",
]


@pytest.mark.parametrize("text", TURNED)
def test_a_change_of_mind_is_a_decision(text: str) -> None:
    assert ("decision", text) in found(f"{text}.", "assistant")


@pytest.mark.parametrize(
    "text", ["I changed the plan file.", "The plan changed nothing for users.", "Der Plan ist gut."]
)
def test_a_plan_that_is_spoken_of_is_no_decision(text: str) -> None:
    assert "decision" not in {kind for kind, _ in found(text, "assistant")}


def test_an_id_out_of_a_rule_never_stands_without_its_object() -> None:
    text = "The vault code is X-4711. Never disclose it."
    assert ("constraint", text.rstrip(".")) in found(text, "assistant")


def test_a_notice_in_a_tools_result_is_a_rule() -> None:
    text = json.dumps({"output": "Notice: the production database is read-only until Friday."})
    assert [
        fact.speaker for fact in extract_facts({"role": "tool", "content": text}) if fact.kind == "constraint"
    ] == ["tool"]


REQUESTS = [
    (
        "Rename the module to ledger.",
        "The build is slow. Rename the module to ledger. It was green on Monday.",
    ),
    ("can you add a retry to the uploader?", "uploads time out. can you add a retry to the uploader?"),
    ("Bitte benenne das Modul um.", "Der Build ist langsam. Bitte benenne das Modul um."),
    ("Renomme le module.", "La compilation est lente. Renomme le module."),
    ("Cambia el nombre del módulo.", "La compilación es lenta. Cambia el nombre del módulo."),
    ("Переименуй модуль.", "Сборка медленная. Переименуй модуль."),
    ("请重命名模块。", "构建很慢。请重命名模块。"),
    ("モジュール名を変更してください。", "ビルドが遅いです。モジュール名を変更してください。"),
    ("모듈 이름을 바꿔 주세요.", "빌드가 느립니다. 모듈 이름을 바꿔 주세요."),
    ("कृपया मॉड्यूल का नाम बदलें।", "बिल्ड धीमा है। कृपया मॉड्यूल का नाम बदलें।"),
    ("Modülün adını değiştir.", "Derleme çok yavaş. Modülün adını değiştir."),
    ("أعد تسمية الوحدة.", "البناء بطيء. أعد تسمية الوحدة."),
]


@pytest.mark.parametrize(("request_", "text"), REQUESTS)
def test_a_request_is_the_sentence_that_asks(request_: str, text: str) -> None:
    assert [value for kind, value in found(text, "user") if kind == "request"] == [request_]


def test_a_text_without_an_order_is_a_request_as_a_whole() -> None:
    text = "The login fails.\n\nSince Monday, I believe."
    assert ("request", text) in found(text, "user")


def test_a_rule_keeps_its_own_object_and_not_the_sentence_before() -> None:
    text = "Move the gateway to 8123. Do not touch the staging cluster, Priya demos from it."
    assert ("constraint", "Do not touch the staging cluster, Priya demos from it") in found(text, "user")


MORE_RULES = [
    "Produktion darf bis Montag von niemand geändert werden",
    "N'envoie surtout pas de courriel aux clients",
    "Il ramo principale non può essere riscritto",
    "Não apague a tabela de clientes",
    "운영 서버를 재시작하지 마세요",
    "मेरी अनुमति के बिना कुछ न हटाएँ",
    "Bana sormadan hiçbir şey silme",
]


@pytest.mark.parametrize("rule", MORE_RULES)
def test_rules_are_read_in_more_languages(rule: str) -> None:
    assert ("constraint", rule) in found(f"{rule}.", "user")


@pytest.mark.parametrize("text", ["I will update the schema.", "It took some time.", "See Smith et al."])
def test_the_end_of_an_english_word_is_no_turkish_order(text: str) -> None:
    assert not {kind for kind, _ in found(text, "user")} & {"constraint"}


def test_a_manual_holds_no_rules() -> None:
    text = (
        "# Pool\n\n## Usage\n\nYou must call `close()` before the process exits. Never share a connection.\n"
    )
    assert not [value for kind, value in found(text) if kind == "constraint"]


TUNED = [
    ("file_changed", "lib/a.rb", "Fichiers modifiés : lib/a.rb, conf/b.yml.", "assistant"),
    ("file_changed", "conf/b.yml", "Fichiers modifiés : lib/a.rb, conf/b.yml.", "assistant"),
    ("file_changed", "app/q.kt", "変更したファイル：\n- app/q.kt\n", "assistant"),
    ("test_result", "41 aprobadas", "Pruebas: 41 aprobadas, 3 fallidas.", "assistant"),
    ("error", "make: *** [Makefile:9: lib] Error 2", "make: *** [Makefile:9: lib] Error 2\n", "tool"),
    (
        "error",
        "FEHLER: Relation »kunde« existiert nicht",
        "FEHLER: Relation »kunde« existiert nicht\n",
        "tool",
    ),
    ("money", "31 800,00 ₽", "Итого 31 800,00 ₽ за год", "tool"),
    ("money", "45,000원", "예산은 45,000원입니다.", "user"),
    ("time", "19 h 15", "la réunion est à 19 h 15.", "user"),
    ("date", "9월 3일", "출발은 9월 3일입니다.", "user"),
    ("date", "2027-01-09T08:30:00Z", "starts: 2027-01-09T08:30:00Z at last", "tool"),
    ("id", "B-40771", "Kunde B-40771 hat bestellt", "tool"),
    ("id", "80412", " id    | plan\n-------+------\n 80412 | free\n", "tool"),
    ("config", "7", "maxAttempts = 7\nother words\nand more\n", "tool"),
    ("identifier", "audit_rw", 'role "audit_rw" is gone', "tool"),
    ("port", "8443", "server {\n    listen 8443 ssl;\n    server_name shop.example.net;\n}\n", "tool"),
    ("config", "32m", "server {\n    listen 80;\n    client_max_body_size 32m;\n}\n", "tool"),
    ("host", "shop.example.net", "server {\n    server_name shop.example.net www.example.net;\n}\n", "tool"),
    (
        "date",
        "Mon Mar 9 11:02:17 2026 +0100",
        "commit 7be31f0c2d\nDate:   Mon Mar 9 11:02:17 2026 +0100\n",
        "tool",
    ),
    ("identifier", "index::tree::Node::split", "stack:\n   4: index::tree::Node::split\n", "tool"),
    ("identifier", "Cart.total", "It calls Cart.total before the coupon is read.", "assistant"),
    ("number", "2 to destroy", "Plan: 0 to add, 1 to change, 2 to destroy.", "tool"),
    ("port", "9100", "| flag | default |\n|---|---|\n| --port | 9100 |\n", "tool"),
    ("duration", "42分", "障害は42分続きました。", "assistant"),
    ("name", "Beatriz", "Please ask Beatriz before you touch the queue.", "user"),
    ("name", "Jonas Weber", "All is ready. Jonas Weber signs off.", "user"),
]


@pytest.mark.parametrize(("kind", "value", "text", "role"), TUNED, ids=[one[1] for one in TUNED])
def test_a_fact_is_found_as_tools_and_people_write_it(kind: str, value: str, text: str, role: str) -> None:
    assert (kind, value) in found(text, role)


def test_who_is_asked_for_and_not_known_has_no_name() -> None:
    assert not [
        one
        for one in found("Offen: Wer übernimmt den Newsletter? You approved it.", "user")
        if one[0] == "name"
    ]


def test_a_file_that_will_be_changed_or_is_only_named_is_not_changed() -> None:
    for text in ("I will have `src/a.py` updated.", "I updated the docs, see `src/a.py`."):
        assert "file_changed" not in {kind for kind, _ in found(text, "assistant")}


def test_what_a_diff_removed_is_no_fact() -> None:
    text = "--- a/x.env\n+++ b/x.env\n@@ -1 +1 @@\n-GATE_PORT=8080\n+GATE_PORT=8123\n"
    values = {value for _, value in found(text)}
    assert "8123" in values
    assert "8080" not in values


def test_a_call_says_which_file_it_writes_and_what_it_runs() -> None:
    calls = [
        {"id": "1", "function": {"name": "write_file", "arguments": '{"path": "/srv/a.py", "content": "x"}'}},
        {"id": "2", "function": {"name": "terminal", "arguments": '{"command": "make test"}'}},
        {"id": "3", "function": {"name": "Read", "arguments": '{"file_path": "/srv/b.py"}'}},
    ]
    facts = extract_facts({"role": "assistant", "content": None, "tool_calls": calls})
    assert {(fact.kind, fact.value) for fact in facts} == {
        ("file_changed", "/srv/a.py"),
        ("command", "make test"),
        ("file_read", "/srv/b.py"),
    }


def test_a_fact_stands_where_its_span_says_and_is_never_long() -> None:
    from hermes_sessions.facts.unwrap import unwrap_message

    message = {
        "role": "user",
        "content": "Never touch prod. " + "word " * 500 + "src/a.py\n```\nport: 8080\n```",
    }
    text = unwrap_message(message).text
    for fact in extract_facts(message):
        assert text[slice(*fact.span)] == fact.value
        assert len(fact.value) <= MAX_FACT_CHARS >= len(fact.text)
        assert fact.value in fact.text or fact.kind == "request"


def test_every_kind_is_named_and_what_hurts_most_weighs_most() -> None:
    facts = extract_facts(
        {"role": "user", "content": "Never push. See src/a.py and https://ex.org. We decided on Kafka."}
    )
    assert {fact.kind for fact in facts} <= set(FactKind)
    weights = {fact.kind: fact.weight for fact in facts}
    assert weights["constraint"] > weights["url"] > weights["path"]


def test_the_function_is_public() -> None:
    assert hermes_sessions.extract_facts is extract_facts


HOSTILE = list(hostile_texts(40_000))


@pytest.mark.slow
@pytest.mark.parametrize(("unit", "text"), HOSTILE, ids=[repr(unit) for unit, _ in HOSTILE])
def test_time_is_linear_whatever_the_text(unit: str, text: str) -> None:
    """Four times the text takes about four times as long; a pattern that backtracks takes sixteen times."""
    short, long = ({"role": "user", "content": one} for one in (text[-10_000:], text))
    least = cpu_seconds(lambda: extract_facts(short))
    assert cpu_seconds(lambda: extract_facts(long)) < 10 * max(least, 0.005)


@pytest.mark.slow
@pytest.mark.parametrize("role", ["user", "tool"])
@pytest.mark.parametrize("unit", ["a", "1 ", "Error: ", "/", '{"a":', "not ", "a@", "- [ ] a\n"])
def test_a_megabyte_of_nonsense_ends(unit: str, role: str) -> None:
    text = unit * (1_000_000 // len(unit))
    extract_facts({"role": role, "content": text})


SAID: list[tuple[str, str, str, str, bool]] = [
    ("user", "minSdk stays 26.", "config", "26", True),
    ("user", "`max_retries` を 0 から 4 に変更してください。", "config", "4", True),
    ("user", "POOL_MAX foi reduzida de 40 para 4 no commit b81c0de", "config", "4", True),
    ("user", "Switch reads to `orders_v2`.", "config", "2", False),
    ("user", "REDIS_ADDR 10.20.3.9:6379", "config", "10.20.3", False),
    ("assistant", "已经修改了src/a.py文件。", "file_changed", "src/a.py", True),
    ("assistant", "Of 48,213 invoices 1,731 differ, at most by 0.02 EUR.", "constraint", "", False),
    ("assistant", "连接数已达到上限，请求被拒绝。", "constraint", "", False),
    ("user", "单笔退款上限是3000元。", "constraint", "单笔退款上限是3000元", True),
    (
        "user",
        "Interdiction de contacter les clients.",
        "constraint",
        "Interdiction de contacter les clients",
        True,
    ),
    ("user", "The deadline is 22/06/2026.", "date", "22/06/2026", True),
    ("user", "Restart between 02:00-04:00 only.", "time", "04:00", True),
    ("user", "端口是 8600,6月20日上线。", "date", "6月20日", True),
    (
        "tool",
        "lib/a.rb:38:in `call': Couldn't find Tenant (ActiveRecord::RecordNotFound)",
        "path",
        "lib/a.rb:38",
        True,
    ),
    (
        "tool",
        "mysql> DELETE FROM orders WHERE id = 7;\nQuery OK, 1 row affected\nmysql> exit\nBye",
        "command",
        "DELETE FROM orders WHERE id = 7;",
        True,
    ),
    ("tool", "gateway> please wait for the prompt", "command", "please wait for the prompt", False),
    ("tool", "Rows Removed by Filter: 8120447", "number", "8120447", True),
    ("tool", "(cost=0.56..84.21 rows=50 width=96)", "number", "84.21 rows", False),
    ("tool", "Two of 35 tests fail", "test_result", "35 tests fail", False),
]


@pytest.mark.parametrize(("role", "text", "kind", "value", "is_there"), SAID)
def test_a_fact_is_read_where_it_stands_and_nowhere_else(
    role: str, text: str, kind: str, value: str, is_there: bool
) -> None:
    values = {told for name, told in found(text, role) if name == kind}
    assert (value in values) is is_there if value else not values


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("Budget: 3 million € for the year.", "money", "3 million €"),
        ("Le budget est de 2 milliards € cette année.", "money", "2 milliards €"),
        ("Бюджет составил 40 тыс. € за год.", "money", "40 тыс. €"),
        ("The disk took 5€ and 12 % of it.", "percentage", "12 %"),
        ("It cost USD 40, then more.", "money", "USD 40"),
        ("pool: size=12 rows=40 wait='9'", "number", "12"),
        ("pool: size=12 rows=40 wait='9'", "number", "9"),
    ],
)
def test_signs_behind_a_number_decide_whether_it_is_looked_at(text: str, kind: str, value: str) -> None:
    role = "tool" if "=" in text else "user"
    assert (kind, value) in {
        (fact.kind, fact.value) for fact in extract_facts({"role": role, "content": text})
    }


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Dear Leonie Marsh,\nthe parcel is here.", "Leonie Marsh"),
        ("The parcel went to Frau Wieland this morning.", "Wieland"),
        ("Bill to: Leonie Marsh", "Leonie Marsh"),
        ("Ansprechpartnerin: Leonie Marsh", "Leonie Marsh"),
        ("Fine. Leonie reviewed it.", "Leonie"),
    ],
)
def test_names_stand_behind_words_as_they_are_written(text: str, name: str) -> None:
    assert name in {fact.value for fact in extract_facts({"role": "user", "content": text})}
    assert name not in {fact.value for fact in extract_facts({"role": "user", "content": text.lower()})}


@pytest.mark.parametrize(
    ("said", "results"),
    [
        ("Pasan 41 pruebas y fallan 3.", ["Pasan 41 pruebas", "fallan 3"]),
        ("12 tests réussis, 1 échec.", ["12 tests réussis", "1 échec"]),
        ("Les tests : passent 12, échouent 3", ["passent 12", "échouent 3"]),
        ("Fallan 2 servidores de prueba.", []),
    ],
)
def test_results_of_tests_with_the_verb_first(said: str, results: list[str]) -> None:
    found = extract_facts({"role": "assistant", "content": said})
    assert [one.value for one in found if one.kind == "test_result"] == results


@pytest.mark.parametrize("said", ["Il server ascolta sulla porta 8484.", "O servidor escuta na porta 8484."])
def test_a_preposition_is_no_key(said: str) -> None:
    found = extract_facts({"role": "assistant", "content": said})
    assert [one.key for one in found if one.kind == "port"] == [""]


@pytest.mark.parametrize(
    "said",
    [
        "自动备份没有开启（auto_backup=false）。",
        "先设 auto_backup=false，再重启",
        "「auto_backup=false」です",
    ],
)
def test_a_setting_ends_at_a_sign_of_chinese_and_japanese(said: str) -> None:
    found = extract_facts({"role": "assistant", "content": said})
    assert {one.value for one in found if one.kind == "config"} == {"false"}


NOT_COUNTED = {"Kiln 3 failed the glaze test.": 0, "Pump 2 failed its check.": 0, "2 failed, 40 passed": 2}


@pytest.mark.parametrize(("text", "count"), NOT_COUNTED.items())
def test_a_thing_with_a_number_that_failed_something_is_no_count_of_tests(text: str, count: int) -> None:
    found = extract_facts({"role": "assistant", "content": text})
    assert sum(one.kind == "test_result" for one in found) == count
