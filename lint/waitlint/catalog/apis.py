"""Calls that matter to a wait: the tables in `apis/` as typed rows, found by name or by method and receiver."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from waitlint.catalog.tables import rows_of


class Slot(Struct, frozen=True):
    """Where in a call a value stands: a position from 0 (-1 for the last), a keyword, and a key path inside it."""

    arg: int | None = None
    name: str | None = None
    key: str | None = None


class Api(Struct, frozen=True, rename="kebab"):
    """One kind of call.

    `kind`: `sleep` pauses for its `seconds`; `read` asks the outside and has a `timeout`; `block` waits for someone
    else's work to finish and has a `timeout`; `scope` bounds what runs inside it by its `seconds`; `race` runs all that
    is handed to it and ends with the first; `all` runs all; `run` calls its `body`; `task` starts its `body` without
    waiting; `progress` tells the client how far it is; `clock` reads a clock; `event` makes a stop event; `retry` calls
    its `body` again and again.

    `calls` are qualified names. `methods` are method names on instances of one of `of`. `scale` turns the unit of the
    call's numbers into seconds. `default` is the timeout without an argument, in seconds; None is for ever and
    `unknown` is unknown. `own` is the keyword of the receiver's constructor that sets its default. `signals` are the
    slots in which it takes an abort signal. `blocking` where it holds the thread, `threaded` where its body runs in
    a thread of its own.
    """

    kind: str
    calls: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    seconds: tuple[Slot, ...] = ()
    timeout: tuple[Slot, ...] = ()
    body: tuple[Slot, ...] = ()
    scale: float = 1.0
    default: float | str | None = "unknown"
    own: str = ""
    signals: tuple[Slot, ...] = ()
    blocking: bool = False
    threaded: bool = False
    source: str = ""

    @property
    def label(self) -> str:
        return (self.calls or tuple(f"{owner}.{method}" for owner in self.of[:1] for method in self.methods[:1]))[0]


class Apis:
    """Rows by qualified name and by (receiver type, method).

    `factories` are functions whose result is worth remembering as an object: the catalog knows its methods.
    """

    def __init__(self, rows: Iterable[Api], factories: Iterable[str] = ()) -> None:
        self.rows = tuple(rows)
        self.factories = frozenset(factories) | {owner for row in self.rows for owner in row.of}
        self._by_name: dict[str, Api] = {}
        self._by_method: dict[tuple[str, str], Api] = {}
        for row in self.rows:
            for name in row.calls:
                self._by_name[name] = row
            for owner in row.of:
                for method in row.methods:
                    self._by_method[owner, method] = row

    def named(self, name: str) -> Api | None:
        return self._by_name.get(name)

    def method(self, owner: str, method: str) -> Api | None:
        return self._by_method.get((owner, method))


def _slots(raw: Any) -> Any:
    return raw if isinstance(raw, list) else [raw]


def parse_api(raw: dict[str, Any]) -> Api:
    """One row of YAML. Raises msgspec.ValidationError, naming the key, for what is wrong in it."""
    row = dict(raw)
    for key in ("seconds", "timeout", "signals", "body"):
        if key in row:
            row[key] = _slots(row[key])
    return msgspec.convert(row, Api)


@cache
def load_apis() -> Apis:
    return Apis(parse_api(row) for row in rows_of("apis"))
