"""Steps that are forced: their number stands in code, and nothing that is found, or that the model says, ends them.

All of it as the code is written. Whatever else may lead out, or may be skipped, makes it unforced.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from waitlint.facts import (
    Assign,
    Attr,
    Await,
    Binary,
    Call,
    Comp,
    Cond,
    Const,
    Define,
    Do,
    Expr,
    FileFacts,
    Func,
    Function,
    Handler,
    If,
    Jump,
    Loop,
    Map,
    Name,
    Raise,
    Return,
    Span,
    Spread,
    Stmt,
    Str,
)
from waitlint.finding import Evidence, Place
from waitlint.interpret.syntax import nodes
from waitlint.linked import UNANSWERED, Answer, Known
from waitlint.project.agents.sayings import KEEPS, bindings, names_from_model, names_in
from waitlint.project.sources import Sources
from waitlint.spelled import tail, within

Asks = Callable[[Call], bool]
SEEKS = re.compile(
    r"search(?!er)|retriev(?!er)|fetch|browse|crawl|scrap|look_?up|(?:run|call|execute|invoke|use|dispatch)_?tool|"
    r"tool_?(?:call|run|exec)|(?:run|execute)_?(?:action|query|step)",
    re.IGNORECASE,
)
PATTERNS = frozenset({"re", "regex", "pattern", "regexp"})
TELLS_OF_FAILURE = frozenset({"warning", "warn", "error", "exception", "critical", "fatal"})
ENDS_WELL = re.compile(r"done|stop|finish|complete|exit", re.IGNORECASE)
QUANTITY = re.compile(r"num(?:ber)?(?:_|Of|[A-Z]|$)|n(?:_|$)|count|breadth|width|branch|how_?many|k$|top_?k")
THROUGH = frozenset({"map", "forEach", "flatMap"})
KEEPS_ITEMS = frozenset({"filter", "map", "items", "values", "flat", "flatMap", "sort", "sorted", "copy", "concat"})
COMPARES = frozenset({"<", "<=", ">", ">=", "==", "!="})
RANGES = frozenset({"range", "trange", "tqdm"})
FEWEST = 2


@dataclass(frozen=True, slots=True)
class _Code:
    """A block with the functions that are written in it, and the names in them that hold what the model said."""

    path: str
    facts: FileFacts
    body: tuple[Stmt, ...]
    asks: Asks
    said: frozenset[str]

    def calls(self) -> Iterator[Call]:
        return (node for node in nodes(self.body) if isinstance(node, Call))


class Forced:
    """Finds out whether a number of steps is forced."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources

    # ------------------------------------------------------------ recursion

    def recursion(self, path: str, facts: FileFacts, function: Function, call: Call, asks: Asks) -> Answer:
        """Whether a function that calls itself goes as deep as it is told, whatever it finds."""
        body = with_inner(function.body, facts)
        code = _Code(path, facts, body, asks, frozenset(names_from_model(body, asks)))
        handed = _handed_on(function, call, code)
        for param, value in handed.items():
            counted = _resolved(value, code)
            if not isinstance(counted, Binary) or not _is_step(counted, param):
                continue
            counts = {param, *([value.name] if isinstance(value, Name) else [])}
            tests = self._tests(function, call, code, counts)
            others = [one for name, one in handed.items() if name != param]
            if (
                not tests
                or not self._is_fed(others, code)
                or not any(_seeks(one, code) for one in code.calls() if _tail(one) != function.name)
            ):
                return UNANSWERED
            if not all(_by_number(one, code, frozenset()) for one in _gone_through(call, code)):
                return UNANSWERED
            text, step = self._text(tests[0].span, path), self._text(counted.span, path)
            place = Place(path, tests[0].span)
            return Answer(
                Known.YES,
                f"`{function.name}` goes on as deep as `{text}` and `{step}` say",
                (Evidence(place, "only this ends it"), Evidence(Place(path, call.span), "it goes on here")),
            )
        return UNANSWERED

    def _tests(self, function: Function, call: Call, code: _Code, counts: set[str]) -> list[Expr]:
        """The tests of the count that decide whether it goes on; none where anything else may decide it, too."""
        found: list[Expr] = []
        way = [*function.body]
        for one in code.facts.functions:
            if within(call.span, one.span) and within(one.span, function.span) and one.span != function.span:
                way.extend(one.body)
        past = [node.span for node in nodes(tuple(way)) if isinstance(node, Loop) and not within(call.span, node.span)]
        for node in nodes(tuple(way)):
            match node:
                case If(test=test, body=then, orelse=orelse):
                    around = within(call.span, node.span) and not within(call.span, test.span)
                    jumps = not any(within(node.span, loop) for loop in past)
                    leaves = [part for part in (then, orelse) if _leaves(part, jumps=jumps)]
                    if not around and not leaves:
                        continue
                    if _is_of_count(test, counts, code):
                        found.append(test)
                    elif around or not all(_tells_failure(part) for part in leaves):
                        return []
                case Cond(test=test) | Binary(op="and" | "or" | "??", left=test) if within(call.span, node.span):
                    if not _is_of_count(test, counts, code):
                        return []
                    found.append(test)
                case Loop(kind="while" | "until") if within(call.span, node.span):
                    return []
        return found

    def _is_fed(self, values: list[Expr], code: _Code) -> bool:
        """Whether the next step is given what the model said in this one."""
        return any(names_in(value) & code.said for value in values)

    # ------------------------------------------------------------ loops

    def loop(self, path: str, facts: FileFacts, loop: Loop, asks: Asks) -> Answer:
        """Whether a loop makes all its laps, in each of which the model sends it to look for something."""
        limit = _limit(loop)
        body = with_inner(loop.body, facts)
        code = _Code(path, facts, body, asks, frozenset(names_from_model(body, asks)))
        if limit is None or names_in(limit) & code.said or any(map(_is_counted, nodes(_alone(limit)))):
            return UNANSWERED
        if not self._goes_through_with_it(loop, code):
            return UNANSWERED
        asked = [call for call in code.calls() if asks(call)]
        carried = _carried(loop, code)
        if not any(_reads(call, carried, code) for call in asked):
            return UNANSWERED
        if not any(_seeks(call, code) and names_in(call) & code.said for call in code.calls()):
            return UNANSWERED
        many = f"as often as `{self._text(limit.span, path)}` says"
        if isinstance(limit, Const):
            many = f"{limit.value:g} times" if limit.value is not None else ""
        shown = Evidence(Place(path, limit.span), "only this ends it")
        return Answer(Known.YES, f"this loop looks further {many}", (shown,))

    def _goes_through_with_it(self, loop: Loop, code: _Code) -> bool:
        """Whether no lap is left or cut short but by a failure, and the model is asked in each."""
        inner = [node.span for node in nodes(loop.body) if isinstance(node, Loop)]
        tested = [node for node in nodes(loop.body) if isinstance(node, If)]
        for node in tested:
            jumps = not any(within(node.span, one) for one in inner)
            if any(_leaves(part, jumps=jumps) and not _tells_failure(part) for part in (node.body, node.orelse)):
                return False
        # What is asked on a condition is not asked in each lap, and in a loop of its own it has that one's bounds.
        apart = [node for node in nodes(loop.body) if isinstance(node, If | Loop | Cond)]
        if any(_asks_in((node,) if isinstance(node, If | Loop) else _alone(node), code) for node in apart):
            return False
        return not any(
            isinstance(node, Return | Raise | Jump)
            and not any(within(node.span, one.span) for one in tested)
            and not (isinstance(node, Jump) and any(within(node.span, one) for one in inner))
            for node in _without_handlers(loop.body)
        )

    def _text(self, span: Span, path: str) -> str:
        text = " ".join(self.sources.excerpt(Place(path, span)).split())
        return text if len(text) <= 60 else f"{text[:59]}…"


