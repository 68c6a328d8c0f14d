"""A configuration file's text, checked key by key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from waitlint.catalog.own import WrongRow, own_rows
from waitlint.config.model import ALL, ROWS, Accepted, Config
from waitlint.context import FLOORS
from waitlint.finding import Confidence, Severity
from waitlint.looking import note
from waitlint.rule import load_rules

NEAR = 60
FILES = ("waitlint.toml", "pyproject.toml")
OWN_RULES = ("waitlint/unused-suppression",)
DURATION = re.compile(r"(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>ms|s|sec|m|min|h)")
FINGERPRINT = re.compile(r"[0-9a-f]{20}")
UNITS = {"ms": 0.001, "s": 1.0, "sec": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


class ConfigError(Exception):
    """A configuration that can't be used. The message names file, key and, if there is one, the nearest right one."""


def nearest(word: str, right: Iterable[str]) -> str:
    """` Did you mean …?` with the nearest right word, or nothing where none is near."""
    from rapidfuzz import fuzz, process

    found = process.extractOne(word, tuple(right), scorer=fuzz.ratio, score_cutoff=NEAR)
    return f" Did you mean {found[0]!r}?" if found else ""


def rule_names() -> tuple[str, ...]:
    """Every name that a selector, a severity or a suppression may use for one rule."""
    return (*(rule.name for rule in load_rules()), *OWN_RULES)


def selectors() -> tuple[str, ...]:
    """Every word that chooses rules: rules, families, `all`."""
    names = rule_names()
    return (*names, *sorted({name.split("/")[0] for name in names}), ALL)


def check_selector(word: str) -> str:
    """The word itself if it chooses rules. Raises ValueError with the nearest right one otherwise."""
    right = selectors()
    if word not in right:
        raise ValueError(f"no rule or family is called {word!r}.{nearest(word, right[:-1])}")
    return word


