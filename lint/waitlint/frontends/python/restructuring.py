"""Changes of Python code that need its structure: arguments, imports, handlers, loops. libcst makes them.

Each change is carried out only where its shape is wholly understood; None is "not here".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

import libcst as cst

from waitlint.catalog.apis import load_apis
from waitlint.fix import (
    AwaitPause,
    BoundByDeadline,
    BoundCall,
    BoundLoop,
    Change,
    ClampArgument,
    Edit,
    HandOn,
    RaiseAgain,
    ReturnLast,
    SetNumber,
    SetOption,
    Unshield,
)
from waitlint.frontends.python.clamping import clamped
from waitlint.frontends.python.excerpt import excerpt
from waitlint.frontends.python.looping import bounded, free_name, hands_back, returned
from waitlint.frontends.python.nodes import all_in, below, is_attribute, is_name, is_named, walk
from waitlint.frontends.python.options import with_option
from waitlint.frontends.python.stopping import handed_on
from waitlint.frontends.python.structure import Code, NeedsWhole, with_argument
from waitlint.source import Source

_LOOPS = {"anyio": "anyio", "trio": "trio"}
_CANCELLED = "CancelledError"
_CLOCKS = ("monotonic", "time", "perf_counter", "current_time")
LEAST_LEFT = "0.1"
_OF_AWS = "boto3."
_CLIENT = re.compile(r"\.\s*client\b")
# What the libraries raise when a timeout is over, as their modules name it: requests 2.34.2, httpx 0.28.1.
_TIMED_OUT = {
    "requests": "Timeout",
    "httpx": "TimeoutException",
    "httpx2": "TimeoutException",
    "subprocess": "TimeoutExpired",
}


def edits(source: Source, change: Change) -> tuple[Edit, ...] | None:
    """A change as edits in code points of the decoded text; None where it can't be carried out in this file."""
    make = _CHANGES.get(type(change))
    if make is None or not _is_possible(source, change):
        return None
    spans = (change.span, change.loop) if isinstance(change, BoundByDeadline) else (change.span,)
    for text in (excerpt(source.text, spans), source.text):
        try:
            code = Code(source, text)
            return code.edits() if make(code, change) else None
        except NeedsWhole:
            continue
        except (cst.ParserSyntaxError, RecursionError):
            return None
    return None


def _is_possible(source: Source, change: Change) -> bool:
    """Whether a change may be carried out at all, as far as that can be told before the file is parsed."""
    match change:
        case BoundByDeadline(api=api):
            return api.partition(".")[0] in _TIMED_OUT
        case BoundCall(api=api) if api.startswith(_OF_AWS):
            return _CLIENT.search(source.text) is not None
        case _:
            return True


# ---------------------------------------------------------------- numbers


def _number(code: Code, change: SetNumber) -> bool:
    numbers = code.inside(change.span, cst.Integer) + code.inside(change.span, cst.Float)
    if not numbers:
        names = {name.value for name in code.inside(change.span, cst.Name)}
        values = [value for name in names if (value := _constant(code, name)) is not None]
        numbers = [one for value in values for one in _literals(value)]
    for number in numbers:
        for scale in (1, 1000):
            if _value(number) == change.before * scale:
                return _write(code, number, change.after * scale)
    for number in numbers:
        product = _product(code, number)
        for scale in (1, 1000):
            if product is not None and _evaluated(product) == change.before * scale:
                return _write(code, product, change.after * scale)
    return False


def _constant(code: Code, name: str) -> cst.BaseExpression | None:
    """The value of a name that is assigned once in the file, at its top."""
    found = [
        target.value
        for statement in code.module.body
        if isinstance(statement, cst.SimpleStatementLine)
        for target in statement.body
        if isinstance(target, cst.Assign | cst.AnnAssign) and target.value is not None and _names(target) == [name]
    ]
    return found[0] if len(found) == 1 else None


def _names(statement: cst.Assign | cst.AnnAssign) -> list[str]:
    targets = [statement.target] if isinstance(statement, cst.AnnAssign) else [one.target for one in statement.targets]
    return [target.value for target in targets if isinstance(target, cst.Name)]


