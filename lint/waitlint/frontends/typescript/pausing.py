"""A pause made of a promise and a timer, made one that a signal ends: that of `node:timers/promises`."""

from __future__ import annotations

import re

from tree_sitter import Node

from waitlint.fix import Edit
from waitlint.frontends.typescript.surgery import FUNCTIONS, Patient, bare, solid, walk

TIMERS = ("node:timers/promises", "timers/promises")
_NAMES = ("sleep", "pause", "delay", "wait")
_NODE = re.compile(
    r"(?:node:.+|fs|fs/promises|path|os|child_process|crypto|http|https|net|url|util|stream|readline|events|process|"
    r"@modelcontextprotocol/(?:sdk/server/.+|server)|fastmcp)\Z"
)


def ended_by(patient: Patient, pause: Node, signal: str) -> list[Edit] | None:
    """The edits by which `await new Promise((r) => setTimeout(r, ms))` ends with a signal.

    None where it has another shape, or where the file is not known to run in Node.
    """
    length = _length(patient, pause)
    imports = [one for one in patient.tree.root.named_children if one.type == "import_statement"]
    if length is None or not any(_NODE.match(_module(patient, one)) for one in imports):
        return None
    name, edits = _imported(patient, imports)
    options = "{ signal }" if signal == "signal" else f"{{ signal: {signal} }}"
    words = f"{name}({patient.word(length)}, undefined, {options})"
    return [*edits, patient.edit(pause.start_byte, pause.end_byte, words)] if name else None


def _length(patient: Patient, pause: Node) -> Node | None:
    """The length of the pause, if nothing else happens in its promise."""
    made, given = pause.child_by_field_name("constructor"), pause.child_by_field_name("arguments")
    if pause.type != "new_expression" or made is None or patient.word(made) != "Promise" or given is None:
        return None
    if pause.parent is None or pause.parent.type != "await_expression" or len(solid(given)) != 1:
        return None
    executor = bare(solid(given)[0])
    parameters = executor.child_by_field_name("parameters") or executor.child_by_field_name("parameter")
    body = executor.child_by_field_name("body")
    if executor.type not in FUNCTIONS or parameters is None or body is None:
        return None
    resolve = parameters if parameters.type == "identifier" else next(iter(solid(parameters)), None)
    if body.type == "statement_block":
        inside = solid(body)
        body = solid(inside[0])[0] if len(inside) == 1 and inside[0].type == "expression_statement" else body
    called, handed = body.child_by_field_name("function"), body.child_by_field_name("arguments")
    if resolve is None or called is None or handed is None or patient.word(called) != "setTimeout":
        return None
    arguments = solid(handed)
    name = re.match(r"\w+", patient.word(resolve))
    if len(arguments) != 2 or name is None or patient.word(arguments[0]) != name[0]:
        return None
    return arguments[1]


def _module(patient: Patient, statement: Node) -> str:
    source = statement.child_by_field_name("source")
    return patient.word(source)[1:-1] if source is not None else ""


def _imported(patient: Patient, imports: list[Node]) -> tuple[str, list[Edit]]:
    """What the pause of Node is called in the file, and the edits that import it; "" where it can't be."""
    for statement in imports:
        if _module(patient, statement) in TIMERS:
            found = re.search(r"\bsetTimeout(?:\s+as\s+(\w+))?", patient.word(statement))
            return (found[1] or "setTimeout", []) if found is not None else ("", [])
    taken = {patient.word(node) for node in walk(patient.tree.root) if node.type == "identifier"}
    name = next((one for one in _NAMES if one not in taken), "")
    of_node = [one for one in imports if _module(patient, one).startswith("node:")]
    beside = of_node[-1] if of_node else imports[0]
    source = beside.child_by_field_name("source")
    quote = patient.word(source)[0] if source is not None else '"'
    end = ";" if patient.word(beside).endswith(";") else ""
    line = f"import {{ setTimeout as {name} }} from {quote}node:timers/promises{quote}{end}"
    newline = patient.source.newline
    if of_node:
        return name, [patient.edit(beside.end_byte, beside.end_byte, f"{newline}{line}")]
    return name, [patient.edit(beside.start_byte, beside.start_byte, f"{line}{newline}")]
