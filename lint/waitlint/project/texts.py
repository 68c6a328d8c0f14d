"""Texts that code hands to a model: descriptions, prompts, server instructions, results."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from waitlint import prose
from waitlint.catalog import TextNames
from waitlint.facts import Assign, Call, Do, Expr, FileFacts, Map, Name, Span, Str, Text
from waitlint.finding import Place
from waitlint.interpret.alternatives import options
from waitlint.interpret.frames import Frame
from waitlint.interpret.values import External, Instance, Textual, Value
from waitlint.linked import ToolText
from waitlint.project.world import CODE, ProjectWorld

WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
SHORTEST_PROMPT = 12


def tool_text(textual: Textual, role: str, surface: str, owner: str = "", key: str = "") -> ToolText | None:
    """A string as a text that a model reads, every known character mapped to its place. None if nothing is known."""
    value = ""
    places: list[tuple[int, int]] = []
    paths: list[tuple[int, str]] = []
    ends: list[int] = []
    for part in textual.parts:
        if part is None:
            value += "\ufffc"
            continue
        if not paths or paths[-1][1] != part.path:
            paths.append((len(value), part.path))
        places.extend((len(value) + at, source) for at, source in part.piece.places[:-1] or part.piece.places)
        ends.append(part.piece.places[-1][1] if part.piece.places else 0)
        value += part.piece.text
    if not paths:
        return None
    path = paths[0][1]
    span = textual.place.span if textual.place is not None and textual.place.path == path else None
    span = span or Span(places[0][1] if places else 0, ends[-1])
    text = Text(role, value, tuple(places), span, complete=None not in textual.parts, key=key)
    if prose.has_cue(value):
        text = replace(text, intents=prose.read(value, role))
    written = textual.place.span if textual.place is not None else None
    inside_one = written is not None and all(
        part is not None and part.path == path and written.start <= part.piece.places[0][1] <= written.end
        for part in textual.parts
    )
    built = not inside_one
    return ToolText(path, surface, text, owner, tuple(paths[1:]), built)


def said_by(said: tuple[Textual, ...], surface: str, owner: str) -> tuple[ToolText, ...]:
    """The strings that a tool hands back, as far as they say anything about waiting."""
    found: list[ToolText] = []
    for textual in said:
        if prose.has_cue(textual.known_text):
            text = tool_text(textual, "tool-result", surface, owner)
            if text is not None and text.text.intents:
                found.append(text)
    return tuple(found)


class CodeTexts:
    """Prompts and instructions in the code of a project."""

    def __init__(self, world: ProjectWorld, names: TextNames) -> None:
        self.world = world
        self.names = names
        self.keys = frozenset(names.keys)
        self.constants = frozenset(names.constants)

    def all(self) -> Iterator[ToolText]:
        seen: set[Place] = set()
        for path, facts in self.world.files.items():
            if facts.language not in CODE:
                continue
            for role, expr, frame in self._sites(path, facts):
                value = self.world.evaluate(expr, frame)
                for text in self._texts(value, role, facts.surface):
                    place = Place(text.path, text.text.span)
                    if place not in seen:
                        seen.add(place)
                        yield text

    def _texts(self, value: Value, role: str, surface: str) -> Iterator[ToolText]:
        for _, option in options(value):
            if isinstance(option, Textual) and len(option.known_text) >= SHORTEST_PROMPT:
                text = tool_text(option, role, surface)
                if text is not None:
                    yield text

    def _sites(self, path: str, facts: FileFacts) -> Iterator[tuple[str, Expr, Frame]]:
        """The expressions whose value a model reads, with their role."""
        for stmt in facts.body:
            match stmt:
                case Do(value=Assign(target=Name(name=name), value=value)) if self._is_prompt_name(name):
                    yield "prompt", value, Frame(path, None)
        for found in self.world.calls(path):
            for arg in found.call.args:
                if arg.name in self.keys and _may_be_text(arg.value):
                    yield self._role(found.call, path), arg.value, self.world.frame_for(path, found.function)
        for held in self.world.maps(path):
            for expr in self._in_map(held.map):
                yield "prompt", expr, self.world.frame_for(path, held.function)

    def _in_map(self, node: Map) -> Iterator[Expr]:
        for entry in node.entries:
            if isinstance(entry.key, Str) and entry.key.literal in self.keys and _may_be_text(entry.value):
                yield entry.value
        yield from self._system_message(node)

    def _system_message(self, node: Map) -> Iterator[Expr]:
        """`{role: "system", content: …}`."""
        entries = {e.key.literal: e.value for e in node.entries if isinstance(e.key, Str)}
        role = entries.get("role")
        content = entries.get("content")
        if isinstance(role, Str) and role.literal in ("system", "developer") and content is not None:
            yield content

    def _role(self, call: Call, path: str) -> str:
        callee = self.world.evaluate(call.func, Frame(path, None)) if isinstance(call.func, Name) else None
        name = callee.name if isinstance(callee, External) else ""
        if isinstance(callee, Instance) and isinstance(callee.type, External):
            name = callee.type.name
        return "server-instructions" if name in self.names.server_instructions else "prompt"

    def _is_prompt_name(self, name: str) -> bool:
        return any(word.lower() in self.constants for word in WORD.findall(name))


def _may_be_text(expr: Expr) -> bool:
    return not isinstance(expr, Map)
