"""How many tokens a text or a message costs: exact where a vocabulary is there.

The vocabularies travel with the package and are unpacked in memory; nothing is
fetched or written. Without tiktoken or a sound vocabulary every count is an
estimate and says so. Exact means exact for models of that vocabulary: other
models count differently, so a count carries the name of its method.
"""

import binascii
import functools
import hashlib
import json
import lzma
import string
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final

from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Block, Content, TranscriptMessage, block_text

DEFAULT_ENCODING: Final = "o200k_base"
ESTIMATE: Final = "estimate:bytes"
MESSAGE_TOKENS: Final = 4
"""What every message costs besides its content: its role and its borders."""
CALL_TOKENS: Final = 6
"""What every tool call or result costs besides its texts: its id and its borders."""
IMAGE_TOKENS: Final = 1_200
"""What an image or another attachment counts; providers charge 85 to 1,600."""

_CONTRACTION = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_UPPER, _LOWER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
_CACHED_TEXTS = 200_000
_PIECE_CHARS = 200_000
_LINE_START = late_pattern(r"\n(?=[^\W_])")


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """A packed rank file: the SHA-256 of its unpacked bytes, and how it splits words."""

    sha256: str
    pattern: str


_VOCABULARIES: Final[Mapping[str, _Vocabulary]] = {
    "o200k_base": _Vocabulary(
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        rf"[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]*[{_LOWER}]+{_CONTRACTION}"
        rf"|[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]+[{_LOWER}]*{_CONTRACTION}"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    "cl100k_base": _Vocabulary(
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"
        r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s",
    ),
}

_WEIGHTS: Final = (
    (string.ascii_letters.encode(), 0.206),
    (string.digits.encode(), 0.65),
    (string.punctuation.encode(), 0.53),
    (b"\n", 0.5),
    (bytes(range(0xC2, 0xE0)), 0.27),
    (bytes(range(0xE0, 0xF0)), 0.71),
    (bytes(range(0xF0, 0xF5)), 1.5),
)


def _class_table() -> bytes:
    """Return the byte table that turns each byte into the place of its class in `_WEIGHTS`."""
    table = bytearray([len(_WEIGHTS)] * 256)
    for place, (kind, _) in enumerate(_WEIGHTS):
        for byte in kind:
            table[byte] = place
    return bytes(table)


_CLASSES: Final = _class_table()
"""Tokens per byte of each class, fitted over prose, code, JSON, logs and ten languages."""


@dataclass(frozen=True, slots=True)
class Count:
    """A number of tokens and how it was found.

    Attributes:
        tokens: how many.
        exact: counted with a vocabulary, nothing estimated.
        method: `tiktoken:<encoding>` or `estimate:bytes`; shown wherever the number is.
    """

    tokens: int
    exact: bool
    method: str


class TokenCounter:
    """Counts texts by one method, each text once: results are kept by digest."""

    def __init__(self, measure: Callable[[str], int], *, exact: bool, method: str) -> None:
        self.exact = exact
        self.method = method
        self._measure = measure
        self._known: dict[bytes, int] = {}
        self._lock = threading.Lock()

    def count(self, text: str) -> int:
        """Return the tokens of *text*; lone surrogates and special tokens count as text."""
        if not text:
            return 0
        key = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        known = self._known.get(key)
        if known is not None:
            return known
        tokens = self._measure(text)
        with self._lock:
            if len(self._known) >= _CACHED_TEXTS:
                del self._known[next(iter(self._known))]
            self._known[key] = tokens
        return tokens


def token_counter(encoding: str = DEFAULT_ENCODING) -> TokenCounter:
    """Return the counter of *encoding*, always the same; one that estimates without a vocabulary."""
    return _counter(encoding)


@functools.cache
def _counter(encoding: str) -> TokenCounter:
    measure = _exact_measure(encoding)
    if measure is None:
        return TokenCounter(estimate_tokens, exact=False, method=ESTIMATE)
    return TokenCounter(measure, exact=True, method=f"tiktoken:{encoding}")


def count_text(text: str, encoding: str = DEFAULT_ENCODING) -> Count:
    """Return the tokens of *text*."""
    counter = token_counter(encoding)
    return Count(counter.count(text), counter.exact, counter.method)


def count_messages(messages: Iterable[TranscriptMessage], encoding: str = DEFAULT_ENCODING) -> Count:
    """Return the tokens of *messages*, tool calls and images included.

    Borders between messages and images are a provider's affair and counted at fixed
    prices, so the sum is exact for the texts alone; `method` names how those were counted.
    """
    counter = token_counter(encoding)
    tokens = sum(message_tokens(message, counter) for message in messages)
    return Count(tokens, counter.exact, counter.method)


def message_tokens(message: TranscriptMessage, counter: TokenCounter) -> int:
    """Return what *message* costs in a context window."""
    tokens = MESSAGE_TOKENS + content_tokens(message.content, counter)
    for call in message.tool_calls:
        if not call.in_content:
            tokens += CALL_TOKENS + counter.count(call.name) + counter.count(call.arguments)
    if message.result_ids:
        tokens += CALL_TOKENS
    return tokens + counter.count(message.reasoning)


def content_tokens(content: Content, counter: TokenCounter) -> int:
    """Return what *content* costs: its texts, and its other blocks by kind."""
    if content is None:
        return 0
    if isinstance(content, str):
        return counter.count(content)
    return sum(_block_tokens(block, counter) for block in content)


def estimate_tokens(text: str) -> int:
    """Return a guess from byte classes: within a few per cent on prose, half as good on JSON."""
    raw = text.encode("utf-8", "replace")
    classes = raw.translate(_CLASSES)
    guess = sum(weight * classes.count(place) for place, (_, weight) in enumerate(_WEIGHTS))
    return round(guess) or int(bool(raw))


def _block_tokens(block: Block, counter: TokenCounter) -> int:
    text = block_text(block)
    if text is not None or isinstance(block, str):
        return counter.count(text or "")
    if block.get("type") not in ("tool_use", "tool_result", "json", "thinking"):
        return IMAGE_TOKENS
    return CALL_TOKENS + counter.count(_dumped(block))


def _dumped(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return str(type(value))


def _exact_measure(encoding: str) -> Callable[[str], int] | None:
    """Return a function that counts exactly, or None without tiktoken or vocabulary."""
    vocabulary = _VOCABULARIES.get(encoding)
    ranks = None if vocabulary is None else _ranks(encoding, vocabulary.sha256)
    if vocabulary is None or ranks is None:
        return None
    try:
        import tiktoken
    except ImportError:
        return None
    # Built here and not by get_encoding(): that one would go to the network without a time-out.
    built = tiktoken.Encoding(encoding, pat_str=vocabulary.pattern, mergeable_ranks=ranks, special_tokens={})
    return lambda text: sum(len(built.encode_ordinary(piece)) for piece in _pieces(text))


def _pieces(text: str) -> Iterator[str]:
    """Cut *text* into pieces that the encoder survives; words and line breaks stay whole.

    A run of some 500,000 blanks makes tiktoken panic on its stack. No token of these
    vocabularies spans a line break before a letter or digit, so a cut there changes
    nothing; only a text without one is cut anywhere and may count a token more.
    """
    start = 0
    while len(text) - start > _PIECE_CHARS:
        end = start + _PIECE_CHARS
        found = _LINE_START.search(text, end - _PIECE_CHARS // 4, end)
        end = found.end() if found else end
        yield text[start:end]
        start = end
    yield text[start:]


def _ranks(encoding: str, sha256: str) -> dict[bytes, int] | None:
    packed = resources.files("hermes_sessions") / "_vocab" / f"{encoding}.tiktoken.xz"
    try:
        raw = lzma.decompress(packed.read_bytes())
    except (OSError, lzma.LZMAError, EOFError):
        return None
    if hashlib.sha256(raw).hexdigest() != sha256:
        return None
    pairs = (line.split() for line in raw.splitlines() if line)
    return {binascii.a2b_base64(token): int(rank) for token, rank in pairs}
