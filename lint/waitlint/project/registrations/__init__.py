"""Where a project hands its tools to frameworks, and what is known of each there."""

from __future__ import annotations

from waitlint.project.registrations.model import Registration
from waitlint.project.registrations.registry import Registry

__all__ = ["Registration", "Registry"]
