"""What is known of frameworks and libraries, as data: which calls sleep, read, block or bound, and what makes a tool."""

from __future__ import annotations

from waitlint.catalog.apis import Api, Apis, Slot, load_apis
from waitlint.catalog.frameworks import Framework, Frameworks, SignalRoute, load_frameworks

__all__ = ["Api", "Apis", "Framework", "Frameworks", "SignalRoute", "Slot", "load_apis", "load_frameworks"]
