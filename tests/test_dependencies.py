"""The oldest versions that may be installed have the fixes of known vulnerabilities."""

import tomllib

import pytest

from hermes_sessions import paths

FIXED_IN = {
    "flask": (3, 1, 1),  # CVE-2025-47278: fallback keys signed in the wrong order
    "jinja2": (3, 1, 6),  # CVE-2025-27516: out of the sandbox by |attr
    "markdown-it-py": (2, 2, 0),  # CVE-2023-26302 and -26303: crashes on crafted text
    "pygments": (2, 15, 1),  # CVE-2022-40896: quadratic lexer
    "waitress": (3, 0, 1),  # CVE-2024-49768 and -49769: request race, busy loop
    "werkzeug": (3, 1, 4),  # CVE-2024-49766, -49767, CVE-2025-66221: safe_join, form memory
}


def oldest() -> dict[str, tuple[int, ...]]:
    text = (paths.templates().parent / "pyproject.toml").read_text("utf-8")
    wanted = tomllib.loads(text)["project"]["dependencies"]
    pairs = (one.split(";")[0].split(",")[0].split(">=") for one in wanted)
    return {name: tuple(int(part) for part in version.split(".")) for name, version in pairs}


@pytest.mark.parametrize("name", sorted(FIXED_IN))
def test_the_oldest_version_has_the_fix(name: str) -> None:
    assert oldest()[name] >= FIXED_IN[name]


def test_every_dependency_has_an_oldest_version() -> None:
    assert len(oldest()) > 10
