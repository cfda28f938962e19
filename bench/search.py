"""Forty queries whose hits are known, their times, and the size of the index, on a generated store.

    python -m bench.search [--messages 300000] [--store PATH] [--rounds 7]

Prints a row per query: hits expected and found, milliseconds newest first (median, worst) and
by relevance; then the figures of common words and filters, and bytes of index per byte of
text. The store is made in bulk and kept where --store says; there it is used again.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from sqlalchemy import text as sql

from bench.search_store import Planted, fill
from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.searching.message_hits import MAX_LIMIT, Order, Search, find_hits
from hermes_sessions.store.searching.title_hits import find_named

PAGE: Final = 50
FILLER: Final = "\n".join(["x" * 60] * 1_500)
"""Puts what follows it far behind the indexed beginning of a tool's output."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A query and what it finds; *planted* is the text that is put into the store for it.

    `count` None: it cannot be answered, and an explanation is expected.
    """

    kind: str
    query: str
    planted: str = ""
    count: int | None = 0
    role: str = "user"


LATIN: Final = [
    Asked("latin", "quokka", "a Quokka was seen", 3),
    Asked("latin", '"blue whale song"', "the Blue Whale song, again", 4),
    Asked("latin", "marmos*", "two marmosets", 5),
    Asked("latin", "axolotl OR wombat", "the axolotl sleeps", 2),
    Asked("latin", "pangolin -sleepy", "one pangolin", 3),
    Asked("latin", "creme brulee role:user", "Crème brûlée, s'il vous plaît", 2),
    Asked("latin", "zołty zołw", "Żółty żółw idzie", 2),
    Asked("latin", "strasse fahrrad", "das Fahrrad steht in der Strasse", 2),
    Asked("latin", "dugong tool:terminal", "dugong", 0),
    Asked("latin", "capybara after:2024 before:2027", "capybara pond", 4),
]
SCRIPTS: Final = [
    Asked("script", "提交", "我们提交了代码", 4),
    Asked("script", "数据库迁移", "数据库迁移完成", 3),
    Asked("script", "码头", "在码头等", 2),
    Asked("script", "鑫", "鑫字很少", 2),
    Asked("script", "データベース", "データベースを移行する", 3),
    Asked("script", "ベース 移動", "ベースを移動", 2),
    Asked("script", "全角", "全角ＦＵＬＬ", 2),
    Asked("script", "압축", "세션을 압축했습니다", 3),
    Asked("script", "ค้นหา", "ระบบค้นหาข้อความ", 3),
    Asked("script", "привет мир", "Привет, мир!", 3),
    Asked("script", "سلام عليكم", "سَلام عليكم جميعا", 2),
    Asked("script", "हिन्दी", "हिन्दी में लिखा", 2),
    Asked("mixed", "git推送", "请用git推送到远端", 3),
    Asked("mixed", "kubernetes集群", "检查Kubernetes集群状态", 2),
    Asked("mixed", "🚀 launch", "launch 🚀 today", 3),
]
CODE: Final = [
    Asked("code", "parse_quux_line", "def parse_quux_line(text):", 3, "assistant"),
    Asked("code", "src/zeta/omega_driver.py", "edit src/zeta/omega_driver.py:41", 3, "assistant"),
    Asked("code", "--dry-quux", "run it with --dry-quux=yes", 2, "assistant"),
    Asked("code", "#9041777", "fixes #9041777 at last", 3, "assistant"),
    Asked("code", "quux.config.loader", "import quux.config.loader", 2, "assistant"),
    Asked("code", "E0308quux", "error[E0308quux]: mismatched", 2, "tool"),
    Asked("code", "quuxdeadbeef42", "commit quuxdeadbeef42", 2, "tool"),
    Asked("code", "C:\\Quux\\new", "open C:\\Quux\\new", 2, "tool"),
    Asked("code", "std::quux::vector", "std::quux::vector<int>", 2, "tool"),
    Asked("code", "deepquux/pkg/found_far_down.go", f"{FILLER}\ndeepquux/pkg/found_far_down.go:7", 2, "tool"),
]
HOSTILE: Final = [
    Asked("hostile", '"unclosed quuxquote', "unclosed quuxquote", 2),
    Asked("hostile", "quuxnear NEAR(a b, 3) text:*", "", 0),
    Asked("hostile", "'; DROP TABLE messages; -- quuxdrop", "", 0),
    Asked("hostile", "<script>quuxscript</script>", "<script>quuxscript</script>", 2),
    Asked("hostile", "x" * 10_000, "", None),
]
QUERIES: Final = [*LATIN, *SCRIPTS, *CODE, *HOSTILE]
COMMON: Final = (
    *("the", "the and of to", "的一", "のに", "一", "a*", "co*", "src", "role:user the", "tool:terminal the"),
    *("has:call", "source:whatsapp the", "model:small the", "in:archived the", "conv:20240101_000100 the"),
    *("after:2025-06 before:2025-07 the", "kind:delegate the", "the -and"),
)


def main() -> int:
    """Make the store, ask, print; 1 when a query does not find what it should."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--messages", type=int, default=300_000)
    parser.add_argument("--store", type=Path, help="keep the store here, or use the one that is there")
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = given.store or Path(folder, "store.db")
        fresh = not path.exists()
        with Database.open(str(path)) as database:
            if fresh:
                began = time.perf_counter()
                planted = [
                    Planted(one.planted, one.count, one.role) for one in QUERIES if one.planted and one.count
                ]
                fill(database, given.messages, planted)
                print(f"made in {time.perf_counter() - began:.0f} s")
            print_sizes(database, path)
            wrong = sum(not ask(database, one, given.rounds) for one in QUERIES)
            print(f"\n{len(QUERIES) - wrong} of {len(QUERIES)} queries find what they should\n")
            for typed in COMMON:
                print_times(database, typed, given.rounds)
    return 1 if wrong else 0


