"""`import`, `sync` and `origins`: bring agents' databases into the store and keep them up to date."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hermes_sessions.cli.terminal.options import jobs_option, json_option, open_store, store_option
from hermes_sessions.cli.terminal.output import (
    clean,
    complain,
    counted,
    print_json,
    print_table,
    progress_bar,
    say,
)
from hermes_sessions.cli.terminal.questions import require_yes
from hermes_sessions.errors import SourceError, StoreMissingError
from hermes_sessions.exporters.compaction_words import realisation_words
from hermes_sessions.settings import Settings

if TYPE_CHECKING:
    from hermes_sessions.agents.contract import Found
    from hermes_sessions.operations.imports.import_origin import ImportOptions
    from hermes_sessions.operations.imports.import_report import ImportReport
    from hermes_sessions.operations.imports.sync import SyncOutcome

_STEPS = {"messages": "Importing messages"}
_OF_AGENTS = "with what agents have on this machine"
_SHOWN_LINES = 20
_LINE_CHARS = 300


@click.command("import")
@click.argument("paths", nargs=-1, type=click.Path(readable=False, path_type=Path), metavar="[PATH]...")
@click.option("--full", is_flag=True, help="Read everything again, including what has not changed.")
@click.option("--label", help="Name of the origin; by default its profile or folder.")
@jobs_option
@store_option
@json_option
def import_(
    paths: tuple[Path, ...], full: bool, label: str | None, jobs: int, url: str, as_json: bool
) -> None:
    """Import agents' conversations: each PATH a database, a folder with one, or an export of ours.

    Without PATH the usual places of every known agent are searched, but for origins that
    are paused. The files are only read. Importing again brings the store up to date; what
    the agent deleted stays here.

    Exit code 1 when rows could not be taken or a file is damaged, 2 when nothing could be
    imported, also where all that was found is paused or empty.
    """
    from hermes_sessions.operations.imports.sync import switched_on, sync_paths

    found = [] if paths else discover_conversations()
    if label is not None and len(paths or found) > 1:
        raise click.UsageError("--label names one origin; give one PATH with it")
    with open_store(url, create=True) as database, progress_bar(_STEPS) as tell:
        chosen = list(paths) or [one.path for one in switched_on(database, found)]
        if not chosen:
            raise SourceError(
                "nothing to import: what agents have here is paused, or has no conversation yet"
            )
        outcomes = sync_paths(database, chosen, _options(tell, full=full, label=label, jobs=jobs))
    _conclude(outcomes, as_json=as_json, alone=len(chosen) == 1)


@click.command()
@click.option("--full", is_flag=True, help="Check every session, including those that have not changed.")
@click.option(
    "--discover/--no-discover",
    "is_discovering",
    default=None,
    help="Also import what agents have in their usual places.  [default: unless the store is on a server]",
)
@jobs_option
@store_option
@json_option
def sync(full: bool, is_discovering: bool | None, jobs: int, url: str, as_json: bool) -> None:
    """Bring every origin in the store up to date, and find agents in their usual places.

    A store on a server gets only what was imported into it before: what else is on this
    machine is added with --discover.

    Paused origins are left out: `hermes-sessions origins pause LABEL`. An origin that is as
    it was has one line; --full reads it again and lists all that is odd in it.

    Exit code 1 when rows of what was read could not be taken, a file of it is damaged, or an
    origin could not be read; 2 when none could.
    """
    from hermes_sessions.agents.registry import discover
    from hermes_sessions.operations.imports.sync import sync_origins, unread_origins

    settings = Settings.from_environ()
    wanted = is_private(url) if is_discovering is None else is_discovering
    found = discover(settings.home, settings.variables) if wanted else []
    looked = f"{nothing_found(settings)}; " if wanted and not found else ""
    try:
        opened = open_store(url, create=bool(found))
    except StoreMissingError as error:
        more = "" if wanted else f", and so does `sync --discover` {_OF_AGENTS}"
        raise StoreMissingError(f"{looked}{error}{more}") from error
    with opened as database, progress_bar(_STEPS) as tell:
        outcomes = sync_origins(database, _options(tell, full=full, label=None, jobs=jobs), found)
        unread = unread_origins(database)
    for origin, kind in unread:
        complain(f"{origin}: nothing installed here reads {kind!r}; install the package of that agent")
    if not outcomes and not unread and not as_json:
        more = "" if wanted else f", and so does `sync --discover` {_OF_AGENTS}"
        say(f"{looked}no origin to sync; `hermes-sessions import PATH` adds one{more}")
        return
    _conclude(outcomes, as_json=as_json, alone=False, brief=True)
    if unread:
        raise click.exceptions.Exit(1)


def is_private(url: str) -> bool:
    """Whether *url* is a file; one on a server is a team's, and what is here may be none of its business."""
    from hermes_sessions.store.engines.store_place import find_place

    return find_place(url).path is not None


