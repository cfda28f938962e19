"""Rules of those who set them stand in every handoff, however they begin and whatever else was read."""

from collections.abc import Sequence

import pytest

from hermes_sessions.compaction import CompactionPolicy, compact_transcript
from hermes_sessions.summarizers import ExtractiveSummarizer
from tests.compaction.builders import Dict, assistant, call, result, user

ROUNDS = 4
TITLE = "## Rules in force"


def rounds_of(first: Sequence[Dict]) -> list[str]:
    """Return the rules in the handoff of each round: talk and listings follow the *first* messages."""
    messages, found = list(first), []
    for round_ in range(ROUNDS):
        for step in range(14):
            key = f"r{round_}s{step}"
            rows = "\n".join(f"row {key} {number} kept {number * 7}" for number in range(40))
            messages += [user(f"How many rows has part {key}?"), assistant("", call(key)), result(key, rows)]
            messages += [assistant(f"Part {key} has forty rows.")]
        done = compact_transcript(messages, policy=CompactionPolicy(12_000), summarize=ExtractiveSummarizer())
        assert done.status == "committed"
        messages = list(done.messages)
        text = next(str(one["content"]) for one in messages if TITLE in str(one["content"]))
        found.append(text.partition(TITLE)[2].partition("\n## ")[0])
    return found


@pytest.mark.parametrize(
    "rule",
    [
        "Whatever happens, keep ops/keys.pem out of the image.",
        "One more thing before lunch: leave etc/tariffs.ini untouched until Ruth is back.",
        "As agreed with Ines, exports over 300 rows go past Lena first.",
        "Egal was kommt, lass die Datei etc/preise.ini in Ruhe.",
        "Quoi qu'il arrive, garde le fichier clients/nord.csv hors du dépôt.",
        "Pase lo que pase, deja intacto var/lista.csv.",
        "Jede Zahlung über 900 Euro braucht vorher die Zustimmung von Jana Roth.",
    ],
)
def test_a_rule_behind_an_opening_stands_in_every_round(rule: str) -> None:
    sections = rounds_of([user(f"Show me the rows. {rule}"), assistant("Noted.")])
    assert [rule.rstrip(".") in section for section in sections] == [True] * ROUNDS


WORDED = [
    "Access to payroll-dedupe is limited to two sessions per team.",
    "NOTICE: wallet-sync is frozen for writes until the audit is done.",
    "The maintainers ask that nobody force-pushes to voucher-worker.",
    "Requests to offline-module have to carry a trace header.",
    "Für uns ist session-worker nur lesbar.",
    "Vor jeder Änderung an basket-relay ist immer eine Sicherung fällig.",
    "Avant toute migration de registry-ring, on fait toujours une sauvegarde.",
    "Antes de migrar prism-corpus hay que hacer siempre una copia.",
    "Nunca reinicies lichen-ablation en horario de oficina.",
    "No more than three writers on kepler-sweep at any time.",
    "Nada se despliega en halden-corpus sin mi permiso.",
]


@pytest.mark.parametrize("speaker", ["assistant", "tool"])
@pytest.mark.parametrize("rule", WORDED)
def test_a_rule_in_words_of_its_own_stands_in_every_round(rule: str, speaker: str) -> None:
    told = [assistant("", call("c")), result("c", f"a: 1\nb: 2\n{rule}\nc: 3")]
    first = told if speaker == "tool" else [assistant(f"The lists are done. {rule}")]
    sections = rounds_of([user("Show me the rows."), *first, user("Go on, please.")])
    assert [rule.rstrip(".") in section for section in sections] == [True] * ROUNDS


@pytest.mark.parametrize(
    "told",
    [
        "He said: keep the lamps out of the hall.",
        "The label says: keep the lamps out of the hall.",
        "By the way, the depot was closed before we came.",
        "As agreed with Ines, the report is in the folder.",
        "The string method is limited to 255 characters by default.",
    ],
)
def test_what_others_said_behind_an_opening_is_no_rule(told: str) -> None:
    kept = "Never open the vault without Ines."
    sections = rounds_of([user(f"{told} {kept}"), assistant("Noted.")])
    assert all(kept in section for section in sections)
    assert not any(told.rstrip(".") in section for section in sections)


def test_rules_stand_also_where_little_is_left_beside_what_is_kept() -> None:
    rules = [f"Never move crate {number} of dock-{number} before Friday." for number in range(60)]
    messages = [user(f"Stack the crates. {' '.join(rules)}"), assistant("Noted, all of it.")]
    for number in range(30):
        words = " ".join(f"crate{number}x{place}" for place in range(60))
        messages += [user(f"What of crate row {number}?"), assistant(words)]
    policy = CompactionPolicy(8_000, min_tail_messages=0, tail_tokens=3_600, head_messages=0)
    done = compact_transcript(messages, policy=policy, summarize=ExtractiveSummarizer())
    assert done.status == "committed"
    assert "named by pointer only" not in done.reason
    assert all(rule in done.handoff for rule in rules)
