"""What one file says, before any other file is looked at: frozen, language-neutral, serialisable.

A front end turns a source into `FileFacts`. Code becomes ordered mini-programs (`Function.body`) whose statements
and expressions are the same for every language; prose becomes `Text`. Nothing here is a verdict: whether a function
is a tool, what it waits for and whether a call sleeps is decided when the files are linked.

All offsets are code points of the decoded source, counted from 0; every span is half open.

What the front ends make equal, so that nothing after them asks for the language:

* `None`, `null`, `undefined` are `Const(None)`; `===`, `is` are `==`; `!==`, `is not` are `!=`; `&&`, `||`, `!` are
  `and`, `or`, `not`; `??` stays `??`; a chained comparison is an `and` of comparisons.
* Parentheses, casts, non-null marks and optional chaining are transparent.
* f-strings and templates are `Str` with `Hole`s; literals side by side are one `Str`.
* A destructuring assignment or parameter is taken apart into plain assignments at the start of the body.
* `switch` and `match` are chains of `If` with `==` tests.
* `x += n`, `x++` are `Assign(target, op="+", value)`; `++` has the value `Const(1)`.
* Decorators, defaults and annotations are ordinary expressions.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct


class Span(Struct, frozen=True, array_like=True, gc=False):
    start: int
    end: int


class _Node(Struct, frozen=True, array_like=True, tag=True, omit_defaults=True, gc=False):
    """Base of all statements and expressions.

    Facts are trees: nothing in them can be part of a cycle, so the garbage collector need not look at them.
    """

    span: Span


# ---------------------------------------------------------------- expressions


class Const(_Node, frozen=True):
    """A number, a truth value or nothing."""

    value: int | float | bool | None


class Piece(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Literal text, and where each of its characters stands.

    `places` holds pairs (offset in `text`, offset in the source). From one pair to the next, text and source run
    side by side; an escape sequence or a dropped indentation starts a new pair. The last pair is
    (len(text), end in the source).
    """

    text: str
    places: tuple[tuple[int, int], ...]


class Hole(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """An expression inside a text."""

    value: Expr


class Str(_Node, frozen=True):
    """A string. `span` includes quotes and prefix. `style` is the opening delimiter with its prefix, such as `rf\"`."""

    pieces: tuple[Piece | Hole, ...]
    style: str = ""

    @property
    def literal(self) -> str | None:
        """The whole text if it has no holes."""
        if len(self.pieces) == 1:
            only = self.pieces[0]
            return only.text if isinstance(only, Piece) else None
        if all(isinstance(piece, Piece) for piece in self.pieces):
            return "".join(piece.text for piece in self.pieces if isinstance(piece, Piece))
        return None


class Name(_Node, frozen=True):
    name: str


class Attr(_Node, frozen=True):
    """`base.name`. `at` is the span of the name alone."""

    base: Expr
    name: str
    at: Span


class Index(_Node, frozen=True):
    """`base[key]`; also a generic type with its argument. A slice is an `Opaque` key."""

    base: Expr
    key: Expr


class Arg(Struct, frozen=True, array_like=True, gc=False):
    """One argument. `name` for a keyword argument; `spread` for `*x`, `**x` and `...x`."""

    value: Expr
    name: str | None = None
    spread: bool = False


class Call(_Node, frozen=True):
    """A call, or a construction with `new`. A tagged template is a call with one `Str`."""

    func: Expr
    args: tuple[Arg, ...]
    new: bool = False


class Await(_Node, frozen=True):
    value: Expr


class Yield(_Node, frozen=True):
    value: Expr | None


class Unary(_Node, frozen=True):
    """`op` is `not`, `-`, `+`, `~` or `typeof`."""

    op: str
    value: Expr


class Binary(_Node, frozen=True):
    """`op` is arithmetic, comparing or logical: `+ - * / // % ** < <= > >= == != in not in and or ?? | &`."""

    op: str
    left: Expr
    right: Expr


class Cond(_Node, frozen=True):
    test: Expr
    then: Expr
    orelse: Expr


class Seq(_Node, frozen=True):
    """A list, tuple or set. A spread item is a `Spread`."""

    items: tuple[Expr, ...]


class Spread(_Node, frozen=True):
    value: Expr


class Entry(Struct, frozen=True, array_like=True, gc=False):
    """One entry of a `Map`. `key` is None where `value` is spread into it."""

    key: Expr | None
    value: Expr
    span: Span


class Map(_Node, frozen=True):
    """A dict or an object literal, also the body of a JSON or YAML document."""

    entries: tuple[Entry, ...]


class Func(_Node, frozen=True):
    """A function written in place; `index` into `FileFacts.functions`."""

    index: int


class ClassExpr(_Node, frozen=True):
    """A class written in place; `index` into `FileFacts.classes`."""

    index: int


class Comp(_Node, frozen=True):
    """A comprehension or generator expression."""

    element: Expr
    target: Expr
    iterable: Expr
    conditions: tuple[Expr, ...] = ()


class Assign(_Node, frozen=True):
    """An assignment, as an expression. `op` is "" or the operator of `x op= value`; `annotation` as written."""

    target: Expr
    value: Expr
    op: str = ""
    annotation: Expr | None = None


class Opaque(_Node, frozen=True):
    """What the facts have no word for. `parts` are the expressions inside it, in order, so that no call is lost."""

    parts: tuple[Expr, ...] = ()


Expr: TypeAlias = (
    Const
    | Str
    | Name
    | Attr
    | Index
    | Call
    | Await
    | Yield
    | Unary
    | Binary
    | Cond
    | Seq
    | Spread
    | Map
    | Func
    | ClassExpr
    | Comp
    | Assign
    | Opaque
)


# ---------------------------------------------------------------- statements


class Do(_Node, frozen=True):
    """An expression for its effect; every assignment is one."""

    value: Expr


class Return(_Node, frozen=True):
    value: Expr | None


class Raise(_Node, frozen=True):
    """`value` is None where the exception in hand is raised again."""

    value: Expr | None


class If(_Node, frozen=True):
    test: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...] = ()


