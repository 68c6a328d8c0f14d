"""Facts of Python code written as short pseudo-code, for tests to compare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from waitlint.facts import (
    Arg,
    Assign,
    Attr,
    Await,
    Binary,
    Call,
    ClassExpr,
    Comp,
    Cond,
    Const,
    Define,
    DefineClass,
    Do,
    Entry,
    Expr,
    FileFacts,
    Func,
    Function,
    If,
    Import,
    Index,
    Jump,
    Loop,
    Map,
    Name,
    Opaque,
    Piece,
    Raise,
    Return,
    Seq,
    Spread,
    Stmt,
    Str,
    Try,
    Unary,
    With,
    Yield,
)
from waitlint.frontends.python import read
from waitlint.source import Source


def facts_of(code: str) -> FileFacts:
    return read(Source("sample.py", code), "code")


def shown(code: str) -> list[str]:
    """The module's body, a line a statement, blocks indented by one space."""
    return list(lines_of(facts_of(code).body))


def shown_function(code: str, name: str = "f") -> list[str]:
    return list(lines_of(function(facts_of(code), name).body))


def expression(code: str) -> str:
    """A single expression."""
    (stmt,) = facts_of(code).body
    assert isinstance(stmt, Do)
    return show(stmt.value)


def function(facts: FileFacts, name: str) -> Function:
    return next(f for f in facts.functions if f.name == name)


def nodes(value: object) -> Iterator[Any]:
    """Every fact in a value, the outer ones first."""
    stack = [value]
    while stack:
        found = stack.pop()
        if isinstance(found, tuple):
            stack.extend(reversed(found))
        elif isinstance(found, Struct):
            yield found
            stack.extend(getattr(found, name) for name in reversed(found.__struct_fields__))


def strings(code: str) -> list[Str]:
    facts = facts_of(code)
    return [node for node in nodes((facts.body, facts.functions, facts.classes)) if isinstance(node, Str)]


def text_of(string: Str) -> str:
    return "".join(piece.text if isinstance(piece, Piece) else "\ufffc" for piece in string.pieces)


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
            yield f"raise {show(value)}" if value else "raise"
        case Jump(kind=kind):
            yield kind
        case Define(index=index):
            yield f"define {index}"
        case DefineClass(index=index):
            yield f"class {index}"
        case Import(local=local, module=module, name=name):
            yield f"import {module} {name} as {local}"
        case If(test=test, body=body, orelse=orelse):
            yield from _block(f"if {show(test)}", body)
            if orelse:
                yield from _block("else", orelse)
        case Loop():
            head = "async " * stmt.is_async + stmt.kind
            if stmt.target is not None and stmt.iterable is not None:
                head += f" {show(stmt.target)} in {show(stmt.iterable)}"
            if stmt.test is not None:
                head += f" {show(stmt.test)}"
            yield from _block(head, stmt.body)
            if stmt.orelse:
                yield from _block("else", stmt.orelse)
        case Try():
            yield from _block("try", stmt.body)
            for handler in stmt.handlers:
                kind = show(handler.type) if handler.type else "anything"
                yield from _block(f"except {kind} as {handler.name}", handler.body)
            if stmt.orelse:
                yield from _block("else", stmt.orelse)
            if stmt.final:
                yield from _block("finally", stmt.final)
        case With(items=items, body=body, is_async=is_async):
            written = ", ".join(show(value) + (f" as {show(target)}" if target else "") for value, target in items)
            yield from _block("async " * is_async + f"with {written}", body)


def show(expr: Expr) -> str:
    match expr:
        case Const(value=value):
            return repr(value)
        case Str(pieces=pieces):
            return repr("".join(p.text if isinstance(p, Piece) else "{" + show(p.value) + "}" for p in pieces))
        case Name(name=name):
            return name
        case Attr(base=base, name=name):
            return f"{show(base)}.{name}"
        case Index(base=base, key=key):
            return f"{show(base)}[{show(key)}]"
        case Call(func=func, args=args):
            return f"{show(func)}({', '.join(map(_argument, args))})"
        case Await(value=value):
            return f"await {show(value)}"
        case Yield(value=value):
            return f"yield {show(value)}" if value else "yield"
        case Unary(op=op, value=value):
            return f"({op} {show(value)})"
        case Binary(op=op, left=left, right=right):
            return f"({show(left)} {op} {show(right)})"
        case Cond(test=test, then=then, orelse=orelse):
            return f"({show(then)} if {show(test)} else {show(orelse)})"
        case Seq(items=items):
            return f"[{', '.join(map(show, items))}]"
        case Spread(value=value):
            return f"*{show(value)}"
        case Map(entries=entries):
            return "{" + ", ".join(map(_entry, entries)) + "}"
        case Func(index=index):
            return f"<function {index}>"
        case ClassExpr(index=index):
            return f"<class {index}>"
        case Comp():
            conditions = "".join(f" if {show(c)}" for c in expr.conditions)
            return f"[{show(expr.element)} for {show(expr.target)} in {show(expr.iterable)}{conditions}]"
        case Assign(target=target, value=value, op=op, annotation=annotation):
            kind = f": {show(annotation)}" if annotation else ""
            return f"{show(target)}{kind} {op}= {show(value)}"
        case Opaque(parts=parts):
            return f"?({', '.join(map(show, parts))})"


def _argument(arg: Arg) -> str:
    return "*" * arg.spread + (f"{arg.name}=" if arg.name else "") + show(arg.value)


def _entry(entry: Entry) -> str:
    return f"{show(entry.key)}: {show(entry.value)}" if entry.key else f"**{show(entry.value)}"
