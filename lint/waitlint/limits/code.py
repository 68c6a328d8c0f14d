"""Timeouts that code states: segment configuration for Vercel, gunicorn's own file, and calls of MCP clients."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from waitlint.facts import (
    Arg,
    Assign,
    Binary,
    Call,
    Const,
    Do,
    Expr,
    FileFacts,
    Import,
    Map,
    Name,
    Span,
    Str,
    Unary,
)
from waitlint.finding import Place
from waitlint.limits.commands import SYNCHRONOUS, WHAT
from waitlint.limits.data import at, text_of
from waitlint.limits.naming import GUNICORN
from waitlint.limits.platforms import VERCEL
from waitlint.limits.statement import NEVER, Hop, Statement
from waitlint.limits.units import above_zero
from waitlint.project.walk import walk
from waitlint.spelled import tail

TYPESCRIPT_CLIENTS = ("@modelcontextprotocol/",)
PYTHON_CLIENTS = ("mcp", "fastmcp", "agents")
MOST_STEPS = 50
LENGTHS = {"seconds": 1.0, "minutes": 60.0, "hours": 3600.0, "milliseconds": 0.001}


def statements(path: str, facts: FileFacts) -> Iterator[Statement]:
    """What the code of one file states."""
    if facts.language == "typescript":
        if any(export.name in ("maxDuration", "config") and export.module is None for export in facts.exports):
            yield from _segment(path, facts)
        if _imports(facts, TYPESCRIPT_CLIENTS):
            yield from _typescript_calls(path, facts)
    elif facts.language == "python":
        if GUNICORN.search(path):
            yield from _gunicorn(path, facts)
        if _imports(facts, PYTHON_CLIENTS):
            yield from _python_calls(path, facts)


def _imports(facts: FileFacts, modules: tuple[str, ...]) -> bool:
    return any(
        isinstance(stmt, Import)
        and any(
            stmt.module.startswith(module) if module.endswith("/") else stmt.module.split(".")[0] == module
            for module in modules
        )
        for stmt in facts.body
    )


def _segment(path: str, facts: FileFacts) -> Iterator[Statement]:
    """`export const maxDuration = 60` of a route, or `maxDuration` in its `export const config`."""
    constants = _constants(facts)
    for value in (constants.get("maxDuration"), at(constants.get("config"), "maxDuration")):
        seconds = _number(value, constants)
        if value is not None and seconds is not None:
            place = Place(path, value.span)
            yield Statement(seconds, Hop.PROXY, VERCEL, place, about=(f"/{path}",), renewed=False)


def _gunicorn(path: str, facts: FileFacts) -> Iterator[Statement]:
    """gunicorn's configuration, which is Python: `timeout`, unless its workers are asynchronous or threaded."""
    constants = _constants(facts)
    kind, threads = constants.get("worker_class"), _number(constants.get("threads"), constants)
    if (kind is not None and text_of(kind) not in SYNCHRONOUS) or (threads or 1) > 1:
        place = kind.span if kind is not None else Span(0, 0)
        yield Statement(NEVER, Hop.SERVER, WHAT, Place(path, place), renewed=False)
    elif (value := constants.get("timeout")) is not None and (seconds := _number(value, constants)) is not None:
        yield Statement(seconds, Hop.SERVER, WHAT, Place(path, value.span), renewed=False)


def _typescript_calls(path: str, facts: FileFacts) -> Iterator[Statement]:
    """`client.callTool(…, {timeout, resetTimeoutOnProgress, maxTotalTimeout})`, in milliseconds."""
    constants = _constants(facts)
    for call in _calls(facts, ("callTool",)):
        options = call.args[-1].value if len(call.args) > 1 else None
        if not isinstance(options, Map):
            continue
        tools = _named_tool(at(call.args[0].value, "name"))
        reset = at(options, "resetTimeoutOnProgress")
        renewed = bool(reset.value) if isinstance(reset, Const) else None if reset is not None else False
        for key, is_renewed in (("timeout", renewed), ("maxTotalTimeout", False)):
            value = at(options, key)
            seconds = _number(value, constants, 0.001)
            if value is not None and seconds is not None:
                yield _of_client(path, f"MCP client {key}", value, seconds, tools, is_renewed)


