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


class Setting(Struct, frozen=True):
    """One key. `value` is plain data; `origin` the file that sets it, None for a default."""

    key: str
    value: Any
    origin: Path | None


def settings(config: Config, path: Path) -> Iterator[Setting]:
    """Every key, as it holds for a path, in the order of the documentation."""
    for key in KEYS:
        yield Setting(key, _value(config, key, path), config.origins.get(key))


def _value(config: Config, key: str, path: Path) -> Any:
    if key == "idle-timeouts":
        held = config.settings_for(path)
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