# ---------------------------------------------------------------- what counts


def _limit(loop: Loop) -> Expr | None:
    """The number of laps that a loop is written to make: a number, or something by its name."""
    if loop.is_async:
        return None
    if loop.kind == "each":
        call = loop.iterable
        while isinstance(call, Call) and tail(call.func) == "tqdm" and call.args:
            call = call.args[0].value
        if not isinstance(call, Call) or tail(call.func) not in RANGES or len(call.args) > 2:
            return None
        limit: Expr | None = call.args[-1].value if call.args else None
        if isinstance(limit, Binary) and limit.op == "+" and isinstance(limit.right, Const):
            limit = limit.left
    else:
        limit = None
        if isinstance(loop.test, Binary) and loop.test.op in ("<", "<=") and isinstance(loop.test.left, Name):
            name = loop.test.left.name
            if any(_adds_one(node, name) for node in nodes((*loop.update, *loop.body))):
                limit = loop.test.right
    if isinstance(limit, Const):
        few = not isinstance(limit.value, int) or isinstance(limit.value, bool) or limit.value < FEWEST
        return None if few else limit
    return limit if isinstance(limit, Name | Attr) else None


def _adds_one(node: object, name: str) -> bool:
    return isinstance(node, Assign) and node.op == "+" and isinstance(node.target, Name) and node.target.name == name