class Loop(_Node, frozen=True):
    """Every loop.

    `kind` is `while` (test before the lap), `until` (test after it, as in do-while) or `each` (over `iterable`).
    `test` is None where the loop has no condition of its own (`for (;;)`). `update` runs after each lap, also after
    `continue`. `orelse` runs when the loop ends without `break`.
    """

    kind: str
    body: tuple[Stmt, ...]
    test: Expr | None = None
    target: Expr | None = None
    iterable: Expr | None = None
    update: tuple[Stmt, ...] = ()
    orelse: tuple[Stmt, ...] = ()
    is_async: bool = False
    label: str = ""


class Jump(_Node, frozen=True):
    """`kind` is `break` or `continue`."""

    kind: str
    label: str = ""


class Handler(Struct, frozen=True, array_like=True, gc=False):
    """`type` is None where everything is caught (a bare `except`, a JavaScript `catch`)."""

    type: Expr | None
    name: str | None
    body: tuple[Stmt, ...]
    span: Span


class Try(_Node, frozen=True):
    body: tuple[Stmt, ...]
    handlers: tuple[Handler, ...] = ()
    orelse: tuple[Stmt, ...] = ()
    final: tuple[Stmt, ...] = ()


class With(_Node, frozen=True):
    """`items` are (context expression, target or None)."""

    items: tuple[tuple[Expr, Expr | None], ...]
    body: tuple[Stmt, ...]
    is_async: bool = False


class Define(_Node, frozen=True):
    """A function statement: binds the function's name."""

    index: int


class DefineClass(_Node, frozen=True):
    index: int


class Import(_Node, frozen=True):
    """Binds `local`.

    `name` is None where the module itself is bound, `*` where all its names are, `default` for a default import.
    `module` is as written: `a.b`, `..client` (Python), `./client.js`, `@scope/pkg/sub` (TypeScript). `import a.b` binds
    `a` to module `a`.
    """

    local: str
    module: str
    name: str | None = None


Stmt: TypeAlias = Do | Return | Raise | If | Loop | Jump | Try | With | Define | DefineClass | Import


