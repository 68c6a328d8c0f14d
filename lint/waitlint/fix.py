"""Repairs that a rule asks for, and the text edits that carry them out."""

from __future__ import annotations

import enum

from msgspec import Struct

from waitlint.facts import Span


class Applicability(enum.StrEnum):
    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display"


class Edit(Struct, frozen=True, order=True):
    """Replace [start, end) of a file's text, in code points, by `text`."""

    path: str
    start: int
    end: int
    text: str


class RewriteText(Struct, frozen=True, tag=True):
    """Give the text that stands at `span` of `path` the new value `value`; quoting and escapes are the front end's."""

    path: str
    span: Span
    value: str


class AddDescription(Struct, frozen=True, tag=True):
    """Give the tool defined at `span` of `path` (its function or its definition object) the description `value`."""

    path: str
    span: Span
    value: str


Change = RewriteText | AddDescription


class Repair(Struct, frozen=True):
    """A language-neutral change: all of `changes`, or none."""

    title: str
    applicability: Applicability
    changes: tuple[Change, ...]


class Fix(Struct, frozen=True):
    """A repair as edits: applied whole or not at all."""

    title: str
    applicability: Applicability
    edits: tuple[Edit, ...]