def seconds(value: object) -> float:
    """A length of time: a number of seconds, or a text such as `90s`, `5 min`, `1h`. Raises ValueError."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        number = float(value)
    elif isinstance(value, str) and (match := DURATION.fullmatch(value.strip())):
        number = float(match["number"]) * UNITS[match["unit"]]
    else:
        raise ValueError(
            f"{value!r} is no length of time; write seconds as a number, or a text such as '90s' or '5 min'"
        )
    if not 0 < number < float("inf"):
        raise ValueError("a length of time must be above 0")
    return number


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{value!r} is neither true nor false")
    return value


def _words(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise ValueError("write a list of texts")
    return tuple(value)


def _selectors(value: object) -> tuple[str, ...]:
    return tuple(check_selector(word) for word in _words(value))


def _table(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise ValueError("write a table")
    return value


def _choice(value: object, kind: type[Any]) -> Any:
    right = [str(item) for item in kind]
    if value not in right:
        raise ValueError(f"{value!r} is none of {', '.join(right)}.{nearest(str(value), right)}")
    return kind(value)


def _surface(word: str) -> str:
    from waitlint.catalog.surfaces import surface_names

    right = surface_names()
    if word not in right:
        raise ValueError(f"no surface is called {word!r}.{nearest(word, right)}")
    return word


def _each(value: object, read: Callable[[Any], Any], check: Callable[[str], str] = str) -> dict[str, Any]:
    found = {}
    for key, item in _table(value).items():
        try:
            found[check(key)] = read(item)
        except ValueError as error:
            raise ValueError(f"at {key!r}: {error}") from error
    return found


def _idle(value: object) -> dict[str, Any]:
    kinds: dict[str, tuple[str, Callable[[object], Any]]] = {
        "proxy": ("proxy_idle", seconds),
        "client": ("client_idle", seconds),
        "paths": ("path_idle", lambda item: _each(item, seconds)),
    }
    found = {}
    for key, item in _table(value).items():
        if key not in kinds:
            raise ValueError(f"unknown key {key!r}.{nearest(key, kinds)}")
        field, read = kinds[key]
        try:
            found[field] = read(item)
        except ValueError as error:
            raise ValueError(f"at {key!r}: {error}") from error
    return found


def _accepted(value: object) -> tuple[Accepted, ...]:
    if not isinstance(value, list):
        raise ValueError("write a list of tables with rule, fingerprint and reason")
    return tuple(_accepted_one(item) for item in value)


def _accepted_one(value: object) -> Accepted:
    table = _table(value)
    fields = Accepted.__struct_fields__
    for key in table:
        if key not in fields:
            raise ValueError(f"unknown key {key!r}.{nearest(key, fields)}")
    for key in fields:
        if not isinstance(table.get(key), str) or not table[key]:
            raise ValueError(f"each entry has a {key}, which is a text")
    rule, fingerprint, reason = (str(table[key]) for key in fields)
    if rule not in rule_names():
        raise ValueError(f"no rule is called {rule!r}.{nearest(rule, rule_names())}")
    if not FINGERPRINT.fullmatch(fingerprint):
        raise ValueError(f"{fingerprint!r} is no fingerprint: it has 20 hexadecimal digits, as in the JSON output")
    return Accepted(rule, fingerprint, reason)


def _floors(value: object) -> dict[str, int]:
    def check(word: str) -> str:
        if word not in FLOORS:
            raise ValueError(f"a floor is one of {', '.join(FLOORS)}.{nearest(word, FLOORS)}")
        return word

    return {**FLOORS, **_each(value, _steps, check)}


def _steps(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{value!r} is no number of steps: write 1 or more")
    return value


def _rows(table: str, value: object) -> tuple[dict[str, Any], ...]:
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        raise ValueError(f"write a list of tables, each under [[{table}]]")
    for number, row in enumerate(value, 1):
        try:
            own_rows({table: [row]})
        except WrongRow as error:
            hint = nearest(error.wrong, error.right) if error.wrong else ""
            raise ValueError(f"row {number}: {error}{hint}") from error
    return tuple(value)


Reader = Callable[[object], dict[str, Any]]


def _one(field: str, read: Callable[[object], Any]) -> Reader:
    return lambda value: {field: read(value)}


KEYS: Mapping[str, Reader] = {
    "root": _one("root", _flag),
    "select": _one("select", _selectors),
    "extend-select": _one("extend_select", _selectors),
    "ignore": _one("ignore", _selectors),
    "per-file-ignores": _one("per_file_ignores", lambda value: _each(value, _selectors)),
    "severity": _one(
        "severity", lambda value: _each(value, lambda item: _choice(item, Severity), lambda key: check_selector(key))
    ),
    "include": _one("include", _words),
    "exclude": _one("exclude", _words),
    "prompts": _one("prompts", _words),
    "surfaces": _one("surfaces", lambda value: _each(value, _flag, _surface)),
    "idle-timeouts": _idle,
    "typical-duration": _one("typical_duration", lambda value: _each(value, seconds)),
    "require-step-cap": _one("require_step_cap", _flag),
    "floors": _one("floors", _floors),
    **{table: _one(table, partial(_rows, table)) for table in ROWS},
    "pedantic": _one("pedantic", _flag),
    "suppress": _one("suppress", _accepted),
    "fail-on": _one("fail_on", lambda value: _choice(value, Severity)),
    "min-confidence": _one("min_confidence", lambda value: _choice(value, Confidence)),
}


def load_table(path: Path) -> dict[str, Any] | None:
    """waitlint's own table of a TOML file, None where it has none.

    Raises ConfigError where the file can't be read as TOML: a `pyproject.toml` only if it speaks of waitlint at all.
    """
    note(path)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from error
    own = path.name != "pyproject.toml"
    if not own and b"waitlint" not in data:
        return None
    try:
        document = tomllib.loads(data.decode("utf-8-sig"))
    except RecursionError as error:
        raise ConfigError(f"{path}: too deeply nested") from error
    except ValueError as error:
        raise ConfigError(f"{path}: not valid TOML: {error}") from error
    if own:
        return document
    table = document.get("tool", {}).get("waitlint") if isinstance(document.get("tool"), dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"{path}: tool.waitlint is no table")
    return table


def read_config(path: Path, table: Mapping[str, Any], seen: tuple[Path, ...] = ()) -> Config:
    """The configuration of a file's table; `extend` takes another file as its base. Raises ConfigError."""
    base = Config(folder=path.parent)
    if "extend" in table:
        base = _extended(path, table["extend"], (*seen, path))
    fields: dict[str, Any] = {}
    origins = dict(base.origins)
    for key, value in table.items():
        if key == "extend":
            continue
        reader = KEYS.get(key)
        if reader is None:
            raise ConfigError(f"{path}: unknown key {key!r}.{nearest(key, (*KEYS, 'extend'))}")
        try:
            fields |= reader(value)
        except ValueError as error:
            raise ConfigError(f"{path}: {key}: {error}") from error
        origins[key] = path
    return msgspec.structs.replace(base, folder=path.parent, origin=path, origins=origins, **fields)


def _extended(path: Path, value: object, seen: tuple[Path, ...]) -> Config:
    if not isinstance(value, str):
        raise ConfigError(f"{path}: extend: write the path of another configuration file")
    other = (path.parent / value).resolve()
    if other in seen:
        raise ConfigError(f"{path}: extend: {value} comes back to itself")
    table = load_table(other)
    if table is None:
        raise ConfigError(f"{path}: extend: {value} has no configuration of waitlint")
    return msgspec.structs.replace(read_config(other, table, seen), root=False)
