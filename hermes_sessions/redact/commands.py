"""Secrets in command lines and in the files that hold logins."""

import re
from typing import Final

from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.redact.plain import is_path, is_to_fill_in, is_wordy
from hermes_sessions.redact.rules import SecretRule, cases, rule
from hermes_sessions.redact.values import is_password, is_token

_ARGUMENT: Final = (
    r"(?P<s>(?P<q>\\?[\"'])(?P<quoted>(?:(?!(?P=q))(?:\\[^\n]|[^\n\\])){2,200})(?P=q)"
    r"|(?P<bare>[^\s\"'`|<>\\;&-][^\s\"'`|<>\\]{1,400}))"
)
_ABOUT: Final = late_pattern(
    r"(?i)(?:option|flag|argument|parameter|instead|value|prompt|file|stdin|string|switch|setting|support"
    r"|interactiv|require|password|please|should|before|without)\w*"
)
"""What a sentence says after the name of an option."""
_REST: Final = r"[^\n|;]{0,200}?\s"
"""What stands between a command and its option."""


def _argument(match: re.Match[str]) -> tuple[str, bool]:
    quoted = match["quoted"]
    return (quoted, True) if quoted is not None else (match["bare"].rstrip(",.;)"), False)


def _is_given(match: re.Match[str]) -> bool:
    """Return whether the option of a command that takes a password has one."""
    value, _ = _argument(match)
    return (
        len(value) >= 4
        and not is_to_fill_in(value)
        and not is_path(value)
        and not re.fullmatch(r"\d{1,5}", value)
    )


def _option(match: re.Match[str]) -> bool:
    value, quoted = _argument(match)
    name = match["name"].lower()
    if not _is_given(match):
        return False
    if "pass" in name or name.endswith("pw"):
        return is_password(value, literal=quoted or match["sign"] == "=" or _stands_alone(match, value))
    return is_token(value, 8) or (name.endswith("secret") and is_password(value, literal=quoted))


def _stands_alone(match: re.Match[str], value: str) -> bool:
    """Return whether a plain word is an argument: at the end of a command, or before another option."""
    after = match.string[match.end() : match.end() + 3].lstrip(" ")
    return (
        len(value) >= 6
        and after[:1] in ("", "\n", "-", "|", "&", ">", ";", "'", '"', "`")
        and not _ABOUT.match(value)
    )


def _quoted_password(match: re.Match[str]) -> bool:
    return _is_given(match) and is_password(match["quoted"], literal=match["q"] == "'")


def _login_pair(match: re.Match[str]) -> bool:
    return not is_to_fill_in(match["s"]) and not match["s"].startswith(("/", "$")) and len(match["s"]) >= 4


def _pgpass(match: re.Match[str]) -> bool:
    return not is_to_fill_in(match["s"])


def _takes_token(match: re.Match[str]) -> bool:
    value, _ = _argument(match)
    return is_token(value, 16) and not is_wordy(value)


def _command(words: str, option: str, *anchors: str) -> SecretRule:
    """Return a rule for the password behind one option of some commands."""
    return rule(
        "login", rf"(?<![\w/-])(?:{words})\b{_REST}(?:{option}){_ARGUMENT}", *anchors, accepts=_is_given
    )


