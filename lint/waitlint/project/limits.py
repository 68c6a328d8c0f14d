"""What the type of an argument says of its greatest value."""

from __future__ import annotations

from waitlint.facts import Attr, Binary, Call, Const, Expr, Func, Index, Name, Seq, Str
from waitlint.interpret.frames import Frame
from waitlint.interpret.schemas import greatest_of
from waitlint.interpret.values import ClassRef, External, Instance, Items, Unknown, Value
from waitlint.project.world import ProjectWorld

UNLIMITED = frozenset(
    {
        "int",
        "float",
        "str",
        "bool",
        "Any",
        "object",
        "Decimal",
        "None",
        "NoneType",
        "PositiveInt",
        "PositiveFloat",
        "NonNegativeInt",
        "NonNegativeFloat",
        "StrictInt",
        "StrictFloat",
        "FiniteFloat",
    }
)
UNIONS = frozenset({"Optional", "Union", "Required", "NotRequired", "ReadOnly"})
VALIDATORS = frozenset({"field_validator", "validator", "model_validator", "root_validator", "validates"})
MAY_LIMIT = Unknown("its type may limit it")
SAYS_NO_LIMIT = frozenset({"Doc", "Description"})


def greatest_by_type(world: ProjectWorld, annotation: Expr | None, frame: Frame) -> Value | None:
    """The greatest value that a type allows; None if it allows any, and Unknown if it is not known to."""
    match annotation:
        case None | Const():
            return None
        case Index(base=Name(name=base) | Attr(name=base), key=key):
            parts = key.items if isinstance(key, Seq) else (key,)
            if base == "Literal":
                return greatest_of(Items(tuple(world.evaluate(part, frame) for part in parts))) or MAY_LIMIT
            if base == "Annotated":
                return greatest_by_type(world, parts[0], frame)
            return _greatest_of_any(world, parts, frame) if base in UNIONS else MAY_LIMIT
        case Binary(op="|", left=left, right=right):
            return _greatest_of_any(world, (left, right), frame)
        case Call():
            made = world.evaluate(annotation, frame)
            return limit_of(made) if isinstance(made, Instance) else MAY_LIMIT
        case Name(name=name) | Attr(name=name):
            return None if name in UNLIMITED else _greatest_by_name(world, world.evaluate(annotation, frame))
        case Str():
            return None if annotation.literal in UNLIMITED else MAY_LIMIT
        case _:
            return MAY_LIMIT


def _greatest_by_name(world: ProjectWorld, named: Value) -> Value | None:
    if isinstance(named, External) and named.name.rpartition(".")[2] in UNLIMITED:
        return None
    if isinstance(named, ClassRef):
        members = world.facts(named.path).classes[named.index].members
        frame = Frame(named.path, None, named.frame)
        values = [world.evaluate(member.value, frame) for member in members if member.value is not None]
        return greatest_of(Items(tuple(values))) or MAY_LIMIT
    return MAY_LIMIT


def _greatest_of_any(world: ProjectWorld, parts: tuple[Expr, ...], frame: Frame) -> Value | None:
    """The limit of a union: there is none if one of its members has none."""
    real = [part for part in parts if not (isinstance(part, Const) and part.value is None)]
    limits = [greatest_by_type(world, part, frame) for part in real]
    if any(limit is None for limit in limits):
        return None
    return greatest_of(Items(tuple(limit for limit in limits if limit is not None))) or MAY_LIMIT


def limit_of(extra: Instance) -> Value | None:
    """The limit in what an annotation adds to a type: `Field(le=60)`, `Le(60)`, `AfterValidator(check)`."""
    name = extra.type.name.rpartition(".")[2] if isinstance(extra.type, External) else ""
    stated = extra.argument("le") or extra.argument("lt")
    if name in ("Le", "Lt"):
        return extra.argument("le", 0) or extra.argument("lt", 0)
    if stated is not None or name in SAYS_NO_LIMIT or name.startswith("con") or name.endswith(("Field", "field")):
        return stated
    return MAY_LIMIT


def is_validated(world: ProjectWorld, ref: ClassRef, name: str) -> bool:
    """Whether a class has a function of its own that looks at a field, or at all of them."""
    facts = world.facts(ref.path)
    for member in facts.classes[ref.index].members:
        decorators = facts.functions[member.value.index].decorators if isinstance(member.value, Func) else ()
        for decorator in decorators:
            callee = decorator.func if isinstance(decorator, Call) else decorator
            if not (isinstance(callee, Name | Attr) and callee.name in VALIDATORS):
                continue
            args = decorator.args if isinstance(decorator, Call) else ()
            fields = {arg.value.literal for arg in args if isinstance(arg.value, Str)}
            if not fields or name in fields or "*" in fields:
                return True
    return False
