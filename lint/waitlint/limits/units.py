"""Lengths of time as configuration files write them, in seconds. None is what can't be told."""

from __future__ import annotations

import re

from waitlint.limits.statement import NEVER

_PART = r"\d+(?:\.\d+)?"
_GO = re.compile(rf"(?:{_PART}(?:ns|us|µs|ms|s|m|h|d))+")
_NGINX = re.compile(rf"(?:{_PART}(?:ms|s|m|h|d|w|M|y)?\s*)+")
_STEP = re.compile(rf"({_PART})(ns|us|µs|ms|s|m|h|d|w|M|y)?")
_UNITS = {
    "ns": 1e-9,
    "us": 1e-6,
    "µs": 1e-6,
    "ms": 1e-3,
    "s": 1.0,
    "m": 60.0,
    "h": 3600.0,
    "d": 86_400.0,
    "w": 604_800.0,
    "M": 2_592_000.0,
    "y": 31_536_000.0,
}


def plain_seconds(text: str) -> float | None:
    """A number without a unit. 0 is for ever."""
    try:
        return above_zero(float(text))
    except ValueError:
        return None


def plain_milliseconds(text: str) -> float | None:
    found = plain_seconds(text)
    return None if found is None else found / 1000


def nginx_time(text: str) -> float | None:
    """`60`, `60s`, `1m 30s`, `500ms`; seconds where no unit is written."""
    text = text.strip()
    return above_zero(_sum(text)) if _NGINX.fullmatch(text) else None


def go_duration(text: str) -> float | None:
    """`30s`, `1m30s`, `500ms`; a bare 0 is none."""
    text = text.strip()
    if text == "0":
        return NEVER
    return above_zero(_sum(text)) if _GO.fullmatch(text) else None


def above_zero(seconds: float) -> float | None:
    """A timeout: 0 turns it off, and one below is none."""
    if seconds < 0 or seconds != seconds:
        return None
    return seconds or NEVER


def _sum(text: str) -> float:
    return sum(float(number) * _UNITS[unit or "s"] for number, unit in _STEP.findall(text))
