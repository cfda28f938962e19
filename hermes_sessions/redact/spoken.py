"""Passwords in sentences: "the password is hunter2", in the languages that have a word for it here."""

import re
from typing import Final

from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.redact.plain import is_code, is_path, is_random, is_to_fill_in, is_wordy
from hermes_sessions.redact.rules import cases, rule
from hermes_sessions.redact.values import is_password, is_token, names_no_secret

_LATIN_NAMES: Final = (
    "kennwort",
    "contrase",
    "clave",
    "senha",
    "wachtwoord",
    "parola",
    "heslo",
    "salasana",
    "adgangskode",
    "kata sandi",
    "lozinka",
    "hasło",
    "lösenord",
    "şifre",
    "jelszó",
    "mật khẩu",
    "пароль",
    "пароля",
    "κωδικός",
)
_OTHER_NAMES: Final = (
    "סיסמה",
    "كلمة المرور",
    "كلمة السر",
    "पासवर्ड",
    "รหัสผ่าน",
    "密码",
    "密碼",
    "口令",
    "パスワード",
    "暗証番号",
    "비밀번호",
    "암호",
)
_NAME: Final = (
    rf"(?i:passw(?:or)?[dt]|passord|passphrase|passcode|(?:(?<=mot de )|(?<=palavra-))passe"
    rf"|{'|'.join(_LATIN_NAMES)}|{'|'.join(_OTHER_NAMES)})"
    r"(?i:ñas?|nas?|es|s|en|a)?"
)
_WORDS: Final = (
    *cases("pass"),
    *_LATIN_NAMES,
    *(name.capitalize() for name in _LATIN_NAMES),
    *_OTHER_NAMES,
)
_IS: Final = (
    r"is|was|are|ist|war|lautet|es|era|est|était|è|é|era|jest|to|är|er|on|je|là|adalah|είναι|is now|is set to"
    r"|to|als|should be|will be|has been (?:set|changed) to|set to|changed to|equals|это|теперь|था|है"
    r"|הוא|هي|هو"
)
_LINK: Final = (
    r"(?:[ \u00a0]{1,3}[^\s.,;:!?\"'«»„“”`=()\[\]{}<>#]{1,24}){0,5}?[ \u00a0]{0,3}"
    rf"(?:[ \u00a0](?:{_IS})(?:[ \u00a0]{{0,3}}:)?[ \u00a0]{{1,3}}|[ \u00a0]{{0,2}}[:：＝—–][ \u00a0]{{0,3}}"
    r"|[ \u00a0]?(?:是|为|為|就是|は|が|는|은|가|이)[:： ]{0,2}|คือ ?)"
)
_OPEN: Final = "[\"'`“”„«‹「『*(]{1,3}[ \u00a0]?"
_SAID: Final = (
    rf"(?P<open>{_OPEN})?"
    r"(?P<s>[^\s\"'`“”„«»‹›「」『』，。、；！？（）\u3000\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af<>{}\[\]]{4,64})"
)
_ALGORITHM: Final = late_pattern(
    r"(?i)(?:sha|bcrypt|scrypt|argon|pbkdf|base64|utf|md5|aes|rsa|hmac|v\d)[\w-]*\Z"
)

_HASH: Final = late_pattern(r"[0-9a-f-]{32,64}")
_WITH: Final = late_pattern(
    r"(?i)(?:\b(?:with|using|use|and|und|mit|con|y|avec|et|com|e|с|и|the|login|account)|[,/])"
    r"[ ](?:(?:the|dem|la|le|el|a|o|mot de)[ ])?\Z"
)


def _said(match: re.Match[str]) -> bool:
    value = match["s"].rstrip(".,;:!?)")
    if len(value) < 5 or is_to_fill_in(value) or is_path(value) or _ALGORITHM.match(value):
        return False
    if (
        is_code(value, match.string[match.end("s") : match.end("s") + 2])
        or "(" in value
        or value.startswith("//")
    ):
        return False
    letters = any(char.isalpha() for char in value)
    mixed = letters and any(char.isdigit() for char in value) and not re.match(r"\d{1,4}-?[^\W\d_]+\Z", value)
    symbols = letters and any(char in "!@#$%^&*+" for char in value[:-1])
    return mixed or symbols


def _password_said(match: re.Match[str]) -> bool:
    """Return whether a password is said: "it is hunter2", or "with the password hunter2"."""
    if match["directly"] is None:
        return _said(match)
    before = match.string[max(0, match.start() - 20) : match.start()]
    return (
        bool(_WITH.search(before))
        and _said(match)
        and is_password(match["s"].rstrip(".,;:!?)"), literal=False)
    )


def _key_said(match: re.Match[str]) -> bool:
    value = match["s"]
    if names_no_secret(match) or not is_token(value, 16):
        return False
    return match["directly"] is None or (is_random(value) and not _HASH.fullmatch(value))


def _pair_said(match: re.Match[str]) -> bool:
    """Return whether it is a login and its password: "login: joe/hunter2!", not a path."""
    return _said(match) and not is_wordy(match["s"])


SPOKEN: Final = (
    rule(
        "password",
        rf"(?:(?<![A-Za-z0-9_/.])|(?=[^\x00-\x7f])){_NAME}"
        rf"(?:[\"'”»*`]?{_LINK}|(?P<directly>[ ]{{1,2}})){_SAID}",
        *_WORDS,
        accepts=_password_said,
    ),
    rule(
        "assignment",
        rf"(?i:(?:key|token|secret|schlüssel|clé|clave|chave|chiave|ключ|токен|密钥|密鑰|令牌|トークン|키|토큰))"
        rf"(?:{_LINK}|(?P<directly>[ ]{{1,2}}))(?P<open>{_OPEN})?(?P<s>[A-Za-z0-9_+/=.-]{{16,400}})",
        *cases("key", "token", "secret"),
        *(
            "schlüssel",
            "Schlüssel",
            "clé",
            "chave",
            "chiave",
            "ключ",
            "токен",
            "密钥",
            "密鑰",
            "令牌",
            "トークン",
            "키",
            "토큰",
        ),
        accepts=_key_said,
    ),
    rule(
        "password",
        rf"(?i:creds?|credentials|login|zugangsdaten|логин)(?:[ ]?[:：]|[ ](?:is|are|ist|sind))[ ]{{0,2}}"
        rf"(?P<user>[\w.@+-]{{2,64}})(?:[:/]|[ ]/[ ]){_SAID}",
        *cases("cred", "login", "zugangsdaten"),
        "логин",
        accepts=_pair_said,
    ),
)
