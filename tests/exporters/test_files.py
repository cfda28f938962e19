import pytest

from hermes_sessions.exporters.files import file_name
from hermes_sessions.exporters.html import inline_style


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
