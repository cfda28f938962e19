"""Task lists in Markdown: an item that begins with `[ ]` or `[x]` gets a box that cannot be ticked."""

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from hermes_sessions.late_patterns import late_pattern

_BOX = late_pattern(r"\[([ xX])\]\s+")
_BOX_CHARS = 3
_LISTS = ("bullet_list_open", "ordered_list_open")


def with_tasks(parser: MarkdownIt) -> None:
    """Let *parser* make boxes."""
    parser.core.ruler.after("inline", "tasks", _make_boxes)


def _make_boxes(state: StateCore) -> None:
    """Walk the blocks once; the lists that are open are on a stack."""
    lists: list[Token] = []
    tokens = state.tokens
    for index, token in enumerate(tokens):
        if token.type in _LISTS:
            lists.append(token)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            lists.pop()
        elif token.type == "inline" and lists and tokens[index - 2].type == "list_item_open":
            found = _BOX.match(token.content)
            if found and token.children:
                tokens[index - 2].attrSet("class", "task-list-item")
                lists[-1].attrSet("class", "contains-task-list")
                _box(token, ticked=found[1] != " ")


def _box(token: Token, *, ticked: bool) -> None:
    box = Token("html_inline", "", 0)
    checked = ' checked="checked"' if ticked else ""
    box.content = f'<input class="task-list-item-checkbox"{checked} disabled="disabled" type="checkbox">'
    children = token.children or []
    children[0].content = children[0].content[_BOX_CHARS:]
    token.children = [box, *children]
