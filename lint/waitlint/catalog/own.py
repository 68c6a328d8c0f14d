"""Rows that a project adds to the tables, for its own frameworks, waits, reads and sleeps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from waitlint.catalog.apis import Api, Slot, load_apis, parse_api
from waitlint.catalog.frameworks import Framework, SignalRoute, SyncBefore, load_frameworks, parse_framework

FRAMEWORKS = "frameworks"
KINDS = {"waits": "block", "reads": "read", "sleeps": "sleep"}
NEVER = "never"
LANGUAGES = ("python", "typescript")
Row = TypeVar("Row", Framework, Api)
ROUTES: Mapping[str, type[Struct]] = {"signals": SignalRoute, "sync-before": SyncBefore}
FEW = 8


class OwnRows(Struct, frozen=True):
    """The rows of a project, by what they are."""

    frameworks: tuple[Framework, ...] = ()
    apis: tuple[Api, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """The qualified names that the rows know, which may be defined in the project itself."""
        tools = {name for row in self.frameworks for name in (*row.calls, *row.of, *row.bases)}
        return frozenset(tools | {name for row in self.apis for name in (*row.calls, *row.of)})

    def joined(self, other: OwnRows) -> OwnRows:
        return OwnRows((*self.frameworks, *other.frameworks), (*self.apis, *other.apis))


class WrongRow(ValueError):
    """A row that can't be used. `right` are the words that would do in the place of `wrong`, if it is a word."""

    def __init__(self, message: str, wrong: str = "", right: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.wrong = wrong
        self.right = tuple(right)


def keys_of(table: str) -> tuple[str, ...]:
    """The keys that a row of a table may have."""
    return (Framework if table == FRAMEWORKS else Api).__struct_encode_fields__


def own_rows(tables: Mapping[str, Iterable[Mapping[str, Any]]]) -> OwnRows:
    """Rows of the tables `frameworks`, `waits`, `reads` and `sleeps` in the catalog's own form. Raises WrongRow."""
    frameworks = tuple(_framework(dict(raw)) for raw in tables.get(FRAMEWORKS, ()))
    apis = tuple(_api(table, dict(raw)) for table in KINDS for raw in tables.get(table, ()))
    return OwnRows(frameworks, apis)


def _framework(raw: dict[str, Any]) -> Framework:
    _check_keys(raw, keys_of(FRAMEWORKS))
    for key, right in (("language", LANGUAGES), ("form", sorted({row.form for row in load_frameworks().rows}))):
        if key not in raw:
            raise WrongRow(f"a row needs a {key}: one of {', '.join(right)}")
        if raw[key] not in right:
            raise WrongRow(f"{key} is one of {', '.join(right)}, not {raw[key]!r}.", str(raw[key]), right)
    raw.setdefault("id", "own")
    row = _parsed(parse_framework, raw, ROUTES)
    if not (row.calls or row.methods or row.bases or row.lists or row.listed):
        raise WrongRow("a row needs calls, methods or bases to be found by")
    if row.methods and row.form in ("decorator", "call") and not (row.of or row.any_receiver):
        raise WrongRow("a row with methods needs `of`, the kinds of object that have them, or `any-receiver = true`")
    return row


def _api(table: str, raw: dict[str, Any]) -> Api:
    _check_keys(raw, keys_of(table))
    kinds = sorted({row.kind for row in load_apis().rows} - {"read", "sleep"}) if table == "waits" else [KINDS[table]]
    kind = raw.setdefault("kind", KINDS[table])
    if kind not in kinds:
        raise WrongRow(f"kind is one of {', '.join(kinds)} here, not {kind!r}.", str(kind), kinds)
    if raw.get("default") == NEVER:
        raw["default"] = None
    row = _parsed(parse_api, raw, {})
    if isinstance(row.default, str) and row.default != "unknown":
        raise WrongRow(f"default is a number of seconds, {NEVER!r} or 'unknown', not {row.default!r}")
    if not row.calls and not (row.methods and row.of):
        raise WrongRow("a row needs calls, or methods with `of`, the kinds of object that have them")
    if table == "sleeps" and not row.seconds:
        raise WrongRow("a row needs seconds: where in the call its length stands, such as { arg = 0 }")
    return row


def _parsed(parse: Callable[[dict[str, Any]], Row], raw: dict[str, Any], inside: Mapping[str, type[Struct]]) -> Row:
    for key, value in raw.items():
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, Mapping):
                _check_keys(part, inside.get(key, Slot).__struct_encode_fields__, f"{key}: ")
    try:
        return parse(raw)
    except msgspec.ValidationError as error:
        raise WrongRow(str(error).replace("`$.", "`").replace("`$`", "the row")) from error


def _check_keys(raw: Mapping[str, Any], right: tuple[str, ...], where: str = "") -> None:
    for key in raw:
        if key not in right:
            known = f"; known are {', '.join(right)}" if len(right) <= FEW else ""
            raise WrongRow(f"{where}unknown key {key!r}{known}.", key, right)
