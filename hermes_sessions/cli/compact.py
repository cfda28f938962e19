"""`compact`: compact a conversation of the store, look at the plan first, take it back."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hermes_sessions.cli.terminal.options import json_option, open_store, store_option
from hermes_sessions.cli.terminal.output import print_json, print_table, say, say_block
from hermes_sessions.errors import PolicyError
from hermes_sessions.settings import Settings

if TYPE_CHECKING:
    from hermes_sessions.compaction import CompactionPolicy
    from hermes_sessions.messages import Summarize
    from hermes_sessions.operations.agent.compact import CompactionPreview
    from hermes_sessions.operations.agent.record_compaction import StoredCompaction
    from hermes_sessions.store.opening.database import Database

USUAL_WINDOW = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SummarizerChoice:
    """Which summariser was asked for."""

    kind: str
    base_url: str | None
    model: str | None
    key_file: Path | None


@click.command()
@click.argument("conversation_id", metavar="ID", required=False)
@click.option("--preview", is_flag=True, help="Show the plan and the handoff's fixed parts; change nothing.")
@click.option(
    "--in-place", is_flag=True, help="Archive within the session instead of continuing in a child session."
)
@click.option(
    "--undo", "undo_id", type=int, metavar="COMPACTION", help="Undo a compaction that this program made."
)
@click.option("--focus", default="", metavar="TEXT", help="What the summary should keep above all.")
@click.option(
    "--policy",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set a size of the policy, such as context_window=100000 or tail_tokens=8000; repeatable.",
)
@click.option(
    "--summarizer",
    type=click.Choice(("extractive", "openai-compatible")),
    default="extractive",
    show_default=True,
    help="extractive needs no model.",
)
@click.option(
    "--base-url", metavar="URL", help="Base URL of the model's API, such as http://127.0.0.1:11434/v1."
)
@click.option("--model", help="Name of the model, as its server knows it.")
@click.option(
    "--key-file",
    type=click.Path(path_type=Path),
    help="File with the API key.  [default: $HERMES_SESSIONS_API_KEY, else $OPENAI_API_KEY]",
)
@store_option
@json_option
def compact(
    conversation_id: str | None,
    preview: bool,
    in_place: bool,
    undo_id: int | None,
    focus: str,
    settings: tuple[str, ...],
    url: str,
    as_json: bool,
    **choice: Any,
) -> None:
    """Compact the conversation ID: replace the middle of its context by a handoff.

    Compacts the conversation's newest session, which ends; a child session continues. The
    originals stay in the store. Without a policy the window is 200,000 tokens, or as
    large as the context where that is smaller.

    Exit code 1 when the compaction was aborted.
    """
    if (conversation_id is None) == (undo_id is None):
        raise click.UsageError("give the ID of a conversation, or --undo COMPACTION")
    with open_store(url) as database:
        if undo_id is not None:
            _undo(database, undo_id, as_json)
            return
        chosen = SummarizerChoice(kind=choice.pop("summarizer"), **choice)
        if preview:
            chosen = replace(chosen, kind="extractive")  # a look costs no model
        order = _order(database, conversation_id or "", settings, chosen, in_place=in_place, focus=focus)
        if preview:
            from hermes_sessions.operations.agent.compact import preview_compaction

            _print_preview(preview_compaction(database, order), as_json)
            return
        from hermes_sessions.operations.agent.compact import compact_session

        stored = compact_session(database, order)
    _print_stored(stored, as_json)
    if stored.result.status == "aborted":
        raise click.exceptions.Exit(1)


def _order(
    database: "Database",
    any_id: str,
    settings: Sequence[str],
    choice: SummarizerChoice,
    *,
    in_place: bool,
    focus: str,
) -> Any:
    from hermes_sessions.operations.agent.record_compaction import CompactionOrder
    from hermes_sessions.operations.transcript import find_session, load_transcript
    from hermes_sessions.store.queries.conversations import get_conversation

    with database.read() as db:
        tip = get_conversation(db, any_id).tip or any_id
        messages = load_transcript(db, find_session(db, tip)).messages
    summarize = _summarizer(choice)
    return CompactionOrder(
        session_id=tip,
        policy=_policy(settings, messages),
        summarize=summarize,
        clock=time.time,
        in_place=in_place,
        focus=focus,
        summarizer_model=getattr(summarize, "name", None),
    )


def _policy(settings: Sequence[str], messages: Sequence[Any]) -> "CompactionPolicy":
    """Return the policy the options ask for, its window fitted to a small context.

    Raises:
        PolicyError: an unknown name, or an impossible value.
    """
    from hermes_sessions.compaction import CompactionPolicy

    kinds = {field.name: field.type for field in fields(CompactionPolicy)}
    values: dict[str, Any] = {}
    for setting in settings:
        name, equals, written = setting.partition("=")
        if name not in kinds or not equals:
            known = ", ".join(sorted(kinds))
            raise PolicyError(f"--policy {setting}: write NAME=VALUE; names are {known}")
        values[name] = _value(name, written, str(kinds[name]))
    if "context_window" not in values:
        values["context_window"] = _fitting_window(messages)
    return CompactionPolicy(**values)


def _value(name: str, written: str, kind: str) -> Any:
    if "str" in kind:
        return written
    if "bool" in kind:
        if written.lower() not in ("true", "false"):
            raise PolicyError(f"--policy {name}={written}: is true or false")
        return written.lower() == "true"
    try:
        return float(written) if "float" in kind else int(written)
    except ValueError:
        raise PolicyError(f"--policy {name}={written}: is not a number") from None


def _fitting_window(messages: Sequence[Any]) -> int:
    from hermes_sessions.compaction import context_tokens

    return max(1_000, min(USUAL_WINDOW, context_tokens(messages)))


def _summarizer(choice: SummarizerChoice) -> "Summarize":
    if choice.kind == "extractive":
        from hermes_sessions.summarizers import ExtractiveSummarizer

        return ExtractiveSummarizer()
    from hermes_sessions.summarizers.openai_compatible import OpenAICompatible, read_key

    if not choice.base_url or not choice.model:
        raise click.UsageError("--summarizer openai-compatible needs --base-url and --model")
    key = read_key(choice.key_file) if choice.key_file else Settings.from_environ().api_key
    return OpenAICompatible(base_url=choice.base_url, model=choice.model, api_key=key or "")


def _undo(database: "Database", compaction_id: int, as_json: bool) -> None:
    from hermes_sessions.operations.agent.undo_compaction import undo_compaction
    from hermes_sessions.operations.documents.compactions import CompactionUndoneJson

    session = undo_compaction(database, compaction_id)
    if as_json:
        print_json(CompactionUndoneJson(undone=compaction_id, session=session))
    else:
        say(f"compaction {compaction_id} is undone; {session} continues")


# -- what it says ----------------------------------------------------------------------------------


def _print_preview(preview: "CompactionPreview", as_json: bool) -> None:
    from hermes_sessions.operations.documents.compactions import preview_document

    result, plan = preview.result, preview.plan
    if as_json:
        print_json(preview_document(result, preview.transcript.session.public_id))
        return
    say(f"session {preview.transcript.session.public_id}")
    if not plan:
        say(f"nothing to compact: {plan.reason}")
        return
    total = plan.length
    print_table(
        ("part", "messages", "which"),
        [
            ("head, stays", plan.head_end, f"0 to {plan.head_end - 1}" if plan.head_end else ""),
            ("span, summarised", len(plan.span), f"{plan.span[0]} to {plan.span[-1]}"),
            ("carried, stays", len(plan.carried), ", ".join(map(str, plan.carried))),
            ("tail, stays", total - plan.tail_start, f"{plan.tail_start} to {total - 1}"),
        ],
    )
    say(f"{result.tokens_before} tokens before, about {result.tokens_after} after ({result.tokens_method})")
    if result.reason:
        say(f"it would be {result.status}: {result.reason}")
    if result.handoff:
        say("the handoff, with the summary made by rule:")
        say_block(result.handoff)


def _print_stored(stored: "StoredCompaction", as_json: bool) -> None:
    from hermes_sessions.operations.documents.compactions import compacted_document

    result = stored.result
    if as_json:
        print_json(compacted_document(result, stored.compaction_id, stored.session_id))
        return
    if result.status == "nothing":
        say(f"nothing to compact: {result.reason}")
    elif result.status == "aborted":
        say(f"aborted, nothing changed: {result.reason}")
    else:
        say(f"compaction {stored.compaction_id}: {result.tokens_before} -> {result.tokens_after} tokens")
        say(f"summarised {stored.span_messages} messages by {result.method}; {stored.session_id} continues")
        if result.reason:
            why = "without a summary of its own: " if result.method == "fallback" else ""
            say(f"{why}{result.reason}")