def _literals(value: cst.BaseExpression) -> list[cst.Integer | cst.Float]:
    return [one for one in walk(value) if isinstance(one, cst.Integer | cst.Float)]


def _value(node: cst.BaseExpression) -> float | None:
    return float(node.evaluated_value) if isinstance(node, cst.Integer | cst.Float) else None


def _product(code: Code, number: cst.CSTNode) -> cst.BinaryOperation | None:
    """The largest product of numbers that a number is a part of."""
    best = None
    for one in code.around(number):
        if not isinstance(one, cst.BinaryOperation) or _evaluated(one) is None:
            break
        best = one
    return best


def _evaluated(node: cst.BaseExpression) -> float | None:
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Multiply):
        left, right = _evaluated(node.left), _evaluated(node.right)
        return left * right if left is not None and right is not None else None
    return _value(node)


def _write(code: Code, node: cst.BaseExpression, value: float) -> bool:
    written = code.text(node)
    is_float = isinstance(node, cst.Float) or value != int(value)
    text = repr(float(value)) if is_float else f"{int(value):_}" if "_" in written else str(int(value))
    code.replace(node, cst.Float(text) if is_float else cst.Integer(text))
    return True


# ---------------------------------------------------------------- pauses


def _awaited(code: Code, change: AwaitPause) -> bool:
    call = code.at(change.span, cst.Call)
    if call is None or len(call.args) != 1 or call.args[0].star:
        return False
    function = code.function_of(call)
    if not isinstance(function, cst.FunctionDef) or function.asynchronous is None:
        return False
    if not isinstance(code.parent_of(call), cst.Expr):
        return False
    known = [name for name in _LOOPS if code.imported(name)]
    library = known[0] if known and code.imported("asyncio") is None else "asyncio"
    name = code.need(library)
    sleep = cst.Attribute(_expression(name), cst.Name("sleep"))
    argument = call.args[0].with_changes(keyword=None, equal=cst.MaybeSentinel.DEFAULT)
    code.replace(call, cst.Await(call.with_changes(func=sleep, args=[argument])))
    code.drop_root_if_unused(call.func)
    return True


def _expression(text: str) -> cst.Name | cst.Attribute:
    found = cst.parse_expression(text)
    assert isinstance(found, cst.Name | cst.Attribute)
    return found


# ---------------------------------------------------------------- cancellation


def _raised(code: Code, change: RaiseAgain) -> bool:
    handler = code.at(change.span, cst.ExceptHandler)
    if handler is not None:
        return _handler(code, handler)
    call = code.at(change.span, cst.Call)
    return call is not None and _suppressed(code, call)


def _handler(code: Code, handler: cst.ExceptHandler) -> bool:
    caught = handler.type
    if _is_raised_behind(code, handler):
        return False
    if caught is None:
        space = cst.SimpleWhitespace(" ")
        code.change(handler, lambda node: node.with_changes(type=cst.Name("Exception"), whitespace_after_except=space))
        return True
    if is_name(caught, "BaseException"):
        code.replace(caught, cst.Name("Exception"))
        return True
    if isinstance(caught, cst.Tuple):
        return _without(code, caught)
    return is_named(caught, _CANCELLED) and _ends_in_raise(code, handler)


def _is_raised_behind(code: Code, handler: cst.ExceptHandler) -> bool:
    """Whether what follows the `try` raises again: the handler only keeps a clean-up from being cut short."""
    tried = code.parent_of(handler)
    block = code.parent_of(tried) if tried is not None else None
    if not isinstance(block, cst.IndentedBlock):
        return False
    following = block.body[next(index for index, one in enumerate(block.body) if one is tried) + 1 :]
    first = following[0] if following else None
    return isinstance(first, cst.SimpleStatementLine) and isinstance(first.body[0], cst.Raise)


def _without(code: Code, caught: cst.Tuple) -> bool:
    """The tuple of exceptions without the cancellation; one that is left stands alone."""
    kept = [one for one in caught.elements if not is_named(one.value, _CANCELLED)]
    if any(is_name(one.value, "BaseException") for one in kept) or not kept:
        return False
    if len(kept) == len(caught.elements):
        return False
    if len(kept) == 1:
        code.replace(caught, kept[0].value)
    else:
        kept[-1] = kept[-1].with_changes(comma=caught.elements[-1].comma)
        code.replace(caught, caught.with_changes(elements=kept))
    return True


