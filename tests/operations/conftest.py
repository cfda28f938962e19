"""Bring small databases into a store and look at what came out."""

import pytest

from tests.operations.imports.scene import Scene


@pytest.fixture
def scene(tmp_path, database):
    """Databases of the test's own, imported into a store of its own."""
    return Scene(tmp_path, database)
