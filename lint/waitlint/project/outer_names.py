"""Which names of a function, or of the top of a file, the functions inside it may set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from waitlint.facts import Assign, Attr, Do, FileFacts, Name, Stmt
from waitlint.interpret.loops import changes_in
from waitlint.interpret.syntax import blocks_of
from waitlint.project.found import Named

TOP = -1


def shared_names(facts: FileFacts, named: Iterable[Named]) -> dict[int, frozenset[str]]:
    """For each function, and for the top, what the functions inside it assign to, other than their own arguments.

    `named` are all assignments of the file.
    """
    written = Counter(one.function for one in named)
    shared: dict[int, set[str]] = {}
    for index, function in enumerate(facts.functions):
        if not written[index]:
            continue
        names = _assigned_in(function.body, written[index]).difference([param.name for param in function.params])
        outer: int | None = function.parent
        while outer is not None and names:
            shared.setdefault(outer, set()).update(names)
            outer = facts.functions[outer].parent
        shared.setdefault(TOP, set()).update(names)
    return {index: frozenset(names) for index, names in shared.items()}


def _assigned_in(body: tuple[Stmt, ...], written: int) -> set[str]:
    """The names that a body assigns to, of whose assignments there are so many."""
    found: set[str] = set()
    seen = 0
    for assign in _statements(body):
        seen += isinstance(assign.target, Name | Attr)
        if isinstance(assign.target, Name):
            found.add(assign.target.name)
    # Where some stand within expressions these have to be gone through, which takes ten times as long.
    return found if seen == written else {change.name for change in changes_in(body, "each")}


def _statements(body: tuple[Stmt, ...]) -> Iterator[Assign]:
    """The assignments that are statements of their own."""
    stack = list(body)
    while stack:
        stmt = stack.pop()
        if isinstance(stmt, Do):
            value = stmt.value
            while isinstance(value, Assign):
                yield value
                value = value.value
        else:
            for block in blocks_of(stmt):
                stack.extend(block)
