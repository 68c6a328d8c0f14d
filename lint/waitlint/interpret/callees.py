"""What may be called where it is one of several."""

from __future__ import annotations

from waitlint.interpret.values import ClassRef, FunctionRef, Instance, Value


def same_functions(alternatives: tuple[tuple[int | None, Value], ...]) -> list[tuple[int | None, list[Value]]]:
    """What may be called, with those together that are one method of several objects of a class."""
    found: list[tuple[int | None, list[Value]]] = []
    methods: dict[object, list[Value]] = {}
    for tag, option in alternatives:
        receiver = option.receiver if isinstance(option, FunctionRef) else None
        if isinstance(option, FunctionRef) and isinstance(receiver, Instance) and isinstance(receiver.type, ClassRef):
            key = (tag, option.path, option.index, receiver.type.path, receiver.type.index, bool(option.bound))
            if key in methods and not option.bound:
                methods[key].append(option)
                continue
            methods[key] = [option]
            found.append((tag, methods[key]))
        else:
            found.append((tag, [option]))
    return found
