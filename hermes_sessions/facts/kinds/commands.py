"""Commands run or to be run: after a prompt, in back quotes, in a shell's fence, in a call."""

import re
from collections.abc import Iterator
from typing import Final

from hermes_sessions.facts.page import Mark, TextPage
from hermes_sessions.facts.unwrap import Form
from hermes_sessions.late_patterns import late_pattern

_OWN: Final = "hermes-sessions"
"""This program; its first word is the command of the agent that it is named after."""
PROGRAMS: Final = frozenset(
    "git gh glab pip pip3 pipx uv uvx poetry pdm conda python python3 pytest tox nox ruff black mypy flake8 npm npx pnpm yarn node deno bun tsc"
    " eslint prettier jest vitest playwright cargo rustc rustup go gofmt make cmake ninja gcc g++ clang docker docker-compose podman kubectl k"
    " helm kustomize minikube terraform tofu ansible ansible-playbook vagrant ssh scp rsync sftp curl wget http ls cd cat grep rg find sed awk"
    " head tail less chmod chown mkdir rm rmdir cp mv ln touch tar zip unzip gzip systemctl journalctl service apt apt-get dnf yum brew apk"
    " pacman snap psql pg_dump pg_restore sqlite3 mysql mysqldump redis-cli mongosh alembic flask django-admin uvicorn gunicorn celery java"
    " javac mvn gradle ./gradlew ruby bundle rails rake gem php composer artisan dotnet swift xcodebuild flutter dart adb aws gcloud az"
    " heroku vercel netlify fly flyctl wrangler supabase prisma openssl ssh-keygen ssh-copy-id gpg kill pkill killall ps top df du free lsof"
    " netstat ss ping dig nslookup traceroute nc echo export source env crontab screen tmux nohup sudo su bash sh zsh watch time xargs tee"
    " diff patch wc sort uniq jq yq ffmpeg convert pandoc pre-commit claude codex nginx certbot ufw iptables mount".split()
) | {_OWN, _OWN.partition("-")[0]}
_VERBS: Final = frozenset(
    "find make go time watch service source convert less top export http k sort free kill head tail mount patch diff echo screen env time su snap fly sh node convert black".split()
)
_PROMPT = late_pattern(
    r"^[ \t]{0,8}(?:\([\w.-]{1,30}\) )?(?:[\w.-]{1,40}@[\w.-]{1,60}[: ]?[~/\w.-]{0,80}[$#%] |[~/\w.-]{0,60}[$] |\$ |% |❯ |➜ +|PS [A-Z]:\\[^>\n]{0,80}> |[A-Z]:\\[^>\n]{0,80}> ?|\+ |>>> (?=import|print)|> |##\[(?:group|command)\](?:Run )?|Run |[\w.:-]{2,40}(?: \[[^\]\n]{1,40}\])?(?:=[#>*]|>) |root@[\w.-]{1,60}:[^#\n]{0,60}# )([^\n]{2,300})$",
    re.M,
)
_ENDS: Final = (">", "#", "*")
_STATEMENTS: Final = frozenset(
    "SELECT INSERT UPDATE DELETE ALTER CREATE DROP SHOW SET BEGIN COMMIT ROLLBACK EXPLAIN ANALYZE VACUUM GRANT REVOKE TRUNCATE WITH CALL"
    " USE DESCRIBE COPY REINDEX GET HGET HGETALL DEL KEYS SCAN INFO LLEN LRANGE TTL EXPIRE FLUSHALL FLUSHDB CONFIG".split()
)
_LINE = late_pattern(
    r"^[ \t]{0,8}((?:[A-Z_]{2,30}=[^\s]{1,60} ){0,3}(?:sudo )?([\w./+-]{1,40})(?: [^\n]{1,300})?)$", re.M
)
_TICKED = late_pattern(r"`([^`\n]{3,300})`")
_OPERAND = late_pattern(r"\s(?:--?\w|[.~]{0,2}/)|\w/[\w.]|[=*|]|\s\.(?:\s|$)|\w\.\w")
_SHELLS: Final = frozenset(
    "bash sh shell zsh console terminal shell-session powershell ps1 cmd bat fish".split()
)
_KEYS: Final = frozenset("command cmd script shell_command".split())
_RAN = late_pattern(
    r"\b(?:ran|run|running|re-?ran|executed?|launched|ausgeführt|führe|lief|starte|gestartet|lancé|exécuté|lance|relancé|ejecut\w+|corrí|lancé"
    r"|execut\w+|rodei|rodou|corri|eseguito|lanciato|avviato|gedraaid|uitgevoerd|uruchom\w+|wykona\w+|odpali\w+|запусти\w+|выполни\w+|çalıştır\w+)"
    r"(?: (?:the|a|le|la|el|o|il|de|den|das|die))?(?: (?:command|script|befehl|commande|comando|opdracht|polecenie|команду|komutunu))?:? $"
    r"|(?:运行|执行|跑)了?(?:命令)?[:：]? ?$|(?:実行|起動)[:：]? ?$",
    re.I,
)
_CALLED = late_pattern(r"[a-z.~][\w./~-]{1,40} [^()\n]{1,200}")
_PROSE = late_pattern(r"[.!?:,]$|\b(?:the|a|an|is|are|we|you|that|this|it|and then|der|die|das|le|la|el)\b")


