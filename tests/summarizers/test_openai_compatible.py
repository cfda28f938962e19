"""The model summariser against a real HTTP server on the loopback address."""

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.compaction import compact_transcript
from hermes_sessions.errors import SummaryFailedError
from hermes_sessions.messages import SpanEntry, SpanFact, SummaryRequest
from hermes_sessions.summarizers.openai_compatible import OpenAICompatible, read_key
from tests.compaction.builders import small_policy, transcript
from tests.summarizers.server import Answer, Model, completion, model

KEY = "sk-test-" + "a1B2c3D4e5F6g7H8i9J0k1L2m3"
REQUEST = SummaryRequest(
    instructions="Write notes.",
    prompt="TRANSCRIPT: ...",
    entries=(SpanEntry(0, "user", "", "hi"),),
    facts=(SpanFact("path", "a.py", "a.py", 2.0, 0),),
    previous="",
    focus="",
    max_tokens=500,
)


STREAM = """\
data: {"choices": [{"delta": {"content": "## Goal"}}]}

: ping

data: {"choices": [{"delta": {"content": "\\nx"}}]}

data: {"choices": []}

data: [DONE]

"""


def client(server: Model, **values: Any) -> OpenAICompatible:
    given = {
        "api_key": KEY,
        "sleep": lambda seconds: None,
        "trust_env": False,
        "timeout_seconds": 5.0,
        **values,
    }
    return OpenAICompatible(base_url=server.url, model="small-1", **given)


def failure(server: Model, **values: Any) -> SummaryFailedError:
    with pytest.raises(SummaryFailedError) as caught:
        client(server, **values)(REQUEST)
    assert KEY not in str(caught.value)
    return caught.value


def test_it_sends_one_plain_request_and_returns_the_text() -> None:
    with model(Answer(completion("## Goal\nx"))) as server:
        assert client(server)(REQUEST) == "## Goal\nx"
    asked = server.asked[0]
    assert server.paths == ["/v1/chat/completions"]
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert (asked["model"], asked["stream"]) == ("small-1", False)
    assert [message["content"] for message in asked["messages"]] == ["Write notes.", "TRANSCRIPT: ..."]


def test_without_a_key_no_header_is_sent() -> None:
    with model(Answer(completion("x"))) as server:
        client(server, api_key="")(REQUEST)
    assert "authorization" not in server.headers[0]


def test_the_key_is_not_shown() -> None:
    assert KEY not in repr(OpenAICompatible(base_url="http://x", model="m", api_key=KEY))


@pytest.mark.parametrize(
    "body",
    [
        completion("## Goal\nx"),
        completion([{"type": "text", "text": "## Goal\n"}, {"type": "text", "text": "x"}]),
        completion([{"type": "thinking", "thinking": "hmm"}, {"type": "text", "text": "## Goal\nx"}]),
        {"choices": [{"text": "## Goal\nx"}]},
        {"choices": [{"delta": {"content": "## Goal\nx"}}]},
        {"message": {"role": "assistant", "content": "## Goal\nx"}, "done": True},
        {"response": "## Goal\nx"},
        {"content": [{"type": "text", "text": "## Goal\nx"}]},
        {"output_text": "## Goal\nx"},
        {
            "output": [
                {"type": "reasoning", "content": []},
                {"content": [{"type": "output_text", "text": "## Goal\nx"}]},
            ]
        },
        [completion("## Goal\nx")],
        "\ufeff\n\n  " + json.dumps(completion("## Goal\nx")),
        STREAM,
    ],
)
def test_answers_of_sloppy_proxies_are_understood(body: Any) -> None:
    raw = json.dumps(body) if isinstance(body, list) else body
    with model(Answer(raw)) as server:
        assert client(server)(REQUEST) == "## Goal\nx"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (completion(""), "empty"),
        (completion(None), "empty"),
        ({"choices": []}, "empty"),
        ("", "malformed"),
        ("<html>Bad gateway</html>", "malformed"),
        ("[]", "malformed"),
        ('"text"', "malformed"),
        ({"ok": True}, "malformed"),
        ("[" * 100_000, "malformed"),
        (completion(None, finish_reason="content_filter"), "refused"),
        ({"choices": [{"message": {"content": None, "refusal": "No."}}]}, "refused"),
        ({"error": {"message": "quota"}}, "other"),
        ('data: {"error": "overloaded"}\n\n', "other"),
    ],
)
def test_an_answer_with_status_200_may_still_be_a_failure(body: Any, kind: str) -> None:
    """Hermes #11978: an empty answer with status 200 was taken for a summary."""
    with model(Answer(body)) as server:
        assert failure(server).kind == kind
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("status", "kind"), [(401, "auth"), (403, "auth"), (404, "other"), (400, "other"), (422, "other")]
)
def test_a_refusal_is_not_tried_again(status: int, kind: str) -> None:
    with model(Answer({"error": {"message": f"bad {KEY}"}}, status)) as server:
        found = failure(server)
    assert found.kind == kind
    assert str(status) in str(found)
    assert len(server.asked) == 1


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529])
def test_a_busy_server_is_asked_again_with_growing_pauses(status: int) -> None:
    slept: list[float] = []
    with model(Answer("busy", status), Answer("busy", status), Answer(completion("notes"))) as server:
        assert client(server, sleep=slept.append)(REQUEST) == "notes"
    assert slept == [1.0, 2.0]


