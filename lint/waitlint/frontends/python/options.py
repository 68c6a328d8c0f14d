"""An option of a call: a keyword, or an entry of the object that a keyword is given."""

from __future__ import annotations

from typing import cast

import libcst as cst

from waitlint.fix import SetOption
from waitlint.frontends.python.nodes import is_attribute, is_name
from waitlint.frontends.python.structure import Code, with_argument


def with_option(code: Code, change: SetOption) -> bool:
    """Set the option; False where what is there is neither a plain value nor an object written in place."""
    if change.name is None:
        return False
    value = _value(code, change)
    if value is None:
        return False
    call = code.at(change.span, cst.Call)
    if call is None or code.text(call).count("(") == 0:
        return _bare_decorator(code, change, value)
    positional = [one for one in call.args if one.keyword is None]
    if change.arg is not None and len(positional) > change.arg and not any(one.star for one in call.args):
        # What stands at its place can't be given by name, too; an object with a name of its own is left alone.
        given = positional[change.arg].value
        return change.key is not None and isinstance(given, cst.Dict) and _in_dict(code, given, change.key, value)
    return _in_call(code, call, change.name, change.key, value, plain=change.plain)


def _value(code: Code, change: SetOption) -> cst.BaseExpression | None:
    if not change.source:
        return cst.parse_expression(change.value)
    name = change.value.partition("(")[0]
    local = code.need_from(change.source, name)
    return cst.parse_expression(f"{local}{change.value[len(name) :]}") if local else None


def _bare_decorator(code: Code, change: SetOption, value: cst.BaseExpression) -> bool:
    """`@retry` becomes `@retry(stop=…)`."""
    node = code.at(change.span, (cst.Name, cst.Attribute))
    if node is None or not isinstance(code.parent_of(node), cst.Decorator) or change.name is None or change.key:
        return False
    assert isinstance(node, cst.Name | cst.Attribute)
    code.replace(node, cst.Call(node, [_keyword(change.name, value)]))
    return True


def _in_call(code: Code, call: cst.Call, name: str, key: str | None, value: cst.BaseExpression, *, plain: bool) -> bool:
    if any(one.star for one in call.args):
        return False
    given = next((one for one in call.args if one.keyword is not None and one.keyword.value == name), None)
    if given is None:
        if key is not None and ("." in key or not plain):
            return False
        entry = cst.Dict([cst.DictElement(cst.SimpleString(f'"{key}"'), value)]) if key else value
        new = _keyword(name, entry)
        code.change(call, lambda node: with_argument(cast(cst.Call, node), new))
        return True
    if key is None:
        if not _is_off(given.value):
            return False
        code.replace(given.value, value)
        return True
    if isinstance(given.value, cst.Call):
        return _in_call(code, given.value, key, None, value, plain=False)
    return isinstance(given.value, cst.Dict) and _in_dict(code, given.value, key, value)


def _in_dict(code: Code, found: cst.Dict, key: str, value: cst.BaseExpression) -> bool:
    if any(not isinstance(one, cst.DictElement) for one in found.elements):
        return False
    for one in found.elements:
        if isinstance(one, cst.DictElement) and code.text(one.key).strip("'\"") == key:
            if not _is_off(one.value):
                return False
            code.replace(one.value, value)
            return True
    elements = list(found.elements)
    if elements:
        comma = elements[-1].comma
        between = elements[-2].comma if len(elements) > 1 else None
        joined = between if isinstance(between, cst.Comma) else cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
        elements[-1] = elements[-1].with_changes(comma=joined)
        elements.append(cst.DictElement(cst.SimpleString(f'"{key}"'), value, comma=comma))
    else:
        elements.append(cst.DictElement(cst.SimpleString(f'"{key}"'), value))
    code.change(found, lambda node: node.with_changes(elements=elements))
    return True


def _is_off(value: cst.BaseExpression) -> bool:
    """Whether a value is a plain one, or none, or one that stands for no limit."""
    if isinstance(value, cst.Call):
        return is_name(value.func, "float")
    is_plain = isinstance(value, cst.Integer | cst.Float | cst.UnaryOperation)
    return is_plain or is_name(value, "None") or is_attribute(value, "inf") or is_attribute(value, "maxsize")


def _keyword(name: str, value: cst.BaseExpression) -> cst.Arg:
    tight = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    return cst.Arg(value, keyword=cst.Name(name), equal=tight)
