"""Values that the word before them decides: `port 8123`, `branch main`, `PostgreSQL 16`, `order 10482`."""

import re
from collections.abc import Iterator
from typing import Final

from hermes_sessions.facts.gates import gate
from hermes_sessions.facts.page import WORD, Mark, TextPage, hits
from hermes_sessions.late_patterns import late_pattern

_LINK: Final = r"(?:[=:：]|\b(?:is|was|to|now|on|number|no\.?|nr\.?|auf|ist|jetzt|von|na|на|es|est|sur|en|è|é|=>|->|№)\b|(?:仍然用|仍用|继续用|改用|用|使用|改为|改成|改到|设为|为|是|는|은|를|을|は|を|に|が|هو|إلى)|=>|->)"
_PORT_AFTER = late_pattern(
    rf"s?[\"'`]?\**[ ]{{0,3}}(?:{_LINK}[ ]{{0,3}}){{0,2}}[\"'`]?(\d{{2,5}})(?![\d%]|[.,:]\d|-\d)"
)
_PORTS_MORE = late_pattern(r"(?:[ ]?(?:,|/|and|und|et|y|и|、|和|と)[ ]?)(\d{2,5})(?![\d.%])")
_PORT_MAP = late_pattern(r"(\d{2,5}):(\d{2,5})(?:/(?:tcp|udp))?(?!\d)")
_PORT_FAR = late_pattern(
    rf"[ ](?:(?:of|for|des|der|de la|de l'|de|du|del|della|do|da|für|для|vom|von)[ ])?(?:the |our |dem |el |la |le )?(?P<key>[{WORD}.-]{{2,40}})(?:[ ][{WORD}.-]{{2,30}}){{0,2}}[ ](?:(?:from|von|de|с|da)[ ]\d{{2,5}}[ ])?(?:to|auf|на|à|a|al|is|ist|es|est|=|para|su)[ ](?P<port>\d{{2,5}})(?![\d%]|[.,:]\d)"
)
_PROTOCOL = late_pattern(r"(?<![\d.])(\d{2,5})(?::(\d{2,5}))?$")
_PORT_WORDS: Final = gate(
    "port",
    "порт",
    "端口",
    "ポート",
    "puerto",
    "porta",
    "منفذ",
    "포트",
    "पोर्ट",
    "bağlantı noktası",
    "порту",
    "porcie",
    "poort",
    "listen",
)
_MAPPED: Final = gate("/tcp", "/udp")
_PUBLISHED: Final = gate(" -p ", "ports:\n", "--publish ")
_PORT_BEFORE = late_pattern(r"(\d{2,5})(?:番|号)?[ ]?$")
_KEY_BEFORE = late_pattern(rf"([{WORD}.-]{{2,40}})[ ]$")
_KEY_AFTER = late_pattern(
    rf"[ ](?:of|for|des|der|vom|von|du|de la|de l'|del|для)[ ](?:the[ ]|our[ ])?([{WORD}.-]{{2,40}})"
)
_KEY_CJK = late_pattern(
    r"(?:[请把将的]{1,2})?([A-Za-z][\w.-]{1,30}|[\u30a0-\u30ff]{2,12}|[\u4e00-\u9fff]{2,6})(?:的|の|服务|サービス)$"
)
_NO_KEY: Final = frozenset(
    "the a an on at to is its our this that same new old default in von auf am der die das den dem un une le la el au sur"
    " en al des listening listens use uses used using via local http tcp udp and or with from change for different another"
    " free open на по в и host's set der's it as sulla sul sui alla al ai dalla dal nella nel della del dello na no nas nos da do pela pelo aux du los las les il lo gli i"
    " een het op naar".split()
)

_VERSION_WORDS: Final = gate(
    "version",
    "versión",
    "versão",
    "версия",
    "версии",
    "версию",
    "版本",
    "バージョン",
    "الإصدار",
    "release",
    "релиз",
    "выпуск",
    "リリース",
    "发布版",
    "릴리스",
    "tag",
)
_LOOSE_VERSION_WORDS: Final = ("release", "tag", "релиз", "выпуск", "リリース", "发布版", "릴리스")
_VERSION_AFTER = late_pattern(
    r"[а-яё]{0,3}[\"']?[ ]{0,2}(?:[=:：][ ]{0,2}|is |to |of |ist |auf |号 ?|は ?|为 ?|を ?)?[\"'`]?(v?\d{1,5}(?:\.\d{1,6}){0,3}[A-Za-z0-9.+-]{0,20})(?![\d年月日])"
)
_NOT_VERSION = late_pattern(r"\d{4}-\d\d|\d{1,3}[A-Za-z]?$")

