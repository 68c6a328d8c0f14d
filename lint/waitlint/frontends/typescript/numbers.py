"""A number written in code, made another: a literal, a product of literals, or a constant of the file."""

from __future__ import annotations

import re

from tree_sitter import Node

from waitlint.fix import Edit, SetNumber
from waitlint.frontends.typescript.surgery import Patient, walk

SCALES = (1, 1000)
PLAIN = re.compile(r"(?<![\w.#\"'`-])\d{5,}(?![\w.\"'`-])")
GROUPED = re.compile(r"\d_\d{3}")


def in_files_manner(patient: Patient, value: int) -> str:
    """A new number with its thousands apart, unless the file writes great numbers without."""
    text = patient.source.text
    return str(value) if PLAIN.search(text) and not GROUPED.search(text) else f"{value:_}"


def renumbered(patient: Patient, change: SetNumber) -> tuple[Edit, ...] | None:
    """The edit that makes the number within a span another; None where it is not there, or in several places."""
    span = change.span
    inside = [
        node
        for node in walk(patient.tree.root)
        if node.start_byte >= span.start and node.end_byte <= span.end and not node.children
    ]
    numbers = [node for node in inside if node.type == "number"]
    if not numbers:
        names = {patient.word(node) for node in inside if node.type == "identifier"}
        values = [value for name in names if (value := _constant(patient, name)) is not None]
        numbers = [node for value in values for node in walk(value) if node.type == "number"]
    for scale in SCALES:
        for node in numbers:
            if value_of(patient, node) == change.before * scale:
                return _written(patient, node, change.after * scale)
    for scale in SCALES:
        for node in numbers:
            product = _product(patient, node)
            if product is not None and value_of(patient, product) == change.before * scale:
                return _written(patient, product, change.after * scale)
    return None


def _constant(patient: Patient, name: str) -> Node | None:
    """The value of a name that is bound once in the file, as a constant at its top."""
    found = []
    for node in walk(patient.tree.root):
        if node.type != "variable_declarator":
            continue
        target, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if target is not None and value is not None and patient.word(target) == name:
            found.append(value)
    return found[0] if len(found) == 1 and patient.function_of(found[0]) is None else None


def value_of(patient: Patient, node: Node) -> float | None:
    """What a literal, or a product of literals, says."""
    if node.type == "number":
        try:
            return float(patient.word(node).replace("_", ""))
        except ValueError:
            return None
    if node.type == "binary_expression" and patient.word(node.children[1]) == "*":
        left, right = value_of(patient, node.children[0]), value_of(patient, node.children[2])
        return left * right if left is not None and right is not None else None
    return None


def _product(patient: Patient, node: Node) -> Node | None:
    best, around = None, node.parent
    while around is not None and value_of(patient, around) is not None:
        best, around = around, around.parent
    return best


def _written(patient: Patient, node: Node, value: float) -> tuple[Edit, ...] | None:
    if node.type == "binary_expression":
        for factor in (node.children[0], node.children[2]):
            other = node.children[2] if factor == node.children[0] else node.children[0]
            scale = value_of(patient, other)
            if factor.type == "number" and scale in (60.0, 1000.0, 60_000.0) and value % scale == 0:
                return _written(patient, factor, value / scale)
    grouped = "_" in patient.word(node) or (node.type == "binary_expression" and value >= 10_000)
    text = f"{int(value):_}" if grouped else str(int(value))
    if value != int(value):
        return None
    return patient.tried([patient.edit(node.start_byte, node.end_byte, text)])
