"""New wording for a text in code, as one edit inside of one literal that leaves everything else as it was.

An edit is tried before it is given out: the file is parsed again, must have no new errors, and the text must then say
exactly what was asked for.
"""

from __future__ import annotations

from typing import NamedTuple

from tree_sitter import Node

from waitlint.facts import Attr as Attribute
from waitlint.facts import Binary, Call, Expr, Hole, Opaque, Piece, Seq, Span, Str
from waitlint.fix import Edit, RewriteText
from waitlint.frontends.typescript.literals import attribute_inside, jsx_inside, quoted
from waitlint.frontends.typescript.reader import Reader
from waitlint.frontends.typescript.strings import attribute_string, is_raw_tag, template
from waitlint.frontends.typescript.syntax import Tree
from waitlint.source import Source

HOLE = "\ufffc"
_WORDS, _ATTRIBUTE, _RAW = "jsx words", "jsx attribute", "raw template"
_INSIDE_STRING = frozenset({"string_fragment", "escape_sequence", '"', "'", "`"})
_INSIDE_ELEMENT = frozenset({"jsx_text", "html_character_reference"})


class Part(NamedTuple):
    """Some of the text. `piece` is None where it does not stand in a literal; `style` is how that is written."""

    text: str
    piece: Piece | None = None
    style: str = ""


class Found(NamedTuple):
    """A text in a file: the span of its expression, and its parts in order."""

    span: Span
    parts: list[Part]

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts)


def rewritten(source: Source, change: RewriteText) -> tuple[Edit, ...] | None:
    """The edit that gives the text at a span its new value; None if there is none. Empty where it has it already."""
    tree = Tree(source)
    found = _text_at(tree, change.span)
    if found is None or found.text.count(HOLE) != change.value.count(HOLE):
        return None
    if found.text == change.value:
        return ()
    for start, end in _differences(found.text, change.value):
        edit = _edit(source, found, change.value, start, end)
        if edit is not None and _says(source, tree, found, edit, change.value):
            return (edit,)
    return None


# ---------------------------------------------------------------- finding the text


def _text_at(tree: Tree, span: Span) -> Found | None:
    node = tree.root.descendant_for_byte_range(span.start, span.end)
    reader = Reader(tree.source)
    while node is not None and node.type in _INSIDE_STRING:
        node = node.parent
    if node is None:
        return None
    if node.type in _INSIDE_ELEMENT or node.type == "jsx_element":
        return _words_at(reader, node, span)
    node = reader.bare(node)
    if node.type == "string" and node.parent is not None and node.parent.type == "jsx_attribute":
        attribute = attribute_string(reader, node)
        return Found(attribute.span, [part._replace(style=_ATTRIBUTE + part.style) for part in _of_string(attribute)])
    if node.type == "template_string" and node.parent is not None and is_raw_tag(reader, node.parent.children[0]):
        raw = template(reader, node, raw=True)
        return Found(raw.span, [part._replace(style=_RAW) for part in _of_string(raw)])
    value = reader.expr(node)
    if isinstance(value, Str) and value.style == "":
        return None
    parts = _parts(value)
    if parts is None or not any(part.piece is not None for part in parts):
        return None
    return Found(value.span, parts)


def _words_at(reader: Reader, node: Node, span: Span) -> Found | None:
    """The words of an element of JSX."""
    element = node if node.type == "jsx_element" else node.parent
    value = reader.expr(element) if element is not None else None
    for part in value.parts if isinstance(value, Opaque) else ():
        if isinstance(part, Str) and part.style == "" and part.span.start <= span.start <= span.end <= part.span.end:
            return Found(part.span, [found._replace(style=_WORDS) for found in _of_string(part)])
    return None


