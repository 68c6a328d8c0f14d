"""Where in code texts for a model stand: under names, in arguments, in messages, between tags."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from waitlint.catalog import TextNames
from waitlint.catalog.texts import Taker
from waitlint.facts import Arg, Attr, Binary, Call, Class, Expr, FileFacts, Func, Index, Name, Opaque, Seq, Str, Unary
from waitlint.interpret.alternatives import options
from waitlint.interpret.frames import Frame
from waitlint.interpret.values import External, Instance, MethodOf, Textual, Value
from waitlint.project.found import Found, FoundMap
from waitlint.project.texts.found import Site
from waitlint.project.texts.names import strength
from waitlint.project.world import ProjectWorld
from waitlint.spelled import dotted, tail

NAME = re.compile(r"[A-Za-z][\w.-]{2,63}")
BLOCK = "text"
SYSTEM_ROLES = frozenset(("system", "developer", "SYSTEM", "DEVELOPER"))
ROLES = SYSTEM_ROLES | {"user", "USER", "human"}
SIGNATURE = "dspy.Signature"

FROM_FILE = "from_file"
LOADERS = ("from_template", "fromTemplate", FROM_FILE)
SERVER = "Server"
# A name, a description, a shape and a handler.
LEAST_OFFERED = 4


class Sites:
    """The places in the code of a project whose texts a model reads."""

    def __init__(self, world: ProjectWorld, names: TextNames) -> None:
        self.world = world
        self.names = names
        self._strengths: dict[str, str] = {}
        # Keys under which nothing stands that is looked for: most objects have no others.
        self._silent: set[str] = set()
        self.takers: dict[str, list[Taker]] = {}
        for taker in names.takers:
            self.takers.setdefault(taker.call, []).append(taker)
        self._taking = frozenset((*self.takers, *names.server_names, *names.agents, SERVER, *LOADERS))

    def of(self, path: str, facts: FileFacts) -> Iterator[Site]:
        yield from self._named(path)
        yield from self._in_classes(path, facts)
        for found in self.world.calls(path):
            if self._may_tell(found.call):
                yield from self._in_call(found)
        for held in self.world.maps(path):
            yield from self._in_map(held)
        yield from self._pairs(path)
        if facts.surface in PRINTING:
            yield from self._printed(path)
        if facts.surface in HANDING:
            yield from self._handed(path)

    # ------------------------------------------------------------ names

    def _named(self, path: str) -> Iterator[Site]:
        for named in self.world.walked(path).named:
            sure = self._sure(named.name, named.value)
            if sure and not (sure == "weak" and named.function is not None):
                frame = self.world.frame_for(path, named.function)
                is_top = named.function is None
                yield Site(named.value, frame, "prompt", SURENESS[sure], named.name, deep=is_top)
            elif isinstance(named.value, Attr) and named.function is None:
                yield from self._loaded(named.name, named.value, path)

    def _loaded(self, name: str, value: Attr, path: str) -> Iterator[Site]:
        """`SYSTEM_PROMPT = words.system`, where `words` are the entries of a data document."""
        sure = self._strength(name)
        if not sure:
            return
        frame = self.world.frame_for(path, None)
        found = self.world.evaluate(value, frame)
        if isinstance(found, Textual) and found.place is not None and self.world.documents.is_data(found.place.path):
            yield Site(value, frame, "prompt", SURENESS[sure], name)

    def _in_classes(self, path: str, facts: FileFacts) -> Iterator[Site]:
        for definition in facts.classes:
            fields = [
                (member.name, member.value, sure)
                for member in definition.members
                if member.value is not None and (sure := self._sure(member.name, member.value))
            ]
            if not fields and definition.doc is None:
                continue
            frame = self.world.frame_for(path, definition.parent)
            if definition.doc is not None and self._is_signature(definition, frame):
                yield Site(definition.doc, frame, key="docstring")
            for name, value, sure in fields:
                yield Site(value, frame, "prompt", SURENESS[sure], name, deep=True)

    def _sure(self, name: str, value: Expr) -> str:
        """How sure a name makes it that a value is a text for a model; "" for what is no text or stands elsewhere."""
        sure = self._strength(name)
        return "" if not sure or isinstance(value, Func | Name | Attr) or _is_type(value) else sure

    def _is_signature(self, definition: Class, frame: Frame) -> bool:
        return any(
            isinstance(value := self.world.evaluate(base, frame), External) and value.name == SIGNATURE
            for base in definition.bases
        )

    # ------------------------------------------------------------ calls

    def _may_tell(self, call: Call) -> bool:
        """Whether a call is worth a look: by its name, by those of its arguments, or by how many it has."""
        args = call.args
        if not args:
            return False
        if len(args) >= LEAST_OFFERED or tail(call.func) in self._taking:
            return True
        # A loop: most calls have no named arguments, and a generator takes twice as long to say so.
        for arg in args:  # noqa: SIM110
            if arg.name is not None:
                return True
        return False

    def _in_call(self, found: Found) -> Iterator[Site]:
        call = found.call
        tail = call.func.name if isinstance(call.func, Name | Attr) else ""
        yield from self._offered(found)
        is_agent = tail in self.names.agents
        named = {arg.name: arg for arg in call.args if arg.name is not None}
        strong = not self.names.keys.isdisjoint(named)
        may_take = tail == SERVER or self._may_take(call, tail, frozenset(named))
        if not (strong or is_agent or "role" in named or may_take):
            return
        frame = self.world.frame_for(found.path, found.function)
        role = self._role(call, frame, tail)
        for name, arg in named.items():
            if name in self.names.keys and _may_be_text(arg.value):
                yield Site(arg.value, frame, role if name == "instructions" else "prompt", key=name, deep=True)
            elif name in self.names.short_keys and not self._is_for_people(call, frame):
                yield Site(arg.value, frame, sure="more", key=name, deep=True)
            elif name in self.names.beside and (is_agent or strong) and _may_be_text(arg.value):
                yield Site(arg.value, frame, sure="yes" if is_agent else "more", key=name)
            elif name in self.names.schemas:
                yield Site(arg.value, frame, "parameter-description", key=name, deep=True)
        yield from self._taken(call, frame, tail)
        content = named.get("content") or named.get("parts")
        if content is not None and (said := self._speaker(named.get("role"), frame)):
            yield Site(content.value, frame, sure=said, key="content", deep=True)
        if role == "server-instructions":
            for arg in call.args:
                if isinstance(arg.value, Name):
                    span = arg.value.span
                    yield Site(Attr(span, arg.value, "instructions", span), frame, role, key="instructions")
        if role == "server-instructions" and len(call.args) > 1 and call.args[1].name is None and tail == "FastMCP":
            yield Site(call.args[1].value, frame, role, sure="more", key="instructions")

    def _offered(self, found: Found) -> Iterator[Site]:
        """`offer("take", "Takes a job.", shape, handler)`: a tool by its shape, whoever is offered it."""
        plain = [arg.value for arg in found.call.args if arg.name is None and not arg.spread]
        if len(plain) < LEAST_OFFERED or not isinstance(plain[-1], Func) or isinstance(plain[2], Func):
            return
        name = plain[0].literal if isinstance(plain[0], Str) else None
        if name and NAME.fullmatch(name):
            frame = self.world.frame_for(found.path, found.function)
            yield Site(plain[1], frame, "tool-description", sure="more", key=name)

    def _may_take(self, call: Call, tail: str, named: frozenset[str]) -> bool:
        names = self.names
        if tail in self.takers or tail in names.server_names or self._is_template(call):
            return True
        return not names.short_keys.isdisjoint(named) or not names.schemas.isdisjoint(named)

    def _taken(self, call: Call, frame: Frame, tail: str) -> Iterator[Site]:
        """Arguments of calls that are known to take texts for a model."""
        for taker in self.takers.get(tail, ()):
            for wanted in taker.args:
                arg = argument(call, wanted)
                if arg is not None and _may_be_text(arg.value):
                    yield Site(arg.value, frame, key=tail, deep=True)
                    break
        if self._is_template(call):
            if tail == FROM_FILE:
                yield Site(call, frame, key=tail, deep=True)
                return
            arg = argument(call, "template") or argument(call, 0)
            if arg is not None and _may_be_text(arg.value):
                yield Site(arg.value, frame, key=tail, deep=True)

    def _is_template(self, call: Call) -> bool:
        """`SystemMessagePromptTemplate.from_template(…)`, `PromptTemplate.from_file(…)` and their kin."""
        func = call.func
        if not isinstance(func, Attr) or func.name not in LOADERS:
            return False
        return isinstance(func.base, Name | Attr) and func.base.name in self.names.templates

    def _speaker(self, arg: Arg | None, frame: Frame) -> str:
        return self._said_by(arg.value, frame) if arg is not None else ""

    def _said_by(self, expr: Expr, frame: Frame) -> str:
        """How sure it is that what someone with this role says is a text for a model; "" if it is none."""
        word = expr.literal if isinstance(expr, Str) else expr.name if isinstance(expr, Attr) else None
        if word in SYSTEM_ROLES:
            return "yes"
        return "more" if word in ROLES else ""

    def _role(self, call: Call, frame: Frame, tail: str) -> str:
        if tail not in self.names.server_names and tail != SERVER:
            return "prompt"
        callee = self.world.evaluate(call.func, frame)
        if isinstance(callee, External):
            return "server-instructions" if callee.name in self.names.server_instructions else "prompt"
        return "server-instructions" if tail in self.names.server_names else "prompt"

    def _is_for_people(self, call: Call, frame: Frame) -> bool:
        """Whether a call asks a person, so that its `prompt` is a question."""
        func = call.func
        if isinstance(func, Name) and func.name in ("input", "prompt", "confirm"):
            return True
        callee = self.world.evaluate(func, frame)
        return any(self._is_from_people(option) for _, option in options(callee))

    def _is_from_people(self, value: Value) -> bool:
        if isinstance(value, MethodOf):
            value = value.owner
        if isinstance(value, Instance) and isinstance(value.type, External):
            value = value.type
        if not isinstance(value, External):
            return False
        name = value.name
        return any(
            name == package or name.startswith((f"{package}.", f"{package}/")) for package in self.names.not_for_models
        )

    # ------------------------------------------------------------ objects and lists

    def _in_map(self, held: FoundMap) -> Iterator[Site]:
        if self._silent.issuperset(held.keys):
            return
        self._silent.update(key for key in held.keys if not self._tells(key))
        entries = held.entries
        names = self.names
        strong = not names.keys.isdisjoint(entries)
        role = entries.get("role")
        speaks = role is not None and ("content" in entries or "parts" in entries)
        known = strong or not names.short_keys.isdisjoint(entries) or not names.schemas.isdisjoint(entries)
        is_tool = "description" in entries and not names.bodies.isdisjoint(entries)
        kind = entries.get("type")
        block = isinstance(kind, Str) and kind.literal == "text" and "text" in entries
        by_name = [name for name, value in entries.items() if isinstance(value, Str | Binary) and self._is_sure(name)]
        if not (known or speaks or is_tool or block or by_name or "append" in entries):
            return
        frame = self.world.frame_for(held.path, held.function)
        if is_tool:
            yield from self._of_tool(entries, frame)
        if block:
            yield Site(entries["text"], frame, "tool-result", key=BLOCK, deep=True)
        of_agent = strong or ("prompt" in entries and "description" in entries)
        for name, value in entries.items():
            if not _may_be_text(value) or (is_tool and name == "description"):
                continue
            if name in names.keys:
                yield Site(value, frame, self._role_of_map(held, name), key=name, deep=True)
            elif name in names.short_keys:
                yield Site(value, frame, sure="more", key=name, deep=True)
            elif name in names.beside and of_agent and not (name == "role" and speaks):
                yield Site(value, frame, sure="more", key=name)
            elif name in names.schemas:
                yield Site(value, frame, "parameter-description", key=name, deep=True)
            elif name in by_name:
                yield Site(value, frame, sure="more", key=name)
        if speaks and role is not None and (said := self._said_by(role, frame)):
            content = entries.get("content") or entries["parts"]
            yield Site(content, frame, sure=said, key="content", deep=True)
        if isinstance(kind, Str) and kind.literal == "preset" and "append" in entries:
            yield Site(entries["append"], frame, key="append")

    def _tells(self, key: str) -> bool:
        """Whether something that is looked for may stand under a key, or beside what does."""
        names = self.names
        known = key in names.keys or key in names.short_keys or key in names.schemas
        return known or key in ("role", "description", "type", "append") or self._is_sure(key)

    def _is_sure(self, name: str) -> bool:
        """Whether a key says by itself that a text for a model stands under it."""
        return self._strength(name) in ("sure", "strong")

    def _strength(self, name: str) -> str:
        known = self._strengths.get(name)
        if known is None:
            known = self._strengths[name] = strength(name, self.names)
        return known

    def _of_tool(self, entries: Mapping[str, Expr], frame: Frame) -> Iterator[Site]:
        """What an object with a description and code of its own says, also where nobody is seen to offer it."""
        yield Site(entries["description"], frame, "tool-description", key="description")
        for name in self.names.inputs:
            if name in entries:
                yield Site(entries[name], frame, "parameter-description", key=name, deep=True)

    def _role_of_map(self, held: FoundMap, name: str) -> str:
        """Options of a server hold its instructions."""
        if name != "instructions":
            return "prompt"
        for found in self.world.calls(held.path):
            tail = found.call.func.name if isinstance(found.call.func, Name | Attr) else ""
            if (tail in self.names.server_names or tail == SERVER) and any(
                arg.value is held.map or (isinstance(arg.value, Name) and arg.value.name == held.bound)
                for arg in found.call.args
            ):
                return self._role(found.call, self.world.frame_for(found.path, found.function), tail)
        return "prompt"

    def _pairs(self, path: str) -> Iterator[Site]:
        """`("system", "…")` in the messages of a prompt."""
        for pair in self.world.walked(path).pairs:
            speaker, said = pair.pair.items
            if isinstance(speaker, Str) and speaker.literal in ROLES and _may_be_text(said):
                sure = "yes" if speaker.literal in SYSTEM_ROLES else "more"
                yield Site(said, self.world.frame_for(path, pair.function), sure=sure, key="system")

    # ------------------------------------------------------------ programs that agents run

    def _printed(self, path: str) -> Iterator[Site]:
        """What a script prints."""
        for found in self.world.calls(path):
            if dotted(found.call.func) in self.names.printers:
                frame = self.world.frame_for(path, found.function)
                for arg in found.call.args:
                    if arg.name is None:
                        yield Site(arg.value, frame, "tool-result", key="print")
            else:
                for arg in found.call.args:
                    if arg.name in ("help", "description", "epilog"):
                        role = "parameter-description" if arg.name == "help" else "tool-description"
                        yield Site(arg.value, self.world.frame_for(path, found.function), role, key="help")

    def _handed(self, path: str) -> Iterator[Site]:
        """The strings that a workflow hands to the agents it starts."""
        for found in self.world.calls(path):
            if dotted(found.call.func) in self.names.printers:
                continue
            for arg in found.call.args:
                if isinstance(arg.value, Str):
                    yield Site(arg.value, self.world.frame_for(path, found.function), sure="more")


SURENESS = {"sure": "yes", "strong": "more", "weak": "long"}
PRINTING = frozenset(("skill-script",))
HANDING = frozenset(("claude-workflows",))


def argument(call: Call, wanted: str | int) -> Arg | None:
    """The argument of a call by its name, or at its position among those without one."""
    if isinstance(wanted, str):
        return next((arg for arg in call.args if arg.name == wanted), None)
    plain = [arg for arg in call.args if arg.name is None and not arg.spread]
    return plain[wanted] if wanted < len(plain) else None


def _is_type(expr: Expr) -> bool:
    """Whether an expression can only be a type that is given others, such as `Pair<A, B>` or `Of<typeof it>`."""
    return isinstance(expr, Index) and isinstance(expr.key, Seq | Unary)


def _may_be_text(expr: Expr) -> bool:
    return not isinstance(expr, Func | Opaque)