def _ends_in_raise(code: Code, handler: cst.ExceptHandler) -> bool:
    """What the handler cleans up stays, and after that the cancellation goes on."""
    body = handler.body
    if not isinstance(body, cst.IndentedBlock) or not body.body:
        return False
    last = body.body[-1]
    again = cst.SimpleStatementLine([cst.Raise()])
    if isinstance(last, cst.SimpleStatementLine) and len(last.body) == 1:
        if isinstance(last.body[0], cst.Return | cst.Pass | cst.Break | cst.Continue):
            code.change(last, lambda node: node.with_changes(body=[cst.Raise()]))
            return True
        code.replace(body, body.with_changes(body=[*body.body, again]))
        return True
    return False


def _suppressed(code: Code, call: cst.Call) -> bool:
    return _left_out(code, call, lambda argument: is_named(argument.value, _CANCELLED))


def _left_out(code: Code, call: cst.Call, is_out: Callable[[cst.Arg], bool]) -> bool:
    """Leave some arguments of a call out, if there are any and they are not all."""
    kept = [argument for argument in call.args if not is_out(argument)]
    if not kept or len(kept) == len(call.args):
        return False
    kept[-1] = kept[-1].with_changes(comma=call.args[-1].comma)
    code.change(call, lambda node: node.with_changes(args=kept))
    return True


def _unshielded(code: Code, change: Unshield) -> bool:
    call = code.at(change.span, cst.Call)
    if call is None:
        return False
    return _left_out(code, call, lambda argument: argument.keyword is not None and argument.keyword.value == "shield")


# ---------------------------------------------------------------- timeouts


def _bounded_call(code: Code, change: BoundCall) -> bool:
    call = code.at(change.span, cst.Call)
    written = f"{change.seconds:g}"
    if change.api.startswith(_OF_AWS):
        return call is not None and _bounded_client(code, call, written)
    if change.api.startswith("aiohttp."):
        # A plain number is deprecated there.
        local = code.imported("aiohttp")
        if local is None:
            return False
        written = f"{local}.ClientTimeout(total={written})"
    return call is not None and _with_timeout(code, call, change.api, cst.parse_expression(written), keep=False)


def _bounded_client(code: Code, call: cst.Call, seconds: str) -> bool:
    """A timeout for the client of AWS that a call is made on, where that is made in this file without options."""
    owner = call.func.value if isinstance(call.func, cst.Attribute) else None
    if not isinstance(owner, cst.Name):
        return False
    made = _assigned(code.whole(), owner.value)
    client = made[0] if len(made) == 1 else None
    if not isinstance(client, cst.Call) or not is_attribute(client.func, "client"):
        return False
    if any(one.star or (one.keyword is not None and one.keyword.value == "config") for one in client.args):
        return False
    config = code.need_from("botocore.config", "Config", added=True)
    tight = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    value = cst.parse_expression(f"{config}(read_timeout={seconds})")
    new = cst.Arg(value, keyword=cst.Name("config"), equal=tight)
    code.change(client, lambda node: with_argument(cast(cst.Call, node), new))
    return True


def _assigned(module: cst.Module, name: str) -> list[cst.BaseExpression]:
    """The values that are assigned to a name alone, anywhere in a module, in no order."""
    found: list[cst.BaseExpression] = []
    stack: list[cst.CSTNode] = [module]
    while stack:
        node = stack.pop()
        if isinstance(node, cst.Assign) and len(node.targets) == 1 and is_name(node.targets[0].target, name):
            found.append(node.value)
        elif not isinstance(node, cst.BaseExpression):
            stack.extend(below(node))
    return found


