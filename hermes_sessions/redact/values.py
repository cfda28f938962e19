"""Secrets known by the name before them: assignments, fields, headers, parameters of addresses."""

import base64
import binascii
import re
from typing import Final

from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.redact.plain import is_code, is_path, is_to_fill_in, is_wordy
from hermes_sessions.redact.rules import cases, rule

_HAN_KEY_NAMES: Final = "密钥|秘钥|密鑰|金鑰|令牌|トークン|シークレットキー|APIキー|비밀키|토큰"
_HAN_PASSWORD_NAMES: Final = "密码|密碼|口令|パスワード|暗証番号|비밀번호|암호"
"""Names in scripts without blanks; they may stand anywhere in a word."""
_PASSWORD_NAMES: Final = (
    "passwort|kennwort|contraseña|contrasena|senha|mot de passe|пароль|hasło|wachtwoord|lösenord|parola|şifre"
    "|heslo|jelszó|salasana|adgangskode|passord|mật khẩu|kata sandi|κωδικός|סיסמה|كلمة المرور|पासवर्ड"
)
_ENDING: Final = (
    r"(?i:[_-]?(?:v?\d{1,2}|base|prod|dev|test|staging|live|main|old|new|primary|secondary|value|data))?"
)
"""What may still follow a name: `TOKEN_PROD`, `password2`."""
_TYPE: Final = r":\s{0,2}&?[A-Za-z][\w<>\[\]' ]{0,20}?\s{0,2}=(?![=>])"
"""A type between a name and its value: `const token: string = "…"`."""
_FIELD: Final = r"[\"']?,?\s{0,20}\\?[\"']?[Vv]alue\\?[\"']?\s{0,3}[:=]"
"""A name and its value side by side: `{"name": "TOKEN", "value": "…"}`."""
_SEPARATOR: Final = (
    rf"(?:\\?[\"'`]?\]?\s{{0,3}}(?:{_TYPE}|:=|=>|[:=：＝](?![:=]))"
    rf"|{_FIELD}|[\"'],(?=\s{{0,3}}[\"']))\s{{0,3}}"
)
_NO_HAN: Final = r"\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef"
"""Ends a value in running text without blanks."""
_QUOTED: Final = r"[brf]?(?P<q>\\?[\"'`])(?P<quoted>(?:(?!(?P=q))(?:\\[^\n]|[^\n\\])){1,400})(?P=q)"
_BARE: Final = rf"(?P<bare>[^\s\"'`,;<>()\[\]{{}}{_NO_HAN}]{{1,400}})"
_BARE_KEY: Final = rf"(?P<bare>[^\s\"'`,;<>()\[\]{{}}=&{_NO_HAN}]{{1,400}}={{0,2}})"
_VALUE: Final = rf"(?P<s>(?P<pair>{_QUOTED}|{_BARE}))"
_KEY_VALUE: Final = rf"(?P<s>(?P<pair>{_QUOTED}|{_BARE_KEY}))"