def print_sizes(database: Database, path: Path) -> None:
    """Print the bytes of the index per byte of the text it covers."""
    with database.read() as db:
        covered = db.execute(
            sql(
                "SELECT sum(length(CAST(coalesce(text, '') AS BLOB)) + length(coalesce(tool_name, ''))"
                " + length(CAST(coalesce(tool_calls, '') AS BLOB)))"
                " FROM messages WHERE search_key IS NOT NULL"
            )
        ).scalar_one()
        blocks = db.execute(sql("SELECT sum(length(block)) FROM messages_fts_data")).scalar_one()
        rows, sizes = db.execute(
            sql("SELECT count(*), sum(length(sz)) + 6 * count(*) FROM messages_fts_docsize")
        ).one()
    index = blocks + sizes
    print(f"{rows:,} messages, {covered / 1e6:.0f} MB of text, store {path.stat().st_size / 1e6:.0f} MB")
    print(f"index {index / 1e6:.0f} MB: {index / covered:.2f} bytes per byte of text\n")
    print(
        f"{'kind':<9}{'query':<36}{'expected':>9}{'found':>7}"
        f"{'p50 ms':>9}{'worst':>8}{'by relevance':>14}{'worst':>8}"
    )


def ask(database: Database, one: Asked, rounds: int) -> bool:
    """Print one row; return whether it is as expected."""
    shown = one.query if len(one.query) < 34 else f"{one.query[:30]}…"
    try:
        with database.read() as db:
            found = len(find_hits(db, search(one.query, Order.NEWEST, MAX_LIMIT)).hits)
    except InvalidQueryError as error:
        print(
            f"{one.kind:<9}{shown:<36}{'explained' if one.count is None else one.count:>9}  {str(error)[:60]}"
        )
        return one.count is None
    times = (
        timed(database, one.query, Order.NEWEST, rounds),
        timed(database, one.query, Order.RELEVANCE, rounds),
    )
    (p50, worst), (ranked, ranked_worst) = times
    right = found == one.count
    print(
        f"{one.kind:<9}{shown:<36}{one.count!s:>9}{found:>7}"
        f"{p50:>9.1f}{worst:>8.1f}{ranked:>14.1f}{ranked_worst:>8.1f}"
        f"{'' if right else '  <- wrong'}"
    )
    return right


def print_times(database: Database, typed: str, rounds: int) -> None:
    """Print the times of a query that finds very many, and of looking through the titles."""
    p50, worst = timed(database, typed, Order.NEWEST, rounds)
    ranked, ranked_worst = timed(database, typed, Order.RELEVANCE, rounds)
    with database.read() as db:
        began = time.perf_counter()
        find_named(db, search(typed, Order.NEWEST))
        titles = (time.perf_counter() - began) * 1000
        found = find_hits(db, search(typed, Order.NEWEST))
    print(
        f"{'common':<9}{typed:<36}{'':>9}{len(found.hits):>7}"
        f"{p50:>9.1f}{worst:>8.1f}{ranked:>14.1f}{ranked_worst:>8.1f}"
        f"   titles {titles:.1f}{'  cut short' if found.cut_short else ''}"
    )


def timed(
    database: Database, typed: str, order: Order, rounds: int, clock: Callable[[], float] = time.thread_time
) -> tuple[float, float]:
    """Return median and worst milliseconds of one page, the first (cold) one included.

    By the thread's own clock, which other work on the machine does not slow down.
    """
    times = []
    for _ in range(rounds):
        with database.read() as db:
            began = clock()
            find_hits(db, search(typed, order))
            times.append((clock() - began) * 1000)
    return statistics.median(times), max(times)


def search(typed: str, order: Order, limit: int = PAGE) -> Search:
    """Return one page of a query."""
    return Search.of(typed, datetime.now().astimezone(), order=order, limit=limit)


if __name__ == "__main__":
    sys.exit(main())
