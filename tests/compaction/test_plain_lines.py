"""What tools put out in plain words: what was resolved, what broke off, where, and which files changed."""

import json
from collections.abc import Sequence

import pytest

from hermes_sessions.compaction import CompactionPolicy, compact_transcript
from hermes_sessions.compaction.economy.called import changed_by_commands, with_places
from hermes_sessions.compaction.economy.minutes import plain_lines
from hermes_sessions.facts.extract import facts_of
from hermes_sessions.facts.unwrap import unwrap_message
from hermes_sessions.facts.values import Fact
from hermes_sessions.summarizers import ExtractiveSummarizer
from tests.compaction.builders import Dict, assistant, call, result, user


def told(text: str) -> list[tuple[str, str]]:
    unwrapped = unwrap_message({"role": "tool", "content": json.dumps({"output": text, "exit_code": 0})})
    return [(str(fact.kind), fact.value) for fact in plain_lines(unwrapped)]


@pytest.mark.parametrize(
    "line",
    [
        "Carried: the green punt goes to the juniors.",
        "Motion by Orr to repaint the gate: passed 7-2.",
        "The regatta moves to June, two abstentions.",
        "Einstimmig beschlossen: Das Fest am Sonntag fällt aus.",
        "Der Antrag, die Scheune zu verpachten, wurde mit 11 zu 4 Stimmen angenommen.",
        "Adopté à l'unanimité : la roue reste arrêtée l'hiver.",
        "Se aprueba por mayoría mover la prensa al sótano.",
        "Deliberação 7/2027: fica escolhida a tipografia Lobato.",
        "Si approva all'unanimità il preventivo Galvani.",
        "Unaniem aangenomen: de brug gaat vanaf mei open.",
        "Uchwała nr 4: piec przenosimy do piwnicy.",
        "Постановили: сад сдаём школе, против двое.",
        "決議：窯は北棟に移す。",
        "一致通过：排练改到周三晚上。",
    ],
)
def test_a_line_of_minutes_that_resolves_is_a_decision(line: str) -> None:
    assert told(f"Minutes\nPresent: Ida, Moss\n{line}\nCoffee at ten.\n") == [("decision", line)]


@pytest.mark.parametrize(
    "line",
    [
        "Resolved: https://registry.example/left-pad-1.3.0.tgz",
        "resolved 120 packages in 2s",
        "Passed: 12",
        "approved = true",
        "decision(node) -> leaf",
        "Present: Ida, Moss, Feroz",
        "The decision tree has 40 leaves.",
        "Agreed: yes",
    ],
)
def test_what_programs_say_of_themselves_resolves_nothing(line: str) -> None:
    assert told(f"Start\n{line}\nEnd of output\n") == []


@pytest.mark.parametrize(
    "line",
    [
        "Sync of the orchard book stopped: E4632.",
        "Upload of reel 88213 gave up after three attempts.",
        "Die Übertragung der Wasserstände brach ab: Kennung PX-403.",
        "Impossible de joindre le guichet de Lormont, code 5514.",
        "La copia del herbario se detuvo: H-882.",
        "A exportação das sementes parou: S-914.",
        "La lettura dei barconi si è fermata: B-6620.",
        "Het inlezen van de standen is gestopt: L-553.",
        "Wysyłka spisu została przerwana: kod U-118.",
        "Выгрузка описи остановлена: К-4471.",
        "窯の記録の送信が中断しました：N-302。",
        "时刻表的同步已中止：D-771。",
    ],
)
def test_what_broke_off_is_an_error(line: str) -> None:
    assert told(f"Start\n{line}\nbye\n") == [("error", line)]


@pytest.mark.parametrize(
    "line", ["The bus stopped here.", "Impossible, he said.", "stopped = 403", "Es war nicht möglich."]
)
def test_a_stop_without_a_code_is_none(line: str) -> None:
    assert told(f"Start\n{line}\nbye\n") == []


def test_pages_full_of_resolutions_are_about_them() -> None:
    assert told("\n".join(f"Carried: the boat {name} is sold." for name in "abcdefghijklmnop")) == []


def placed(output: str) -> list[str]:
    unwrapped = unwrap_message({"role": "tool", "content": output})
    return [fact.text for fact in with_places(facts_of(unwrapped), unwrapped.text) if fact.kind == "error"]


def test_an_error_has_the_place_of_its_innermost_frame() -> None:
    trace = (
        'Traceback (most recent call last):\n  File "/srv/mill.py", line 8, in run\n    go()\n'
        '  File "/srv/wheel.py", line 31, in turn\n    raise\nLookupError: no spokes left\n'
    )
    assert placed(trace) == ["LookupError: no spokes left (/srv/wheel.py:31, turn)"]
    assert placed("TypeError: no spokes left\n    at turn (/srv/wheel.js:31:7)\n") == [
        "TypeError: no spokes left (/srv/wheel.js:31, turn)"
    ]
    assert placed("LookupError: no spokes left\n") == ["LookupError: no spokes left"]


def changed(*commands: str) -> Sequence[str]:
    calls = [call(f"c{at}", "terminal", command=command) for at, command in enumerate(commands)]
    facts: list[Fact] = list(changed_by_commands(calls))
    return [fact.value for fact in facts]


def test_files_that_commands_write_or_move_are_changed() -> None:
    assert changed("sed -i 's/a/b/' src/mill.py", "git mv old/x.go pkg/wheel.go && git commit -qm move") == [
        "src/mill.py",
        "old/x.go",
        "pkg/wheel.go",
    ]
    assert (
        changed("cat src/mill.py", "rm /tmp/scratch.txt", "sed -n 1,5p src/mill.py", "ls > /dev/null") == []
    )


def test_they_stand_in_the_handoff() -> None:
    told = "Please note that bills from Nutmeg weir now carry the suffix ZH92."
    notes = f"Notes\n\n- Coffee is back.\n- {told}\n- Bye all."
    messages: list[Dict] = [user("Look around."), assistant(None, call("a", "terminal", command="cat notes"))]
    messages += [
        result("a", notes),
        assistant(None, call("b", "terminal", command="sed -i 's/a/b/' src/mill.py")),
    ]
    messages += [result("b", ""), assistant("Done."), *[user("Go on."), assistant("It goes on. " * 60)] * 8]
    policy = CompactionPolicy(4_000, head_messages=0, tail_tokens=50, min_tail_messages=2)
    handoff = compact_transcript(messages, policy=policy, summarize=ExtractiveSummarizer()).handoff or ""
    assert "- src/mill.py\n" in handoff
    assert "bills from Nutmeg weir now carry the suffix ZH92" in handoff


def test_a_pinned_version_is_no_setting_with_a_sign() -> None:
    output = unwrap_message({"role": "tool", "content": "[deps]\nreed==1.2\nrush==4.17\nwidth=5\n"})
    assert [fact.value for fact in facts_of(output)] == ["1.2", "4.17", "5"]
