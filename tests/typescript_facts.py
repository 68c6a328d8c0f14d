"""Facts of TypeScript code written as short pseudo-code, for tests to compare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from python_facts import nodes, show
from waitlint.facts import (
    Class,
    Define,
    DefineClass,
    Do,
    Expr,
    FileFacts,
    Function,
    Handler,
    If,
    Import,
    Jump,
    Loop,
    Member,
    Param,
    Piece,
    Raise,
    Return,
    Stmt,
    Str,
    Try,
)
from waitlint.frontends.typescript import read
from waitlint.source import Source


def facts_of(code: str, path: str = "sample.ts") -> FileFacts:
    return read(Source(path, code), "code")


def shown(code: str, path: str = "sample.ts") -> list[str]:
    """The module's body, a line a statement, blocks indented by one space."""
    facts = facts_of(code, path)
    assert not facts.problems
    return list(lines_of(facts.body))


def expression(code: str, path: str = "sample.ts") -> str:
    """The value of `x = …`."""
    (line,) = shown(f"x = {code}", path)
    return line.removeprefix("x = ")


def value_of(code: str, path: str = "sample.ts") -> Expr:
    """The fact of a single expression statement."""
    (stmt,) = facts_of(code, path).body
    assert isinstance(stmt, Do)
    return stmt.value


def function(code: str, name: str, path: str = "sample.ts") -> Function:
    return next(found for found in facts_of(code, path).functions if found.name == name)


def body_of(code: str, name: str = "f") -> list[str]:
    """The body of a function."""
    return list(lines_of(function(code, name).body))


def class_of(code: str, name: str) -> Class:
    return next(found for found in facts_of(code).classes if found.name == name)


def strings(code: str, path: str = "sample.ts") -> list[Str]:
    """Every string that is written with quotes, in order."""
    facts = facts_of(code, path)
    found = [node for node in nodes((facts.body, facts.functions, facts.classes)) if isinstance(node, Str)]
    return sorted((node for node in found if node.style), key=lambda node: node.span.start)


def sources_of(piece: Piece, code: str) -> list[str]:
    """What stands in the source for each character of a piece."""
    found: list[str] = []
    for (offset, start), (following, end) in zip(piece.places, piece.places[1:], strict=False):
        if following - offset == end - start:
            found.extend(code[start:end])
        else:
            found.append(code[start:end])
            found.extend([""] * (following - offset - 1))
    return found


def params(found: Function) -> list[str]:
    return [_param(param) for param in found.params]


def _param(param: Param) -> str:
    written = "..." * (param.kind == "rest") + param.name
    written += f": {show(param.annotation)}" if param.annotation else ""
    return written + (f" = {show(param.default)}" if param.default else "")


def members(found: Class) -> list[str]:
    return [_member(member) for member in found.members]


def _member(member: Member) -> str:
    written = "static " * member.is_static + member.name
    written += f": {show(member.annotation)}" if member.annotation else ""
    return written + (f" = {show(member.value)}" if member.value else "")


def lines_of(body: Sequence[Stmt], indent: str = "") -> Iterator[str]:
    for stmt in body:
        for line in _lines(stmt):
            yield indent + line


def _block(head: str, body: Sequence[Stmt]) -> Iterator[str]:
    yield head
    yield from lines_of(body, " ")


def _lines(stmt: Stmt) -> Iterator[str]:
    match stmt:
        case Do(value=value):
            yield show(value)
        case Return(value=value):
            yield f"return {show(value)}" if value else "return"
        case Raise(value=value):
            yield f"throw {show(value)}" if value else "throw"
        case Jump(kind=kind, label=label):
            yield f"{kind} {label}".rstrip()
        case Define(index=index):
            yield f"define {index}"
        case DefineClass(index=index):
            yield f"class {index}"
        case Import(local=local, module=module, name=name):
            yield f"import {name or 'module'} of {module} as {local}"
        case If(test=test, body=body, orelse=orelse):
            yield from _block(f"if {show(test)}", body)
            if orelse:
                yield from _block("else", orelse)
        case Loop():
            yield from _loop(stmt)
        case Try(body=body, handlers=handlers, final=final):
            yield from _block("try", body)
            for handler in handlers:
                yield from _handler(handler)
            if final:
                yield from _block("finally", final)
        case _:
            raise AssertionError(stmt)


def _handler(handler: Handler) -> Iterator[str]:
    assert handler.type is None
    yield from _block(f"catch {handler.name or ''}".rstrip(), handler.body)


def _loop(loop: Loop) -> Iterator[str]:
    head = f"{loop.label}: " if loop.label else ""
    head += "async " * loop.is_async + loop.kind
    if loop.target is not None and loop.iterable is not None:
        head += f" {show(loop.target)} in {show(loop.iterable)}"
    if loop.test is not None:
        head += f" {show(loop.test)}"
    yield from _block(head, loop.body)
    if loop.update:
        yield from _block("update", loop.update)