_BRANCH_WORDS: Final = gate(
    "branch",
    "branche",
    "zweig",
    "rama",
    "ветк",
    "分支",
    "ブランチ",
    "فرع",
    "ramo",
    "브랜치",
    "dalı",
    "dalında",
    "ब्रांच",
    "शाखा",
)
_BRANCH = r"[A-Za-z][\w.-]{0,60}(?:/[\w.-]{1,60}){0,4}"
_BRANCH_AFTER = late_pattern(
    rf"(?:[aeиуой]|es)?\b[ ]?(?:is |named |called |: ?|from |to |of |ist |を |は )?([\"'`]?)({_BRANCH})\1"
)
_BRANCH_BEFORE = late_pattern(rf"([\"'`]?)({_BRANCH})\1[- ]?$")
_MAINS: Final = frozenset(
    "main master develop development dev staging production prod trunk release next gh-pages stable canary".split()
)
_NO_BRANCH: Final = late_pattern(
    r"(?:is|was|has|and|or|for|with|the|a|an|that|this|to|from|in|on|at|name|names|protection|already|up|not|will|does|yet|but|as|head|by"
    r"|still|of|into|it|you|we|new|current|same|default|feature|your|my|our|coverage|coverages|then|if|so|first|instead|local|remote|each|every|no|git|der|den|und)$", re.I
)  # fmt: skip
_BRANCH_TOKEN = late_pattern(
    r"(?:feature|feat|fix|bugfix|hotfix|release|chore|dependabot|renovate|refactor|users?|wip)/[\w./#@-]{1,80}"
)
_BRANCH_HEADS: Final = gate(
    "feature/",
    "feat/",
    "fix/",
    "bugfix/",
    "hotfix/",
    "release/",
    "chore/",
    "dependabot/",
    "renovate/",
    "refactor/",
    "wip/",
)
_GIT = late_pattern(
    rf"(?:checkout(?: -[bB])?|switch(?: -[cC])?|merge(?: --no-ff| --squash)?|merged? into|rebase|push(?: -u| --force\S*| -f)? origin|pull(?: --rebase)? origin|worktree add \S+(?: -b)?|branch -[dDm])[ ]({_BRANCH})"
)
_GIT_WORDS: Final = gate(
    "checkout ",
    "switch ",
    "merge ",
    "merged into ",
    "rebase ",
    " origin ",
    "worktree add ",
    "branch -",
)
_ARROWS: Final = gate(" -> ")
_ARROW = late_pattern(rf"({_BRANCH})[ ]+->[ ]+((?:origin/)?{_BRANCH})")
_INTO_WORDS: Final = gate(" into ", " onto ", " push to ")
_INTO = late_pattern(r"[`\"']?([a-z-]{3,20})(?![\w/-])")
_COMMITTED = late_pattern(rf"^\[({_BRANCH})(?: \(root-commit\))? ([0-9a-f]{{7,12}})\]", re.M)

_HOST_WORDS: Final = gate(
    "host",
    "hostname",
    "server",
    "сервер",
    "主机",
    "ホスト",
    "サーバー",
    "服务器",
    "ssh",
    "serveur",
    "servidor",
)
_HOST_AFTER = late_pattern(
    r"(?:name)?[\"']?[ ]?(?:[=:：][ ]?|is |named |ist |は |是 )?[\"'`]?([a-z][a-z0-9]*(?:-[a-z0-9]+){0,4})(?![\w/:(-]|\.\w)"
)
_RUNS_ON = late_pattern(
    rf"([{WORD}.-]{{2,40}})[ ](?:(?:now|still|service|server)[ ])?(?:listens|runs|is|listening|running|läuft|lauscht|hört|écoute|tourne|escucha|corre|работает|слушает)[ ](?:\w+[ ])?(?:on|at|auf|sur|en|на)[ ](?:the[ ])?$"
)
_HOLDS = late_pattern(
    rf"(?:([{WORD}.-]{{2,40}})[ ])?(?:(?:now|still|service|server|currently|jetzt|weiterhin)[ ])?"
    r"(?:serves|runs|keeps|holds|has|had|got|gets|takes|took|binds|bound|exposes|opens|opened|owns|needs|wants|claims|reports|shows|occupies|reserves|publishes|ships|carries|pins"
    r"|nutzt|hat|belegt|bekommt|öffnet|braucht|utilise|occupe|tient|garde|usa|ocupa|tiene|abre|mantiene|использует|держит|занимает)[ ]$"
)
"""Who has what comes next: what a value is of, and no verb."""


