"""Values of any importer as every engine can hold them, by one rule for all.

Text that an engine refuses is replaced, a number or a time that is none is left out; what was given is
kept exactly in `extra` (of a compaction in `claim`), and told. Rows that are as they should be are handed
on as they are, after a quick look.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, Final

from hermes_sessions.agents.sqlite_source.foreign_cells import EARLIEST, LATEST, MOST, Cells, raw_value
from hermes_sessions.agents.values import CompactionRow, MessageRow, SessionRow
from hermes_sessions.storable_text import is_storable, storable

Tell = Callable[[str, str], None]
"""Called with (column, reason)."""

_SMALL: Final = 2**31
"""What an ordinary integer column of PostgreSQL holds is below."""
_DIGITS: Final = 2**64
_MESSAGE: Final = {name: at for at, name in enumerate(MessageRow._fields)}
_MESSAGE_TEXTS: Final = slice(_MESSAGE["tool_call_id"], _MESSAGE["extra"])
_SESSION: Final = {one.name: at for at, one in enumerate(fields(SessionRow))}
_SESSION_TEXTS: Final = (
    "parent_session_id", "source", "model", "title", "cwd", "system_prompt", "end_reason", "session_key",
    "model_config",
)  # fmt: skip
_SESSION_COUNTS: Final = (
    "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens",
)  # fmt: skip
_COMPACTION: Final = {one.name: at for at, one in enumerate(fields(CompactionRow))}


def fit_message(row: MessageRow, tell: Tell) -> MessageRow:
    """Return *row* with text, time, count and `extra` that can be stored."""
    if _is_fit(row):
        return row
    cells = _cells(_MESSAGE, row, "extra", tell)
    fitted: dict[str, Any] = {name: _text(cells, name) for name in tuple(_MESSAGE)[_MESSAGE_TEXTS]}
    fitted |= {name: _text(cells, name) or "" for name in ("role", "origin_key")}
    fitted |= {"created_at": cells.epoch("created_at"), "token_count": cells.integer("token_count")}
    return row._replace(extra=_kept(cells), **fitted)


def fit_session(row: SessionRow, foreign_id: str, tell: Tell) -> SessionRow:
    """Return *row*, whose id is stored as *foreign_id*, with values that can be stored."""
    cells = _cells(_SESSION, [getattr(row, name) for name in _SESSION], "extra", tell)
    fitted: dict[str, Any] = {name: _text(cells, name) for name in _SESSION_TEXTS}
    if foreign_id != row.foreign_id:
        cells.complain("foreign_id", f"cannot be stored; shown as {foreign_id}")
    fitted |= {name: cells.epoch(name) for name in ("started_at", "ended_at")}
    fitted |= {name: cells.integer(name) or 0 for name in _SESSION_COUNTS}
    fitted |= {name: cells.real(name) for name in ("estimated_cost_usd", "actual_cost_usd")}
    fitted |= {"tool_call_count": _small(cells, "tool_call_count") or 0, "archived": bool(row.archived)}
    fitted |= {"foreign_id": foreign_id, "mark": storable(str(row.mark)), "extra": _kept(cells)}
    return replace(row, **fitted) if any(getattr(row, one) != fitted[one] for one in fitted) else row


def fit_compaction(row: CompactionRow, key: str, tell: Tell) -> CompactionRow:
    """Return *row*, whose key is stored as *key*, with values that can be stored."""
    cells = _cells(_COMPACTION, [getattr(row, name) for name in _COMPACTION], "claim", tell)
    fitted: dict[str, Any] = {name: _text(cells, name) for name in ("parent", "child", "summary")}
    fitted |= {name: _text(cells, name) for name in ("error", "trigger", "focus")}
    fitted |= {name: cells.epoch(name) for name in ("started_at", "finished_at")}
    fitted |= {name: cells.integer(name) for name in ("tokens_before", "tokens_after")}
    fitted |= {name: _small(cells, name) or 0 for name in ("head_messages", "tail_messages")}
    fitted |= {"span_messages": _small(cells, "span_messages"), "claim": _kept(cells), "key": key}
    fitted |= {"noted": None if row.noted is None else _fit_noted(row.noted)}
    return replace(row, **fitted) if any(getattr(row, one) != fitted[one] for one in fitted) else row


def fit_time(value: Any) -> float | None:
    """Return a time as sessions and messages have it; None where it is none."""
    return float(value) if isinstance(value, int | float) and EARLIEST <= value <= LATEST else None


def fit_json(value: Any) -> Any:
    """Return *value* as JSON that every engine can hold; what is not JSON is described."""
    try:
        return value if _is_json(value) else _as_json(value)
    except RecursionError:
        return {"$repr": "nested too deeply"}


def _fit_noted(noted: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a host noted of a compaction, with values that can be stored."""
    times = {"started_at": fit_time(noted.get("started_at"))}
    return {
        name: storable(value) if isinstance(value, str) else fit_json(times.get(name, value))
        for name, value in noted.items()
    }


