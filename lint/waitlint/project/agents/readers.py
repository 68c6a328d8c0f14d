"""Agents that are said to only read: where that is said, and which of the tools that they are given write."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from waitlint.catalog.writes import granted_writes, load_writes
from waitlint.facts import Span
from waitlint.finding import Evidence, Place
from waitlint.interpret.alternatives import inside
from waitlint.interpret.values import ClassRef, External, FunctionRef, Instance, Textual, Value
from waitlint.linked import ToolText
from waitlint.project.agents.runs import Lookup
from waitlint.project.agents.tables import tables_of
from waitlint.project.effects import Effects
from waitlint.project.sources import Sources
from waitlint.project.world import ProjectWorld
from waitlint.prose.guarded import has_any

_READ_ONLY = r"read[- ]only\b"
_THINGS = r"file|field|column|property|attribute|database|db|replica|copy|volume|mount|user|role|variable|tree|branch"
_AGENTS = r"agent|sub-?agent|explorer|planner|reviewer|analyst|researcher|auditor"
# "You are read-only" and its like; what comes after it may be a thing that is read-only, and not the agent.
ONLY_READS = re.compile(
    rf"\b(?:you are|you're|act as|this is)(?: (?!not\b)[\w*-]+){{0,4}} \**{_READ_ONLY}\**"
    rf"(?! (?:{_THINGS}))"
    rf"|\byou (?:only )?have (?:only )?\**{_READ_ONLY}\** (?:access|tools?|permissions?)"
    r"|\byou (?:can |may |must |should |will )?only read(?= ?[.,;:!\n])"
    r"|\b(?:never|do not|don't|must not|cannot|can't|may not) (?:write|edit|modify|change|create|delete)"
    r"(?:(?:,| or|, or|/) ?(?:write|edit|modify|change|create|delete)){0,4} (?:anything|any files?)(?= ?[.;!\n])",
    re.IGNORECASE,
)
# Of these, one stands in every match of either.
STEMS = ("read-only", "read only", "only read", " anything", " any file")
# In the description of an agent it is the agent that is spoken of.
DESCRIBED = re.compile(rf"^[^.\n]{{0,40}}\b{_READ_ONLY} (?:code )?(?:{_AGENTS})\b", re.IGNORECASE)
HEADER = re.compile(r"\A---\r?\n(?P<keys>.*?)^---\r?$", re.DOTALL | re.MULTILINE)
GRANTS = re.compile(r"^tools:(?P<tools>[^\n]*(?:\n[ \t]*- [^\n]*)*)", re.MULTILINE)
GRANTED = re.compile(r"(?P<name>[A-Za-z]\w*)(?P<limits>\([^)]*\))?")
DESCRIPTION = "front-matter"


def said_to_read(texts: Iterable[ToolText]) -> Evidence | None:
    """Where one of the texts says that the agent only reads."""
    for text in texts:
        lower = text.text.value.lower()
        if not has_any(lower, STEMS):
            continue
        found = ONLY_READS.search(text.text.value)
        if found is None and text.text.role == DESCRIPTION and text.text.key == "description":
            found = DESCRIBED.search(text.text.value)
        if found is not None:
            return Evidence(text.place(*found.span()), f"“{' '.join(found[0].split())}”")
    return None


def granted(path: str, text: str) -> Evidence | None:
    """The first tool in the front matter of an agent that writes or runs commands; a limited shell is none."""
    header = HEADER.match(text)
    grants = GRANTS.search(text, header.start("keys"), header.end("keys")) if header is not None else None
    for found in GRANTED.finditer(text, grants.start("tools"), grants.end("tools")) if grants is not None else ():
        limits = (found["limits"] or "").strip("()* :")
        if found["name"] in granted_writes() and not limits:
            start, end = found.span("name")
            return Evidence(Place(path, Span(start, end)), f"`{found['name']}` is among its tools")
    return None


class Writers:
    """Finds among the tools of an agent those that write."""

    def __init__(self, world: ProjectWorld, effects: Effects, sources: Sources) -> None:
        self.world = world
        self.effects = effects
        self.sources = sources

    def given(self, tools: Iterable[Value]) -> tuple[Evidence, ...]:
        """The writes of the tools that an agent is given as values."""
        found: dict[Place, Evidence] = {}
        for tool in tools:
            for part in _parts(tool):
                evidence = self._of(part)
                if evidence is not None:
                    found.setdefault(evidence.place, evidence)
        return tuple(found.values())

    def looked_up(self, lookups: Iterable[Lookup]) -> tuple[Evidence, ...]:
        """The writes of the tools in the tables in which a loop looks up what the model names."""
        return self.given(value for lookup in lookups for value in tables_of(self.world, lookup))

    def _of(self, value: Value) -> Evidence | None:
        match value:
            case FunctionRef(path=path, index=index):
                return self.effects.of_function(path, index)
            case Instance(type=External(name=name), made_at=place) if place is not None:
                language = self.world.files[place.path].language if place.path in self.world.files else ""
                if name in load_writes("python" if language == "notebook" else language).tools:
                    return Evidence(place, f"`{self.sources.code(place)}` writes or runs commands")
            case Textual(place=place) if value.literal in granted_writes() and place is not None:
                return Evidence(place, f"`{value.literal}` is among its tools")
            case _:
                pass
        return None


def _parts(value: Value, depth: int = 5) -> Iterator[Value]:
    """A tool, and the functions that it is made of.

    An agent that is handed over answers for its own tools, and which of its methods an object of the project offers is
    for it to say.
    """
    yield value
    if depth <= 0:
        return
    if isinstance(value, Instance) and (isinstance(value.type, ClassRef) or value.argument("tools") is not None):
        return
    for part in inside(value, 1)[1:]:
        yield from _parts(part, depth - 1)


__all__ = ["Writers", "granted", "said_to_read"]
