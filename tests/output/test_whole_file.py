import os
import stat

import pytest

from hermes_sessions.errors import ExportError
from hermes_sessions.exporters.files import write_text
from hermes_sessions.output import whole_file


def test_a_file_appears_whole_and_for_its_owner_alone(tmp_path):
    target = tmp_path / "talk.md"
    with whole_file(target, force=False) as part:
        assert write_text(part, ["héllo", "\ud800"]) == 7
        assert not target.exists()
    assert target.read_bytes() == "héllo?".encode()
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert os.listdir(tmp_path) == ["talk.md"]


def test_an_error_on_the_way_leaves_nothing(tmp_path):
    def pieces():
        yield "half"
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"), whole_file(tmp_path / "talk.md", force=False) as part:
        write_text(part, pieces())
    assert os.listdir(tmp_path) == []


def test_what_is_there_is_kept_unless_forced(tmp_path):
    target = tmp_path / "talk.md"
    target.write_text("mine")
    with (
        pytest.raises(ExportError, match=r"talk\.md: is there already; --force"),
        whole_file(target, force=False),
    ):
        pytest.fail("nothing may be written")
    with whole_file(target, force=True) as part:
        part.write_text("new")
    assert target.read_text() == "new"


def test_a_file_that_came_meanwhile_is_kept(tmp_path):
    target = tmp_path / "talk.md"
    with pytest.raises(ExportError, match="is there already"), whole_file(target, force=False):
        target.write_text("somebody else's")
    assert target.read_text() == "somebody else's"
    assert os.listdir(tmp_path) == ["talk.md"]


def test_a_link_to_nowhere_is_not_followed(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ExportError), whole_file(tmp_path / "link", force=False):
        pytest.fail("nothing may be written")


@pytest.mark.parametrize("target", ["", "no/such/folder/talk.md"])
def test_where_nothing_can_be_written_it_says_so(tmp_path, target):
    with pytest.raises(ExportError), whole_file(tmp_path / target, force=False):
        pytest.fail("nothing may be written")


def test_a_file_that_is_replaced_keeps_its_mode_and_links(tmp_path):
    (tmp_path / "talk.md").write_text("old")
    os.chmod(tmp_path / "talk.md", 0o640)
    (tmp_path / "near").symlink_to("talk.md")
    (tmp_path / "far").symlink_to("near")
    with whole_file(tmp_path / "far", force=True) as part:
        part.write_text("new")
    assert (os.readlink(tmp_path / "far"), os.readlink(tmp_path / "near")) == ("near", "talk.md")
    assert (tmp_path / "talk.md").read_text() == "new"
    assert stat.S_IMODE((tmp_path / "talk.md").stat().st_mode) == 0o640


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file away")
def test_a_file_that_is_replaced_keeps_its_owner_and_loses_setuid(tmp_path):
    target = tmp_path / "talk.md"
    target.write_text("old")
    os.chown(target, 1234, 2345)
    os.chmod(target, 0o4755)
    with whole_file(target, force=True) as part:
        part.write_text("new")
    held = target.stat()
    assert (held.st_uid, held.st_gid, stat.S_IMODE(held.st_mode)) == (1234, 2345, 0o755)


def test_a_link_to_nowhere_makes_its_file_when_forced(tmp_path):
    (tmp_path / "link").symlink_to("talk.md")
    with whole_file(tmp_path / "link", force=True) as part:
        part.write_text("new")
    assert os.readlink(tmp_path / "link") == "talk.md"
    assert (tmp_path / "talk.md").read_text() == "new"


@pytest.mark.parametrize("shape", ["fifo", "folder", "link"])
def test_what_took_the_place_meanwhile_is_kept(tmp_path, shape):
    target = tmp_path / "talk.md"
    make = {"fifo": os.mkfifo, "folder": os.mkdir, "link": lambda path: path.symlink_to("elsewhere")}
    with pytest.raises(ExportError, match=r"talk\.md"), whole_file(target, force=True):
        make[shape](target)
    assert not stat.S_ISREG(target.lstat().st_mode)
    assert os.listdir(tmp_path) == ["talk.md"]


def test_a_loop_of_links_is_one_line(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    with (
        pytest.raises(ExportError, match="loop: cannot be written: Too many"),
        whole_file(tmp_path / "loop", force=True),
    ):
        pytest.fail("nothing may be written")


def test_an_error_about_another_file_keeps_its_name(tmp_path):
    with pytest.raises(FileNotFoundError, match="elsewhere"), whole_file(tmp_path / "talk.md", force=False):
        (tmp_path / "elsewhere").read_text()


def test_a_name_as_long_as_names_may_be_is_no_matter(tmp_path):
    target = tmp_path / ("🙂" * 63)
    with whole_file(target, force=False) as part:
        part.write_text("new")
    assert target.read_text() == "new"
