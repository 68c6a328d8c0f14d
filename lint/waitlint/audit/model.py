"""An audit, version 1, as plain data: what the page shows, what the JSON holds, what is merged.

Paths are relative to the folder that was audited, with forward slashes; lines count from 1 and are 0 where there is no
place. Times are seconds, `null` where they are not known. Fields are added, never changed or removed, within a version.
"""

from __future__ import annotations

import enum

from msgspec import Struct, field

VERSION = 1
ITEMS: dict[str, str] = {
    "C1": "never called twice in a row with the same arguments",
    "C2": "capped below the shortest idle timeout",
    "C3": "the cap returns the last state, not an error",
    "C4": "stop signal and deadline reach every read and pause",
    "C5": "description and prompts say that it waits, and nothing says to keep calling",
    "C6": "work of minutes returns a job ID and resumes on an event",
}
BUDGETS: dict[str, str] = {
    "steps": "its steps are capped in code",
    "time": "it is bounded in time",
    "money": "tokens or money are bounded",
    "requests": "each of its requests has a timeout",
    "retries": "repeated attempts are bounded",
    "output": "what a tool gives is cut to a size",
    "unknown tools": "an unknown tool is refused",
    "read-only": "tools that only need to read can only read",
    "verification": "what the model claims is checked",
    "trace": "tool, inputs, observation and time are kept, redacted",
    "floor": "a least number of steps is held",
    "signal": "a literal done marker ends it",
}


class Answer(enum.StrEnum):
    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    NOT_APPLICABLE = "not applicable"


class Verdict(Struct, frozen=True, omit_defaults=True):
    """An answer, why, and the place that shows it."""

    answer: Answer
    reason: str
    path: str = ""
    line: int = 0


class ToolRow(Struct, frozen=True):
    """A tool. `waits` says in words how it waits; `verdicts` has a key for each of `ITEMS`."""

    name: str
    path: str
    line: int
    framework: str
    confidence: str
    waits: str
    verdicts: dict[str, Verdict]


class LoopRow(Struct, frozen=True):
    """An agent's loop. `verdicts` has a key for each of `BUDGETS`."""

    name: str
    path: str
    line: int
    kind: str
    framework: str
    excerpt: str
    verdicts: dict[str, Verdict]


class PollingText(Struct, frozen=True):
    """A sentence that tells a model to poll.

    `surface` is what its file is to a model, `named` what it calls what is polled, `tools` those it is known to mean.
    `every` is the interval that it states. `waits` where the tools wait by themselves.
    """

    path: str
    line: int
    surface: str
    words: str
    reason: str
    rule: str
    named: tuple[str, ...]
    tools: tuple[str, ...]
    every: float | None = None
    waits: bool = False


class Polled(Struct, frozen=True):
    """What one wait costs while the model polls for it, as far as the repository says.

    `every` is the interval that its texts state, `cap` the cap of the wait that the tool makes by itself, `duration`
    how long the work takes by the configuration; the page's assumptions stand in where they are null.
    """

    name: str
    path: str
    line: int
    why: str
    every: float | None = None
    cap: float | None = None
    duration: float | None = None


class Assumptions(Struct, frozen=True):
    """What the costs rest on where the repository does not say it, and each from where. Lengths in seconds."""

    duration: float = 180.0
    every: float = 5.0
    cap: float = 90.0
    steps: int = 20
    steps_from: str = "an assumption"
    look: int = 300
    before: int = 20_000
    window: int = 200_000


class Proof(Struct, frozen=True):
    path: str
    line: int
    message: str


class Found(Struct, frozen=True):
    """A finding; `excerpt` are the lines of its place, the first of them at `line`. `fix` is "", safe or unsafe."""

    rule: str
    severity: str
    confidence: str
    path: str
    line: int
    message: str
    help: str
    rules: tuple[str, ...]
    checklist: tuple[str, ...]
    tools: tuple[str, ...]
    fingerprint: str
    evidence: tuple[Proof, ...] = ()
    excerpt: tuple[str, ...] = ()
    also_in: tuple[str, ...] = ()
    vendored: bool = False
    fix: str = ""


class Unread(Struct, frozen=True, order=True):
    """A file that was not read, or not wholly understood, and why."""

    path: str
    reason: str


class Repository(Struct, frozen=True, kw_only=True):
    """What was found in one folder. `revision` is its git commit, "" where it has none.

    `skipped` might have been read and wasn't, `problems` was understood in part; `unknown` counts what could not be
    told, by kind; `errors` are faults of waitlint itself.
    """

    name: str
    revision: str = ""
    files: int = 0
    by_surface: dict[str, int] = field(default_factory=dict)
    tools: tuple[ToolRow, ...] = ()
    loops: tuple[LoopRow, ...] = ()
    texts: tuple[PollingText, ...] = ()
    polled: tuple[Polled, ...] = ()
    assumptions: Assumptions = Assumptions()
    findings: tuple[Found, ...] = ()
    skipped: tuple[Unread, ...] = ()
    problems: tuple[Unread, ...] = ()
    unknown: dict[str, int] = field(default_factory=dict)
    suppressed: int = 0
    errors: tuple[str, ...] = ()


class Audit(Struct, frozen=True, kw_only=True):
    """One or more repositories, sorted by name."""

    version: int = VERSION
    waitlint: str = ""
    repositories: tuple[Repository, ...] = ()
