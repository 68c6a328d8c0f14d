"""A loop that waits without a bound, given one: a deadline or a number of laps; then its last state comes back."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from waitlint.fix import BoundLoop, ReturnLast
from waitlint.frontends.python.nodes import all_in, every, is_name
from waitlint.frontends.python.structure import Code

_DEADLINES = ("deadline", "give_up", "wait_until")
_LAPS = ("laps", "lap_count", "looks")


def bounded(code: Code, change: BoundLoop) -> bool:
    """Bound a `while`; False where its shape does not say what comes back at the cap."""
    loop = code.at(change.span, cst.While)
    if loop is None or loop.orelse is not None or not isinstance(loop.body, cst.IndentedBlock):
        return False
    function = code.function_of(loop)
    if not isinstance(function, cst.FunctionDef):
        return False
    if _is_forever(loop.test):
        return _endless(code, function, loop, change)
    return _conditional(code, function, loop, change)


def _is_forever(test: cst.BaseExpression) -> bool:
    return is_name(test, "True") or (isinstance(test, cst.Integer) and test.value == "1")


# ---------------------------------------------------------------- `while state is not final`


def _conditional(code: Code, function: cst.FunctionDef, loop: cst.While, change: BoundLoop) -> bool:
    """One more condition in the head: what follows the loop is made for its last state already."""
    if change.laps:
        name = free_name(code, function, _LAPS)
        before, head = f"{name} = 0", f"{name} < {change.laps}"
    else:
        name, clock = free_name(code, function, _DEADLINES), code.need("time")
        before, head = f"{name} = {clock}.monotonic() + {change.seconds:g}", f"{clock}.monotonic() < {name}"
    test = loop.test
    if isinstance(test, cst.IfExp | cst.Lambda) or not hands_back(code, loop):
        return False
    either = isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.Or)
    binds_loosely = either or isinstance(test, cst.NamedExpr)
    if binds_loosely and not test.lpar:
        test = test.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    joined = cst.BooleanOperation(test, cst.And(), cst.parse_expression(head))
    body = loop.body
    if change.laps:
        assert isinstance(body, cst.IndentedBlock)
        count = _statement(f"{name} += 1")
        body = body.with_changes(body=[count, *body.body])
    lead = loop.leading_lines
    made = [
        _statement(before).with_changes(leading_lines=lead),
        loop.with_changes(test=joined, body=body, leading_lines=()),
    ]
    code.change(loop, lambda node: cst.FlattenSentinel(made))
    return True


def hands_back(code: Code, loop: cst.While | cst.For) -> bool:
    """Whether the loop is followed by the return of what it looks at, whichever state that is in."""
    around = code.parent_of(loop)
    if not isinstance(around, cst.IndentedBlock):
        return False
    following = around.body[list(around.body).index(loop) + 1 :]
    first = following[0] if following else None
    if not isinstance(first, cst.SimpleStatementLine) or not isinstance(first.body[0], cst.Return):
        return False
    block = loop.body.body if isinstance(loop.body, cst.IndentedBlock) else ()
    endless = not isinstance(loop, cst.While) or _is_forever(loop.test)
    value, test = first.body[0].value, "" if endless or isinstance(loop, cst.For) else code.text(loop.test)
    bound = _bound(block) if endless else _bound(block) & _bound_before(around, loop)
    names = bound | (set() if isinstance(loop, cst.For) else code.names_in(loop.test))
    if isinstance(value, cst.Dict):
        spread = [one.value for one in value.elements if isinstance(one, cst.StarredDictElement)]
        return any(isinstance(one, cst.Name) and one.value in names for one in spread)
    if isinstance(value, cst.Call) and len(value.args) == 1:
        value = value.args[0].value
    if isinstance(value, cst.Name):
        return value.value in names
    return isinstance(value, cst.Subscript | cst.Attribute) and code.text(value) in test


# ---------------------------------------------------------------- `while True`


def _endless(code: Code, function: cst.FunctionDef, loop: cst.While, change: BoundLoop) -> bool:
    """A number of laps; what a lap returns when the work is done is returned after the last one, too."""
    block = loop.body
    assert isinstance(block, cst.IndentedBlock)
    answer = _answer(code, loop, block)
    if answer is None:
        return False
    returned = [] if isinstance(answer, str) else [cst.SimpleStatementLine([answer])]
    if change.laps:
        head: cst.BaseStatement = cst.For(
            cst.Name("_"),
            cst.Call(cst.Name("range"), [cst.Arg(cst.Integer(str(change.laps)))]),
            block,
            leading_lines=loop.leading_lines,
        )
        code.change(loop, lambda node: cst.FlattenSentinel([head, *returned]))
        return True
    name, clock = free_name(code, function, _DEADLINES), code.need("time")
    before = _statement(f"{name} = {clock}.monotonic() + {change.seconds:g}")
    test = cst.parse_expression(f"{clock}.monotonic() < {name}")
    made = [before.with_changes(leading_lines=loop.leading_lines), loop.with_changes(test=test, leading_lines=())]
    code.change(loop, lambda node: cst.FlattenSentinel([*made, *returned]))
    return True


def _answer(code: Code, loop: cst.While | cst.For, block: cst.IndentedBlock) -> cst.Return | str | None:
    """What the loop hands back when it ends: a `return` to repeat, "" where it is left by `break`; None if unclear.

    A `return` can be repeated after the loop if it is the only one and speaks of what each lap binds.
    """
    leaves = [node for node in _of_loop(block) if isinstance(node, cst.Break)]
    returns = all_in(block, cst.Return)
    if leaves:
        return "" if not returns and hands_back(code, loop) else None
    texts = {code.text(node) for node in returns}
    if len(texts) != 1 or returns[0].value is None:
        return None
    bound = _bound(block.body)
    names = code.names_in(returns[0].value)
    inside = code.names_in(block)
    assigned = {
        target.target.value for target in all_in(block, cst.AssignTarget) if isinstance(target.target, cst.Name)
    }
    if any(isinstance(one, cst.Await | cst.NamedExpr) for one in every(returns[0].value)) or not names & bound:
        return None
    return returns[0] if (names & inside & assigned) <= bound else None


def _of_loop(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The nodes of a loop's body that belong to no loop or function inside it."""
    found: list[cst.CSTNode] = []
    waiting: list[cst.CSTNode] = [node]
    while waiting:
        one = waiting.pop()
        found.append(one)
        inner = isinstance(one, cst.For | cst.While | cst.FunctionDef | cst.Lambda | cst.ClassDef) and one is not node
        if not inner:
            waiting.extend(one.children)
    return found


