"""Which document answers what, and the JSON Schemas of documents."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from hermes_sessions.operations.documents import (
    audit,
    compactions,
    conversations,
    database,
    exports,
    findings,
    following,
    lineage,
    messages,
    organising,
    origins,
    overview,
    search_results,
)
from hermes_sessions.operations.documents.document import Document

ANSWERS: Final[tuple[type[Document], ...]] = (
    conversations.ConversationPageJson,
    conversations.ConversationDocumentJson,
    messages.MessageWindowJson,
    messages.MessageDocumentJson,
    messages.SystemPromptJson,
    lineage.LineageJson,
    compactions.CompactionPageJson,
    audit.CompactionAuditJson,
    findings.FindingPageJson,
    messages.SeenJson,
    audit.ContextJson,
    conversations.ContentsJson,
    search_results.SearchPageJson,
    overview.OverviewJson,
    origins.OriginListJson,
    origins.SyncJson,
    following.ChangesJson,
    following.HealthJson,
    following.ProblemJson,
    organising.OrganisedJson,
    organising.UndoneJson,
    organising.ChangeListJson,
    organising.SavedListJson,
    organising.SavedChangeJson,
)
"""What `/api` answers as a whole; the parts of these are found."""

COMMANDS: Final[Mapping[str, type[Document]]] = {
    "list": conversations.ConversationPageJson,
    "show": messages.MessageWindowJson,
    "lineage": lineage.LineageJson,
    "compactions": compactions.CompactionPageJson,
    "search": search_results.SearchPageJson,
    "audit": audit.AuditJson,
    "seen": messages.SeenJson,
    "import": origins.ImportJson,
    "sync": origins.ImportListJson,
    "origins list": origins.OriginSummaryListJson,
    "origins rename": origins.OriginRenamedJson,
    "origins move": origins.OriginMovedJson,
    "origins pause": origins.OriginPausedJson,
    "origins resume": origins.OriginPausedJson,
    "origins remove": origins.OriginRemovedJson,
    "compact": compactions.CompactedJson,
    "compact --preview": compactions.CompactionPreviewJson,
    "compact --undo": compactions.CompactionUndoneJson,
    "pin": organising.OrganisedJson,
    "archive": organising.OrganisedJson,
    "tag": organising.OrganisedJson,
    "note TEXT": organising.OrganisedJson,
    "note": organising.NoteJson,
    "undo": organising.UndoneJson,
    "undo --list": organising.ChangeListJson,
    "saved list": organising.SavedListJson,
    "saved add": organising.SavedNameJson,
    "saved remove": organising.SavedNameJson,
    "prune": organising.PruneJson,
    "trash list": organising.TrashJson,
    "restore": organising.OrganisedJson,
    "trash empty": organising.ForgottenJson,
    "forget": organising.ForgottenJson,
    "remember": organising.RememberedJson,
    "redact": organising.RedactedJson,
    "redact --undo": organising.UndoneJson,
    "export": exports.ExportedConversationJson,
    "export --format AGENT": exports.ExportedDatabaseJson,
    "db upgrade": database.UpgradedJson,
    "db current": database.SchemaStateJson,
    "db check": database.CheckedJson,
    "db backup": database.BackedUpJson,
    "db move": database.MovedJson,
    "db stores list": database.StoreListJson,
    "db stores make": database.StoreMadeJson,
    "db stores drop": database.StoreDroppedJson,
}
"""What commands print with `--json`; `import` of several paths prints what `sync` does."""

_PLACE = "#/components/schemas/"


def document_schemas(documents: Iterable[type[Document]]) -> dict[str, Any]:
    """Return the schemas of documents and of their parts, by their names without `Json`."""
    _, found = msgspec.json.schema_components(documents, ref_template=_PLACE + "{name}")
    return {_name(name): _named(schema) for name, schema in found.items()}


def _named(value: Any) -> Any:
    """Return a schema without titles, its references to the names that are used there."""
    if isinstance(value, list):
        return [_named(one) for one in value]
    if not isinstance(value, dict):
        return value
    kept = {name: _named(one) for name, one in value.items() if name != "title" or isinstance(one, dict)}
    return {**kept, "$ref": _PLACE + _name(kept["$ref"])} if "$ref" in kept else kept


def _name(text: str) -> str:
    return text.removeprefix(_PLACE).removesuffix("Json")
