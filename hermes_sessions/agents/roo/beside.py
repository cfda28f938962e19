"""What files beside a task's history say of it: whose it is, what it cost, what its compactions cost."""

import json
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from hermes_sessions.agents.json_lines.lines import LONGEST, parse_line
from hermes_sessions.agents.parsed_values import dict_of, text_of
from hermes_sessions.agents.session_files.json_document import read_document
from hermes_sessions.agents.session_files.told import count_of, epoch_of_ms, number_of, price_of
from hermes_sessions.agents.told_messages import TokenUsage
from hermes_sessions.errors import SourceError

SCREEN: Final = "ui_messages.json"
ITEM: Final = "history_item.json"
_REQUEST: Final = "api_req_started"
_FAILED: Final = "condense_context_error"


class ToldEvent(NamedTuple):
    """What the screen was told of a compaction.

    Attributes:
        key: the id of its summary or marker; None where it is not told.
        summary: None for one that hid messages without a summary.
    """

    key: str | None
    summary: str | None
    time: float | None
    before: int | None
    after: int | None


@dataclass(slots=True)
class ToldBeside:
    """What is known of a task from the files beside its history.

    Attributes:
        failed: (time, reason) of each compaction that failed.
        wrong: why something could not be read; "" where nothing was wrong.
    """

    usage: TokenUsage | None = None
    events: list[ToldEvent] = field(default_factory=list)
    failed: list[tuple[float | None, str]] = field(default_factory=list)
    wrong: str = ""


def files_beside(path: Path) -> list[Path]:
    """Return the files that say something of the task whose history is at *path*."""
    return [path.with_name(name) for name in (SCREEN, ITEM)]


def read_item(path: Path) -> Mapping[str, Any]:
    """Return what the list of tasks says of the task whose history is at *path*; it may say nothing."""
    item = path.with_name(ITEM)
    try:
        if not item.is_file():  # a pipe would be waited for
            return {}
        with item.open("rb") as file:
            found = json.loads(file.read(LONGEST).decode("utf-8", "replace"))
    except (OSError, ValueError, RecursionError):
        return {}
    return dict_of(found)


def read_beside(path: Path) -> ToldBeside:
    """Return what the files beside the history at *path* say."""
    told = ToldBeside()
    usages: list[TokenUsage] = []
    screen = path.with_name(SCREEN)
    try:
        if not stat.S_ISREG(screen.stat().st_mode):
            raise SourceError("not a regular file")
        for line in read_document(screen).items:
            value = parse_line(line).value or {}
            said = value.get("say")
            if said == _REQUEST:
                usages += _request(value)
            elif said == _FAILED:
                told.failed.append(
                    (epoch_of_ms(value.get("ts")), text_of(value.get("text")) or "no reason given")
                )
            else:
                _note_event(told, value)
    except FileNotFoundError:
        pass
    except (OSError, SourceError) as error:
        told.wrong = f"{SCREEN}: {error.strerror if isinstance(error, OSError) else error}"
    told.usage = _listed(read_item(path)) or _sum(usages)
    return told


def _note_event(told: ToldBeside, value: Mapping[str, Any]) -> None:
    for name, key in (("contextCondense", "condenseId"), ("contextTruncation", "truncationId")):
        found = dict_of(value.get(name))
        if found and value.get("partial") is not True:
            told.events.append(
                ToldEvent(
                    key=text_of(found.get(key)),
                    summary=text_of(found.get("summary")),
                    time=epoch_of_ms(value.get("ts")),
                    before=number_of(found.get("prevContextTokens")),
                    after=number_of(found.get("newContextTokens")),
                )
            )


def _request(value: Mapping[str, Any]) -> list[TokenUsage]:
    """Return the tokens of one call of the model, which the screen has as JSON in a text."""
    try:
        found = dict_of(json.loads(value.get("text") or "{}"))
    except (TypeError, ValueError, RecursionError):
        return []
    return [_usage(found, "cost")]


def _listed(item: Mapping[str, Any]) -> TokenUsage | None:
    found = _usage(item, "totalCost")
    return found if any(found) else None


def _usage(found: Mapping[str, Any], cost: str) -> TokenUsage:
    return TokenUsage(
        input=count_of(found.get("tokensIn")),
        output=count_of(found.get("tokensOut")),
        cache_read=count_of(found.get("cacheReads")),
        cache_write=count_of(found.get("cacheWrites")),
        cost=price_of(found.get(cost)),
    )


def _sum(usages: Sequence[TokenUsage]) -> TokenUsage | None:
    return TokenUsage(*(sum(values) for values in zip(*usages, strict=True))) if usages else None