_LAST_WORD: Final = late_pattern(r"([A-Z]?[a-z0-9]+|[A-Z0-9]+)[-_ ]?\Z")
_SHOWN: Final = late_pattern(
    "next|prev|previous|page|paging|continuation|pagination|cursor|sync|resume|start|marker|scroll|primary|foreign"
    "|public|partition|sort|cache|object|row|host|group|index|idempotency|dedup|storage|shard|map|sub|count|max|min"
    "|pub|publishable|s3|query|unique|composite|dict|hot|shortcut|join|i18n|cancellation|special|end|begin|eos|bos"
    "|pad|mask|unk|sep|cls|lookup|translation|message|registry"
)
"""Words before `key` and `token` that make them names of what everybody may see."""
_KEPT_BACK: Final = late_pattern(
    "api|account|secret|access|auth|private|preshared|encryption|signing|master|licen[sc]e|client|application|app"
    "|role|write|admin|webhook|service|signature|hmac|jwt|session|crypt|cipher|rpc|security"
)
"""Words before `key` that make it the name of a secret."""
_LABEL: Final = late_pattern(
    r"(?i)\b(?:password|passwort|enter|your|please|must|required|forgot|invalid|confirm|reset|choose|wrong|incorrect"
    r"|characters|field|cannot|should|used|optional|default|contraseña|mot de passe)\b"
)
"""Words of what stands on a page or in a message, beside a field of that name."""
_LOWER_WORD: Final = late_pattern("[a-z]{6,40}")
_SAYING: Final = late_pattern(
    r"(?:pass|psw|contra|kenn|mot|senha|clave|parola|user|login|e?mail|change|update|reset|forgot|confirm|require|option"
    r"|hidden|string|text|input|current|new|default|value|field|invalid|missing|mismatch|disable|enable|never|always"
    r"|prompt|plain|hash|encrypt|bcrypt|secret|token|cred|oauth|example|sample|unknown|verif|valid|null|none|keyring)\w*"
)
"""What a field of that name is said to be, and no password."""
_SIGN: Final = late_pattern("[-_./:]")
_LOGIN_BEFORE: Final = late_pattern(
    r"(?i)(?:\b(?:user(?:name)?|login|usr|ssh|ftp|root|admin|db|wifi|sudo|vpn|smtp|rdp)\b[^\n]{0,20}|, ?)\Z"
)
"""What makes `pass:` a name, as in `user: joe, pass: …`."""
_DIGIT: Final = late_pattern("[0-9]")
_LETTER: Final = late_pattern("[A-Za-z]")
_METHODS: Final = late_pattern(
    r"(?i)(?:sha\d|bcrypt|scrypt|argon|pbkdf|base64|utf|md5|aes|rsa|hmac|plain|oauth|http)[\w-]*\Z"
)

_NO_URL_PASSWORD: Final = late_pattern(r"(?i)\d{1,5}(?:[/?#]|\Z)|(?:password|passwd|pass|pwd|secret)\Z")
"""A port, or what documents write."""


def _before(match: re.Match[str], chars: int = 40) -> str:
    return match.string[max(0, match.start() - chars) : match.start()]


def _word_before(match: re.Match[str]) -> str:
    found = _LAST_WORD.search(_before(match, 24))
    return found[1].lower() if found else ""


def names_no_secret(match: re.Match[str]) -> bool:
    """Return whether the name says that what follows is shown to all: `next_page_token`, `public_key`."""
    return _SHOWN.fullmatch(_word_before(match)) is not None


def _value(match: re.Match[str]) -> tuple[str, bool]:
    """Return the value without its quotes, and whether it had some."""
    quoted = match["quoted"]
    return (quoted, True) if quoted is not None else (match["bare"].rstrip(".,:!?"), False)


def _is_no_value(match: re.Match[str], value: str, quoted: bool) -> bool:
    if not value or is_to_fill_in(value):
        return True
    return not quoted and is_code(value, match.string[match.end() : match.end() + 2])


def is_password(value: str, literal: bool) -> bool:
    """Return whether *value*, behind a password's name, is one.

    Args:
        literal: it is no code and no prose, as in `DB_PASSWORD=opensesame`.
    """
    if len(value) < 4 or is_to_fill_in(value) or _METHODS.match(value):
        return False
    if literal:
        return not (" " in value and _LABEL.search(value)) and not is_path(value)
    if len(value) < 6 or (value[0].isdigit() and value.isdigit()):
        return False
    return any(char.isdigit() or char in "!@#%^&*~+$" for char in value[:-1] if char) or value[-1].isdigit()


def is_token(value: str, least: int = 12) -> bool:
    """Return whether *value*, behind a key's name, is one: mixed, and neither words nor a path."""
    if len(value) < least or " " in value or not (_DIGIT.search(value) and _LETTER.search(value)):
        return False
    return not is_wordy(value[:200]) and not is_path(value[:200]) and not is_to_fill_in(value[:200])


