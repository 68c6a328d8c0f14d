"""What stands behind a type that only declares: the classes that implement it, and what it says of the parts."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from waitlint.facts import Attr, Binary, Const, Expr, Func, Function, Index, Map, Name, Raise, Seq, Str
from waitlint.interpret.alternatives import choice, options
from waitlint.interpret.core import Core
from waitlint.interpret.frames import Frame
from waitlint.interpret.syntax import says_nothing
from waitlint.interpret.values import (
    NOTHING,
    ClassRef,
    External,
    FunctionRef,
    Instance,
    MethodOf,
    Outside,
    Record,
    Unknown,
    Value,
)

ANYTHING = frozenset({"Any", "Object", "Record", "Function", "T"})
FEW_HEIRS = 5
SAYS_NO_MORE = Unknown("an annotation that says no more")
# What is around a type and changes nothing of what an object of it can do.
AROUND = frozenset({"Annotated", "Promise", "Readonly", "Awaitable", "Awaited", "Required", "NonNullable"})


def inner_type(annotation: Expr) -> Expr:
    """A type without what stands around it and changes nothing of what an object of it can do."""
    while isinstance(annotation, Index) and isinstance(annotation.base, Name) and annotation.base.name in AROUND:
        key = annotation.key
        annotation = key.items[0] if isinstance(key, Seq) and key.items else key
    return annotation


class Interfaces(Core):
    def method_of(self, ref: ClassRef, function: Function, index: int, receiver: Value | None) -> FunctionRef:
        """A method as it is bound where it is looked up."""
        raise NotImplementedError

    def instance_by_type(self, ref: ClassRef) -> Value:
        """An object of a class of the project, of which only the class is known."""
        raise NotImplementedError

    def typed(self, annotation: Expr, frame: Frame) -> Value:
        """What a value is known to be by its annotation alone."""
        match annotation:
            case Name() | Attr():
                return self._by_name(annotation, frame)
            case Index(base=Name(name="Optional"), key=key):
                return self._one_of((key, Const(key.span, None)), frame)
            case Index(base=Name(name=name)) if name in AROUND:
                return self.typed(inner_type(annotation), frame)
            case Index(base=Name(name="Union"), key=Seq(items=items)):
                return self._one_of(items, frame)
            case Index(base=Name() | Attr() as base):
                made = self._by_name(base, frame)
                return made if own_classes(made) else SAYS_NO_MORE
            case Binary(op="|"):
                return self._one_of(alternatives_of(annotation), frame)
            case Binary(op="&"):
                return self._all_of(alternatives_of(annotation, "&"), frame)
            case Map():
                return self._of_parts(annotation, frame)
            case Str() if annotation.literal and annotation.literal.isidentifier():
                return self.typed(Name(annotation.span, annotation.literal), frame)
            case _:
                return SAYS_NO_MORE

    def _by_name(self, annotation: Name | Attr, frame: Frame) -> Value:
        with self.quietly():
            value = self.evaluate(annotation, frame)
        if isinstance(value, ClassRef):
            return self.instance_by_type(value)
        if isinstance(value, External) and "." in value.name:
            return Instance(value, serial=0)
        found = self._implemented(annotation, frame)
        if found is not None:
            return found
        if isinstance(value, External) and value.name[:1].isupper() and value.name not in ANYTHING:
            return Instance(value, serial=0)
        return SAYS_NO_MORE

    def _implemented(self, annotation: Name | Attr, frame: Frame) -> Value | None:
        """An object of one of the few classes that implement an object type of the project: `type Context = {…}`."""
        if not isinstance(annotation, Name) or self.world.facts(frame.path).language != "typescript":
            return None
        heirs = self.world.implementing(frame.path, annotation.name)
        if not 0 < len(heirs) <= FEW_HEIRS:
            return None
        return choice([(None, self.instance_by_type(heir)) for heir in heirs])

    def _one_of(self, annotations: Sequence[Expr], frame: Frame) -> Value:
        """What is known of a value that is of one of several types: all that is known of any of them."""
        typed = [self.typed(one, frame) for one in annotations if not isinstance(one, Const)]
        known = [value for value in typed if not isinstance(value, Unknown)]
        if not known:
            return SAYS_NO_MORE
        own = any(isinstance(value, Instance) and isinstance(value.type, ClassRef) for value in known)
        if own and len(typed) < len(annotations):
            known.append(NOTHING)
        return choice([(None, value) for value in known])

    def _all_of(self, annotations: Sequence[Expr], frame: Frame) -> Value:
        """What is known of a value that is of several types at once: an object with the parts of all."""
        typed = [self.typed(one, frame) for one in annotations]
        parts: dict[str, Value] = {}
        for value in typed:
            parts.update(value.entries if isinstance(value, Record) else {})
        for value in typed:
            if isinstance(value, Instance) and isinstance(value.type, ClassRef):
                return Instance(value.type, value.args, {**value.fields, **parts}, serial=0) if parts else value
        return Record(parts, open=True) if parts else SAYS_NO_MORE

    def _of_parts(self, annotation: Map, frame: Frame) -> Value:
        """An object type that is written in place, as far as its parts are objects of the project."""
        parts: dict[str, Value] = {}
        for entry in annotation.entries:
            key = entry.key.literal if isinstance(entry.key, Str) else None
            value = self.typed(entry.value, frame) if key is not None else SAYS_NO_MORE
            if key is not None and own_classes(value):
                parts[key] = value
        return Record(parts, open=True) if parts else SAYS_NO_MORE

    def with_types(self, value: Record, annotation: Expr, frame: Frame) -> Value:
        """An object of which some parts are not known, with what the type of the whole says of those."""
        missing = [key for key, part in value.entries.items() if isinstance(part, Unknown | MethodOf | Outside)]
        if not missing or not isinstance(annotation, Name | Attr | Map):
            return value
        typed = self.typed(annotation, frame)
        parts: dict[str, Value] = {}
        for key in missing:
            if isinstance(typed, Record):
                said = typed.entries.get(key, SAYS_NO_MORE)
            elif isinstance(typed, Instance) and isinstance(typed.type, ClassRef):
                said = self.declared(typed.type, key)
            else:
                return value
            classes = own_classes(said)
            before = value.entries[key]
            if classes:
                parts[key] = replace(before, of=classes) if isinstance(before, Outside) else said
        return Record({**value.entries, **parts}, value.open, value.place, value.places) if parts else value

    def declared(self, ref: ClassRef, name: str) -> Value:
        """What a class or interface says that a part is of which it has no value."""
        member = self.world.members(ref.path, ref.index).get(name)
        if member is None or member.value is not None or member.annotation is None:
            return SAYS_NO_MORE
        return self.typed(member.annotation, Frame(ref.path, None, ref.frame))

    def by_heirs(self, ref: ClassRef, name: str) -> Value | None:
        """A method that a class or an interface leaves to its heirs, where they are few: that of one of them."""
        found: list[tuple[int | None, Value]] = []
        for heir in self.world.heirs(ref):
            member = self.world.members(heir.path, heir.index).get(name)
            if member is not None and isinstance(member.value, Func):
                function = self.world.facts(heir.path).functions[member.value.index]
                if not is_left_to_heirs(function):
                    receiver = self.instance_by_type(heir)
                    found.append((None, self.method_of(heir, function, member.value.index, receiver)))
        return choice(found) if 0 < len(found) <= FEW_HEIRS else None


def own_classes(value: Value) -> tuple[ClassRef, ...]:
    """The classes of the project whose objects a value may be."""
    types = [one.type for _, one in options(value) if isinstance(one, Instance)]
    return tuple(dict.fromkeys(one for one in types if isinstance(one, ClassRef)))


def is_left_to_heirs(function: Function) -> bool:
    """Whether a method only says what the heirs of its class do."""
    marked = any(isinstance(one, Name | Attr) and one.name == "abstractmethod" for one in function.decorators)
    raises = any(isinstance(stmt, Raise) for stmt in function.body)
    return (marked or raises) and says_nothing(function.body)


def alternatives_of(annotation: Expr, op: str = "|") -> list[Expr]:
    """The types that are joined to one."""
    if isinstance(annotation, Binary) and annotation.op == op:
        return [*alternatives_of(annotation.left, op), *alternatives_of(annotation.right, op)]
    return [annotation]
