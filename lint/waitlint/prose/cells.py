"""The cells of a table's row."""

from __future__ import annotations


def cells_of(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Spans of a table row's cells, without surrounding blanks; a bar in backticks or behind a backslash is text."""
    cells: list[tuple[int, int]] = []
    if text[start] == "|":
        start += 1
    ticks = False
    begin = start
    for position in range(start, end):
        char = text[position]
        if char == "`":
            ticks = not ticks
        elif char == "|" and not ticks and text[position - 1] != "\\":
            cells.append((begin, position))
            begin = position + 1
    if text[begin:end].strip():
        cells.append((begin, end))
    trimmed = []
    for a, b in cells:
        while a < b and text[a] in " \t":
            a += 1
        while b > a and text[b - 1] in " \t":
            b -= 1
        trimmed.append((a, b))
    return trimmed
