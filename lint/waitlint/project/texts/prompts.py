"""Prompts and instructions in the code of a project, each once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from waitlint.catalog import Apis, TextNames
from waitlint.facts import Await, Call, Index, Map, Name
from waitlint.interpret.alternatives import inside, options
from waitlint.interpret.frames import Frame
from waitlint.interpret.interfaces import inner_type
from waitlint.interpret.values import ClassRef, FunctionRef, Record, Textual, Value
from waitlint.linked import ToolText
from waitlint.project.texts.described import descriptions
from waitlint.project.texts.elements import element_texts
from waitlint.project.texts.found import SHORTEST, Site
from waitlint.project.texts.functions import Offered
from waitlint.project.texts.mapped import HOLE, Start, starts, tool_text
from waitlint.project.texts.names import is_more_than_a_question, speaks_to_a_model
from waitlint.project.texts.sites import BLOCK, Sites
from waitlint.project.world import CODE, ProjectWorld

Candidate = tuple[Textual, str, str]


class CodeTexts:
    """The texts that code hands to a model beside those of its tools."""

    def __init__(self, world: ProjectWorld, names: TextNames, apis: Apis) -> None:
        self.world = world
        self.names = names
        self.sites = Sites(world, names)
        self.offered = Offered(world, names, apis)

    def all(self, taken: Iterable[Start] = ()) -> Iterator[ToolText]:
        """Every text once; what is wholly made from pieces that are `taken` is left out."""
        covered = set(taken)
        for path, facts in self.world.files.items():
            if facts.language not in CODE:
                continue
            surface = facts.surface
            candidates = self.world.faults.each(f"finding the texts of {path}", self._candidates(path))
            found = [(textual, role, key) for textual, role, key in candidates if starts(textual)]
            for textual, role, key in _largest_first(found):
                made_from = starts(textual)
                if made_from <= covered:
                    continue
                covered |= made_from
                text = tool_text(textual, role, surface, key=key)
                if text is not None and (role != "tool-result" or text.text.intents):
                    yield text

    def _candidates(self, path: str) -> Iterator[Candidate]:
        facts = self.world.files[path]
        for site in self.sites.of(path, facts):
            if not site.deep and self._gives_no_text(site):
                continue
            value = self.world.evaluate(site.expr, site.frame)
            for textual in _texts_of(value, site):
                if _is_enough(textual, site):
                    yield textual, site.role, site.key
        for textual in self.offered.of(path, facts):
            yield textual, "prompt", ""
        for textual in element_texts(self.world, self.names, path, facts):
            yield textual, "prompt", ""

    def _gives_no_text(self, site: Site) -> bool:
        """Whether a function of the project is called that says to give an object or a list, which are no text.

        What such a function does takes long to find out, and is found out for nothing.
        """
        call = site.expr.value if isinstance(site.expr, Await) else site.expr
        if not isinstance(call, Call):
            return False
        callee = self.world.evaluate(call.func, site.frame)
        if not isinstance(callee, FunctionRef) or self.world.files[callee.path].language != "typescript":
            return False
        returns = self.world.files[callee.path].functions[callee.index].returns
        said = inner_type(returns) if returns is not None else None
        if isinstance(said, Index):
            return isinstance(said.base, Name) and said.base.name == "Array"
        if not isinstance(said, Name | Map):
            return False
        meant = self.world.evaluate(said, Frame(callee.path, None))
        return isinstance(meant, ClassRef | Record)


def _texts_of(value: Value, site: Site) -> Iterator[Textual]:
    if site.role == "parameter-description":
        for _, option in options(value):
            yield from (textual for _, textual in descriptions(option))
        return
    for part in inside(value, depth=3) if site.deep else (option for _, option in options(value)):
        if isinstance(part, Textual):
            yield part


def _is_enough(textual: Textual, site: Site) -> bool:
    known = textual.known_text.replace(HOLE, "")
    if site.sure == "long":
        return speaks_to_a_model(known)
    if site.sure == "more":
        return is_more_than_a_question(known)
    return len(known.strip()) >= SHORTEST


def _largest_first(found: list[Candidate]) -> list[Candidate]:
    """Longer texts before the parts that they are made from, exact roles before the plain one; otherwise in order.

    A block of text is a tool's answer only where nothing else says what it is.
    """
    return sorted(found, key=lambda one: (-len(starts(one[0])), 2 if one[2] == BLOCK else int(one[1] == "prompt")))
