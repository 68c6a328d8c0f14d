"""Where a loop runs a tool by the name that the model gave, and what becomes of a name or an argument that is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator

from waitlint.facts import (
    Assign,
    Attr,
    Binary,
    Call,
    Cond,
    Const,
    Expr,
    If,
    Index,
    Jump,
    Loop,
    Name,
    Raise,
    Return,
    Seq,
    Span,
    Stmt,
    Str,
    Try,
    Unary,
    With,
)
from waitlint.finding import Evidence, Place
from waitlint.interpret.syntax import nodes
from waitlint.interpret.values import FunctionRef
from waitlint.linked import UNANSWERED, Answer, Dispatch, Known
from waitlint.project.agents.reach import Reach, deep_nodes, expressions
from waitlint.project.agents.runs import AgentRun, Lookup
from waitlint.project.agents.tables import functions_in
from waitlint.project.sources import Sources
from waitlint.spelled import body_around, tail, within

HAS = frozenset({"has", "hasOwnProperty", "hasOwn", "includes", "__contains__", "hasattr", "get"})
TELLS = frozenset({"append", "push", "extend", "add", "insert", "unshift", "send", "write"})
CHECKS = re.compile(
    r"(?:model_)?validate\w*|parse(?:_obj|_args)?|safe_?parse\w*|parse_raw|from_dict|load_args|check_\w*|ensure\w*|"
    r"coerce\w*|bind|signature|TypeAdapter|structure|assert\w*|decode\w*|Schema|cast",
    re.IGNORECASE,
)
KNOWS = re.compile(
    r"(?:valid|check|has|known|exist|allow)\w*_?(?:tool|name|action|function)|is_?(?:known|allowed)", re.I
)
READS_JSON = frozenset({"loads", "parse", "load", "literal_eval"})
RUNS = re.compile(
    r"run|execute|invoke|call|handler|func(?:tion)?|fn|callable|forward|_run|arun|ainvoke|acall|callback|impl"
)


class Dispatches:
    """Reads off a run where tools are looked up by name, and how that is guarded."""

    def __init__(self, reach: Reach, run: AgentRun, sources: Sources) -> None:
        self.reach = reach
        self.run = run
        self.sources = sources
        self.world = reach.world

    def all(self) -> Iterator[Dispatch]:
        seen: set[Place] = set()
        for lookup in self.run.lookups:
            if not self._is_own(lookup) or lookup.place in seen:
                continue
            seen.add(lookup.place)
            found = self._dispatch(lookup)
            if found is not None:
                yield found

    def _is_own(self, lookup: Lookup) -> bool:
        """Whether something is looked up in the laps of the loop, and not in those of an agent's loop inside it."""
        return self.reach.loop.serial in lookup.loops and self.reach.inner_serials.isdisjoint(lookup.loops)

    def _dispatch(self, lookup: Lookup) -> Dispatch | None:
        path, span = lookup.place.path, lookup.place.span
        body = body_around(self.world.files[path], span)
        bound = _bound_to(body, span)
        call = self._run_of(body, span, bound, path)
        if call is None:
            return None
        frame = lookup.frames[-1] if lookup.frames else None
        return Dispatch(
            place=lookup.place,
            scope=frame.scope if frame is not None else "",
            excerpt=self.sources.code(lookup.place),
            by=lookup.by,
            refuses=self._refuses(lookup, body, bound),
            validates=self._validates(lookup, body, call),
            runs=Place(path, call.span),
        )

    def _run_of(self, body: tuple[Stmt, ...], span: Span, bound: set[str], path: str) -> Call | None:
        """The call that runs what was looked up."""
        for node in deep_nodes(body, self.world.files[path]):
            if not isinstance(node, Call):
                continue
            func = node.func
            if within(span, func.span) and func.span.end <= node.span.end and func.span != span:
                if isinstance(func, Attr) and RUNS.fullmatch(func.name):
                    return node
                if isinstance(func, Index):
                    return node
            if func.span == span and not isinstance(func, Attr):
                return node
            if _root_of_run(func) in bound:
                return node
            if any(isinstance(arg.value, Name) and arg.value.name in bound for arg in node.args) and RUNS.fullmatch(
                tail(func)
            ):
                return node
        return None

    # ------------------------------------------------------------ names

    def _refuses(self, lookup: Lookup, body: tuple[Stmt, ...], bound: set[str]) -> Answer:
        path, span = lookup.place.path, lookup.place.span
        code = self.sources.code(lookup.place)
        node = next((one for one in nodes(body) if getattr(one, "span", None) == span), None)
        if isinstance(node, Call) and lookup.by == "get" and len(node.args) > 1:
            default = node.args[1].value
            if not (isinstance(default, Const) and default.value is None):
                return Answer(Known.YES, "another tool stands in for an unknown one")
        looked_in = self._base_text(node, path)
        blocks = [(body, path), *((self.reach.own.body, self.reach.path),)]
        for block, where in blocks:
            for told, place in self._guards(block, where, looked_in, bound if block is body else set(), span):
                if told:
                    return Answer(Known.YES, "an unknown name is refused", (Evidence(place, "it is refused here"),))
                shown = (Evidence(place, "the name is checked here"),)
                return Answer(Known.NO, "an unknown name is passed over without a word", shown)
        caught = self._caught(lookup)
        if caught is not None:
            return caught
        if looked_in and self._is_checked_by_name(lookup):
            return UNANSWERED
        if lookup.by == "index":
            return Answer(Known.NO, f"`{code}` fails where there is no such tool")
        if lookup.by == "get":
            return Answer(Known.NO, f"`{code}` gives nothing where there is no such tool, and that is not asked")
        what = "any attribute" if lookup.by == "getattr" else "anything that the file can see"
        return Answer(Known.NO, f"`{code}` can give it {what}")

    def _base_text(self, node: object, path: str) -> str:
        match node:
            case Index(base=base) | Call(func=Attr(base=base)):
                return self._text(base, path)
            case _:
                return ""

    def _guards(
        self, body: tuple[Stmt, ...], path: str, looked_in: str, bound: set[str], span: Span
    ) -> Iterator[tuple[bool, Place]]:
        """The tests that ask whether a tool is known, and whether the other answer is told to anyone."""
        for stmts in _blocks(body):
            for position, stmt in enumerate(stmts):
                if isinstance(stmt, If) and (known := self._asks_known(stmt.test, path, looked_in, bound)) is not None:
                    other = stmt.orelse if known else stmt.body
                    rest = stmts[position + 1 :]
                    if known and not stmt.orelse:
                        other = rest if _leaves(stmt.body) else ()
                        if not other and any(_tells(one) for one in rest) and not within(span, stmt.span):
                            other = rest
                    yield any(_tells(one) for one in other), Place(path, stmt.test.span)
        for node in nodes(body):
            if isinstance(node, Cond) and self._asks_known(node.test, path, looked_in, bound) is not None:
                yield True, Place(path, node.test.span)
            if isinstance(node, Binary) and node.op in ("??", "or"):
                left = node.left
                if left.span == span or (isinstance(left, Name) and left.name in bound):
                    yield True, Place(path, node.span)

    def _asks_known(self, test: Expr, path: str, looked_in: str, bound: set[str]) -> bool | None:
        """Whether a test asks if a tool is known: True where its "yes" means known, False where "no" does."""
        match test:
            case Unary(op="not", value=value):
                answer = self._asks_known(value, path, looked_in, bound)
                return None if answer is None else not answer
            case Binary(op="and" | "or", left=left, right=right):
                first = self._asks_known(left, path, looked_in, bound)
                return first if first is not None else self._asks_known(right, path, looked_in, bound)
            case Binary(op="in" | "not in" as op, right=right):
                names = self._text(right, path)
                same = bool(looked_in) and (looked_in in names or _is_about_tools(names))
                return (op == "in") if same or _is_about_tools(names) else None
            case Binary(op="==" | "!=" as op, left=left, right=right):
                is_nothing = isinstance(right, Const) and right.value is None
                if is_nothing and isinstance(left, Name) and left.name in bound:
                    return op == "!="
                if isinstance(left, Unary) and left.op == "typeof" and isinstance(left.value, Name):
                    return (op == "==") if left.value.name in bound else None
                return None
            case Name(name=name):
                return True if name in bound else None
            case Call(func=Attr(base=base, name=name), args=args) if name in HAS:
                near = " ".join([self._text(base, path), *(self._text(arg.value, path) for arg in args)])
                return True if looked_in and looked_in in near else None
            case Call(func=Name(name=name), args=args) if name in ("callable", "hasattr"):
                asked = {one.name for arg in args for one in expressions(arg.value) if isinstance(one, Name)}
                return True if asked & bound or name == "hasattr" else None
            case _:
                return None

    def _caught(self, lookup: Lookup) -> Answer | None:
        """What becomes of the failure, where a handler stands around the look-up or a call that leads to it."""
        places = [lookup.place, *(frame.call for frame in lookup.frames if frame.call is not None)]
        for place in places:
            body = body_around(self.world.files[place.path], place.span)
            for node in deep_nodes(body, self.world.files[place.path]):
                if isinstance(node, Try) and _catches(node, place.span):
                    told = any(_tells(stmt) for handler in node.handlers for stmt in handler.body)
                    where = Place(place.path, node.handlers[0].span)
                    if told:
                        return Answer(Known.YES, "the failure is caught and told", (Evidence(where, "caught here"),))
                    return Answer(Known.NO, "the failure is caught and passed over", (Evidence(where, "caught here"),))
        return None

    def _is_checked_by_name(self, lookup: Lookup) -> bool:
        """Whether code on the way calls something that checks names: then nothing is certain."""
        called = self.run.called.get(self.reach.loop.serial, [])
        return any(KNOWS.search(name) for name, _ in called)

    # ------------------------------------------------------------ arguments

    def _validates(self, lookup: Lookup, body: tuple[Stmt, ...], call: Call) -> Answer:
        """Whether what goes into a tool is checked, or its failing is caught."""
        path = lookup.place.path
        spread = any(arg.spread for arg in call.args)
        names = {one.name for arg in call.args for one in expressions(arg.value) if isinstance(one, Name)}
        made = [arg.value for arg in call.args]
        made += [
            node.value
            for node in nodes(body)
            if isinstance(node, Assign) and isinstance(node.target, Name) and node.target.name in names
        ]
        for expr in made:
            for one in expressions(expr):
                if isinstance(one, Call):
                    name = tail(one.func)
                    if CHECKS.search(name) and name not in READS_JSON:
                        return Answer(Known.YES, "the arguments are checked", (Evidence(Place(path, one.span), name),))
        for node in nodes(body):
            if isinstance(node, Call) and CHECKS.search(tail(node.func)):
                given = {one.name for arg in node.args for one in expressions(arg.value) if isinstance(one, Name)}
                if given & names and tail(node.func) not in READS_JSON:
                    return Answer(Known.YES, "the arguments are checked")
        if not spread and not self._goes_in_raw(lookup, call):
            return UNANSWERED
        places = [Place(path, call.span), *(frame.call for frame in lookup.frames if frame.call is not None)]
        for place in places:
            for node in deep_nodes(body_around(self.world.files[place.path], place.span), self.world.files[place.path]):
                if isinstance(node, Try) and _catches(node, place.span):
                    return Answer(Known.YES, "what does not fit is caught")
        return Answer(Known.NO, "they go in unchecked", (Evidence(Place(path, call.span), "they go in here"),))

    def _goes_in_raw(self, lookup: Lookup, call: Call) -> bool:
        """Whether all tools that can be found take one object of arguments, and use it without a look at it."""
        if len(call.args) != 1 or not isinstance(call.args[0].value, Name | Attr):
            return False
        found = functions_in(self.world, lookup)
        return bool(found) and all(self._trusts(one) for one in found or ())

    def _trusts(self, ref: FunctionRef) -> bool:
        """Whether a function uses the fields of its only argument with no test, no check and no handler."""
        facts = self.world.files[ref.path]
        function = facts.functions[ref.index]
        if len(function.params) != 1 or function.params[0].default is not None:
            return False
        name = function.params[0].name
        uses = name.startswith("$")
        for node in deep_nodes(function.body, facts):
            if isinstance(node, If | Cond | Try):
                return False
            if isinstance(node, Call) and CHECKS.search(tail(node.func)):
                return False
            is_part = isinstance(node, Attr | Index) and isinstance(node.base, Name)
            uses = uses or (is_part and getattr(node.base, "name", "") == name)  # type: ignore[attr-defined]
        return uses

    def _text(self, expr: Expr, path: str) -> str:
        return " ".join(self.sources.excerpt(Place(path, expr.span)).split())


