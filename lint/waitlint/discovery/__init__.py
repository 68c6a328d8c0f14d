"""Paths to files, each with the surface by which a model reads it."""

from __future__ import annotations

from waitlint.discovery.finding import (
    Candidate,
    Discovery,
    MissingPath,
    Skipped,
    discover,
    granted,
)
from waitlint.discovery.root import find_root

__all__ = ["Candidate", "Discovery", "MissingPath", "Skipped", "discover", "find_root", "granted"]
