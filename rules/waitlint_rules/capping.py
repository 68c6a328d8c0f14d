"""The cap of what a framework or a library runs, set by its own option."""

from __future__ import annotations

from waitlint.fix import Applicability, Repair, SetOption


def capped(option: SetOption | None, title: str) -> Repair | None:
    """The option set to what suits most, where the catalog knows one; what is but an example is only shown."""
    return Repair(title, Applicability.UNSAFE, (option,)) if option is not None and not option.shown else None


def written(option: SetOption) -> str:
    """The option as it stands in code."""
    name = option.key or option.name or ""
    sign = ": " if option.name is None else "="
    return f"{name.rpartition('.')[2]}{sign}{option.value}"
