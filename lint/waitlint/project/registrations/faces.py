"""What a framework sees of a function that was wrapped: the one that `functools.wraps` names."""

from __future__ import annotations

from waitlint.facts import Attr, Call, Name
from waitlint.finding import Place
from waitlint.interpret.frames import Frame
from waitlint.interpret.values import FunctionRef, Value
from waitlint.project.world import ProjectWorld

LAYERS = 4


def face(world: ProjectWorld, ref: FunctionRef) -> FunctionRef:
    """The function whose name, docstring and arguments the framework sees."""
    for _ in range(LAYERS):
        wrapped = _wrapped(world, ref)
        if not isinstance(wrapped, FunctionRef):
            break
        ref = wrapped
    return ref


def is_faceless(world: ProjectWorld, ref: FunctionRef) -> bool:
    """Whether a function wraps one that is not known: then nothing of what the framework sees is."""
    return _wrapped(world, face(world, ref)) is not None


def _wrapped(world: ProjectWorld, ref: FunctionRef) -> Value | None:
    for decorator in world.facts(ref.path).functions[ref.index].decorators:
        if isinstance(decorator, Call) and decorator.args and isinstance(decorator.func, Name | Attr):
            if decorator.func.name != "wraps":
                continue
            return world.evaluate(decorator.args[0].value, ref.frame or Frame(ref.path, None))
    return None


def face_name(world: ProjectWorld, ref: FunctionRef) -> str:
    """The name that the framework sees; "" where that is not known."""
    seen = face(world, ref)
    return "" if is_faceless(world, seen) else world.facts(seen.path).functions[seen.index].name


def face_place(world: ProjectWorld, ref: FunctionRef) -> Place:
    seen = face(world, ref)
    return Place(seen.path, world.facts(seen.path).functions[seen.index].at)
