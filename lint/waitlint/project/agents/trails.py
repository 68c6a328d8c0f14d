"""What a loop leaves behind for those who ask later what it did: log lines, records, spans."""

from __future__ import annotations

import re
from dataclasses import dataclass

from waitlint.facts import Arg, Attr, Await, Call, Expr, Hole, Import, Index, Map, Name, Opaque, Str
from waitlint.finding import Evidence, Place
from waitlint.linked import Answer, Known, Trail
from waitlint.project.agents.reach import Code, Reach, expressions
from waitlint.project.sources import Sources
from waitlint.spelled import last_name, tail

LOGGERS = re.compile(
    r"log|logger|_log|_logger|logging|console|structlog|loguru|winston|pino|bunyan|span|tracer|trace|traces|trail|"
    r"audit|telemetry|events?|steps_?log|history_?log|recorder|journal|observer|callbacks?|metrics|run_?log|transcript"
)
CALLBACK = re.compile(r"_callback$|^callback$|^on_(?:tool|step|message|output|event|result)")
LEVELS = frozenset(
    {
        "debug", "info", "warning", "warn", "error", "exception", "critical", "log", "trace", "append", "push",
        "print", "write", "emit", "record", "add", "set_attribute", "setAttribute", "set_attributes", "setAttributes",
        "add_event", "addEvent", "event", "end", "update", "notice", "success", "insert", "track",
    }
)  # fmt: skip
RECORDS = re.compile(
    r"(?:log|trace|record|audit|track|note)(?:_?(?:step|tool|call|action|event|run|observation)\w*)?|"
    r"debug_print|print_debug|debug_log"
)
QUIET = frozenset({"debug", "trace", "debug_print", "print_debug", "debug_log"})
TRACERS = re.compile(
    r"langfuse|langsmith|opentelemetry|@opentelemetry|logfire|weave|mlflow|phoenix|openinference|traceloop|agentops|"
    r"braintrust|helicone|opik|ddtrace|dd-trace|sentry_sdk|@sentry|langtrace|lunary|arize"
)
TOOL = re.compile(r"(?<![a-z])(?:tools?|names?|function|action|fn|command)(?![a-z])")
INPUTS = re.compile(r"(?<![a-z])(?:inputs?|args?|arguments?|params?|parameters?|kwargs|given|payload|query)(?![a-z])")
OBSERVATION = re.compile(
    r"(?<![a-z])(?:results?|outputs?|observations?|answers?|returned|response|content|found|error)(?![a-z])"
)
TIME = re.compile(
    r"(?<![a-z])(?:times?|timestamp|elapsed|duration|seconds|secs|took|ms|started|start|monotonic|now|clock|latency|perf)(?![a-z])"
)
# What a format of `%` cuts an argument to, "" where it does not.
FORMATS = re.compile(r"%[-+ #0]*\d*(\.\d+|)[a-zA-Z]")
STAMPING = re.compile(r"log|pino|winston|span|tracer", re.IGNORECASE)
REDACTS = re.compile(r"redact|mask|scrub|sanitiz|sanitis|censor|anonymi|obfusc|strip_secrets|hash|digest")
CUTS = re.compile(
    r"trunc|short|slice|substring|substr|clip|preview|summar|limit|\blen\b|length|first|head|excerpt|size|count"
)


CUT_BEFORE = r"\s*(?::[^=\n]+)?=\s*[^\n]*(?:\[\s*:|\.slice\(|substring|trunc|shorten|redact|mask|clip)"


@dataclass(slots=True)
class _Line:
    call: Call
    block: Code
    level: str
    words: str


