"""Calls that matter to a wait: the tables in `apis/` as typed rows, found by name or by method and receiver."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, cached_property
from typing import Any

import msgspec
from msgspec import Struct

from waitlint.catalog.tables import mapping_of, tables_of

ANY = "*"
PYTHON = "python"


class Slot(Struct, frozen=True, rename="kebab"):
    """Where in a call a value stands: a position from 0 (-1 for the last), a keyword, and a key path inside it.

    `if-object` where something else may stand at the position: only what is seen to be an object is one of options.
    `value` is the qualified name that counts as True there.
    """

    arg: int | None = None
    name: str | None = None
    key: str | None = None
    if_object: bool = False
    value: str = ""


class Api(Struct, frozen=True, rename="kebab"):
    """One kind of call.

    `kind`: `sleep` pauses for its `seconds`; `read` asks the outside and has a `timeout`; `block` waits for someone
    else's work to finish and has a `timeout`; `look` asks at once how a `command` does; `scope` bounds what runs
    inside it by its `seconds`; `race` runs all that
    is handed to it and ends with the first; `all` runs all; `run` calls its `body`; `task` starts its `body` without
    waiting; `progress` tells the client how far it is; `clock` reads a clock; `event` makes a stop event; `make` gives
    an object of the kind that `returns` names. `poll` calls its `body` until it says that it is done, `retry` until it
    does not raise: both up to their `timeout`, their `laps` with a `pause` between, or what a `stop` names, which is an
    object made by a call of kind `stop` (its `seconds` or `laps`) as the `pause` is by one of kind `pause`. A `retry`
    whose `result` slot holds an object of kind `result`, or a function, is a `poll`. `child` starts a command and gives
    an object of the kind that `returns` names, which calls back at its end and has a `timeout`.

    `calls` are qualified names. `methods` are method names on instances of one of `of`; `*` is any method, `wait*Done`
    any whose name begins and ends so, `()` what the instance does where it is called itself, and
    `library.**` anything that comes from a library, its functions too, `**` anything at all. A row holds in the files
    of its `language`, which is that of its table; without one in all. `scale` turns the unit of the call's numbers
    into seconds. `default` is the timeout without an argument, in seconds; None is for ever and
    `unknown` is unknown. `own` is the keyword, `own-arg` the position, of the receiver's constructor that sets its
    default; `pauses` is the pause of a retry that names none. `signals` are the
    slots in which it takes an abort signal, `unless` those in which True makes it come back at once, to look at a
    `command`, `needs` those in which False does.
    `blocking` where it holds the thread, `either` where it does so in what is not async and is awaited elsewhere,
    `threaded` where its body runs in
    a thread of its own, `outlives` where its body runs on after a cancel or a deadline. `table` names the table in
    `waiters.yaml` that knows the pause and laps of each waiter.
    `ticks` where a `block` comes back as if nothing were amiss when its time is up.
    `endless` where a timeout of 0 or less is none, `command` where it waits for a command on this machine to end.
    `raises` is the exception of a `block` whose time is up while the work goes on. `setters` are methods that set
    another default wherever a project calls them.
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
    own_arg: int | None = None
    pause: tuple[Slot, ...] = ()
    laps: tuple[Slot, ...] = ()
    stop: tuple[Slot, ...] = ()
    result: tuple[Slot, ...] = ()
    returns: str = ""
    table: str = ""
    endless: bool = False
    pauses: float | None = None
    signals: tuple[Slot, ...] = ()
    unless: tuple[Slot, ...] = ()
    needs: tuple[Slot, ...] = ()
    blocking: bool = False
    either: bool = False
    threaded: bool = False
    outlives: bool = False
    command: bool = False
    raises: str = ""
    ticks: bool = False
    setters: tuple[str, ...] = ()
    language: str = ""
    source: str = ""

    @property
    def label(self) -> str:
        return (self.calls or tuple(f"{owner}.{method}" for owner in self.of[:1] for method in self.methods[:1]))[0]


