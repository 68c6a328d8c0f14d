"""Calls that say by their name that they wait, on what the catalog does not know."""

from __future__ import annotations

import re
from functools import cache

from waitlint.interpret.values import Constant, External, Instance, MethodOf, Outside, Unknown, Value

Args = list[tuple[str | None, Value]]
WAITS = re.compile(
    r"_*(?:a?wait|a?wait_for_\w+|a?wait_(?:until|till|while)_\w+|a?poll_(?:until|for|till)_\w+|poll_task|"
    r"\w+_and_(?:wait|poll)|wait_\w*(?:completion|complete|completed|done|finish|finished|ready|result|terminated))"
)
BY_TIMEOUT = frozenset({"result", "join", "wait", "communicate", "get"})
IN_SECONDS = (
    "timeout",
    "timeout_seconds",
    "timeout_secs",
    "timeout_sec",
    "timeout_s",
    "max_wait",
    "max_wait_seconds",
    "max_wait_time",
    "max_wait_secs",
    "wait_timeout",
    "wait_seconds",
)
IN_MILLISECONDS = ("timeout_ms", "timeout_millis", "max_wait_ms")
# From here on a timeout may as well be meant in milliseconds.
PERHAPS_MILLISECONDS = 1000.0
NOT_KNOWN = Unknown("a call that is not in the catalog, by its name a wait")


def wait_by_name(owner: Value | None, name: str, args: Args) -> tuple[Value, float] | None:
    """How long such a call waits, and the scale of that in seconds; None for a call whose name says no such thing."""
    is_wait = _says_wait(name)
    if not is_wait and name not in BY_TIMEOUT:
        return None
    if owner is not None and not _may_wait(owner):
        return None
    named = {key: value for key, value in args if key}
    plain = [value for key, value in args if key is None]
    given = next(((named[key], 1.0) for key in IN_SECONDS if key in named), None)
    given = given or next(((named[key], 0.001) for key in IN_MILLISECONDS if key in named), None)
    if name in BY_TIMEOUT and given is not None and _is_all_about_time(name, named, plain):
        return given
    if not is_wait:
        return None
    if given is not None:
        return (NOT_KNOWN, 1.0) if given[1] == 1.0 and _may_be_milliseconds(given[0]) else given
    if name == "wait" and len(plain) == 1 and not named and _is_number(plain[0]):
        return (NOT_KNOWN, 1.0) if _may_be_milliseconds(plain[0]) else (plain[0], 1.0)
    return NOT_KNOWN, 1.0


@cache
def _says_wait(name: str) -> bool:
    return WAITS.fullmatch(name) is not None


def _is_all_about_time(name: str, named: dict[str, Value], plain: list[Value]) -> bool:
    """Whether a call says no more than how long: `get(timeout=5)` waits, `get(url, timeout=5)` reads."""
    if name == "communicate":
        return True
    return not plain and named.keys() <= {*IN_SECONDS, *IN_MILLISECONDS, "block"}


def _may_wait(owner: Value) -> bool:
    while isinstance(owner, MethodOf):
        owner = owner.owner
    if isinstance(owner, Instance):
        return isinstance(owner.type, External)
    return isinstance(owner, Unknown | External | Outside)


def _is_number(value: Value) -> bool:
    return isinstance(value, Constant) and value.number is not None


def _may_be_milliseconds(value: Value) -> bool:
    return isinstance(value, Constant) and value.number is not None and value.number >= PERHAPS_MILLISECONDS


__all__ = ["NOT_KNOWN", "wait_by_name"]
