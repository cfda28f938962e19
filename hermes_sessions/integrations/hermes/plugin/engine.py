"""Our compaction engine as the agent's context engine.

What the agent asks of an engine, in all its versions from 0.13 on: each method takes the
keywords of every version. Nothing raised in here reaches the agent's loop: a compaction
that fails leaves the messages as they were.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from hermes_sessions import __version__
from hermes_sessions.compaction import (
    Attempt,
    CompactionContext,
    CompactionPolicy,
    CompactionResult,
    Due,
    compact_transcript,
    compaction_due,
    context_tokens,
    plan_compaction,
)
from hermes_sessions.errors import TranscriptError
from hermes_sessions.integrations.hermes.plugin import host
from hermes_sessions.integrations.hermes.plugin.counts import HostCounts
from hermes_sessions.integrations.hermes.plugin.journal import append_line, recent_lines
from hermes_sessions.integrations.hermes.plugin.notes import (
    CompactionRun,
    ancestors_of,
    attempt_of,
    attempts_of,
    boundary_line,
    compaction_line,
)
from hermes_sessions.integrations.hermes.plugin.recall import RecallTools
from hermes_sessions.integrations.hermes.plugin.settings import EngineSettings, policy_for
from hermes_sessions.integrations.hermes.plugin.summarizing import HostSummarizer
from hermes_sessions.integrations.hermes.plugin.transcripts import outgoing, snapshot
from hermes_sessions.integrations.hermes.plugin.usage import pause_after, positive
from hermes_sessions.messages import CompactionMethod, CompactionOutcome, Summarize
from hermes_sessions.summarizers import ExtractiveSummarizer

ENGINE = f"{host.NAME} {__version__}"
"""What the journal calls the engine."""
_MOST_ATTEMPTS = 20


@dataclass(frozen=True, slots=True)
class _Attempted:
    """What came of one call: the messages for the host, and the result, or what was raised."""

    messages: list[dict[str, Any]]
    policy: CompactionPolicy | None
    result: CompactionResult | None = None
    summarizer_model: str = ""
    error: str = ""


class SessionsEngine(HostCounts):
    """A context engine of the agent; `make_engine` gives it the agent's base class.

    The public attributes, and those with an underscore that are set to False or None here,
    are read and written by the agent.
    """

    def __init__(self, settings: EngineSettings | None = None) -> None:
        self.settings = settings or EngineSettings.from_config(host.load_config(), host.NAME)
        super().__init__(self.settings.threshold)
        self.protect_first_n = 0
        self.protect_last_n = 8
        self._session = ""
        self._family: set[str] = set()
        self._home: Path | None = None
        self._attempts: list[Attempt] = []
        self._tools_offered = False
        self._lock = Lock()
        self._calls = 0
        self._outcome(progress=False)

    @property
    def name(self) -> str:
        """What `context.engine` names."""
        return host.NAME

    def clone_for_agent(self) -> "SessionsEngine":
        """Return an engine of the same settings that belongs to no session yet."""
        return type(self)(self.settings)

    def __deepcopy__(self, memo: dict[int, Any]) -> "SessionsEngine":
        return self.clone_for_agent()

    # -- whether to compact ----------------------------------------------------------------------

    def should_compress(self, prompt_tokens: int | None = None, **more: Any) -> bool:
        """Return whether a compaction is due at that many tokens."""
        return bool(self._due(prompt_tokens))

    def should_compress_info(self, prompt_tokens: int | None = None, **more: Any) -> tuple[bool, str | None]:
        """Return whether a compaction is due, and why one is held back."""
        due = self._due(prompt_tokens)
        tokens = positive(prompt_tokens if prompt_tokens is not None else self.last_prompt_tokens)
        return bool(due), None if due or tokens < self.threshold_tokens else due.reason

    def should_compress_preflight(self, messages: Sequence[Mapping[str, Any]], **more: Any) -> bool:
        """Leave it to `should_compress`, which is asked with a count."""
        return False

    def has_content_to_compress(self, messages: Sequence[Mapping[str, Any]], **more: Any) -> bool:
        """Return whether there is something to summarise."""
        try:
            return bool(plan_compaction(snapshot(messages), self._policy()))
        except Exception:  # nothing of ours may stop the agent
            host.LOG.exception("cannot plan a compaction")
            return False

    def get_active_compression_failure_cooldown(self, **more: Any) -> dict[str, Any] | None:
        """Return how long to wait after a failure; None: not at all."""
        left = pause_after(self._attempts, time.time())
        return {"remaining_seconds": left, "error": self._last_summary_error or ""} if left > 0 else None

    def _automatic_compression_blocked(self, **more: Any) -> bool:
        return self.get_active_compression_failure_cooldown() is not None and not self._due(None)

    def _due(self, tokens: int | None) -> Due:
        asked = positive(tokens if tokens is not None else self.last_prompt_tokens)
        if self.context_length <= 0 or asked <= 0:
            return Due(False, "the size of the request is not known yet")
        counted = max(0, asked - self._sizes.overhead)
        try:
            return compaction_due(self._policy(), asked, self._attempts, now=time.time(), counted=counted)
        except Exception as error:  # nothing of ours may stop the agent
            host.LOG.exception("cannot decide whether a compaction is due")
            return Due(False, f"{type(error).__name__}: {error}")

    def _policy(self) -> CompactionPolicy:
        return policy_for(
            self.settings,
            window=self.context_length,
            threshold=self.threshold_tokens,
            overhead=self._sizes.overhead,
        )

    # -- compacting ------------------------------------------------------------------------------

    def compress(
        self,
        messages: list[dict[str, Any]],
        current_tokens: int | None = None,
        focus_topic: str | None = None,
        force: bool = False,
        memory_context: str = "",
        **more: Any,
    ) -> list[dict[str, Any]]:
        """Return the messages with their middle replaced by a handoff, or as they are.

        Args:
            messages: of the session, without the system prompt; never modified.
            current_tokens: what the request costs, as the host counted or guessed.
            focus_topic: what the user wants kept above all.
            force: the user asked for it.
            memory_context: what the host's memory wants remembered.
        """
        with self._lock:
            self._calls += 1
            call = self._calls
        started = time.time()
        done = self._attempt(messages, current_tokens, str(focus_topic or ""), str(memory_context or ""))
        run = CompactionRun(
            session=self._session,
            model=self.model,
            engine=ENGINE,
            messages_before=len(messages) if isinstance(messages, Sequence) else 0,
            requested=positive(current_tokens) or None,
            trigger="manual" if force else "threshold",
            focus=str(focus_topic or ""),
            started_at=started,
            finished_at=time.time(),
            policy=done.policy,
            result=done.result,
            summarizer_model=done.summarizer_model,
            error=done.error,
        )
        with self._lock:
            # The host gave this call up and made another: what it would say is of no interest.
            if call == self._calls:
                self._ended(run)
        self._note(lambda: compaction_line(run))
        return done.messages

    def _attempt(
        self, messages: list[dict[str, Any]], tokens: int | None, focus: str, memory: str
    ) -> _Attempted:
        policy: CompactionPolicy | None = None
        summarize: Summarize = ExtractiveSummarizer()
        try:
            given = snapshot(messages)
            self._sizes.observe(positive(tokens), context_tokens(given))
            policy = self._policy()
            summarize = self._summarizer()
            result = compact_transcript(
                given, policy=policy, summarize=summarize, context=self._context(focus, memory)
            )
            answer = outgoing(result) if result.status is CompactionOutcome.COMMITTED else messages
        # The turn goes on whatever is wrong in here; the journal and the log say what it was.
        except Exception as failure:
            host.LOG.exception("the compaction failed; the messages are as they were")
            return _Attempted(messages, policy, error=f"{type(failure).__name__}: {failure}")
        return _Attempted(answer, policy, result, getattr(summarize, "model", ""))

    def _context(self, focus: str | None, memory: str) -> CompactionContext:
        pointer = RecallTools.pointer if self._tools_offered else ""
        more: dict[str, Any] = {"focus": focus or "", "notes": memory or "", "pointer": pointer}
        try:
            return CompactionContext(prefix=host.summary_prefix(), **more)
        except TranscriptError:  # the agent's words of that version cannot be read back
            return CompactionContext(**more)

    def _summarizer(self) -> Summarize:
        call = host.model_call()
        if self.settings.summarizer == "rule" or call is None:
            return ExtractiveSummarizer()
        runtime = {
            "model": self.model,
            "provider": self.provider,
            "base_url": self.base_url,
            "api_key": self.api_key,
            "api_mode": self.api_mode,
        }
        return HostSummarizer(call, runtime, host.protected_call, self.settings.summary_seconds)

    def _ended(self, run: CompactionRun) -> None:
        result = run.result
        self._attempts = [*self._attempts, attempt_of(run)][-_MOST_ATTEMPTS:]
        if result is None:
            return self._outcome(progress=False, aborted=True, error=run.error)
        if result.status is CompactionOutcome.COMMITTED:
            self.compression_count += 1
        failed = result.status is CompactionOutcome.ABORTED
        fallback = result.method is CompactionMethod.FALLBACK
        self._outcome(
            progress=result.status is CompactionOutcome.COMMITTED,
            aborted=failed,
            error=(result.reason if failed or (fallback and result.failure) else "") or None,
            fallback=fallback,
        )

    def _outcome(
        self, *, progress: bool, aborted: bool = False, error: str | None = None, fallback: bool = False
    ) -> None:
        """Set what the agent reads after a compaction."""
        self._last_compression_made_progress = progress
        self._last_compress_aborted = aborted
        self._last_summary_error = error
        self._last_summary_fallback_used = fallback
        self._last_aux_model_failure_model = self._last_aux_model_failure_error = None
        self._verify_compaction_cleared_threshold = False

    # -- sessions --------------------------------------------------------------------------------

    def on_session_start(self, session_id: str, **more: Any) -> None:
        """Belong to a session; after a compaction to the one that goes on."""
        session_id, before = str(session_id or ""), str(more.get("old_session_id") or "")
        if more.get("hermes_home"):
            self._home = Path(str(more["hermes_home"]))
        if more.get("boundary_reason") == "compression":
            parent = before or self._session
            self._family |= {parent, session_id}
            self._note(lambda: boundary_line(session=session_id, parent=parent, at=time.time()))
            self._session = session_id
        else:
            self._bind(session_id)

    def bind_session_state(self, session_db: Any = None, session_id: str = "", **more: Any) -> None:
        """Belong to a session; its database is the host's affair."""
        self._bind(str(session_id or ""))

    def on_session_end(self, session_id: str, messages: Sequence[Mapping[str, Any]], **more: Any) -> None:
        """Do nothing: the agent says this at every compaction too, and there is nothing to close."""

    def on_session_reset(self, **more: Any) -> None:
        """Forget what belongs to the session that was."""
        self._forget_usage()
        self._attempts = []
        self._family = {self._session} if self._session else set()
        self._outcome(progress=False)

    def _bind(self, session_id: str) -> None:
        if session_id == self._session:
            return
        self._session = session_id
        self._family, self._attempts = {session_id}, []
        try:
            lines = list(recent_lines(self._folder()))
            self._family = ancestors_of(lines, session_id)
            self._attempts = attempts_of(lines, self._family)[-_MOST_ATTEMPTS:]
        except Exception:  # nothing of ours may stop the agent
            host.LOG.exception("the journal cannot be read")

    # -- tools, status, and what newer builds ask --------------------------------------------------

    def get_tool_schemas(self) -> list[dict[str, Any]]:
        """Return the recall tools; only an agent whose toolset allows them asks."""
        self._tools_offered = self.settings.tools
        return RecallTools.schemas() if self.settings.tools else []

    def handle_tool_call(self, name: str, args: Mapping[str, Any] | None = None, **more: Any) -> str:
        """Answer a recall tool as JSON text; what goes wrong is an answer too."""
        return RecallTools(self._folder(), self._session).call(name, args or {})

    def get_status(self) -> dict[str, Any]:
        """Return what the agent shows of its context."""
        return {"engine": ENGINE, **super().get_status()}

    def prune_tool_results_only(
        self, messages: list[dict[str, Any]], current_tokens: int | None = None, **more: Any
    ) -> tuple[list[dict[str, Any]], int]:
        """Prune nothing: results leave the context with their span, and are quoted in its handoff."""
        return messages, 0

    def select_context(self, request_messages: list[dict[str, Any]], **more: Any) -> None:
        """Leave the request as it is."""

    def on_turn_complete(self, messages: Sequence[Mapping[str, Any]], usage: Any = None, **more: Any) -> None:
        """Do nothing: all that is kept is in the journal."""

    def _folder(self) -> Path:
        return self._home or host.home_folder()

    def _note(self, line: Callable[[], Mapping[str, Any]]) -> None:
        if not self.settings.journal:
            return
        try:
            append_line(self._folder(), line())
        except Exception as error:  # nothing of ours may stop the agent
            host.LOG.warning("the journal cannot be written: %s", error)


def make_engine(settings: EngineSettings | None = None) -> SessionsEngine:
    """Return an engine that the agent takes: one of its own base class."""
    base = host.base_engine()
    made: Callable[[EngineSettings | None], SessionsEngine] = SessionsEngine
    if base is not object:
        made = type("HermesSessionsEngine", (SessionsEngine, base), {})
    return made(settings)
