"""Counting tokens: exact against tiktoken itself, labelled where it is a guess."""

import inspect
import lzma
from importlib import resources

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from hermes_sessions import tokens
from hermes_sessions.messages import TranscriptMessage, read_message
from hermes_sessions.tokens import (
    IMAGE_TOKENS,
    TokenCounter,
    count_messages,
    count_text,
    estimate_tokens,
    message_tokens,
    token_counter,
)

SAMPLES = [
    "hello 你好 world",
    "def f(x):\n    return {'a': x/2}  # naïve\r\n\r\n\tdone;\n/usr",
    "I'll we've IT'S 3.14159 1234567   trailing   ",
    "ПРИВЕТ, мир! Größe Ünïcödé 👩‍👩‍👧 कखग ไทย",
    "<|endoftext|> \ufffd \u200b\u00a0x",
    "",
]
CACHE_NAMES = {
    "o200k_base": "fb374d419588a4632f3f557e76b4b70aebbca790",
    "cl100k_base": "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
}


@pytest.fixture(scope="module", params=sorted(CACHE_NAMES))
def original(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tiktoken.Encoding:
    """tiktoken's own encoding, read from its cache folder instead of the network."""
    folder = tmp_path_factory.mktemp("tiktoken")
    packed = resources.files("hermes_sessions") / "_vocab" / f"{request.param}.tiktoken.xz"
    (folder / CACHE_NAMES[request.param]).write_bytes(lzma.decompress(packed.read_bytes()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", str(folder))
        return tiktoken.get_encoding(request.param)


@pytest.mark.parametrize("text", SAMPLES)
def test_counts_what_tiktoken_counts(original: tiktoken.Encoding, text: str) -> None:
    assert count_text(text, original.name).tokens == len(original.encode_ordinary(text))


@given(text=st.text(max_size=300))
def test_counts_what_tiktoken_counts_for_any_text(original: tiktoken.Encoding, text: str) -> None:
    assert count_text(text, original.name).tokens == len(original.encode_ordinary(text))


def test_a_long_text_cut_in_pieces_counts_the_same(original: tiktoken.Encoding) -> None:
    lines = "\n".join(f"{number} some words; {{}}\n/etc/{number}" for number in range(30_000))
    assert count_text(lines, original.name).tokens == len(original.encode_ordinary(lines))


def test_an_exact_count_names_its_vocabulary() -> None:
    count = count_text("hello")
    assert (count.exact, count.method) == (True, "tiktoken:o200k_base")


def test_an_unknown_vocabulary_gives_an_estimate_that_says_so() -> None:
    count = count_text("hello world", "nobody_base")
    assert (count.exact, count.method) == (False, "estimate:bytes")
    assert count.tokens == estimate_tokens("hello world")


@pytest.mark.parametrize(
    "text", ["The quick brown fox. " * 200, inspect.getsource(tokens)], ids=["prose", "code"]
)
def test_the_estimate_is_near_the_exact_count(text: str) -> None:
    assert estimate_tokens(text) == pytest.approx(count_text(text).tokens, rel=0.3)


def test_the_estimate_of_something_is_never_nothing() -> None:
    assert estimate_tokens(" ") == 1
    assert estimate_tokens("") == 0


def test_lone_surrogates_are_counted_not_refused() -> None:
    assert count_text("a\ud800b").tokens > 0


@pytest.mark.parametrize("run", [" ", "a", "\n", "é", "1", "!", "你", "\t "])
def test_a_long_run_of_one_character_does_not_break_the_counter(run: str) -> None:
    assert count_text(run * (600_000 // len(run))).tokens > 0


def test_counting_twice_measures_once() -> None:
    measured: list[str] = []

    def measure(text: str) -> int:
        measured.append(text)
        return len(text)

    counter = TokenCounter(measure, exact=False, method="length")
    texts = [f"message {number}" for number in range(500)]
    first = [counter.count(text) for text in texts]
    assert [counter.count(text) for text in texts] == first
    assert len(measured) == len(texts)


def test_tool_calls_and_their_arguments_cost() -> None:
    call = {"id": "c1", "function": {"name": "terminal", "arguments": '{"command": "ls -la /srv"}'}}
    one = read_message({"role": "assistant", "content": None, "tool_calls": [call]})
    two = read_message({"role": "assistant", "content": None, "tool_calls": [call, {**call, "id": "c2"}]})
    none = read_message({"role": "assistant", "content": None})
    prices = [message_tokens(message, token_counter()) for message in (none, one, two)]
    assert prices[2] - prices[1] == prices[1] - prices[0] > 10


def test_images_cost_the_same_whatever_their_bytes() -> None:
    def image(size: int) -> TranscriptMessage:
        url = {"url": "data:image/png;base64," + "A" * size}
        return read_message({"role": "user", "content": [{"type": "image_url", "image_url": url}]})

    assert count_messages([image(10)]) == count_messages([image(100_000)])
    assert count_messages([image(10)]).tokens > IMAGE_TOKENS


def test_every_message_costs_something() -> None:
    assert count_messages([read_message({"role": "user", "content": None})]).tokens > 0
