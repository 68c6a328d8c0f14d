"""What a call asks of a model or runs as an agent: the catalog's row for it, and how what it is called on was made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from waitlint.catalog import AgentApi, Agents, Slot
from waitlint.catalog.agents import CALLED, UNSEEN
from waitlint.facts import Attr, Call, Name, Str
from waitlint.finding import Place
from waitlint.interpret.alternatives import options
from waitlint.interpret.values import (
    NOTHING,
    Above,
    ClassRef,
    Constant,
    External,
    FunctionRef,
    Instance,
    Items,
    MethodOf,
    Outside,
    Record,
    Textual,
    Unknown,
    Value,
    pick,
)
from waitlint.project.found import Found
from waitlint.project.versions import InstalledVersions, Versions
from waitlint.project.world import ProjectWorld
from waitlint.spelled import last_name

Args = tuple[tuple[str | None, Value], ...]
DEEP = 5
ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Link:
    """One call in how something came to be: its qualified name, arguments and place."""

    name: str
    args: Args
    place: Place | None


class Names:
    """Finds rows of the catalog of agents for the calls of a project.

    `reaching` are functions of the project, by path and index, that are known to reach a model: they are followed.
    `filled_by` are the heirs, one or none, that do what a method of a class leaves to them.
    """

    def __init__(self, world: ProjectWorld, agents: Agents, versions: InstalledVersions) -> None:
        self.world = world
        self.agents = agents
        self.versions = versions
        self.reaching: set[tuple[str, int]] = set()
        self.filled_by: dict[tuple[str, int, str, int], tuple[ClassRef, ...]] = {}
        self._calls: dict[str, dict[Place, Found]] = {}

    # ------------------------------------------------------------ names

    def name_of(self, value: Value, depth: int = 8) -> str:
        """The qualified name of a value; what is not in view is `?`."""
        if depth <= 0:
            return UNSEEN
        match value:
            case External(name=name):
                return name
            case Instance(type=kind):
                return self.name_of(kind, depth - 1)
            case ClassRef(path=path, index=index):
                return self._canonical(path, self.world.facts(path).classes[index].name) or UNSEEN
            case FunctionRef(path=path, index=index, receiver=receiver):
                name = self.world.facts(path).functions[index].name
                if receiver is not None:
                    return f"{self.name_of(receiver, depth - 1)}.{name}"
                return self._canonical(path, name) or UNSEEN
            case MethodOf(owner=owner, name=name):
                return f"{self.name_of(owner, depth - 1)}.{name}"
            case Outside(path=path, source=source):
                return ".".join((source or UNSEEN, *path))
            case Above(receiver=receiver):
                return self.name_of(receiver, depth - 1)
            case _:
                return UNSEEN

    def _canonical(self, path: str, name: str) -> str | None:
        """The name of a class or function of the project that is a part of a package of the catalog."""
        package, _ = self.versions.distribution(path)
        return self.agents.canonical(package, name) if package in self.agents.packages else None

    def row_of(self, func: Value, args: Callable[[], Args], call: Call | None, path: str) -> AgentApi | None:
        """The row of a call of `func`, written as `call` in the file at `path`. `args` are what it is given."""
        language = self.world.files[path].language
        for _, option in options(func):
            name = self.name_of(option)
            if isinstance(option, Instance):
                name = f"{name}.{CALLED}"
            found = self.agents.find(language, name)
            if found is not None and (not name.startswith(UNSEEN) or tells_a_model(found, args())):
                return found
            if name.startswith(UNSEEN) or isinstance(option, External):
                found = self._by_words(option, call, language)
                if found is not None:
                    return found
        return None

    def _by_words(self, func: Value, call: Call | None, language: str) -> AgentApi | None:
        """The row of a call on something of which nothing but its name is known."""
        if call is None or isinstance(func, ClassRef | Instance):
            return None
        if isinstance(func, FunctionRef) and (func.path, func.index) in self.reaching:
            return None
        match call.func:
            case Attr(base=base, name=method) if isinstance(func, FunctionRef):
                return self.agents.by_receiver(language, last_name(base), method)
            case Attr(base=base, name=method) if isinstance(func, MethodOf | Outside):
                owner = func.owner if isinstance(func, MethodOf) else func
                receiver = last_name(base)
                if isinstance(owner, Instance | ClassRef | FunctionRef | External) or not receiver:
                    return None
                return self.agents.by_receiver(language, receiver, method)
            case Name(name=name) if isinstance(func, Unknown | External | MethodOf | Outside):
                if isinstance(func, External) and func.name != name:
                    return None
                return self.agents.by_function(language, name)
            case _:
                return None

    # ------------------------------------------------------------ what the project defines

    def heirs(self, ref: ClassRef) -> Sequence[ClassRef]:
        """The classes of the project that inherit from one, the nearest first."""
        return self.world.heirs(ref)

    def argument_default(self, name: str, path: str) -> Value | None:
        """The default of an option of the command line that the file at `path` declares; None if it declares none."""
        for found in self.world.calls(path):
            func = found.call.func
            if not isinstance(func, Attr) or func.name != "add_argument":
                continue
            flags = [arg.value.literal for arg in found.call.args if arg.name is None and isinstance(arg.value, Str)]
            if name not in {(flag or "").lstrip("-").replace("-", "_") for flag in flags}:
                continue
            frame = self.world.frame_for(path, found.function)
            given = dict(self.world.arguments(found.call, frame))
            if "required" in given or "action" in given:
                return None
            return given.get("default", NOTHING)
        return None

    # ------------------------------------------------------------ how something was made

    def call_at(self, place: Place) -> Found | None:
        """The call that is written at a place."""
        known = self._calls.get(place.path)
        if known is None:
            calls = self.world.calls(place.path) if place.path in self.world.files else ()
            known = self._calls[place.path] = {Place(place.path, found.call.span): found for found in calls}
        return known.get(place)

    def links(self, func: Value) -> list[Link]:
        """The calls that made what `func` is called on, the last one first."""
        found: list[Link] = []
        owner = func
        while isinstance(owner, MethodOf | Above | FunctionRef):
            inner = owner.owner if isinstance(owner, MethodOf) else owner.receiver
            if inner is None:
                return found
            owner = inner
        for _, option in options(owner):
            found.extend(self._made(option, DEEP))
        return found

    def made(self, value: Value) -> list[Link]:
        """The calls that made a value itself, the last one first."""
        return [link for _, option in options(value) for link in self._made(option, DEEP)]

    def _made(self, value: Value, depth: int) -> Iterator[Link]:
        if depth <= 0:
            return
        match value:
            case Instance(args=args, made_at=place):
                yield Link(self.name_of(value), args, place)
            case Outside(place=place):
                found = self.call_at(place)
                if found is None:
                    return
                frame = self.world.frame_for(found.path, found.function)
                func = self.world.evaluate(found.call.func, frame)
                yield Link(self.name_of(func), tuple(self.world.arguments(found.call, frame)), place)
                base = func.owner if isinstance(func, MethodOf) else func
                if isinstance(base, Instance | Outside) and base != value:
                    yield from self._made(base, depth - 1)

    def versions_for(self, row: AgentApi, func: Value, path: str) -> Versions | None:
        """The versions of the row's package that a call in the file at `path` is written for."""
        if not row.package:
            return None
        for _, option in options(func):
            inside = option
            while isinstance(inside, MethodOf):
                inside = inside.owner
            kind = inside.type if isinstance(inside, Instance) else inside
            if isinstance(kind, ClassRef | FunctionRef):
                package, own = self.versions.distribution(kind.path)
                if package == row.package:
                    return own
        return self.versions.of(path, row.package)


