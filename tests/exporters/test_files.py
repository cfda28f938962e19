import os
import stat

import pytest

from hermes_sessions.errors import ExportError
from hermes_sessions.exporters.files import file_name, whole_file, write_text
from hermes_sessions.exporters.html import inline_style


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


@pytest.mark.parametrize(
    ("public_id", "name"),
    [
        ("20260312_140231_ab12cd", "20260312_140231_ab12cd.html"),
        ("../../etc/passwd", "etc_passwd.html"),
        ("...", "conversation.html"),
        ("ключ/я", "conversation.html"),
        ("a" * 300, "a" * 100 + ".html"),
    ],
)
def test_any_id_makes_a_harmless_file_name(public_id, name):
    assert file_name(public_id, "html") == name


def test_a_style_that_loads_something_is_refused():
    assert inline_style(["a { color: red; }\n\n/* why */"]).css == "a { color: red; }"
    for css in ("a { background: url(x.png) }", "@import 'x'", "</style>"):
        with pytest.raises(ValueError, match="loads nothing"):
            inline_style([css])
