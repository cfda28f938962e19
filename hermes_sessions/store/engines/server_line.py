"""Commands sent to a server together, through libpq: one packet on the way there, one answer.

The driver's cursors hand each statement to the system by itself, and read between them: the
server wakes for each, and a statement costs the writer more than its work. Callers own the
transaction.
"""

import select
from collections.abc import Sequence
from itertools import count
from typing import Any, Final, NamedTuple

import psycopg
from psycopg import pq
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import error_from_result

from hermes_sessions.late_patterns import late_pattern

Row = tuple[Any, ...]
_NAMED = late_pattern(r"%(?:\((\w+)\)s|(%))")
_NUMBERS: Final = count(1)
"""A name is never given twice, so it does not matter which of them a server has forgotten."""
_FAILED: Final = (pq.ExecStatus.FATAL_ERROR, pq.ExecStatus.PIPELINE_ABORTED)


class Prepared(NamedTuple):
    """A statement that a connection has prepared: its name there, the order of its parameters."""

    name: bytes
    order: tuple[str, ...]


class _Packed(NamedTuple):
    """A command on its way: what it is called, its text where that is sent as well, its parameters."""

    name: bytes
    order: tuple[str, ...]
    text: bytes | None
    given: list[bytes | None] | None


class ServerLine:
    """What a connection of the driver's has prepared by us, and the way to send it commands.

    One that fails breaks the transaction; one that is ended in the middle (Ctrl-C) breaks the connection.
    """

    def __init__(self, raw: "psycopg.Connection[Any]") -> None:
        self.raw = raw
        self._prepared: dict[str, Prepared] = {}

    def forget(self) -> None:
        """Take note that the server forgot what was prepared: the driver has it do so on a rollback."""
        self._prepared.clear()

    def keep(self, most: int) -> None:
        """Have the server forget the oldest of what was prepared where that is more than *most*."""
        if len(self._prepared) > most:
            oldest = list(self._prepared)[: len(self._prepared) - most // 2]
            names = [self._prepared.pop(text).name.decode() for text in oldest]
            self.raw.execute("; ".join(f"DEALLOCATE {name}" for name in names), prepare=False)

    def send(self, commands: Sequence[tuple[str, Any]]) -> list[list[Row]]:
        """Run commands (a statement and its parameters by name, or None) and return the rows of each.

        Raises:
            psycopg.Error: what the server said of the first that failed; those after it were not run.
        """
        line = self.raw.pgconn
        values: Any = Transformer(self.raw)
        packet = self._packed(values, commands)
        try:
            line.enter_pipeline_mode()
            for one in packet:
                if one.text is not None:
                    line.send_prepare(one.name, one.text)
                line.send_query_prepared(one.name, one.given)
            line.pipeline_sync()
            answers = self._answers(line, packet)
            line.exit_pipeline_mode()
        except BaseException:
            if line.status == pq.ConnStatus.OK and line.pipeline_status:
                line.finish()  # what it would say next is an answer to nothing
            raise
        for (text, _), one, answer in zip(commands, packet, answers, strict=True):
            if one.text is not None and answer.status not in _FAILED:
                self._prepared[text] = Prepared(one.name, one.order)
        broken = next((one for one in answers if one.status == pq.ExecStatus.FATAL_ERROR), None)
        if broken is not None:
            raise error_from_result(broken)
        return [_rows(values, answer) for answer in answers]

    def _packed(self, values: Any, commands: Sequence[tuple[str, Any]]) -> list["_Packed"]:
        """Return what is sent; values that no server can hold are refused before anything is."""
        packet = []
        fresh: dict[str, Prepared] = {}
        for text, given in commands:
            known = self._prepared.get(text) or fresh.get(text)
            written = None
            if known is None:
                known = fresh[text] = Prepared(
                    b"hs_%d" % next(_NUMBERS), _order(text) if given is not None else ()
                )
                written = _numbered(text, known.order) if given is not None else text.encode()
            sent = [_written(values, given[name]) for name in known.order] or None
            packet.append(_Packed(*known, written, sent))
        return packet

    def _answers(self, line: Any, packet: Sequence["_Packed"]) -> list[Any]:
        """Return the answer of each command: its own, or that of its preparation where that failed."""
        poll = select.poll()
        poll.register(line.socket, select.POLLIN)
        while line.flush():
            poll.modify(line.socket, select.POLLIN | select.POLLOUT)
            poll.poll()
            line.consume_input()
        poll.modify(line.socket, select.POLLIN)
        found = []
        for one in packet:
            first = self._answer(line, poll)
            if one.text is not None:
                second = self._answer(line, poll)
                first = first if first.status in _FAILED else second
            found.append(first)
        self._next(line, poll)  # the end of all
        return found

    def _answer(self, line: Any, poll: Any) -> Any:
        """Return one answer, and take what ends it."""
        answer = self._next(line, poll)
        if answer is None or line.status != pq.ConnStatus.OK:
            raise psycopg.OperationalError(line.get_error_message())
        self._next(line, poll)
        return answer

    def _next(self, line: Any, poll: Any) -> Any:
        while line.is_busy():
            poll.poll()
            line.consume_input()
        return line.get_result()


def _order(text: str) -> tuple[str, ...]:
    """Return the names of the parameters in *text*, each once."""
    return tuple(dict.fromkeys(found[1] for found in _NAMED.finditer(text) if found[1]))


def _numbered(text: str, order: Sequence[str]) -> bytes:
    """Return *text* as a server takes it, with numbers for names."""
    places = {name: f"${at}" for at, name in enumerate(order, 1)}
    return _NAMED.sub(lambda found: places[found[1]] if found[1] else "%", text).encode()


def _written(values: Any, value: Any) -> bytes | None:
    """Return a parameter as text, which the server reads as what its place wants."""
    if value is None:
        return None
    if isinstance(value, str):
        if "\0" in value:
            raise psycopg.DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes")
        return value.encode()
    if type(value) in (int, float):
        return repr(value).encode()
    [written] = values.dump_sequence([value], [PyFormat.TEXT])
    return None if written is None else bytes(written)


def _rows(values: Any, answer: Any) -> list[Row]:
    if answer.status != pq.ExecStatus.TUPLES_OK or not answer.ntuples:
        return []
    values.set_pgresult(answer, set_loaders=True)
    return list(values.load_rows(0, answer.ntuples, tuple))