def slot_values(slots: tuple[Slot, ...], args: Args) -> Value | None:
    """The value in the first slot that holds one, looked for inside records and objects.

    None where all are known to be empty; Unknown where that can't be told.
    """
    unsure: Value | None = None
    for slot in slots:
        value = pick(args, slot.name, slot.arg)
        if value is None:
            continue
        for key in slot.key.split(".") if slot.key else ():
            value = part_of(value, key) if value is not None else None
        if isinstance(value, Unknown) and value.reason == NOT_TOLD.reason:
            unsure = value
        elif value is not None:
            return value
    if unsure is None and any(name == "**" for name, _ in args) and slots:
        return NOT_TOLD
    return unsure


NOT_TOLD = Unknown("options that are not in view")


def part_of(value: Value, key: str) -> Value | None:
    """The entry of a record, or the argument or field of an object; None if it is known to have none."""
    found: list[Value] = []
    for _, option in options(value):
        match option:
            case Record(entries=entries, open=is_open):
                if key in entries:
                    found.append(entries[key])
                elif is_open:
                    found.append(NOT_TOLD)
            case Instance():
                given = option.fields.get(key) or option.argument(key)
                if given is not None:
                    found.append(given)
                elif any(name == "**" for name, _ in option.args):
                    found.append(NOT_TOLD)
            case Textual() | Constant():
                pass  # it has no parts
            case _:
                found.append(NOT_TOLD)
    return found[0] if found else None


def tells_a_model(row: AgentApi, args: Args) -> bool:
    """Whether a call that only looks like a request to a model is given what a model is asked with."""
    if any(name == "**" for name, _ in args):
        return True
    for slot in row.texts:
        value = pick(args, slot.name, slot.arg)
        if value is None:
            continue
        if slot.key is None or not isinstance(value, Record) or value.open or slot.key.split(".")[0] in value.entries:
            return True
    return False


def items_of(value: Value) -> list[Value] | None:
    """The values in a list, an object or a choice; None if they can't be told."""
    found: list[Value] = []
    for _, option in options(value):
        match option:
            case Items(items=items, open=False):
                found.extend(items)
            case Record(entries=entries, open=False):
                found.extend(entries.values())
            case Outside(path=()):
                found.append(option)
            case Items() | Record() | Unknown() | Outside() | MethodOf():
                return None
            case _:
                found.append(option)
    return found
