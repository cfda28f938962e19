"""Which folders of a tree are watched."""

import os
from pathlib import Path

from hermes_sessions.operations.imports.watch_folders import MOST_BELOW, folders_below


def test_the_folders_that_changed_last_are_watched(tmp_path: Path) -> None:
    for number in range(MOST_BELOW + 50):
        folder = tmp_path / "2026" / f"{number:03}"
        folder.mkdir(parents=True)
        os.utime(folder, (number, number))
    found = folders_below(tmp_path)
    assert len(found) == MOST_BELOW + 1
    assert {tmp_path, tmp_path / "2026", folder} <= {*found}
    assert tmp_path / "2026" / "000" not in found


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "around").symlink_to(tmp_path)
    assert folders_below(tmp_path) == [tmp_path, tmp_path / "inside"]


def test_a_tree_that_is_gone_has_no_folders(tmp_path: Path) -> None:
    assert folders_below(tmp_path / "gone") == [tmp_path / "gone"]
