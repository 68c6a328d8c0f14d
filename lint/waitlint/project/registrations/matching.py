"""Which row of the catalog a call, decorator or class belongs to, and what stands in its slots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from waitlint.catalog import Framework, Frameworks, Slot
from waitlint.facts import Assign, Attr, Call, Do, Expr, FileFacts, Import, Name, Span, Stmt
from waitlint.interpret.alternatives import inside, options
from waitlint.interpret.core import key_path
from waitlint.interpret.frames import Frame
from waitlint.interpret.schemas import SCHEMA
from waitlint.interpret.values import (
    Above,
    ClassRef,
    Constant,
    External,
    FunctionRef,
    Instance,
    MethodOf,
    ModelArgument,
    Outside,
    Record,
    Textual,
    Unknown,
    Value,
    is_nothing,
    pick,
)
from waitlint.project.docstrings import kept
from waitlint.project.models import bases_of, inherits, schema_of_model
from waitlint.project.registrations.faces import face, is_faceless
from waitlint.project.registrations.model import Args
from waitlint.project.registrations.openings import Openings
from waitlint.project.world import ProjectWorld
from waitlint.spelled import tail

Matched = tuple[Framework, str]
NOT_KNOWN = (Unknown, MethodOf, Outside, ModelArgument)


class Matching:
    """Rows for callees, and the values of their slots."""

    def __init__(self, world: ProjectWorld, frameworks: Frameworks) -> None:
        self.world = world
        self.frameworks = frameworks
        self.openings = Openings(world, frameworks)
        self._assigned_docs: dict[str, dict[str, list[Expr]]] = {}

    # ------------------------------------------------------------ rows

    def match(
        self, callee: Expr, frame: Frame, language: str, forms: tuple[str, ...], *, bare: bool = False
    ) -> Matched | None:
        """The row that a callee as written belongs to, and how sure that is."""
        receiver = self.world.evaluate(callee.base, frame) if isinstance(callee, Attr) else None
        if isinstance(callee, Attr) and receiver is not None:
            whole = self.world.attribute(receiver, callee.name, frame)
        else:
            whole = self.world.evaluate(callee, frame)
        return self.match_value(whole, receiver, tail(callee), language, forms, bare=bare)

    def match_value(
        self,
        whole: Value,
        receiver: Value | None,
        name: str,
        language: str,
        forms: tuple[str, ...],
        *,
        bare: bool = False,
    ) -> Matched | None:
        """The same for a callee of which the values are known."""
        if isinstance(whole, External):
            name = whole.name.rpartition(".")[2]
        elif isinstance(whole, MethodOf):
            name = whole.name
            receiver = whole.owner if receiver is None else receiver
        rows = [
            row
            for row in self.frameworks.by_tail.get(name, ())
            if row.form in forms and row.language == language and (row.bare or not bare)
        ]
        for row in rows:
            if isinstance(whole, External) and whole.name in row.calls:
                return row, "high"
            if receiver is not None and row.of and name in row.methods and self.is_host(receiver, row.of):
                return row, "high"
        if receiver is not None and self._may_be_host(receiver):
            for row in rows:
                if row.any_receiver:
                    return row, "medium"
        return None

    def _may_be_host(self, receiver: Value) -> bool:
        """Whether an object of which nothing is known may be the server or agent of some framework."""
        if isinstance(receiver, NOT_KNOWN):
            return True
        return isinstance(receiver, External) and receiver.name.rpartition(".")[2] in HOST_NAMES

    def is_host(self, value: Value, hosts: tuple[str, ...]) -> bool:
        for _, option in options(value):
            if isinstance(option, Instance) and inherits(self.world, option.type, hosts):
                return True
            if isinstance(option, Above) and any(
                inherits(self.world, base, hosts) for base in bases_of(self.world, option.ref)
            ):
                return True
        return False

    # ------------------------------------------------------------ slots

    def slot(self, slots: tuple[Slot, ...], args: Args) -> Value | None:
        plain = [value for key, value in args if key is None]
        for slot in slots:
            position = slot.arg
            if position is not None and position < 0:
                position += len(plain)
            value = pick(tuple(args), slot.name, position if position is None or position >= 0 else None)
            if value is not None and slot.key is not None:
                value = key_path(value, slot.key)
            if value is not None and not is_nothing(value):
                return value
        return None

    def limit(self, row: Framework, args: Args, callee: Expr, frame: Frame) -> Value | None:
        """The framework's own bound around a tool, in seconds: its own, or that of what it is handed to."""
        own = self.slot(row.timeout, args)
        if own is not None or not row.host_timeout or not isinstance(callee, Attr):
            return own
        for _, host in options(self.world.evaluate(callee.base, frame)):
            for name in row.host_timeout if isinstance(host, Instance) else ():
                value = host.argument(name, None) if isinstance(host, Instance) else None
                if value is not None and not is_nothing(value):
                    return value
        return None

    def name_span(self, call: Call, row: Framework) -> Span | None:
        """Where the name of a tool is written in the call that hands it over."""
        for slot in row.name:
            for position, arg in enumerate(call.args):
                if (slot.name is not None and arg.name == slot.name) or (arg.name is None and slot.arg == position):
                    return arg.value.span
        return None

    def schema(self, row: Framework, args: Args) -> Value | None:
        if row.schema and row.schema[0].arg == -2:
            return _shape_among(args)
        schema = self.slot(row.schema, args)
        if isinstance(schema, ClassRef):
            return schema_of_model(self.world, schema)
        return None if isinstance(schema, Textual | FunctionRef) else schema

    def handlers(self, value: Value | None) -> tuple[FunctionRef, ...]:
        """The function that does the work, also where a wrapper that is not in view was put around it."""
        if value is None:
            return ()
        for _, option in options(value):
            if isinstance(option, FunctionRef):
                return (option,)
        if isinstance(value, Instance) and isinstance(value.type, ClassRef):
            called = self.world.attribute(value, "__call__", Frame(value.type.path, None, value.type.frame))
            return (called,) if isinstance(called, FunctionRef) else ()
        if isinstance(value, Instance | Outside | MethodOf):
            inner = tuple(part for part in inside(value) if isinstance(part, FunctionRef))
            return inner if len(inner) == 1 else ()
        return ()

    # ------------------------------------------------------------ words

    def described(self, given: Value | None, row: Framework, handlers: tuple[FunctionRef, ...]) -> Value | None:
        """The description that the model reads: what was given, else the docstring where the framework takes it."""
        empty = isinstance(given, Textual) and given.literal == ""
        if given is not None and not empty and not is_nothing(given):
            return given
        if row.doc == "none" or not handlers:
            return None
        if is_faceless(self.world, handlers[0]):
            return Unknown("the docstring of a function that is not known")
        return self.docstring(face(self.world, handlers[0]), row.doc)

    def docstring(self, ref: FunctionRef, how: str) -> Value | None:
        """A function's docstring as a framework takes it, also where it is set after the definition."""
        function = self.world.facts(ref.path).functions[ref.index]
        assigned = self._assigned_doc(ref.path, function.name)
        if assigned is not None or function.doc is None:
            return assigned
        doc = self.world.evaluate(function.doc, Frame(ref.path, None))
        return kept(doc, how) if isinstance(doc, Textual) else doc

    def _assigned_doc(self, path: str, name: str) -> Value | None:
        """What `name.__doc__ = …` sets."""
        known = self._assigned_docs.get(path)
        if known is None:
            known = self._assigned_docs[path] = {}
            for named in self.world.walked(path).named:
                if named.name == "__doc__" and named.owner:
                    known.setdefault(named.owner, []).append(named.value)
        if name not in known:
            return None
        values = known[name]
        found = self.world.evaluate(values[0], Frame(path, None)) if len(values) == 1 else None
        return found if isinstance(found, Textual) else Unknown("its docstring is set at run time")