# -- inside ----------------------------------------------------------------------------------------


def _is_fit(row: MessageRow) -> bool:
    texts: Any = row[_MESSAGE_TEXTS]
    for text in texts:
        if text is not None and (type(text) is not str or not is_storable(text)):
            return False
    at, tokens, extra = row.created_at, row.token_count, row.extra
    return (
        type(row.origin_key) is str
        and type(row.role) is str
        and is_storable(row.origin_key)
        and is_storable(row.role)
        and (at is None or (type(at) is float and EARLIEST <= at <= LATEST))
        and (tokens is None or (type(tokens) is int and -MOST < tokens < MOST))
        and (extra is None or (type(extra) is dict and fit_json(extra) is extra))
    )


def _cells(index: dict[str, int], row: Any, beside: str, tell: Tell) -> Cells:
    """Return *row* to be looked at; what is kept raw comes beside what its column *beside* has."""
    given = row[index[beside]]
    cells = Cells(index, row, lambda _, column, reason: tell(column, reason))
    if given is None or (type(given) is dict and fit_json(given) is given):
        cells.extra = None if given is None else dict(given)
        return cells
    tell(beside, "holds what an engine cannot; kept in another form")
    cells.extra = fit_json(given) if isinstance(given, dict) else {f"${beside}": fit_json(given)}
    return cells


def _kept(cells: Cells) -> dict[str, Any] | None:
    kept: dict[str, Any] | None = fit_json(cells.extra)
    return kept


def _text(cells: Cells, name: str) -> str | None:
    value = cells.value(name)
    if value is None or (isinstance(value, str) and is_storable(value)):
        return value
    return cells.odd_text(name, value)


def _small(cells: Cells, name: str) -> int | None:
    value = cells.integer(name)
    if value is not None and not -_SMALL < value < _SMALL:
        cells.complain(name, f"is too large: {value}")
        return None
    return value


def _is_json(value: Any) -> bool:
    kind = type(value)
    if kind is str:
        return is_storable(value)
    if value is None or kind is bool:
        return True
    if kind is int:
        return bool(-_DIGITS < value < _DIGITS)
    if kind is float:
        return math.isfinite(value)
    if kind is dict:
        return all(type(name) is str and is_storable(name) and _is_json(one) for name, one in value.items())
    return kind is list and all(map(_is_json, value))


def _as_json(value: Any) -> Any:
    if _is_json(value):
        return value
    if isinstance(value, dict):
        return dict(_as_item(name, one) for name, one in value.items())
    if isinstance(value, list | tuple):
        return [_as_json(one) for one in value]
    if isinstance(value, str | bytes | float):
        return raw_value(value)
    return {"$repr": storable(repr(value))[:1000]}


def _as_item(name: Any, value: Any) -> tuple[str, Any]:
    """Return a member of an object; a name that cannot be stored is kept beside its value."""
    if type(name) is str and is_storable(name):
        return name, _as_json(value)
    return storable(str(name)), {"$key": _as_json(name), "value": _as_json(value)}