def keyed_marks(page: TextPage) -> Iterator[Mark]:
    """Yield ports, branches, versions, hosts and ids that a word names."""
    yield from _branches(page)
    yield from _versions(page)
    yield from _ports(page)
    if page.looks != "code":
        yield from _hosts(page)


def _ports(page: TextPage) -> Iterator[Mark]:
    text = page.text
    for place, word in hits(page, _PORT_WORDS):
        after = _PORT_AFTER.match(text, place + len(word))
        first = _word_start(text, place)
        if page.looks == "code" and text[first:place] != "--":
            continue
        if after and int(after[1]) <= 65535:
            if text[first:place].isalpha() and text[place].islower() and first < place:
                continue  # report 2024, support 10
            key = _port_key(page, first, place + len(word), after.end())
            yield Mark("port", after.start(1), after.end(1), key)
            more = _PORTS_MORE.match(text, after.end())
            while more and int(more[1]) <= 65535 and len(more[1]) >= 3:
                yield Mark("port", more.start(1), more.end(1), "")
                more = _PORTS_MORE.match(text, more.end())
        elif (
            first == place and (far := _PORT_FAR.match(text, place + len(word))) and int(far["port"]) <= 65535
        ):
            yield Mark("port", *far.span("port"), far["key"] or "")
        elif first == place and (before := _PORT_BEFORE.search(text, max(0, place - 10), place)):
            yield Mark("port", before.start(1), before.end(1))
    yield from _mapped_ports(page)


def _mapped_ports(page: TextPage) -> Iterator[Mark]:
    """`8080/TCP`, `-p 8080:80`."""
    text = page.text
    for place, _ in hits(page, _MAPPED):
        if mapped := _PROTOCOL.search(text, max(0, place - 12), place):
            yield from (Mark("port", *mapped.span(group)) for group in (1, 2) if mapped[group])
    for place, word in hits(page, _PUBLISHED):
        start = place + len(word)
        start += len(text[start : start + 20]) - len(text[start : start + 20].lstrip(" -\"'"))
        if mapped := _PORT_MAP.match(text, start):
            yield Mark("port", mapped.start(1), mapped.end(1))
            yield Mark("port", mapped.start(2), mapped.end(2))


