"""Long work is done without the collector, which is afterwards as it was."""

import gc

import pytest

from hermes_sessions.facts.collector import without_collector


def test_the_collector_waits_while_work_is_done() -> None:
    assert without_collector(gc.isenabled)() is False
    assert gc.isenabled()


def test_it_goes_on_where_work_fails() -> None:
    def fails() -> None:
        raise ValueError("it failed")

    with pytest.raises(ValueError, match="failed"):
        without_collector(fails)()
    assert gc.isenabled()


def test_it_stays_off_where_it_was_off() -> None:
    gc.disable()
    try:
        without_collector(gc.isenabled)()
        assert not gc.isenabled()
    finally:
        gc.enable()