def _bound_before(block: cst.IndentedBlock, loop: cst.While | cst.For) -> set[str]:
    """The names that are bound in a loop's block before it."""
    return _bound(block.body[: list(block.body).index(loop)])


def _bound(body: Sequence[cst.BaseStatement]) -> set[str]:
    """The names that every lap binds: in plain statements, also in `with` and in the body of a `try`."""
    names: set[str] = set()
    for statement in body:
        if isinstance(statement, cst.SimpleStatementLine):
            for part in statement.body:
                targets = [one.target for one in part.targets] if isinstance(part, cst.Assign) else []
                if isinstance(part, cst.AnnAssign) and part.value is not None:
                    targets.append(part.target)
                for target in targets:
                    elements = target.elements if isinstance(target, cst.Tuple | cst.List) else [target]
                    for one in elements:
                        inner = one.value if isinstance(one, cst.Element) else one
                        if isinstance(inner, cst.Name):
                            names.add(inner.value)
        elif isinstance(statement, cst.With) and isinstance(statement.body, cst.IndentedBlock):
            names |= _bound(statement.body.body)
    return names


# ---------------------------------------------------------------- after the loop


def returned(code: Code, change: ReturnLast) -> bool:
    """What the loop returns when the work is done, in the place of an error after it: the state is told by itself."""
    statement = code.at(change.span, cst.SimpleStatementLine)
    around = code.parent_of(statement) if statement is not None else None
    if statement is None or not isinstance(around, cst.IndentedBlock) or len(statement.body) != 1:
        return False
    if not isinstance(statement.body[0], cst.Raise):
        return False
    index = list(around.body).index(statement)
    loop = around.body[index - 1] if index else None
    if not isinstance(loop, cst.While | cst.For) or loop.orelse is not None:
        return False
    if not isinstance(loop.body, cst.IndentedBlock):
        return False
    answer = _answer(code, loop, loop.body)
    if not isinstance(answer, cst.Return) or not _is_the_state(answer):
        return False
    code.change(statement, lambda node: node.with_changes(body=[answer]))
    return True


def _is_the_state(answer: cst.Return) -> bool:
    """Whether what is returned is the state as a whole, and no part of it that only finished work has."""
    value = answer.value
    if isinstance(value, cst.Call) and len(value.args) == 1:
        value = value.args[0].value
    return isinstance(value, cst.Name)


# ---------------------------------------------------------------- pieces


def free_name(code: Code, function: cst.CSTNode, names: Sequence[str]) -> str:
    """The first of some names that a function does not use."""
    used = code.names_in(function)
    return next((name for name in names if name not in used), f"{names[0]}_of_wait")


def _statement(text: str) -> cst.SimpleStatementLine:
    found = cst.parse_statement(text)
    assert isinstance(found, cst.SimpleStatementLine)
    return found
