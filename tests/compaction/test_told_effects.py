"""What was done to the world weighs more than what only looked, as a command and in words."""

import pytest

from hermes_sessions.compaction.economy.fact_lines import STATEMENT, FactLine
from hermes_sessions.compaction.economy.told_effects import tells_an_effect, worth_of_effect
from hermes_sessions.facts.values import FactKind


def command(text: str) -> float:
    return worth_of_effect(FactLine(FactKind.COMMAND, "assistant", text))


@pytest.mark.parametrize(
    "text",
    [
        "git push origin hotfix/basket",
        "psql -c 'DROP INDEX basket_idx'",
        "kubectl -n prod scale deploy/basket --replicas=4",
        "cd /srv && rm -rf cache/basket",
        "sed -i 's/8080/9090/' conf/basket.yaml",
        "sudo systemctl restart basket",
    ],
)
def test_a_command_with_an_effect_outweighs_one_that_looks(text: str) -> None:
    for other in ("pytest -q tests", "pip list", "journalctl -u basket", "cat conf/basket.yaml"):
        assert command(text) >= command(other) + 4.0


def test_a_program_of_which_nothing_is_known_stands_between() -> None:
    assert command("cat x") < command("pytest -q") < command("./basket --once") < command("git push")


@pytest.mark.parametrize(
    "text",
    [
        "I rolled basket-api back to 4.1.9.",
        "We have opened OPS-4410 for the basket part.",
        "Restarted basket@eu twice.",
        "Wir haben basket-api gestern ausgerollt.",
        "basket-api wurde um 14:00 neu gestartet.",
        "Ya reinicié basket-api.",
        "Hemos publicado basket 4.1.9.",
        "J'ai redéployé basket-api ce matin.",
        "Ho riavviato basket-api.",
        "我已经重启 basket-api。",
        "basket-api を再起動しました。",
        "basket-api를 재시작했습니다.",
        "Я перезапустил basket-api.",
    ],
)
def test_an_effect_told_in_words_is_heard(text: str) -> None:
    assert tells_an_effect(text)
    assert worth_of_effect(FactLine(STATEMENT, "assistant", text)) > 0
    assert worth_of_effect(FactLine(STATEMENT, "tool", text)) == 0


@pytest.mark.parametrize(
    "text",
    [
        "I have not restarted basket-api.",
        "I will have basket-api deployed tomorrow.",
        "Was basket-api restarted?",
        "I opened src/basket.py and read it.",
        "Ich habe basket-api nicht neu gestartet.",
        "Je n'ai pas redéployé basket-api.",
        "basket-api 还没有重启。",
        "I have restarted it.",
    ],
)
def test_what_was_not_done_or_only_read_is_no_effect(text: str) -> None:
    assert not tells_an_effect(text)
