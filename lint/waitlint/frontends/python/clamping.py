"""An argument that the model chooses, given a greatest value: in its schema, or before it is used."""

from __future__ import annotations

from typing import cast

import libcst as cst

from waitlint.fix import ClampArgument, greatest
from waitlint.frontends.python.nodes import is_name, is_named
from waitlint.frontends.python.structure import Code, with_argument

_LIMITS = frozenset({"le", "lt"})


def clamped(code: Code, change: ClampArgument) -> bool:
    """Clamp the argument at a place; False where it is neither a parameter nor a number of a schema."""
    fields = [call for call in code.inside(change.span, cst.Call) if is_named(call.func, "Field")]
    if len(fields) == 1:
        return _in_field(code, fields[0], change)
    schemas = [one for one in code.inside(change.span, cst.Dict) if _entry(code, one, "type") is not None]
    if len(schemas) == 1:
        return _in_schema(code, schemas[0], change)
    return _in_function(code, change)


def _in_field(code: Code, field: cst.Call, change: ClampArgument) -> bool:
    named = {one.keyword.value: one.value for one in field.args if one.keyword is not None}
    if _LIMITS & set(named) or any(one.star for one in field.args):
        return False
    parameter = next((one for one in code.around(field) if isinstance(one, cst.Param | cst.AnnAssign)), None)
    if parameter is None:
        return False
    default = parameter.default if isinstance(parameter, cst.Param) else parameter.value
    if default is field:
        positional = [one.value for one in field.args if one.keyword is None]
        default = named.get("default", positional[0] if positional else None)
    most = greatest(change, _number(default))
    if most is None:
        return False
    tight = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    new = cst.Arg(cst.Integer(str(most)), keyword=cst.Name("le"), equal=tight)
    code.change(field, lambda node: with_argument(cast(cst.Call, node), new))
    return True


def _in_schema(code: Code, schema: cst.Dict, change: ClampArgument) -> bool:
    kind = _entry(code, schema, "type")
    if kind is None or code.text(kind.value).strip("'\"") not in ("number", "integer"):
        return False
    if _entry(code, schema, "maximum") or _entry(code, schema, "exclusiveMaximum"):
        return False
    default = _entry(code, schema, "default")
    most = greatest(change, _number(default.value if default is not None else None))
    if most is None:
        return False
    after = _entry(code, schema, "minimum") or kind
    at = list(schema.elements).index(after)
    quote = code.text(after.key)[:1]
    new = after.with_changes(key=cst.SimpleString(f"{quote}maximum{quote}"), value=cst.Integer(str(most)))
    following = list(schema.elements)
    comma = after.comma
    if not isinstance(comma, cst.Comma):
        before = following[at - 1].comma if at else None
        comma = before if isinstance(before, cst.Comma) else cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
        following[at] = after.with_changes(comma=comma)
    following.insert(at + 1, new)
    code.change(schema, lambda node: node.with_changes(elements=following))
    return True


def _entry(code: Code, schema: cst.Dict, name: str) -> cst.DictElement | None:
    for one in schema.elements:
        if isinstance(one, cst.DictElement) and code.text(one.key).strip("'\"") == name:
            return one
    return None


def _in_function(code: Code, change: ClampArgument) -> bool:
    """`name = min(name, most)` as the first thing that the function does."""
    parameter = code.at(change.span, cst.Param)
    function = code.function_of(parameter) if parameter is not None else None
    if parameter is None or not isinstance(function, cst.FunctionDef):
        return False
    body = function.body
    if not isinstance(body, cst.IndentedBlock):
        return False
    endless = is_name(parameter.default, "None")
    most = greatest(change, _number(parameter.default))
    if most is None:
        return False
    name = parameter.name.value
    clamp = f"{most} if {name} is None else min({name}, {most})" if endless else f"min({name}, {most})"
    statement = cst.parse_statement(f"{name} = {clamp}")
    first = body.body[0]
    said = first.body[0] if isinstance(first, cst.SimpleStatementLine) else None
    documented = isinstance(said, cst.Expr) and isinstance(said.value, cst.SimpleString | cst.ConcatenatedString)
    at = 1 if documented else 0
    code.change(body, lambda node: node.with_changes(body=[*_body(node)[:at], statement, *_body(node)[at:]]))
    return True


def _body(node: cst.CSTNode) -> list[cst.BaseStatement]:
    assert isinstance(node, cst.IndentedBlock)
    return list(node.body)


def _number(node: cst.BaseExpression | None) -> float | None:
    return float(node.evaluated_value) if isinstance(node, cst.Integer | cst.Float) else None
