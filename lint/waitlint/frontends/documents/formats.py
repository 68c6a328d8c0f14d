"""Which format a data document is in, and its tree."""

from __future__ import annotations

from waitlint.frontends.documents.json_tree import parse_json
from waitlint.frontends.documents.toml_tree import parse_toml
from waitlint.frontends.documents.tree import Tree
from waitlint.frontends.documents.yaml_tree import parse_yaml

PARSERS = {"json": parse_json, "yaml": parse_yaml, "toml": parse_toml}
_SUFFIXES = {"yaml": "yaml", "yml": "yaml", "toml": "toml"}
_JSON_SUFFIXES = frozenset(("json", "jsonc", "json5", "ipynb", "af", "snap", "hook"))


def format_of(path: str, text: str) -> str:
    """`json`, `yaml` or `toml`: by the suffix where it is known, else by how the text begins."""
    suffix = path.rpartition("/")[2].rpartition(".")[2].lower()
    if suffix in _JSON_SUFFIXES:
        return "json"
    if suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    return "json" if text.lstrip()[:1] in ("{", "[") else "yaml"


def parse(path: str, text: str) -> tuple[str, Tree]:
    """The format and the tree. JSON under another suffix is found out by its first character."""
    kind = format_of(path, text)
    tree = PARSERS[kind](text)
    if kind == "yaml" and tree.problems and text.lstrip()[:1] in ("{", "["):
        other = parse_json(text)
        if not other.problems:
            return "json", other
    return kind, tree
