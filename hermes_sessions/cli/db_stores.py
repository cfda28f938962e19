"""`db stores`: the stores of one database on a server, each a schema with a role of its own."""

import secrets
from typing import TYPE_CHECKING

import click

from hermes_sessions.cli.terminal.options import json_option, store_option
from hermes_sessions.cli.terminal.output import print_json, print_table, say
from hermes_sessions.cli.terminal.questions import require_yes
from hermes_sessions.errors import StoreError

if TYPE_CHECKING:
    from hermes_sessions.store.engines.store_place import ServerPlace


@click.group()
def stores() -> None:
    """List, make and drop stores that are schemas of one database."""


@stores.command("list")
@store_option
@json_option
def list_command(url: str, as_json: bool) -> None:
    """List the stores of a database, each with its role, revision and size."""
    from hermes_sessions.operations.documents.database import StoreJson, StoreListJson
    from hermes_sessions.store.engines.server_stores import list_stores
    from hermes_sessions.store.opening.migrate import head_revision

    place = _server(url)
    with place.errors():
        found = list_stores(place.server)
    if as_json:
        listed = [
            StoreJson(
                store=one.schema,
                role=one.role,
                revision=one.revision,
                readable=one.readable,
                size_bytes=one.size_bytes,
            )
            for one in found
        ]
        print_json(StoreListJson(path=place.name, head=head_revision(), stores=listed))
        return
    if not found:
        say(f"{place.name}: no stores yet; `hermes-sessions db stores make NAME` makes one")
        return
    rows = [
        (
            one.schema,
            one.role,
            one.revision or ("being filled" if one.readable else "may not be read"),
            one.size_bytes,
        )
        for one in found
    ]
    print_table(("store", "role", "revision", "bytes"), rows)


@stores.command()
@click.argument("name")
@click.option("--role", metavar="ROLE", help="The role to make and to give it to.  [default: NAME]")
@click.option("--reader", metavar="ROLE", help="Let this role, which is there, read it as well.")
@click.option("--password", "with_password", is_flag=True, help="Make up a password and print it, once.")
@store_option
@json_option
def make(
    url: str, name: str, role: str | None, reader: str | None, with_password: bool, as_json: bool
) -> None:
    """Make the store NAME: a schema, and a role that can use this schema alone.

    Needs a user that may create roles and schemas.
    """
    from hermes_sessions.operations.documents.database import StoreMadeJson
    from hermes_sessions.store.opening.make_store import NewStore, make_store

    secret = secrets.token_urlsafe(24) if with_password else None
    wanted = NewStore(schema=name, role=role, password=secret, reader=reader)
    made = make_store(_server(url).server, wanted)
    if as_json:
        print_json(
            StoreMadeJson(path=made.name, store=name, role=wanted.owner, reader=reader, password=secret)
        )
        return
    say(f"{made.name}: made")
    if secret is not None:
        say(f"password: {secret}")


@stores.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@store_option
@json_option
def drop(url: str, name: str, yes: bool, as_json: bool) -> None:
    """Drop the store NAME with everything in it, and its role. Nothing brings it back but a backup."""
    from hermes_sessions.operations.documents.database import StoreDroppedJson
    from hermes_sessions.store.engines.server_stores import drop_store

    place = _server(url)
    if not yes:
        require_yes(f"Drop the store {name} of {place.name} with everything in it?")
    with place.errors():
        left = drop_store(place.server, name)
    if as_json:
        print_json(StoreDroppedJson(path=place.name, store=name, role_left=left))
        return
    say(f"{place.name}: the store {name} was dropped" + (f"; its role stays: {left}" if left else ""))


def _server(url: str) -> "ServerPlace":
    """Return the database of a URL.

    Raises:
        StoreError: the store is a file, or the URL names one of the stores.
    """
    from hermes_sessions.store.engines.store_place import ServerPlace, find_place

    place = find_place(url)
    if not isinstance(place, ServerPlace):
        raise StoreError(f"{place.name}: is a file; several stores are schemas of a server's database")
    if place.server.schema is not None:
        raise StoreError(f"{place.name}: names one store; leave ?schema= out")
    return place
