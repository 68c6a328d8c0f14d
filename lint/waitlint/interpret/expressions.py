"""Evaluating expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from waitlint.facts import (
    Assign,
    Attr,
    Await,
    Binary,
    Call,
    ClassExpr,
    Comp,
    Cond,
    Const,
    Expr,
    Func,
    Hole,
    Index,
    Map,
    Name,
    Opaque,
    Seq,
    Spread,
    Str,
    Unary,
    Yield,
)
from waitlint.finding import Place
from waitlint.interpret.alternatives import choice, comes_from_outside, join, options, put_in_text
from waitlint.interpret.arithmetic import (
    ARITHMETIC,
    COMPARISONS,
    arithmetic,
    by_environment,
    compare,
    equal,
    member,
    state_test,
)
from waitlint.interpret.comprehensions import Comprehensions
from waitlint.interpret.core import NO_SIGNAL, OutOfBudget
from waitlint.interpret.files import own_path
from waitlint.interpret.frames import Frame
from waitlint.interpret.given import asked_if_given, parted, with_default
from waitlint.interpret.origins import innermost
from waitlint.interpret.tests import TESTS, as_test, conjunction, disjunction, is_nothing, negate, truth
from waitlint.interpret.values import (
    ENVIRONMENT,
    FALSE,
    TRUE,
    Above,
    ClassRef,
    Constant,
    Counter,
    External,
    FunctionRef,
    Instance,
    Items,
    MethodOf,
    ModelArgument,
    Record,
    Resolver,
    Signal,
    TextPart,
    Textual,
    ToolContext,
    Unknown,
    Value,
)


class Expressions(Comprehensions):
    def evaluate(self, expr: Expr, frame: Frame) -> Value:
        self.steps += 1
        if self.steps > self.max_steps:
            raise OutOfBudget
        return EVALUATORS[type(expr)](self, expr, frame)

    # ------------------------------------------------------------ leaves

    def _const(self, expr: Const, frame: Frame) -> Value:
        known = self.world.literals.get(id(expr))
        if known is None or known[1] != frame.path:
            known = expr, frame.path, Constant(expr.value, Place(frame.path, expr.span))
            self.world.literals[id(expr)] = known
        return known[2]

    def _str(self, expr: Str, frame: Frame) -> Value:
        known = self.world.literals.get(id(expr))
        if known is not None and known[1] == frame.path:
            return known[2]
        parts: list[TextPart | None] = []
        values: list[Value] = []
        for piece in expr.pieces:
            if isinstance(piece, Hole):
                value = self.evaluate(piece.value, frame)
                values.append(value)
                if type(value) is Textual:
                    parts.extend(value.parts)
                else:
                    parts.append(None)
            else:
                parts.append(TextPart(frame.path, piece))
        place = Place(frame.path, expr.span)
        if values:
            return Textual(tuple(parts), place, put_in_text(values))
        text = Textual(tuple(parts), place)
        self.world.literals[id(expr)] = expr, frame.path, text
        return text

    def _name(self, expr: Name, frame: Frame) -> Value:
        value = frame.locals.get(expr.name) if type(frame) is Frame else None
        value = value or frame.find(expr.name) or self._beyond(expr.name, frame)
        kind = type(value)
        if (kind is Constant or kind is Textual) and expr.name in frame.shared:
            return choice([(None, value), (None, Unknown("a callback sets it"))])
        if kind in NO_SIGNAL:
            return value
        self.note_signal(frame, expr.name, value, expr.span)
        if isinstance(value, Signal) and value.stop:
            self.took_stop = True
        return value

    def lookup(self, name: str, frame: Frame) -> Value:
        """What a name means in a frame, in its module, or in the language."""
        return frame.find(name) or self._beyond(name, frame)

    def _beyond(self, name: str, frame: Frame) -> Value:
        """What a name means in the module of a frame, or in the language."""
        self.global_depth += 1
        try:
            value = self.world.global_value(frame.path, name)
        finally:
            self.global_depth -= 1
        if value is not None:
            return value
        if name == "super":
            return _above(frame)
        return own_path(name, frame.path) or External(name)

    def _func(self, expr: Func, frame: Frame) -> Value:
        return FunctionRef(frame.path, expr.index, frame)

    def _class(self, expr: ClassExpr, frame: Frame) -> Value:
        return ClassRef(frame.path, expr.index, frame)

    # ------------------------------------------------------------ parts of values

    def _attr(self, expr: Attr, frame: Frame) -> Value:
        base = self.evaluate(expr.base, frame)
        value = self.attribute(base, expr.name, frame)
        if type(value) not in NO_SIGNAL:
            self.note_signal(frame, expr.name, value, expr.at)
        return value

    def _index(self, expr: Index, frame: Frame) -> Value:
        base = self.evaluate(expr.base, frame)
        key = self.evaluate(expr.key, frame)
        return self.entry(base, key, frame)

    # ------------------------------------------------------------ operators

    def _unary(self, expr: Unary, frame: Frame) -> Value:
        value = self.evaluate(expr.value, frame)
        if expr.op == "not":
            return negate(as_test(value))
        if expr.op == "-":
            return arithmetic("-", Constant(0), value)
        return value if expr.op == "+" else Unknown("an operator")

    def _binary(self, expr: Binary, frame: Frame) -> Value:
        op = expr.op
        if op in ("and", "or", "??"):
            return self._logical(op, expr, frame)
        left = self.evaluate(expr.left, frame)
        right = self.evaluate(expr.right, frame)
        if op in ARITHMETIC:
            return arithmetic(op, left, right)
        if op in COMPARISONS:
            self.note_limited(left, right)
            return compare(op, left, right)
        if op in ("==", "!="):
            test = equal(left, right)
            return test if op == "==" else negate(test)
        if op in ("in", "not in"):
            self.note_limited(left, right)
            test = member(left, right)
            return test if op == "in" else negate(test)
        if op == "|":
            return join(left, right)
        return state_test(left, right)

    def _logical(self, op: str, expr: Binary, frame: Frame) -> Value:
        left = self.evaluate(expr.left, frame)
        known = (None if (nothing := is_nothing(left)) is None else not nothing) if op == "??" else truth(left)
        if op != "and" and _may_be_missing(left):
            known = None
        if (known is True and op in ("or", "??")) or (known is False and op == "and"):
            return left
        mark = len(self.tests)
        self.tests.append(as_test(left))
        try:
            right = self.evaluate(expr.right, frame)
        finally:
            del self.tests[mark:]
        if known is not None:
            return right
        if op == "and":
            return conjunction(left, right)
        if isinstance(left, TESTS) or isinstance(right, TESTS):
            return disjunction(left, right)
        if isinstance(left, ModelArgument):
            unset = left.default is None or truth(left.default) is False
            return replace(left, default=right if unset else left.default)
        if left == ENVIRONMENT:
            return by_environment(right)
        if isinstance(left, MethodOf) and isinstance(chosen := innermost(left), ModelArgument):
            return ModelArgument(left.name, right, None, chosen.place)
        if isinstance(left, Unknown | MethodOf) and isinstance(right, Constant):
            return right if right.value is None else Unknown("a value that may be set elsewhere")
        return join(left, right)

    def _cond(self, expr: Cond, frame: Frame) -> Value:
        for name in asked_if_given(expr.test):
            argument = frame.locals.get(name)
            ways = parted(argument, whatever=True)
            if argument is None or ways is None:
                continue
            found: list[Value] = []
            try:
                with self.one_of(len(ways)):
                    for given in ways:
                        frame.locals[name] = given
                        found.append(self._of_cond(expr, frame))
            finally:
                frame.locals[name] = argument
            return with_default(argument, *found) or join(*found)
        return self._of_cond(expr, frame)

    def _of_cond(self, expr: Cond, frame: Frame) -> Value:
        asked = self.evaluate(expr.test, frame)
        test = as_test(asked)
        known = None if _may_be_missing(asked) else truth(test)
        if known is not None:
            return self.evaluate(expr.then if known else expr.orelse, frame)
        mark = len(self.tests)
        self.tests.append(test)
        try:
            then = self.evaluate(expr.then, frame)
            orelse = self.evaluate(expr.orelse, frame)
            if ENVIRONMENT in (then, orelse):
                return by_environment(orelse if then == ENVIRONMENT else then)
            return join(then, orelse)
        finally:
            del self.tests[mark:]

    # ------------------------------------------------------------ collections

    def _seq(self, expr: Seq, frame: Frame) -> Value:
        items: list[Value] = []
        is_open = False
        for item in expr.items:
            if isinstance(item, Spread):
                value = self.evaluate(item.value, frame)
                if isinstance(value, Items):
                    items.extend(value.items)
                    is_open = is_open or value.open
                else:
                    is_open = True
            else:
                items.append(self.evaluate(item, frame))
        return Items(tuple(items), is_open)

    def _map(self, expr: Map, frame: Frame) -> Value:
        entries: dict[str, Value] = {}
        places: dict[str, Place] = {}
        is_open = False
        for entry in expr.entries:
            value = self.evaluate(entry.value, frame)
            if entry.key is None:
                for _, option in options(value):
                    if isinstance(option, Record):
                        entries.update(option.entries)
                        places.update(option.places)
                        is_open = is_open or option.open
                    elif isinstance(option, ToolContext) and option.signal_path:
                        name = option.signal_path[0]
                        entries[name] = self.attribute(option, name, frame)
                        is_open = True
                    elif not (isinstance(option, Constant) and not option.value):
                        is_open = True
                continue
            key = entry.key.literal if isinstance(entry.key, Str) else None
            if key is None and isinstance(computed := self.evaluate(entry.key, frame), Textual):
                key = computed.literal
            if key is None:
                is_open = True
                continue
            entries[key] = value
            places[key] = frame.place(entry.span)
        return Record(entries, is_open, frame.place(expr.span), places)

    # ------------------------------------------------------------ effects

    def _await(self, expr: Await, frame: Frame) -> Value:
        return self.settle(self.evaluate(expr.value, frame))

    def _yield(self, expr: Yield, frame: Frame) -> Value:
        if expr.value is not None:
            self.evaluate(expr.value, frame)
        return Unknown("sent into a generator")

    def _assign(self, expr: Assign, frame: Frame) -> Value:
        value = self.evaluate(expr.value, frame)
        if expr.op:
            before = self.evaluate(expr.target, frame)
            if isinstance(before, Counter):
                return before
            if isinstance(expr.target, Attr) and expr.op in ("+", "-") and self.loops:
                self._count_field(expr, before, value, frame)
                return before
            if expr.op in ("??", "or"):
                value = before if truth(before) else join(before, value)
            else:
                value = arithmetic(expr.op, before, value) if expr.op in ARITHMETIC else Unknown("changed in place")
        elif expr.annotation is not None:
            value = self.said_to_be(value, expr.annotation, frame)
            if isinstance(expr.target, Attr) and isinstance(value, Constant) and value.value is None:
                later = self.typed(expr.annotation, frame)
                value = value if isinstance(later, Unknown) else choice([(None, value), (None, later)])
        self.bind(expr.target, value, frame)
        return value

    def _count_field(self, expr: Assign, before: Value, step: Value, frame: Frame) -> None:
        """A field that is counted up somewhere inside a loop, perhaps in another method."""
        if not isinstance(expr.target, Attr):
            return
        owner = self.evaluate(expr.target.base, frame)
        if isinstance(owner, Instance):
            signed = step if expr.op == "+" else arithmetic("-", Constant(0), step)
            counts = "handler" if self.caught else ("some" if self.tests else "each")
            loop = self.loops[-1].serial
            owner.fields[expr.target.name] = Counter(
                expr.target.name, before, signed, counts, loop, frame.place(expr.span)
            )

    def _hand_out(self, name: str, value: Value, frame: Frame) -> None:
        """A function that a callback puts into a name of the function around it: whoever calls the name calls that."""
        if (type(value) is not FunctionRef and type(value) is not Resolver) or name in frame.locals:
            return
        if self.world.facts(frame.path).language != "typescript":
            return
        owner = frame.parent
        while owner is not None and name not in owner.locals:
            owner = owner.parent
        if owner is not None and name in owner.shared:
            before = owner.locals[name]
            is_empty = isinstance(before, Constant | Unknown)
            owner.locals[name] = value if is_empty else choice([(None, before), (None, value)])

    def bind(self, target: Expr, value: Value, frame: Frame) -> None:
        """Give a target a value."""
        match target:
            case Name(name=name):
                value = frame.fixed.get(name, value)
                current = frame.locals.get(name)
                if isinstance(current, Counter) and current.loop in {loop.serial for loop in self.loops}:
                    return
                self._hand_out(name, value, frame)
                frame.locals[name] = value
                if type(value) not in NO_SIGNAL:
                    self.note_signal(frame, name, value, target.span)
            case Attr(base=base, name=name):
                owner = self.evaluate(base, frame)
                self.keep_resolvers(value)
                if isinstance(owner, Instance):
                    before = owner.fields.get(name)
                    if isinstance(before, Counter) and before.loop in {loop.serial for loop in self.loops}:
                        return
                    deep = self.loops or self.tests
                    owner.fields[name] = join(before, value) if before is not None and deep else value
                elif isinstance(owner, ClassRef) and not self.muted:
                    key_ = (owner.path, owner.index, name)
                    kept = self.class_member(owner, name, owner)
                    deep = self.loops or self.tests
                    self.class_fields[key_] = join(kept, value) if kept is not None and deep else value
                elif isinstance(owner, Record) and isinstance(base, Name):
                    self._fill(base, owner, name, value, target, frame)
            case Index(base=Name() as base, key=key):
                owner = self.evaluate(base, frame)
                if isinstance(owner, Record):
                    literal = key.literal if isinstance(key, Str) else None
                    self._fill(base, owner, literal, value, target, frame)
            case Seq(items=items):
                for position, item in enumerate(items):
                    self.bind(item, self.entry(value, Constant(position), frame), frame)
            case _:
                return

    def _fill(self, holder: Name, before: Record, key: str | None, value: Value, target: Expr, frame: Frame) -> None:
        """`found["key"] = value`: the name holds one entry more from now on, and who knows which without a `key`."""
        if holder.name not in frame.locals:
            return
        if key is None:
            frame.locals[holder.name] = Record(before.entries, True, before.place, before.places)
            return
        places = {**before.places, key: frame.place(target.span)}
        frame.locals[holder.name] = Record({**before.entries, key: value}, before.open, before.place, places)

    def _opaque(self, expr: Opaque, frame: Frame) -> Value:
        found: Value = Unknown("syntax without meaning here")
        for part in expr.parts:
            value = self.evaluate(part, frame)
            self.start(value)
            if comes_from_outside(value):
                found = value
        return found

    def _call(self, expr: Call, frame: Frame) -> Value:
        raise NotImplementedError

    def keep_resolvers(self, *values: Value) -> None:
        raise NotImplementedError

    def _spread(self, expr: Spread, frame: Frame) -> Value:
        return self.evaluate(expr.value, frame)


def _may_be_missing(value: Value) -> bool:
    """Whether a value is a stop signal, which frameworks hand over where there is one."""
    return isinstance(value, Signal) and value.stop


EVALUATORS: dict[type, Callable[[Any, Any, Frame], Value]] = {
    Const: Expressions._const,
    Str: Expressions._str,
    Name: Expressions._name,
    Attr: Expressions._attr,
    Index: lambda machine, expr, frame: machine._index(expr, frame),
    Call: lambda machine, expr, frame: machine._call(expr, frame),
    Await: lambda machine, expr, frame: machine._await(expr, frame),
    Yield: Expressions._yield,
    Unary: Expressions._unary,
    Binary: lambda machine, expr, frame: machine._binary(expr, frame),
    Cond: Expressions._cond,
    Seq: Expressions._seq,
    Spread: Expressions._spread,
    Map: Expressions._map,
    Func: Expressions._func,
    ClassExpr: Expressions._class,
    Comp: Comprehensions.comp,
    Assign: Expressions._assign,
    Opaque: Expressions._opaque,
}
__all__ = ["FALSE", "TRUE", "Expressions"]


def _origin_of(value: Value | None) -> Place | None:
    return value.origin if isinstance(value, Constant) else None


def _above(frame: Frame) -> Value:
    """`super` in JavaScript: the object of the method around it, as the bases of its class see it."""
    around: Frame | None = frame
    while around is not None:
        function = around.function
        receiver = around.locals.get("this")
        if function is not None and function.owner is not None and receiver is not None:
            return Above(receiver, ClassRef(around.path, function.owner, around.parent))
        around = around.parent
    return External("super")
