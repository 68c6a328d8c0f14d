"""What frameworks of TypeScript and JavaScript call a handler with: the model's input, and where a stop signal is."""

from __future__ import annotations

from waitlint.catalog import SignalRoute
from waitlint.finding import Place
from waitlint.interpret.values import (
    FunctionRef,
    Instance,
    ModelArgument,
    Record,
    Signal,
    ToolContext,
    Unknown,
    Value,
)
from waitlint.project.registrations import Registration

Args = list[tuple[str | None, Value]]
ANYWHERE = ("*",)


def script_arguments(registration: Registration, handler: FunctionRef, given: ModelArgument) -> Args:
    """The arguments of one call; `given` is the model's input. Signals on `this` are set on the handler's object."""
    row = registration.row
    has_schema = registration.schema is not None
    routes = [route for route in row.signals if route.when in ("", "schema" if has_schema else "no-schema")]
    takes_input = has_schema or not any(route.when for route in row.signals)
    args: dict[int, Value] = {0: _input(registration, given)} if takes_input else {}
    place = registration.definition
    for position in dict.fromkeys(route.param for route in routes):
        context = _context([route for route in routes if route.param == position], place)
        if position >= 0:
            args[position] = context
        elif isinstance(handler.receiver, Instance) and isinstance(context, Record):
            handler.receiver.fields.update(context.entries)
    for position, value in enumerate(registration.handed):
        if value is not None and (position > 0 or takes_input):
            known = args.get(position)
            if position == 0:
                args[position] = _beside(value, given)
            elif known is None or known == ToolContext(ANYWHERE, place):
                args[position] = value
    count = max(args, default=-1) + 1
    return [(None, args.get(position, Unknown("an argument of the framework"))) for position in range(count)]


def _beside(typed: Value, given: ModelArgument) -> Value:
    """The first argument where its type says that the input is a part of it."""
    if not isinstance(typed, Record):
        return given
    parts = {
        name: ModelArgument("", fields=given.fields) if isinstance(part, ModelArgument) else part
        for name, part in typed.entries.items()
    }
    return Record(parts, open=True)


def _input(registration: Registration, given: ModelArgument) -> Value:
    """The first argument: the input itself, which may also be found under a key of it."""
    inner = registration.row.input
    if inner is None or inner.key is None:
        return given
    return ModelArgument(given.name, fields={**given.fields, inner.key: ModelArgument("", fields=given.fields)})


def _context(routes: list[SignalRoute], place: Place | None) -> Value:
    """An object of which it is known where its stop signals are."""
    paths = [tuple(part for part in route.path.split(".") if part) for route in routes]
    if () in paths:
        return Signal(stop=True, place=place)
    if len(paths) == 1 and routes[0].param >= 0:
        return ToolContext(paths[0], place)
    entries: dict[str, Value] = {}
    for head, *rest in paths:
        entries[head] = ToolContext(tuple(rest), place) if rest else Signal(stop=True, place=place)
    return Record(entries, open=True)


def offers_stop(registration: Registration) -> bool:
    """Whether the framework is known to hand a stop signal to the handler."""
    return any(route.path != "*" for route in registration.row.signals)


def stop_at(registration: Registration) -> tuple[int, str] | None:
    """Where the handler finds the stop signal: the first of the ways that hold for it."""
    when = ("", "schema" if registration.schema is not None else "no-schema")
    for route in registration.row.signals:
        if route.path not in ("", "*") and route.param >= 0 and route.when in when:
            return route.param, route.path
    return None