def discover_conversations() -> "list[Found]":
    """Return what agents have in their usual places.

    Raises:
        SourceError: there is nothing; the line names the places.
    """
    from hermes_sessions.agents.registry import discover

    settings = Settings.from_environ()
    found = discover(settings.home, settings.variables)
    if not found:
        raise SourceError(f"{nothing_found(settings)}; name one: hermes-sessions import PATH")
    return found


def nothing_found(settings: Settings) -> str:
    """Return a sentence that names the places in which no agent has conversations."""
    return f"no agent's conversations found in {', '.join(watched_places(settings)) or 'any known place'}"


def watched_places(settings: Settings) -> list[str]:
    """Return the folders in which agents' conversations are looked for, none inside another one."""
    from hermes_sessions.agents.registry import discovery_folders

    folders = discovery_folders(settings.home, settings.variables)
    return [str(one) for one in folders if not any(parent in folders for parent in one.parents)]


def _options(tell: Any, *, full: bool, label: str | None, jobs: int) -> "ImportOptions":
    from hermes_sessions.agents.registry import discover
    from hermes_sessions.operations.imports.import_origin import ImportOptions

    settings = Settings.from_environ()
    labels = {one.path: one.label for one in discover(settings.home, settings.variables)}
    return ImportOptions(clock=time.time, full=full, label=label, labels=labels, progress=tell, jobs=jobs)


# -- what it says ----------------------------------------------------------------------------------


def _conclude(outcomes: "Sequence[SyncOutcome]", *, as_json: bool, alone: bool, brief: bool = False) -> None:
    """Print what became of each database and leave with the exit code of the whole.

    Args:
        brief: what an earlier run said of an origin that is as it was is not said again.
    """
    from hermes_sessions.operations.documents.document import shaped
    from hermes_sessions.operations.documents.origins import ImportJson, ImportListJson

    reports = [one.report for one in outcomes if one.report is not None]
    for outcome in outcomes:
        if outcome.error is not None:
            complain(outcome.error)
    for why in {report.unscrubbed for report in reports if report.unscrubbed}:
        complain(f"masked or erased text is still in the store's file: {why}")
    if as_json and reports:
        documents = [shaped(report, ImportJson) for report in reports]
        print_json(documents[0] if alone else ImportListJson(imports=documents))
    elif not as_json:
        for report in reports:
            _print_report(report, brief=brief)
    if outcomes and not reports:
        raise click.exceptions.Exit(2)
    told_before = [report for report in reports if brief and report.unchanged and not report.unscrubbed]
    if len(reports) < len(outcomes) or any(
        report.needs_a_look for report in reports if report not in told_before
    ):
        raise click.exceptions.Exit(1)


def _print_report(report: "ImportReport", *, brief: bool) -> None:
    if report.unchanged and report.copy:
        say(f"{report.origin}: {report.location} is a copy of it and holds nothing new")
    elif report.unchanged:
        say(f"{report.origin}: nothing changed since the last import ({report.location})")
    else:
        say(f"{report.origin}: imported {report.location}{_release(report.schema_version)}")
    if report.reread:
        say("  all of it was read again: an older release had read it in another way")
    if brief and report.unchanged:
        return
    say(f"  {', '.join(_counts(report))}; {report.seconds:.2f} seconds")
    _print_some("damage", report.damage)
    _print_some("not taken", [f"{one['table']} {one['id']}: {one['reason']}" for one in report.rejected])
    _print_some("kept raw", [_warning_line(one) for one in report.warnings if one["column"]])
    _print_some("note", [_warning_line(one) for one in report.warnings if not one["column"]])


def _release(version: str) -> str:
    """Return the version of a database's schema in words; files of lines have none that says anything."""
    return f" (schema version {version})" if version[:1].isdigit() else ""


def _counts(report: "ImportReport") -> Iterator[str]:
    """Yield what an import counted; what there is none of is left out, but for the first three."""
    yield counted(report.conversations, "conversation")
    yield counted(report.sessions, "session")
    yield counted(report.messages, "message") + (f" ({report.copies:,} copies)" if report.copies else "")
    for kind, count in report.compactions.items():
        if count:
            how = realisation_words(kind).replace("_", " ") or "of no kind"
            yield f"{counted(count, 'compaction')} {how}"
    if report.prunes:
        yield counted(report.prunes, "prune")
    if report.forgotten:
        yield f"{counted(report.forgotten, 'session')} forgotten here, not taken"


def _warning_line(one: Any) -> str:
    column = f" {one['column']}" if one["column"] else ""
    return f"{one['table']} {one['id']}{column}: {one['reason']}"


def _print_some(title: str, lines: Sequence[str]) -> None:
    for line in lines[:_SHOWN_LINES]:
        say(f"{title}: {line if len(line) <= _LINE_CHARS else line[:_LINE_CHARS] + '…'}")
    if len(lines) > _SHOWN_LINES:
        say(f"{title}: and {len(lines) - _SHOWN_LINES} more; --json lists them")


