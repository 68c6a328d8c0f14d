"""A read inside a loop, ended by the deadline of the loop as well as by the user's stop; the last state comes back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tree_sitter import Node

from waitlint.fix import BoundByDeadline, Edit
from waitlint.frontends.typescript.numbers import in_files_manner
from waitlint.frontends.typescript.signalling import expression_of, option_of, slot_of
from waitlint.frontends.typescript.surgery import (
    CALLS,
    LOOPS,
    Patient,
    bare,
    enclosing,
    given_to,
    may_be_missing,
    solid,
    walk,
)

_CLOCKS = frozenset({"Date.now()", "performance.now()"})
_PLAIN = frozenset({"number", "identifier", "member_expression", "binary_expression", "property_identifier", "this"})
_EITHER = frozenset({"??", "||"})
_TERNARY = ("condition", "consequence", "alternative")
_TIMEOUT, _ANY = "AbortSignal.timeout", "AbortSignal.any"
_PRESENT = "((each) => each !== undefined)"
_TYPED = (".ts", ".tsx", ".mts", ".cts")


class _Given(NamedTuple):
    """The signal that a call is given now, "" for none, and how another takes its place."""

    signal: str
    edits: list[tuple[int, int, str]]

    def replaced(self, patient: Patient, signal: str) -> list[Edit]:
        written = [(start, end, words.replace("$", signal)) for start, end, words in self.edits]
        return [patient.edit(start, end, words.replace("signal: signal", "signal")) for start, end, words in written]


def until_deadline(patient: Patient, change: BoundByDeadline) -> tuple[Edit, ...] | None:
    """The edits that end a read with its loop's deadline; None where the shape does not say what comes back then."""
    call, loop = patient.at(change.span, CALLS), patient.at(change.loop, LOOPS)
    if call is None or loop is None or loop not in list(enclosing(call)):
        return None
    function = patient.function_of(loop)
    if function is None or patient.function_of(call) != function:
        return None
    given = _given(patient, call, change)
    if given is None:
        return None
    if change.signal and not given.signal:
        stop = expression_of(patient, call, change.signal)
        if not stop:
            return None
        given = given._replace(signal=stop)
    known = _constants(patient, function, loop)
    edits = _chosen_of_two(patient, known, given)
    if edits is None:
        edits = _with_both(patient, function, loop, call, known, given, change.seconds)
    return patient.tried(sorted(set(edits))) if edits else None


# ---------------------------------------------------------------- what a call is given


def _given(patient: Patient, call: Node, change: BoundByDeadline) -> _Given | None:
    found = given_to(call)
    if found is None:
        return None
    arguments, given = found
    if not change.api:
        return _positional(patient, arguments, given, change.position)
    option = option_of(slot_of(change.api))
    if option is None or len(given) < option.arg:
        return None
    if len(given) == option.arg:
        return _behind(arguments, given, f"{{ {option.key}: $ }}")
    return _in_options(patient, bare(given[option.arg]), option.key)


def _behind(arguments: Node, given: list[Node], words: str) -> _Given:
    """One more argument behind those that are given."""
    lead = ", " if given else ""
    at = given[-1].end_byte if given else arguments.start_byte + 1
    return _Given("", [(at, at, lead + words)])


def _positional(patient: Patient, arguments: Node, given: list[Node], position: int) -> _Given | None:
    if position < 0 or len(given) < position:
        return None
    if len(given) == position:
        return _behind(arguments, given, "$")
    old = bare(given[position])
    if old.type == "object":
        return _in_options(patient, old, "signal")
    signal = "" if patient.word(old) == "undefined" else patient.word(old)
    if signal and old.type not in ("identifier", "member_expression"):
        return None
    return _Given(signal, [(old.start_byte, old.end_byte, "$")])


def _in_options(patient: Patient, options: Node, key: str) -> _Given | None:
    if options.type != "object" or any(child.type == "spread_element" for child in solid(options)):
        return None
    for child in solid(options):
        if child.type == "shorthand_property_identifier" and patient.word(child) == key:
            return _Given(key, [(child.start_byte, child.end_byte, f"{key}: $")])
        name, value = child.child_by_field_name("key"), child.child_by_field_name("value")
        if name is None or value is None or patient.word(name).strip("'\"") != key:
            continue
        if value.type not in ("identifier", "member_expression"):
            return None
        return _Given(patient.word(value), [(child.start_byte, child.end_byte, f"{key}: $")])
    entries = solid(options)
    if not entries:
        return None
    return _Given("", [(entries[-1].end_byte, entries[-1].end_byte, f", {key}: $")])