def command_marks(page: TextPage) -> Iterator[Mark]:
    """Yield command lines, whole."""
    if page.form is Form.ARGUMENT:
        yield from _argument(page)
        return
    text = page.text
    if page.looks != "code":
        for match in _PROMPT.finditer(text) if _has_prompt(text) else ():
            if _is_after_prompt(match.group(), match[1]):
                yield _mark(text, match.start(1), match.end(1))
    if page.key in _SHELLS:
        yield from _lines(page, strict=False)
    elif page.is_speech or page.key == "fence" or "```" in text:
        yield from _lines(page, strict=True)
    if page.is_speech:
        for match in _TICKED.finditer(text) if "`" in text else ():
            if is_command(match[1]) or _is_run(text, match):
                yield _mark(text, match.start(1), match.end(1))


def _is_run(text: str, ticked: re.Match[str]) -> bool:
    """Return whether somebody tells that what stands in back quotes was run, whatever program it is."""
    return (
        _RAN.search(text, max(0, ticked.start() - 40), ticked.start()) is not None
        and _CALLED.fullmatch(ticked[1]) is not None
    )


def _has_prompt(text: str) -> bool:
    return any(sign in text for sign in ("$ ", "% ", "❯ ", "➜ ", "> ", "+ ", "# ", "Run ", "##["))


def _is_after_prompt(line: str, command: str) -> bool:
    head = line[: len(line) - len(command)].strip()
    if head[-1:] in _ENDS and head[:-1].isascii() and head[:1].isalnum() and not head.startswith("PS "):
        return command.partition(" ")[0].rstrip(";").upper() in _STATEMENTS
    if head.endswith(("+", "%", "Run", "]", ">>>", "❯", ">")):
        return _program(command) in PROGRAMS
    return command[:1].isalnum() or command[:1] in "./~_"


def _argument(page: TextPage) -> Iterator[Mark]:
    text = page.text.strip()
    if (
        page.key in _KEYS or (page.key in ("code", "input", "") and is_command(text.partition("\n")[0]))
    ) and text:
        start = page.text.find(text[0])
        line = text.partition("\n")[0]
        whole = text if len(text) <= 300 and "\n" not in text else line
        yield Mark("command", start, start + len(whole), _program(whole))


def _lines(page: TextPage, *, strict: bool) -> Iterator[Mark]:
    """Lines that are commands; in speech only where nothing reads like a sentence."""
    for match in _LINE.finditer(page.text):
        program = match[2]
        if program not in PROGRAMS and not (not strict and program.startswith("./")):
            continue
        if strict and (_PROSE.search(match[1]) or not is_command(match[1])):
            continue
        yield _mark(page.text, match.start(1), match.end(1))


def is_command(line: str) -> bool:
    """Return whether *line* is a command and not a sentence that begins like one."""
    program = _program(line)
    if program.startswith("./") and "\n" not in line:
        return "." in program[2:] or " " in line
    if program not in PROGRAMS or " " not in line.strip():
        return False
    return program not in _VERBS or _OPERAND.search(line) is not None


def _program(line: str) -> str:
    words = line.split(None, 6)
    while words and (words[0] == "sudo" or ("=" in words[0] and words[0].partition("=")[0].isupper())):
        words = words[1:]
    return words[0] if words else ""


def _mark(text: str, start: int, end: int) -> Mark:
    while end > start and text[end - 1] in " \t\\":
        end -= 1
    return Mark("command", start, end, _program(text[start:end]))
