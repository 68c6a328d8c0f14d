"""Offsets to the positions of the language server protocol, and back."""

from __future__ import annotations

import re
from bisect import bisect_right

ENDS = re.compile(r"\r\n|\r|\n")


class Positions:
    """The lines of a text as the protocol counts them: from 0, in code units of an encoding.

    `encoding` is `utf-16`, what every client knows, `utf-8` or `utf-32`.
    """

    def __init__(self, text: str, encoding: str = "utf-16") -> None:
        self.text = text
        self.encoding = encoding
        self.starts = [0, *(end.end() for end in ENDS.finditer(text))]

    def at(self, offset: int) -> tuple[int, int]:
        """Line and code unit of an offset in code points; the nearest there is for one outside of the text."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self.starts, offset) - 1
        return line, self._units(self.text[self.starts[line] : offset])

    def offset(self, line: int, unit: int) -> int:
        """The offset in code points of a line and code unit; the nearest there is for one outside of the text."""
        if line >= len(self.starts):
            return len(self.text)
        start = self.starts[line]
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        offset = start
        while offset < end and unit > 0:
            unit -= self._units(self.text[offset])
            offset += 1
        return offset

    def _units(self, text: str) -> int:
        if self.encoding == "utf-32":
            return len(text)
        if self.encoding == "utf-8":
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text) + sum(char > "\uffff" for char in text)
