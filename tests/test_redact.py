"""Masking secrets: known forms, unknown prefixes, arguments, and hostile input."""

import json
import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_sessions.redact import redact, redact_arguments
from hermes_sessions.redact.rules import WordIndex, rule
from tests.stopwatch import assert_growth

_random = random.Random(11)


def _key(length: int, alphabet: str = string.ascii_letters + string.digits) -> str:
    return "".join(_random.choices(alphabet, k=length - 4)) + "a1B2"


# Put together at run time, so that no scanner takes this file for a leak.
SECRETS = {
    "anthropic": "sk-ant-api03-" + _key(60),
    "openai": "sk-proj-" + _key(48),
    "openai old": "sk-" + _key(48),
    "github": "ghp_" + _key(36),
    "github fine-grained": "github_pat_" + _key(60),
    "gitlab": "glpat-" + _key(20),
    "aws": "AKIA" + "IOSFODNN7EXAMPLQ",
    "slack": "xoxb-" + "123456789012-" + _key(24),
    "google": "AIza" + _key(35),
    "google oauth": "GOCSPX-" + _key(28),
    "stripe": "sk_live_" + _key(24),
    "huggingface": "hf_" + _key(34),
    "pypi": "pypi-" + _key(60),
    "npm": "npm_" + _key(36),
    "telegram": "123456789:AA" + _key(33),
    "sendgrid": f"SG.{_key(22)}.{_key(43)}",
    "jwt": f"eyJ{_key(20)}.eyJ{_key(40)}.{_key(43)}",
    "unknown prefix": "acme_live_" + _key(40),
    "private key": "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n"
    + _key(600)
    + "\n-----END RSA PRIVATE KEY-----",
    "openssh key without end": "-----BEGIN OPENSSH PRIVATE KEY-----\n" + _key(400),
}
IN_CONTEXT = {
    "bearer": ("Authorization: Bearer {}", _key(40)),
    "api key header": ("X-Api-Key: {}", _key(32)),
    "cookie": ("Cookie: session={}", _key(40)),
    "curl login": ("curl -s -u admin:{} https://example.com", _key(12)),
    "url": ("postgresql://app:{}@db.example.com/app", _key(14)),
    "environment": ("export OPENWEATHER_API_KEY={}", _key(32)),
    "assignment": ('client_secret = "{}"', _key(24)),
    "json": ('{{"access_token": "{}"}}', _key(40)),
    "password": ("DB_PASSWORD={}", "hunter2!x"),
    "password in yaml": ("password: {}", "correct-h0rse"),
    "slack hook": ("https://hooks.slack.com/services/{}", "T00000000/B00000000/" + _key(24)),
}
HARMLESS = [
    "the token count is 12345 and the secret of success is patience",
    "def check(password: str, token: str = '') -> bool:",
    "password = getpass.getpass()",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b in src/app/main.py",
    "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "550e8400-e29b-41d4-a716-446655440000",
    "https://example.com/a/b?c=d#e and user@example.com",
    "max_tokens=4096, tail_tokens: 20000",
    "api_key = os.environ['API_KEY']",
    "test_compaction_never_splits_tool_pairs_in_long_transcripts",
]


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_of_a_known_form_is_masked(name: str) -> None:
    found = redact(f"the value is {SECRETS[name]} so keep it")
    assert SECRETS[name] not in found.text
    assert "a1B2" not in found.text
    assert found.text.startswith("the value is [redacted:")
    assert sum(found.counts.values()) == 1


@pytest.mark.parametrize("form", ["密钥是{}请保存", "パスワードは{}です", "값{}입니다", "ключ{}ы"])
@pytest.mark.parametrize("name", [name for name in SECRETS if "without end" not in name])
def test_a_secret_needs_no_blank_beside_other_scripts(name: str, form: str) -> None:
    found = redact(form.format(SECRETS[name]))
    assert SECRETS[name] not in found.text
    assert found.text == form.format(f"[redacted:{next(iter(found.counts))}]")


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("password：hunter2!x，谢谢", "password：[redacted:password]，谢谢"),
        ("数据库密码：hunter2!x。", "数据库密码：[redacted:password]。"),
        ("パスワード＝hunter2!x です", "パスワード＝[redacted:password] です"),
        ("비밀번호: hunter2!x", "비밀번호: [redacted:password]"),
        ("API密钥：abcd1234efgh5678，请", "API密钥：[redacted:assignment]，请"),
        ("密码：用户需要在2024年之前修改", None),
        ("令牌：请在登录后的第2步填写", None),
    ],
)
def test_passwords_and_keys_are_known_by_their_names_in_other_scripts(text: str, masked: str | None) -> None:
    assert redact(text).text == (masked or text)


@pytest.mark.parametrize("name", IN_CONTEXT)
def test_a_secret_is_known_by_what_stands_before_it(name: str) -> None:
    form, secret = IN_CONTEXT[name]
    found = redact(form.format(secret))
    assert secret not in found.text
    assert "[redacted:" in found.text