def _is_counted(node: object) -> bool:
    """Whether a number is that of things at hand."""
    return isinstance(node, Attr) and node.name in ("length", "size", "shape")


def _handed_on(function: Function, call: Call, code: _Code) -> dict[str, Expr]:
    """What a function is given where it calls itself, by the names that it has for it."""
    own = [param for param in function.params if param.name not in ("self", "cls", "this")]
    taken_apart = {
        assign.value.name: assign.target.name
        for stmt in function.body
        if isinstance(stmt, Do) and isinstance(assign := stmt.value, Assign)
        if isinstance(assign.target, Name) and isinstance(assign.value, Attr) and _is_made_up(assign.value.base)
    }
    found: dict[str, Expr] = {}
    for position, arg in enumerate(call.args):
        if arg.name is not None:
            found[arg.name] = arg.value
        elif isinstance(arg.value, Map):
            for entry in arg.value.entries:
                if isinstance(entry.key, Str) and entry.key.literal:
                    found[taken_apart.get(entry.key.literal, entry.key.literal)] = entry.value
        elif position < len(own) and not arg.spread:
            found[own[position].name] = arg.value
    return found


def _is_made_up(expr: Expr) -> bool:
    return isinstance(expr, Name) and expr.name.startswith("$")


def _resolved(value: Expr, code: _Code) -> Expr:
    """A value, or what its name is set to where that happens once."""
    if not isinstance(value, Name):
        return value
    given = list(_set_to(value.name, code))
    return given[0] if len(given) == 1 else value


def _set_to(name: str, code: _Code) -> Iterator[Expr]:
    for node in nodes(code.body):
        if isinstance(node, Assign) and isinstance(node.target, Name) and node.target.name == name:
            yield node.value


def _is_step(value: Binary, param: str) -> bool:
    return (
        value.op in ("+", "-")
        and isinstance(value.left, Name)
        and value.left.name == param
        and isinstance(value.right, Const)
        and isinstance(value.right.value, int)
    )


def _is_of_count(test: Expr, counts: set[str], code: _Code) -> bool:
    """Whether a test asks for the count alone."""
    if not isinstance(test, Binary) or test.op not in COMPARES:
        return False
    names = names_in(test)
    called = any(isinstance(node, Call) for node in nodes(_alone(test)))
    return bool(names & counts) and not names & code.said and not called


# ---------------------------------------------------------------- what is found


def _seeks(call: Call, code: _Code) -> bool:
    """Whether a call looks for something outside, by its name."""
    name = _tail(call)
    if not SEEKS.search(name) or name[:1].isupper():
        return False
    base = call.func.base if isinstance(call.func, Attr) else None
    if isinstance(base, Name):
        # `re.search(…)`, and the method of a text that the model said.
        return base.name.lower() not in PATTERNS and base.name not in code.said
    return True


def _carried(loop: Loop, code: _Code) -> set[str]:
    """The names that hold what the model said from one lap to the next: not those that each lap makes anew."""
    anew: set[str] = set()
    kept: set[str] = set()
    for stmt in nodes(loop.body):
        if isinstance(stmt, Assign) and isinstance(stmt.target, Name):
            own = stmt.op or stmt.target.name in names_in(stmt.value)
            (kept if own else anew).add(stmt.target.name)
        elif isinstance(stmt, Call) and isinstance(stmt.func, Attr) and stmt.func.name in KEEPS:
            kept |= names_in(stmt.func.base)
    read_first = _read_before_set(loop.body, anew)
    return ((kept - anew) | read_first) & code.said


def _read_before_set(body: tuple[Stmt, ...], names: set[str]) -> set[str]:
    """The names that a lap reads before it sets them, so that they come from the lap before."""
    found: set[str] = set()
    done: set[str] = set()
    for stmt in body:
        reads: set[str] = set()
        sets: set[str] = set()
        for node in nodes((stmt,)):
            if isinstance(node, Assign) and isinstance(node.target, Name):
                sets.add(node.target.name)
                reads |= names_in(node.value)
            elif isinstance(node, Call):
                reads |= {name for arg in node.args for name in names_in(arg.value)}
        found |= (reads & names) - done
        done |= sets
    return found


def _reads(call: Call, carried: set[str], code: _Code) -> bool:
    """Whether a call is given something that is carried, itself or in what was made of it before."""
    names = {name for arg in call.args for name in names_in(arg.value)}
    if isinstance(call.func, Attr):
        names |= names_in(call.func.base)
    for _ in range(2):
        names |= {
            name
            for target, value in bindings(code.body)
            if isinstance(target, Name) and target.name in names and not _asks_in(_alone(value), code)
            for name in names_in(value)
        }
    return bool(names & carried)


