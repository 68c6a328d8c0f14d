"""Contracts over time: what has changed, between two states of a repository, in each tool's way of waiting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from waitlint.audit.polling import texts
from waitlint.audit.waiting import contract, waits_of
from waitlint.finding import Finding
from waitlint.linked import Reach, Tool
from waitlint.linter import Demand, lint
from waitlint.reporting import spot
from waitlint.scanning import Group, Scan
from waitlint.stating import said_wait

VERSION = 1


class Contract(Struct, frozen=True):
    """How a tool waits, as its caller feels it.

    `waits` are the words for it, `stop` says whether the user's stop reaches its reads and pauses, `says` whether its
    description states that it waits, `blocks` is True where it waits at all. `polled_by` are the places (`path:line`)
    of texts that say to poll it.
    """

    waits: str
    stop: str
    says: str
    blocks: bool
    polled_by: tuple[str, ...] = ()


class Place(Struct, frozen=True):
    path: str
    line: int


class Difference(Struct, frozen=True):
    """A tool whose way of waiting is not what it was; `before` or `after` is None where it is new or gone.

    `name` is its ID now, `was` the one before where that has changed, else "". `place` is where it stands now, or
    stood.
    """

    name: str
    place: Place
    before: Contract | None
    after: Contract | None
    was: str = ""


class Comparison(Struct, frozen=True):
    """What differs; `unchanged` counts the tools that wait as before. Sorted by place."""

    version: int
    since: str
    until: str
    tools: tuple[Difference, ...]
    unchanged: int


class Standing(Struct, frozen=True):
    """A tool in one state of the repository."""

    name: str
    place: Place
    contract: Contract
    takes: tuple[str, ...]


def standing(scan: Scan, demand: Demand) -> list[Standing]:
    """The tools of a scan, in the order of their places."""
    findings = lint(scan, demand).findings
    found = [
        one
        for group in scan.groups
        if group.is_concerned
        for one in _tools(group, scan, [judged.finding for judged in findings if judged.group is group])
    ]
    return sorted(found, key=lambda one: (one.place.path, one.place.line, one.name))


def compare(before: Iterable[Standing], after: Iterable[Standing], since: str, until: str) -> Comparison:
    """What differs. A tool is the same if its name and file are, else its name, else its file and arguments."""
    old, new = list(before), list(after)
    pairs: list[tuple[Standing | None, Standing | None]] = []
    for same in (_name_and_file, _name, _file_and_arguments):
        pairs += _paired(old, new, same)
    pairs += [(one, None) for one in old]
    pairs += [(None, one) for one in new]
    differing = [pair for pair in pairs if _differs(*pair)]
    shown = sorted(map(_difference, differing), key=lambda one: (one.place.path, one.place.line, one.name))
    return Comparison(VERSION, since, until, tuple(shown), len(pairs) - len(differing))


def _tools(group: Group, scan: Scan, findings: list[Finding]) -> Iterator[Standing]:
    polling = list(texts(group, scan, findings))
    for tool in group.project.tools:
        if group.asks(tool.place.path):
            at = spot(tool.place, group, scan.request.cwd)
            polled_by = tuple(f"{text.path}:{text.line}" for text in polling if tool.name in text.tools)
            made = Contract(contract(tool), _stop(tool), _says(tool), bool(waits_of(tool)), polled_by)
            arguments = tuple(parameter.name for parameter in tool.parameters)
            yield Standing(tool.name, Place(at.path, at.line), made, arguments)


def _stop(tool: Tool) -> str:
    waits = waits_of(tool)
    reaches = {read.stop for wait in waits for read in wait.reads}
    reaches |= {sleep.stop for wait in waits for sleep in wait.sleeps}
    if Reach.MISSES in reaches:
        return "a stop does not reach all of it"
    if Reach.UNKNOWN in reaches:
        return "whether a stop reaches it is unknown"
    return "a stop reaches it" if Reach.ARRIVES in reaches else ""


def _says(tool: Tool) -> str:
    if tool.description is None:
        return "its description is unknown" if tool.description_unknown else "it has no description"
    return "its description says that it waits" if said_wait(tool) else "its description says nothing of a wait"


def _name_and_file(one: Standing) -> tuple[str, ...]:
    return one.name, one.place.path


def _name(one: Standing) -> tuple[str, ...]:
    return (one.name,)


def _file_and_arguments(one: Standing) -> tuple[str, ...]:
    return one.place.path, *one.takes


def _paired(
    old: list[Standing], new: list[Standing], same: Callable[[Standing], tuple[str, ...]]
) -> list[tuple[Standing, Standing]]:
    """Take the pairs out of both lists that are the same by a key, where no other has it."""
    left, right = _single(old, same), _single(new, same)
    pairs = [(left[key], right[key]) for key in left.keys() & right.keys()]
    for first, last in pairs:
        old.remove(first)
        new.remove(last)
    return pairs


def _single(found: Iterable[Standing], key: Callable[[Standing], tuple[str, ...]]) -> dict[tuple[str, ...], Standing]:
    by_key: dict[tuple[str, ...], list[Standing]] = {}
    for one in found:
        by_key.setdefault(key(one), []).append(one)
    return {one: held[0] for one, held in by_key.items() if len(held) == 1}


def _differs(before: Standing | None, after: Standing | None) -> bool:
    if before is None or after is None:
        return True
    return before.name != after.name or felt(before.contract) != felt(after.contract)


def felt(one: Contract) -> tuple[str, str, str, int]:
    """What of a contract makes a difference.

    How a tool that does not wait reads makes none, and texts that say to poll count by their number, for they move.
    """
    return one.waits if one.blocks else "", one.stop, one.says, len(one.polled_by)


def _difference(pair: tuple[Standing | None, Standing | None]) -> Difference:
    before, after = pair
    shown = after or before
    assert shown is not None
    was = before.name if before and after and before.name != after.name else ""
    return Difference(
        shown.name, shown.place, before.contract if before else None, after.contract if after else None, was
    )
