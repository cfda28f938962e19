"""A summary from any server that speaks OpenAI's chat completions. The only network client.

Every failure leaves as a `SummaryFailedError` of the kind that decides what the engine
does. Redirects are not followed and the key is never part of a message.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from hermes_sessions.errors import SummaryFailedError
from hermes_sessions.messages import CompactionMethod, SummaryRequest
from hermes_sessions.redact import redact
from hermes_sessions.summarizers.replies import read_reply

if TYPE_CHECKING:
    import httpx

MAX_RESPONSE_BYTES: Final = 4_000_000

_AUTH: Final = (401, 402, 403)
_RETRIED: Final = (408, 409, 425, 429, *range(500, 600))
_MAX_WAIT_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAICompatible:
    """A summariser behind a URL.

    Attributes:
        base_url: with the API's version, such as `http://127.0.0.1:11434/v1`; a whole URL
            that ends in `/chat/completions` is taken as it is.
        model: as the server calls it.
        api_key: sent as a bearer token; '' for none.
        timeout_seconds: of one attempt, from the first byte sent to the last received.
        attempts: how often a busy or failing server is asked.
        wait_seconds: before the second attempt; doubled for each further one.
        trust_env: use the proxies that the environment names.
        sleep: waits between attempts.
        clock: monotonic seconds.
    """

    method: ClassVar[CompactionMethod] = CompactionMethod.MODEL

    base_url: str
    model: str
    api_key: str = field(default="", repr=False)
    timeout_seconds: float = 120.0
    attempts: int = 4
    wait_seconds: float = 1.0
    trust_env: bool = True
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)

    @property
    def name(self) -> str:
        """The model, for the record."""
        return self.model

    def __call__(self, request: SummaryRequest) -> str:
        """Return the server's summary.

        Raises:
            SummaryFailedError: after the attempts that its kind deserves.
        """
        payload = _payload(self.model, request)
        for attempt in range(1, self.attempts + 1):
            try:
                return self._attempt(payload)
            except _TryAgainError as error:
                if attempt == self.attempts:
                    raise SummaryFailedError(f"{error} ({attempt} attempts)", kind=error.kind) from error
                self.sleep(min(error.wait or self.wait_seconds * 2 ** (attempt - 1), _MAX_WAIT_SECONDS))
        raise SummaryFailedError("no attempt was allowed", kind="other")

    def _attempt(self, payload: dict[str, Any]) -> str:
        status, body, wait = self._post(payload)
        if status == 400 and _adapted(payload, body):
            status, body, wait = self._post(payload)
        if status in _AUTH:
            raise SummaryFailedError(self._told("the server refused the key", status, body), kind="auth")
        if status in _RETRIED:
            raise _TryAgainError(self._told("the server is busy or failing", status, body), "other", wait)
        if status != 200:
            raise SummaryFailedError(self._told("the server refused the request", status, body), kind="other")
        return read_reply(body)

    def _post(self, payload: dict[str, Any]) -> tuple[int, bytes, float]:
        """Send the request once; return status, bounded body, and how long to wait if asked to."""
        httpx = _httpx()
        headers = {"Authorization": f"Bearer {self.api_key}"} if self.api_key else {}
        try:
            with (
                httpx.Client(timeout=self.timeout_seconds, trust_env=self.trust_env) as client,
                client.stream("POST", self._url(), json=payload, headers=headers) as response,
            ):
                return response.status_code, self._body(response), _retry_after(response)
        except (
            httpx.ConnectError,
            httpx.ConnectTimeout,
            httpx.UnsupportedProtocol,
            httpx.InvalidURL,
        ) as error:
            raise _TryAgainError(
                f"no connection to {self._where()}: {self._safe(error)}", "connection"
            ) from error
        except httpx.TimeoutException as error:
            raise SummaryFailedError(f"{self._where()} did not answer in time", kind="timeout") from error
        except (httpx.HTTPError, ValueError) as error:
            raise _TryAgainError(f"{self._where()} broke off: {self._safe(error)}", "connection") from error

    def _body(self, response: "httpx.Response") -> bytes:
        """Read the body up to its limits; a server may not feed it drop by drop for ever."""
        started = self.clock()
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > MAX_RESPONSE_BYTES:
                raise SummaryFailedError(f"{self._where()} answered more than 4 MB", kind="malformed")
            if self.clock() - started > self.timeout_seconds:
                raise SummaryFailedError(f"{self._where()} did not finish in time", kind="timeout")
        return bytes(body)

    def _url(self) -> str:
        base = self.base_url.rstrip("/")
        return base if base.endswith("/chat/completions") else f"{base}/chat/completions"

    def _where(self) -> str:
        return self._safe(self.base_url.split("?")[0])

    def _told(self, what: str, status: int, body: bytes) -> str:
        return f"{what} (HTTP {status}): {self._safe(body[:2_000].decode('utf-8', 'replace'))}"

    def _safe(self, value: object) -> str:
        """One short line of what somebody else wrote, without our key in it."""
        text = str(value).replace(self.api_key, "[key]") if self.api_key else str(value)
        return " ".join(redact(text).text.split())[:200]


class _TryAgainError(Exception):
    """A failure that may pass: what it counts as in the end, and how long the server asks to wait."""

    def __init__(self, message: str, kind: str, wait: float = 0.0) -> None:
        super().__init__(message)
        self.kind = kind
        self.wait = wait


def read_key(path: Path) -> str:
    """Return the key in the first line of a file.

    Raises:
        SummaryFailedError: it cannot be read, or is empty.
    """
    try:
        key = path.read_text("utf-8").strip().splitlines()[:1]
    except (OSError, UnicodeDecodeError) as error:
        raise SummaryFailedError(f"cannot read the key file {path}: {error}", kind="auth") from error
    if not key:
        raise SummaryFailedError(f"the key file {path} is empty", kind="auth")
    return key[0].strip()


def _httpx() -> Any:
    try:
        import httpx
    except ImportError as error:
        raise SummaryFailedError(
            "a model needs the package httpx: pip install 'hermes-sessions[model]'", kind="connection"
        ) from error
    return httpx


def _payload(model: str, request: SummaryRequest) -> dict[str, Any]:
    return {
        "model": model,
        "messages": [
            {"role": "system", "content": request.instructions},
            {"role": "user", "content": request.prompt},
        ],
        "max_tokens": request.max_tokens * 2,
        "temperature": 0,
        "stream": False,
    }


def _adapted(payload: dict[str, Any], body: bytes) -> bool:
    """Change what newer models refuse; return whether there was something to change."""
    told = body[:4_000].decode("utf-8", "replace")
    changed = False
    if "max_tokens" in told and "max_tokens" in payload:
        payload["max_completion_tokens"] = payload.pop("max_tokens")
        changed = True
    if "temperature" in told and "temperature" in payload:
        del payload["temperature"]
        changed = True
    return changed


def _retry_after(response: "httpx.Response") -> float:
    try:
        return max(0.0, float(response.headers.get("retry-after", "0")))
    except ValueError:
        return 0.0
