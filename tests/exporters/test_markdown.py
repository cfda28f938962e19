from hermes_sessions.exporters.markdown import render_markdown
from hermes_sessions.exporters.masking import ExportMasker
from hermes_sessions.exporters.readable_entries import (
    CompactionLine,
    ExportedCall,
    ExportedHandoff,
    Heading,
    Note,
    Picture,
    Speech,
)

KEY = "sk-ant-" + "api03-" + "A1b2" * 10
HEADING = Heading(
    id="a_b",
    title="Move *everything*",
    preview=None,
    source="cli",
    model="m",
    started_at=1_780_000_000.0,
    last_active_at=None,
    messages=2,
    sessions=1,
    compactions=0,
)


def write(*entries, masker=None):
    return "".join(render_markdown(HEADING, entries, masker or ExportMasker()))


def said(text, role="user", **more):
    return Speech(key=1, role=role, at=1_780_000_000.0, text=text, **more)


def test_what_was_said_stands_under_its_speaker():
    lines = write(said("Hello **you**")).splitlines()
    assert lines[0] == "# Move \\*everything\\*"
    assert lines[lines.index("Hello **you**") - 2].startswith("## You · 2026-")


def test_a_fence_left_open_does_not_swallow_what_follows():
    text = write(said("```python\nx = 1", "assistant"), said("next"))
    assert "```python\nx = 1\n```\n" in text
    assert "\n## You" in text


def test_a_fence_inside_another_is_not_taken_for_its_end():
    text = write(said("````\n```\nstill code", "assistant"))
    assert "still code\n````\n" in text


def test_html_is_escaped_outside_of_code():
    text = write(said("<!-- hidden <img src=x> and `<b>` \n```\n<i>\n```"))
    assert "\\<!-- hidden \\<img src=x> and `<b>`" in text
    assert "\n<i>\n" in text


def test_a_result_with_fences_stays_inside_its_own():
    call = ExportedCall(name="cat", arguments='{"path": "a.md"}', result="````\nhello\n````")
    text = write(said("", "assistant", calls=(call,)))
    assert "`````\n````\nhello\n````\n`````\n" in text
    assert '```json\n{\n  "path": "a.md"\n}\n```' in text


def test_a_handoff_is_quoted_and_named():
    text = write(ExportedHandoff(key=1, at=None, text="## Goal\nMove it.\n\n```\ncode"))
    assert "> **Context handoff** · time unknown\n>\n> ## Goal\n> Move it.\n>\n> ```\n> code\n> ```\n" in text


def test_a_compaction_is_a_line_with_what_is_known():
    line = CompactionLine(
        ordinal=2,
        total=3,
        status="committed",
        realisation="rotation",
        method="fallback",
        at=None,
        span_messages=1,
        span_stored=False,
        tokens_before=None,
        tokens_after=None,
        error=None,
        summary="Kept.",
    )
    text = write(line)
    assert "**Compaction 2 of 3** · time unknown, 1 message summarised, the originals were not stored" in text
    assert "> Kept." in text


def test_remote_images_are_links_and_packed_ones_stay():
    pictures = (
        Picture(url="data:image/png;base64,AAAA", label="image 1"),
        Picture(url="https://pictures.example/a b>.png", label="image 2"),
        Picture(url="javascript:alert(1)", label="image 3"),
    )
    text = write(said("look", pictures=pictures))
    assert "![image 1](data:image/png;base64,AAAA)" in text
    assert "[image 2](<https://pictures.example/ab.png>)" in text
    assert "javascript" not in text


def test_secrets_are_masked_everywhere_and_counted_at_the_end():
    call = ExportedCall(name="login", arguments='{"password": "hunter2000"}', result=f"token {KEY}")
    entries = (
        said(f"my key is {KEY}", reasoning=KEY, calls=(call,)),
        ExportedHandoff(key=2, at=None, text=KEY),
    )
    masker = ExportMasker()
    text = write(*entries, masker=masker)
    assert KEY not in text
    assert "hunter2000" not in text
    assert masker.total == 5
    assert text.endswith(
        "*Secrets masked: 5 (4 anthropic, 1 argument). This is best effort, not a promise.*\n"
    )


def test_without_masking_it_says_so():
    text = write(said(KEY), masker=ExportMasker(active=False))
    assert KEY in text
    assert text.endswith("*Secrets were not masked.*\n")


def test_a_secret_with_a_colour_code_inside_is_masked():
    masker = ExportMasker()
    assert masker.text(f"{KEY[:14]}\x1b[31m{KEY[14:]}") == "[redacted:anthropic]"


def test_notes_and_ids_cannot_make_structure():
    assert "*Branch: \\`x\\` \\*\\*y\\*\\**" in write(Note(text="Branch: `x`\n**y**"))
