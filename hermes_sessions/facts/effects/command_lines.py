"""A command line as its steps: what each program is, where it runs, what it opens and changes.

`cd x && ...`, `sudo`, variables in front, pipes, `bash -c "..."` and `docker exec` are taken
apart; what a shell would compute is left as it is written.
"""

import re
import shlex
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.facts.effects.programs import effect_of
from hermes_sessions.facts.effects.values import CallAction, Effect
from hermes_sessions.late_patterns import late_pattern

_MAX_CHARS: Final = 20_000
_MAX_DEPTH: Final = 3
_HEREDOC = late_pattern(r"<<-?\s*(['\"]?)(\w+)\1([^\n]*)\n.*?(?:^[ \t]*\2[ \t]*$|\Z)", re.S | re.M)
_SIGNS: Final = "();<>|&\n"
_SET = late_pattern(r"[A-Za-z_]\w*=.*", re.S)
_WRAPPERS: Final = frozenset(
    "sudo doas env nohup time nice ionice command exec stdbuf timeout xargs watch caffeinate then do else if while until ! { } chronic unbuffer setsid builtin".split()
)
_SHELLS: Final = frozenset({"bash", "sh", "zsh", "dash", "fish", "ksh"})
_RUNNERS: Final = frozenset({("uv", "run"), ("poetry", "run"), ("pipenv", "run"), ("bundle", "exec"), ("pnpm", "exec"), ("pnpm", "dlx"), ("yarn", "exec"), ("hatch", "run"), ("pdm", "run")})  # fmt: skip
_OPENERS: Final = frozenset({"cat", "bat", "head", "tail", "less", "more", "nl", "sed", "awk", "gawk", "xxd"})
_FILE_PROGRAMS: Final = frozenset(
    "touch mkdir cp mv ln chmod chown patch tee truncate dd rm rmdir unlink shred sed sponge rename trash trash-put srm".split()
)
_KEYWORDS: Final = frozenset({"for", "done", "fi", "case", "esac", "select", "function", "in"})
_SCRIPTED: Final = frozenset({"sed", "awk", "gawk"})
_PYTHON = late_pattern(r"python[\d.]*|py")


def read_command(line: str) -> tuple[CallAction, ...]:
    """Return the steps of a command line in their order."""
    return tuple(_steps(line[:_MAX_CHARS], "", 0))


def _steps(line: str, folder: str, depth: int) -> Iterator[CallAction]:
    told = tuple(match.group() for match in _HEREDOC.finditer(line))
    for words, targets in _commands(_HEREDOC.sub(r"\3\n", line)):
        words = _unwrapped(words)
        if not words or words[0] in _KEYWORDS:
            if targets:
                yield _step((">", *targets), folder, targets, told)
            continue
        if words[0] in ("cd", "pushd") and len(words) > 1:
            folder = _joined(folder, words[1])
            continue
        inner = _inner(words) if depth < _MAX_DEPTH else None
        if inner is not None:
            yield from _steps(inner, folder, depth + 1)
        else:
            yield _step(words, folder, targets, told)


def _step(words: Sequence[str], folder: str, targets: Sequence[str], told: Sequence[str]) -> CallAction:
    """Return one step; what is fed to the command line (*told*) belongs to what its steps are."""
    effect = effect_of(words)
    if targets and effect in (Effect.READS, Effect.RUNS, Effect.CHECKS):
        effect = Effect.WRITES
    paths = _paths(words)
    program = words[0].rpartition("/")[2]
    opened = paths if effect is Effect.READS and program in _OPENERS else ()
    written = program in _FILE_PROGRAMS and effect in (Effect.WRITES, Effect.DELETES)
    changed = (*targets, *(paths if written else ()))
    return CallAction(
        effect,
        ("$", *words, *targets, *told),
        tuple(words),
        folder,
        tuple(_joined(folder, one) for one in opened),
        tuple(_joined(folder, one) for one in changed),
    )


