"""What the words of a command say about how long it runs."""

from __future__ import annotations

import re

from waitlint.interpret.values import Constant, Items, Textual, Value

LIMITERS = frozenset({"timeout", "gtimeout"})
LIMITED_LINE = re.compile(r"\s*(?:sudo\s+)?g?timeout\s+(?:-\S+\s+)*(\d+(?:\.\d+)?)([smhd]?)\s")
TAKING = frozenset({"-k", "--kill-after", "-s", "--signal"})
LENGTH = re.compile(r"(\d+(?:\.\d+)?)([smhd]?)")
UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def own_limit(args: list[tuple[str | None, Value]]) -> Value | None:
    """The seconds after which a command ends itself: it is run under `timeout` of the coreutils."""
    first = next((value for key, value in args if key is None), None)
    if isinstance(first, Textual):
        found = LIMITED_LINE.match(first.known_text)
        return _seconds(found, first) if found is not None else None
    if not isinstance(first, Items) or not first.items or not _is_limiter(first.items[0]):
        return None
    before = ""
    for item in first.items[1:]:
        said = item.known_text if isinstance(item, Textual) else ""
        takes_value, before = before in TAKING, said
        if takes_value or said.startswith("-"):
            continue
        if isinstance(item, Textual):
            found = LENGTH.fullmatch(item.literal or "")
            return _seconds(found, item) if found is not None else None
        return item
    return None


def _is_limiter(value: Value) -> bool:
    return isinstance(value, Textual) and (value.literal or "").rpartition("/")[2] in LIMITERS


def _seconds(found: re.Match[str], text: Textual) -> Constant:
    return Constant(float(found[1]) * UNITS[found[2]], text.place)