class Apis:
    """Rows by qualified name, by (receiver type, method), and by the library that a receiver comes from.

    `factories` are functions whose result is worth remembering as an object: the catalog knows its methods.
    """

    def __init__(self, rows: Iterable[Api], factories: Iterable[str] = ()) -> None:
        self.rows = tuple(rows)
        owners = {owner for row in self.rows for owner in row.of if not owner.endswith("**")}
        self.factories = frozenset(factories) | owners
        self._by_name: dict[str, Api] = {}
        self._by_method: dict[tuple[str, str], Api] = {}
        self._by_library: dict[str, list[tuple[str, Api]]] = {}
        self._by_pattern: list[tuple[str, str, str, Api]] = []
        self._of_language: dict[str, Apis] = {}
        self._asked: dict[tuple[str, ...], Api | None] = {}
        for row in self.rows:
            for name in row.calls:
                self._by_name[name] = row
            for owner in row.of:
                for method in row.methods:
                    begins, any_name, ends = method.partition(ANY)
                    if any_name and method != ANY:
                        self._by_pattern.append((owner.removesuffix("**"), begins, ends, row))
                    elif owner.endswith("**"):
                        self._by_library.setdefault(method, []).append((owner[:-2], row))
                    else:
                        self._by_method[owner, method] = row
        for known in self._by_library.values():
            known.sort(key=lambda pair: -len(pair[0]))

    def of(self, language: str) -> Apis:
        """The rows that hold in files of a language."""
        found = self._of_language.get(language)
        if found is None:
            rows = [row for row in self.rows if row.language in ("", language)]
            found = self._of_language[language] = Apis(rows, self.factories)
        return found

    def named(self, name: str) -> Api | None:
        """The row of a function, by its own name or as one that comes from a library."""
        found = self._by_name.get(name)
        if found is not None:
            return found
        asked = (name,)
        if asked not in self._asked:
            module, _, function = name.rpartition(".")
            self._asked[asked] = self._of_library(f"{module}.", function, anything=False) if module else None
        return self._asked[asked]

    def method(self, owner: str, method: str) -> Api | None:
        """The row of a method on an object of a known kind, or of one that comes from a known library."""
        found = self._by_method.get((owner, method)) or self._by_method.get((owner, ANY))
        if found is not None:
            return found
        asked = (owner, method)
        if asked not in self._asked:
            start = f"{owner}."
            self._asked[asked] = self._of_library(start, method) or self._of_library(start, ANY)
        return self._asked[asked]

    def is_known(self, kind: str) -> bool:
        """Whether rows speak of methods of a class, or of what comes out of it."""
        if kind in self.factories:
            return True
        return f"{kind}.".startswith(self._libraries)

    @cached_property
    def _libraries(self) -> tuple[str, ...]:
        """What the names of things from a library begin with."""
        known = {library for rows in self._by_library.values() for library, _ in rows}
        return tuple((known | {library for library, *_ in self._by_pattern}) - {""})

    def of_origin(self, origin: str, method: str, *, is_result: bool) -> Api | None:
        """The row of a method on something that came out of a library, or of which nothing is known.

        What a call gave back (`is_result`) is no client: only methods that are named are known of it.
        """
        asked = (origin, method, "of a result" if is_result else "")
        if asked not in self._asked:
            self._asked[asked] = self._of_origin(origin, method, is_result=is_result)
        return self._asked[asked]

    def _of_origin(self, origin: str, method: str, *, is_result: bool) -> Api | None:
        found = self._by_method.get((origin, method))
        if found is None and not is_result:
            found = self._by_method.get((origin, ANY))
        start = f"{origin}." if origin else ""
        found = found or self._of_library(start, method)
        return found if found is not None or is_result or not origin else self._of_library(start, ANY)

    def _of_library(self, start: str, method: str, *, anything: bool = True) -> Api | None:
        """The row of a method of what a library gives; without `anything` not one that speaks of all libraries."""
        for library, row in self._by_library.get(method, ()):
            if start.startswith(library) and (library or anything):
                return row
        for library, begins, ends, row in self._by_pattern:
            if start.startswith(library) and method.startswith(begins) and method.endswith(ends):
                return row
        return None


def _slots(raw: Any) -> Any:
    return raw if isinstance(raw, list) else [raw]


def parse_api(raw: dict[str, Any]) -> Api:
    """One row of YAML. Raises msgspec.ValidationError, naming the key, for what is wrong in it."""
    row = dict(raw)
    for key in ("seconds", "timeout", "signals", "body", "pause", "laps", "stop", "result", "unless", "needs"):
        if key in row:
            row[key] = _slots(row[key])
    return msgspec.convert(row, Api)


@cache
def load_apis() -> Apis:
    return Apis(parse_api({"language": _language_of(table)} | row) for table, row in tables_of("apis"))


def _language_of(table: str) -> str:
    return PYTHON if table.partition("-")[0] == PYTHON else "typescript"


@cache
def load_waiters() -> dict[str, dict[str, dict[str, tuple[float, int]]]]:
    """Pause in seconds and laps of waiters, by table, service and name."""
    return msgspec.convert(mapping_of("waiters.yaml"), dict[str, dict[str, dict[str, tuple[float, int]]]])
