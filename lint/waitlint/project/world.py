"""All files as the interpreter needs them: what a name means at the top of a file, and who calls whom."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from waitlint.catalog import Apis, load_frameworks
from waitlint.facts import (
    Assign,
    Call,
    Define,
    DefineClass,
    Do,
    Expr,
    FileFacts,
    Import,
    Member,
    Name,
    Stmt,
    With,
)
from waitlint.interpret.alternatives import join
from waitlint.interpret.calls import CONSTRUCTORS
from waitlint.interpret.core import OutOfBudget
from waitlint.interpret.frames import Frame
from waitlint.interpret.loops import changes_in
from waitlint.interpret.machine import Machine
from waitlint.interpret.values import (
    ClassRef,
    Constant,
    External,
    FilePath,
    FunctionRef,
    Instance,
    ModuleRef,
    Record,
    Textual,
    Unknown,
    Value,
)
from waitlint.project.callers import CODE, MAX_DEPTH, NOT_IN_VIEW, Callers, top_level
from waitlint.project.documents import Documents, nothing_further
from waitlint.project.faults import Faults
from waitlint.project.heirs import Heirs
from waitlint.project.modules import Modules
from waitlint.project.offers import Offer
from waitlint.project.outer_names import TOP, shared_names
from waitlint.project.own_names import Key, key_of, places_of, standing_in
from waitlint.project.packages import Packages
from waitlint.project.sources import Sources

T = TypeVar("T")
RECEIVERS = frozenset({"", "self", "this", "cls"})
SELVES = RECEIVERS - {""}
# What a name means is found out in passing: far less work is worth it than for what a tool does.
DEFINITION_STEPS = 6_000
DEEPEST = 7


class ProjectWorld(Callers):
    """Implements `waitlint.interpret.frames.World` over the facts of all files."""

    def __init__(
        self,
        files: Mapping[str, FileFacts],
        apis: Apis,
        sources: Sources,
        documents: Documents | None = None,
        own_names: Iterable[str] = (),
        faults: Faults | None = None,
    ) -> None:
        super().__init__(files, apis, faults or Faults())
        self.documents = documents or Documents(files, sources, nothing_further)
        self.packages = Packages(files, sources)
        self.modules = Modules((path for path, facts in files.items() if facts.language in CODE), self.packages)
        self._bindings: dict[str, dict[str, list[Stmt]]] = {}
        self._values: dict[tuple[str, str], Value | None] = {}
        self._running: set[tuple[str, str]] = set()
        self._templates: dict[tuple[str, int], Instance] = {}
        self._answers: dict[tuple[str, int], Any] = {}
        self._set_by_name: dict[str, dict[str, list[tuple[int, Expr]]]] = {}
        self.literals: dict[int, tuple[Expr, str, Value]] = {}
        self._shared: dict[str, dict[int, frozenset[str]]] = {}
        self._setters: dict[str, dict[tuple[str, str], None]] | None = None
        self._set_outside: dict[tuple[str, int, str], bool] = {}
        self._members: dict[tuple[str, int], dict[str, Member]] = {}
        self._bases: dict[tuple[str, int], tuple[ClassRef, ...]] = {}
        self._heirs = Heirs(files)
        self._idle: list[Machine] = []
        self._offers: dict[str, Offer] = {}
        self._own: dict[Key, str] = {}
        self._own = self._definitions_of(own_names)

    def _definitions_of(self, names: Iterable[str]) -> dict[Key, str]:
        """The definitions in the project that some qualified names mean."""
        found: dict[Key, str] = {}
        for name in names:
            for path, last in places_of(name, self.modules):
                value = self.member(path, last)
                if value is not None and (key := key_of(value)) is not None:
                    found[key] = name
        self._values.clear()
        return found

    def aside(self) -> Machine:
        """A machine that notes nothing, for what has to be known in the middle of a run."""
        machine = Machine(self, self.apis, max_steps=DEFINITION_STEPS)
        machine.muted = 1
        machine.global_depth = 1
        machine.started = 1
        machine.deepest = DEEPEST
        return machine

    def facts(self, path: str) -> FileFacts:
        return self.files[path]

    # ------------------------------------------------------------ names at the top of a file

    def bindings(self, path: str) -> dict[str, list[Stmt]]:
        """The statements at the top of a file that bind each name."""
        known = self._bindings.get(path)
        if known is None:
            known = {}
            facts = self.files[path]
            for stmt in top_level(facts.body):
                for name in _bound_names(stmt, facts):
                    known.setdefault(name, []).append(stmt)
            self._bindings[path] = known
        return known

    def global_value(self, path: str, name: str) -> Value | None:
        key = (path, name)
        try:
            return self._values[key]
        except KeyError:
            pass
        if key in self._running or len(self._running) > MAX_DEPTH * 4:
            return Unknown("a definition that goes in a circle")
        self._running.add(key)
        try:
            value = standing_in(self._global(path, name), self._own)
        finally:
            self._running.discard(key)
        self._values[key] = value
        return value

    def _global(self, path: str, name: str) -> Value | None:
        statements = self.bindings(path).get(name, [])
        if not statements:
            return self._starred(path, name)
        value: Value | None = None
        for stmt in statements:
            found = self._value_of(path, stmt, name)
            if found is not None:
                value = found if value is None or isinstance(value, Unknown) else join(value, found)
        if isinstance(value, Constant | Textual) and name in self.shared_names(path, TOP):
            return join(value, self._set_later(path, statements))
        return value

    def _set_later(self, path: str, statements: list[Stmt]) -> Value:
        """What a function may put in the place of a value at the top of a file: by its annotation, or as it does so."""
        name = ""
        for stmt in statements:
            if isinstance(stmt, Do) and isinstance(stmt.value, Assign):
                name = stmt.value.target.name if isinstance(stmt.value.target, Name) else ""
                if stmt.value.annotation is not None:
                    typed = self.typed(stmt.value.annotation, Frame(path, None))
                    if not isinstance(typed, Unknown):
                        return typed
        return self._set_by_functions(path, name)

    def _set_by_functions(self, path: str, name: str) -> Value:
        """What functions put there, where all of them put an object of the same kind."""
        found: list[Instance] = []
        for index, written in self._set_inside(path).get(name, ()):
            value = self.evaluate(written, self.frame_of(path, index))
            if isinstance(value, Constant) and value.value is None:
                continue
            if not isinstance(value, Instance) or (found and value.type != found[0].type):
                return Unknown("a function sets it")
            found.append(value)
        return found[0] if found else Unknown("a function sets it")

    def _set_inside(self, path: str) -> Mapping[str, list[tuple[int, Expr]]]:
        """What the functions of a file set, by name: each value with the index of its function."""
        known = self._set_by_name.get(path)
        if known is None:
            known = self._set_by_name[path] = {}
            for index, function in enumerate(self.files[path].functions):
                for change in changes_in(function.body, "each"):
                    known.setdefault(change.name, []).append((index, change.value))
        return known

    def _value_of(self, path: str, stmt: Stmt, name: str) -> Value | None:
        frame = Frame(path, None)
        match stmt:
            case Define(index=index):
                return FunctionRef(path, index)
            case DefineClass(index=index):
                return ClassRef(path, index)
            case Import(module=module, name=imported):
                return self.imported(path, module, imported)
            case Do(value=Assign(op="") as assign):
                if isinstance(assign.value, Name) and assign.value.name == name:
                    return None
                value = self.evaluate(assign.value, frame)
                if isinstance(value, Unknown) and assign.annotation is not None:
                    return self.typed(assign.annotation, frame)
                return value
            case Do():
                return Unknown("changed at the top of its file")
            case With(items=items):
                for context, target in items:
                    if isinstance(target, Name) and target.name == name:
                        return self.evaluate(context, frame)
        return None

    def _starred(self, path: str, name: str) -> Value | None:
        for stmt in self.bindings(path).get("*", []):
            if isinstance(stmt, Import):
                target = self.resolve(path, stmt.module)
                if target is not None and target != path:
                    found = self.member(target, name)
                    if found is not None:
                        return found
        return None

    def evaluate(self, expr: Expr, frame: Frame) -> Value:
        """What an expression is known to be, without noting what happens in it."""
        found = self._apart(lambda machine: machine.settle(machine.evaluate(expr, frame)))
        return Unknown("too much to follow") if found is None else found

    def attribute(self, value: Value, name: str, frame: Frame) -> Value:
        found = self._apart(lambda machine: machine.attribute(value, name, frame))
        return Unknown("too much to follow") if found is None else found

    def typed(self, annotation: Expr, frame: Frame) -> Value:
        """What a value is known to be by its annotation alone."""
        found = self._apart(lambda machine: machine.typed(annotation, frame))
        return Unknown("too much to follow") if found is None else found

    def arguments(self, call: Call, frame: Frame) -> list[tuple[str | None, Value]]:
        """The arguments of a call, evaluated."""
        return self._apart(lambda machine: machine.arguments(call, frame)) or []

    def template(self, ref: ClassRef) -> Instance:
        key = (ref.path, ref.index)
        known = self._templates.get(key)
        if known is None:
            made = known = self._templates[key] = Instance(ref, (), serial=0)
            self._apart(lambda machine: machine.fill_by_constructor(made, ref))
        return known

    def bind(self, target: Expr, value: Value, frame: Frame) -> None:
        """Give a target a value in a frame."""
        self._apart(lambda machine: machine.bind(target, value, frame))

    def define(self, body: tuple[Stmt, ...], frame: Frame) -> None:
        """Execute statements for the names that they bind in a frame."""
        self._apart(lambda machine: machine.run_definitions(body, frame))

    def run(self, ref: FunctionRef) -> Value:
        """What a function gives back, without noting what happens in it."""
        found = self._apart(lambda machine: machine.settle(machine.run_function(ref, NOT_IN_VIEW, None)))
        return Unknown("too much to follow") if found is None else found

    def call(self, ref: FunctionRef, args: list[tuple[str | None, Value]]) -> Value:
        """The same, called with some arguments."""
        found = self._apart(lambda machine: machine.settle(machine.run_function(ref, args, None)))
        return Unknown("too much to follow") if found is None else found

    def instance(self, ref: ClassRef) -> Value:
        """An object of a class, of which only the class is known."""
        return self._apart(lambda machine: machine.instance_by_type(ref)) or Instance(ref)

    def _apart(self, find: Callable[[Machine], T]) -> T | None:
        """What a machine finds that is in the middle of nothing else; None where it would take too long.

        What is found must not depend on what was being looked for when it came up: it is kept, and read by others.
        """
        machine = self._idle.pop() if self._idle else self.aside()
        machine.steps = 0
        machine.pending.clear()
        try:
            found = find(machine)
        except (OutOfBudget, RecursionError):
            return None
        self._idle.append(machine)
        return found

    # ------------------------------------------------------------ documents

    def document(self, path: FilePath, near: str) -> Textual | None:
        return self.documents.find(path, near)

    def data(self, path: FilePath, near: str) -> Value | None:
        return self.documents.data(path, near)

    # ------------------------------------------------------------ imports

    def resolve(self, path: str, module: str) -> str | None:
        """The file that a module name in the file at `path` means."""
        if self.files[path].language == "python":
            return self.modules.python(path, module)
        return self.modules.script(path, module)

    def imported(self, path: str, module: str, name: str | None) -> Value:
        target = self.resolve(path, module)
        if target is None:
            if module.startswith("."):
                document = self.documents.imported(path, module)
                if isinstance(document, Record) and name not in (None, "*", "default"):
                    return document.entries.get(name, Unknown(f"`{name}` is not in {module}"))
                if document is not None:
                    return document
                return Unknown(f"`{module}` is not in view")
            return External(module if name in (None, "*") else f"{module}.{name}")
        if name is None or name == "*":
            return ModuleRef(target)
        if not module.startswith(".") and f"{module}.{name}" in load_frameworks().makers:
            return External(f"{module}.{name}")
        if target == path and (inner := self.modules.submodule(path, name)) is not None:
            return ModuleRef(inner)
        found = self.member(target, name)
        return Unknown(f"`{name}` is not in {target}") if found is None else found

    def member(self, path: str, name: str) -> Value | None:
        if path.endswith("/"):
            inner = self.modules.submodule(path, name)
            return ModuleRef(inner) if inner is not None else None
        if self.files[path].language == "python":
            found = self.global_value(path, name)
            if found is None:
                inner = self.modules.submodule(path, name)
                return ModuleRef(inner) if inner is not None else None
            return found
        return self._exported(path, name)

    def _exported(self, path: str, name: str, depth: int = MAX_DEPTH) -> Value | None:
        offer = self._offers.get(path)
        if offer is None:
            offer = self._offers[path] = Offer(self.files[path])
        export = offer.named.get(name)
        if export is not None:
            if export.module is None:
                return self.global_value(path, export.local)
            target = self.resolve(path, export.module)
            if target is None:
                return External(f"{export.module}.{export.local}")
            return ModuleRef(target) if export.local == "*" else self._exported(target, export.local, depth - 1)
        for module in offer.starred if depth > 0 else ():
            target = self.resolve(path, module)
            found = self._exported(target, name, depth - 1) if target is not None else None
            if found is not None:
                return found
        return self._common_js(path, name, offer) or self.global_value(path, name)

    def _common_js(self, path: str, name: str, offer: Offer) -> Value | None:
        """What `module.exports = …` and `exports.name = …` offer."""
        for field, expr in offer.assigned:
            if not field:
                value = self.evaluate(expr, Frame(path, None))
                if name == "default":
                    return value
                if isinstance(value, Record) and name in value.entries:
                    return value.entries[name]
            elif field == name:
                return self.evaluate(expr, Frame(path, None))
        return None

    def once(self, question: str, node: object, answer: Callable[[], T]) -> T:
        key = (question, id(node))
        known: T | None = self._answers.get(key)
        if known is None:
            known = self._answers[key] = answer()
        return known

    def members(self, path: str, index: int) -> Mapping[str, Member]:
        key = (path, index)
        known = self._members.get(key)
        if known is None:
            said = (
                one
                for one in self.files[path].classes[index].members
                if one.value is not None or one.annotation is not None
            )
            known = self._members[key] = {member.name: member for member in said}
        return known

    def bases(self, path: str, index: int) -> Sequence[ClassRef]:
        key = (path, index)
        known = self._bases.get(key)
        if known is None:
            scope = Frame(path, None)
            values = [self.evaluate(base, scope) for base in self.files[path].classes[index].bases]
            known = tuple(value for value in values if isinstance(value, ClassRef))
            if not any(isinstance(value, Unknown) for value in values):
                self._bases[key] = known
        return known

    def heirs(self, ref: ClassRef) -> Sequence[ClassRef]:
        return self._heirs.of(ref)

    def implementing(self, path: str, name: str) -> Sequence[ClassRef]:
        if not self._heirs.named(name):
            return ()
        value = self.global_value(path, name)
        is_own = value is not None and not (isinstance(value, External) and "." in value.name)
        return self._heirs.named(name) if is_own else ()

    def set_from_outside(self, ref: ClassRef, name: str) -> bool:
        key = (ref.path, ref.index, name)
        known = self._set_outside.get(key)
        if known is None:
            if self._setters is None:
                self._setters = self._find_setters()
            values = [self.global_value(path, owner) for path, owner in self._setters.get(name, ())]
            types = [value.type for value in values if isinstance(value, Instance) and isinstance(value.type, ClassRef)]
            known = self._set_outside[key] = any((of.path, of.index) == (ref.path, ref.index) for of in types)
        return known

    def set_by_methods(self, ref: ClassRef, name: str) -> bool:
        definition = self.files[ref.path].classes[ref.index]
        return self.once(f"sets {name}", definition, lambda: self._set_by_methods(ref, name))

    def _set_by_methods(self, ref: ClassRef, name: str, depth: int = MAX_DEPTH) -> bool:
        functions = self.files[ref.path].functions
        for named in self.named_as(ref.path, name):
            if named.function is None or named.owner not in SELVES:
                continue
            function = functions[named.function]
            if function.owner == ref.index and function.name not in CONSTRUCTORS:
                return True
        bases = self.bases(ref.path, ref.index) if depth > 0 else ()
        return any(self._set_by_methods(base, name, depth - 1) for base in bases if base != ref)

    def _find_setters(self) -> dict[str, dict[tuple[str, str], None]]:
        """The files and the names in them whose fields are set, by the name of the field."""
        found: dict[str, dict[tuple[str, str], None]] = {}
        for path, facts in self.files.items():
            if facts.language in CODE:
                for named in self.walked(path).named:
                    if named.owner not in RECEIVERS:
                        found.setdefault(named.name, {})[path, named.owner] = None
        return found

    def shared_names(self, path: str, index: int) -> frozenset[str]:
        known = self._shared.get(path)
        if known is None:
            known = self._shared[path] = shared_names(self.files[path], self.walked(path).named)
        return known.get(index, frozenset())


def _bound_names(stmt: Stmt, facts: FileFacts) -> Iterator[str]:
    match stmt:
        case Define(index=index):
            yield facts.functions[index].name
        case DefineClass(index=index):
            yield facts.classes[index].name
        case Import(local=local, name=name):
            yield "*" if name == "*" else local
        case Do(value=Assign(target=Name(name=name))):
            yield name
        case With(items=items):
            for _, target in items:
                if isinstance(target, Name):
                    yield target.name


__all__ = ["CODE", "ProjectWorld"]