def _root_of_run(func: Expr) -> str:
    """The name that a call runs: plain, or one of its parts that is there to be run."""
    while isinstance(func, Attr | Index):
        if isinstance(func, Attr) and not RUNS.fullmatch(func.name):
            return ""
        func = func.base
    return func.name if isinstance(func, Name) else ""


def _bound_to(body: tuple[Stmt, ...], span: Span) -> set[str]:
    """The names that what stands at a place is bound to, whole or in parts."""
    found: set[str] = set()
    for node in nodes(body):
        if isinstance(node, Assign) and within(span, node.value.span):
            for target in node.target.items if isinstance(node.target, Seq) else (node.target,):
                if isinstance(target, Name):
                    found.add(target.name)
    for _ in range(2):
        for node in nodes(body):
            if isinstance(node, Assign) and isinstance(node.target, Name) and isinstance(node.value, Attr | Index):
                root: Expr = node.value
                while isinstance(root, Attr | Index):
                    root = root.base
                if isinstance(root, Name) and root.name in found:
                    found.add(node.target.name)
    return found


def _blocks(body: tuple[Stmt, ...]) -> Iterator[tuple[Stmt, ...]]:
    """A block and all blocks in it."""
    yield body
    for stmt in body:
        match stmt:
            case If(body=then, orelse=orelse):
                yield from _blocks(then)
                yield from _blocks(orelse)
            case Loop(body=within, orelse=orelse):
                yield from _blocks(within)
                yield from _blocks(orelse)
            case Try(body=tried, handlers=handlers, orelse=orelse, final=final):
                for block in (tried, orelse, final, *(handler.body for handler in handlers)):
                    yield from _blocks(block)
            case With(body=within):
                yield from _blocks(within)