# ---------------------------------------------------------------- definitions


class Param(Struct, frozen=True, array_like=True, gc=False):
    """`kind` is `positional`, `keyword`, `rest` or `keyword-rest`.

    A destructured parameter has a made-up name that starts with `$`.
    """

    name: str
    span: Span
    default: Expr | None = None
    annotation: Expr | None = None
    kind: str = "positional"


class Function(Struct, frozen=True, gc=False):
    """A function, method, arrow or lambda. An arrow with an expression body returns it.

    `name` is its own name, or that of the variable, field or key it is bound to, else "". `owner` is the index of its
    class for a method, `parent` the index of the function that it stands in. `at` is the span of the name where it has
    one, else of the whole.
    """

    name: str
    span: Span
    at: Span
    params: tuple[Param, ...]
    body: tuple[Stmt, ...]
    is_async: bool = False
    is_generator: bool = False
    decorators: tuple[Expr, ...] = ()
    doc: Str | None = None
    returns: Expr | None = None
    owner: int | None = None
    parent: int | None = None


class Member(Struct, frozen=True, array_like=True, gc=False):
    """A field, method or enum member of a class. A method's value is a `Func`."""

    name: str
    span: Span
    value: Expr | None = None
    annotation: Expr | None = None
    is_static: bool = False


class Class(Struct, frozen=True, gc=False):
    """A class, enum or interface."""

    name: str
    span: Span
    at: Span
    bases: tuple[Expr, ...]
    members: tuple[Member, ...]
    decorators: tuple[Expr, ...] = ()
    doc: Str | None = None
    parent: int | None = None


class Export(Struct, frozen=True, array_like=True, gc=False):
    """`name` is the exported name (`default`, `*` for all), `local` the name on this side or in `module` if given."""

    name: str
    local: str
    module: str | None = None


class Comment(Struct, frozen=True, array_like=True):
    """A comment that speaks to waitlint (`waitlint:` or `expect:`); `text` without its delimiters."""

    text: str
    span: Span


# ---------------------------------------------------------------- prose


class Mention(Struct, frozen=True, array_like=True):
    """A name in a sentence that may mean a tool.

    `quoted` where it stands in backticks or quotes, or is written as an identifier.
    """

    name: str
    span: Span
    quoted: bool = False


class Intent(Struct, frozen=True):
    """What a sentence asks or says. Spans are offsets in the text, not in the source.

    `kind` is one of `waitlint.prose.KINDS`. `seconds` is the interval, duration or cap that it names. `reason` says in
    words what in the sentence made it (for the message). `states` are state names it waits for or speaks of.
    `backing` is how much its document bears it out beyond what is needed (see `prose.earned`): below zero, it counts
    only if its skill makes up for it, or it names a tool that is in view.
    """

    kind: str
    span: Span
    confidence: str
    reason: str
    mentions: tuple[Mention, ...] = ()
    seconds: float | None = None
    states: tuple[str, ...] = ()
    until: str = ""
    backing: int = 0


class Text(Struct, frozen=True):
    """A text that a model reads, as a whole. Holes stand in it as U+FFFC.

    `role` is `document`, `prompt`, `tool-description`, `parameter-description`, `tool-result`, `server-instructions`
    or `front-matter`. `places` are as in `Piece`. `complete` is False where a part could not be resolved.
    """

    role: str
    value: str
    places: tuple[tuple[int, int], ...]
    span: Span
    intents: tuple[Intent, ...] = ()
    complete: bool = True
    key: str = ""


class FileFacts(Struct, frozen=True):
    """The facts of one file. `body` are the statements of the module, or one `Do(Map)` for a data document.

    `lends` is what a skill is worth for the loops of the files beside it, in the units of `Intent.backing`.
    """

    language: str
    surface: str
    body: tuple[Stmt, ...] = ()
    functions: tuple[Function, ...] = ()
    classes: tuple[Class, ...] = ()
    exports: tuple[Export, ...] = ()
    texts: tuple[Text, ...] = ()
    comments: tuple[Comment, ...] = ()
    links: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    lends: int = 0
