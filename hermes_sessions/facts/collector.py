"""Work that makes a hundred thousand small values and no circles: the collector need not look for any meanwhile."""

import gc
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


def without_collector(work: Callable[_Given, _Result]) -> Callable[_Given, _Result]:
    """Return *work*, which is done without looking for circles of values that nobody holds any more.

    What nobody holds is freed as always. The collector is left as it was found; where two
    threads are at such work at once, it may begin when the first of them ends.
    """

    @wraps(work)
    def done(*given: _Given.args, **named: _Given.kwargs) -> _Result:
        if not gc.isenabled():
            return work(*given, **named)
        gc.disable()
        try:
            return work(*given, **named)
        finally:
            gc.enable()

    return done
