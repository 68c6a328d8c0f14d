"""Whether every lap that another one follows has counted."""

from __future__ import annotations

from waitlint.facts import Assign, Do, If, Jump, Loop, Name, Raise, Return, Stmt, Try, With

Counted = frozenset[bool]
NOWHERE: Counted = frozenset()


def counts_every_lap(body: tuple[Stmt, ...], name: str) -> bool:
    """Whether `name` is changed on each way through a loop's body that comes to another lap.

    A branch that leaves the loop need not count, nor does one that is not there.
    """
    falls, goes_on = _through(body, name, frozenset({False}))
    return (falls | goes_on) == {True}


def _through(body: tuple[Stmt, ...], name: str, before: Counted) -> tuple[Counted, Counted]:
    """Whether it has counted where the end is reached, and where another lap begins."""
    goes_on = NOWHERE
    for stmt in body:
        if not before:
            break
        match stmt:
            case Do(value=Assign(target=Name(name=target))) if target == name:
                before = frozenset({True})
            case Return() | Raise():
                before = NOWHERE
            case Jump(kind=kind):
                goes_on |= before if kind == "continue" else NOWHERE
                before = NOWHERE
            case If(body=then, orelse=orelse):
                ends = [_through(then, name, before), _through(orelse, name, before)]
                before = ends[0][0] | ends[1][0]
                goes_on |= ends[0][1] | ends[1][1]
            case Try():
                before, further = _through_try(stmt, name, before)
                goes_on |= further
            case With(body=inner):
                before, further = _through(inner, name, before)
                goes_on |= further
            case Loop(body=inner):
                # It may run not once, and its own jumps are not those of the loop around it.
                before |= _through(inner, name, before)[0]
            case _:
                continue
    return before, goes_on


def _through_try(stmt: Try, name: str, before: Counted) -> tuple[Counted, Counted]:
    """An exception may come at any point, before the count or after it."""
    falls, goes_on = _through(stmt.body, name, before)
    falls, further = _through(stmt.orelse, name, falls)
    goes_on |= further
    reached = before | falls | goes_on
    for handler in stmt.handlers:
        caught, further = _through(handler.body, name, reached)
        falls |= caught
        goes_on |= further
    if stmt.final:
        last, further = _through(stmt.final, name, falls) if falls else (falls, NOWHERE)
        falls, goes_on = last, goes_on | further
    return falls, goes_on