HOST_NAMES = frozenset({"mcp", "app", "server", "agent", "registry", "toolkit", "tools", "controller"})


def text_of(value: Value | None) -> str:
    """A string that is wholly known, else ""."""
    return (value.literal or "") if isinstance(value, Textual) else ""


def aliases(facts: FileFacts, known: Iterable[str]) -> dict[str, str]:
    """The names in a file that stand for one of `known`: `from x import tool as t`, `add = server.add_tool`."""
    wanted = frozenset(known)
    found: dict[str, str] = {}
    for body in (facts.body, *(function.body for function in facts.functions)):
        found.update(renamed(body, wanted))
    return found


def renamed(body: Iterable[Stmt], wanted: Set[str]) -> Iterator[tuple[str, str]]:
    """The other names under which statements import one of those `wanted`, or take it from an object."""
    for stmt in body:
        if isinstance(stmt, Import):
            if stmt.name is not None and stmt.name in wanted and stmt.local != stmt.name:
                yield stmt.local, stmt.name
        elif isinstance(stmt, Do) and isinstance(stmt.value, Assign):
            target, value = stmt.value.target, stmt.value.value
            if isinstance(value, Attr) and value.name in wanted and isinstance(target, Name):
                yield target.name, value.name


def _shape_among(args: Args) -> Value | None:
    """The input's shape among arguments of which some are texts and one may hold annotations."""
    for _, value in args:
        if isinstance(value, Instance) and value.type == SCHEMA:
            return value
        if isinstance(value, Record):
            plain = [entry for entry in value.entries.values() if isinstance(entry, Constant | Textual)]
            if not plain:
                return value
    return None
