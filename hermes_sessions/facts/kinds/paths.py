"""Tokens that are paths: files, folders, routes, with a line or a test in them."""

from typing import Final

from hermes_sessions.late_patterns import late_pattern

EXTENSIONS: Final = frozenset(
    "py pyi js jsx ts tsx mjs cjs vue svelte go rs c h cc cpp hpp java kt kts swift rb php cs sh bash zsh ps1 bat sql html htm"
    " css scss sass less md mdx rst txt json jsonl json5 toml yaml yml ini cfg cnf conf env xml csv tsv parquet log lock db sqlite"
    " sqlite3 pdf png jpg jpeg gif svg webp ico zip gz tar tgz xz bz2 ipynb proto tf tfvars gradle mod sum patch diff pem key crt"
    " service timer plist exe dll so bin dat bak tmp out whl jar war ex exs erl hs lua pl r jl scala clj dart docx xlsx pptx doc"
    " xls odt mp4 mp3 wav ttf woff woff2 map snap graphql gql prisma hbs ejs tmpl j2 jinja editorconfig gitignore dockerignore".split()
)
RISKY: Final = frozenset(
    "db log env key lock c h r so bin dat map out mod sum pl ex go cs less tmp service snap".split()
)
_ROOT_DIRS: Final = frozenset(
    "src lib app apps test tests docs doc bin config configs scripts packages internal cmd pkg include public static assets"
    " templates migrations node_modules dist build deploy infra k8s charts terraform tools server client frontend backend web api"
    " services components pages data etc var usr home opt tmp spec e2e fixtures .github .circleci .vscode".split()
)
_LINE = late_pattern(r"(?::\d{1,7}){1,2}$|#L\d{1,6}(?:-L?\d{1,6})?$|\(\d{1,6}(?:,\d{1,5})?\)$")
_TRACE_TAILS: Final = (":in", ":line")
_MIME: Final = ("application/", "text/", "image/", "audio/", "video/", "multipart/", "font/")
_BARE: Final = frozenset(
    "Dockerfile Makefile Jenkinsfile Procfile Gemfile Rakefile Vagrantfile LICENSE CODEOWNERS".split()
)
_DOT_FILES = late_pattern(
    r"\.(?:env|git|docker|eslint|prettier|npm|babel|editor|pre-commit|bash|zsh|profile|gitlab|nvm|tool)[\w.-]{0,30}"
)
_NO_FILES: Final = frozenset(
    "node.js next.js vue.js d3.js three.js express.js nuxt.js socket.io asp.net react.js angular.js alpine.js moment.js chart.js ember.js".split()
)
_SEGMENT = late_pattern(r"[^/:*?\"<>|]{1,120}")

Found = tuple[tuple[str, int, int, str], ...]


def path_marks(body: str) -> Found | None:
    """Return the path that the token *body* is, and the test or branch in it."""
    if body.startswith(("/dev/null", "//", "/*", "#", "$(")) or body in ("./", "../"):
        return None
    if body.endswith(_TRACE_TAILS):  # `app.rb:38:in`, `App.cs:line 57`
        body = body[: body.rfind(":")]
    cut = body.find("::")
    if cut > 0:
        inner = path_marks(body[:cut])
        name = body.rfind("::") + 2
        tests = (("identifier", name, len(body), body[:cut]),) if inner else ()
        return (*inner, *tests) if inner else None
    if body.startswith(("a/", "b/")) and "." in body:
        inner = path_marks(body[2:])
        return tuple((kind, start + 2, end + 2, key) for kind, start, end, key in inner) if inner else None
    return (("path", 0, len(body), ""),) if is_path(body) else None


def is_path(body: str) -> bool:
    """Return whether *body* is a path and not prose with a slash (and/or, 1/2, TCP/IP)."""
    line = _LINE.search(body)
    plain = body[: line.start()] if line else body
    if "\\" in plain:
        return len(plain) > 3 and (plain[1:3] == ":\\" or (plain.count("\\") > 1 and "." in plain))
    if "/" not in plain:
        return _is_file(plain, named_line=line is not None)
    return _is_tree(plain)


def _is_file(name: str, *, named_line: bool) -> bool:
    if name.lower() in _NO_FILES:
        return False
    if name in _BARE or _DOT_FILES.fullmatch(name):
        return True
    stem, dot, extension = name.rpartition(".")
    if not dot or extension.lower() not in EXTENSIONS or not stem.strip("."):
        return False
    if stem in (
        "console",
        "math",
        "process",
        "Math",
        "logger",
        "self",
        "this",
        "np",
        "os.path",
        "import.meta",
    ):
        return False
    if extension in RISKY and not named_line:
        return "." not in stem and stem not in ("self", "this", "request", "session", "e") and len(stem) > 1
    return not (stem[0].isdigit() and all(map(str.isdigit, stem.replace(".", ""))))


_API = late_pattern(r"[a-z][a-z0-9.-]{0,60}/v\d{1,2}(?:(?:alpha|beta)\d)?")


def _is_tree(plain: str) -> bool:
    if _API.fullmatch(plain):
        return False
    parts = [part for part in plain.split("/") if part.strip(".")]
    if (
        not parts
        or plain.startswith(_MIME)
        or ":" in plain.replace(":/", "")
        or not any(map(str.isalpha, plain))
    ):
        return False
    if any(len(part) > 120 for part in parts) or "=" in plain:
        return False
    if _is_file(parts[-1], named_line=False) and len(parts[-1]) > 2:
        return True
    if plain.startswith(("~/", "./", "../")):
        return True
    if plain.startswith("/"):
        return len(parts) >= 2 or (parts[0] in _ROOT_DIRS and len(parts[0]) > 2)
    if plain.startswith("@"):
        return False
    if parts[0].lower() in _ROOT_DIRS and (len(parts) >= 2 or plain.endswith("/")):
        return not parts[-1].isdigit()
    return (len(parts) >= 3 and _looks_foldered(parts)) or (
        plain.endswith("/") and len(parts) >= 1 and parts[0].isascii()
    )


def _looks_foldered(parts: list[str]) -> bool:
    """`a/b/c` of lower-case words in prose is a choice; folders have signs in their names or well-known ones."""
    return not all(map(str.isdigit, parts)) and (
        any("_" in part or "-" in part or "." in part for part in parts)
        or any(part.lower() in _ROOT_DIRS for part in parts)
    )
