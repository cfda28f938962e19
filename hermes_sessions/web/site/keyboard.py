"""The keys of the viewer, said once: pages carry them for the script, the help page shows them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Key:
    """One key.

    Attributes:
        key: as a browser names it.
        action: what the script does; an element's `data-action` where it has no function for it.
            None: the browser does it by itself.
        words: what the help page says.
        place: where it works.
    """

    key: str
    action: str | None
    words: str
    place: str


EVERYWHERE, READING, ORGANISING = "Everywhere", "In a conversation", "Organising"

KEYS = (
    Key("j", "next", "next conversation, message or row", EVERYWHERE),
    Key("k", "previous", "the one before", EVERYWHERE),
    Key("Enter", None, "open what is marked", EVERYWHERE),
    Key("o", "open", "open or close the details of what is marked", EVERYWHERE),
    Key("/", "search", "search everything", EVERYWHERE),
    Key("f", "filter", "filter the list", EVERYWHERE),
    Key("h", "home", "the conversations", EVERYWHERE),
    Key("v", "overview", "the overview", EVERYWHERE),
    Key("Escape", None, "leave a field, close a menu", EVERYWHERE),
    Key("Ctrl-K", None, "commands: go to, find, do", EVERYWHERE),
    Key("?", "help", "this page", EVERYWHERE),
    Key("]", "next-prompt", "your next prompt", READING),
    Key("[", "previous-prompt", "your prompt before", READING),
    Key("g", "first", "first message", READING),
    Key("G", "latest", "latest message", READING),
    Key("l", "contents", "contents: your prompts and the compactions; arrows walk them", READING),
    Key("a", "tools", "open or close all tool calls", READING),
    Key("n", "next-hit", "next hit of the search", READING),
    Key("N", "previous-hit", "the hit before", READING),
    Key("c", "copy", "copy the marked message", READING),
    Key("x", "tick", "tick or untick the marked conversation", ORGANISING),
    Key("p", "pin", "pin or unpin what is ticked, else what is marked or open", ORGANISING),
    Key("e", "archive", "archive it, or take it out of the archive", ORGANISING),
    Key("t", "tags", "write tags", ORGANISING),
    Key("m", "note", "write a note (a memo)", ORGANISING),
    Key("u", "undo", "undo what was just done", ORGANISING),
)


def actions() -> dict[str, str]:
    """Return the action of each key, for the script."""
    return {one.key: one.action for one in KEYS if one.action is not None}


def by_place() -> dict[str, tuple[Key, ...]]:
    """Return the keys by where they work, in the order they are explained."""
    places = dict.fromkeys(one.place for one in KEYS)
    return {place: tuple(one for one in KEYS if one.place == place) for place in places}
