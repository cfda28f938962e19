"""Reading pages in tests: elements with their attributes and text, in order."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = {"meta", "link", "input", "img", "br", "hr", "path", "circle"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    children: list["Element | str"] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text inside, white space collapsed."""
        pieces = [child if isinstance(child, str) else child.text for child in self.children]
        return " ".join(" ".join(pieces).split())

    @property
    def classes(self) -> set[str]:
        return set(self.attributes.get("class", "").split())

    def walk(self) -> Iterator["Element"]:
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.walk()

    def all(self, wanted: Callable[["Element"], bool]) -> list["Element"]:
        return [one for one in self.walk() if wanted(one)]

    def by_class(self, name: str) -> list["Element"]:
        return self.all(lambda one: name in one.classes)

    def by_tag(self, tag: str) -> list["Element"]:
        return self.all(lambda one: one.tag == tag)

    def by_id(self, id: str) -> "Element":
        (found,) = self.all(lambda one: one.attributes.get("id") == id)
        return found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("root", {})
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self._open[-1].children.append(element)
        if tag not in _VOID:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if tag in {one.tag for one in self._open}:
            while self._open.pop().tag != tag:
                pass

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)


def read(html: str) -> Element:
    reader = _Reader()
    reader.feed(html)
    return reader.root