def _asks_in(body: tuple[Stmt, ...], code: _Code) -> bool:
    return any(isinstance(node, Call) and code.asks(node) for node in nodes(body))


def _alone(expr: Expr) -> tuple[Stmt, ...]:
    return (Do(expr.span, expr),)


# ---------------------------------------------------------------- items that it goes through


def _gone_through(call: Call, code: _Code) -> Iterator[Expr]:
    """What the loops, comprehensions and callbacks around a call go through, as far as the model said it."""
    around = [one for one in code.facts.functions if within(call.span, one.span)]
    names = {one.name for one in around if one.name}
    for node in nodes(code.body):
        match node:
            case Loop(iterable=iterable) if iterable is not None and within(call.span, node.span):
                found = iterable
            case Comp(iterable=iterable, element=element):
                called = {_tail(one) for one in nodes(_alone(element)) if isinstance(one, Call)}
                if not (within(call.span, element.span) or called & names):
                    continue
                found = iterable
            case Call(func=Attr(base=base, name=name), args=args) if name in THROUGH:
                if not any(_runs(arg.value, call, around, code) for arg in args):
                    continue
                found = base
            case _:
                continue
        if names_in(found) & code.said or _asks_in(_alone(found), code):
            yield found


def _runs(value: Expr, call: Call, around: list[Function], code: _Code) -> bool:
    if isinstance(value, Func):
        return code.facts.functions[value.index] in around
    return isinstance(value, Name) and any(one.name == value.name for one in around)


def _by_number(items: Expr, code: _Code, seen: frozenset[str]) -> bool:
    """Whether the model was asked for so many items: it then can't end anything by giving none."""
    match items:
        case Await(value=value) | Spread(value=value):
            return _by_number(value, code, seen)
        case Name(name=name) if name not in seen:
            return any(_by_number(value, code, seen | {name}) for value in _set_to(name, code))
        case Comp(iterable=iterable):
            return _by_number(iterable, code, seen)
        case Call() if code.asks(items):
            return any(_is_quantity(arg.name, arg.value) for arg in items.args)
        case Call(func=Attr(base=base, name=name)) if name in KEEPS_ITEMS and not _is_class(base):
            return _by_number(base, code, seen)
        case Call(args=args):
            return any(_by_number(arg.value, code, seen) for arg in args)
        case _:
            return False


def _is_class(base: Expr) -> bool:
    return isinstance(base, Name) and base.name[:1].isupper()


def _is_quantity(name: str | None, value: Expr) -> bool:
    if isinstance(value, Map):
        keys = [(entry.key.literal, entry.value) for entry in value.entries if isinstance(entry.key, Str)]
        return any(_is_quantity(key, inner) for key, inner in keys)
    named = name or (value.name if isinstance(value, Name | Attr) else "")
    return bool(QUANTITY.match(named)) or (name is None and isinstance(value, Const) and isinstance(value.value, int))


# ---------------------------------------------------------------- ways out


def _leaves(body: tuple[Stmt, ...], *, jumps: bool) -> bool:
    """Whether a block leaves what is around it; what is done about failures is left out."""
    kinds = Return | Raise | Jump if jumps else Return | Raise
    return any(isinstance(node, kinds) for node in _without_handlers(body))


def _without_handlers(body: tuple[Stmt, ...]) -> Iterator[Stmt]:
    caught = [node.span for node in nodes(body) if isinstance(node, Handler)]
    for node in nodes(body):
        if isinstance(node, Return | Raise | Jump) and not any(within(node.span, one) for one in caught):
            yield node


def _tells_failure(body: tuple[Stmt, ...]) -> bool:
    """Whether a way out is told as a failure: it raises, or says so in a warning or an error."""
    for node in nodes(body):
        if isinstance(node, Raise):
            kind = node.value.func if isinstance(node.value, Call) else node.value
            return not ENDS_WELL.search(getattr(kind, "name", "") or "")
        if isinstance(node, Call) and _tail(node) in TELLS_OF_FAILURE:
            return True
    return False


def with_inner(body: tuple[Stmt, ...], facts: FileFacts, depth: int = 3) -> tuple[Stmt, ...]:
    """A block, and after it those of the functions that are written in it."""
    found = list(body)
    for node in nodes(body) if depth > 0 else ():
        if isinstance(node, Func | Define):
            found.extend(with_inner(facts.functions[node.index].body, facts, depth - 1))
    return tuple(found)


def _tail(call: Call) -> str:
    return tail(call.func)


__all__ = ["Forced", "with_inner"]