def _python_calls(path: str, facts: FileFacts) -> Iterator[Statement]:
    """`read_timeout_seconds` and its like of Python's clients."""
    constants = _constants(facts)
    fastmcp = _imports(facts, ("fastmcp",))
    for call in _calls(facts, ("call_tool", "ClientSession", "Client", *AGENTS)):
        called = tail(call.func)
        keyword = "read_timeout_seconds"
        if called in AGENTS:
            keyword = "client_session_timeout_seconds"
        elif called == "Client" or (fastmcp and called == "call_tool"):
            keyword = "timeout"
        if called == "Client" and not fastmcp:
            continue
        value = next((arg.value for arg in call.args if arg.name == keyword), None)
        seconds = _number(value, constants)
        tools = _named_tool(_first(call.args)) if called == "call_tool" else ()
        if value is not None and seconds is not None:
            yield _of_client(path, f"MCP client {keyword}", value, seconds, tools, None)


AGENTS = ("MCPServerStdio", "MCPServerSse", "MCPServerStreamableHttp")


def _of_client(
    path: str, what: str, value: Expr, seconds: float, tools: tuple[str, ...], renewed: bool | None
) -> Statement:
    return Statement(seconds, Hop.CLIENT, what, Place(path, value.span), tools=tools, renewed=renewed)


def _calls(facts: FileFacts, names: tuple[str, ...]) -> Iterator[Call]:
    return (found.call for found in walk("", facts).calls if tail(found.call.func) in names)


def _first(args: tuple[Arg, ...]) -> Expr | None:
    return next((arg.value for arg in args if arg.name in (None, "name") and not arg.spread), None)


def _named_tool(value: Expr | None) -> tuple[str, ...]:
    return (text_of(value),) if isinstance(value, Str) and value.literal else ()


def _constants(facts: FileFacts) -> dict[str, Expr]:
    """The names at the top of a file that are set once."""
    found: dict[str, Expr | None] = {}
    for stmt in facts.body:
        if isinstance(stmt, Do) and isinstance(stmt.value, Assign) and isinstance(stmt.value.target, Name):
            name = stmt.value.target.name
            found[name] = None if name in found or stmt.value.op else stmt.value.value
    return {name: value for name, value in found.items() if value is not None}


def _number(value: Expr | None, constants: Mapping[str, Expr], scale: float = 1.0) -> float | None:
    """A timeout in seconds: of a number, arithmetic, a constant, `timedelta(…)`, an environment variable's default."""
    number = _evaluate(value, constants, MOST_STEPS)
    return above_zero(number * scale) if number is not None else None


def _evaluate(value: Expr | None, constants: Mapping[str, Expr], steps: int) -> float | None:
    if steps <= 0:
        return None
    match value:
        case Const(value=number) if isinstance(number, int | float) and not isinstance(number, bool):
            return float(number)
        case Str() if (text := value.literal) is not None:
            try:
                return float(text)
            except ValueError:
                return None
        case Name(name=name):
            return _evaluate(constants.get(name), constants, steps - 1)
        case Unary(op="-", value=inner):
            found = _evaluate(inner, constants, steps - 1)
            return -found if found is not None else None
        case Binary(op=op, left=left, right=right):
            one, two = _evaluate(left, constants, steps // 2), _evaluate(right, constants, steps // 2)
            if op in ("or", "??"):
                return two if one is None else one
            return _reckoned(op, one, two) if one is not None and two is not None else None
        case Call(func=func, args=args):
            return _called(tail(func), args, constants, steps - 1)
    return None


def _called(name: str, args: tuple[Arg, ...], constants: Mapping[str, Expr], steps: int) -> float | None:
    if name == "timedelta" and args and all(arg.name in LENGTHS for arg in args):
        parts = [(_evaluate(arg.value, constants, steps), LENGTHS[arg.name or ""]) for arg in args]
        return None if any(part is None for part, _ in parts) else sum((part or 0.0) * unit for part, unit in parts)
    if name in ("int", "float", "Number", "parseInt", "parseFloat") and args:
        return _evaluate(args[0].value, constants, steps)
    if name in ("get", "getenv") and len(args) == 2:
        return _evaluate(args[1].value, constants, steps)
    return None


def _reckoned(op: str, one: float, two: float) -> float | None:
    match op:
        case "*":
            return one * two
        case "+":
            return one + two
        case "-":
            return one - two
        case "/" if two:
            return one / two
    return None
