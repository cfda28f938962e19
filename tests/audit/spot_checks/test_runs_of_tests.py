"""How runs of tests are counted, in the words of test programs."""

import pytest

from hermes_sessions.audit.spot_checks.runs_of_tests import last_run
from tests.audit.builders import assistant, compacted, tool, user


@pytest.mark.parametrize(
    ("shown", "passed", "failed"),
    [
        ("2 failed, 38 passed in 12.35s", 38, 2),
        ("Tests:       2 failed, 1 skipped, 61 passed, 64 total\nTime: 3.2 s", 61, 2),
        ("  61 passing (2s)\n  2 failing", 61, 2),
        ("  61 passing (2s)\n", 61, 0),
        ("test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured", 3, 1),
        ("Ran 64 tests in 1.213s\n\nFAILED (failures=2, errors=1)", 61, 3),
        ("Ran 64 tests in 1.213s\n\nOK", 64, 0),
        ("[ERROR] Tests run: 64, Failures: 2, Errors: 0, Skipped: 1", 61, 2),
        ("64 tests completed, 2 failed, 1 skipped", 61, 2),
        ("Failed!  - Failed:     2, Passed:    61, Skipped:     1, Total:    64", 61, 2),
        ("Tests: 64, Assertions: 120, Failures: 2.", 62, 2),
        ("OK (64 tests, 120 assertions)", 64, 0),
        ("64 examples, 2 failures, 1 pending", 61, 2),
        ("Executed 64 tests, with 2 failures (0 unexpected) in 3.2 seconds", 62, 2),
        ("Tests  2 failed | 61 passed (64)", 61, 2),
        ("Tests: 64 run, 0 failed, 1 skipped\nBUILD SUCCESSFUL in 17m 40s", 63, 0),
    ],
)
def test_what_passed_and_what_failed(shown: str, passed: int, failed: int) -> None:
    found = last_run((tool("c1", shown),))
    assert found is not None
    assert dict(found.counts) == {"passed": passed, "failed": failed}


@pytest.mark.parametrize(
    "shown", ["64 tests found", "3 errors in app.log", "total: 64", "see tests/run 5", ""]
)
def test_what_counts_nothing_is_no_run(shown: str) -> None:
    assert last_run((tool("c1", shown),)) is None


def test_the_result_of_an_earlier_run_is_noted_whatever_the_program() -> None:
    rows = (
        user("Mend the two UI tests."),
        tool("c1", "Tests: 64 run, 2 failed, 1 skipped"),
        assistant("Two of 64 fail; I mend them."),
        tool("c2", "Tests: 64 run, 0 failed, 1 skipped\nBUILD SUCCESSFUL in 17m 40s"),
        assistant("PR 1861 is open. UI tests on the branch: 64 run, none failed, one skipped."),
    )

    def noted(body: str) -> list[str]:
        told = compacted(rows, body=body).measured().deviations
        return [one.line for one in told if one.rule == "earlier-run"]

    wrong = "UI tests on the branch: 64 run, 2 failed, 1 skipped"
    assert noted(f"- {wrong}\n- PR 1861 is open") == [wrong]
    assert noted("- UI tests on the branch: 64 run, 0 failed, 1 skipped") == []
    assert noted("- UI tests: at first 2 failed; on the branch 0 failed") == []
