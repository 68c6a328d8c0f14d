"""Whether code that a tool runs is run by others, too: what suits the tool need not suit them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import cast

from waitlint.facts import Attr, FileFacts, Import
from waitlint.finding import Evidence, Place
from waitlint.linked import Read, Sleep, Tool, Wait
from waitlint.project.callers import CONSTRUCTORS, by_last_name, called_as, top_level
from waitlint.project.found import Found
from waitlint.project.walk import walk
from waitlint.spelled import function_around

MOST_FUNCTIONS = 60
CODE = ("python", "typescript")
_Key = tuple[str, int]


class Sharing:
    """Who else calls what the tools run, as far as names and imports tell.

    `files` are all files as code, `tools` what is known of them. Code at the top of a file, such as a demonstration,
    does not count.
    """

    def __init__(self, files: Mapping[str, FileFacts], tools: Sequence[Tool], where: Callable[[Place], str]) -> None:
        self.files = files
        self.tools = tools
        self.where = where
        self._calls: dict[str, dict[str, list[Found]]] = {}
        self._found: dict[_Key, Evidence | None] = {}

    def others(self, place: Place) -> Evidence | None:
        """A call in code that no tool is known to run, by which the code at `place` is run as well."""
        start = self._function_at(place)
        if start is None:
            return None
        if start not in self._found:
            self._found[start] = self._others(start)
        return self._found[start]

    def _others(self, start: _Key) -> Evidence | None:
        seen, waiting = {start}, [start]
        while waiting and len(seen) < MOST_FUNCTIONS:
            path, index = waiting.pop()
            if (path, index) in self._handlers:
                continue
            for found in self._calls_of(path, index):
                caller = (found.path, found.function) if found.function is not None else None
                if caller is None or caller == (path, index):
                    continue
                if not self._is_run(caller):
                    function = self.files[caller[0]].functions[caller[1]]
                    at = Place(found.path, found.call.span)
                    named = f"`{function.name}`" if function.name else self.where(at)
                    return Evidence(at, f"{named} calls it, too, and is not known to be run by a tool")
                for one in self._with_outer(caller):
                    if one not in seen:
                        seen.add(one)
                        waiting.append(one)
            for one in self._with_outer((path, index)):
                if one not in seen:
                    seen.add(one)
                    waiting.append(one)
        return None

    def _with_outer(self, key: _Key) -> Iterator[_Key]:
        """A function, and those that it stands in, up to a tool's handler."""
        path, index = key
        parent: int | None = index
        while parent is not None:
            yield path, parent
            parent = self.files[path].functions[parent].parent if (path, parent) not in self._handlers else None

    def _is_run(self, key: _Key) -> bool:
        return any(one in self._run for one in self._with_outer(key))

    @cached_property
    def _handlers(self) -> frozenset[_Key]:
        places = [tool.handler for tool in self.tools if tool.handler is not None]
        return frozenset(key for place in places if (key := self._function_at(place)) is not None)

    @cached_property
    def _run(self) -> frozenset[_Key]:
        """The functions that tools are known to run."""
        places = {
            place
            for tool in self.tools
            for fact in cast(tuple[Wait | Read | Sleep, ...], (*tool.waits, *tool.reads, *tool.sleeps))
            for place in (fact.place, *fact.callers)
        }
        return self._handlers | {key for place in places if (key := self._function_at(place)) is not None}

    def _function_at(self, place: Place) -> _Key | None:
        """The innermost function that a place stands in, or that stands at it."""
        facts = self.files.get(place.path)
        index = function_around(facts, place.span) if facts is not None else None
        return (place.path, index) if index is not None else None

    def _calls_of(self, path: str, index: int) -> Iterator[Found]:
        """The calls that mean a function, by its name and by what their files import."""
        function = self.files[path].functions[index]
        name = called_as(self.files[path], function)
        if not name:
            return
        method = function.owner is not None and function.name not in CONSTRUCTORS
        for caller in (path, *self._importing(path)):
            for found in self._by_name(caller).get(name, ()):
                if not method or isinstance(found.call.func, Attr):
                    yield found

    def _by_name(self, path: str) -> Mapping[str, list[Found]]:
        known = self._calls.get(path)
        if known is None:
            known = self._calls[path] = by_last_name(walk(path, self.files[path]).calls)
        return known

    def _importing(self, path: str) -> Sequence[str]:
        """The files that import a module called like a file, or something from one."""
        stem = _stem(path)
        return [other for other in self._importers.get(stem, ()) if other != path]

    @cached_property
    def _importers(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, dict[str, None]] = {}
        for path, facts in self.files.items():
            if facts.language not in CODE:
                continue
            bodies = (facts.body, *(function.body for function in facts.functions))
            for stmt in (stmt for body in bodies for stmt in top_level(body)):
                if isinstance(stmt, Import):
                    for stem in {_module_stem(stmt.module), stmt.name or ""}:
                        found.setdefault(stem, {})[path] = None
        return {stem: tuple(paths) for stem, paths in found.items()}


def _stem(path: str) -> str:
    """The name by which a file is imported: that of its folder where it stands for that."""
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    return folder.rpartition("/")[2] if stem in ("__init__", "index") else stem


def _module_stem(module: str) -> str:
    last = module.rstrip("/").rpartition("/")[2]
    for ending in (".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx"):
        last = last.removesuffix(ending)
    return last.rpartition(".")[2]
