"""Parts of values: attributes, entries, fields and members of classes, and what an annotation says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from waitlint.facts import Attr, Expr, Func, Function, Name, Piece
from waitlint.interpret.alternatives import choice, options
from waitlint.interpret.files import meta_path, path_attribute
from waitlint.interpret.frames import Frame
from waitlint.interpret.interfaces import SAYS_NO_MORE, Interfaces, is_left_to_heirs, own_classes
from waitlint.interpret.values import (
    ENVIRONMENT,
    NOTHING,
    Above,
    Choice,
    ClassRef,
    Constant,
    External,
    FilePath,
    FunctionRef,
    Instance,
    Items,
    MethodOf,
    ModelArgument,
    ModuleRef,
    Outside,
    Record,
    Signal,
    StopTest,
    TextPart,
    Textual,
    ToolContext,
    Unknown,
    Value,
)

RECORD_METHODS = frozenset({"get", "items", "keys", "values", "copy", "update", "pop", "setdefault", "hasOwnProperty"})
# Where JavaScript finds the environment's variables.
ENVIRONMENTS = frozenset({"process.env", "node:process.env", "process.default.env", "import.meta.env", "Bun.env"})
INHERITED = 6
FIELDS = frozenset({"Field", "PrivateAttr", "attrib", "ib", "field"})
IS_STOP = re.compile(r"signal|abort|cancellation_?token", re.IGNORECASE)


def is_error_type(type_: External) -> bool:
    return type_.name.endswith(("Error", "Exception"))


class Members(Interfaces):
    def attribute(self, base: Value, name: str, frame: Frame) -> Value:
        """`base.name`. The most frequent kinds come first."""
        if type(base) is Instance:
            return self.field(base, name, frame)
        if type(base) is Outside:
            return self._part(base, name, frame)
        if type(base) is MethodOf or type(base) is Unknown:
            return MethodOf(base, name)
        match base:
            case Choice(options=alternatives):
                real = [pair for pair in alternatives if not _is_null(pair[1])] or list(alternatives)
                return choice([(tag, self.attribute(option, name, frame)) for tag, option in real])
            case ModuleRef(path=path):
                found = self.world.member(path, name)
                return Unknown(f"`{name}` is not in {path}") if found is None else found
            case External(name="import.meta") if (own := meta_path(name, frame.path)) is not None:
                return own
            case External(name=outer) if outer in ENVIRONMENTS and name not in RECORD_METHODS:
                return ENVIRONMENT
            case External(name=outer):
                return External(f"{outer}.{name}")
            case FilePath():
                return path_attribute(base, name) or MethodOf(base, name)
            case Instance():
                return self.field(base, name, frame)
            case ClassRef():
                found = self.class_member(base, name, base)
                return Unknown(f"`{name}` is not in the class") if found is None else found
            case Record(entries=entries, open=is_open):
                if name in entries:
                    return entries[name]
                return MethodOf(base, name) if is_open or name in RECORD_METHODS else NOTHING
            case ModelArgument(name="", fields=fields):
                if name in RECORD_METHODS and name not in fields:
                    return MethodOf(base, name)
                return fields.get(name) or ModelArgument(name)
            case ModelArgument():
                return MethodOf(base, name)
            case ToolContext(signal_path=path):
                if path and (path[0] == name or IS_STOP.search(name)):
                    rest = path[1:] if path[0] == name else ()
                    if rest:
                        return ToolContext(rest, base.place)
                    self.took_stop = True
                    return Signal(stop=True, place=base.place)
                return MethodOf(base, name)
            case Signal() if name in ("aborted", "isCancellationRequested"):
                return StopTest(base, fired=True)
            case Above():
                return self._above(base, name)
            case FunctionRef() if name in ("__doc__", "__name__", "__qualname__"):
                return self._said_of(base, name)
            case Textual() if name in ("value", "name"):
                return base
            case Constant() if name == "value":
                return base
            case _:
                return MethodOf(base, name)

    def field(self, instance: Instance, name: str, frame: Frame) -> Value:
        """A field, property or method of an object."""
        if name in instance.fields:
            held = instance.fields[name]
            if instance.serial == 0 and isinstance(held, Record | Items) and isinstance(instance.type, ClassRef):
                return _filled_since(held)
            if not isinstance(held, Constant) or not isinstance(instance.type, ClassRef) or instance.serial:
                return held
            is_set = self.world.set_from_outside(instance.type, name) or (
                _is_null(held) and self.world.set_by_methods(instance.type, name)
            )
            return choice([(None, held), (None, Unknown("it is set elsewhere"))]) if is_set else held
        if isinstance(instance.type, External):
            said = instance.argument("message", 0) if name == "message" and is_error_type(instance.type) else None
            return MethodOf(instance, name) if said is None else said
        found = self.class_member(instance.type, name, instance)
        if found is None:
            return MethodOf(instance, name)
        if isinstance(found, FunctionRef):
            function = self.world.facts(found.path).functions[found.index]
            if instance.serial == 0 and not self.muted and is_left_to_heirs(function):
                return self.by_heirs(instance.type, name) or found
            if any(_is_property(decorator) for decorator in function.decorators):
                return self.run_function(found, [], None)
        elif found is SAYS_NO_MORE and instance.serial == 0 and not self.muted:
            return self.by_heirs(instance.type, name) or found
        return found

    def _above(self, above: Above, name: str) -> Value:
        """`super().name`: what the bases of a class say, for the object itself."""
        found = self._inherited(above.ref, name, above.receiver, INHERITED)
        return MethodOf(above, name) if found is None else found

    def _said_of(self, ref: FunctionRef, name: str) -> Value:
        """The docstring or the name of a function."""
        function = self.world.facts(ref.path).functions[ref.index]
        if name != "__doc__":
            at = function.at
            piece = Piece(function.name, ((0, at.start), (at.end - at.start, at.end)))
            return Textual((TextPart(ref.path, piece),))
        return self.evaluate(function.doc, Frame(ref.path, None)) if function.doc is not None else MethodOf(ref, name)

    def class_member(self, ref: ClassRef, name: str, receiver: Value | None, depth: int = INHERITED) -> Value | None:
        """A member of a class or of what it inherits from, bound to `receiver`: an object, or the class itself."""
        held = self.class_fields.get((ref.path, ref.index, name))
        if held is not None:
            return held
        member = self.world.members(ref.path, ref.index).get(name)
        if member is None:
            return self._inherited(ref, name, receiver, depth)
        if isinstance(member.value, Func):
            function = self.world.facts(ref.path).functions[member.value.index]
            return self.method_of(ref, function, member.value.index, receiver)
        scope = Frame(ref.path, None, ref.frame)
        if member.value is not None:
            value = _default_of(self.evaluate(member.value, scope))
            if isinstance(value, Constant) and value.origin is None:
                value = Constant(value.value, scope.place(member.span), value.at_most)
            return self._set_later(value, member.annotation, receiver, scope)
        assert member.annotation is not None
        return self.typed(member.annotation, scope)

    def _set_later(self, value: Value, annotation: Expr | None, receiver: Value | None, scope: Frame) -> Value:
        """A field of an object that was made elsewhere: what is nothing at first may have been given to it."""
        made_elsewhere = isinstance(receiver, Instance) and receiver.serial == 0
        if not (made_elsewhere and _is_null(value)) or annotation is None:
            return value
        return choice([(None, value), (None, self.typed(annotation, scope))])

    def method_of(self, ref: ClassRef, function: Function, index: int, receiver: Value | None) -> FunctionRef:
        """A method as it is bound where it is looked up: to the object, to the class, or to nothing."""
        if self.world.facts(ref.path).language != "python":
            return FunctionRef(ref.path, index, ref.frame, receiver if receiver is not None else ref)
        if is_decorated(function, "staticmethod"):
            return FunctionRef(ref.path, index, ref.frame)
        if is_decorated(function, "classmethod"):
            own = receiver.type if isinstance(receiver, Instance) else receiver
            return FunctionRef(ref.path, index, ref.frame, own if isinstance(own, ClassRef) else ref)
        return FunctionRef(ref.path, index, ref.frame, None if isinstance(receiver, ClassRef) else receiver)

    def _inherited(self, ref: ClassRef, name: str, receiver: Value | None, depth: int) -> Value | None:
        if depth <= 0:
            return None
        for base in self._bases(ref):
            if base != ref:
                found = self.class_member(base, name, receiver, depth - 1)
                if found is not None:
                    return found
        return None

    def _bases(self, ref: ClassRef) -> Sequence[ClassRef]:
        """The classes of the project that a class inherits from."""
        if ref.frame is None or ref.frame.function is None:
            return self.world.bases(ref.path, ref.index)
        scope = Frame(ref.path, None, ref.frame)
        values = [self.evaluate(base, scope) for base in self.world.facts(ref.path).classes[ref.index].bases]
        return [value for value in values if isinstance(value, ClassRef)]

    def said_to_be(self, value: Value, annotation: Expr, frame: Frame) -> Value:
        """A value that comes out of code that is not in view, with the class that its annotation names."""
        if not isinstance(value, Unknown | MethodOf | Outside):
            return value
        typed = self.typed(annotation, frame)
        if isinstance(typed, Unknown):
            return value
        if not isinstance(value, Outside):
            return typed
        if own_classes(typed):
            return replace(value, of=own_classes(typed))
        kinds = [
            one.type.name for _, one in options(typed) if isinstance(one, Instance) and isinstance(one.type, External)
        ]
        known = next((kind for kind in kinds if self.apis.is_known(kind)), "")
        return replace(value, source=known, path=()) if known else value

    def _part(self, base: Outside, name: str, frame: Frame) -> Value:
        """A part of what comes from outside, with its class where the class of the whole says that."""
        part = base.part(name)
        if not base.of:
            return part
        held = [self.attribute(self.instance_by_type(ref), name, frame) for ref in base.of]
        return replace(part, of=tuple(dict.fromkeys(ref for one in held for ref in own_classes(one))))

    def entry(self, base: Value, key: Value, frame: Frame) -> Value:
        match base, key:
            case Choice(options=alternatives), _:
                return choice([(tag, self.entry(option, key, frame)) for tag, option in alternatives])
            case ((Record() | ModelArgument(name="")), Textual()) if key.literal is not None:
                return self.attribute(base, key.literal, frame)
            case Record(entries=entries), _ if entries:
                return choice([(None, value) for value in entries.values()])
            case Items(items=items), Constant() if isinstance(key.value, int) and -len(items) <= key.value < len(items):
                return items[key.value]
            case Items(items=items), _ if items:
                return choice([(None, value) for value in items])
            case Outside(), _:
                name = key.literal if isinstance(key, Textual) else None
                return base.part(name or "[]")
            case ClassRef(), Textual() if key.literal is not None:
                return self.attribute(base, key.literal, frame)
            case ((ClassRef() | External()), _):
                return base
            case _:
                return Unknown("an entry of what is not known")


def _default_of(value: Value) -> Value:
    """The default of a field that says more of itself: `Field(default=30, …)`."""
    named = value.type.name if isinstance(value, Instance) and isinstance(value.type, External) else ""
    if isinstance(value, Instance) and named.rpartition(".")[2] in FIELDS:
        default = value.argument("default", 0)
        return value if default is None or isinstance(default, External) else default
    return value


def is_decorated(function: Function, name: str) -> bool:
    return any(isinstance(decorator, Name) and decorator.name == name for decorator in function.decorators)


def _filled_since(held: Record | Items) -> Record | Items:
    """A collection of an object that was made elsewhere: what was empty then may hold something by now."""
    if isinstance(held, Record):
        return held if held.entries or held.open else replace(held, open=True)
    return held if held.items or held.open else replace(held, open=True)


def _is_null(value: Value) -> bool:
    return isinstance(value, Constant) and value.value is None


def _is_property(decorator: Expr) -> bool:
    match decorator:
        case Name(name=name) | Attr(name=name):
            return name in ("property", "cached_property", "computed_field")
        case _:
            return False
