"""Paths to files, each with the surface by which a model reads it."""

from __future__ import annotations

from waitlint.discovery.finding import (
    Candidate,
    Discovery,
    MissingPath,
    Skipped,
    discover,
)
from waitlint.discovery.granting import grantable, granted

__all__ = ["Candidate", "Discovery", "MissingPath", "Skipped", "discover", "grantable", "granted"]
