"""The real agent, of a version, in an environment of its own under the user's cache."""

import fcntl
import os
import subprocess
import venv
from pathlib import Path

import platformdirs
import pytest

VERSIONS = ("0.19.0", "0.18.0")
INSTALL_SECONDS = 400


def demanded_python(version: str) -> Path:
    """Return the Python of that version where it is asked for; it may have to be installed first."""
    if "hermes-agent" not in os.environ.get("HERMES_SESSIONS_DEMAND", "").split(","):
        pytest.skip("not asked for: HERMES_SESSIONS_DEMAND does not name hermes-agent")
    return agent_python(version)


def agent_python(version: str) -> Path:
    """Return the Python of an environment with that version, made where it is not there yet.

    Raises:
        RuntimeError: the package index does not give it.
    """
    cache = Path(platformdirs.user_cache_dir("hermes-sessions-tests", appauthor=False))
    cache.mkdir(parents=True, exist_ok=True)
    folder = cache / f"hermes-agent-{version}"
    python, done = folder / "bin" / "python", folder / "complete"
    with (cache / f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            venv.create(folder, with_pip=True, clear=True)
            command = [str(python), "-m", "pip", "install", "--quiet", f"hermes-agent=={version}"]
            try:
                subprocess.run(command, capture_output=True, text=True, check=True, timeout=INSTALL_SECONDS)
            except subprocess.SubprocessError as error:
                told = str(getattr(error, "stderr", "") or error)[-400:]
                raise RuntimeError(f"the package index gives no hermes-agent {version}: {told}") from error
            done.touch()
    return python
