"""What the environment decides; nothing else reads os.environ."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

APP_NAME = "hermes-sessions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where things are and how they may look, unless an option says otherwise.

    Attributes:
        database: URL or path of the store.
        home: the user's home folder, in which agents have their usual places.
        variables: the environment itself, for the variables by which an agent names other places.
        plain: print without colours.
        token: access token of the viewer, where one was chosen beforehand.
        api_key: key of the model that summarises.
        polling: look for changes of agents' databases from time to time, never wait to be told.
        jobs: how many processes an import may use; None where nothing is chosen.
    """

    database: str
    home: Path
    variables: Mapping[str, str] = field(repr=False)
    plain: bool = False
    token: str | None = field(default=None, repr=False)
    api_key: str | None = field(default=None, repr=False)
    polling: bool = False
    jobs: str | None = None

    @classmethod
    def from_environ(cls, environ: Mapping[str, str] | None = None) -> "Settings":
        """Read the settings from *environ*, by default the process's own.

        An empty variable counts as one that is not set.
        """
        env = os.environ if environ is None else environ
        return cls(
            database=env.get("HERMES_SESSIONS_DB") or str(default_store()),
            home=Path("~").expanduser(),
            variables=dict(env),
            plain=bool(env.get("NO_COLOR")) or env.get("TERM") == "dumb",
            token=env.get("HERMES_SESSIONS_TOKEN") or None,
            polling=bool(env.get("HERMES_SESSIONS_POLL")),
            jobs=env.get("HERMES_SESSIONS_JOBS") or None,
            api_key=env.get("HERMES_SESSIONS_API_KEY") or env.get("OPENAI_API_KEY") or None,
        )


def default_store() -> Path:
    """Return the store's path in the user's data folder; it need not exist."""
    return Path(platformdirs.user_data_dir(APP_NAME, appauthor=False)) / "store.db"
