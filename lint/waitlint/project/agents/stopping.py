"""When the code of a loop lets the model end it: floors that it holds, done markers that it reads, other ways out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from msgspec import Struct

from waitlint.facts import (
    Assign,
    Attr,
    Binary,
    Call,
    Cond,
    Expr,
    If,
    Index,
    Jump,
    Map,
    Name,
    Raise,
    Return,
    Seq,
    Span,
)
from waitlint.finding import Evidence, Place
from waitlint.interpret.alternatives import options
from waitlint.interpret.syntax import nodes
from waitlint.interpret.values import Constant, Record
from waitlint.linked import Answer, Floor, Known
from waitlint.names import spaced
from waitlint.project.agents.exits import leavings, may_be_a_bound
from waitlint.project.agents.reach import Code, Reach, expressions
from waitlint.project.sources import Sources
from waitlint.spelled import tail, within

COMPARES = frozenset({"<", "<=", ">", ">="})
NAMED_FLOOR = re.compile(r"(?<![a-z])(?:min|mins|minimum|minima|floors?|least|required?)(?![a-z])")
COUNTER = re.compile(
    r"(?<![a-z])(?:steps?|calls?|turns?|rounds?|iterations?|search(?:es)?|lookups?|actions?|count|depth)"
)
DONE = re.compile(
    r"[\[<{#(/*\s]*(?:all )?(?:done|ready|completed?|finish|finished|final|final[_ ]answer|terminate|task[_ ]complete|"
    r"stop|eot|end|finalize|submit|final[_ ]report|research[_ ]?complete|attempt_completion|exit)"
    r"[\w:]*[\]>})#/*\s.!:]*",
    re.IGNORECASE,
)
IN_CAPITALS = re.compile(r"[\[<{#(/*\s]*[A-Z][A-Z_ ]{3,}[\]>})#/*\s.!:]*")
ENDS_ITSELF = frozenset({"stop", "end_turn", "endturn", "length", "max_tokens", "stop_sequence"})
REASONS = re.compile(r"(?:stop|finish|end)_?reason|status|type|role|kind|phase|state", re.IGNORECASE)
DEPTH = re.compile("depth|difficulty|complexity")
FINISHES = re.compile(r"finish|submit|final|done|complete", re.IGNORECASE)
PLAIN_WORD = re.compile(r"[A-Za-z]+")
ANYWHERE = frozenset({"includes", "indexOf", "find", "count", "__contains__", "index", "rfind"})
AT_AN_END = frozenset(
    {"startswith", "endswith", "startsWith", "endsWith", "match", "fullmatch", "search", "test", "exec"}
)


@dataclass(slots=True)
class Stopping:
    """What the code of a loop holds. `anywhere` are markers that it finds by substring, with the place."""

    floors: tuple[Floor, ...] = ()
    signal: Answer = field(default_factory=lambda: Answer(Known.NO, "no done marker is looked for"))
    markers: tuple[str, ...] = ()
    anywhere: tuple[tuple[str, Place], ...] = ()
    exits_freely: Answer = field(default_factory=lambda: Answer(Known.UNKNOWN))


class StopRules:
    """Reads floors, markers and other ways out off the code of one loop."""

    def __init__(self, reach: Reach, sources: Sources) -> None:
        self.reach = reach
        self.sources = sources
        self._floor_tests: list[Span] = []
        self._marker_tests: list[Span] = []
        self._withholds = False

    def read(self) -> Stopping:
        found = Stopping()
        floors: dict[Place, list[Floor]] = {}
        markers: dict[str, Place] = {}
        anywhere: dict[str, Place] = {}
        for block, node in self.reach.nodes():
            if self.reach.is_inner(block, node):
                continue
            if isinstance(node, Binary) and node.op in COMPARES:
                held = self._floors(node, block)
                if held:
                    floors[Place(block.path, node.span)] = held
                    self._floor_tests.append(node.span)
            for literal, is_token, span in self._marker(node, block):
                (markers if is_token else anywhere).setdefault(literal, Place(block.path, span))
                self._marker_tests.append(span)
        found.floors = tuple(floor for held in floors.values() for floor in held)
        found.markers = tuple(markers)
        found.anywhere = tuple(anywhere.items())
        if markers:
            literal, place = next(iter(markers.items()))
            found.signal = Answer(Known.YES, f"it looks for `{literal}`", (Evidence(place, "the done marker"),))
        elif anywhere:
            literal, place = next(iter(anywhere.items()))
            shown = (Evidence(place, "the done marker is looked for here"),)
            found.signal = Answer(Known.NO, f"`{literal}` is found anywhere in the prose", shown)
        found.exits_freely = self._exits(found)
        return found

    # ------------------------------------------------------------ floors

    def _floors(self, test: Binary, block: Code) -> list[Floor]:
        """The floors that a comparison of steps holds, one for each depth."""
        left, right = self._text(test.left, block), self._text(test.right, block)
        place = Place(block.path, test.span)
        for counted, floor, written in ((left, test.right, right), (right, test.left, left)):
            if (
                _is_named(NAMED_FLOOR, written)
                and _is_named(COUNTER, f"{counted} {written}")
                and "(" not in written[:4]
            ):
                return self._steps(floor, block, place)
        low = test.op in ("<", "<=")
        counted, bound = (left, test.right) if low else (right, test.left)
        number = self.reach.number(bound, block)
        if number is not None and 1 <= number <= 50 and _is_named(COUNTER, counted) and self._holds_back(test, block):
            return [Floor(number, "", place)]
        if test.op in (">", ">="):
            number = self.reach.number(test.right, block)
            if number is not None and number >= 1 and _is_named(COUNTER, left) and self._with_marker(test, block):
                return [Floor(number, "", place)]
        return []

    def _steps(self, floor: Expr, block: Code, place: Place) -> list[Floor]:
        """The numbers of a floor: of one, or of a table by depth."""
        source = self._made_from(floor, block)
        table = _table_of(source)
        if table is not None:
            found: list[Floor] = []
            for _, option in options(self.reach.world.evaluate(table, self.reach.frame(block))):
                if isinstance(option, Record):
                    found.extend(
                        Floor(value.number, key, place)
                        for key, value in option.entries.items()
                        if isinstance(value, Constant) and value.number is not None
                    )
            return found or [Floor(0.0, "by depth", place)]
        number = self.reach.number(floor, block)
        if number is not None:
            return [Floor(number, "", place)]
        depth = (
            "by depth" if isinstance(source, Call) or _is_named(re.compile("depth"), self._text(source, block)) else ""
        )
        return [Floor(0.0, depth, place)]

    def _made_from(self, expr: Expr, block: Code) -> Expr:
        """What a name is set to in its function; the expression itself where that is not in view."""
        if not isinstance(expr, Name) or block.index is None:
            return expr
        body = self.reach.world.files[block.path].functions[block.index].body
        for node in nodes(body):
            if isinstance(node, Assign) and isinstance(node.target, Name) and node.target.name == expr.name:
                return node.value
        return expr

    def _holds_back(self, test: Binary, block: Code) -> bool:
        """Whether the model is sent on, or has no tool to finish with, where a test says that it is too early."""
        for node in nodes(block.body):
            if isinstance(node, If) and within(test.span, node.test.span) and not _is_negated(node.test, test):
                leaves = any(isinstance(one, Return | Raise) for one in nodes(node.body))
                goes_on = any(isinstance(one, Jump) and one.kind == "continue" for one in nodes(node.body))
                if goes_on and not leaves:
                    return True
                return bool(FINISHES.search(self._text(node.test, block))) and not leaves
            if isinstance(node, Cond) and within(test.span, node.test.span):
                both = f"{self._text(node.then, block)} {self._text(node.orelse, block)}"
                self._withholds = self._withholds or bool(FINISHES.search(both))
                return bool(FINISHES.search(both))
        return False

    def _with_marker(self, test: Binary, block: Code) -> bool:
        """Whether a comparison stands beside a done marker, in one condition."""
        for node in nodes(block.body):
            if isinstance(node, Binary) and node.op == "and" and within(test.span, node.span):
                return bool(FINISHES.search(self._text(node, block)))
        return False

    # ------------------------------------------------------------ markers

    def _marker(self, node: Struct, block: Code) -> Iterator[tuple[str, bool, Span]]:
        """The done markers that a node looks for, and whether as a token: not anywhere in the prose."""
        match node:
            case Binary(op="==" | "!=", left=left, right=right):
                for one, other in ((left, right), (right, left)):
                    literal = self.reach.literal(one, block)
                    if literal is not None and self._is_done(literal, other, block):
                        yield literal.strip(), True, node.span
            case Binary(op="in" | "not in", left=left, right=right):
                literal = self.reach.literal(left, block)
                if literal is not None and self._is_done(literal, right, block):
                    yield literal.strip(), _is_split(right) or not PLAIN_WORD.fullmatch(literal.strip()), node.span
                if isinstance(right, Seq):
                    for item in right.items:
                        literal = self.reach.literal(item, block)
                        if literal is not None and self._is_done(literal, left, block):
                            yield literal.strip(), True, node.span
            case Call(func=Attr(base=base, name=name), args=args) if name in ANYWHERE or name in AT_AN_END:
                for expr in (base, *(arg.value for arg in args[:1])):
                    literal = self.reach.literal(expr, block) if not isinstance(expr, Call) else None
                    if literal is None:
                        continue
                    other = args[0].value if expr is base and args else base
                    token = re.sub(r"^[\^\\b\s/]+|[\$\\b\s/gmi]+$", "", literal) if name in AT_AN_END else literal
                    if self._is_done(token, other, block):
                        at_an_end = name in AT_AN_END or _is_split(base)
                        yield token.strip(), at_an_end or not PLAIN_WORD.fullmatch(token.strip()), node.span

    def _is_done(self, literal: str, other: Expr, block: Code) -> bool:
        """Whether a literal is a marker for the end, and what it is held against is no reason that an API gives."""
        plain = literal.strip()
        if (
            len(plain) > 40
            or plain.lower() in ENDS_ITSELF
            or not (DONE.fullmatch(plain) or IN_CAPITALS.fullmatch(plain))
        ):
            return False
        return not _is_named(REASONS, self._text(other, block).rpartition(".")[2])

    # ------------------------------------------------------------ other ways out

    def _exits(self, found: Stopping) -> Answer:
        """Whether the loop also ends without the marker, or below the floor."""
        if not found.floors and not found.markers and not found.anywhere:
            return Answer(Known.UNKNOWN)
        block = self.reach.own
        marked = self._names_set_from(self._marker_tests, block)
        floored = self._names_set_from(self._floor_tests, block)
        kept_back = self._kept_back_at(block, floored)
        for leaving in leavings(self.reach.loop.loop):
            if isinstance(leaving.stmt, Raise) or leaving.caught or not leaving.tests:
                continue
            tests = [test for test, _ in leaving.tests]
            text = " ".join(self._text(test, block) for test in tests)
            is_marked = any(_asks(test, self._marker_tests, marked) for test in tests)
            is_floored = (
                any(_asks(test, self._floor_tests, floored) for test in tests)
                or any(end <= leaving.stmt.span.start for end in kept_back)
                or (self._withholds and is_marked)
            )
            if (is_marked or not (found.markers or found.anywhere)) and (is_floored or not found.floors):
                continue
            if not is_marked and not is_floored and self._is_bound(tests, block):
                continue
            place = Place(block.path, leaving.stmt.span)
            missing = "the done marker" if not is_marked else "the floor"
            return Answer(Known.YES, f"`{_short(text)}` ends it without {missing}", (Evidence(place, "it ends here"),))
        return Answer(Known.NO, "it ends only by floor and marker")

    def _is_bound(self, tests: list[Expr], block: Code) -> bool:
        return any(may_be_a_bound(self._text(test, block)) for test in tests)

    def _names_set_from(self, tests: list[Span], block: Code) -> set[str]:
        """The names that are set from, or by functions with, one of the tests."""
        found: set[str] = set()
        inner = {
            self.reach.world.files[path].functions[index].name
            for path, index in self.reach.entered
            for span in tests
            if within(span, self.reach.world.files[path].functions[index].span)
        }
        for node in nodes(block.body):
            if isinstance(node, Assign) and isinstance(node.target, Name | Attr):
                calls = {tail(one.func) for one in expressions(node.value) if isinstance(one, Call)}
                if any(within(span, node.value.span) for span in tests) or calls & inner:
                    found.add(node.target.name)
        return found | (inner - {""})

    def _kept_back_at(self, block: Code, floored: set[str]) -> list[int]:
        """Where tests for the floor end that send the model on."""
        found = []
        for node in nodes(block.body):
            if not isinstance(node, If) or not _asks(node.test, self._floor_tests, floored):
                continue
            if any(isinstance(one, Jump) and one.kind == "continue" for one in nodes(node.body)):
                found.append(node.span.end)
        return found

    def _text(self, expr: Expr, block: Code) -> str:
        return " ".join(self.sources.excerpt(Place(block.path, expr.span)).split())


def _asks(test: Expr, spans: list[Span], names: set[str]) -> bool:
    """Whether a test is, holds or is named for one of the tests at `spans`."""
    if any(within(span, test.span) for span in spans):
        return True
    return any(getattr(node, "name", None) in names for node in expressions(test) if isinstance(node, Name | Attr))


def _is_negated(whole: Expr, test: Binary) -> bool:
    return any(getattr(node, "op", "") == "not" and within(test.span, node.span) for node in expressions(whole))  # type: ignore[attr-defined]


def _is_named(words: re.Pattern[str], text: str) -> bool:
    """Whether one of the words stands in an expression, the parts of its names looked at one by one."""
    return bool(words.search(spaced(text)))


def _table_of(expr: Expr) -> Expr | None:
    """The table that an expression looks something up in."""
    match expr:
        case Index(base=base):
            return base
        case Call(func=Attr(base=base, name="get")):
            return base
        case Binary(op="??" | "or", left=left):
            return _table_of(left)
        case Map():
            return expr
        case _:
            return None


def _is_split(expr: Expr) -> bool:
    """Whether a text is taken apart first, so that a marker is a part of its own."""
    return any(
        isinstance(node, Call) and tail(node.func) in ("split", "splitlines", "findall", "match")
        for node in expressions(expr)
    )


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"


__all__ = ["StopRules", "Stopping"]
