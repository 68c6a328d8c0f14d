"""A configuration as a user would write it, with where each value comes from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from waitlint.config.model import Config
from waitlint.config.reading import KEYS
from waitlint.context import Settings


class Setting(Struct, frozen=True):
    """One key. `value` is plain data; `origin` the file that sets it, None for a default; `stated` what else does."""

    key: str
    value: Any
    origin: Path | None
    stated: tuple[str, ...] = ()


def settings(config: Config, held: Settings) -> Iterator[Setting]:
    """Every key of a configuration, in the order of the documentation; `held` is what rules are told for a path."""
    limits = (held.idle_limit, held.client_limit)
    for key in KEYS:
        stated = tuple(limit.hop for limit in limits if limit.place) if key == "idle-timeouts" else ()
        yield Setting(key, _value(config, key, held), config.origins.get(key), stated)


def _value(config: Config, key: str, held: Settings) -> Any:
    if key == "idle-timeouts":
        return {"proxy": held.idle_limit.seconds, "client": held.client_limit.seconds}
    if key == "select" and config.select is None:
        return ["all"]
    return msgspec.to_builtins(getattr(config, key.replace("-", "_")))


def toml(value: Any) -> str:
    """Plain data on one line of TOML."""
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_key(str(key))} = {toml(item)}" for key, item in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, float):
        return f"{value:g}"
    return json.dumps(value, ensure_ascii=False)


def _key(key: str) -> str:
    bare = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if bare else json.dumps(key, ensure_ascii=False)