def _parts(value: Expr) -> list[Part] | None:
    """The parts of a literal, a chain of `+` or a joined array; None for anything else."""
    if isinstance(value, Str):
        return _of_string(value)
    if isinstance(value, Binary) and value.op == "+":
        return [*_operand(value.left), *_operand(value.right)]
    match value:
        case Call(func=Attribute(base=Seq(items=items), name="join"), args=args, new=False) if items and len(args) == 1:
            separator = args[0].value
            if not isinstance(separator, Str) or separator.literal is None:
                return None
            parts = _operand(items[0])
            for item in items[1:]:
                parts.append(Part(separator.literal))
                parts.extend(_operand(item))
            return parts
    return None


def _operand(value: Expr) -> list[Part]:
    return _parts(value) or [Part(HOLE)]


def _of_string(value: Str) -> list[Part]:
    """The parts of a string. A template that begins or ends with a hole has an empty part there."""
    parts = [Part(HOLE) if isinstance(piece, Hole) else Part(piece.text, piece, value.style) for piece in value.pieces]
    if value.style == "`":
        if isinstance(value.pieces[0], Hole):
            parts.insert(0, Part("", Piece("", ((0, value.span.start + 1),)), value.style))
        if isinstance(value.pieces[-1], Hole):
            parts.append(Part("", Piece("", ((0, value.span.end - 1),)), value.style))
    return parts


# ---------------------------------------------------------------- the edit


def _differences(old: str, new: str) -> list[tuple[int, int]]:
    """Parts of `old` whose replacement makes it `new`: as far back, and as far to the front, as can be."""
    limit = min(len(old), len(new))
    head = next((i for i in range(limit) if old[i] != new[i]), limit)
    rest = next((i for i in range(limit - head) if old[-1 - i] != new[-1 - i]), limit - head)
    tail = next((i for i in range(limit) if old[-1 - i] != new[-1 - i]), limit)
    front = next((i for i in range(limit - tail) if old[i] != new[i]), limit - tail)
    return list(dict.fromkeys([(head, len(old) - rest), (front, len(old) - tail), (0, len(old))]))


def _edit(source: Source, found: Found, value: str, start: int, end: int) -> Edit | None:
    """The edit for `text[start:end]`, if that stands in one literal."""
    offset = 0
    for part in found.parts:
        left, right = start - offset, end - offset
        size = len(part.text)
        if part.piece is not None and left >= 0 and right <= size:
            left, at = _before(part.piece, left)
            right, to = _after(part.piece, right)
            last = len(value) - (len(found.text) - offset - right)
            words = value[offset + left : last]
            if HOLE in words:
                return None
            return Edit(source.path, at, max(at, to), _written(words, part.style, source))
        offset += size
    return None


def _before(piece: Piece, offset: int) -> tuple[int, int]:
    """The last place at or before an offset of the text where the source can be cut, and where in the source it is."""
    best = piece.places[0]
    following = piece.places[-1]
    for place in piece.places:
        if place[0] > offset:
            following = place
            break
        best = place
    if following[0] - best[0] == following[1] - best[1]:
        return offset, best[1] + offset - best[0]
    return best


def _after(piece: Piece, offset: int) -> tuple[int, int]:
    """The first such place at or after an offset."""
    cut = _before(piece, offset)
    if cut[0] == offset:
        return cut
    return next((place for place in piece.places if place[0] >= offset), piece.places[-1])


def _written(words: str, style: str, source: Source) -> str:
    if style == _WORDS:
        return jsx_inside(words)
    if style.startswith(_ATTRIBUTE):
        return attribute_inside(words, style[-1])
    inside = words if style == _RAW else quoted(words, style)
    return inside.replace("\n", source.newline) if style in ("`", _RAW) else inside


def _says(source: Source, tree: Tree, before: Found, edit: Edit, value: str) -> bool:
    """Whether the edited file parses as well as before and says `value` where the text stood."""
    text = source.text[: edit.start] + edit.text + source.text[edit.end :]
    after = Tree(Source(source.path, text, bom=source.bom))
    if len(after.errors()) > len(tree.errors()):
        return False
    span = Span(before.span.start, before.span.end + len(text) - len(source.text))
    found = _text_at(after, span)
    return found is not None and found.span == span and found.text == value and len(found.parts) == len(before.parts)
