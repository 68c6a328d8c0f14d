"""Whether a handler takes the object by which it could tell the client how far it is."""

from __future__ import annotations

import re

from waitlint.facts import Attr, Function, Name
from waitlint.interpret.syntax import nodes
from waitlint.interpret.values import FunctionRef, ModelArgument, Signal, ToolContext, Value
from waitlint.project.world import ProjectWorld

Args = list[tuple[str | None, Value]]
CHANNEL = re.compile(r"notif|progress|writer|^_?meta$|report|stream|log$", re.IGNORECASE)


def takes_channel(world: ProjectWorld, handler: FunctionRef, args: Args) -> bool:
    """Whether a parameter holds the framework's context, and in JavaScript uses it for more than the signal."""
    facts = world.facts(handler.path)
    function = facts.functions[handler.index]
    params = [param for param in function.params if param.kind in ("positional", "keyword")]
    if facts.language == "python":
        contexts = {name for name, value in args if isinstance(value, ToolContext)}
        return any(param.name in contexts for param in params)
    given = [value for key, value in args if key is None]
    for position, param in enumerate(params):
        value = given[position] if position < len(given) else None
        is_context = position > 0 if value is None else not isinstance(value, ModelArgument | Signal)
        if is_context and any(CHANNEL.search(name) for name in _parts_used(function, param.name)):
            return True
    return False


def _parts_used(function: Function, param: str) -> set[str]:
    """The names of the parts of a parameter that a function asks for, or takes it apart into."""
    attributes = (node for node in nodes(function.body) if isinstance(node, Attr))
    return {one.name for one in attributes if isinstance(one.base, Name) and one.base.name == param}
