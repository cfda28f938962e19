"""Which tests run without being asked for, and that the others say why they did not."""

import subprocess
import sys

import pytest

TESTS = """
import pytest

def test_quick(): pass

@pytest.mark.slow
def test_slow(): pass

@pytest.mark.browser
def test_browser(): pass

@pytest.mark.replication
def test_replication(): pass
"""


@pytest.fixture
def told(tmp_path, pytestconfig):
    """A function that runs a few tests with our rules; returns how many passed, and what was told."""
    marks = "".join(f"    {line}\n" for line in pytestconfig.getini("markers"))
    (tmp_path / "pytest.ini").write_text(f"[pytest]\ntestpaths = some\nmarkers =\n{marks}")
    (tmp_path / "some").mkdir()
    (tmp_path / "some" / "test_some.py").write_text(TESTS)

    def run(*arguments):
        options = "-q -ra -p xdist -p tests.conftest -p no:cacheprovider --rootdir . -c pytest.ini"
        environment = {"PYTHONPATH": str(pytestconfig.rootpath), "PATH": "/nowhere"}
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options.split(), *arguments],
            env={**environment, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout

    return run


def test_plain_pytest_leaves_out_what_takes_long_and_says_so(told):
    answer = told()
    assert "1 passed, 3 skipped" in answer
    for marker in ("slow", "browser", "replication"):
        assert f"marked `{marker}`, which takes long: `pytest --all` runs it" in answer


@pytest.mark.parametrize("arguments", [["--all"], ["some/test_some.py"], ["-m", "not slow or slow"]])
def test_what_is_asked_for_runs_unless_the_machine_lacks_something(told, arguments):
    answer = told(*arguments)
    assert "1 passed" not in answer
    assert "takes long" not in answer


def test_a_folder_leaves_out_the_same(told):
    assert "1 passed, 3 skipped" in told("some")


def test_processes_beside_each_other_leave_out_the_same(told):
    assert "1 passed, 3 skipped" in told("-n", "1")
