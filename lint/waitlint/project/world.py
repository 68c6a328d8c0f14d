"""All files as the interpreter needs them: what a name means at the top of a file, and who calls whom."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from waitlint.catalog import Apis
from waitlint.facts import (
    Assign,
    Attr,
    Call,
    Define,
    DefineClass,
    Do,
    Expr,
    FileFacts,
    Function,
    If,
    Import,
    Name,
    Stmt,
    Try,
    With,
)
from waitlint.interpret.alternatives import join
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
from waitlint.project.documents import Documents, ReadDocument, nothing_further
from waitlint.project.modules import Modules
from waitlint.project.own_names import Key, key_of, places_of, standing_in
from waitlint.project.packages import Packages
from waitlint.project.sources import Sources
from waitlint.project.walk import Found, FoundMap, Walked, walk

CODE = ("python", "typescript")
TOP = -1
CONSTRUCTORS = ("__init__", "constructor")
NOT_IN_VIEW: list[tuple[str | None, Value]] = [("**", Unknown("an argument not in view"))]
MAX_DEPTH = 12


class ProjectWorld:
    """Implements `waitlint.interpret.frames.World` over the facts of all files."""

    def __init__(
        self,
        files: Mapping[str, FileFacts],
        apis: Apis,
        sources: Sources,
        read_document: ReadDocument = nothing_further,
        own_names: Iterable[str] = (),
    ) -> None:
        self.files = files
        self.apis = apis
        self.documents = Documents(files, sources, read_document)
        self.packages = Packages(files, sources)
        self.modules = Modules((path for path, facts in files.items() if facts.language in CODE), self.packages)
        self._bindings: dict[str, dict[str, list[Stmt]]] = {}
        self._values: dict[tuple[str, str], Value | None] = {}
        self._running: set[tuple[str, str]] = set()
        self._frames: dict[tuple[str, int], Frame] = {}
        self._walked: dict[str, Walked] = {}
        self._answers: dict[tuple[str, int], bool] = {}
        self._shared: dict[str, dict[int, frozenset[str]]] = {}
        self._importers: dict[str, list[str]] | None = None
        self._evaluator = Machine(self, apis)
        self._evaluator.muted = 1
        self._evaluator.global_depth = 1
        self._evaluator.started = 1
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

    def facts(self, path: str) -> FileFacts:
        return self.files[path]

    # ------------------------------------------------------------ names at the top of a file

    def bindings(self, path: str) -> dict[str, list[Stmt]]:
        """The statements at the top of a file that bind each name."""
        known = self._bindings.get(path)
        if known is None:
            known = {}
            facts = self.files[path]
            for stmt in _top_level(facts.body):
                for name in _bound_names(stmt, facts):
                    known.setdefault(name, []).append(stmt)
            self._bindings[path] = known
        return known

    def global_value(self, path: str, name: str) -> Value | None:
        key = (path, name)
        if key in self._values:
            return self._values[key]
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
        """What a function may put in the place of a value at the top of a file, by its annotation."""
        for stmt in statements:
            if isinstance(stmt, Do) and isinstance(stmt.value, Assign) and stmt.value.annotation is not None:
                return self._evaluator.typed(stmt.value.annotation, Frame(path, None))
        return Unknown("a function sets it")

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
                    return self._evaluator.typed(assign.annotation, frame)
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
        machine = self._evaluator
        machine.steps = 0
        machine.pending.clear()
        try:
            return machine.settle(machine.evaluate(expr, frame))
        except (OutOfBudget, RecursionError):
            return Unknown("too much to follow")

    def attribute(self, value: Value, name: str, frame: Frame) -> Value:
        try:
            return self._evaluator.attribute(value, name, frame)
        except (OutOfBudget, RecursionError):
            return Unknown("too much to follow")

    def arguments(self, call: Call, frame: Frame) -> list[tuple[str | None, Value]]:
        """The arguments of a call, evaluated."""
        self._evaluator.steps = 0
        try:
            return self._evaluator.arguments(call, frame)
        except (OutOfBudget, RecursionError):
            return []

    def bind(self, target: Expr, value: Value, frame: Frame) -> None:
        """Give a target a value in a frame."""
        self._evaluator.bind(target, value, frame)

    def run(self, ref: FunctionRef) -> Value:
        """What a function gives back, without noting what happens in it."""
        self._evaluator.steps = 0
        try:
            return self._evaluator.settle(self._evaluator.run_function(ref, NOT_IN_VIEW, None))
        except (OutOfBudget, RecursionError):
            return Unknown("too much to follow")

    def instance(self, ref: ClassRef) -> Value:
        """An object of a class, of which only the class is known."""
        self._evaluator.steps = 0
        try:
            return self._evaluator.instance_by_type(ref)
        except (OutOfBudget, RecursionError):
            return Instance(ref)

    def frame_receiver(self, path: str, function: Function) -> Value | None:
        """The object that a method is called on."""
        return self._receiver(path, function)

    # ------------------------------------------------------------ documents

    def document(self, path: FilePath, near: str) -> Textual | None:
        return self.documents.find(path, near)

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
                text = self.documents.imported(path, module)
                if text is not None:
                    return text
                return Unknown(f"`{module}` is not in view")
            return External(module if name in (None, "*") else f"{module}.{name}")
        if name is None or name == "*":
            return ModuleRef(target)
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
        facts = self.files[path]
        for export in facts.exports:
            if export.name != name:
                continue
            if export.module is None:
                return self.global_value(path, export.local)
            target = self.resolve(path, export.module)
            if target is None:
                return External(f"{export.module}.{export.local}")
            return ModuleRef(target) if export.local == "*" else self._exported(target, export.local, depth - 1)
        if depth > 0:
            for export in facts.exports:
                if export.name == "*" and export.module is not None:
                    target = self.resolve(path, export.module)
                    found = self._exported(target, name, depth - 1) if target is not None else None
                    if found is not None:
                        return found
        return self._common_js(path, name) or self.global_value(path, name)

    def _common_js(self, path: str, name: str) -> Value | None:
        """What `module.exports = …` and `exports.name = …` offer."""
        for stmt in _top_level(self.files[path].body):
            if not (isinstance(stmt, Do) and isinstance(stmt.value, Assign) and isinstance(stmt.value.target, Attr)):
                continue
            target = stmt.value.target
            owner = target.base
            is_module = isinstance(owner, Name) and owner.name == "module" and target.name == "exports"
            if is_module:
                value = self.evaluate(stmt.value.value, Frame(path, None))
                if name == "default":
                    return value
                if isinstance(value, Record) and name in value.entries:
                    return value.entries[name]
            elif target.name == name and isinstance(owner, Name | Attr) and owner.name == "exports":
                return self.evaluate(stmt.value.value, Frame(path, None))
        return None

    def once(self, question: str, node: object, answer: Callable[[], bool]) -> bool:
        key = (question, id(node))
        if key not in self._answers:
            self._answers[key] = answer()
        return self._answers[key]

    def shared_names(self, path: str, index: int) -> frozenset[str]:
        known = self._shared.get(path)
        if known is None:
            known = self._shared[path] = _shared_names(self.files[path])
        return known.get(index, frozenset())

    # ------------------------------------------------------------ frames of functions that were not called in the run

    def parent_frame(self, path: str, function: Function) -> Frame | None:
        return self.frame_of(path, function.parent) if function.parent is not None else None

    def frame_of(self, path: str, index: int) -> Frame:
        """The frame of a function as its callers in the project would make it, its body run for its names."""
        key = (path, index)
        known = self._frames.get(key)
        if known is not None:
            return known
        function = self.files[path].functions[index]
        parent = self.parent_frame(path, function)
        frame = Frame(path, function, parent)
        self._frames[key] = frame
        receiver = self._receiver(path, function)
        frame.receiver = receiver
        args = self._arguments(path, index, function)
        machine = self._evaluator
        ref = FunctionRef(path, index, parent, receiver)
        try:
            machine.steps = 0
            machine.bind_arguments(frame, function, args, receiver)
            machine.run_definitions(ref, frame)
        except (OutOfBudget, RecursionError):
            return frame
        return frame

    def _receiver(self, path: str, function: Function) -> Value | None:
        if function.owner is None:
            return None
        definition = self.files[path].classes[function.owner]
        ref = ClassRef(path, function.owner)
        constructed: Value | None = None
        for found in self._calls_to(path, definition.name):
            value = self.evaluate(found.call, self._frame_at(found))
            if isinstance(value, Instance) and value.type == ref:
                constructed = value if constructed is None else None
                if constructed is None:
                    break
        return constructed or self.instance(ref)

    def _arguments(self, path: str, index: int, function: Function) -> list[tuple[str | None, Value]]:
        """The arguments at the only call of a function; none where there are several or none."""
        if not function.name or len(self._running) > MAX_DEPTH:
            return NOT_IN_VIEW
        mark = (path, f"()#{index}")
        if mark in self._running:
            return NOT_IN_VIEW
        self._running.add(mark)
        try:
            matching: list[list[tuple[str | None, Value]]] = []
            for found in self._calls_to(path, self._called_as(path, function)):
                frame = self._frame_at(found)
                target = self.evaluate(found.call.func, frame)
                if self._is_called(target, path, index, function):
                    matching.append(self._evaluator.arguments(found.call, frame))
            return matching[0] if len(matching) == 1 else NOT_IN_VIEW
        except (OutOfBudget, RecursionError):
            return NOT_IN_VIEW
        finally:
            self._running.discard(mark)

    def _called_as(self, path: str, function: Function) -> str:
        """The name by which a function is called: a constructor by that of its class."""
        if function.name in CONSTRUCTORS and function.owner is not None:
            return self.files[path].classes[function.owner].name
        return function.name

    def _is_called(self, target: Value, path: str, index: int, function: Function) -> bool:
        if isinstance(target, ClassRef):
            return function.name in CONSTRUCTORS and (target.path, target.index) == (path, function.owner)
        return isinstance(target, FunctionRef) and (target.path, target.index) == (path, index)

    def frame_for(self, path: str, function: int | None) -> Frame:
        """The frame of a function, or of the top of a file."""
        return self.frame_of(path, function) if function is not None else Frame(path, None)

    def _frame_at(self, found: Found) -> Frame:
        return self.frame_for(found.path, found.function)

    def _calls_to(self, path: str, name: str) -> Iterator[Found]:
        """Calls of something with this name, in its own file and in those that import it."""
        for caller in (path, *self._files_importing(path)):
            for found in self.calls(caller):
                func = found.call.func
                if isinstance(func, Name | Attr) and func.name == name:
                    yield found

    def calls(self, path: str) -> tuple[Found, ...]:
        """Every call in a file."""
        return self.walked(path).calls

    def maps(self, path: str) -> tuple[FoundMap, ...]:
        """Every object literal in a file."""
        return self.walked(path).maps

    def walked(self, path: str) -> Walked:
        """What is looked for in a file."""
        known = self._walked.get(path)
        if known is None:
            known = self._walked[path] = walk(path, self.files[path])
        return known

    def _files_importing(self, path: str) -> list[str]:
        if self._importers is None:
            self._importers = {}
            for importer, facts in self.files.items():
                if facts.language not in CODE:
                    continue
                for stmt in _top_level(facts.body):
                    if isinstance(stmt, Import):
                        for target in self._targets(importer, stmt):
                            self._importers.setdefault(target, []).append(importer)
        return list(dict.fromkeys(self._importers.get(path, ())))

    def _targets(self, importer: str, stmt: Import) -> Iterator[str]:
        target = self.resolve(importer, stmt.module)
        if target is None:
            return
        yield target
        if stmt.name not in (None, "*") and self.files[importer].language == "python":
            inner = self.modules.submodule(target, stmt.name or "")
            if inner is not None:
                yield inner


def _top_level(body: tuple[Stmt, ...], depth: int = 6) -> Iterator[Stmt]:
    """The statements that run when a file is loaded."""
    for stmt in body:
        match stmt:
            case If(body=then, orelse=orelse) if depth:
                yield from _top_level(then, depth - 1)
                yield from _top_level(orelse, depth - 1)
            case Try(body=tried, handlers=handlers, orelse=orelse, final=final) if depth:
                yield from _top_level((*tried, *orelse, *final), depth - 1)
                for handler in handlers:
                    yield from _top_level(handler.body, depth - 1)
            case With(body=inner) if depth:
                yield stmt
                yield from _top_level(inner, depth - 1)
            case _:
                yield stmt


def _shared_names(facts: FileFacts) -> dict[int, frozenset[str]]:
    """For each function, and for the top, what the functions inside it assign to, other than their own arguments."""
    shared: dict[int, set[str]] = {}
    for function in facts.functions:
        own = {param.name for param in function.params}
        names = {change.name for change in changes_in(function.body, "each")} - own
        outer: int | None = function.parent
        while outer is not None and names:
            shared.setdefault(outer, set()).update(names)
            outer = facts.functions[outer].parent
        shared.setdefault(TOP, set()).update(names)
    return {index: frozenset(names) for index, names in shared.items()}


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
