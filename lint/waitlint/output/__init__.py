"""Output formats: each is a module, looked up by its name and imported when it is used.

A text format offers `lines(report)`, which may be coloured; every format offers `render(report)`.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Protocol, cast

from waitlint.output.styled import Line
from waitlint.report import Report

FORMATS = {
    "full": "full",
    "concise": "concise",
    "json": "json",
    "sarif": "sarif",
    "github": "github",
    "gitlab": "gitlab",
    "junit": "junit",
    "markdown": "markdown",
}
TEXT_FORMATS = ("full", "concise")


class Format(Protocol):
    def render(self, report: Report) -> str: ...


class TextFormat(Format, Protocol):
    def lines(self, report: Report) -> Iterator[Line]: ...


def render(report: Report, name: str) -> str:
    """A report in a format, as plain text; empty, or ending in a newline."""
    module = cast(Format, importlib.import_module(f"{__name__}.{FORMATS[name]}"))
    return module.render(report)


def lines(report: Report, name: str) -> Iterator[Line]:
    """A report in one of `TEXT_FORMATS`, line by line, with styles."""
    module = cast(TextFormat, importlib.import_module(f"{__name__}.{FORMATS[name]}"))
    return module.lines(report)
