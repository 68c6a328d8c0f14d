"""Dependencies point one way, and no module grows out of one purpose."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parent.parent
ROOTS = (REPOSITORY / "lint", REPOSITORY / "rules")
MOST_LINES = 500
VAGUE = {"utils", "util", "helpers", "helper", "common", "misc"}

# Each unit may import the units of the layers below its own, and nothing else of the project. A unit is a module or a
# package directly under `waitlint`. Units in one layer don't know each other, unless FRIENDS says so.
LAYERS = (
    {"waitlint", "source"},
    {"facts"},
    {"spelled"},
    {"names"},
    {"fix"},
    {"finding"},
    {"measures", "report", "deferred"},
    {"linked"},
    {"rule", "context", "stating"},
    {"frontends", "prose", "catalog"},
    {"interpret"},
    {"project"},
    {"git", "atomic", "looking", "apart"},
    {"config", "discovery", "limits", "installed"},
    {"suppression", "baseline", "cache"},
    {"contents", "widths"},
    {"reading"},
    {"gathering"},
    {"scanning"},
    {"withholding"},
    {"linter"},
    {"output"},
    {"reporting"},
    {"factview", "fixing", "changing", "unchanged"},
    {"audit", "editor"},
    {"cli"},
    {"__main__"},
)
FRIENDS = {
    ("rule", "context"): "a rule's check is given its context, and a context knows its rule",
    ("context", "rule"): "a rule's check is given its context, and a context knows its rule",
    ("frontends", "catalog"): "front ends look surfaces and frameworks up as data",
}
OUTPUT_KNOWS = {"waitlint", "finding", "fix", "report"}
LEVEL = {unit: level for level, units in enumerate(LAYERS) for unit in units}


def modules() -> Iterator[tuple[str, Path]]:
    for root in ROOTS:
        for path in sorted(root.rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


MODULES = list(modules())


def imports(module: str, path: Path) -> Iterator[str]:
    """Every module of the project that a module imports, at its head or later."""
    names = {name for name, _ in MODULES}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: imports are written in full"
            base = node.module or ""
            yield base
            yield from (full for alias in node.names if (full := f"{base}.{alias.name}") in names)


def unit(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else parts[0]


def edges() -> Iterator[tuple[str, str, str]]:
    for module, path in MODULES:
        for imported in set(imports(module, path)):
            if imported.split(".")[0] in ("waitlint", "waitlint_rules"):
                yield module, imported, f"{module} imports {imported}"


EDGES = list(edges())


def test_every_unit_has_its_layer() -> None:
    assert {unit(module) for module, _ in MODULES if module.startswith("waitlint.")} - LEVEL.keys() == set()


def test_imports_point_down() -> None:
    wrong = [
        text
        for module, imported, text in EDGES
        if module.startswith("waitlint.") and imported.startswith("waitlint.")
        if unit(module) != unit(imported)
        if LEVEL[unit(imported)] >= LEVEL[unit(module)] and (unit(module), unit(imported)) not in FRIENDS
    ]
    assert wrong == []


def test_the_engine_does_not_import_the_rules() -> None:
    assert [t for m, i, t in EDGES if m.startswith("waitlint.") and i.startswith("waitlint_rules")] == []


def test_rules_see_linked_facts_and_no_syntax() -> None:
    allowed = {"rule", "context", "finding", "fix", "linked", "facts", "prose", "stating", "names"}
    wrong = [
        t
        for m, i, t in EDGES
        if m.startswith("waitlint_rules") and i.startswith("waitlint.") and unit(i) not in allowed
    ]
    assert wrong == []


def test_a_rule_does_not_import_another() -> None:
    """What several rules share stands in a module whose name starts with an underscore, or in a family's package."""
    rules = {
        m
        for m, path in MODULES
        if m.count(".") == 2 and m.startswith("waitlint_rules") and path.with_suffix(".md").exists()
    }
    assert [t for m, i, t in EDGES if m in rules and i in rules and m != i] == []


def test_outputs_know_findings_alone() -> None:
    wrong = [t for m, i, t in EDGES if m.startswith("waitlint.output") and unit(i) not in {*OUTPUT_KNOWS, "output"}]
    assert wrong == []


def test_front_ends_do_not_import_each_others_insides() -> None:
    wrong = []
    for module, imported, text in EDGES:
        if module.startswith("waitlint.frontends.") and imported.startswith("waitlint.frontends."):
            mine, theirs = module.split(".")[2], imported.split(".")[2:]
            if theirs[0] != mine and len(theirs) > 1 and theirs[0] not in SHARED_BY_FRONT_ENDS:
                wrong.append(text)
    assert wrong == []


SHARED_BY_FRONT_ENDS = {"documents", "shared"}


@pytest.mark.parametrize(("module", "path"), MODULES, ids=[name for name, _ in MODULES])
def test_a_module_is_short_and_named_for_its_purpose(module: str, path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES
    assert module.rsplit(".", 1)[-1] not in VAGUE
