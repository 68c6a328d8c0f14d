"""Where names have values: the frames of a run, and the world outside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from waitlint.facts import Call, Class, Expr, FileFacts, Function, Member, Span
from waitlint.finding import Place
from waitlint.interpret.values import ClassRef, FilePath, Instance, Signal, Textual, Value

# How an argument is called that is no parameter: a local name of the function that has this value from the start.
FIXED = "="
T = TypeVar("T")


class World(Protocol):
    """All files of the project, as the interpreter needs them.

    `literals` are the values of the numbers and texts that were met, by the identity of their nodes,
    each with its node, which has to be kept for its identity to stay its own, and the file that it stands in.
    """

    literals: dict[int, tuple[Expr, str, Value]]

    def facts(self, path: str) -> FileFacts: ...

    def global_value(self, path: str, name: str) -> Value | None:
        """What a name means at the top of a file; None if the file does not bind it."""
        ...

    def member(self, path: str, name: str) -> Value | None:
        """What another file gets when it imports `name` from the file at `path`."""
        ...

    def template(self, ref: ClassRef) -> Instance:
        """An object of a class, of which only the class is known. It is shared: who changes its fields copies it."""
        ...

    def imported(self, path: str, module: str, name: str | None) -> Value:
        """What an import statement in the file at `path` binds."""
        ...

    def document(self, path: FilePath, near: str) -> Textual | None:
        """What stands in a document, asked for by code in the file `near`; None if it is not in view."""
        ...

    def data(self, path: FilePath, near: str) -> Value | None:
        """What a data document holds, asked for by code in the file `near`; None if it is no such, or not in view."""
        ...

    def shared_names(self, path: str, index: int) -> frozenset[str]:
        """The names that functions inside a function assign to, and that it may share with them."""
        ...

    def members(self, path: str, index: int) -> Mapping[str, Member]:
        """The members of a class that have a value or an annotation, by their names: the last of each."""
        ...

    def bases(self, path: str, index: int) -> Sequence[ClassRef]:
        """The classes of the project that a class at the top of a file inherits from."""
        ...

    def heirs(self, ref: ClassRef) -> Sequence[ClassRef]:
        """The classes of the project that inherit from one, the nearest first."""
        ...

    def implementing(self, path: str, name: str) -> Sequence[ClassRef]:
        """The classes that implement an object type of the project which the file at `path` calls `name`."""
        ...

    def set_from_outside(self, ref: ClassRef, name: str) -> bool:
        """Whether some code sets a field of an object of a class that stands at the top of a file."""
        ...

    def called_in(self, path: str, name: str) -> Sequence[tuple[Call, int | None]]:
        """The calls in a file of what is called `name` there, each with the function that it stands in."""
        ...

    def calls_method(self, name: str) -> bool:
        """Whether code anywhere in the project calls a method of this name."""
        ...

    def set_by_methods(self, ref: ClassRef, name: str) -> bool:
        """Whether a method of a class, or of those it inherits from, sets a field, other than the constructor."""
        ...

    def once(self, question: str, node: object, answer: Callable[[], T]) -> T:
        """The answer to a question about a part of the facts, found out once."""
        ...

    def parent_frame(self, path: str, function: Function) -> Frame | None:
        """The frame of the function that `function` is defined in, with what is known of its arguments."""
        ...


class Frame:
    """The names of one call.

    `shared` are names that functions inside it may set at any time. `signals` are the stop signals that were bound or
    looked up in it; `hands_on` is True where one of them went into code that is not in view, which may stop a read
    with it. `tests` is how many tests led to the call, and `left` is True once a way has ended it in the ordinary
    manner, by a test of its own: what comes after is not on every way. `fixed` are names whose values are known,
    whatever is assigned to them.
    """

    __slots__ = (
        "call",
        "fixed",
        "function",
        "hands_on",
        "left",
        "locals",
        "parent",
        "path",
        "receiver",
        "shared",
        "signals",
        "tests",
    )

    def __init__(
        self,
        path: str,
        function: Function | None,
        parent: Frame | None = None,
        receiver: Value | None = None,
        call: Place | None = None,
    ) -> None:
        self.path = path
        self.function = function
        self.parent = parent
        self.receiver = receiver
        self.call = call
        self.locals: dict[str, Value] = {}
        self.signals: dict[str, tuple[Signal, Place]] = {}
        self.hands_on = False
        self.tests = 0
        self.left = False
        self.shared: frozenset[str] = frozenset()
        self.fixed: Mapping[str, Value] = {}

    @property
    def scope(self) -> str:
        return self.function.name if self.function is not None else ""

    def place(self, span: Span) -> Place:
        return Place(self.path, span)

    def find(self, name: str) -> Value | None:
        """The value of a local or enclosing name."""
        found = self.locals.get(name)
        if found is not None or self.parent is None:
            return found
        return self.parent.find(name)


def class_of(world: World, path: str, index: int) -> Class:
    return world.facts(path).classes[index]
