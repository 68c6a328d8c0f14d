"""`switch`: segments that run into each other become branches that do not."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tree_sitter import Node

from waitlint.facts import Assign, Const, Do, Expr, If, Opaque, Span, Stmt, Unary
from waitlint.frontends.typescript.branches import MAX_BRANCHES, Branch, ends, fold, region, same
from waitlint.frontends.typescript.chains import join
from waitlint.frontends.typescript.patterns import is_path
from waitlint.frontends.typescript.scopes import Target
from waitlint.frontends.typescript.syntax import COMMENTS

if TYPE_CHECKING:
    from waitlint.frontends.typescript.reader import Reader

# Beyond so many segments that run into each other, when one of them is entered is unknown.
_MAX_GUARDS = 12


class Segment(NamedTuple):
    """Statements up to the next label that has some. `tests` are those of the labels before them."""

    span: Span
    tests: list[Expr]
    default: bool
    body: tuple[Stmt, ...]


def switch(reader: Reader, node: Node, out: list[Stmt]) -> None:
    span = Span(*node.byte_range)
    value, body = node.child_by_field_name("value"), node.child_by_field_name("body")
    subject = reader.expr(value) if value is not None else Opaque(span)
    if not is_path(subject) and not isinstance(subject, Const):
        carrier = reader.made_up_name(subject.span)
        out.append(Do(subject.span, Assign(subject.span, carrier, subject)))
        subject = carrier
    scope = reader.scope
    scope.nested += 1
    label = f"$s{scope.nested}"
    scope.targets.append(Target("switch", label))
    segments = _segments(reader, body, subject)
    scope.targets.pop()
    branches: list[Branch] = []
    otherwise: tuple[Stmt, ...] = ()
    for group in _groups(segments):
        at = Span(group[0].span.start, span.end)
        tests = [test for segment in group for test in segment.tests]
        found = region(scope, Span(at.start, group[-1].span.end), _run(group), label)
        if any(segment.default for segment in group):
            otherwise = found
        elif tests:
            branches.append(Branch(at, join("or", tests) or Opaque(at, tuple(tests)), found))
        else:
            out.extend(found)
    out.extend(fold(branches, otherwise))


def _segments(reader: Reader, body: Node | None, subject: Expr) -> list[Segment]:
    segments: list[Segment] = []
    tests: list[Expr] = []
    default = False
    start: int | None = None
    depth = reader.depth
    for child in body.named_children if body is not None else ():
        if child.type in COMMENTS:
            continue
        reader.depth = depth + min(len(segments), MAX_BRANCHES)
        start = child.start_byte if start is None else start
        if child.type not in ("switch_case", "switch_default"):
            stmts: list[Stmt] = []
            if child.is_error:
                reader.salvage(child, stmts)
        else:
            value = child.child_by_field_name("value")
            if value is not None:
                tests.append(same(subject, reader.expr(value)))
            elif child.type == "switch_default":
                default = True
            stmts = list(reader.block(child.children_by_field_name("body")))
        if stmts:
            segments.append(Segment(Span(start, child.end_byte), tests, default, tuple(stmts)))
            tests, default, start = [], False, None
    reader.depth = depth
    if tests or default:
        # The last labels stand before nothing: they leave the `switch`, and keep their values from `default`.
        at = Span(start or 0, body.end_byte if body is not None else 0)
        segments.append(Segment(at, tests, default, ()))
    return segments


def _groups(segments: list[Segment]) -> list[list[Segment]]:
    """Segments that run into each other, together."""
    groups: list[list[Segment]] = []
    runs_on = False
    for segment in segments:
        if runs_on:
            groups[-1].append(segment)
        else:
            groups.append([segment])
        runs_on = not ends(segment.body)
    return groups


def _run(group: list[Segment]) -> tuple[Stmt, ...]:
    """What runs once a group is entered: each segment whose label, or one before it, was the right one."""
    body: list[Stmt] = []
    last = max((index for index, segment in enumerate(group) if segment.tests or segment.default), default=0)
    for index, segment in enumerate(group):
        if index >= last:
            body.extend(segment.body)
        else:
            guard = _guard(group, index) if len(group) <= _MAX_GUARDS else None
            body.append(If(segment.span, guard or Opaque(segment.span), segment.body))
    return tuple(body)


def _guard(group: list[Segment], index: int) -> Expr | None:
    """Whether `switch` entered its group at this segment or before it."""
    reached, later = group[: index + 1], group[index + 1 :]
    if any(segment.default for segment in reached):
        none = join("or", [test for segment in later for test in segment.tests])
        return Unary(none.span, "not", none) if none is not None else None
    return join("or", [test for segment in reached for test in segment.tests])
