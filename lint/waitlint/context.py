"""What a rule may ask besides its subject: the project, the settings, and how to word a finding."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from msgspec import Struct, field

from waitlint.finding import Confidence, Evidence, Finding, Place, Severity
from waitlint.fix import Repair
from waitlint.linked import AgentLoop, AgentStart, Mentioned, Read, Retry, Sleep, StateSet, Tool, ToolText, Wait
from waitlint.rule import Rule


class IdleLimit(Struct, frozen=True):
    """The shortest time of silence that something between agent and user allows, and what that something is.

    `stated` where the configuration or the repository says so, in the latter case at `place`. `renewed` says whether a
    report of progress starts the time anew; None is unknown.
    """

    seconds: float
    hop: str
    stated: bool = False
    place: Place | None = None
    renewed: bool | None = None


FLOORS = {"basic": 3, "standard": 6, "deep": 10}


class Settings(Struct, frozen=True):
    """What configuration decides for rules. Times are in seconds.

    `floors` are the least numbers of steps, by the depth of the question: basic, standard, deep.
    """

    idle_limit: IdleLimit = IdleLimit(100.0, "many HTTP proxies close a silent connection after 100 s")
    client_limit: IdleLimit = IdleLimit(60.0, "many MCP clients give up on a call after 60 s")
    typical_duration: dict[str, float] = {}
    require_step_cap: bool = False
    floors: dict[str, int] = field(default_factory=FLOORS.copy)


class Project(Protocol):
    """The linked facts of all files.

    `asked_for` is the file of the text that a rule is asking for, "" where it is asking for no text.
    """

    asked_for: str

    @property
    def tools(self) -> Sequence[Tool]: ...
    @property
    def mentions(self) -> Sequence[Mentioned]: ...
    @property
    def texts(self) -> Sequence[ToolText]: ...
    @property
    def loops(self) -> Sequence[AgentLoop]: ...
    @property
    def retries(self) -> Sequence[Retry]: ...
    @property
    def starts(self) -> Sequence[AgentStart]: ...
    def mentions_of(self, names: Collection[str]) -> Sequence[Mentioned]:
        """The intents of all texts that mean a tool of one of these names, in the order of `mentions`."""
        ...

    def mentions_in(self, text: ToolText) -> Sequence[Mentioned]:
        """The intents of a text, in order, with the tools that they mean."""
        ...

    def said_to_read(self, tool: Tool) -> Evidence | None:
        """Where a tool is declared to only read."""
        ...

    def writes(self, tool: Tool) -> Evidence | None:
        """A place in a tool's code that writes, deletes or replaces something outside."""
        ...

    def grants_writes(self, text: ToolText) -> tuple[Evidence, Evidence] | None:
        """Where the definition of an agent says that it only reads, and where it grants it a tool that writes."""
        ...

    def hands_whole(self, tool: Tool) -> Evidence | None:
        """A place where a tool gives back a whole file or page, with no cut on its way."""
        ...

    def loops_told(self, text: ToolText) -> Sequence[AgentLoop]:
        """The agents' loops in which the model is told a text."""
        ...

    def names_in(self, path: str) -> frozenset[str]:
        """Short literals of the code in a file, and its names, as letters and digits in lower case."""
        ...

    def compared_in(self, path: str) -> frozenset[str]:
        """Short literals that the code in a file compares with something, or looks for in it, as in `names_in`."""
        ...

    def counts_beside(self, path: str) -> Evidence | None:
        """Where the code in the folder of a file compares a count with a greatest number of steps."""
        ...

    def excerpt(self, place: Place) -> str:
        """The source text of a place."""
        ...

    def where(self, place: Place) -> str:
        """`path:line` of a place, for messages."""
        ...

    def tools_named(self, name: str, near: str) -> Sequence[Tool]:
        """The tools that a name written in the file `near` can mean: empty where it is ambiguous or unknown."""
        ...

    def defines_tool(self, name: str) -> bool:
        """Whether a name in a text can be that of any tool of the project, near or far."""
        ...

    def states_seen_from(self, paths: Collection[str]) -> Sequence[StateSet]:
        """The lists of states that some files hold, or the files that these import from."""
        ...

    def tools_beside(self, path: str) -> Sequence[Tool]:
        """The tools of the package that a file belongs to: a model that has one of them has the others too."""
        ...

    def states_in(self, path: str) -> frozenset[str]:
        """The state names that the code in a file writes under the key of a state."""
        ...

    def others_running(self, place: Place) -> Evidence | None:
        """Where code that no tool is known to run calls the function that `place` stands in, directly or not."""
        ...

    def tools_reaching(self, place: Place) -> Sequence[Tool]:
        """Every tool whose handler runs the code at `place`."""
        ...


MANY = 4
MOST = 0.75


class Context:
    """Handed to each check with its subject."""

    def __init__(self, rule: Rule, project: Project, settings: Settings) -> None:
        self.rule = rule
        self.project = project
        self.settings = settings

    def home(self, fact: Wait | Read | Sleep, fails: Callable[[Tool], bool], *, is_the_helpers: bool = False) -> Place:
        """The innermost place whose change mends every tool that fails: the fact itself if all its tools do.

        Otherwise it is the call at which the tools that fail part from those that don't. `is_the_helpers` where the
        fault of most is one of the code that they share, even if a few make up for it themselves.
        """
        if is_the_helpers:
            failing = [fails(tool) for tool in self.project.tools_reaching(fact.place)]
            if sum(failing) >= MANY and sum(failing) >= MOST * len(failing):
                return fact.place
        for place in (fact.place, *reversed(fact.callers)):
            if all(fails(tool) for tool in self.project.tools_reaching(place)):
                return place
        return fact.callers[0] if fact.callers else fact.place

    def finding(
        self,
        place: Place,
        message: str,
        *,
        help: str,
        scope: str,
        excerpt: str = "",
        tools: Sequence[str] = (),
        confidence: Confidence = Confidence.HIGH,
        severity: Severity | None = None,
        evidence: Sequence[Evidence] = (),
        repair: Repair | None = None,
    ) -> Finding:
        """A finding of this rule. `excerpt` is the code or words at fault; the source at `place` if not given."""
        return Finding(
            rule=self.rule.name,
            severity=severity or self.rule.severity,
            confidence=confidence,
            place=place,
            message=message,
            help=help,
            scope=scope,
            excerpt=excerpt or self.project.excerpt(place),
            tools=tuple(sorted(set(tools))),
            evidence=tuple(dict.fromkeys(evidence)),
            repair=repair,
        )
