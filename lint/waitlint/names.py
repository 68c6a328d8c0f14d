"""What a name says: its words, and the unit of time that they tell."""

from __future__ import annotations

import re

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SPLIT = re.compile(r"[^0-9a-zA-Z\u00c0-\uffff]+")
_CALLED = re.compile(r"(?:await\s+)?([\w$.]+)\s*[(<]")

# Words for units of time, in seconds.
UNITS = {
    **dict.fromkeys(["ms", "msec", "msecs", "millis", "millisecond", "milliseconds"], 0.001),
    **dict.fromkeys(["s", "sec", "secs", "second", "seconds"], 1.0),
    **dict.fromkeys(["m", "min", "mins", "minute", "minutes"], 60.0),
    **dict.fromkeys(["h", "hr", "hrs", "hour", "hours"], 3600.0),
    **dict.fromkeys(["d", "day", "days"], 86400.0),
    **dict.fromkeys(["week", "weeks"], 604800.0),
    **dict.fromkeys(["month", "months", "quarter", "quarters"], 2_592_000.0),
    **dict.fromkeys(["year", "years"], 31_536_000.0),
}
# In names, these stand for something else as well: `min_delay`.
AMBIGUOUS = frozenset({"m", "min", "h", "d"})


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name, however they are joined: `check-build-status`, `checkBuildStatus`, `check build status`."""
    return tuple(part.lower() for part in _SPLIT.split(_HUMP.sub(" ", name)) if part)


def spaced(code: str) -> str:
    """Code in lower case, its names as words: `not is done` of `not is_done` and of `not isDone`."""
    return _CAPITAL.sub(" ", code).replace("_", " ").lower()


def unit_told(name: str) -> float | None:
    """The unit of a number by its name: 0.001 for `timeoutMs`, 60 for `wait_minutes`; None where it tells none."""
    return next((UNITS[word] for word in reversed(words_of(name)) if word in UNITS and word not in AMBIGUOUS), None)


def said(api: str, written: str) -> str:
    """A qualified name as people say it: `axios.get` of `axios.default.get`.

    What is itself the default of its module has no name but the one by which it is called where it is `written`.
    """
    own = _CALLED.match(written) if api.endswith(".default") else None
    return own.group(1) if own else ".".join(part for part in api.split(".") if part != "default")


def callee(written: str) -> str:
    """What a call calls, without what it is called with: `mill().grind` of `await mill("stone").grind(grain)`."""
    said, depth, quote = "", 0, ""
    for sign in written.removeprefix("await "):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"`":
            quote = sign
        elif sign == "(":
            said += "()" if depth == 0 else ""
            depth += 1
        elif sign == ")":
            depth -= 1
        elif depth == 0 and not sign.isspace():
            said += sign
    return said.removesuffix("()").removeprefix("().")
