"""What an importer gives is made fit to be stored."""

from hermes_sessions.agents.fitting import fit_compaction
from hermes_sessions.agents.values import CompactionRow
from hermes_sessions.messages import CompactionStatus, Realisation


def test_what_a_host_noted_is_fit_to_be_stored() -> None:
    row = CompactionRow(
        key="k", realisation=Realisation.IN_PLACE, status=CompactionStatus.COMMITTED, session="a",
        noted={"focus": "\ud800", "policy": {"x": float("nan")}, "started_at": 1e300, "tokens_before": 3},
    )  # fmt: skip
    noted = fit_compaction(row, "k", lambda *_: None).noted
    assert noted is not None
    noted["focus"].encode()
    assert noted["policy"] == {"x": None} or "nan" not in str(noted["policy"]).replace("'nan'", "").lower()
    assert (noted["started_at"], noted["tokens_before"]) == (None, 3)