class Trails:
    """Reads off the code of a loop what it records of its tools' calls."""

    def __init__(self, reach: Reach, sources: Sources) -> None:
        self.reach = reach
        self.sources = sources

    def read(self) -> Trail:
        tracer = self._tracer()
        if tracer:
            kept = Answer(Known.YES, f"`{tracer}` keeps a trace")
            return Trail(kept, kept, kept, kept, Answer(Known.UNKNOWN, f"`{tracer}` decides what it keeps"))
        lines = [line for block, node in self.reach.nodes() if (line := self._line(node, block)) is not None]
        is_timed = any(TIME.search(line.words) and self._is_of_helper(line.block) for line in lines)
        lines = [line for line in lines if any(words.search(line.words) for words in (TOOL, INPUTS, OBSERVATION))]
        if not lines and self._hands_on():
            return Trail()
        if not lines:
            none = Answer(Known.NO, "nothing is recorded")
            return Trail(none, none, none, none, Answer(Known.UNKNOWN, "nothing is recorded"))
        stamped = is_timed or any(self._stamps(line) for line in lines)
        return Trail(
            self._kept(lines, TOOL),
            self._kept(lines, INPUTS),
            self._kept(lines, OBSERVATION),
            Answer(Known.YES, "each line has its time") if stamped else self._kept(lines, TIME),
            self._redacted(lines),
        )

    def _is_of_helper(self, block: Code) -> bool:
        """Whether code is that of a helper which records what it is given."""
        if block.own or block.index is None:
            return False
        return bool(RECORDS.fullmatch(_snake(self.reach.world.files[block.path].functions[block.index].name)))

    def _hands_on(self) -> bool:
        """Whether what happens is told to a callback, which may keep it."""
        for _, node in self.reach.nodes():
            name = _snake(tail(node.func)) if isinstance(node, Call) and node.args else ""
            if CALLBACK.search(name):
                return True
        return False

    def _tracer(self) -> str:
        """The package that traces what the file does, if it imports one."""
        for path in {block.path for block in self.reach.blocks}:
            for stmt in self.reach.world.files[path].body:
                if isinstance(stmt, Import) and TRACERS.match(stmt.module):
                    return stmt.module
        return ""

    def _line(self, node: object, block: Code) -> _Line | None:
        """A call that records something."""
        if not isinstance(node, Call) or not node.args:
            return None
        func = node.func
        name = tail(func)
        if isinstance(func, Attr):
            receiver = last_name(func.base).lower().strip("_")
            if not (name in LEVELS and LOGGERS.fullmatch(receiver)) and not RECORDS.fullmatch(_snake(name)):
                return None
        elif not (RECORDS.fullmatch(_snake(name)) or name == "print"):
            return None
        words = " ".join(self._words(arg.value, block) + f" {arg.name or ''}" for arg in node.args)
        return _Line(node, block, name, words)

    def _words(self, expr: Expr, block: Code) -> str:
        """The names that an expression shows, in lower case and parted."""
        found: list[str] = []
        for node in expressions(expr):
            if isinstance(node, Name | Attr):
                found.append(node.name)
            elif isinstance(node, Map):
                found.extend(_key(entry.key) for entry in node.entries if entry.key is not None)
            elif isinstance(node, Str):
                found.extend(re.findall(r"(\w+)=", _text_of(node)))
        return " ".join(_snake(word) for word in found).replace("_", " ")

    def _kept(self, lines: list[_Line], words: re.Pattern[str]) -> Answer:
        for line in lines:
            if words.search(line.words):
                shown = Evidence(Place(line.block.path, line.call.span), "it is recorded here")
                return Answer(Known.YES, "it is recorded", (shown,))
        first = Evidence(Place(lines[0].block.path, lines[0].call.span), "what is recorded")
        return Answer(Known.NO, "it is not recorded", (first,))

    def _stamps(self, line: _Line) -> bool:
        """Whether the library puts the time on each line by itself."""
        func = line.call.func
        if not isinstance(func, Attr):
            return False
        if func.name == "log" and last_name(func.base) == "console":
            # That of rich writes the time before each line; that of JavaScript does not.
            return line.block.path.endswith((".py", ".ipynb"))
        return bool(STAMPING.search(last_name(func.base))) and func.name not in ("append", "push")

    # ------------------------------------------------------------ redaction

    def _redacted(self, lines: list[_Line]) -> Answer:
        whole: Answer | None = None
        for line in lines:
            if line.level in QUIET or line.level == "print":
                continue
            for arg in _not_cut(line.call.args):
                for expr in _values(arg.value):
                    if self._is_whole(expr, line.block):
                        place = Place(line.block.path, line.call.span)
                        name = " ".join(self.sources.excerpt(Place(line.block.path, expr.span)).split())[:40]
                        how = f"`{name}` is recorded whole"
                        whole = whole or Answer(Known.NO, how, (Evidence(place, how),))
        if whole is not None and not self._filters():
            return whole
        return Answer(Known.YES, "what is recorded is redacted, cut short, or neither inputs nor observations")

    def _is_whole(self, expr: Expr, block: Code) -> bool:
        """Whether an expression is an input or an observation as it is."""
        while isinstance(expr, Await):
            expr = expr.value
        if isinstance(expr, Call):
            name = _snake(tail(expr.func))
            if REDACTS.search(name) or CUTS.search(name):
                return False
            if name in ("dumps", "stringify", "str", "repr", "string") and expr.args:
                return self._is_whole(expr.args[0].value, block)
            return False
        if isinstance(expr, Index):
            return False
        if not isinstance(expr, Name | Attr):
            return False
        name = _snake(expr.name).replace("_", " ")
        if not (INPUTS.search(name) or OBSERVATION.search(name)) or CUTS.search(name) or REDACTS.search(name):
            return False
        return not (isinstance(expr, Name) and self._is_cut_before(expr.name, block))

    def _is_cut_before(self, name: str, block: Code) -> bool:
        """Whether a name is set to something that is cut short or redacted."""
        code = [stmt.span for one in self.reach.blocks if one.path == block.path for stmt in one.body]
        text = "\n".join(self.sources.excerpt(Place(block.path, span)) for span in code)
        return bool(re.search(rf"\b{re.escape(name)}\b{CUT_BEFORE}", text))

    def _filters(self) -> bool:
        """Whether the logger is set up to redact by itself."""
        source = self.sources.get(self.reach.path)
        return source is not None and bool(re.search(r"\bredact\s*[:=]|addFilter|add_filter", source.text))


def _not_cut(args: tuple[Arg, ...]) -> list[Arg]:
    """The arguments of a line, without those that its format cuts short, as `%.200s` does."""
    text = _text_of(args[0].value) if args and isinstance(args[0].value, Str) else ""
    formats = FORMATS.findall(text)
    return [
        arg
        for position, arg in enumerate(args)
        if not (0 < position <= len(formats) and formats[position - 1] and arg.name is None)
    ]


def _values(expr: Expr) -> list[Expr]:
    """The values that a line shows: of a text its holes, of an object its entries."""
    match expr:
        case Str(pieces=pieces):
            return [value for piece in pieces if isinstance(piece, Hole) for value in _values(piece.value)]
        case Map(entries=entries):
            return [value for entry in entries for value in _values(entry.value)]
        case Opaque(parts=parts):
            return list(parts[:1])
        case _:
            return [expr]


def _key(expr: Expr) -> str:
    return (expr.literal or "") if isinstance(expr, Str) else (getattr(expr, "name", "") or "")


def _text_of(text: Str) -> str:
    return "".join(getattr(piece, "text", " ") for piece in text.pieces)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().strip("_")


__all__ = ["Trails"]