COMMANDS: Final = (
    _command(
        r"mysql(?:dump|admin|import|sh|check|show|pump)?|mariadb(?:-dump|-admin)?", "-p", "mysql", "mariadb"
    ),
    rule("login", rf"(?<![\w/-])sshpass\s{{1,3}}-p\s{{0,3}}{_ARGUMENT}", "sshpass", accepts=_is_given),
    _command(r"redis-cli|valkey-cli", r"(?:-a|--pass)[\s=]\s{0,3}", "redis-cli", "valkey-cli"),
    _command(
        r"(?:docker|podman|nerdctl|buildah|skopeo|helm registry|oras|crane auth|az acr)\s{1,3}login",
        r"-p[\s=]?\s{0,3}",
        *("docker", "podman", "nerdctl", "buildah", "skopeo", "helm", "oras", "crane", "az acr"),
    ),
    _command(
        r"az login|mongo(?:sh|dump|restore|export|import)?|oc login",
        r"-p[\s=]?\s{0,3}",
        "az login",
        "mongo",
        "oc login",
    ),
    _command(r"ldap(?:search|modify|add|whoami|passwd|delete)", r"-w\s{0,3}", "ldap"),
    _command(
        r"sqlcmd|bcp|mosquitto_(?:pub|sub)|unzip|zip|isql|impdp",
        r"-P\s{0,3}",
        "sqlcmd",
        "bcp",
        "mosquitto_",
        "zip",
        "isql",
    ),
    _command(r"7z[az]?|rar|unrar", r"-p", "7z", "rar"),
    _command(r"xfreerdp3?|wfreerdp|rdesktop", r"(?:/p:|-p\s)", "freerdp", "rdesktop", "xfreerdp", "wfreerdp"),
    rule(
        "login",
        rf"(?<![\w/-])(?:net user|htpasswd\s{{1,3}}-[a-zA-Z]{{0,6}}b[a-zA-Z]{{0,6}}\s{{1,3}}\S{{1,80}})"
        rf"\s{{1,3}}[^\s-]\S{{0,63}}\s{{1,3}}{_ARGUMENT}",
        "htpasswd",
        "net user",
        accepts=_is_given,
    ),
    rule("login", rf"(?<![\w-])-pass(?:in|out)?\s{{1,3}}[\"']?pass:{_ARGUMENT}", "-pass", accepts=_is_given),
    rule(
        "login",
        rf"(?<![\w-])-(?:store|key|deststore|srcstore)pass\s{{1,3}}{_ARGUMENT}",
        "-storepass",
        "-keypass",
        "-deststorepass",
        "-srcstorepass",
        accepts=_is_given,
    ),
    rule(
        "login",
        rf"(?<![\w/-])(?:vault|cargo|gh auth|npm|huggingface-cli|hf auth|wandb)"
        rf"\s{{1,3}}login\s{{1,3}}{_ARGUMENT}",
        "vault",
        "cargo",
        "wandb",
        accepts=_takes_token,
    ),
    rule("login", rf"(?<![\w/-])doctl\b{_REST}-t\s{{1,3}}{_ARGUMENT}", "doctl", accepts=_takes_token),
    rule(
        "login",
        r"(?<![\w/-])(?:curl|https?|xh|xhs|wget)\b[^\n]{0,200}?\s(?:-[a-zA-Z]{0,4}u|-a|--user|--proxy-user|--auth|-U)[\s=]{0,2}[\"']?"
        r"[^\s:\"'$]{1,64}:(?P<s>[^\s\"'\[\]]{4,128})",
        "curl",
        "http ",
        "https ",
        "xh ",
        "wget",
        accepts=_login_pair,
    ),
    rule(
        "login",
        r"(?<![\w/-])smbclient\b[^\n]{0,200}?\s-U\s{0,2}[\"']?[\w\\./-]{1,64}%(?P<s>[^\s\"']{4,128})",
        "smbclient",
        accepts=_login_pair,
    ),
    rule(
        "login",
        r"(?:echo|printf)\s{1,3}(?:-n\s|-e\s)?[\"']?[\w.-]{1,32}:(?P<s>[^\s\"'|:]{4,128})[\"']?\s{0,3}\|\s{0,3}(?:sudo\s)?chpasswd",
        "echo",
        "printf",
        accepts=_login_pair,
    ),
    rule(
        "login",
        r"(?:echo|printf)\s{1,3}(?:-n\s|-e\s)?[\"']?(?P<s>[^\s\"'|$]{4,128})[\"']?\s{0,3}"
        r"\|\s{0,3}(?:sudo\s{1,3}-[a-zA-Z]{0,5}S|docker login|passwd --stdin|cryptsetup)",
        "echo",
        "printf",
        accepts=_login_pair,
    ),
    rule(
        "option",
        r"(?<![\w-])--?(?:[a-zA-Z0-9]{1,20}[-_.]){0,4}(?P<name>(?i:password|passwd|passphrase|pass|pw|token|secret"
        rf"|api-?key|secret-?key|access-?key|account-?key|auth-?key|private-?key|[a-z]{{1,12}}token))(?P<sign>[=\s])\s{{0,3}}{_ARGUMENT}",
        " -",
        "\t-",
        "\n-",
        '"-',
        "'-",
        "[-",
        "`-",
        accepts=_option,
        before=(-1,),
    ),
    rule(
        "login",
        r"sonar\.(?:login|token)=(?P<s>[\w-]{20,80})",
        "sonar.",
    ),
    rule(
        "login",
        r"(?i:identified\s{1,3}(?:with\s{1,3}\w{1,40}\s{1,3})?by|with\s{1,3}(?:encrypted\s{1,3})?password|\bpassword\b)"
        r"\s{1,3}(?P<s>(?P<q>[\"'])(?P<quoted>[^\"'\n]{4,128})(?P=q)(?P<bare>)?)",
        *cases("identified", "password"),
        *("with password", "with encrypted", "WITH PASSWORD", "WITH ENCRYPTED"),
        accepts=_quoted_password,
    ),
    rule(
        "login",
        r"(?:login|user)\s{1,8}[^\s\"']{1,128}\s{1,8}password\s{1,8}(?P<s>[^\s]{3,128})",
        "login",
        "user",
        accepts=_login_pair,
    ),
    rule(
        "login",
        r":(?:54\d\d|643\d|\*):[^\s:]{1,63}:[^\s:]{1,63}:(?P<s>[^\s:/][^\s]{3,127})(?=\s|\Z)",
        ":54",
        ":643",
        ":*:",
        accepts=_pgpass,
    ),
    rule(
        "login",
        r"\bENV\s{1,3}[A-Z0-9_]{0,40}(?P<name>PASSWORD|PASS|TOKEN|SECRET|KEY)\s{1,3}(?P<s>[^\s$=]{6,200})",
        "ENV ",
        accepts=lambda match: (
            is_token(match["s"]) or ("PASS" in match["name"] and is_password(match["s"], literal=True))
        ),
    ),
    rule(
        "login",
        r"\"auth\\?\"\s{0,3}:\s{0,3}\\?\"(?P<s>[A-Za-z0-9+/]{8,400}={0,2})\\?\"",
        '"auth"',
        '"auth\\"',
        accepts=lambda match: is_token(match["s"], 8),
    ),
)
