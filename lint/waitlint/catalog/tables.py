"""Reading the tables of the catalog: all YAML files of a folder, as plain rows."""

from __future__ import annotations

from importlib import resources
from typing import Any


def rows_of(folder: str) -> list[dict[str, Any]]:
    """The rows of every table in a folder of the catalog, in the order of the files' names."""
    return [row for _, row in tables_of(folder)]


def tables_of(folder: str) -> list[tuple[str, dict[str, Any]]]:
    """The same rows, each with the name of its table."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    rows: list[tuple[str, dict[str, Any]]] = []
    tables = resources.files(__package__).joinpath(folder)
    for table in sorted(tables.iterdir(), key=lambda entry: entry.name):
        if table.name.endswith(".yaml"):
            read = yaml.load(table.read_text(encoding="utf-8"), Loader=loader) or ()
            rows.extend((table.name.removesuffix(".yaml"), row) for row in read)
    return rows


def mapping_of(name: str) -> dict[str, Any]:
    """A table that is one mapping, by the name of its file in the catalog."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
    return dict(yaml.load(text, Loader=loader) or {})
