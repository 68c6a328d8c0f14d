"""A loop that waits without a bound, given a number of laps or a deadline; its last state comes back."""

from __future__ import annotations

from tree_sitter import Node

from waitlint.fix import BoundLoop, Edit
from waitlint.frontends.typescript.numbers import in_files_manner
from waitlint.frontends.typescript.surgery import FUNCTIONS, Patient, bare, solid, walk

_LOOPS = frozenset({"while_statement", "do_statement", "for_statement"})
_NAMES = {"laps": ("laps", "lapCount"), "lap": ("lap", "lapNumber"), "deadline": ("deadline", "giveUpAt")}


def bounded(patient: Patient, change: BoundLoop) -> tuple[Edit, ...] | None:
    """Bound a loop; None where its shape does not say what comes back at the cap."""
    loop = patient.at(change.span, _LOOPS)
    if loop is None:
        return None
    test = loop.child_by_field_name("condition")
    inner = bare(test) if test is not None else None
    endless = inner is None or patient.word(inner) in ("true", "1", ";") or inner.type == "empty_statement"
    if loop.type == "for_statement":
        parts = [loop.child_by_field_name(field) for field in ("initializer", "increment")]
        if not endless or any(part is not None and part.type != "empty_statement" for part in parts):
            return None
        return _endless(patient, loop, change)
    if endless:
        return _endless(patient, loop, change) if loop.type == "while_statement" else None
    return _conditional(patient, loop, inner, change) if inner is not None else None


def _conditional(patient: Patient, loop: Node, test: Node, change: BoundLoop) -> tuple[Edit, ...] | None:
    """One more condition: what follows the loop is made for its last state already."""
    if not _hands_back(patient, loop, test):
        return None
    margin, newline = patient.margin(loop.start_byte), patient.source.newline
    if change.laps:
        name = _free(patient, loop, "laps")
        before = f"let {name} = 0;"
        head = f"++{name} < {change.laps}" if loop.type == "do_statement" else f"{name}++ < {change.laps}"
    else:
        name = _free(patient, loop, "deadline")
        before, head = (
            f"const {name} = Date.now() + {in_files_manner(patient, int(change.seconds * 1000))};",
            f"Date.now() < {name}",
        )
    loose = test.type == "binary_expression" and patient.word(test.children[1]) in ("||", "??")
    opening, closing = ("(", ")") if loose or test.type in ("ternary_expression", "assignment_expression") else ("", "")
    edits = [
        patient.edit(loop.start_byte, loop.start_byte, f"{before}{newline}{margin}"),
        patient.edit(test.end_byte, test.end_byte, f"{closing} &&{_space(patient, test)}{head}"),
    ]
    if opening:
        edits.append(patient.edit(test.start_byte, test.start_byte, opening))
    return patient.tried(edits)


def _hands_back(patient: Patient, loop: Node, test: Node) -> bool:
    """Whether what follows the loop returns what its test looks at, whichever state that is in."""
    following = loop.next_named_sibling
    while following is not None and following.type == "comment":
        following = following.next_named_sibling
    if following is None or following.type != "return_statement" or not solid(following):
        return False
    names = {patient.word(node) for node in walk(test) if node.type == "identifier"}
    value = bare(solid(following)[0])
    if value.type == "identifier":
        return patient.word(value) in names
    if value.type in ("member_expression", "subscript_expression"):
        return patient.word(value) in patient.word(test)
    said = {patient.word(node) for node in walk(value) if node.type in ("identifier", "shorthand_property_identifier")}
    parts = [patient.word(node) for node in walk(value) if node.type == "member_expression"]
    known = all(part in patient.word(test) or part.startswith("JSON.") for part in parts)
    return value.type in ("object", "call_expression", "template_string") and bool(said & names) and known


def _endless(patient: Patient, loop: Node, change: BoundLoop) -> tuple[Edit, ...] | None:
    """The one branch by which the loop is left is taken after the last lap, too."""
    body = loop.child_by_field_name("body")
    laps = change.laps
    if body is None or body.type != "statement_block" or not laps:
        return None
    exits = [node for node in _own(body) if node.type in ("return_statement", "break_statement")]
    branches = [child for child in solid(body) if child.type == "if_statement" and _leaves(child)]
    if len(exits) != 1 or len(branches) != 1 or branches[0].child_by_field_name("alternative") is not None:
        return None
    if exits[0].type == "return_statement" and not solid(exits[0]):
        return None
    test = branches[0].child_by_field_name("condition")
    if test is None:
        return None
    name = _free(patient, loop, "lap")
    inner = bare(test)
    loose = inner.type == "ternary_expression" or (
        inner.type == "binary_expression" and patient.word(inner.children[1]) in ("&&", "??")
    )
    opening, closing = ("(", ")") if loose else ("", "")
    edits = [
        patient.edit(loop.start_byte, body.start_byte, f"for (let {name} = 1; ; {name}++) "),
        patient.edit(inner.end_byte, inner.end_byte, f"{closing} ||{_space(patient, inner)}{name} === {laps}"),
    ]
    if opening:
        edits.append(patient.edit(inner.start_byte, inner.start_byte, opening))
    return patient.tried(edits)


def _space(patient: Patient, test: Node) -> str:
    """What stands before one more condition: a new line where the others have one each."""
    if "\n" not in patient.word(test):
        return " "
    return f"{patient.source.newline}{patient.margin(test.end_byte)}"


def _own(body: Node) -> list[Node]:
    """The nodes of a loop's body that belong to no function inside it."""
    found: list[Node] = []
    waiting = [body]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting.extend(child for child in node.children if child.type not in FUNCTIONS)
    return found


def _leaves(branch: Node) -> bool:
    """Whether the last thing that a branch does is to leave the loop."""
    then = branch.child_by_field_name("consequence")
    if then is None:
        return False
    last = solid(then)[-1] if then.type == "statement_block" and solid(then) else then
    return last.type in ("return_statement", "break_statement")


def _free(patient: Patient, loop: Node, kind: str) -> str:
    around = patient.function_of(loop) or patient.tree.root
    used = {patient.word(node) for node in walk(around) if node.type == "identifier"}
    return next((name for name in _NAMES[kind] if name not in used), f"{kind}OfWait")
