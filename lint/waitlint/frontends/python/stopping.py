"""A stop event of the author's own, brought to the pauses that it should end."""

from __future__ import annotations

from typing import cast

import libcst as cst

from waitlint.catalog.apis import load_apis
from waitlint.fix import HandOn
from waitlint.frontends.python.looping import hands_back
from waitlint.frontends.python.nodes import all_in, is_attribute, is_name
from waitlint.frontends.python.structure import Code, with_argument


def handed_on(code: Code, change: HandOn) -> bool:
    """Hand the event to a helper, or pause with it; False where it is out of sight, or a lap would begin after it."""
    call = code.at(change.span, cst.Call)
    if call is None or any(one.star for one in call.args):
        return False
    event = change.signal if change.bound else _in_sight(code, call, change.signal)
    if not event:
        return False
    if change.api:
        return _paused(code, call, change.api, event)
    return _given(code, call, change.position, event)


def _given(code: Code, call: cst.Call, position: int, event: str) -> bool:
    positional = [one for one in call.args if one.keyword is None]
    if len(positional) != position or len(positional) != len(call.args):
        return False
    code.change(call, lambda node: with_argument(cast(cst.Call, node), cst.Arg(cst.parse_expression(event))))
    return True


def _paused(code: Code, call: cst.Call, api: str, event: str) -> bool:
    """`if stop.wait(seconds): break` for a pause in a loop; the wait alone where the loop looks at the event itself."""
    row = load_apis().named(api)
    statement = code.parent_of(code.parent_of(call) or call)
    loop = next((one for one in code.around(call) if isinstance(one, cst.While | cst.For)), None)
    if row is None or not row.blocking or len(call.args) != 1 or loop is None:
        return False
    if not isinstance(code.parent_of(call), cst.Expr) or not isinstance(statement, cst.SimpleStatementLine):
        return False
    if code.function_of(loop) is not code.function_of(call) or len(statement.body) != 1:
        return False
    wait = cst.parse_expression(f"{event}.wait({code.text(call.args[0].value)})")
    looked_at = [
        one
        for one in all_in(loop, cst.Call)
        if is_attribute(one.func, "is_set") and code.text(one) == f"{event}.is_set()"
    ]
    at_head = isinstance(loop, cst.While) and any(node in looked_at for node in all_in(loop.test, cst.Call))
    if at_head or (looked_at and not hands_back(code, loop)):
        code.replace(call, wait)
    elif hands_back(code, loop):
        leave = cst.IndentedBlock([cst.SimpleStatementLine([cst.Break()])])
        code.change(
            statement,
            lambda node: cst.If(wait, leave, leading_lines=cast(cst.SimpleStatementLine, node).leading_lines),
        )
    else:
        return False
    code.drop_root_if_unused(call.func)
    return True


def _in_sight(code: Code, call: cst.Call, name: str) -> str:
    """How an event of a name is called where a call stands; "" where that can't be told."""
    last = name.rpartition(".")[2]
    for around in code.around(call):
        if isinstance(around, cst.FunctionDef):
            parameters = around.params
            every = [*parameters.posonly_params, *parameters.params, *parameters.kwonly_params]
            if last in {one.name.value for one in every}:
                return last
        if isinstance(around, cst.ClassDef):
            code.whole()
            owned = (one for one in all_in(around, cst.Attribute) if is_attribute(one, last))
            return f"self.{last}" if any(is_name(one.value, "self") for one in owned) else ""
    bound = {
        target.target.value
        for statement in code.module.body
        if isinstance(statement, cst.SimpleStatementLine)
        for part in statement.body
        if isinstance(part, cst.Assign)
        for target in part.targets
        if isinstance(target.target, cst.Name)
    }
    return last if last in bound or last in code.imported_names() else ""
