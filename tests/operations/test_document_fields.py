"""Documents leave out nothing of the value that they are made of, but what is meant to be left out."""

from dataclasses import fields
from typing import Any

import msgspec
import pytest

from hermes_sessions.audit.claims import Claim, ClaimSource
from hermes_sessions.audit.fates import MessageFate
from hermes_sessions.audit.measure import MeasuredSizes
from hermes_sessions.audit.retention import Share
from hermes_sessions.audit.values import FindingValue
from hermes_sessions.operations.documents import audit, database, findings, organising, origins, overview
from hermes_sessions.operations.imports.import_report import ImportReport
from hermes_sessions.operations.move import Moved
from hermes_sessions.operations.organising.forget import Forgetting
from hermes_sessions.operations.organising.journal import ChangeLine, Undone
from hermes_sessions.operations.organising.organise import Organised
from hermes_sessions.operations.organising.prune import PrunableFamily, Pruned
from hermes_sessions.operations.organising.redact_preview import Example
from hermes_sessions.operations.organising.redact_store import Redaction
from hermes_sessions.operations.organising.saved_searches import Saved
from hermes_sessions.operations.writing.origins import OriginSummary
from hermes_sessions.store.keeping.check import Disagreement
from hermes_sessions.store.queries.findings import FindingLine
from hermes_sessions.store.queries.overview import ActiveDay, CompactionDay, OverviewGroup, StoreSize

LEFT_OUT: dict[type[Any], set[str]] = {
    ClaimSource: {"facts"},
    FindingLine: {"title", "preview", "ordinal", "method"},
    FindingValue: {"session", "compaction"},  # of the conversation and compaction that were asked for
    PrunableFamily: {"keys"},
}
PAIRS: list[tuple[type[Any], type[Any]]] = [
    (ActiveDay, overview.ActiveDayJson),
    (ChangeLine, organising.ChangeJson),
    (Claim, audit.ClaimJson),
    (ClaimSource, audit.ClaimSourceJson),
    (CompactionDay, overview.CompactionDayJson),
    (Disagreement, database.DisagreementJson),
    (Example, organising.SecretPlaceJson),
    (FindingLine, findings.StoredFindingJson),
    (FindingValue, audit.FreshFindingJson),
    (Forgetting, organising.ForgottenJson),
    (ImportReport, origins.ImportJson),
    (MeasuredSizes, audit.SizesJson),
    (MessageFate, audit.FateJson),
    (Moved, database.MovedJson),
    (Organised, organising.OrganisedJson),
    (OriginSummary, origins.OriginSummaryJson),
    (OverviewGroup, overview.GroupJson),
    (PrunableFamily, organising.FamilyJson),
    (Pruned, organising.PrunedJson),
    (Redaction, organising.RedactedJson),
    (Saved, organising.SavedSearchJson),
    (Share, audit.ShareJson),
    (StoreSize, overview.StoreSizeJson),
    (Undone, organising.UndoneJson),
]


@pytest.mark.parametrize(("value", "document"), PAIRS, ids=lambda one: one.__name__)
def test_a_field_of_a_value_is_in_its_document(value: type[Any], document: type[Any]) -> None:
    told = {field.name for field in msgspec.structs.fields(document)}
    assert {field.name for field in fields(value)} - told == LEFT_OUT.get(value, set())