def _commands(line: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the words of each simple command and the files it is written to."""
    words: list[str] = []
    targets: list[str] = []
    redirect = ""
    for token in _tokens(line):
        if token and not token.strip(_SIGNS):
            if ">" in token or "<" in token:
                redirect = token
                if words and words[-1].isdigit() and ">" in token:
                    words.pop()
                continue
            if words or targets:
                yield words, targets
            words, targets, redirect = [], [], ""
        elif redirect:
            if ">" in redirect and "&" not in redirect and not token.startswith("/dev/"):
                targets.append(token)
            redirect = ""
        else:
            words.append(token)
    if words or targets:
        yield words, targets


def _tokens(line: str) -> Sequence[str]:
    lexer = shlex.shlex(line, posix=True, punctuation_chars=_SIGNS)
    lexer.whitespace = " \t\r"
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        return list(lexer)
    except ValueError:  # a quotation that is never closed
        return re.findall(r"[;&|\n]+|[^\s;&|]+", line)


def _unwrapped(words: Sequence[str]) -> list[str]:
    """Leave out variables, `sudo` and the like, and what runs another program by name."""
    rest = list(words)
    while rest:
        if _SET.fullmatch(rest[0]):
            rest = rest[1:]
        elif (program := rest[0].rpartition("/")[2]) in _WRAPPERS:
            rest = _after_options(rest[1:], program)
        elif tuple(rest[:2]) in _RUNNERS:
            rest = rest[2:]
        elif program == "npx" and len(rest) > 1:
            rest = [one for one in rest[1:] if one not in ("-y", "--yes")]
        elif _PYTHON.fullmatch(program) and rest[1:2] == ["-m"] and len(rest) > 2:
            rest = rest[2:]
        else:
            return rest
    return rest


def _after_options(rest: list[str], program: str) -> list[str]:
    valued = ("-u", "-g", "-n", "-s", "-k", "-I", "-P", "-L", "-d")
    while rest and rest[0].startswith("-"):
        rest = rest[2:] if rest[0] in valued and program not in ("time", "nohup") else rest[1:]
    if program == "timeout" and rest:
        rest = rest[1:]
    return rest


def _inner(words: Sequence[str]) -> str | None:
    """Return the command line that a shell, a container or another machine is given."""
    program = words[0].rpartition("/")[2]
    if program in _SHELLS:
        at = next((at for at, one in enumerate(words) if re.fullmatch(r"-[a-z]*c", one)), None)
        return words[at + 1] if at is not None and at + 1 < len(words) else None
    if program == "ssh":
        rest = _operands(words[1:], ("-p", "-i", "-l", "-o", "-F", "-J"))
        return " ".join(rest[1:]) if len(rest) > 1 else None
    if program in ("kubectl", "oc") and "exec" in words and "--" in words:
        return shlex.join(words[words.index("--") + 1 :])
    if program in ("docker", "podman", "docker-compose") and "exec" in words:
        rest = _operands(words[words.index("exec") + 1 :], ("-u", "-w", "-e", "--user", "--workdir", "--env"))
        return shlex.join(rest[1:]) if len(rest) > 1 else None
    return None


def _operands(words: Sequence[str], valued: Sequence[str]) -> list[str]:
    """Return *words* from the first that is no option."""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in valued else 1
    return list(words[at:])


def _paths(words: Sequence[str]) -> tuple[str, ...]:
    program = words[0].rpartition("/")[2]
    given = [one for one in words[1:] if not one.startswith("-") and len(one) < 400]
    if program in _SCRIPTED:
        given = given[1:]
    return tuple(one for one in given if _is_path(one))


def _is_path(word: str) -> bool:
    return (
        not word.isdigit() and "://" not in word and re.fullmatch(r"[~./\w@+-][\w./@+ -]*", word) is not None
    )


def _joined(folder: str, path: str) -> str:
    path = path.removeprefix("./")
    if not folder or path.startswith(("/", "~")) or path in ("", "."):
        return path or folder
    return f"{folder.rstrip('/')}/{path}"
