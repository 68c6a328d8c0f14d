"""The facts of all files, linked: tools with what they do, texts with the tools they speak of."""

from __future__ import annotations

from waitlint.project.kept import Keep
from waitlint.project.link import LinkedProject, link

__all__ = ["Keep", "LinkedProject", "link"]