# ---------------------------------------------------------------- what is known of the function


def _constants(patient: Patient, function: Node, loop: Node) -> dict[str, Node]:
    """The values of the names that are bound once in a function, before a loop of it."""
    found: dict[str, list[Node]] = {}
    for node in walk(function):
        if node.type == "variable_declarator" and patient.function_of(node) == function:
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            if name is not None and name.type == "identifier" and value is not None:
                found.setdefault(patient.word(name), []).append(value)
    once = {name: values[0] for name, values in found.items() if len(values) == 1}
    return {name: value for name, value in once.items() if value.end_byte <= loop.start_byte}


def _is_timeout(patient: Patient, node: Node | None, known: dict[str, Node]) -> bool:
    """Whether an expression is a signal that ends by itself."""
    if node is None:
        return False
    if node.type == "identifier":
        return _is_timeout(patient, known.get(patient.word(node)), {})
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    return function is not None and patient.word(function) == _TIMEOUT


def _chosen_of_two(patient: Patient, known: dict[str, Node], given: _Given) -> list[Edit] | None:
    """Both signals where the call is given one or the other: `stop ?? AbortSignal.timeout(ms)`."""
    value = known.get(given.signal)
    value = bare(value) if value is not None else None
    if value is None:
        return None
    if value.type == "binary_expression" and patient.word(value.children[1]) in _EITHER:
        first, second = value.children[0], value.children[2]
        if _is_timeout(patient, bare(second), known):
            both = f"[{patient.word(first)}, {patient.word(second)}]"
            return [patient.edit(value.start_byte, value.end_byte, f"{_ANY}({both}.filter{_PRESENT})")]
    if value.type == "ternary_expression":
        test, stop, otherwise = (value.child_by_field_name(part) for part in _TERNARY)
        if test is None or stop is None or otherwise is None or patient.word(test) != patient.word(stop):
            return None
        if _is_timeout(patient, bare(otherwise), known):
            both = f"{_ANY}([{patient.word(stop)}, {patient.word(otherwise)}])"
            return [patient.edit(stop.start_byte, stop.end_byte, both)]
    return None


# ---------------------------------------------------------------- both signals for the call


def _with_both(
    patient: Patient,
    function: Node,
    loop: Node,
    call: Node,
    known: dict[str, Node],
    given: _Given,
    seconds: float,
) -> list[Edit] | None:
    over: str = next((name for name, value in known.items() if _is_timeout(patient, value, {})), "")
    both = _combined(patient, known, given.signal, over) if over else ""
    guarded = _is_guarded(patient, loop, function, over) if over else False
    if both and guarded:
        return given.replaced(patient, both)
    length, tested = ("", over) if over else _length(patient, loop, known)
    if not over and not length and seconds and _counts(patient, loop):
        length = in_files_manner(patient, int(seconds * 1000))
    if not over and not length:
        return None
    names = {patient.word(node) for node in walk(function) if node.type in _NAMES}
    lines: list[str] = []
    if not over:
        over = _free(names, "over", "timeIsUp")
        lines.append(f"const {over} = {_TIMEOUT}({length});")
    if given.signal and not both:
        both = _free(names, "signal", "stopOrOver", "stopOrTimeIsUp")
        missing = may_be_missing(patient, loop, given.signal)
        joined = f"{_ANY}([{given.signal}, {over}])"
        lines.append(f"const {both} = {f'{given.signal} ? {joined} : {over}' if missing else joined};")
    edits = given.replaced(patient, both or over)
    if guarded:
        return [*edits, *_before(patient, loop, lines)]
    if tested and not _falls_out(patient, loop, tested) and not _is_endless(patient, loop):
        return None
    wrapped = _wrapped(patient, function, loop, call, given.signal, over, lines)
    return [*edits, *wrapped] if wrapped is not None else None


_NAMES = frozenset({"identifier", "shorthand_property_identifier_pattern", "shorthand_property_identifier"})


def _free(names: set[str], *wanted: str) -> str:
    return next((name for name in wanted if name not in names), f"{wanted[-1]}OfWait")


def _combined(patient: Patient, known: dict[str, Node], signal: str, over: str) -> str:
    """The name that both signals already have together."""
    for name, value in known.items():
        words = patient.word(value)
        said = {patient.word(node) for node in walk(value) if node.type in ("identifier", "member_expression")}
        if _ANY in words and {signal, over} <= said:
            return name
    return ""


