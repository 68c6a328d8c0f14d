"""The stop signal, taken by handlers, handed through helpers, and given to what can be stopped with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tree_sitter import Node

from waitlint.catalog import load_agents
from waitlint.catalog.apis import Api, Slot, load_apis
from waitlint.fix import AddSignal, BoundCall, Edit, HandOn, TakeSignal
from waitlint.frontends.typescript.numbers import in_files_manner
from waitlint.frontends.typescript.pausing import ended_by
from waitlint.frontends.typescript.surgery import (
    CALLS,
    FUNCTIONS,
    Patient,
    bare,
    enclosing,
    given_to,
    may_be_missing,
    solid,
    walk,
)

SIGNAL = "signal"
# A timer that takes no signal: a promise around it can be another one.
TIMER = "setTimeout"
MILLISECONDS = 0.001
_CONTEXTS = ("ctx", "extra", "context")
_TYPED = (".ts", ".tsx", ".mts", ".cts")


def handed_on(patient: Patient, change: HandOn) -> tuple[Edit, ...] | None:
    """The edits that hand a signal to a call."""
    call = patient.at(change.span, CALLS)
    if call is None:
        return None
    signal = change.signal if change.bound else expression_of(patient, call, change.signal)
    edits = _given(patient, call, change, signal) if signal else None
    return patient.tried(edits) if edits is not None else None


def taken(patient: Patient, change: TakeSignal) -> tuple[Edit, ...] | None:
    """The edits by which a handler takes the signal and hands it to calls in it."""
    function = patient.at(change.span, FUNCTIONS)
    if function is None:
        return None
    found = _parameter(patient, function, change.position, change.keys)
    if found is None:
        return None
    signal, edits = found
    for call in change.to:
        node = patient.at(call.span, CALLS)
        if node is None or patient.function_of(node) is None:
            return None
        made = _given(patient, node, call, signal)
        if made is None:
            return None
        edits = [*edits, *made]
    return patient.tried(sorted(set(edits)))


def added(patient: Patient, change: AddSignal) -> tuple[Edit, ...] | None:
    """The edit that gives a helper one more parameter at its end, which callers may leave out."""
    function = patient.at(change.span, FUNCTIONS)
    parameters = function.child_by_field_name("parameters") if function is not None else None
    if function is None or parameters is None:
        return None
    given = solid(parameters)
    if SIGNAL in _names(patient, function) or any("rest_pattern" in {n.type for n in walk(one)} for one in given):
        return None
    typed = patient.source.path.endswith(_TYPED)
    written = f"{SIGNAL}?: AbortSignal" if typed else SIGNAL
    return patient.tried([appended(patient, parameters, given, written)])


def bounded_call(patient: Patient, change: BoundCall) -> tuple[Edit, ...] | None:
    """The edit that gives a call a timeout: its own option in milliseconds, else a signal that ends it."""
    call = patient.at(change.span, CALLS)
    found, row = given_to(call), row_of(change.api)
    if row is None or found is None:
        return None
    arguments, given = found
    length = in_files_manner(patient, int(change.seconds * 1000))
    own = next((slot for slot in row.timeout if slot.key and "." not in slot.key and row.scale == MILLISECONDS), None)
    option = option_of(own or next(iter(row.signals), None))
    if option is None or len(given) < option.arg:
        return None
    words = f"{option.key}: {length if own else f'AbortSignal.timeout({length})'}"
    if len(given) == option.arg:
        return patient.tried([appended(patient, arguments, given, f"{{ {words} }}")])
    options = bare(given[option.arg])
    if options.type != "object" or any(child.type == "spread_element" for child in solid(options)):
        return None
    names = {patient.word(child.child_by_field_name("key") or child).strip("'\"") for child in solid(options)}
    if option.key in names:
        return None
    return patient.tried([appended(patient, options, solid(options), words, spaced=True)])


# ---------------------------------------------------------------- a call


def _given(patient: Patient, call: Node, change: HandOn, signal: str) -> list[Edit] | None:
    if change.api == TIMER:
        return ended_by(patient, call, signal)
    found = given_to(call)
    if found is None:
        return None
    arguments, given = found
    if not change.api:
        return _as_argument(patient, arguments, given, change.position, signal)
    option = option_of(slot_of(change.api))
    if option is None:
        return None
    arg, key = option
    short = key if signal == key else f"{key}: {signal}"
    if given and len(given) == arg and bare(given[-1]).type == "object" and key in patient.word(given[-1]):
        # The options stand where the call takes something else.
        return [patient.edit(given[-1].start_byte, given[-1].start_byte, "undefined, ")]
    if len(given) <= arg:
        missing = ["undefined"] * (arg - len(given))
        return [appended(patient, arguments, given, ", ".join([*missing, f"{{ {short} }}"]))]
    options = bare(given[arg])
    if options.type == "undefined" or patient.word(options) == "undefined":
        return [patient.edit(options.start_byte, options.end_byte, f"{{ {short} }}")]
    if options.type != "object":
        return None
    return _in_object(patient, options, key, short, signal, optional=change.optional)


class Option(NamedTuple):
    """An entry `key` of the object that stands at `arg`."""

    arg: int
    key: str


def option_of(slot: Slot | None) -> Option | None:
    """A slot as an option that a call can be given; None where it is something else, or stands deeper."""
    if slot is None or slot.arg is None or slot.arg < 0 or slot.key is None or "." in slot.key:
        return None
    return Option(slot.arg, slot.key)


def row_of(api: str) -> Api | None:
    """The row of the catalog for a call, by its name there."""
    apis = load_apis()
    owner, _, method = api.rpartition(".")
    return apis.named(api) or apis.method(owner, method)


def slot_of(api: str) -> Slot | None:
    """Where a call of the catalog takes its signal."""
    row = row_of(api) or load_agents().find("typescript", api)
    return row.signals[0] if row is not None and row.signals else None


def _said(patient: Patient, node: Node) -> set[str]:
    """The names in an expression, and its members as they are written."""
    kinds = ("identifier", "member_expression", "shorthand_property_identifier")
    return {patient.word(one) for one in walk(node) if one.type in kinds}


def _functions_around(node: Node) -> list[Node]:
    return [one for one in enclosing(node) if one.type in FUNCTIONS]


def _as_argument(patient: Patient, arguments: Node, given: list[Node], position: int, signal: str) -> list[Edit] | None:
    if len(given) > position:
        old = bare(given[position])
        if patient.word(old) == "undefined":
            return [patient.edit(old.start_byte, old.end_byte, signal)]
        return [] if signal in _said(patient, old) else None
    missing = ["undefined"] * (position - len(given))
    return [appended(patient, arguments, given, ", ".join([*missing, signal]))]


def _in_object(
    patient: Patient, options: Node, key: str, short: str, signal: str, *, optional: bool
) -> list[Edit] | None:
    for child in solid(options):
        if child.type == "spread_element":
            return None
        name = child.child_by_field_name("key") or child
        if patient.word(name).strip("'\"") != key:
            continue
        value = child.child_by_field_name("value")
        if value is None or signal in _said(patient, value):
            return []
        both = _combined(patient, options, value, signal, optional=optional)
        return [patient.edit(value.start_byte, value.end_byte, both)]
    return [appended(patient, options, solid(options), short, spaced=True)]


def _combined(patient: Patient, options: Node, value: Node, signal: str, *, optional: bool) -> str:
    """Two signals as one; what may be missing is left out first."""
    other = patient.word(value)
    is_new = not any(signal.partition(".")[0] in _names(patient, one) for one in _functions_around(options))
    first, second = is_new or may_be_missing(patient, options, signal), may_be_missing(patient, options, other)
    both = f"[{signal}, {other}]"
    if not optional or not (first or second or not patient.source.path.endswith(_TYPED)):
        return f"AbortSignal.any({both})"
    if not second and value.type == "identifier":
        return f"{signal} ? AbortSignal.any({both}) : {other}"
    return f"AbortSignal.any({both}.filter((each) => each !== undefined))"


def appended(patient: Patient, around: Node, given: list[Node], words: str, *, spaced: bool = False) -> Edit:
    """Words behind the last item between brackets, on a line of their own where the items have one each."""
    text = patient.text
    if not given:
        start, end = around.start_byte + 1, around.end_byte - 1
        inner = f" {words} " if spaced else words
        return patient.edit(start, end if not text[start:end].strip() else start, inner)
    last = given[-1]
    comma = next((one for one in around.children if one.type == "," and one.start_byte >= last.end_byte), None)
    end = comma.end_byte if comma is not None else last.end_byte
    line = text.rfind("\n", 0, last.start_byte) + 1
    alone = line > around.start_byte and not text[line : last.start_byte].strip()
    if alone and "\n" in text[last.end_byte : around.end_byte]:
        joined = f"{patient.source.newline}{patient.margin(last.start_byte)}{words}"
        return patient.edit(end, end, f"{joined}," if comma is not None else f",{joined}")
    return patient.edit(end, end, f" {words}" if comma is not None else f", {words}")


# ---------------------------------------------------------------- a function


def _parameter(patient: Patient, function: Node, position: int, keys: Sequence[str]) -> tuple[str, list[Edit]] | None:
    """How the handler gets at the signal, and the edits that it takes for that."""
    parameters = function.child_by_field_name("parameters")
    if parameters is None or position < 0 or not keys:
        return None
    given = solid(parameters)
    names, last = _names(patient, function), keys[-1]
    if len(given) > position:
        pattern = given[position].child_by_field_name("pattern") or given[position]
        typed = given[position].child_by_field_name("type") is not None
        if pattern.type == "identifier":
            return ".".join([patient.word(pattern), *keys]), []
        if pattern.type != "object_pattern" or typed or len(keys) != 1 or last in names:
            return None
        if any(child.type == "rest_pattern" for child in solid(pattern)):
            return None
        return last, [appended(patient, pattern, solid(pattern), last, spaced=True)]
    fillers = [f"_{'input' if not index else f'argument{index}'}" for index in range(len(given), position)]
    if len(keys) == 1:
        if last in names:
            return None
        taken_as, signal, type_of = f"{{ {last} }}", last, f"{{ {last}: AbortSignal }}"
    else:
        name = next((one for one in _CONTEXTS if one not in names), None)
        if name is None:
            return None
        taken_as, signal = name, ".".join([name, *keys])
        type_of = "".join(f"{{ {key}: " for key in keys) + "AbortSignal" + " }" * len(keys)
    if patient.source.path.endswith(_TYPED) and not _is_typed_by_its_place(function):
        if fillers:
            return None
        taken_as = f"{taken_as}: {type_of}"
    return signal, [appended(patient, parameters, given, ", ".join([*fillers, taken_as]))]


def _is_typed_by_its_place(function: Node) -> bool:
    """Whether a function is an argument or a property, whose parameters get their types from there."""
    around = function.parent
    if function.type == "method_definition":
        return around is not None and around.type == "object"
    return around is not None and around.type in ("arguments", "pair", "parenthesized_expression")


def _names(patient: Patient, function: Node) -> set[str]:
    """The names that a function binds or speaks of."""
    kinds = ("identifier", "shorthand_property_identifier_pattern", "shorthand_property_identifier")
    return {patient.word(node) for node in walk(function) if node.type in kinds}


def expression_of(patient: Patient, call: Node, name: str) -> str:
    """How a signal that was bound under a name is called where the call stands; "" where it is out of sight."""
    if "." in name:
        return name
    around = call.parent
    while around is not None:
        if around.type in FUNCTIONS or around.type in ("statement_block", "program"):
            if name in _bound(patient, around):
                return name
        elif around.type == "class_body":
            return f"this.{name}" if name in _fields(patient, around) else ""
        around = around.parent
    return ""


def _bound(patient: Patient, scope: Node) -> set[str]:
    """The names that a function's parameters, or the statements of a block, bind."""
    if scope.type in FUNCTIONS:
        parameters = scope.child_by_field_name("parameters") or scope.child_by_field_name("parameter")
        nodes = list(walk(parameters)) if parameters is not None else []
    else:
        kinds = ("lexical_declaration", "variable_declaration")
        declared = [child for child in scope.named_children if child.type in kinds]
        targets = [
            declarator.child_by_field_name("name")
            for child in declared
            for declarator in child.named_children
            if declarator.type == "variable_declarator"
        ]
        nodes = [node for target in targets if target is not None for node in walk(target)]
    bound = ("identifier", "shorthand_property_identifier_pattern")
    return {patient.word(node) for node in nodes if node.type in bound}


def _fields(patient: Patient, body: Node) -> set[str]:
    """The fields of a class, also those that its constructor declares."""
    found: set[str] = set()
    for node in walk(body):
        if node.type in ("public_field_definition", "field_definition"):
            name = node.child_by_field_name("name") or node.child_by_field_name("property")
            found |= {patient.word(name)} if name is not None else set()
        elif node.type == "required_parameter" and any(
            child.type in ("accessibility_modifier", "readonly") for child in node.children
        ):
            pattern = node.child_by_field_name("pattern")
            found |= {patient.word(pattern)} if pattern is not None else set()
        elif node.type == "assignment_expression":
            left = node.child_by_field_name("left")
            if left is not None and patient.word(left).startswith("this."):
                found.add(patient.word(left)[len("this.") :])
    return found
