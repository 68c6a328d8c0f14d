"""What makes a tool, framework by framework: the tables in `frameworks/` as typed rows."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from waitlint.catalog.apis import Slot
from waitlint.catalog.tables import rows_of


class SignalRoute(Struct, frozen=True):
    """Where a handler finds the stop signal: the parameter's position (-1 for `this`) or name, and the path from it.

    `when` is `schema` or `no-schema` where it depends on whether the tool has an input schema. The path `*` is for
    parameters of a home-made kind: what is called a signal there is taken for one, and nobody is asked to take it.
    """

    param: int = 0
    path: str = ""
    when: str = ""
    name: str = ""


class SyncBefore(Struct, frozen=True):
    """How a synchronous body runs in versions of `package` below `below`."""

    package: str
    below: str
    sync: str


class Opening(Struct, frozen=True):
    """A call of one of `methods` that is given `option` as True."""

    methods: tuple[str, ...]
    option: str


class Option(Struct, frozen=True):
    """An argument by its name, with some of the values that it may have."""

    name: str
    values: tuple[bool | str, ...]


class Framework(Struct, frozen=True, rename="kebab"):
    """One form in which one framework takes a tool.

    `form`:
    * `decorator`: `@calls(…)` or `@receiver.methods(…)` above a function, called or bare (`bare`).
    * `call`: a call that is given the function as `body`; `curried` where it returns what is then called with it.
    * `class`: a subclass of one of `bases`, with fields `name` and `description` and the methods `bodies`; or with what
      it hands to the constructor of its base at the slots `name` and `description`.
    * `class-shape`: an heir of a class of the project itself that is called a tool, has a name and a description, and
      leaves one of `bodies` to its heirs.
    * `kept`: a decorator of the project's own that puts the function below it into a list or map of tools.
    * `list`: a call that is given plain functions, each a tool, in its `items`.
    * `methods`: a subclass of one of `bases` whose field `listed` names the methods that are tools.
    * `module`: a file whose global `listed` holds name and description, beside a function of that name.
    * `handlers`: a pair of handlers, one that lists the tools and one that dispatches calls by name.

    `name`, `description`, `schema` and `body` say where these stand in the call. `bound` where the name is that of the
    key or constant that holds the tool. `doc` says which part of a docstring the model reads without a description:
    `whole`, `main` (up to the arguments section) or `none`; at `provider` another writes the words. `context` are types
    whose parameters the framework fills, `hidden` the names of such parameters. `input` is the parameter that gets all
    arguments in one, at its `key`. `timeout` is the framework's own bound around a body, else `host-timeout` names the
    argument by which what the tool belongs to is given one for all; `run-timeout` is the option by which a call that is
    given tools limits each of them. `bounds` says which bodies it ends: `all` or only `async`. `progress` where it can
    report progress. `sync` says how a synchronous body runs: `inline` on the event
    loop, in a `thread`, or unknown; `sync-before` how in older versions. A row that is `opened-by` a call counts only
    in a file that makes it, or that is imported by one that does; `unless` are options that keep a function to people.

    For TypeScript and JavaScript: a row of form `call` with `items` is given several definitions in one list, and the
    other slots count in each of them. `bodies` are the methods that do the work where an object is handed over as the
    body; in `make.do` the first gives the object that has the second. `settings: receiver` where name, description and
    schema stand in the call that made the receiver (`definition(…).server(body)`). The form `file` is a module of its
    own for each tool, with its exports in the slots, and `file-shape` one that looks like it; `operation` a marked
    operation of an OpenAPI document; `shape` and `class-shape` are objects and classes with the parts of a tool,
    `nested` the keys under which an object may keep its words. A row with `package` counts from its major version
    `since` on.
    """

    id: str
    language: str
    form: str
    calls: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    any_receiver: bool = False
    bare: bool = False
    curried: bool = False
    bases: tuple[str, ...] = ()
    bodies: tuple[str, ...] = ()
    name: tuple[Slot, ...] = ()
    description: tuple[Slot, ...] = ()
    schema: tuple[Slot, ...] = ()
    body: tuple[Slot, ...] = ()
    items: tuple[Slot, ...] = ()
    listed: str = ""
    input: Slot | None = None
    timeout: tuple[Slot, ...] = ()
    host_timeout: tuple[str, ...] = ()
    run_timeout: str = ""
    bounds: str = "all"
    bound: bool = False
    doc: str = "none"
    context: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    signals: tuple[SignalRoute, ...] = ()
    lists: tuple[str, ...] = ()
    dispatches: tuple[str, ...] = ()
    sync: str = "unknown"
    sync_before: tuple[SyncBefore, ...] = ()
    progress: bool = False
    settings: str = ""
    nested: tuple[str, ...] = ()
    opened_by: Opening | None = None
    unless: tuple[Option, ...] = ()
    package: str = ""
    since: int = 0
    source: str = ""


class Frameworks:
    """Rows, and an index from the last part of a callee's name to the rows that it may be.

    `makers` are what tools are made with or belong to: those names mean the library also within its own repository.
    """

    def __init__(self, rows: Iterable[Framework]) -> None:
        self.rows = tuple(rows)
        self.by_tail: dict[str, list[Framework]] = {}
        self.by_base: dict[str, list[Framework]] = {}
        for row in self.rows:
            for name in (*row.calls, *row.methods):
                self.by_tail.setdefault(name.rpartition(".")[2], []).append(row)
            for base in row.bases:
                self.by_base.setdefault(base.rpartition(".")[2], []).append(row)
        self.hosts = frozenset(owner for row in self.rows for owner in row.of)
        python = [row for row in self.rows if row.language == "python"]
        made_with = (name for row in python if row.form != "list" for name in (*row.calls, *row.bases))
        self.makers = self.hosts.union(made_with)
        scripts = [row for row in self.rows if row.language == "typescript"]
        self.packages = frozenset(_package(name) for row in scripts for name in (*row.calls, *row.of, *row.bases))
        self._tails: dict[tuple[str, tuple[str, ...], bool], frozenset[str]] = {}

    def tails(self, language: str, forms: tuple[str, ...], *, opened: bool = False) -> frozenset[str]:
        """The last parts of callees' names in the rows of a language that have one of some forms.

        With `opened`, those of the rows that count only where a call opens them; else those of all others.
        """
        key = language, forms, opened
        known = self._tails.get(key)
        if known is None:
            known = self._tails[key] = frozenset(
                tail
                for tail, rows in self.by_tail.items()
                if any(
                    row.language == language and row.form in forms and (row.opened_by is not None) is opened
                    for row in rows
                )
            )
        return known


def _package(name: str) -> str:
    """The npm package of a qualified name: `@scope/package` of `@scope/package/module.js.Class.method`."""
    parts = name.split("/")
    if name.startswith("@") and len(parts) > 1:
        return f"{parts[0]}/{parts[1].partition('.')[0]}"
    return parts[0].partition(".")[0]


def parse_framework(raw: dict[str, Any]) -> Framework:
    """One row of YAML. Raises msgspec.ValidationError, naming the key, for what is wrong in it."""
    row = dict(raw)
    for key in ("name", "description", "schema", "body", "items", "timeout"):
        if key in row and not isinstance(row[key], list):
            row[key] = [row[key]]
    return msgspec.convert(row, Framework)


@cache
def load_frameworks() -> Frameworks:
    return Frameworks(parse_framework(row) for row in rows_of("frameworks"))