def _is_literal(match: re.Match[str]) -> bool:
    """Return whether the name is a variable of the shell: upper case, and `=` without blanks."""
    name = match["name"]
    return (
        name.isupper() and match.string[match.end("name") : match.start("pair")].lstrip("0123456789") == "="
    )


def _password(match: re.Match[str]) -> bool:
    value, quoted = _value(match)
    name = match["name"].lower()
    before = _before(match)
    if _is_no_value(match, value, quoted) or (before.endswith("/") and name == "passwd"):
        return False
    if name == "pwd" and (before[-3:].lower() == "old" or re.match(r"[/~.]|[A-Za-z]:[\\/]", value)):
        return False
    if name in ("pass", "pw") and not _is_short_name(match, before):
        return False
    if not quoted and not _is_literal(match) and value.lower().startswith((name, "pass_", "pwd_")):
        return False
    return is_password(value, literal=_is_literal(match) or (quoted and _is_constant(match, value)))


def _is_constant(match: re.Match[str], value: str) -> bool:
    """Return whether a quoted value is a password though it has no digit: one with blanks, or a word."""
    if " " in value:
        return not _LABEL.search(value) and value.count(" ") < 12
    return bool(_LOWER_WORD.fullmatch(value)) and not _SAYING.fullmatch(value)


def _is_short_name(match: re.Match[str], before: str) -> bool:
    """Return whether `pass` is a name here: `DB_PASS=`, `user=x pass=y`, `"pass": "…"`; not `pass: 12`."""
    after = match.string[match.end("name") : match.end("name") + 1]
    name = match["name"].lower()
    if before[-1:] in ("_", "-", "."):
        return True
    if after == ":" and _LOGIN_BEFORE.search(before):
        return True
    first = not before.rpartition("\n")[2].strip()
    return not before[-1:].isalnum() and (
        after in ("=", '"', "'") or (name == "pw" or (first and after == " "))
    )


def _key(match: re.Match[str]) -> bool:
    value, quoted = _value(match)
    name = match["name"].lower()
    if quoted and " " in value:
        named = name.startswith("secret") or _word_before(match) in ("secret", "preshared")
        return named and is_password(value, literal=True)
    if not is_token(value, 8 if _is_literal(match) else 12) or _is_no_value(match, value, quoted):
        return False
    word = _word_before(match)
    if _SHOWN.fullmatch(word) or _before(match, 1) == ":":
        return False
    return name != "key" or bool(_KEPT_BACK.fullmatch(word)) or _is_mixed_key(match, value)


def _weak_key(match: re.Match[str]) -> bool:
    value, quoted = _value(match)
    return is_token(value, 20) and not _is_no_value(match, value, quoted) and _is_mixed_key(match, value)


def _is_mixed_key(match: re.Match[str], value: str) -> bool:
    """Return whether the value of just any key looks like a secret: `MAILCHIMP_KEY=`, `&key=`."""
    before = _before(match, 1)
    if not before or not (before in "_-?&\"'" or (before.isalnum() and match["name"][0].isupper())):
        return False
    return len(value) >= 20 and sum(char.isdigit() for char in value) >= 3 and len(set(value)) >= 10


def _authorization(match: re.Match[str]) -> bool:
    value = match["s"]
    if is_to_fill_in(value[:200]):
        return False
    if is_wordy(value[:200]) and (len(value) < 16 or _SIGN.search(value)):
        return (match["scheme"] or "").lower() == "basic" and _is_login(value)
    if is_code(value, match.string[match.end() : match.end() + 2]):
        return False
    return any(char.isdigit() for char in value) or _is_login(value)


def _is_login(value: str) -> bool:
    try:
        return b":" in base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False


def _cookie(match: re.Match[str]) -> bool:
    values = (part.partition("=")[2] for part in match["s"].split("; ", 40))
    return any(len(value) >= 12 and is_token(value[:400], 12) for value in values)


