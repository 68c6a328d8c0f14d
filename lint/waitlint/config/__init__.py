"""Configuration: `[tool.waitlint]` in `pyproject.toml`, or a `waitlint.toml` of its own; the nearest one wins."""

from waitlint.config.lookup import Configs
from waitlint.config.model import Accepted, Config, Selection, selects
from waitlint.config.reading import (
    FILES,
    OWN_RULES,
    ConfigError,
    check_selector,
    nearest,
    rule_names,
    seconds,
)

__all__ = [
    "FILES",
    "OWN_RULES",
    "Accepted",
    "Config",
    "ConfigError",
    "Configs",
    "Selection",
    "check_selector",
    "nearest",
    "rule_names",
    "seconds",
    "selects",
]
