"""TOML with exact places. `tomllib` says whether a document is valid; the reader here says where everything stands."""

from __future__ import annotations

import re
import tomllib

from waitlint.facts import Const, Entry, Expr, Map, Opaque, Seq, Span, Str
from waitlint.frontends.documents.json_tree import number
from waitlint.frontends.documents.places import Mapped, closed, replaced, string, verbatim
from waitlint.frontends.documents.tree import MAX_DEPTH, Problem, TooMuch, Tree

_BLANK = re.compile(r"[ \t]*+")
_BARE = re.compile(r"[\w-]++")
_VALUE = re.compile(r"[^\s,\]}#]+(?: \d\d:\d\d[^\s,\]}#]*)?")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([ \t]*\r?\n\s*)|(.))", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "e": "\x1b"}
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


class _Broken(Exception):
    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset


class _Table:
    """A table that can still grow; TOML lets its parts stand far apart."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.end = start
        self.keys: dict[str, Str] = {}
        self.values: dict[str, Expr | _Table | list[_Table]] = {}

    def frozen(self, depth: int = 0) -> Map:
        if depth > MAX_DEPTH:
            raise TooMuch(f"nested deeper than {MAX_DEPTH} levels")
        entries: list[Entry] = []
        for name, value in self.values.items():
            key = self.keys[name]
            if isinstance(value, _Table):
                whole: Expr = value.frozen(depth + 1)
            elif isinstance(value, list):
                items = tuple(item.frozen(depth + 2) for item in value)
                whole = Seq(Span(items[0].span.start, items[-1].span.end), items)
            else:
                whole = value
            entries.append(Entry(key, whole, Span(key.span.start, max(whole.span.end, key.span.end))))
        return Map(Span(self.start, max(self.end, self.start)), tuple(entries))


def parse_toml(text: str) -> Tree:
    """The document as a tree. What stands before the first thing that can't be read is kept."""
    problems: list[Problem] = []
    reader = _Reader(text)
    try:
        reader.document()
    except _Broken as broken:
        problems.append(Problem(broken.offset, f"not valid TOML: {broken}"))
    except TooMuch as bound:
        return Tree((), tuple(reader.comments), (Problem(0, str(bound)),))
    if not problems:
        try:
            tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
            problems.append(Problem(0, f"not valid TOML: {error}"))
    try:
        root = reader.root.frozen()
    except TooMuch as bound:
        return Tree((), tuple(reader.comments), (Problem(0, str(bound)),))
    return Tree((root,), tuple(reader.comments), tuple(problems))


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.comments: list[Span] = []
        self.root = _Table(0)
        self.root.end = len(text)

    def document(self) -> None:
        table = self.root
        while True:
            self.gap()
            if self.position >= len(self.text):
                return
            if self.text[self.position] == "[":
                table = self.header()
            else:
                start = self.position
                path = self.key_path()
                self.expect("=")
                value = self.value(0)
                self.put(self.inside(table, path[:-1], start), path[-1], value)
                table.end = max(table.end, self.position)
            self.blank()
            if self.position < len(self.text) and self.text[self.position] not in "\r\n#":
                raise _Broken(self.position, "a line has no end")

    def blank(self) -> None:
        found = _BLANK.match(self.text, self.position)
        self.position = found.end() if found else self.position

    def gap(self) -> None:
        """Go over blanks, newlines and comments."""
        text = self.text
        while self.position < len(text):
            char = text[self.position]
            if char == "#":
                end = self.position
                while end < len(text) and text[end] not in "\r\n":
                    end += 1
                self.comments.append(Span(self.position, end))
                self.position = end
            elif char in " \t\r\n":
                self.position += 1
            else:
                return

    def expect(self, char: str) -> None:
        self.blank()
        if not self.text.startswith(char, self.position):
            raise _Broken(self.position, f"“{char}” is missing")
        self.position += len(char)

    def header(self) -> _Table:
        start = self.position
        many = self.text.startswith("[[", start)
        self.position += 2 if many else 1
        path = self.key_path()
        self.expect("]]" if many else "]")
        parent = self.inside(self.root, path[:-1], start)
        key, name = path[-1], path[-1].literal or ""
        known = parent.values.get(name)
        table = _Table(start)
        table.end = self.position
        if many:
            if isinstance(known, list):
                known.append(table)
                return table
            if known is None:
                parent.keys[name] = key
                parent.values[name] = [table]
                return table
        elif isinstance(known, _Table):
            known.end = max(known.end, self.position)
            return known
        elif known is None:
            parent.keys[name] = key
            parent.values[name] = table
            return table
        raise _Broken(start, f"“{name}” is already something else")

    def inside(self, table: _Table, path: list[Str], start: int) -> _Table:
        """The table that a dotted key leads to, made on the way where it is missing."""
        for key in path:
            name = key.literal or ""
            known = table.values.get(name)
            if isinstance(known, list):
                table = known[-1]
            elif isinstance(known, _Table):
                table = known
            elif known is None:
                made = _Table(start)
                table.keys[name] = key
                table.values[name] = made
                table = made
            else:
                raise _Broken(key.span.start, f"“{name}” is already a value")
            table.end = max(table.end, self.position)
        return table

    def put(self, table: _Table, key: Str, value: Expr) -> None:
        name = key.literal or ""
        if name in table.values:
            raise _Broken(key.span.start, f"duplicate key “{name[:60]}”")
        table.keys[name] = key
        table.values[name] = value
        table.end = max(table.end, value.span.end)

    def key_path(self) -> list[Str]:
        path: list[Str] = []
        while True:
            self.blank()
            start = self.position
            if start < len(self.text) and self.text[start] in "\"'":
                path.append(self.string())
            elif found := _BARE.match(self.text, start):
                self.position = found.end()
                path.append(string(verbatim(self.text, start, found.end()), Span(start, found.end()), ""))
            else:
                raise _Broken(start, "a key is missing")
            if len(path) > MAX_DEPTH:
                raise TooMuch(f"nested deeper than {MAX_DEPTH} levels")
            self.blank()
            if not self.text.startswith(".", self.position):
                return path
            self.position += 1

    def value(self, depth: int) -> Expr:
        if depth > MAX_DEPTH:
            raise TooMuch(f"nested deeper than {MAX_DEPTH} levels")
        self.blank()
        start = self.position
        char = self.text[start : start + 1]
        if char and char in "\"'":
            return self.string()
        if char == "[":
            return self.array(depth)
        if char == "{":
            return self.inline_table(depth)
        found = _VALUE.match(self.text, start)
        if not found:
            raise _Broken(start, "a value is missing")
        self.position = found.end()
        return _scalar(found.group(), Span(start, found.end()))

    def array(self, depth: int) -> Seq:
        start = self.position
        self.position += 1
        items: list[Expr] = []
        while True:
            self.gap()
            if self.text.startswith("]", self.position):
                self.position += 1
                return Seq(Span(start, self.position), tuple(items))
            items.append(self.value(depth + 1))
            self.gap()
            if self.text.startswith(",", self.position):
                self.position += 1
            elif not self.text.startswith("]", self.position):
                raise _Broken(self.position, "“]” is missing")

    def inline_table(self, depth: int) -> Map:
        start = self.position
        table = _Table(start)
        self.position += 1
        while True:
            self.gap()
            if self.text.startswith("}", self.position):
                self.position += 1
                table.end = self.position
                return table.frozen(depth)
            begin = self.position
            path = self.key_path()
            self.expect("=")
            value = self.value(depth + 1)
            self.put(self.inside(table, path[:-1], begin), path[-1], value)
            self.gap()
            if self.text.startswith(",", self.position):
                self.position += 1
            elif not self.text.startswith("}", self.position):
                raise _Broken(self.position, "“}” is missing")

    def string(self) -> Str:
        text, start = self.text, self.position
        quote = text[start]
        if text.startswith(quote * 3, start):
            return self.multi_line(quote)
        end = start + 1
        while end < len(text) and text[end] != quote:
            if text[end] in "\r\n":
                break
            end += 2 if quote == '"' and text[end] == "\\" else 1
        if end >= len(text) or text[end] != quote:
            raise _Broken(start, "a string has no end")
        self.position = end + 1
        mapped = unescaped(text, start + 1, end) if quote == '"' else verbatim(text, start + 1, end)
        return string(mapped, Span(start, end + 1), quote)

    def multi_line(self, quote: str) -> Str:
        text, start = self.text, self.position
        begin = start + 3
        end = begin
        while True:
            end = text.find(quote * 3, end)
            if end < 0:
                raise _Broken(start, "a string has no end")
            slashes = end
            while quote == '"' and slashes > begin and text[slashes - 1] == "\\":
                slashes -= 1
            if (end - slashes) % 2 == 0:
                break
            end += 1
        closing = end
        while text.startswith(quote, end + 3) and end < closing + 2:
            end += 1
        self.position = end + 3
        if text.startswith("\r\n", begin):
            begin += 2
        elif text.startswith("\n", begin):
            begin += 1
        mapped = unescaped(text, begin, end) if quote == '"' else verbatim(text, begin, end)
        returns = ((found.start(), found.end(), "\n") for found in re.finditer(r"\r\n", mapped.text))
        return string(replaced(mapped, returns), Span(start, self.position), quote * 3)