def _length(patient: Patient, loop: Node, known: dict[str, Node]) -> tuple[str, str]:
    """How long the loop may last, as the code writes it, and the name of the deadline or start that it tests."""
    tested = {patient.word(node) for node in walk(loop) if node.type == "identifier"}
    between = [name for name, value in known.items() if name in tested and not _awaits_between(value, loop)]
    for name in between:
        value = known[name]
        if value.type == "binary_expression" and patient.word(value.children[1]) == "+":
            clock, length = value.children[0], bare(value.children[2])
            if patient.word(clock) in _CLOCKS and _is_plain(length):
                return patient.word(length), name
        if patient.word(value) in _CLOCKS:
            for test in [node for node in walk(loop) if node.type == "binary_expression"]:
                left, sign, right = test.children[0], patient.word(test.children[1]), test.children[2]
                since = patient.word(left).replace(" ", "")
                if since == f"{patient.word(value)}-{name}" and sign in ("<", "<=", ">", ">=") and _is_plain(right):
                    return patient.word(right), name
    return "", ""


def _falls_out(patient: Patient, loop: Node, tested: str) -> bool:
    """Whether the loop comes to what follows it when its time is up: its head tests that, or a `break` follows."""

    def speaks(node: Node | None) -> bool:
        return node is not None and any(patient.word(one) == tested for one in walk(node) if one.type == "identifier")

    branches = [node for node in walk(loop) if node.type == "if_statement"]
    late = [branch for branch in branches if speaks(branch.child_by_field_name("condition"))]
    then = [branch.child_by_field_name("consequence") for branch in late]
    breaks = [one for one in then if one is not None and _last(one).type == "break_statement"]
    return len(breaks) == len(late) and (bool(breaks) or speaks(loop.child_by_field_name("condition")))


def _last(block: Node) -> Node:
    return solid(block)[-1] if block.type == "statement_block" and solid(block) else block


def _counts(patient: Patient, loop: Node) -> bool:
    """Whether the head of a loop holds it to a number."""
    test = loop.child_by_field_name("condition")
    found = (node for node in walk(test) if node.type == "binary_expression") if test is not None else iter(())
    return any(patient.word(node.children[1]) in ("<", "<=") for node in found)


def _is_plain(length: Node) -> bool:
    """Whether an expression is made of numbers and names, and does nothing."""
    return all(node.type in _PLAIN or not node.is_named for node in walk(length))


def _awaits_between(value: Node, loop: Node) -> bool:
    """Whether something is awaited after a value was bound and before the loop begins."""
    whole = list(enclosing(loop))[-1]
    awaits = [node for node in walk(whole) if node.type == "await_expression"]
    return any(value.end_byte <= node.start_byte < loop.start_byte for node in awaits)


def _is_guarded(patient: Patient, loop: Node, function: Node, over: str) -> bool:
    """Whether the loop stands in a `try` whose handler looks at the deadline's signal."""
    for around in enclosing(loop):
        if around == function:
            return False
        if around.type == "try_statement":
            handler = around.child_by_field_name("handler")
            return handler is not None and f"{over}.aborted" in patient.word(handler)
    return False


# ---------------------------------------------------------------- the loop


def _before(patient: Patient, loop: Node, lines: Sequence[str]) -> list[Edit]:
    """Statements before a loop, and before the comments that belong to it."""
    if not lines:
        return []
    first = loop
    above = first.prev_named_sibling
    while above is not None and above.type == "comment" and above.end_point[0] == first.start_point[0] - 1:
        first, above = above, above.prev_named_sibling
    margin, newline = patient.margin(loop.start_byte), patient.source.newline
    return [patient.edit(first.start_byte, first.start_byte, "".join(f"{line}{newline}{margin}" for line in lines))]