@pytest.mark.parametrize("text", HARMLESS)
def test_harmless_text_is_left_alone(text: str) -> None:
    assert redact(text).text == text


def test_what_surrounds_a_secret_stays() -> None:
    text = redact(f"curl -H 'Authorization: Bearer {_key(40)}' https://api.example.com/v1/items").text
    assert text == "curl -H 'Authorization: Bearer [redacted:auth-header]' https://api.example.com/v1/items"


def test_counts_say_what_was_masked() -> None:
    text = f"{SECRETS['github']} and {SECRETS['aws']} and {SECRETS['github']}"
    assert redact(text).counts == {"github": 2, "aws": 1}


@given(st.text(max_size=200), st.sampled_from(sorted(SECRETS)), st.text(max_size=200))
def test_masking_twice_changes_nothing(before: str, name: str, after: str) -> None:
    once = redact(f"{before} {SECRETS[name]} {after}").text
    assert redact(once).text == once


def test_arguments_stay_valid_json() -> None:
    arguments = json.dumps({"command": f"curl -H 'Authorization: Bearer {_key(40)}' x", "n": [1, None]})
    found = json.loads(redact_arguments(arguments).text)
    assert "[redacted:auth-header]" in found["command"]
    assert found["n"] == [1, None]


def test_a_string_under_a_telling_key_is_masked_whole() -> None:
    found = redact_arguments('{"env": {"DB_PASSWORD": "swordfish", "authorization": "opensesame"}}')
    assert json.loads(found.text) == {
        "env": {"DB_PASSWORD": "[redacted:argument]", "authorization": "[redacted:argument]"}
    }


def test_arguments_without_secrets_keep_their_white_space() -> None:
    assert redact_arguments('{ "path":"a.py" }').text == '{ "path":"a.py" }'


def test_broken_json_arguments_are_masked_as_text() -> None:
    found = redact_arguments('{"command": "export TOKEN=' + SECRETS["github"])
    assert SECRETS["github"] not in found.text


def test_arguments_nested_beyond_the_recursion_limit_are_masked_as_text() -> None:
    deep = "[" * 100_000 + f'"{SECRETS["github"]}"'
    assert SECRETS["github"] not in redact_arguments(deep).text


@pytest.mark.parametrize(
    "text",
    [
        "a" * 250_000,
        "a://b:" * 25_000,
        "-----BEGIN RSA PRIVATE KEY-----\n" * 1_250,
        "api_key=" * 25_000,
        "eyJaaaaaaaaa." * 20_000,
        "sk-" * 50_000,
        "x" * 100_000 + "://",
        "a_" * 50_000 + "apikey=",
        "secret." * 25_000,
        "password" * 25_000 + "=",
        "curl " * 25_000,
        "Authorization: " * 15_000,
        "x-api-key : " * 15_000,
        "123456789:" * 20_000 + "AA",
        "-" * 125_000,
        "a-" * 75_000,
    ],
    ids=lambda text: text[:16].strip(),
)
def test_hostile_input_takes_linear_time(text: str) -> None:
    quarter = text[: len(text) // 4]
    assert_growth(lambda: redact(quarter), lambda: redact(text), 12, little=0.5)


def test_surrogates_and_nuls_pass() -> None:
    assert redact("a\x00b\ud800").text == "a\x00b\ud800"


def test_a_rule_is_asked_wherever_one_of_its_words_is_whatever_was_seen_before() -> None:
    rules = [
        rule("any", r"zz\d"),
        rule("token", r"tok-\w{4}", "tok-"),
        rule("phrase", r"kata sandi \w+", "kata sandi"),
    ]
    index = WordIndex(rules)
    assert index.likely("nothing to see in here") == []
    assert index.likely("nothing (tok-abcd) in here") == [(1, ["tok-"])]
    assert index.likely("(tok-abcd)") == [(1, ["tok-"])]
    assert index.likely("kata\nsandi is no such word, kata sandi is") == [(2, ["kata sandi"])]
    assert index.likely("nothing to see in here, tok-efgh") == [(1, ["tok-"])]


def test_a_form_is_found_wherever_it_is_and_however_often_its_neighbours_were_seen() -> None:
    index = WordIndex([rule("any", r"(?<![a-z])zz\d")])
    assert index.likely("the jazz1 (zz1) is here") == [(0, [])]
    assert index.likely("the jazz1 is here") == []
    assert index.likely("the jazz1 (zz1) is here") == [(0, [])]


def test_a_secret_is_found_after_many_texts_without_one() -> None:
    for number in range(300):
        assert not redact(f"plain words and number {number} and nothing else").counts
    key = "ghp_" + "a1B2c3D4e5" * 4
    assert redact(f"plain words and number 7 and {key}").counts == {"github": 1}
