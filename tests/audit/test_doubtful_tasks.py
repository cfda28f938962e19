"""Lines that name finished work and may set no task are a note at most; what sets it again is a warning."""

import pytest

from hermes_sessions.messages import Severity
from tests.audit.builders import assistant, compacted, hits, user


def severities(body: str, *talk: str) -> list[Severity]:
    rows = [user(one) if at % 2 == 0 else assistant(one) for at, one in enumerate(talk)]
    return [one.severity for one in hits(compacted(rows, keep=[len(rows) - 1], body=body), "stale-task")]


BANNER = (
    "Replace the banner on the shop page.",
    "Replaced: the banner on the shop page is the new one.",
    "Good. Write the text for the mailing.",
    "I'll write it.",
)


@pytest.mark.parametrize(
    "line",
    [
        "Advice: replace the banner on the shop page",
        "Replace the banner on the shop page again in a year",
        "Replace the banner on the shop page, maybe",
        "Replace the banner on the shop page (deferred)",
        "Pictures of the banner on the shop page for the archive",
        "Whoever replaced the banner on the shop page is away until Monday",
        "Replaced banner on the shop page: a wrong colour is suspected",
    ],
)
def test_a_line_that_may_set_no_task_is_at_most_a_note(line: str) -> None:
    assert set(severities(f"## Next Steps\n- {line}", *BANNER)) <= {Severity.INFO}


def test_the_same_task_set_again_is_a_warning() -> None:
    assert severities("## Next Steps\n- Replace the banner on the shop page", *BANNER) == [Severity.WARNING]


def test_a_note_does_not_hide_a_warning() -> None:
    body = (
        "## Next Steps\n- Advice: replace the banner on the shop page\n- Replace the banner on the shop page"
    )
    assert severities(body, *BANNER) == [Severity.WARNING]


@pytest.mark.parametrize(
    ("body", "talk"),
    [
        (
            "## To do\n- The 14 broken links: WEB-220, apart from this",
            (
                "The 14 broken links we treat apart, in WEB-220. Fix the menu.",
                "Fixed the menu.",
                "Thanks.",
                "OK.",
            ),
        ),
        (
            "## To do\n- Slow report: OPS-31",
            (
                "Split the big table and look at the slow report, OPS-31.",
                "Done: the big table is split.",
                "Fine.",
                "OK.",
            ),
        ),
        (
            "## Pending\n- Rotate the API key of mail",
            (
                "Rotate the API keys of billing and mail.",
                "Rotated the API key of billing. For mail I need access.",
                "Ask Priya for it.",
                "Asked.",
            ),
        ),
        (
            "## Offen\n- Klempner, Spüle: Dienstag",
            (
                "Ruf den Klempner wegen der Spüle an.",
                "Erledigt: der Klempner kommt Dienstag.",
                "Und der Kessel?",
                "Gut.",
            ),
        ),
    ],
)
def test_another_part_of_what_was_asked_is_no_warning(body: str, talk: tuple[str, ...]) -> None:
    assert set(severities(body, *talk)) <= {Severity.INFO}