def _wrapped(
    patient: Patient, function: Node, loop: Node, call: Node, stop: str, over: str, lines: list[str]
) -> list[Edit] | None:
    """The loop in a `try`: an abort by the deadline is its end, every other error goes on."""
    block = loop.parent
    if block is None or block.type != "statement_block" or not _can_be_indented(patient, loop):
        return None
    lap = _state_of_lap(patient, loop, call) if _is_endless(patient, loop) else None
    edits: list[Edit] = []
    tail, first = "", ""
    if lap is not None:
        name, declared = lap
        kind = _promised(patient, function)
        if kind is None or any(patient.word(node) == name for node in _said_before(function, loop)):
            return None
        lines.append(f"let {name}{kind};")
        at = declared.start_byte
        edits.append(patient.edit(at, at + len("const "), ""))
        first, tail = f"!{name} || ", f"return {name};"
    elif loop.next_named_sibling is None:
        return None
    asked = ""
    if stop:
        mark = "?" if may_be_missing(patient, loop, stop) else ""
        asked = f"{stop}{mark}.aborted || "
    newline, margin = patient.source.newline, patient.margin(loop.start_byte)
    unit = _unit(patient, loop)
    edits += _before(patient, loop, lines)
    edits.append(patient.edit(loop.start_byte, loop.start_byte, f"try {{{newline}{margin}{unit}"))
    edits += _indented(patient, loop, unit)
    body = [f"if ({first}{asked}!{over}.aborted) throw error;", *([tail] if tail else [])]
    closing = "".join(f"{newline}{margin}{unit}{line}" for line in body)
    edits.append(
        patient.edit(loop.end_byte, loop.end_byte, f"{newline}{margin}}} catch (error) {{{closing}{newline}{margin}}}")
    )
    return _joined(edits)


def _joined(edits: list[Edit]) -> list[Edit]:
    """Insertions at one place made one, in the order in which they are given."""
    found: dict[tuple[str, int, int], Edit] = {}
    for edit in edits:
        key = (edit.path, edit.start, edit.end)
        before = found.get(key)
        text = edit.text if before is None or before.text == edit.text else before.text + edit.text
        found[key] = Edit(edit.path, edit.start, edit.end, text)
    return list(found.values())


def _is_endless(patient: Patient, loop: Node) -> bool:
    test = loop.child_by_field_name("condition")
    return test is None or patient.word(bare(test)) in ("true", "1", ";")


def _state_of_lap(patient: Patient, loop: Node, call: Node) -> tuple[str, Node] | None:
    """What an endless loop returns at its deadline, where each lap binds it by the call, and its declaration."""
    body = loop.child_by_field_name("body")
    if body is None or body.type != "statement_block":
        return None
    returns = [node for node in walk(body) if node.type == "return_statement"]
    jumps = [node for node in walk(body) if node.type in ("break_statement", "continue_statement")]
    values = {patient.word(solid(node)[0]) if solid(node) else "" for node in returns}
    if len(values) != 1 or jumps:
        return None
    name = values.pop()
    for statement in solid(body):
        if statement.type != "lexical_declaration" or not patient.word(statement).startswith("const "):
            continue
        declarators = solid(statement)
        target = declarators[0].child_by_field_name("name") if len(declarators) == 1 else None
        holds = statement.start_byte <= call.start_byte and call.end_byte <= statement.end_byte
        if target is not None and target.type == "identifier" and patient.word(target) == name and holds:
            return name, statement
    return None


def _promised(patient: Patient, function: Node) -> str | None:
    """The type of what a function hands back, for a variable that may still be empty; None if it can't be told."""
    if not patient.source.path.endswith(_TYPED):
        return ""
    said = function.child_by_field_name("return_type")
    words = patient.word(said).lstrip(": ").strip() if said is not None else ""
    if not words.startswith("Promise<") or not words.endswith(">"):
        return None
    return f": {words[len('Promise<') : -1]} | undefined"


def _said_before(function: Node, loop: Node) -> list[Node]:
    return [node for node in walk(function) if node.type in _NAMES and node.start_byte < loop.start_byte]


def _unit(patient: Patient, loop: Node) -> str:
    """One step of indentation, as the loop's own body has it."""
    body = loop.child_by_field_name("body")
    inner = solid(body)[0] if body is not None and body.type == "statement_block" and solid(body) else None
    if inner is None:
        return "  "
    deep, flat = patient.margin(inner.start_byte), patient.margin(loop.start_byte)
    return deep[len(flat) :] if deep.startswith(flat) and len(deep) > len(flat) else "  "


def _can_be_indented(patient: Patient, loop: Node) -> bool:
    """Whether no line of the loop begins inside of a text."""
    texts = [node for node in walk(loop) if node.type in ("template_string", "string", "regex", "jsx_element")]
    return not any("\n" in patient.word(node) for node in texts)


def _indented(patient: Patient, loop: Node, unit: str) -> list[Edit]:
    edits = []
    at = patient.text.find("\n", loop.start_byte) + 1
    while 0 < at <= loop.end_byte:
        if patient.text[at : at + 2].strip("\r\n") and patient.text[at] not in "\r\n":
            edits.append(patient.edit(at, at, unit))
        at = patient.text.find("\n", at) + 1
    return edits
