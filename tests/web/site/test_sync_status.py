"""What whoever watches the terminal is told of imports."""

from hermes_sessions.web import SyncStatus


def test_first_imports_are_told_once_also_those_that_ended_before_anyone_asked() -> None:
    status, told = SyncStatus(), list[str]()
    status.start("laptop", first=True)
    status.advance("laptop", 2_403)
    status.finish("laptop", 1.0)
    status.tell_imports(told.append)
    status.start("server", first=True)
    status.finish("server", 2.0)
    status.start("server")
    status.advance("server", 7)
    status.finish("server", 3.0)
    assert told == [
        "laptop: 2,403 rows read; followed from now on",
        "server: nothing new; followed from now on",
    ]
