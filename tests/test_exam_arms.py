"""The arms of the exam that need more than the engine: planted rules, a model, sets of the user's own."""

import json
import re
from pathlib import Path

import pytest

from bench.exam.public_chains import kept_details, read_fields, recorded_boundaries
from bench.exam.public_sets import found_among_first, longmemeval
from bench.exam.rules import RuleMaker
from bench.exam.transcripts import TranscriptMaker, iter_texts
from bench.recall import Tally, main, run_rules, run_size
from bench.recall_page import draw
from hermes_sessions.summarizers.openai_compatible import OpenAICompatible
from hermes_sessions.tokens import token_counter
from tests.summarizers.server import Answer, completion, model

COUNT = token_counter().count


def question(**changed: object) -> dict[str, object]:
    said = {
        "s1": [{"role": "user", "content": "My sister moved to Lisbon in March."}],
        "s2": [
            {"role": "user", "content": "I bought a red bicycle."},
            {"role": "assistant", "content": "Nice."},
        ],
    }
    return {
        "question_id": "q1",
        "question_type": "single-session-user",
        "question": "Which colour is the bicycle that I bought?",
        "answer": "red",
        "haystack_session_ids": list(said),
        "haystack_sessions": list(said.values()),
        "answer_session_ids": ["s2"],
        **changed,
    }


def written(folder: Path, *questions: dict[str, object]) -> Path:
    path = folder / "longmemeval_s.json"
    path.write_text(json.dumps(questions))
    return path


def test_planted_rules_are_said_once_by_everybody_in_five_languages() -> None:
    maker = TranscriptMaker(1, COUNT, RuleMaker, 20)
    maker.grow(40_000)
    rules = [one for _, one in maker.needles]
    texts = list(iter_texts(maker.messages))
    assert len(rules) == 20
    assert {one.speaker for one in rules} == {"user", "assistant", "tool"}
    assert {one.language for one in rules} == {"en", "de", "es", "fr", "zh"}
    assert all(sum(one.is_in(text) for text in texts) == 1 for one in rules)


def test_planted_rules_are_in_sight_after_every_compaction() -> None:
    kept = run_rules(2, 20, 4, COUNT)
    assert kept.rules > 20
    assert kept.checks > kept.rules
    assert kept.lost == []


def test_a_model_answers_from_the_handoff_alone() -> None:
    with model(Answer(completion("unknown"))) as server:
        ask = OpenAICompatible(base_url=server.url, model="m", trust_env=False)
        tallies = run_size(15_000, 1, None, COUNT, search=False, model=ask)
        assert len(server.asked) == tallies["engine + model"].asked == tallies["engine"].asked
        assert tallies["engine + model"].right == 0
        assert "QUESTION: " in server.asked[0]["messages"][-1]["content"]


def test_a_search_finds_the_session_with_the_answer(tmp_path: Path) -> None:
    path = written(tmp_path, question(), question(question_id="q2_abs"), question(answer_session_ids=["s1"]))
    first, second = longmemeval(path)
    assert found_among_first(first)
    assert not found_among_first(second)


def test_another_form_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="question 1 is not of LongMemEval's form"):
        list(longmemeval(written(tmp_path, question(), {"question": "?"})))


@pytest.mark.parametrize("text", ["{}", "not JSON", '[{"question": "?"}]'])
def test_a_file_of_another_shape_ends_in_one_line(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "longmemeval_s.json"
    path.write_text(text)
    monkeypatch.setattr("sys.argv", ["recall", "--seeds", "0", "--longmemeval", str(path)])
    with pytest.raises(SystemExit, match=r"^--longmemeval: [^\n]+$"):
        main()


def test_the_chart_says_in_words_what_it_draws() -> None:
    names = (
        "engine",
        "last tokens",
        "head and tail",
        "newest spoken",
        "random lines",
        "rare lines",
        "tf-idf lines",
    )
    drawn = draw(
        {size: {name: Tally(right=size // 1000, asked=10) for name in names} for size in (1_000, 4_000)}
    )
    assert "engine: 10%, 40%" in drawn
    assert drawn.count("<polyline") == len(names)


def boundary(*details: object, padding: int = 30) -> dict[str, object]:
    talk = [
        {"role": role, "content": f"{role} goes on with part {number}. " * 20}
        for number in range(padding)
        for role in ("user", "assistant")
    ]
    return {
        "history": [{"role": "user", "content": "The kiln door opens at 84 degrees, code KLN-5520."}, *talk],
        "needed": {"atoms": list(details)},
    }


NAMED = "boundaries=cuts,messages=history,details=needed.atoms,detail=text"


def chains(folder: Path, *boundaries: dict[str, object]) -> Path:
    path = folder / "chains.jsonl"
    path.write_text("\n\n".join(json.dumps({"id": key, "cuts": [one]}) for key, one in enumerate(boundaries)))
    return path


def test_details_behind_a_recorded_boundary_are_counted_to_the_letter(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = chains(
        tmp_path, boundary({"text": "KLN-5520"}, {"text": "never said"}), boundary({"text": "part 3."})
    )
    first, second = recorded_boundaries(path, read_fields(NAMED))
    assert kept_details(first) == (1, 1)
    assert second.details == ["part 3."]
    monkeypatch.setattr(
        "sys.argv",
        ["recall", "--sizes", "15000", "--seeds", "0", "--compact-bench", str(path), "--fields", NAMED],
    )
    main()
    assert "Compact-Bench, 2 boundaries, 2 details" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ("", "cuts: [history: [role: str"),
        ("boundaries=cuts,messages=history,details=needed", "a dict"),
        ("boundaries=cuts,messages=history,details=needed.atoms", "name its field"),
        ("boundary=cuts", "none of boundaries"),
    ],
)
def test_a_file_with_other_names_is_refused_with_the_names_it_has(
    tmp_path: Path, fields: str, told: str
) -> None:
    path = chains(tmp_path, boundary({"text": "KLN-5520"}))
    with pytest.raises(ValueError, match=re.escape(told)):
        list(recorded_boundaries(path, read_fields(fields)))
