"""A project's own base class of tools: it asks its heirs for a name, a description and a method that does the work."""

from __future__ import annotations

import re

from msgspec.structs import replace

from waitlint.catalog import Framework, Slot
from waitlint.facts import Func, Function, Index, Name, Param
from waitlint.interpret.interfaces import is_left_to_heirs
from waitlint.interpret.values import ClassRef
from waitlint.project.world import ProjectWorld

IS_TOOL = re.compile(r"(?:^|[a-z0-9_])Tool(?:Base|Interface)?$|^I?(?:Base|Abstract)Tool$")
WHOLE_INPUT = frozenset({"params", "parameters", "args", "arguments", "input", "inputs", "tool_input", "tool_args"})
MAPPINGS = frozenset({"dict", "Dict", "Mapping", "MutableMapping"})
DEEP = 4


class OwnBases:
    """Finds the base class that makes a class of the project a tool, by what it leaves to its heirs."""

    def __init__(self, world: ProjectWorld, rows: tuple[Framework, ...]) -> None:
        self.world = world
        self.row = next((row for row in rows if row.form == "class-shape" and row.language == "python"), None)
        self._known: dict[tuple[str, int], Framework | None] = {}

    def row_of(self, base: ClassRef, depth: int = DEEP) -> Framework | None:
        """The row for the heirs of a class; None where it is not known to be a base class of tools."""
        key = (base.path, base.index)
        if self.row is None or key in self._known:
            return self._known.get(key)
        self._known[key] = None
        found = self._by_itself(base, self.row)
        if found is None and depth > 0:
            above = (self.row_of(one, depth - 1) for one in self.world.bases(base.path, base.index))
            found = next((row for row in above if row is not None), None)
        self._known[key] = found
        return found

    def _by_itself(self, base: ClassRef, row: Framework) -> Framework | None:
        definition = self.world.facts(base.path).classes[base.index]
        if not IS_TOOL.search(definition.name) or self.world.facts(base.path).language != "python":
            return None
        members = self.world.members(base.path, base.index)
        held = {*members, *self.world.template(base).fields}
        if not {"name", "description"} <= held:
            return None
        functions = self.world.facts(base.path).functions
        bodies = [members[name].value for name in row.bodies if name in members]
        left = [functions[body.index] for body in bodies if isinstance(body, Func)]
        left = [function for function in left if is_left_to_heirs(function)]
        if not left:
            return None
        return replace(row, bodies=tuple(function.name for function in left), input=_whole_input(left[0]))


def _whole_input(function: Function) -> Slot | None:
    """The parameter that gets all arguments in one."""
    own = [param for param in function.params[1:] if param.kind in ("positional", "keyword")]
    if own and own[0].name in WHOLE_INPUT and _is_mapping(own[0]):
        return Slot(name=own[0].name)
    return None


def _is_mapping(param: Param) -> bool:
    written = param.annotation.base if isinstance(param.annotation, Index) else param.annotation
    return written is None or (isinstance(written, Name) and written.name in MAPPINGS)