def test_a_server_that_stays_busy_counts_as_other() -> None:
    """Hermes #11914: an overloaded provider during the summary cost the context."""
    with model(Answer("overloaded", 529)) as server:
        assert failure(server, attempts=3).kind == "other"
    assert len(server.asked) == 3


def test_the_pause_a_server_asks_for_is_kept_within_reason() -> None:
    slept: list[float] = []
    answers = [
        Answer("", 429, {"retry-after": "7"}),
        Answer("", 429, {"retry-after": "9999"}),
        Answer("", 503, {"retry-after": "Fri, 01"}),
    ]
    with model(*answers, Answer(completion("notes"))) as server:
        client(server, sleep=slept.append)(REQUEST)
    assert slept == [7.0, 60.0, 4.0]


def test_no_server_counts_as_connection_after_its_attempts() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    slept: list[float] = []
    nowhere = Model(f"http://127.0.0.1:{port}/v1", [], [], [])
    assert failure(nowhere, sleep=slept.append).kind == "connection"
    assert len(slept) == 3


@pytest.mark.parametrize("url", ["", "ftp://example.com", "http://", "nonsense", "http://127.0.0.1:99999/v1"])
def test_an_impossible_url_counts_as_connection(url: str) -> None:
    assert failure(Model(url, [], [], []), attempts=1).kind == "connection"


def test_a_connection_that_breaks_off_is_tried_again() -> None:
    with model(Answer(hang_up=True), Answer(completion("notes"))) as server:
        assert client(server)(REQUEST) == "notes"


def test_a_silent_server_times_out() -> None:
    with model(Answer(completion("x"), drip_seconds=1.0)) as server:
        assert failure(server, timeout_seconds=0.2).kind == "timeout"


def test_a_server_that_drips_for_ever_times_out() -> None:
    with model(Answer(completion("x" * 400), drip_seconds=0.02)) as server:
        assert failure(server, timeout_seconds=0.5).kind == "timeout"


def test_an_endless_answer_is_cut_off() -> None:
    with model(Answer(b"x" * 5_000_000)) as server:
        assert failure(server).kind == "malformed"


def test_a_redirect_is_not_followed() -> None:
    with model(Answer("", 307, {"location": "http://127.0.0.1:9/steal"})) as server:
        assert failure(server).kind == "other"


def test_parameters_that_newer_models_refuse_are_changed_once() -> None:
    told = {
        "error": {
            "message": "Unsupported parameter: 'max_tokens', use 'max_completion_tokens'; temperature too"
        }
    }
    with model(Answer(told, 400), Answer(completion("notes"))) as server:
        assert client(server)(REQUEST) == "notes"
    assert "max_tokens" not in server.asked[1]
    assert "temperature" not in server.asked[1]
    assert server.asked[1]["max_completion_tokens"] == 1_000


def test_a_whole_url_is_taken_as_it_is() -> None:
    with model(Answer(completion("x"))) as server:
        OpenAICompatible(base_url=f"{server.url}/deploy/chat/completions", model="m", trust_env=False)(
            REQUEST
        )
    assert server.paths == ["/v1/deploy/chat/completions"]


def test_an_engine_run_over_http_is_a_model_summary() -> None:
    with model(Answer(completion("## Goal\nKeep the build green."))) as server:
        found = compact_transcript(
            transcript("s" + "ua" * 12), policy=small_policy(), summarize=client(server)
        )
    assert (found.status, found.method) == ("committed", "model")
    assert "Keep the build green." in found.handoff


def test_an_empty_answer_over_http_ends_in_a_handoff_by_rule() -> None:
    """Hermes #11978: an empty answer with status 200."""
    with model(Answer(completion(""))) as server:
        found = compact_transcript(
            transcript("s" + "ua" * 12), policy=small_policy(), summarize=client(server)
        )
    assert (found.status, found.method, found.failure) == ("committed", "fallback", "empty")


def test_a_key_is_read_from_the_first_line_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text(f" {KEY}\nrest\n")
    assert read_key(path) == KEY


@pytest.mark.parametrize("content", [b"", b"\n", b"\xff\xfe\x00", None])
def test_a_key_file_that_cannot_be_used_says_so(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "key"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SummaryFailedError, match="key file") as caught:
        read_key(path)
    assert caught.value.kind == "auth"