def unescaped(text: str, start: int, end: int) -> Mapped:
    """The value of a basic string whose inside is [start, end)."""
    inner = text[start:end]
    if "\\" not in inner:
        return verbatim(text, start, end)
    out: list[str] = []
    pairs: list[tuple[int, int]] = [(0, start)]
    length, position = 0, start
    for escape in _ESCAPE.finditer(text, start, end):
        out.append(text[position : escape.start()])
        length += escape.start() - position
        position = escape.end()
        digits = escape.group(1) or escape.group(2) or escape.group(3)
        if digits:
            code = int(digits, 16)
            out.append("\ufffd" if 0xD800 <= code <= 0xDFFF or code > 0x10FFFF else chr(code))
            length += 1
        elif escape.group(4) is None:
            out.append(_SIMPLE.get(escape.group(5), escape.group(5)))
            length += 1
        if pairs[-1][0] == length:
            pairs[-1] = (length, position)
        else:
            pairs.append((length, position))
    out.append(text[position:end])
    value = "".join(out)
    return Mapped(value, closed(pairs, len(value), end))


def _scalar(word: str, span: Span) -> Expr:
    if word in ("true", "false"):
        return Const(span, word == "true")
    plain = word.replace("_", "")
    if _NUMBER.fullmatch(plain):
        return number(plain, span)
    try:
        if plain[:2] in ("0x", "0o", "0b") and len(plain) <= 17:
            return Const(span, int(plain, 0))
    except ValueError:
        pass
    return Opaque(span)
