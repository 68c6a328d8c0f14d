"""Data documents (JSON, YAML, TOML) as values, every string and number at its place."""

from __future__ import annotations

from waitlint.facts import Const, Expr, Map, Name, Piece, Seq, Str
from waitlint.finding import Place
from waitlint.interpret.values import Constant, Items, Record, TextPart, Textual, Unknown, Value

MOST_LEVELS = 40


def data_value(expr: Expr, path: str, level: int = 0) -> Value:
    """What a document of the file at `path`, or a part of it, is to the code that loads it."""
    place = Place(path, expr.span)
    if level > MOST_LEVELS:
        return Unknown("too deep a document")
    match expr:
        case Str(pieces=pieces):
            parts = tuple(TextPart(path, piece) if isinstance(piece, Piece) else None for piece in pieces)
            return Textual(parts, place)
        case Const(value=value):
            return Constant(value, place)
        case Seq(items=items):
            return Items(tuple(data_value(item, path, level + 1) for item in items))
        case Map(entries=entries):
            found: dict[str, Value] = {}
            places: dict[str, Place] = {}
            merged = False
            for entry in entries:
                name = _name_of(entry.key)
                if name is None:
                    merged = True
                    continue
                found[name] = data_value(entry.value, path, level + 1)
                places[name] = Place(path, entry.span)
            return Record(found, open=merged, place=place, places=places)
    return Unknown("a value of another kind in a document")


def _name_of(key: Expr | None) -> str | None:
    match key:
        case Str():
            return key.literal
        case Const(value=value):
            return str(value)
        case Name(name=name):
            return name
    return None