# -- origins ---------------------------------------------------------------------------------------


@click.group()
def origins() -> None:
    """List, rename, move, pause and remove origins."""


@origins.command("list")
@store_option
@json_option
def list_(url: str, as_json: bool) -> None:
    """List where conversations came from, with the last sync and its error."""
    from hermes_sessions.operations.documents.document import shaped
    from hermes_sessions.operations.documents.origins import OriginSummaryJson, OriginSummaryListJson
    from hermes_sessions.operations.writing.origins import list_origins

    with open_store(url) as database:
        found = list_origins(database)
    if as_json:
        print_json(OriginSummaryListJson(origins=[shaped(one, OriginSummaryJson) for one in found]))
        return
    print_table(
        ("label", "kind", "sessions", "conversations", "last sync", "state", "location"),
        [
            (
                one.label,
                one.kind,
                one.sessions,
                one.conversations,
                _when(one.last_synced_at),
                one.last_error or ("paused" if one.paused else "ok"),
                one.location,
            )
            for one in found
        ],
    )


@origins.command()
@click.argument("label")
@click.argument("new")
@store_option
@json_option
def rename(label: str, new: str, url: str, as_json: bool) -> None:
    """Rename origin LABEL to NEW."""
    from hermes_sessions.operations.documents.origins import OriginRenamedJson
    from hermes_sessions.operations.writing.origins import rename_origin

    with open_store(url) as database:
        rename_origin(database, label, new)
    if as_json:
        print_json(OriginRenamedJson(origin=new, was=label))
        return
    say(f"{label} is called {new} now")


@origins.command()
@click.argument("label")
@click.argument("path", type=click.Path(readable=False, path_type=Path))
@store_option
@json_option
def move(label: str, path: Path, url: str, as_json: bool) -> None:
    """Set PATH as the new place of origin LABEL's database."""
    from hermes_sessions.operations.documents.origins import OriginMovedJson
    from hermes_sessions.operations.imports.locate_origin import locate_followed
    from hermes_sessions.operations.writing.origins import move_origin

    located = locate_followed(path)
    with open_store(url) as database:
        move_origin(database, label, located)
    if as_json:
        print_json(OriginMovedJson(origin=label, location=str(located)))
        return
    say(f"{label} is at {located} now")


@origins.command()
@click.argument("label")
@store_option
@json_option
def pause(label: str, url: str, as_json: bool) -> None:
    """Pause origin LABEL: syncs skip it."""
    _set_paused(url, label, as_json, paused=True)


@origins.command()
@click.argument("label")
@store_option
@json_option
def resume(label: str, url: str, as_json: bool) -> None:
    """Resume origin LABEL: syncs include it again."""
    _set_paused(url, label, as_json, paused=False)


@origins.command()
@click.argument("label")
@click.option("--yes", is_flag=True, help="Do not ask.")
@store_option
@json_option
def remove(label: str, yes: bool, url: str, as_json: bool) -> None:
    """Remove origin LABEL and everything imported from it; its own file is not touched.

    A place in which agents are looked for is imported again by the next import, sync or
    serve that looks there: pause such an origin instead.
    """
    from hermes_sessions.operations.documents.origins import OriginRemovedJson
    from hermes_sessions.operations.writing.origins import get_origin, remove_origin

    with open_store(url) as database:
        with database.read() as db:
            location = get_origin(db, label).location
        if location is not None and _is_usual_place(Path(location)):
            complain(
                f"{label}: agents are looked for in {location}, so that the next sync may bring it back;"
                " `hermes-sessions origins pause` keeps it away"
            )
        if not yes:
            require_yes(f"Remove {clean(label)} and all its conversations from this store?")
        removed = remove_origin(database, label)
    if as_json:
        print_json(OriginRemovedJson(origin=label, sessions=removed))
        return
    say(f"removed {label}: {removed} sessions")


def _is_usual_place(path: Path) -> bool:
    """Whether an agent's conversations are found there without being named."""
    from hermes_sessions.agents.registry import discover

    settings = Settings.from_environ()
    return path.resolve() in [one.path.resolve() for one in discover(settings.home, settings.variables)]


def _set_paused(url: str, label: str, as_json: bool, *, paused: bool) -> None:
    from hermes_sessions.operations.documents.origins import OriginPausedJson
    from hermes_sessions.operations.writing.origins import pause_origin

    with open_store(url) as database:
        pause_origin(database, label, paused=paused)
    if as_json:
        print_json(OriginPausedJson(origin=label, paused=paused))
        return
    say(f"{label} is {'paused' if paused else 'synced again'}")


def _when(at: float | None) -> str:
    return "never" if at is None else time.strftime("%Y-%m-%d %H:%M", time.localtime(at))
