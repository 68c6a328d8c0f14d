"""The Python front end: source to facts."""

from __future__ import annotations

from waitlint.frontends.python.reading import read

__all__ = ["read"]