def _with_timeout(code: Code, call: cst.Call, api: str, value: cst.BaseExpression, *, keep: bool) -> bool:
    """Give a call a timeout. Where it has one, `keep` makes the shorter of the two hold."""
    keyword = _timeout_keyword(api)
    if not keyword or any(argument.star for argument in call.args):
        return False
    for argument in call.args:
        if argument.keyword is not None and argument.keyword.value == keyword:
            old = argument.value
            if not keep and not is_name(old, "None"):
                return False
            shorter = cst.Call(cst.Name("min"), [cst.Arg(old), cst.Arg(value)])
            code.replace(old, value if is_name(old, "None") else shorter)
            return True
    tight = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    new = cst.Arg(value, keyword=cst.Name(keyword), equal=tight)
    code.change(call, lambda node: with_argument(cast(cst.Call, node), new))
    return True


def _timeout_keyword(api: str) -> str:
    """The keyword by which a call of the catalog takes its timeout, in seconds; "" where it takes none."""
    apis = load_apis()
    owner, _, method = api.rpartition(".")
    row = apis.named(api) or apis.method(owner, method)
    if row is None or row.scale != 1.0 or row.endless:
        return ""
    return next((slot.name for slot in row.timeout if slot.name and not slot.key), "")


def _until_deadline(code: Code, change: BoundByDeadline) -> bool:
    """A read that ends with the deadline, and ends the loop then: what comes after it hands the last state back."""
    call, loop = code.at(change.span, cst.Call), code.at(change.loop, cst.While)
    if call is None or loop is None or loop not in set(code.around(call)):
        return False
    if code.function_of(call) is not code.function_of(loop) or loop.orelse is not None or not hands_back(code, loop):
        return False
    left, late = _left(code, loop), _timed_out(code, change.api)
    statement = next((one for one in code.around(call) if code.parent_of(one) is loop.body), None)
    if left is None or not late or not isinstance(statement, cst.SimpleStatementLine):
        return False
    function = code.function_of(loop)
    assert function is not None
    name = free_name(code, function, ("left", "remaining"))
    if not _with_timeout(code, call, change.api, cst.Name(name), keep=True):
        return False

    def guarded(node: cst.CSTNode) -> cst.FlattenSentinel[cst.BaseStatement]:
        assert isinstance(node, cst.SimpleStatementLine)
        first = cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(cst.Name(name))], cst.parse_expression(left))])
        late_body = cst.IndentedBlock([cst.SimpleStatementLine([cst.Break()])])
        tried = cst.Try(
            cst.IndentedBlock([node.with_changes(leading_lines=())]),
            [cst.ExceptHandler(late_body, type=cst.parse_expression(late))],
        )
        return cst.FlattenSentinel([first.with_changes(leading_lines=node.leading_lines), tried])

    code.change(statement, guarded)
    return True


def _timed_out(code: Code, api: str) -> str:
    """What a call raises when its timeout is over, as this file can name it; "" where it can't."""
    module = api.partition(".")[0]
    local = code.imported(module)
    name = _TIMED_OUT.get(module)
    return f"{local}.{name}" if name and local else ""


def _left(code: Code, loop: cst.While) -> str | None:
    """What is left until the deadline that a loop's head tests, as an expression."""
    for test in all_in(loop.test, cst.Comparison):
        if len(test.comparisons) != 1:
            continue
        left, target = test.left, test.comparisons[0]
        if isinstance(target.operator, cst.GreaterThan | cst.GreaterThanEqual):
            left, right = target.comparator, left
        elif isinstance(target.operator, cst.LessThan | cst.LessThanEqual):
            right = target.comparator
        else:
            continue
        if not isinstance(left, cst.Call) or left.args or not isinstance(left.func, cst.Attribute):
            continue
        if left.func.attr.value in _CLOCKS and isinstance(right, cst.Name | cst.Attribute):
            return f"max({LEAST_LEFT}, {code.text(right)} - {code.text(left)})"
    return None


_CHANGES: dict[type, Callable[[Code, Any], bool]] = {
    SetNumber: _number,
    AwaitPause: _awaited,
    RaiseAgain: _raised,
    Unshield: _unshielded,
    ClampArgument: clamped,
    HandOn: handed_on,
    SetOption: with_option,
    BoundCall: _bounded_call,
    BoundByDeadline: _until_deadline,
    BoundLoop: bounded,
    ReturnLast: returned,
}