def _leaves(body: tuple[Stmt, ...]) -> bool:
    """Whether a block ends by leaving: what follows is then the other way."""
    return bool(body) and isinstance(body[-1], Return | Raise | Jump)


def _tells(stmt: Stmt) -> bool:
    """Whether a statement hands something on: raises, returns or notes a text, or calls what may."""
    for node in nodes((stmt,)):
        if isinstance(node, Raise):
            return True
        if isinstance(node, Return) and node.value is not None:
            return not (isinstance(node.value, Const) and node.value.value is None)
        if isinstance(node, Assign) and any(isinstance(one, Str) for one in expressions(node.value)):
            return True
        if isinstance(node, Call):
            name = tail(node.func)
            if name in TELLS or re.search(r"error|fail|reject|refuse|unknown|respond|reply|result|message", name, re.I):
                return True
    return False


def _catches(node: Try, span: Span) -> bool:
    """Whether a failure at a place comes to the handlers of a `try`."""
    if not node.handlers or not node.body:
        return False
    return node.body[0].span.start <= span.start and span.end <= node.body[-1].span.end


def _is_about_tools(text: str) -> bool:
    return bool(
        re.search(r"tools?(?![a-z])|functions?(?![a-z])|actions?(?![a-z])|handlers?|registry|allowed|known", text, re.I)
    )


__all__ = ["Dispatches"]