def _url_password(match: re.Match[str]) -> bool:
    return not _NO_URL_PASSWORD.match(match["s"]) and not is_to_fill_in(match["s"])


VALUES: Final = (
    rule(
        "auth-header",
        r"(?i:uthorization\\?[\"']?\]?\s{0,3}[:=,：＝]\s{0,3}\\?[\"'`]?(?:(?P<scheme>[a-z][a-z-]{1,19})\s{1,3})?(?:token=\"?)?)"
        r"(?P<s>[\w.~+/=:-]{8,4000})",
        "uthorization",
        "UTHORIZATION",
        accepts=_authorization,
    ),
    rule(
        "auth-header",
        r"(?i:earer)(?P<scheme>)\s{1,3}(?P<s>[\w.~+/=:-]{16,4000})",
        "earer",
        "EARER",
        accepts=_authorization,
    ),
    rule(
        "header",
        r"(?i:ookie)\\?[\"']?(?:\s{0,3}[:：=]|\s)\s{0,3}\\?[\"']?(?P<s>[\w.!#$%&*+^|~-]{1,80}=[^\r\n\"'\[\]\\]{8,2000})",
        "ookie",
        "OOKIE",
        accepts=_cookie,
    ),
    rule(
        "header",
        r"curl\b[^\n]{0,200}?\s-b\s{0,2}[\"']?(?P<s>[\w.-]{1,80}=[^\s\"'\[\]\\]{8,2000})",
        "curl",
        accepts=_cookie,
    ),
    rule(
        "assignment",
        rf"(?P<name>(?i:key|token|secrets?)|{_HAN_KEY_NAMES}){_ENDING}{_SEPARATOR}{_KEY_VALUE}",
        *cases("key", "token", "secret"),
        *_HAN_KEY_NAMES.split("|"),
        accepts=_key,
    ),
    rule(
        "assignment",
        rf"(?P<name>(?i:auth|credentials?)){_ENDING}{_SEPARATOR}{_KEY_VALUE}",
        *cases("auth", "credential"),
        accepts=_weak_key,
    ),
    rule(
        "signature",
        r"(?i:(?:[?&;]|\\u0026|amz-|goog-)(?:sig|signature)=)(?P<s>[\w%+/=~.-]{16,1200})",
        *(
            "?sig=",
            "&sig=",
            "&amp;sig=",
            "Amz-Signature=",
            "Goog-Signature=",
            "amz-signature=",
            "&Signature=",
            "?Signature=",
        ),
        "&signature=",
    ),
    rule(
        "password",
        rf"(?P<name>(?i:passw(?:or)?d|passphrase|passcode|pwd|passwort|passord|passw|pass|pw|psk)|(?i:{_PASSWORD_NAMES})"
        rf"|{_HAN_PASSWORD_NAMES}){_ENDING}{_SEPARATOR}{_VALUE}",
        *cases("pass", "pw", "psk"),
        *(name for name in _PASSWORD_NAMES.split("|") if not name.startswith("pass")),
        *(name.capitalize() for name in _PASSWORD_NAMES.split("|") if not name.startswith("pass")),
        *_HAN_PASSWORD_NAMES.split("|"),
        accepts=_password,
    ),
    rule(
        "password",
        r"(?i:pass(?:word|wd|phrase)?>)(?P<s>[^<>\s{$][^<>\n{$]{3,127})</",
        *("password>", "Password>", "PASSWORD>", "passwd>", "passphrase>", "pass>"),
    ),
    rule(
        "url-password",
        r"(?<=[a-z0-9])://[^\s/:@'\"<>`{}$]{0,64}:(?P<s>[^\s@'\"<>`{}$\[\]]{3,200})@(?=[\w\[$.])",
        "://",
        accepts=_url_password,
    ),
    rule(
        "url-password",
        r"://(?P<s>[\w-]{20,255})@(?=[\w\[])",
        "://",
        accepts=lambda match: is_token(match["s"], 20),
    ),
)
