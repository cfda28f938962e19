"""What a server says while it runs, on standard error: lines for people, or JSON lines for machines."""

import json
import logging
import time
from collections.abc import Callable
from typing import Final

_OWN: Final = "hermes_sessions"
_FIELDS: Final = ("method", "path", "status", "seconds", "client")


class JsonLines(logging.Formatter):
    """One JSON object a line: time, level, logger, message, request; an access line's fields; an error."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "request": getattr(record, "request", None),
        }
        line |= {name: getattr(record, name) for name in _FIELDS if hasattr(record, name)}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        # Escaped throughout: what was asked for or stored can neither break the line nor steer a terminal.
        return json.dumps({name: value for name, value in line.items() if value is not None}, default=str)


class PlainLines(logging.Formatter):
    """One line for people; control characters escaped."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, and the traceback below it where there is one."""
        when = time.strftime("%H:%M:%S", time.localtime(record.created))
        taken = f" {1000 * record.seconds:.0f} ms" if hasattr(record, "seconds") else ""
        name = getattr(record, "request", None)
        request = f" [{name}]" if name else ""
        text = f"{when} {record.levelname.lower()}{request} {record.getMessage()}{taken}"
        text = text.encode("unicode_escape").decode("ascii")
        return f"{text}\n{self.formatException(record.exc_info)}" if record.exc_info else text


def start_logging(kind: str, request_id: Callable[[], str | None]) -> None:
    """Send what is logged to standard error.

    Args:
        kind: `json`, or `text` for people; both with a line for every request.
        request_id: returns the id of the request that the current thread answers.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if kind == "json" else PlainLines())

    def add_request(record: logging.LogRecord) -> bool:
        record.request = request_id()
        return True

    handler.addFilter(add_request)
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger(_OWN).setLevel(logging.INFO)
