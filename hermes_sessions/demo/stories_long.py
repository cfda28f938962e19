"""Conversations of a newer release: compacted in place, short ones and a very long one."""

from hermes_sessions.demo.agent_record import Ledger
from hermes_sessions.demo.handoffs import notes
from hermes_sessions.demo.talk import StorySetting, Talk

_FILES_TO_PORT = 330
_FILES_BETWEEN_COMPACTIONS = 66
_AREAS = ("api", "auth", "billing", "cache", "export", "mail", "models", "search", "tasks", "views")
_CHECKS = (
    "rounds",
    "rejects empty names",
    "keeps the order",
    "logs once",
    "closes the file",
    "is idempotent",
)
_REMARKS = (
    "Go on with the next ones.",
    "Please keep the commit per file.",
    "How many are left?",
    "The mail tests can wait until the end.",
    "Good. Keep an eye on the run time.",
)


def soil_carbon(ledger: Ledger) -> None:
    """Two compactions in place, the first by a release that wrote carried rows twice."""
    talk = Talk(ledger, StorySetting(title="Reading list on soil carbon", days_ago=4.2, model="gpt-5.2"))
    talk.tell("""
» I want to understand how much carbon a meadow can hold. Build me a reading list, five papers, in order.
First a review of what "stable" means, then two on grassland depth profiles, one on measuring, one sceptic.
» Why a sceptic?
Because most numbers come from the top 30 cm, and the sceptic dug deeper.
""")
    talk.tools(
        ("web_search", {"query": "grassland soil carbon depth profile 1 m"}, "1. Deep soils count\n2. ...")
    )
    talk.agent("I have the five. Number two disagrees with number five about everything below 40 cm.")
    talk.compact_in_place(
        notes(
            "A reading list on soil carbon, five papers in order.", ["SEARCH depth profiles", "CHOOSE five"]
        ),
        tail=3,
        clones=3,
    )
    talk.user("Summarise the disagreement in three sentences.")
    talk.agent(
        "Paper two finds that roots carry carbon below 40 cm and that it stays for centuries. Paper five"
        " finds the same carbon, but dates it to the last ice age. If five is right, a new meadow adds"
        " nothing there."
    )
    talk.compact_in_place(
        notes("A reading list on soil carbon.", ["SUMMARISE papers two and five disagree below 40 cm"]),
        shape="before",
        tail=1,
    )
    talk.user("Who would you believe?")
    talk.agent(
        "Five, for the old carbon. Neither, for what a new meadow does: nobody has waited long enough."
    )


def both_modes(ledger: Ledger) -> None:
    """One conversation that was compacted into a new session first and in place later."""
    talk = Talk(ledger, StorySetting(title="Board game prototype", days_ago=12.7, model="gpt-5.2"))
    talk.tell("""
» Help me to design a small board game about lighthouses. Two players, 20 minutes.
One player is the storm, one keeps three lamps alive. The storm moves on even rolls only, so it waits, too.
» I like the waiting. What runs out?
Oil. Each lamp burns one a turn, and ships bring it only to a lamp that shines.
""")
    talk.rotate(
        notes("Design a lighthouse game for two.", ["PROPOSE storm against keeper", "CHOOSE oil"]), tail=2
    )
    talk.user("It ends too early when the first lamp goes out.")
    talk.agent(
        "Then let a dark lamp be lit again from a neighbour, for two oil. Now the storm has to split up."
    )
    talk.compact_in_place(
        notes("Design a lighthouse game for two.", ["RULE relight for two oil"], pending="None."),
        shape="after",
        tail=1,
    )
    talk.user("We played it. 23 minutes, storm won by one turn!")
    talk.agent("That is the margin you want. Leave it alone for a week.")


def port_tests(ledger: Ledger) -> None:
    """More than two thousand messages of steady work, compacted in place four times."""
    talk = Talk(
        ledger, StorySetting(title="Port 330 test files to pytest", days_ago=2.6, cwd="/home/noa/monolith")
    )
    talk.user(
        "Port every unittest file under tests/ to pytest, one commit per file. Tell me what looks wrong."
    )
    for number in range(1, _FILES_TO_PORT + 1):
        _port_one(talk, number)
        if number % 11 == 0:
            talk.user(ledger.chance.choice(_REMARKS))
            talk.agent(f"{number} are done, {_FILES_TO_PORT - number} to go.")
        if number % _FILES_BETWEEN_COMPACTIONS == 0 and number < _FILES_TO_PORT:
            done = [f"PORT files 1 to {number}", f"COMMIT {number} commits, all green"]
            talk.compact_in_place(notes("Port every test file to pytest, one commit per file.", done), tail=4)
    talk.agent(
        f"All {_FILES_TO_PORT} files are ported. 4 tests never ran before: their names lacked `test_`."
    )


def _port_one(talk: Talk, number: int) -> None:
    chance = talk.ledger.chance
    area, check = chance.choice(_AREAS), chance.choice(_CHECKS)
    path = f"tests/{area}/test_{area}_{number:03d}.py"
    name = check.replace(" ", "_")
    old = (
        f"class Test{area.title()}(TestCase):\n"
        f"    def test_{name}(self):\n        self.assertTrue(check({number}))\n"
    )
    new = f"-        self.assertTrue(check({number}))\n+    assert check({number})\n"
    talk.tools(("read_file", {"path": path, "offset": 1, "limit": 200}, old))
    talk.tools(("patch", {"path": path, "diff": new}, f"Patched {path}"))
    seconds = chance.uniform(0.05, 1.4)
    talk.tools(("terminal", {"command": f"pytest -q {path}"}, f"\x1b[32m1 passed\x1b[0m in {seconds:.2f}s"))


def thinking(ledger: Ledger) -> None:
    """A talk with visible reasoning."""
    talk = Talk(ledger, StorySetting(title="Is 2027 prime?", days_ago=0.9, model="deepseek-r2"))
    talk.user("Is 2027 prime?")
    talk.agent(
        "Yes. No prime up to 45 divides it.",
        reasoning="The square root is a little above 45, so 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41,"
        " 43 are enough. 7 leaves 4, 11 leaves 3, 13 leaves 12, 17 leaves 4, 19 leaves 13, 23 leaves 3, 29"
        " leaves 26, 31 leaves 12, 37 leaves 29, 41 leaves 18, 43 leaves 6.",
        reasoning_content="",
    )


def pinned_note(ledger: Ledger) -> None:
    """A conversation pinned in its agent."""
    talk = Talk(ledger, StorySetting(title="House rules for the agent", days_ago=30.5, columns={"pinned": 1}))
    talk.tell("""
» Remember: never push to main, never touch the tax folder without asking, answer in short sentences.
Noted: no pushes to main, ask before the tax folder, short sentences.
""")


STORIES = (soil_carbon, both_modes, port_tests, thinking, pinned_note)
