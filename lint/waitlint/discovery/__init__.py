"""Paths to files, each with the surface by which a model reads it."""

from __future__ import annotations

from waitlint.catalog.surfaces import surface_names
from waitlint.discovery.finding import (
    Candidate,
    Discovery,
    MissingPath,
    Skipped,
    discover,
    grantable,
    granted,
)

SURFACES: tuple[str, ...]

__all__ = ["SURFACES", "Candidate", "Discovery", "MissingPath", "Skipped", "discover", "grantable", "granted"]


def __getattr__(name: str) -> tuple[str, ...]:
    """`SURFACES`, the names that settings know, only when they are asked for: they are read from a table."""
    if name == "SURFACES":
        return surface_names()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
