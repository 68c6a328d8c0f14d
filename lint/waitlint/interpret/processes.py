"""Commands that run on this machine: objects that tell of their end, and the promises that this settles."""

from __future__ import annotations

from waitlint.catalog import Api
from waitlint.catalog.commands import load_commands
from waitlint.finding import Place
from waitlint.interpret.alternatives import options
from waitlint.interpret.arithmetic import arithmetic
from waitlint.interpret.frames import Frame
from waitlint.interpret.instances import Child
from waitlint.interpret.origins import innermost
from waitlint.interpret.promises import STARTS_ANEW, Args, Promises, sooner
from waitlint.interpret.settling import PromiseCell
from waitlint.interpret.values import (
    NOTHING,
    Choice,
    Constant,
    Deferred,
    FunctionRef,
    Items,
    Outside,
    Resolver,
    Signal,
    Textual,
    Value,
    pick,
)

LISTENING = frozenset({"on", "once", "addListener", "prependListener", "addEventListener"})
ENDS = frozenset({"close", "exit", "end", "disconnect", "finish"})
QUICK = "quick"
UNWRITTEN = "\ufffc"


class Processes(Promises):
    """`killed` are the commands that a callback which is only looked at would end."""

    killed: list[Child]

    def start_child(self, child: Child, args: Args) -> Value:
        """A command has been started; callbacks that it was given are called at its end."""
        for _, value in args:
            if isinstance(value, FunctionRef | Resolver):
                self.settled_by(child, value)
        return child

    def child_method(self, child: Child, owner: Value, name: str, args: Args, place: Place, frame: Frame) -> Value:
        """A method of a command that was started, or of one of its streams."""
        if name in LISTENING:
            event, callback = pick(tuple(args), None, 0), pick(tuple(args), None, 1)
            said = event.literal if isinstance(event, Textual) else None
            if callback is not None and said in ENDS:
                self.settled_by(child, callback)
            elif callback is not None and said not in ("error", "spawn"):
                for cell in self.heard_by(callback):
                    cell.children.append(child)
            return owner
        if name == "kill" and owner is child:
            self.killed.append(child)
            return NOTHING
        return Outside(place)

    def heard_by(self, callback: Value) -> list[PromiseCell]:
        """The promises that a callback settles which is called again and again."""
        outer, self.listening = self.listening, True
        try:
            return self.effects_of(callback)[0]
        finally:
            self.listening = outer

    def set_timer(self, callback: Value, milliseconds: Value, place: Place) -> Value:
        outer, self.killed = self.killed, []
        if self.listening:
            milliseconds = STARTS_ANEW
        try:
            made = super().set_timer(callback, milliseconds, place)
            seconds = milliseconds if self.listening else arithmetic("*", milliseconds, Constant(0.001))
            for child in self.killed:
                child.killed_after = sooner(child.killed_after, seconds)
            return made
        finally:
            self.killed = outer

    def listen(self, signal: Signal, callback: Value) -> bool:
        outer, self.killed = self.killed, []
        try:
            known = super().listen(signal, callback)
            for child in self.killed:
                child.signals = (*child.signals, signal)
            return known or bool(self.killed)
        finally:
            self.killed = outer

    def settled_by(self, child: Child, callback: Value) -> None:
        """The promises that a callback settles, which is called at a command's end, wait for that."""
        cells, _ = self.effects_of(callback)
        for cell in cells:
            if child not in cell.children:
                cell.children.append(child)

    def child_ended(self, child: Child, place: Place) -> Deferred:
        """What one awaits who awaits a command's end."""

        def run() -> Value:
            self.record_child(child, place, None)
            return self.answer(place, certain=True, source=child.label)

        return self.lazily(run, place)

    def await_children(self, cell: PromiseCell, promise: Deferred) -> Value:
        """Wait for the ends of commands, or for the timer that settles the promise before."""
        for child in cell.children:
            if isinstance(child, Child):
                self.record_child(child, promise.place, cell.timer, promise.signals)
        return self.answer(promise.place, certain=True)

    def record_child(self, child: Child, place: Place, timer: Value | None, signals: tuple[Signal, ...] = ()) -> None:
        length = child.length
        for limit in (child.killed_after, timer):
            length = length if limit is None else sooner(length, limit)
        self.record(
            "block",
            child.row,
            child.label,
            child.made_at or place,
            length=length,
            signals=tuple(dict.fromkeys((*child.signals, *signals))),
            opaque=child.opaque,
            detail=QUICK if child.row is not None and is_quick(child.row, list(child.args)) else "",
        )


def child_of(value: Value) -> Child | None:
    """The command that a value is, or of which it is a stream."""
    found = innermost(value)
    return found if isinstance(found, Child) else None


def is_quick(api: Api, args: Args) -> bool:
    """Whether a command is written down, as far as need be, and is one of those that end at once."""
    if not api.command:
        return False
    given = [value for key, value in args if key is None]
    rest = _words(given[1]) if len(given) > 1 else None
    return bool(given) and all(_one_is_quick(option, rest) for _, option in options(given[0]))


def _one_is_quick(first: Value, rest: list[str] | None) -> bool:
    if isinstance(first, Items) and first.items and isinstance(program := first.items[0], Choice):
        lists = (Items((option, *first.items[1:]), first.open) for _, option in program.options)
        return all(_one_is_quick(one, rest) for one in lists)
    words = _words(first)
    if words is not None:
        return load_commands().are_quick(words)
    if rest is not None and len(rest) == 1 and load_commands().asks(rest[0]):
        return True
    if not isinstance(first, Textual):
        return False
    if rest is not None:
        return first.literal is not None and load_commands().are_quick([first.literal, *rest])
    return all(load_commands().line_is_quick(line) for line in _lines(first))


def _lines(text: Textual) -> list[str]:
    """What a text may be: one that begins with one of several words, such as a command's name on each system."""
    line, begins = text.known_text, text.held[0] if text.held else None
    if text.parts[:1] == (None,) and isinstance(begins, Choice):
        words = [word.literal if isinstance(word, Textual) else None for _, word in begins.options]
        return [f"{word or UNWRITTEN}{line[1:]}" for word in words]
    return [line]


def _words(value: Value | None) -> list[str] | None:
    """A list of arguments, with what is not written down as a mark of its own."""
    if not isinstance(value, Items):
        return None
    return [item.known_text if isinstance(item, Textual) else UNWRITTEN for item in value.items]


__all__ = ["QUICK", "Child", "Processes", "child_of", "is_quick"]
