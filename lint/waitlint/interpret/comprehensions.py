"""Comprehensions: one element stands for all, unless each is only looked up."""

from __future__ import annotations

from waitlint.facts import Attr, Binary, Call, Comp, Const, Entry, Expr, Index, Map, Name, Seq, Str
from waitlint.interpret.alternatives import comes_from_outside, options
from waitlint.interpret.frames import Frame
from waitlint.interpret.members import Members
from waitlint.interpret.tests import as_test, truth
from waitlint.interpret.values import Choice, Deferred, Items, Unknown, Value

LOOKUPS = frozenset({"getattr", "cast", "str"})
MOST_LOOKED_UP = 100


class Comprehensions(Members):
    def bind(self, target: Expr, value: Value, frame: Frame) -> None:
        raise NotImplementedError

    def comp(self, expr: Comp, frame: Frame) -> Value:
        iterable = _known_of(self.evaluate(expr.iterable, frame))
        if isinstance(iterable, Items) and 0 < len(iterable.items) <= MOST_LOOKED_UP and _is_looked_up(expr.element):
            return self._looked_up(expr, iterable, frame)
        inner = Frame(frame.path, frame.function, frame, frame.receiver, frame.call)
        if isinstance(expr.target, Name):
            first = iterable.items[0] if isinstance(iterable, Items) and iterable.items else None
            inner.locals[expr.target.name] = first or (iterable if comes_from_outside(iterable) else Unknown("an item"))
        for condition in expr.conditions:
            self.evaluate(condition, inner)
        element = self.evaluate(expr.element, inner)
        started = self._started(expr.element, inner)
        return Items((element if started is None else started,), open=True)

    def _looked_up(self, expr: Comp, iterable: Items, frame: Frame) -> Value:
        """The elements one by one, where nothing is done to get at them."""
        found: list[Value] = []
        is_open = iterable.open
        for item in iterable.items:
            inner = Frame(frame.path, frame.function, frame, frame.receiver, frame.call)
            self.bind(expr.target, item, inner)
            tests = [truth(as_test(self.evaluate(condition, inner))) for condition in expr.conditions]
            if False in tests:
                continue
            is_open = is_open or None in tests
            found.append(self.evaluate(expr.element, inner))
        return Items(tuple(found), is_open)

    def _started(self, element: Expr, frame: Frame) -> Value | None:
        """The work that is started as the key of a dict: `{pool.submit(f, x): x for x in xs}`."""
        match element:
            case Map(entries=(Entry(key=Call() as key),)):
                made = self.evaluate(key, frame)
                return made if isinstance(made, Deferred) else None
            case _:
                return None


def _known_of(iterable: Value) -> Value:
    """A list that is one of several, of which only one is known."""
    known = [option for _, option in options(iterable) if isinstance(option, Items) and option.items]
    several = isinstance(iterable, Choice) and len(known) == 1
    return Items(known[0].items, open=True) if several else iterable


def _is_looked_up(element: Expr) -> bool:
    match element:
        case Name() | Const() | Str():
            return True
        case Attr(base=base):
            return _is_looked_up(base)
        case Index(base=base, key=key):
            return _is_looked_up(base) and _is_looked_up(key)
        case Binary(op="+", left=left, right=right):
            return _is_looked_up(left) and _is_looked_up(right)
        case Seq(items=items):
            return all(map(_is_looked_up, items))
        case Call(func=Name(name=name), args=args) if name in LOOKUPS:
            return all(_is_looked_up(arg.value) for arg in args)
        case _:
            return False
