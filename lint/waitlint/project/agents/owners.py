"""Which method a call means, where that can be told without running anything: of an object that `new` makes."""

from __future__ import annotations

from waitlint.facts import Assign, Attr, Call, Do, Expr, Func, Import, Member, Name
from waitlint.interpret.frames import Frame
from waitlint.interpret.values import ClassRef, FunctionRef, Instance
from waitlint.project.found import Found
from waitlint.project.world import ProjectWorld

FAR = 5


class Owners:
    """Finds the method that is called on a name which stands for one object of a class of the project.

    What its constructor would do is not looked at: it is dear, and most objects that are called by such a name have
    nothing to do with what is looked for.
    """

    def __init__(self, world: ProjectWorld) -> None:
        self.world = world
        self._classes: dict[tuple[str, int | None, str], ClassRef | None] = {}

    def method(self, found: Found) -> FunctionRef | None:
        """The method that a call is one of; None where that can't be told."""
        func = found.call.func
        if not isinstance(func, Attr) or not isinstance(func.base, Name):
            return None
        if self.world.files[found.path].language != "typescript":
            return None
        key = (found.path, found.function, func.base.name)
        if key not in self._classes:
            self._classes[key] = self._class_of(*key)
        owner = self._classes[key]
        member = self._member(owner, func.name) if owner is not None else None
        if owner is None or member is None:
            return None
        path, index = member
        return FunctionRef(path, index, None, Instance(owner))

    # ------------------------------------------------------------ what a name stands for

    def _class_of(self, path: str, function: int | None, name: str) -> ClassRef | None:
        functions = self.world.files[path].functions
        while function is not None:
            around = functions[function]
            if any(param.name == name for param in around.params):
                return None
            named = self.world.named_as(path, name)
            given = [one.value for one in named if one.function == function and not one.owner]
            if given:
                return self._made_by(path, function, given[0]) if len(given) == 1 else None
            if self.world.is_bound_in(path, function, name):
                return None
            function = around.parent
        return self._at_the_top(path, name)

    def _at_the_top(self, path: str, name: str, far: int = FAR) -> ClassRef | None:
        statements = self.world.bindings(path).get(name, [])
        if len(statements) != 1 or far <= 0:
            return None
        match statements[0]:
            case Do(value=Assign(op="", value=value)):
                return self._made_by(path, None, value)
            case Import(module=module, name=str() as imported) if imported != "*":
                target = self.world.resolve(path, module)
                return self._exported(target, imported, far - 1) if target in self.world.files else None
            case _:
                return None

    def _exported(self, path: str | None, name: str, far: int) -> ClassRef | None:
        if path is None:
            return None
        found = [one for one in self.world.files[path].exports if one.name == name]
        if len(found) != 1 or found[0].module is not None:
            return None
        return self._at_the_top(path, found[0].local, far)

    def _made_by(self, path: str, function: int | None, value: Expr) -> ClassRef | None:
        """The class of the project of which an expression makes an object."""
        if not (isinstance(value, Call) and value.new and isinstance(value.func, Name)):
            return None
        made = self.world.evaluate(value.func, self.world.frame_for(path, function))
        return made if isinstance(made, ClassRef) and made.frame is None else None

    # ------------------------------------------------------------ methods

    def _member(self, ref: ClassRef, name: str, far: int = FAR) -> tuple[str, int] | None:
        """The method of a class or of what it inherits from; None where a field may stand under its name."""
        if far <= 0 or any(one.owner == "this" for one in self.world.named_as(ref.path, name)):
            return None
        definition = self.world.files[ref.path].classes[ref.index]
        member: Member | None = self.world.members(ref.path, ref.index).get(name)
        if member is not None:
            if not isinstance(member.value, Func) or member.is_static:
                return None
            is_plain = not self.world.files[ref.path].functions[member.value.index].decorators
            return (ref.path, member.value.index) if is_plain else None
        bases = [self.world.evaluate(base, Frame(ref.path, None)) for base in definition.bases]
        if len(bases) != 1 or not isinstance(bases[0], ClassRef) or bases[0].frame is not None:
            return None
        return self._member(bases[0], name, far - 1)
