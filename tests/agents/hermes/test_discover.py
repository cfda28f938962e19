import os

from hermes_sessions.agents.contract import Found
from hermes_sessions.agents.hermes.discover import discover_databases


def touch(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"")
    return path


def test_finds_the_default_home_and_every_profile(tmp_path):
    default = touch(tmp_path / ".hermes" / "state.db")
    work = touch(tmp_path / ".hermes" / "profiles" / "work" / "state.db")
    home = touch(tmp_path / ".hermes" / "profiles" / "home" / "state.db")
    assert discover_databases(tmp_path) == (
        Found(default, "hermes"),
        Found(home, "home"),
        Found(work, "work"),
    )


def test_the_chosen_home_comes_first(tmp_path):
    default = touch(tmp_path / ".hermes" / "state.db")
    chosen = touch(tmp_path / "lab" / "state.db")
    found = discover_databases(tmp_path, tmp_path / "lab")
    assert [(one.path, one.label) for one in found] == [(chosen, "lab"), (default, "hermes")]


def test_a_chosen_profile_is_found_once(tmp_path):
    profile = touch(tmp_path / ".hermes" / "profiles" / "work" / "state.db")
    found = discover_databases(tmp_path, profile.parent)
    assert found == (Found(profile, "work"),)


def test_two_names_of_one_file_are_one_database(tmp_path):
    real = touch(tmp_path / "elsewhere" / "state.db")
    (tmp_path / ".hermes" / "profiles" / "linked").mkdir(parents=True)
    (tmp_path / ".hermes" / "state.db").symlink_to(real)
    (tmp_path / ".hermes" / "profiles" / "linked" / "state.db").symlink_to(real)
    assert discover_databases(tmp_path) == (Found(real, "hermes"),)


def test_two_places_never_share_a_label(tmp_path):
    touch(tmp_path / "work" / "state.db")
    touch(tmp_path / ".hermes" / "profiles" / "work" / "state.db")
    found = discover_databases(tmp_path, tmp_path / "work")
    assert [one.label for one in found] == ["work", "work-2"]


def test_nothing_installed_gives_nothing(tmp_path):
    assert discover_databases(tmp_path, tmp_path / "missing") == ()


def test_dangling_links_and_folders_named_like_a_database_are_passed_over(tmp_path):
    (tmp_path / ".hermes" / "state.db").mkdir(parents=True)
    (tmp_path / ".hermes" / "profiles" / "gone").mkdir(parents=True)
    os.symlink(tmp_path / "nowhere", tmp_path / ".hermes" / "profiles" / "gone" / "state.db")
    assert discover_databases(tmp_path) == ()
