"""Calls: what is called, with what, and the functions and classes of the project."""

from __future__ import annotations

from msgspec.structs import replace

from waitlint.facts import Attr, Call, Expr, Function
from waitlint.finding import Place
from waitlint.interpret.alternatives import MOST_ITEMS, choice, is_a_list, options
from waitlint.interpret.callees import same_functions
from waitlint.interpret.core import NO_SIGNAL
from waitlint.interpret.frames import FIXED, Frame
from waitlint.interpret.instances import Repeated
from waitlint.interpret.members import is_decorated
from waitlint.interpret.unseen import Unseen
from waitlint.interpret.values import (
    NOTHING,
    OFF_BY_DEFAULT,
    Above,
    Choice,
    ClassRef,
    Constant,
    External,
    FunctionRef,
    Instance,
    Items,
    MethodOf,
    Outside,
    Record,
    Resolver,
    Unknown,
    Value,
)

Args = list[tuple[str | None, Value]]
CONSTRUCTORS = ("__init__", "constructor")
CALLED = "()"
MAX_CALLEES = 8
GROWING = frozenset({"append", "extend", "insert", "add", "push"})
MOST_NESTED = 6


class Calls(Unseen):
    def _call(self, expr: Call, frame: Frame) -> Value:
        if isinstance(expr.func, Attr):
            owner = self.evaluate(expr.func.base, frame)
            if expr.func.name in GROWING and is_a_list(owner):
                added = self.arguments(expr, frame)
                self.keep_resolvers(*(value for _, value in added))
                self._grow(owner, expr.func, added, frame)
                return NOTHING
            func = self._callee(owner, expr.func.name, frame)
        else:
            func = self.evaluate(expr.func, frame)
        return self.call_value(func, self.arguments(expr, frame), frame.place(expr.span), frame, new=expr.new)

    def _callee(self, owner: Value, name: str, frame: Frame) -> Value:
        """What is called as `owner.name`: of what came from outside, that as its method, and once for all of a kind."""
        if isinstance(owner, Outside):
            return MethodOf(owner, name)
        if not (isinstance(owner, Choice) and any(isinstance(option, Outside) for _, option in owner.options)):
            return self.attribute(owner, name, frame)
        called: list[tuple[int | None, Value]] = []
        seen: set[tuple[int | None, str, tuple[ClassRef, ...]]] = set()
        for tag, option in owner.options:
            if not isinstance(option, Outside):
                if not (isinstance(option, Constant) and option.value is None):
                    called.append((tag, self.attribute(option, name, frame)))
            elif (tag, option.source, option.of) not in seen:
                seen.add((tag, option.source, option.of))
                called.append((tag, MethodOf(option, name)))
        return choice(called)

    def _grow(self, before: Value, func: Attr, args: Args, frame: Frame) -> None:
        """`items.append(x)` and its kin: the name or field holds more from now on, in a loop nobody knows how much.

        What was filled in one way or another before holds the more in either case.
        """
        more = args[-1][1] if args else NOTHING
        grown = [(tag, self._with_more(items, func.name, more)) for tag, items in options(before)]
        self.bind(func.base, choice(grown), frame)

    def _with_more(self, before: Value, by: str, more: Value) -> Value:
        if not isinstance(before, Items):
            return before
        many = before.open or bool(self.loops)
        if by != "extend":
            grown = Items((*before.items, more), many)
        elif isinstance(more, Items):
            grown = Items((*before.items, *more.items), many or more.open)
        else:
            grown = Items(before.items, open=True)
        return grown if len(grown.items) <= MOST_ITEMS else Items(before.items, open=True)

    def arguments(self, expr: Call, frame: Frame) -> Args:
        args: Args = []
        for arg in expr.args:
            value = self.evaluate(arg.value, frame)
            if not arg.spread:
                args.append((arg.name, value))
            elif isinstance(value, Items) and not value.open:
                args.extend((None, item) for item in value.items)
            elif isinstance(value, Record):
                args.extend(value.entries.items())
                if value.open:
                    args.append(("**", Unknown("arguments not in view")))
            else:
                args.append(("**", Unknown("arguments not in view")))
        return args

    def call_value(self, func: Value, args: Args, place: Place, frame: Frame, *, new: bool = False) -> Value:
        if type(func) is MethodOf:
            return self._call_method(func.owner, func.name, args, place, frame)
        if type(func) is External:
            return self._call_external(func.name, args, place, frame, new)
        match func:
            case Choice(options=alternatives):
                with self.one_of(len(alternatives)):
                    results = [
                        (tag, self._call_any(callees, args, place, frame, new=new))
                        for tag, callees in same_functions(alternatives)[:MAX_CALLEES]
                    ]
                return choice(results)
            case FunctionRef():
                return self.call_function(func, args, place)
            case ClassRef():
                return self.construct(func, args, place)
            case Above():
                return self._construct_base(func, args, place, frame)
            case Resolver():
                return self.settle_promise(func, args, place)
            case Repeated():
                return self.call_again(func, args, place, frame)
            case Instance(type=External()) if args and (made := self.repeated(func, args[0][1], place)) is not None:
                return self.call_value(made, args[1:], place, frame)
            case Instance(type=External(name=name)) if (row := self.apis.method(name, CALLED)) is not None:
                return self.api_call(row, func, args, place, frame, f"{name}()")
            case Instance(type=ClassRef() as ref):
                method = self.class_member(ref, "__call__", func)
                if isinstance(method, FunctionRef):
                    return self.call_function(method, args, place)
        return self.outside(args, frame, place, "?")

    def _call_any(self, callees: list[Value], args: Args, place: Place, frame: Frame, *, new: bool) -> Value:
        """Call one function once for several objects of a class: as one object that holds what any of them holds."""
        first = callees[0]
        owners = [one.receiver for one in callees if isinstance(one, FunctionRef)]
        objects = [owner for owner in owners if isinstance(owner, Instance)]
        if not isinstance(first, FunctionRef) or len(objects) < 2:
            return self.call_value(first, args, place, frame, new=new)
        names = dict.fromkeys(name for one in objects for name in one.fields)
        held = {name: choice([(None, one.fields[name]) for one in objects if name in one.fields]) for name in names}
        together = Instance(objects[0].type, objects[0].args, dict(held), objects[0].made_at, objects[0].serial)

        def run() -> Value:
            result = self.settle(self.call_function(replace(first, receiver=together), args, place))
            for name, value in together.fields.items():
                for one in objects if held.get(name) is not value else ():
                    one.fields[name] = value
            return result

        is_async = self.world.facts(first.path).functions[first.index].is_async
        return self.lazily(run, place) if is_async else run()

    # ------------------------------------------------------------ the project's own

    def call_function(self, ref: FunctionRef, args: Args, place: Place) -> Value:
        function = self.world.facts(ref.path).functions[ref.index]
        given = [*ref.bound, *args]
        if function.decorators and not ref.plain:
            made = self.decorated(ref, function)
            if made is not None:
                own = (
                    ref.receiver is not None
                    and function.owner is not None
                    and not is_decorated(function, "staticmethod")
                )
                receiver: Args = [(None, ref.receiver)] if own and ref.receiver is not None else []
                return self.call_value(made, [*receiver, *given], place, Frame(ref.path, None))
        if function.is_async and not function.is_generator:
            return self.lazily(lambda: self.run_function(ref, given, place), place)
        return self.run_function(ref, given, place)

    def construct(self, ref: ClassRef, args: Args, place: Place | None) -> Value:
        """An object of a class of the project, its constructor run."""
        instance = Instance(ref, tuple(args), made_at=place, serial=0 if self.global_depth else self.next_serial())
        definition = self.world.facts(ref.path).classes[ref.index]
        if self.world.once("an exception", definition, lambda: self._is_exception(ref)):
            return instance
        for name in CONSTRUCTORS:
            method = self.class_member(ref, name, instance)
            if isinstance(method, FunctionRef):
                self.run_function(method, args, place)
                return instance
        self._fill_fields(ref, instance, args)
        return instance

    def _construct_base(self, above: Above, args: Args, place: Place, frame: Frame) -> Value:
        """`super(…)`: the constructor of a base sets its fields in the same object."""
        for name in CONSTRUCTORS:
            method = self.attribute(above, name, frame)
            if isinstance(method, FunctionRef):
                return self.run_function(method, args, place)
        return self.outside(args, frame, place)

    def _is_exception(self, ref: ClassRef, depth: int = 6) -> bool:
        """Whether objects of a class are raised: what their constructors do with the words is nothing to a wait."""
        scope = Frame(ref.path, None, ref.frame)
        for base in self.world.facts(ref.path).classes[ref.index].bases:
            with self.quietly():
                value = self.evaluate(base, scope)
            if isinstance(value, External) and value.name.endswith(("Exception", "Error")):
                return True
            if isinstance(value, ClassRef) and value != ref and depth and self._is_exception(value, depth - 1):
                return True
        return False

    def instance_by_type(self, ref: ClassRef) -> Value:
        if ref.frame is None or ref.frame.function is None:
            known = self.world.template(ref)
            return Instance(known.type, known.args, dict(known.fields), serial=0)
        instance = Instance(ref, (), serial=0)
        if len(self.chain) < MOST_NESTED:
            self.fill_by_constructor(instance, ref)
        return instance

    def fill_by_constructor(self, instance: Instance, ref: ClassRef) -> None:
        """Give an object the fields that its constructor sets, whatever that is called with."""
        for name in CONSTRUCTORS:
            method = self.class_member(ref, name, instance)
            if isinstance(method, FunctionRef):
                with self.quietly():
                    self.run_function(method, [("**", Unknown("an argument not in view"))], None)

    def _fill_fields(self, ref: ClassRef, instance: Instance, args: Args) -> None:
        """What a dataclass or a model does with its arguments."""
        definition = self.world.facts(ref.path).classes[ref.index]
        names = [member.name for member in definition.members if member.annotation is not None]
        for position, (key, value) in enumerate(args):
            if key is not None and key != "**":
                instance.fields[key] = value
            elif key is None and position < len(names):
                instance.fields[names[position]] = value

    def bind_arguments(self, frame: Frame, function: Function, args: Args, receiver: Value | None) -> None:
        """Give a function's parameters their values for one call."""
        plain = [value for key, value in args if key is None]
        named = {key: value for key, value in args if key is not None}
        frame.fixed = {key[1:]: value for key, value in named.items() if key.startswith(FIXED)}
        params = list(function.params)
        if receiver is not None and self.world.facts(frame.path).language == "python" and params:
            if function.owner is not None and not is_decorated(function, "staticmethod"):
                frame.locals[params.pop(0).name] = receiver
        elif receiver is not None:
            frame.locals["this"] = receiver
        if isinstance(receiver, Instance):
            for name, held in receiver.fields.items():
                if type(held) not in NO_SIGNAL:
                    self.note_signal(frame, name, held, function.at)
        for param in params:
            value: Value | None = None
            if param.kind == "rest":
                value = Items(tuple(plain))
                plain = []
            elif param.kind == "keyword-rest":
                value = Record({key: item for key, item in named.items() if key != "**"}, open="**" in named)
            elif param.kind == "positional" and plain:
                value = plain.pop(0)
            else:
                value = named.pop(param.name, None)
            if value is None or (isinstance(value, Constant) and value.value is None and param.default is not None):
                value = self._missing_argument(param.default, "**" in named, frame) if value is None else value
            if isinstance(value, Unknown | MethodOf | Outside) and param.annotation is not None:
                typed = self.typed(param.annotation, Frame(frame.path, None, frame.parent))
                value = value if isinstance(typed, Unknown) else typed
            elif isinstance(value, Record) and param.annotation is not None:
                value = self.with_types(value, param.annotation, Frame(frame.path, None, frame.parent))
            frame.locals[param.name] = value
            if type(value) not in NO_SIGNAL:
                self.note_signal(frame, param.name, value, param.span)

    def _missing_argument(self, default: Expr | None, may_be_spread: bool, frame: Frame) -> Value:
        """The default of what is not given. Where that is not in view, a number that is the default counts."""
        value = NOTHING if default is None else self.evaluate(default, Frame(frame.path, None, frame.parent))
        if may_be_spread and not (isinstance(value, Constant) and value.number is not None):
            is_off = isinstance(value, Constant) and value.value is False
            return OFF_BY_DEFAULT if is_off else Unknown("an argument not in view")
        return value
