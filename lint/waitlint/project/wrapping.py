"""Classes that put something around each method of their heirs, where that may bound what the methods wait for."""

from __future__ import annotations

from waitlint.facts import Arg, Call, Func, Name
from waitlint.interpret.frames import Frame
from waitlint.interpret.syntax import nodes
from waitlint.interpret.values import ClassRef, Constant, FunctionRef, Instance, Unknown, Value, is_nothing
from waitlint.project.world import ProjectWorld

MAY_BOUND = Unknown("its class puts something around each method, which may bound it")
DEEPEST = 6
TIMEOUT = "timeout"


def bound_by_class(world: ProjectWorld, handler: FunctionRef) -> Value | None:
    """The seconds that bound a method from outside, where its class wraps each: the object's own `timeout`."""
    receiver = handler.receiver
    if not isinstance(receiver, Instance) or not isinstance(receiver.type, ClassRef):
        return None
    if not _is_wrapped(world, receiver.type):
        return None
    own = {param.name for param in world.facts(handler.path).functions[handler.index].params}
    if TIMEOUT in own:
        return None
    found = world.attribute(receiver, TIMEOUT, Frame(handler.path, None))
    found = found if isinstance(found, Constant) else _default(world, receiver.type) or found
    if is_nothing(found):
        return None
    return found if isinstance(found, Constant) and found.number is not None else MAY_BOUND


def _default(world: ProjectWorld, ref: ClassRef) -> Value | None:
    """What the constructor takes for a timeout that it is not given."""
    facts = world.facts(ref.path)
    for member in facts.classes[ref.index].members:
        if member.name == "__init__" and isinstance(member.value, Func):
            for param in facts.functions[member.value.index].params:
                if param.name == TIMEOUT and param.default is not None:
                    return world.evaluate(param.default, Frame(ref.path, None))
    return None


def _is_wrapped(world: ProjectWorld, ref: ClassRef, depth: int = DEEPEST) -> bool:
    if depth <= 0:
        return False
    definition = world.facts(ref.path).classes[ref.index]
    if world.once("wraps", definition, lambda: _wraps_heirs(world, ref)):
        return True
    return any(_is_wrapped(world, base, depth - 1) for base in world.bases(ref.path, ref.index))


def _wraps_heirs(world: ProjectWorld, ref: ClassRef) -> bool:
    """Whether a class sets each method of its heirs anew as they are defined: `setattr(cls, name, timed(method))`."""
    facts = world.facts(ref.path)
    for member in facts.classes[ref.index].members:
        if member.name != "__init_subclass__" or not isinstance(member.value, Func):
            continue
        for node in nodes(facts.functions[member.value.index].body):
            match node:
                case Call(func=Name(name="setattr"), args=(Arg(), Arg(), Arg(value=Call()))):
                    return True
    return False
