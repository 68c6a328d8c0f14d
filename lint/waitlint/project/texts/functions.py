"""Functions that make texts for a model: prompts and resources that a server offers, builders of prompts."""

from __future__ import annotations

from collections.abc import Iterator

from waitlint.catalog import Apis, TextNames
from waitlint.facts import Attr, Call, Expr, FileFacts, Function, Name, Return, Str
from waitlint.interpret.alternatives import inside
from waitlint.interpret.frames import Frame
from waitlint.interpret.machine import Machine
from waitlint.interpret.syntax import statements_in
from waitlint.interpret.values import FunctionRef, Record, Textual, Unknown, Value, pick
from waitlint.project.found import Found
from waitlint.project.texts.names import words_of
from waitlint.project.world import ProjectWorld

LEAST_SAID = 40
REQUESTS = "setRequestHandler"
FACTORIES = ("prompt_template",)
LOADERS = ("load", "handler", "callback", "render", "messages", "fn")


class Offered:
    """Runs functions whose returned strings a model reads."""

    def __init__(self, world: ProjectWorld, names: TextNames, apis: Apis) -> None:
        self.world = world
        self.names = names
        self.apis = apis
        self._registering = frozenset((*names.prompt_registrations, REQUESTS))

    def of(self, path: str, facts: FileFacts) -> Iterator[Textual]:
        for index, function in enumerate(facts.functions):
            if function.decorators and self._is_offered(function):
                yield from self._said(FunctionRef(path, index, self.world.parent_frame(path, function)))
                if function.doc is not None:
                    doc = self.world.evaluate(function.doc, Frame(path, None))
                    if isinstance(doc, Textual):
                        yield doc
            elif self._is_builder(function):
                yield from self._made(path, index, function)
        for found in self.world.calls_named(path, self._registering):
            yield from self._registered(found)

    # ------------------------------------------------------------ decorated

    def _is_offered(self, function: Function) -> bool:
        return any(self._offers(decorator) for decorator in function.decorators)

    def _offers(self, decorator: Expr) -> bool:
        callee = decorator.func if isinstance(decorator, Call) else decorator
        if isinstance(callee, Name):
            return callee.name in ("dynamic_prompt", *FACTORIES)
        return isinstance(callee, Attr) and callee.name in self.names.prompt_decorators

    def _said(self, ref: FunctionRef) -> Iterator[Textual]:
        """The strings that a function gives back or raises, as it is run with arguments that nobody knows."""
        function = self.world.facts(ref.path).functions[ref.index]
        params = [param for param in function.params if param.kind in ("positional", "keyword")]
        run = Machine(self.world, self.apis).run_tool(
            ref, [(param.name, Unknown("an argument of a prompt")) for param in params]
        )
        yield from (said for said in run.said if len(said.known_text) >= LEAST_SAID)

    # ------------------------------------------------------------ registered

    def _registered(self, found: Found) -> Iterator[Textual]:
        call = found.call
        func = call.func
        if not isinstance(func, Attr):
            return
        if func.name == REQUESTS:
            yield from self._answering(found)
        if func.name not in self.names.prompt_registrations or len(call.args) < 1:
            return
        frame = self.world.frame_for(found.path, found.function)
        args = self.world.arguments(call, frame)
        if len(args) < 2 and not any(isinstance(value, Record) for _, value in args):
            return
        handlers = [value for _, value in args if isinstance(value, FunctionRef)]
        for _, value in args:
            if isinstance(value, Record):
                handlers += [entry for key in LOADERS if isinstance(entry := value.entries.get(key), FunctionRef)]
                description = value.entries.get("description")
                if isinstance(description, Textual):
                    yield description
        second = pick(tuple(args), None, 1)
        if handlers and isinstance(second, Textual) and len(args) > 2 and " " in second.known_text:
            yield second
        for handler in handlers:
            yield from self._said(handler)

    def _answering(self, found: Found) -> Iterator[Textual]:
        """Low-level handlers of requests for prompts and resources."""
        request, handler = (arg.value for arg in found.call.args[:2]) if len(found.call.args) > 1 else (None, None)
        name = request.name if isinstance(request, Name | Attr) else request.literal if isinstance(request, Str) else ""
        if name not in self.names.prompt_requests or handler is None:
            return
        value = self.world.evaluate(handler, self.world.frame_for(found.path, found.function))
        if isinstance(value, FunctionRef):
            yield from self._said(value)

    # ------------------------------------------------------------ builders

    def _is_builder(self, function: Function) -> bool:
        """`buildSystemPrompt`, `get_instructions`, `system_prompt`: what it makes is in its name."""
        words = words_of(function.name)
        if not words or self.names.strong.isdisjoint(words[-1:]) or not self.names.other.isdisjoint(words[:-1]):
            return False
        return len(words) > 1 or function.owner is not None

    def _made(self, path: str, index: int, function: Function) -> Iterator[Textual]:
        returns = [stmt for stmt in statements_in(function.body) if isinstance(stmt, Return) and stmt.value is not None]
        if len(returns) != 1:
            return
        value = self.world.run(FunctionRef(path, index, self.world.parent_frame(path, function)))
        yield from strings_in(value)


def strings_in(value: Value) -> Iterator[Textual]:
    """The longer strings that a value is or holds."""
    for part in inside(value, depth=5):
        if isinstance(part, Textual) and len(part.known_text) >= LEAST_SAID:
            yield part
