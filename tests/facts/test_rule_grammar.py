"""Standing instructions are read by how they are built; what happened or is asked once is none."""

import pytest

from hermes_sessions.facts.constraints import extract_rules

STANDING = """\
No inline styles in the templates.
Steer clear of the legacy importer.
The payroll schema is off limits.
We don't deploy after four in the afternoon.
Nothing leaves the office without Nadia's signature.
Whoever adds a column also writes the backfill.
By convention, table names are plural.
I'd rather you waited than guessed.
When in doubt, leave it out and ask.
If a check is red, tell me before you go on.
Ask Hugo before you rename anything.
Reply in French, please.
Use pnpm, never npm.
The gateway stays on 8443.
Verzichte auf Abkürzungen in Spaltennamen.
Bei uns beginnen Branches mit dem Kürzel.
Die Vorlagen bleiben, wie sie sind.
Wer eine Spalte anlegt, schreibt auch die Doku.
Vor jedem Umzug kurz Nadia Bescheid geben.
Pas touche aux fichiers de référence.
On ne pousse rien le samedi.
Qui ajoute une colonne écrit aussi la reprise.
Los domingos no se publica.
Prefiero que esperes a que adivines.
Evita los nombres abreviados.
Aqui os ramos são nomeados pelo ticket.
Nem pense em apagar o histórico.
Di sabato non si pubblica.
Chi aggiunge una colonna scrive anche la documentazione.
Избегай глобальных переменных.
По субботам не выкладываем.
表名里避免缩写。
参考文件谁都别动。
略語は避けてください。
土曜日はリリースしません。
Unikaj zmiennych globalnych.
W soboty nie wdrażamy.
Genel değişkenlerden kaçın.
Cumartesi günleri yayına çıkmıyoruz.""".splitlines()
NONE = """\
No errors in the console.
Avoiding the join made it faster.
We don't know which host it was.
The page stays blank.
Nothing changed after the restart.
If the file is missing, the loader raises an error.
When I press the button, nothing happens.
Each worker has a queue.
I want you to look at the loader.
Just this once, use the staging key.
Der Dienst bleibt stehen.
Wenn die Datei fehlt, gibt es einen Fehler.
La page reste blanche.
El servicio se queda colgado.
Il servizio resta bloccato.
Сервис остаётся недоступным.
服务一直卡住。
サービスが止まったままです。
Usługa pozostaje niedostępna.
Servis takılı kalıyor.""".splitlines()
TAKEN_UP = ["Understood: the payroll schema is off limits.", "Verstanden: Freitags wird nicht ausgeliefert."]


@pytest.mark.parametrize("said", STANDING)
def test_a_standing_instruction_is_a_rule(said: str) -> None:
    assert [rule.value for rule in extract_rules({"role": "user", "content": said})] == [said.rstrip(".。")]


@pytest.mark.parametrize("said", NONE)
def test_what_happened_or_is_asked_once_is_none(said: str) -> None:
    assert extract_rules({"role": "user", "content": said}) == ()


@pytest.mark.parametrize("said", TAKEN_UP)
def test_what_an_agent_takes_up_is_a_rule(said: str) -> None:
    assert [rule.value for rule in extract_rules({"role": "assistant", "content": said})] == [
        said.rstrip(".")
    ]


def test_how_code_works_is_none_where_an_agent_explains_it() -> None:
    said = "Each handler owns its buffer, and the parser stays on line 40."
    assert extract_rules({"role": "assistant", "content": said}) == ()


@pytest.mark.parametrize(
    "heading", ["How we work here", "Conventions", "Richtlinien", "Convenciones", "规范"]
)
def test_items_under_a_heading_for_rules_are_rules(heading: str) -> None:
    said = f"## {heading}\n\n- Branches carry the ticket.\n- The logo is blue."
    assert [rule.value for rule in extract_rules({"role": "user", "content": said})] == [
        "Branches carry the ticket",
        "The logo is blue",
    ]
