"""Documents that code reads as text: what they say, every character at its place."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping

from waitlint.facts import Do, FileFacts, Piece, Span, Text
from waitlint.finding import Place
from waitlint.interpret.data import data_value
from waitlint.interpret.values import FilePath, TextPart, Textual, Value
from waitlint.project.sources import Sources

# What is not in view yet and may be read as a document, by its path under the root, and the path under which it is
# known, which is another one for a copy; None for anything else.
ReadDocument = Callable[[str], tuple[str, FileFacts] | None]
PROSE = ("markdown", "text")
PLAIN = ("json", "yaml", "toml")
MOST_FOLDERS = 12


def nothing_further(path: str) -> tuple[str, FileFacts] | None:
    """A `ReadDocument` for a project in which nothing but the files in view is read."""
    return None


class Documents:
    """Texts of documents, from the files in view or from further ones, which `granted` holds."""

    def __init__(self, files: Mapping[str, FileFacts], sources: Sources, read: ReadDocument) -> None:
        self.files = files
        self.sources = sources
        self.granted: dict[str, FileFacts] = {}
        self._read = read
        self._known: dict[str, Textual | None] = {}
        self._data: dict[str, Value | None] = {}
        self._facts: dict[str, FileFacts] = {}

    def find(self, path: FilePath, near: str) -> Textual | None:
        """What stands in the document that code in the file `near` reads.

        A path that counts from an unknown working folder means the nearest file that fits, from the folder of the code
        upwards.
        """
        for place in _places(path, near):
            found = self.text(place)
            if found is not None:
                return found
        return None

    def data(self, path: FilePath, near: str) -> Value | None:
        """What the data document that code in the file `near` loads holds, found as `find` does."""
        for place in _places(path, near):
            if self.text(place) is not None:
                return self._holds(place)
        return None

    def imported(self, importer: str, module: str) -> Value | None:
        """What `import text from "./prompt.md"` binds, where `with {type: "text"}` or a bundler makes it a text.

        A data document is bound as what it holds, unless a query (`?raw`) asks for the text.
        """
        if self.files[importer].language == "python":
            return None
        name, _, query = module.partition("?")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(importer), name))
        text = self.text(path)
        return text if query or text is None else self._holds(path) or text

    def is_data(self, path: str) -> bool:
        """Whether what was read from a file is data, whose strings stand in no code."""
        facts = self._facts.get(path)
        return facts is not None and facts.language in PLAIN

    def _holds(self, path: str) -> Value | None:
        if path not in self._data:
            self._data[path] = self._loaded(path)
        return self._data[path]

    def _loaded(self, path: str) -> Value | None:
        facts = self._facts.get(path)
        if facts is None or facts.language not in PLAIN or len(facts.body) != 1:
            return None
        document = facts.body[0]
        return data_value(document.value, path) if isinstance(document, Do) else None

    def text(self, path: str) -> Textual | None:
        """The text of the document at a path under the root."""
        if path not in self._known:
            self._known[path] = self._text(path)
        return self._known[path]

    @property
    def asked(self) -> list[str]:
        """The paths of all documents that were asked for, whether or not they are there."""
        return list(self._known)

    def look(self, path: str) -> tuple[str, FileFacts] | None:
        """The facts at a path, in view or granted, with the path under which they are known."""
        facts = self.files.get(path)
        if facts is not None:
            self._facts[path] = facts
            return path, facts
        found = self._read(path)
        if found is not None:
            self._facts[path] = found[1]
            if found[0] not in self.files:
                self.granted[found[0]] = found[1]
        return found

    def _text(self, path: str) -> Textual | None:
        found = self.look(path)
        if found is None:
            return None
        path, facts = found
        if facts.language in PROSE:
            text = body_of(facts)
            if text is None:
                return None
            return Textual((TextPart(path, Piece(text.value, text.places)),), Place(path, text.span))
        if facts.language in PLAIN:
            source = self.sources.get(path)
            if source is not None and source.text:
                length = len(source.text)
                piece = Piece(source.text, ((0, 0), (length, length)))
                return Textual((TextPart(path, piece),), Place(path, Span(0, length)))
        return None


def body_of(facts: FileFacts) -> Text | None:
    """The text of a document without its front matter."""
    bodies = [text for text in facts.texts if text.role != "front-matter"]
    return bodies[-1] if bodies else None


def _places(path: FilePath, near: str) -> Iterator[str]:
    """The paths under the root that a path in code can mean, nearest first."""
    bases = [""]
    if not path.anchored:
        folder = posixpath.dirname(near)
        bases = [folder]
        while folder and len(bases) < MOST_FOLDERS:
            folder = posixpath.dirname(folder)
            bases.append(folder)
    for base in bases:
        place = posixpath.normpath(posixpath.join(base, path.path))
        if place not in (".", "..") and not place.startswith(("../", "/")):
            yield place
