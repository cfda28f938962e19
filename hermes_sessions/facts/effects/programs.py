"""What well-known programs do, by name and subcommand."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from hermes_sessions.facts.effects.values import Effect
from hermes_sessions.late_patterns import late_pattern


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PLAIN: Final[Mapping[Effect, frozenset[str]]] = {
    Effect.READS: _words(
        "ls ll dir cat bat head tail less more nl grep egrep fgrep rg ag ack find fd stat wc file du df pwd whoami id env printenv which whereis type echo printf true false test [ date cal uptime ps top htop"
        " pgrep free uname hostname ifconfig ip netstat ss lsof ping dig nslookup host jq yq awk gawk diff cmp comm sort uniq cut tr tree xxd od strings md5sum sha256sum sha1sum basename dirname realpath readlink"
        " man history sleep seq column fold journalctl dmesg locate whatis cloc tokei nvidia-smi lscpu lsblk groups cd pushd popd export set unset source . alias wait jobs exit return read column gzip-t sw_vers"
    ),
    Effect.CHECKS: _words(
        "pytest tox nox unittest ruff mypy pyright flake8 pylint black isort eslint prettier tsc jest vitest mocha playwright cypress rspec phpunit ctest gtest shellcheck hadolint clippy rustfmt gofmt golangci-lint"
        " make cmake ninja bazel gradle gradlew mvn sbt webpack vite rollup esbuild coverage bandit"
    ),
    Effect.WRITES: _words(
        "touch mkdir cp mv ln chmod chown chgrp patch install tee truncate dd tar unzip zip gzip gunzip bunzip2 xz apt apt-get dnf yum brew apk pacman useradd usermod crontab systemctl service launchctl kill pkill killall"
        " reboot shutdown alembic flyway createdb nginx iptables ufw mount umount sponge rename convert ffmpeg"
    ),
    Effect.SENDS: _words(
        "mail mailx sendmail mutt swaks msmtp telegram-send slack slackcat signal-cli notify-send wall write scp sftp rsync ftp nc ncat twilio http https"
    ),
    Effect.DELETES: _words("rm rmdir unlink shred dropdb userdel srm trash trash-put wipefs mkfs"),
    Effect.PUBLISHES: _words(
        "twine vercel netlify fly flyctl heroku surge ansible-playbook cap goreleaser semantic-release helm eb"
    ),
}
_BY_NAME: Final = {name: effect for effect, names in _PLAIN.items() for name in names}

_SUB: Final[Mapping[str, Mapping[Effect, frozenset[str]]]] = {
    "git": {
        Effect.READS: _words("status log diff show blame ls-files ls-remote ls-tree rev-parse describe shortlog reflog grep cat-file rev-list remote config branch stash-list fetch whatchanged help version name-rev merge-base tag-list bisect"),
        Effect.WRITES: _words("add commit checkout switch restore merge rebase cherry-pick revert reset stash tag init clone pull mv apply am notes worktree submodule"),
        Effect.DELETES: _words("rm clean"),
        Effect.PUBLISHES: _words("push send-email"),
    },
    "npm": {Effect.READS: _words("ls list view info outdated audit why config -v"), Effect.CHECKS: _words("test t lint build run run-script exec"), Effect.WRITES: _words("install i ci add uninstall update init version link"), Effect.PUBLISHES: _words("publish deprecate unpublish")},
    "docker": {Effect.READS: _words("ps logs inspect images stats version info top port diff history ls"), Effect.CHECKS: _words("build"), Effect.WRITES: _words("run start stop restart create pull tag compose exec cp network volume kill pause unpause load"), Effect.DELETES: _words("rm rmi prune"), Effect.PUBLISHES: _words("push")},
    "kubectl": {Effect.READS: _words("get describe logs top explain version config api-resources diff"), Effect.WRITES: _words("apply create patch edit scale rollout label annotate set cordon drain taint run expose exec"), Effect.DELETES: _words("delete")},
    "cargo": {Effect.CHECKS: _words("build test check clippy fmt bench run doc"), Effect.READS: _words("tree metadata search"), Effect.WRITES: _words("add remove install update new init"), Effect.PUBLISHES: _words("publish yank")},
    "go": {Effect.CHECKS: _words("build test vet run fmt"), Effect.READS: _words("list version env doc"), Effect.WRITES: _words("get mod install generate")},
    "pip": {Effect.READS: _words("list show freeze check index config"), Effect.WRITES: _words("install uninstall download")},
    "gh": {Effect.READS: _words("view list status diff checks auth api search browse"), Effect.SENDS: _words("comment review create edit close reopen"), Effect.PUBLISHES: _words("merge upload"), Effect.DELETES: _words("delete")},
    "terraform": {Effect.READS: _words("plan show output state validate version init fmt"), Effect.PUBLISHES: _words("apply import"), Effect.DELETES: _words("destroy")},
    "systemctl": {Effect.READS: _words("status is-active is-enabled list-units show cat list-timers")},
    "service": {Effect.READS: _words("status")},
    "helm": {Effect.READS: _words("list ls status get template lint show history search repo"), Effect.DELETES: _words("uninstall delete")},
    "aws": {Effect.READS: _words("ls describe list get head"), Effect.WRITES: _words("cp mv sync put create update"), Effect.DELETES: _words("rm rb delete terminate"), Effect.SENDS: _words("publish send")},
    "alembic": {Effect.READS: _words("current history heads show check branches")},
    "ip": {Effect.WRITES: _words("add del")},
    "apt": {Effect.READS: _words("list show search policy update")},
    "crontab": {Effect.READS: _words("-l")},
    "twine": {Effect.CHECKS: _words("check")},
}  # fmt: skip
_ALIASES: Final = {"yarn": "npm", "pnpm": "npm", "bun": "npm", "pip3": "pip", "uv": "pip", "poetry": "pip", "podman": "docker", "tofu": "terraform", "apt-get": "apt", "apt-cache": "apt", "oc": "kubectl", "glab": "gh", "docker-compose": "docker"}  # fmt: skip

_PUBLISHING = late_pattern(r"(?:^|[-_./:])(?:deploy|publish|release|rollout|ship)(?:$|[-_./:])", re.I)
_SENDING = late_pattern(r"(?:^|[-_./])(?:send|notify|mail|post)(?:$|[-_./])", re.I)
_CHECKING = late_pattern(
    r"(?:^|[-_./:])(?:tests?|lint|check|build|typecheck|fmt|format|bench)(?:$|[-_./:])", re.I
)
_SQL: Final = (
    (Effect.DELETES, late_pattern(r"\b(?:delete\s+from|drop\s+(?:table|database|schema|index|view)|truncate)\b", re.I)),
    (Effect.WRITES, late_pattern(r"\b(?:insert\s+into|update\s+\S+\s+set|alter\s|create\s|grant\s|merge\s+into|vacuum)\b", re.I)),
    (Effect.READS, late_pattern(r"\b(?:select|explain|show|describe|pragma)\b|\\d|^\.(?:schema|tables)", re.I)),
)  # fmt: skip
_SQL_PROGRAMS: Final = frozenset(
    {"psql", "mysql", "mariadb", "sqlite3", "clickhouse-client", "duckdb", "sqlcmd"}
)
_HERE = late_pattern(r"\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])\b")
_SED_IN_PLACE = late_pattern(r"-[a-zA-Z]*i|--in-place")
_VALUED: Final = frozenset({"-C", "-c", "-n", "--namespace", "-f", "--context", "--prefix", "--git-dir", "--work-tree", "--profile", "--region", "-R", "--repo"})  # fmt: skip


def effect_of(words: Sequence[str]) -> Effect:
    """Return what the command *words*, program first, does."""
    program = words[0].rpartition("/")[2]
    arguments = words[1:]
    if program in ("curl", "wget"):
        return _fetches(arguments)
    if program in _SQL_PROGRAMS:
        text = " ".join(arguments)
        return next((effect for effect, shape in _SQL if shape.search(text)), Effect.RUNS)
    if program == "sed":
        return Effect.WRITES if any(_SED_IN_PLACE.match(one) for one in arguments) else Effect.READS
    if program == "find" and ("-delete" in arguments or "rm" in arguments):
        return Effect.DELETES
    if program in ("rsync", "scp") and not any(":" in one for one in arguments):
        return Effect.WRITES
    if "--dry-run" in arguments or "--help" in arguments or "--version" in arguments:
        return Effect.READS
    table = _SUB.get(_ALIASES.get(program, program))
    if table is not None and (found := _by_subcommand(_ALIASES.get(program, program), table, arguments)):
        return found
    if program in _BY_NAME and program != "make":
        return _BY_NAME[program]
    return _by_words(program, arguments)


def _by_words(program: str, arguments: Sequence[str]) -> Effect:
    """A script or a target is known by the words in its name."""
    named = [program, *(one for one in arguments[:3] if not one.startswith("-"))]
    for effect, shape in (
        (Effect.PUBLISHES, _PUBLISHING),
        (Effect.SENDS, _SENDING),
        (Effect.CHECKS, _CHECKING),
    ):
        if any(shape.search(one) for one in named):
            return effect
    return _BY_NAME.get(program, Effect.RUNS)


def _by_subcommand(
    program: str, table: Mapping[Effect, frozenset[str]], arguments: Sequence[str]
) -> Effect | None:
    names = _subcommands(arguments)
    if program == "git":
        return _git(names, arguments, table)
    if program == "npm" and names[:1] and names[0] in ("run", "run-script", "exec"):
        return _by_words("", names[1:]) if names[1:] else Effect.READS
    for name in names[:3]:
        for effect, known in table.items():
            if name in known or (program == "aws" and name.partition("-")[0] in known):
                return effect
    return None


def _git(
    names: Sequence[str], arguments: Sequence[str], table: Mapping[Effect, frozenset[str]]
) -> Effect | None:
    name = names[0] if names else ""
    rest = [*arguments[arguments.index(name) + 1 :]] if name else []
    if name == "push":
        removed = "--delete" in rest or "-d" in rest or any(one.startswith(":") for one in rest)
        return Effect.DELETES if removed else Effect.PUBLISHES
    if name == "branch":
        if {"-d", "-D", "--delete"} & set(rest):
            return Effect.DELETES
        return Effect.WRITES if any(not one.startswith("-") for one in rest) else Effect.READS
    if name in ("stash", "tag", "worktree", "remote", "config", "submodule", "notes"):
        plain = [one for one in rest if not one.startswith("-")]
        looks = not plain or plain[0] in ("list", "show", "get", "status", "get-url") or "-l" in rest
        return Effect.READS if looks and not (name == "stash" and not rest) else Effect.WRITES
    return next((effect for effect, known in table.items() if name in known), None)


def _subcommands(arguments: Sequence[str]) -> list[str]:
    names, skip = [], False
    for one in arguments:
        if skip:
            skip = False
        elif one in _VALUED:
            skip = True
        elif not one.startswith("-"):
            names.append(one)
    return names


def _fetches(arguments: Sequence[str]) -> Effect:
    method = "GET"
    for at, one in enumerate(arguments):
        if one in ("-X", "--request", "--method"):
            method = arguments[at + 1].upper() if at + 1 < len(arguments) else method
        elif one.startswith("-X") and len(one) > 2:
            method = one[2:].upper()
        elif one.startswith(("-d", "--data", "-F", "--form", "--json", "-T", "--upload", "--post")):
            method = "POST" if method == "GET" else method
    if method in ("GET", "HEAD", "OPTIONS"):
        return Effect.READS
    if any(_HERE.search(one) for one in arguments):
        return Effect.RUNS
    return Effect.DELETES if method == "DELETE" else Effect.SENDS