def _word_start(text: str, place: int) -> int:
    head = text[max(0, place - 40) : place]
    return (
        place
        - len(head)
        + len(head.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"))
    )


def _port_key(page: TextPage, first: int, end: int, value_end: int) -> str:
    text = page.text
    if first < end - 8 or "_" in text[first:end] or "." in text[first:end]:
        return text[first:end].strip("-.")
    if after := _KEY_AFTER.match(text, end) or _KEY_AFTER.match(text, value_end):
        return after[1].rstrip(".-")
    if runs := _RUNS_ON.search(text, max(0, first - 90), first):
        return runs[1]
    if holds := _HOLDS.search(text, max(0, first - 70), first):
        return _holder(holds)
    before = _KEY_BEFORE.search(text, max(0, first - 41), first) or _KEY_CJK.search(
        text, max(0, first - 40), first
    )
    return (
        before[1].lstrip("请把将")
        if before and before[1].lower() not in _NO_KEY and before[1][-1] != "."
        else ""
    )


def _holder(holds: re.Match[str]) -> str:
    """Return who has a value; '' where nobody is named."""
    name = holds[1] or ""
    return "" if name.lower() in _NO_KEY or name[-1:] == "." else name


def _versions(page: TextPage) -> Iterator[Mark]:
    text = page.text
    for place, word in hits(page, _VERSION_WORDS):
        if text[place - 1 : place].isalnum():
            continue
        match = _VERSION_AFTER.match(text, place + len(word))
        if match and not (word in _LOOSE_VERSION_WORDS and _NOT_VERSION.match(match[1])):
            value_end = match.end(1) - (len(match[1]) - len(match[1].rstrip(".-+")))
            before = _KEY_BEFORE.search(text, max(0, place - 41), place)
            key = before[1] if before and before[1].lower() not in _NO_KEY and not page.looks else ""
            if key and (holds := _HOLDS.search(text, max(0, place - 70), place)):
                key = _holder(holds)
            yield Mark("version", match.start(1), value_end, key)


def _branches(page: TextPage) -> Iterator[Mark]:
    text = page.text
    for place, head in hits(page, _BRANCH_HEADS):
        before = text[place - 1 : place]
        match = _BRANCH_TOKEN.match(text, place)
        if match and not before.isalnum() and before not in ("-", "_", "."):
            end = match.end() - (len(match.group()) - len(match.group().rstrip("./-")))
            free = before != "/" or text.endswith(("origin/", "upstream/", "heads/"), 0, place)
            plain = "." not in text[place:end].rpartition("/")[2] or head == "release/"
            if free and plain and end > place + len(head):
                yield Mark("branch", place, end)
    for place, word in hits(page, _BRANCH_WORDS):
        yield from _branch_beside(page, place, word)
    for place, word in hits(page, _GIT_WORDS):
        begin = place if word != " origin " else text.rfind("pu", max(0, place - 24), place)
        if begin >= 0 and (match := _GIT.match(text, begin)) and _is_branch(match[1], ""):
            yield Mark("branch", match.start(1), _branch_end(text, match.start(1), match.end(1)))
    for place, word in hits(page, _INTO_WORDS) if page.is_speech else ():
        target = _INTO.match(text, place + len(word))
        if target and target[1] in _MAINS:
            yield Mark("branch", *target.span(1))
    yield from _git_output(page)


def _branch_beside(page: TextPage, place: int, word: str) -> Iterator[Mark]:
    text = page.text
    if page.looks == "code" or (text[place - 1 : place].isalnum() and word.isascii()):
        return
    after = _BRANCH_AFTER.match(text, place + len(word))
    if after and _is_branch(after[2], after[1]):
        yield Mark("branch", after.start(2), _branch_end(text, after.start(2), after.end(2)))
        return
    before = _BRANCH_BEFORE.search(text, max(0, place - 80), place)
    if before and _is_branch(before[2], before[1]):
        yield Mark("branch", before.start(2), before.end(2))


def _branch_end(text: str, start: int, end: int) -> int:
    return end - (end - start - len(text[start:end].rstrip("./-")))


def _is_branch(name: str, quote: str) -> bool:
    if name in _MAINS:
        return True
    if _NO_BRANCH.match(name) or name.startswith("origin/HEAD"):
        return False
    return bool(quote) or ("/" in name and not name.endswith(".py")) or ("-" in name and name.islower())


def _git_output(page: TextPage) -> Iterator[Mark]:
    text = page.text
    if " -> " in text and ("origin" in text or "HEAD ->" in text or "..." in text or ".." in text):
        for place, _ in hits(page, _ARROWS):
            line = max(text.rfind("\n", max(0, place - 90), place) + 1, place - 60)
            match = _ARROW.search(text, max(line, place - 60), place + 80)
            if match and (
                match[1] in _MAINS or "/" in match[1] or match[1] == match[2] or match[1] == "HEAD"
            ):
                group = 2 if match[1] == "HEAD" else 1
                if _is_branch(match[group], "'"):
                    yield Mark("branch", match.start(group), match.end(group))
    if text.startswith("[") or "\n[" in text:
        for match in _COMMITTED.finditer(text):
            yield Mark("branch", match.start(1), match.end(1))


def _hosts(page: TextPage) -> Iterator[Mark]:
    text = page.text
    for place, word in hits(page, _HOST_WORDS):
        if text[place - 1 : place].isalpha() and word.isascii():
            continue
        match = _HOST_AFTER.match(text, place + len(word))
        if match and match.start(1) > place + len(word) and "-" in match[1] + "-" and _is_machine(match[1]):
            yield Mark("host", match.start(1), match.end(1))


def _is_machine(name: str) -> bool:
    head, dash, tail = name.rpartition("-")
    if dash and head:
        return any(map(str.isdigit, tail)) or head.split("-")[0] in (
            "db",
            "web",
            "app",
            "api",
            "prod",
            "staging",
            "cache",
            "worker",
            "srv",
        )
    return any(map(str.isdigit, name[1:])) and len(name) >= 4 and name[-1].isdigit()
